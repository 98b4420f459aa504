"""Processes, pipes, signals, encodings: what happens around the results."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from rules.decks import Deck
from tests.cli.conftest import COMMAND, ROOT, Here, Run, environment, refused

posix_only = pytest.mark.skipif(os.name != "posix", reason="signals and /dev are POSIX's")


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "latin-1", "cp437"])
def test_plain_letters_where_the_encoding_lacks_symbols(dealproof: Run, encoding: str) -> None:
    for words in (("explain", "block-ten", "5"), ("rules", "single-left")):
        done = dealproof(*words, PYTHONIOENCODING=encoding)
        text = done.stdout.decode(encoding)
        assert done.stderr == b""
        assert not set(text) & set("♣♦♥♠╭├·…\\")
        if encoding != "cp437":  # it has box characters
            assert text.isascii()
    board = dealproof("explain", "block-ten", "5", PYTHONIOENCODING=encoding).stdout
    assert "|3C| |8C| |3H| |TD| |QS|" in board.decode(encoding)


def test_symbols_where_the_encoding_has_them(dealproof: Run) -> None:
    for encoding in ("utf-8", "utf-16"):
        done = dealproof("deal", "block-ten", "1", PYTHONIOENCODING=encoding)
        assert "│Q♠│ │Q♦│" in done.stdout.decode(encoding)


def test_no_terminal_no_colours_no_trailing_blanks(dealproof: Run) -> None:
    for words in (("games",), ("explain", "block-ten", "5"), ("deal", "single-left", "4")):
        text = dealproof(*words).stdout.decode()
        assert "\x1b" not in text
        assert not [row for row in text.splitlines() if row != row.rstrip()]
        assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize("width", [40, 60])
@pytest.mark.parametrize(
    "words",
    ["games", "rules tens", "deal single-left 4", "deal tens 1", "explain decade 1",
     "explain block-ten 5", "solve decade 1", "deal decade-seven 3"],
)  # fmt: skip
def test_narrow_terminals(
    here: Here, monkeypatch: pytest.MonkeyPatch, width: int, words: str
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    _, text = here(*words.split())
    assert max(map(len, text.splitlines())) <= width


def test_rows_of_a_batch_are_never_wrapped(here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    rows = here("solve", "decade", "1-3")[1].splitlines()
    assert len(rows) == 4
    verdicts = ["unwinnable", "unwinnable", "winnable"]
    assert [row.split()[:2] for row in rows[:3]] == [
        list(pair) for pair in zip("123", verdicts, strict=True)
    ]


def on_a_terminal(*words: str, **changes: str) -> str:
    """What the command prints on a (pseudo) terminal."""
    import pty

    leader, follower = pty.openpty()
    process = subprocess.Popen(
        [*COMMAND, *words], stdout=follower, stderr=follower, stdin=subprocess.DEVNULL,
        cwd=ROOT, env=environment(TERM="xterm-256color", COLUMNS="80") | changes,
    )  # fmt: skip
    os.close(follower)
    found = b""
    while True:
        try:
            part = os.read(leader, 65536)
        except OSError:
            break
        if not part:
            break
        found += part
    os.close(leader)
    process.wait(timeout=60)
    return found.decode()


@posix_only
def test_colours_on_a_terminal_unless_unwanted() -> None:
    words = ("solve", "block-ten", "1")
    assert "\x1b[1;31munwinnable" in on_a_terminal(*words)
    assert "\x1b" not in on_a_terminal(*words, "--no-color")
    assert "\x1b" not in on_a_terminal(*words, TERM="dumb")
    assert "\x1b[1;31m" not in on_a_terminal(*words, NO_COLOR="1")


@posix_only
def test_json_is_json_and_nothing_else_on_a_terminal() -> None:
    rows = on_a_terminal("solve", "tens", "1-3", "--json").splitlines()
    assert [json.loads(row)["deal"] for row in rows] == ["1", "2", "3"]


@posix_only
@pytest.mark.parametrize("words", [("solve", "block-ten", "1-1000000000"), ("games",)])
def test_a_closed_pipe_ends_quietly(words: tuple[str, ...]) -> None:
    process = subprocess.Popen(
        [*COMMAND, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(),
        cwd=ROOT,
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.read(1)
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait(timeout=60) in (0, 141)  # all may have been written by then


@posix_only
def test_an_interrupt_is_one_line_and_130_and_keeps_what_is_done(tmp_path: Path) -> None:
    old = tmp_path / "old.json"
    old.write_text("old")
    for more in ([], ["--output", str(old)]):
        process = subprocess.Popen(
            [*COMMAND, "solve", "block-ten", "1-1000000000", "--json", *more],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT, env=environment(), bufsize=0,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )  # fmt: skip
        assert process.stdout is not None
        if more:
            while not list(tmp_path.glob("*.part")) and process.poll() is None:
                time.sleep(0.01)
        else:
            first = process.stdout.readline()
            assert json.loads(first)["deal"] == "1"
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        said = err.decode().splitlines()
        assert len(said) == 1
        assert said[0].startswith("dealproof: interrupted; ")
        assert " of 1,000,000,000 are done" in said[0]
        assert said[0].endswith(f"; {old} is as it was") == bool(more)
        assert process.returncode == 130
        if not more:
            assert all(json.loads(row)["verdict"] for row in out.splitlines())
    assert [path.name for path in tmp_path.iterdir()] == ["old.json"]
    assert old.read_text() == "old"


def test_output_is_moved_into_place(dealproof: Run, tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    path.write_text("old")
    path.chmod(0o640)
    done = dealproof("solve", "tens", "1-3", "--json", "--output", str(path))
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert len(path.read_text().splitlines()) == 3
    assert [entry.name for entry in tmp_path.iterdir()] == ["result.json"]
    if os.name == "posix":
        assert path.stat().st_mode & 0o777 == 0o640


@posix_only
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_one_clear_line() -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [*COMMAND, "games"], stdout=full, stderr=subprocess.PIPE, env=environment(), cwd=ROOT,
            timeout=60,
        )  # fmt: skip
    assert done.stderr == b"dealproof: no space left on device\n"
    assert done.returncode == 2


@posix_only
@pytest.mark.parametrize(
    ("redirect", "words", "code", "out", "err"),
    [
        (">&-", "games", 0, b"", b""),
        ("2>&-", "solve tens x", 2, b"", b""),
        ("<&-", "solve tens -", 2, b"", b"dealproof: stdin: no deck in it\n"),
    ],
)
def test_closed_streams(redirect: str, words: str, code: int, out: bytes, err: bytes) -> None:
    done = subprocess.run(
        ["sh", "-c", f'"$@" {words} {redirect}', "sh", *COMMAND],
        capture_output=True, cwd=ROOT, env=environment(), timeout=60,
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (code, out, err)


def test_home_unset_and_another_directory(dealproof: Run, tmp_path: Path) -> None:
    done = dealproof("solve", "tens", "1", cwd=tmp_path, HOME="")
    assert done.returncode == 1
    assert done.stderr == b""


def test_decks_on_stdin_and_in_files(dealproof: Run, tmp_path: Path) -> None:
    pretty = " ".join(card.pretty for card in Deck.numbered(50))
    done = dealproof("solve", "block-ten", "-", "--json", stdin=f"{pretty}\r\n".encode("utf-16"))
    record = json.loads(done.stdout)
    assert (done.returncode, record["verdict"], record["source"]) == (0, "winnable", "stdin:1")
    path = tmp_path / "bad.txt"
    path.write_text(f"# one\n{Deck.numbered(1)}\n5H 5H\n")
    said = refused(dealproof("solve", "block-ten", str(path)))
    assert said == f"{path}:3:4: card 2 (5H) repeats card 1"
    assert refused(dealproof("solve", "block-ten", str(tmp_path))) == f"{tmp_path}: is a directory"


def test_a_recognised_shape_is_said_on_stderr_only(dealproof: Run) -> None:
    values = (ROOT / "fixtures/uva246.in").read_bytes()
    done = dealproof("solve", "ten-twenty-thirty", "-", "--json", stdin=values)
    assert done.stderr == b"dealproof: stdin: read as lists of values (suits made up)\n"
    assert [json.loads(row)["source"] for row in done.stdout.splitlines()] == [
        "stdin:1", "stdin:3", "stdin:5",
    ]  # fmt: skip


@posix_only
def test_completion_in_bash(dealproof: Run) -> None:
    done = dealproof(
        _DEALPROOF_COMPLETE="complete_bash", COMP_WORDS="dealproof solve sing", COMP_CWORD="2"
    )
    assert done.stdout.decode().split() == ["single-left", "single-left-next"]
