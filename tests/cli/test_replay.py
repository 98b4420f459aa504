"""``replay``: frames as text, and stepping in a terminal."""

from __future__ import annotations

import os
import re
import subprocess
import time

import pytest

from tests.cli.conftest import COMMAND, ROOT, Run, environment, refused

TENS = ("replay", "tens", "3", "--engine", "reference")


def test_without_a_terminal_every_table_is_printed(dealproof: Run) -> None:
    done = dealproof(*TENS)
    text = done.stdout.decode()
    assert done.returncode == 0
    assert done.stderr == b""
    assert "\x1b" not in text
    numbers = re.findall(r"^(\d+)/22  ", text, re.M)
    assert numbers == [str(n) for n in range(23)]
    assert text.count("Won in") == 1


def test_one_frame_is_printed_by_its_number(dealproof: Run) -> None:
    text = dealproof(*TENS, "--frame", "end").stdout.decode()
    assert text == dealproof(*TENS, "--frame", "22").stdout.decode()
    assert text.startswith("Tens, deal 3: Won in 22 moves.\n")
    assert text.endswith("\n22/22  Q♥+Q♦+Q♣+Q♠\n")
    assert "0/22  the deal" in dealproof(*TENS, "--frame", "0").stdout.decode()
    message = "--frame: '23' is not a number from 0 to 22 (or end)"
    assert refused(dealproof(*TENS, "--frame", "23")) == message


def test_exit_codes_are_those_of_solve(dealproof: Run) -> None:
    assert dealproof("replay", "block-ten", "1", "--engine", "reference").returncode == 1
    limited = ("--max-positions", "10", "--engine", "reference", "--frame", "0")
    assert dealproof("replay", "single-left", "1", *limited).returncode == 3


def test_a_line_of_ones_own(dealproof: Run) -> None:
    done = dealproof("replay", "block-ten", "1", "AC+9D")
    text = done.stdout.decode()
    assert done.returncode == 0
    assert text.startswith("Block Ten, deal 1: 1 move: 50 cards left.\n")
    assert "1/1  A♣+9♦=8♥,5♠" in text
    wrong = refused(dealproof("replay", "block-ten", "1", "AC+9D AC+9D"))
    assert wrong == "move 2 (AC+9D): AC is gone"


@pytest.mark.parametrize("width", [40, 80])
def test_narrow_and_plain(dealproof: Run, width: int) -> None:
    for words in (TENS, ("replay", "decade", "1", "--engine", "reference")):
        done = dealproof(*words, COLUMNS=str(width), NO_COLOR="1", PYTHONIOENCODING="ascii")
        lines = done.stdout.decode("ascii").splitlines()
        assert max(map(len, lines)) <= width


@pytest.mark.skipif(os.name != "posix", reason="needs a pseudo-terminal")
@pytest.mark.parametrize("extra", [{}, {"NO_COLOR": "1"}])
def test_keys_step_in_a_terminal(extra: dict[str, str]) -> None:
    import pty

    leader, follower = pty.openpty()
    process = subprocess.Popen(
        [*COMMAND, *TENS],
        stdin=follower, stdout=follower, stderr=follower, cwd=ROOT,
        env=environment(TERM="xterm", COLUMNS="60", LINES="30", **extra),
    )  # fmt: skip
    os.close(follower)
    seen = b""

    def expect(text: str) -> None:
        nonlocal seen
        until = time.monotonic() + 60
        while text not in re.sub(r"\x1b\[[\d;?]*[a-zA-Z]", "", seen.decode(errors="replace")):
            assert time.monotonic() < until, seen
            seen += os.read(leader, 65536)
        seen = b""

    try:
        expect("0/22  the deal")
        os.write(leader, b"\x1b[C")
        expect("1/22  ")
        os.write(leader, b"\x1b[F")
        expect("22/22  Q♥+Q♦+Q♣+Q♠")
        os.write(leader, b"\x1b[H++ ")
        expect("5/22  ")
        os.write(leader, b"q")
        while True:  # what is left to read, until the terminal is closed
            try:
                if not os.read(leader, 65536):
                    break
            except OSError:
                break
        assert process.wait(timeout=60) == 0
    finally:
        process.kill()
        process.wait()
        os.close(leader)
