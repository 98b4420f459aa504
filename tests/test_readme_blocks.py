"""What the documents show of the commands' output is what they print."""

from __future__ import annotations

import doctest
import re
import runpy
import subprocess
from pathlib import Path

import pytest

from solver.cli.app import COMMANDS, START, command_named
from tests import readme
from tests.readme import BlockError, commands, documents, refreshed

ADVICE = "differs from what the commands print; run `python -m tests.readme`"


@pytest.mark.parametrize(
    "path", documents(), ids=lambda path: path.relative_to(readme.ROOT).as_posix()
)
def test_documents_show_what_the_commands_print(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    fresh, drawings = refreshed(text, path.name)
    assert fresh == text, f"{path.name} {ADVICE}"
    for name, image in drawings.items():
        drawn = readme.ROOT / name
        assert drawn.is_file(), f"{name} {ADVICE}"
        assert drawn.read_text(encoding="utf-8") == image, f"{name} {ADVICE}"


def test_stale_blocks_are_filled_anew_and_the_rest_is_left_alone() -> None:
    board = readme.output("dealproof deal block-ten 1")
    assert "│Q♠│ │Q♦│" in board
    text = (
        "# A\n\n<!-- run: dealproof deal block-ten 1 -->\n```text\nstale\n```\n\n"
        "```text\n<!-- run: dealproof no -->\n```\n<!-- other -->\n"
        "<!-- run: dealproof deal block-ten 1 | head -1 -->\n````console\n```\n````\nend"
    )
    fresh, drawings = refreshed(text)
    assert drawings == {}
    assert fresh == (
        f"# A\n\n<!-- run: dealproof deal block-ten 1 -->\n```text\n{board}```\n\n"
        "```text\n<!-- run: dealproof no -->\n```\n<!-- other -->\n"
        "<!-- run: dealproof deal block-ten 1 | head -1 -->\n````console\n"
        "$ dealproof deal block-ten 1 | head -1\nBlock Ten, deal 1\n````\nend"
    )
    assert refreshed(fresh) == (fresh, {})


def test_drawings_are_asked_for_by_name() -> None:
    text = "<!-- run: dealproof deal tens 3 --svg docs/tens.svg -->\n![a](docs/tens.svg)\n"
    fresh, drawings = refreshed(text)
    assert fresh == text
    assert list(drawings) == ["docs/tens.svg"]
    assert drawings["docs/tens.svg"].startswith("<svg ")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<!-- run: dealproof games -->\n", "a:1: a fenced block has to follow the mark"),
        ("\n<!-- run: dealproof games -->\n```text\n", "a:2: a fenced block has to follow"),
        (
            "<!-- run: python examples/../x.py -->\n```text\n```\n",
            "a:1: not a plain dealproof command: python examples/../x.py",
        ),
        ("<!-- run: rm -r . -->\n```text\n```\n", "a:1: not a plain dealproof command: rm -r ."),
        ("<!-- run: dealproof deal chess 1 -->\n```text\n```\n", "exit code 2: dealproof: unknown"),
        (
            "<!-- run: dealproof deal chess 1 | head -3 -->\n```text\n```\n",
            "exit code 0: dealproof: unknown",
        ),
        (
            "<!-- run: dealproof deal decade 1 --after QS+QD>JC -->\n```text\n```\n",
            "--after QS+QD>JC: makes the file JC",
        ),
    ],
)
def test_faults_are_named(text: str, message: str) -> None:
    with pytest.raises(BlockError) as caught:
        refreshed(text, "a")
    assert message in str(caught.value)


WRITES = re.compile(r"> ([\w-]+\.\w+)$")
"""A file that a command of the documents means to write."""


def test_no_command_that_a_reader_copies_is_cut_short_by_the_shell(tmp_path: Path) -> None:
    """A shell gives each command all of its words, but for those of a redirection at its end."""
    copied = [command for path in documents() for command in commands(path.read_text("utf-8"))]
    copied += [line for name in COMMANDS for line in command_named(name).examples]
    copied += [line.strip() for line in START.splitlines() if line.startswith("  dealproof ")]
    assert len(copied) > 80
    for command in copied:
        spoken = re.split(r"\s{2,}| #", command)[0]  # what follows says what it does
        done = subprocess.run(
            ["sh", "-c", f"dealproof() {{ :; }}; dot() {{ :; }}; {spoken}"],
            cwd=tmp_path, capture_output=True, text=True,
        )  # fmt: skip
        wanted = WRITES.findall(spoken)
        assert (done.returncode, done.stderr) == (0, ""), command
        assert [path.name for path in tmp_path.iterdir()] == wanted, command
        for name in wanted:
            (tmp_path / name).unlink()


def test_every_example_is_shown_and_does_nothing_when_imported() -> None:
    folder = readme.ROOT / "examples"
    shown = (folder / "README.md").read_text(encoding="utf-8")
    for path in folder.glob("*.py"):
        assert f"<!-- run: python examples/{path.name} -->" in shown
        names = runpy.run_path(str(path), run_name="imported")
        assert callable(names["main"])


def test_the_readme_shows_what_python_answers() -> None:
    text = (readme.ROOT / "README.md").read_text(encoding="utf-8")
    found = doctest.DocTestParser().get_doctest(text, {}, "README.md", "README.md", 0)
    assert len(found.examples) == 6
    assert doctest.DocTestRunner().run(found).failed == 0


def test_the_readme_is_short_and_shows_five_commands() -> None:
    text = (readme.ROOT / "README.md").read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 200
    tour = text.partition("## Five commands\n")[2].partition("\nThere are more: ")[0]
    marks = [line for line in tour.splitlines() if line.startswith("<!-- run: dealproof ")]
    assert len(marks) == 5
    for name in COMMANDS:
        assert f"`{name}`" in text or f"dealproof {name} " in text or name in NOT_FOR_USERS, name


NOT_FOR_USERS = {"bench", "schema"}


def test_the_reference_shows_the_example_of_a_game() -> None:
    text = (readme.ROOT / "docs" / "reference.md").read_text(encoding="utf-8")
    shown = (readme.ROOT / "examples" / "elevens.toml").read_text(encoding="utf-8")
    assert f"```toml\n{shown}```\n" in text


LINK = re.compile(r"\]\((?!https?://|#)([^)#]+)")


@pytest.mark.parametrize("path", documents(), ids=lambda path: path.name)
def test_links_lead_somewhere(path: Path) -> None:
    for target in LINK.findall(path.read_text(encoding="utf-8")):
        assert (path.parent / target).exists(), target
