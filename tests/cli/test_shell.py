"""In the shell: completion, suggestions, help, and every kind of terminal or encoding."""

from __future__ import annotations

import re

import pytest

from tests.cli.conftest import Here, Run, refused

SHELLS = ("bash", "zsh", "fish", "powershell")


def complete(dealproof: Run, shell: str, line: str) -> list[str]:
    """What the shell is offered for the last word of *line* (``dealproof solve si``)."""
    words = line.split(" ")
    done = dealproof(
        _DEALPROOF_COMPLETE=f"complete_{shell}",
        COMP_WORDS=line,
        COMP_CWORD=str(len(words) - 1),
        _TYPER_COMPLETE_ARGS=line,
        _TYPER_COMPLETE_FISH_ACTION="get-args",
        _TYPER_COMPLETE_WORD_TO_COMPLETE=words[-1],
    )
    assert (done.returncode, done.stderr) == (0, b"")
    text = done.stdout.decode()
    if shell == "zsh":
        return re.findall(r'"((?:[^"\\]|\\.)+?)":"', text) or re.findall(r'"([^"]+)"', text)
    cut = {"fish": "\t", "powershell": ":::"}.get(shell, "\0")
    return [row.partition(cut)[0].strip() for row in text.splitlines() if row.strip()]


@pytest.mark.parametrize("shell", SHELLS)
def test_completion_of_games_options_and_values(dealproof: Run, shell: str) -> None:
    assert complete(dealproof, shell, "dealproof solve sing") == ["single-left", "single-left-next"]
    keys = complete(dealproof, shell, "dealproof solve single-left -o ")
    assert "build=" in keys
    assert "slots=" not in keys
    assert all(key.endswith("=") for key in keys)
    values = complete(dealproof, shell, "dealproof solve single-left -o build=")
    assert values == ["build=alternate", "build=suit", "build=any", "build=other-suit"]


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("dealproof so", ["solve"]),
        ("dealproof solve tens --eng", ["--engine"]),
        ("dealproof solve tens --engine ", ["auto", "compiled", "reference"]),
        ("dealproof solve decade --reductions ", ["all", "none", "floor"]),
        ("dealproof solve single-left --reductions runs,d", ["runs,deal", "runs,dead"]),
        ("dealproof find single-left --rating hard,f", ["hard,fair", "hard,fiendish"]),
        ("dealproof bench bl", ["block-ten"]),
        ("dealproof bench tens --engine b", ["batch"]),
        ("dealproof review deca", None),
        ("dealproof graph tens --format ", ["graphml", "dot", "json"]),
        ("dealproof check --checker r", ["readable"]),
        ("dealproof schema sur", ["survey"]),
    ],
)
def test_completion_of_words(dealproof: Run, line: str, offered: list[str] | None) -> None:
    found = complete(dealproof, "bash", line)
    if offered is None:
        assert "decade" in found
    else:
        assert found == offered


@pytest.mark.parametrize("shell", SHELLS)
def test_scripts_that_switch_completion_on(dealproof: Run, shell: str) -> None:
    done = dealproof(_DEALPROOF_COMPLETE=f"source_{shell}")
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"_DEALPROOF_COMPLETE" in done.stdout


def test_completion_without_words_is_no_traceback(dealproof: Run) -> None:
    for how in ("complete_bash", "complete_zsh", "nonsense_bash", "nonsense"):
        done = dealproof(_DEALPROOF_COMPLETE=how)
        assert b"Traceback" not in done.stderr + done.stdout


@pytest.mark.parametrize(
    ("words", "near"),
    [
        ("solve singleleft 4", "single-left"),
        ("odds tenbyone", "ten-by-one"),
        ("slove single-left 4", "solve"),
        ("rate single-left 4 --bugdet 5", "--budget"),
        ("solve single-left 4 -o colums=3", "columns"),
        ("solve single-left 4 -o build=siut", "suit"),
        ("solve single-left 4 -o fill=stok", "stock"),
        ("solve single-left 4 --reductions saef", "safe"),
        ("solve decade 1 -o loop=ture", "true"),
    ],
)
def test_suggestions(dealproof: Run, words: str, near: str) -> None:
    assert refused(dealproof(*words.split())).endswith(f"did you mean {near}?")


def test_help_is_grouped_by_task_and_every_command_has_its_own(here: Here) -> None:
    from solver.cli.app import COMMANDS, PANELS, command_named

    text = here("--help")[1]
    places = [text.index(f"\n{panel}:\n") for panel in PANELS]
    assert places == sorted(places)
    for name in COMMANDS:
        assert f"\n  {name} " in text
        own = here(name, "--help")[1]
        assert " ".join(own.split()).startswith(f"Usage: dealproof {name}")
        assert command_named(name).help


# Each command, small, as it prints for people.
SHOWN = (
    "",
    "--version",
    "--help",
    "solve --help",
    "games",
    "rules single-left",
    "rules decade-seven-loop",
    "deal single-left 4",
    "deal decade-seven 3",
    "solve block-ten 50",
    "solve block-ten 49-51",
    "solve decade 1",
    "explain block-ten 5",
    "explain decade 1",
    "explain single-left 3 -o ranks=6 -o columns=4",
    "replay block-ten 5 --frame end",
    "hint decade 1",
    "review decade 1 QS+QD",
    "rate decade-loop 3 --plays 5",
    "verify tens 1 AC+9D",
    "odds block-ten",
    "find block-ten --winnable",
    "graph decade 1 -o ranks=3 -o sums=5,10",
    "bench block-ten 1-3 --engine reference",
    "schema odds",
)
UNWRAPPED = {
    "", "--version", "solve block-ten 49-51", "verify tens 1 AC+9D", "schema odds",
    "find block-ten --winnable",
    "graph decade 1 -o ranks=3 -o sums=5,10", "bench block-ten 1-3 --engine reference",
}  # fmt: skip
"""Rows for programs to read, which stay rows however narrow the terminal."""

SURROUNDINGS: dict[str, dict[str, str]] = {
    "ascii": {"PYTHONIOENCODING": "ascii"},
    "cp1252": {"PYTHONIOENCODING": "cp1252"},
    "latin-1, no colour": {"PYTHONIOENCODING": "latin-1", "NO_COLOR": "1", "FORCE_COLOR": "1"},
    "C locale": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    "utf-8, dumb, 40 columns": {"TERM": "dumb", "COLUMNS": "40"},
}

ALL = """
import io, os, sys
from solver.cli import run
for line in sys.stdin.read().split("\\n"):
    sys.stdout.flush()
    code = run(line.split())
    print(f"\\0{code}", flush=True)
"""


@pytest.mark.parametrize("name", SURROUNDINGS)
def test_every_command_in_every_surrounding(name: str) -> None:
    """One process runs them all: what matters is the stream and the environment."""
    import subprocess
    import sys

    from tests.cli.conftest import ROOT, environment

    surrounding = SURROUNDINGS[name]
    env = environment(**surrounding)
    if name == "C locale":
        del env["PYTHONIOENCODING"]
    done = subprocess.run(
        [sys.executable, "-c", ALL], input="\n".join(SHOWN).encode(), capture_output=True,
        timeout=300, cwd=ROOT, env=env,
    )  # fmt: skip
    assert done.stderr == b""
    encoding = surrounding.get("PYTHONIOENCODING") or ("ascii" if name == "C locale" else "utf-8")
    texts = re.split("\0([0-9]+)\n", done.stdout.decode(encoding))
    assert len(texts) == 2 * len(SHOWN) + 1
    for words, text, code in zip(SHOWN, texts[::2], texts[1::2], strict=False):
        assert code in ("0", "1"), words
        assert text.strip(), words
        assert "\\u" not in text, words
        assert "\x1b" not in text or "NO_COLOR" in surrounding, words
        assert not re.search("\x1b\\[[349]\\d", text), words
        if encoding != "utf-8":
            assert not set(text) & set("♣♦♥♠"), words
        if "COLUMNS" in surrounding and words not in UNWRAPPED:
            lines = [row for row in text.splitlines() if not row.startswith("  dealproof ")]
            assert max(map(len, lines)) <= 40, words  # but examples, which are to be copied
