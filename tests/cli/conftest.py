"""The command run as a user runs it: a process with arguments, stdin, an environment.

A process takes a third of a second, so equal runs are made once.
"""

from __future__ import annotations

import functools
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from solver.cli import run

ROOT = Path(__file__).parents[2]
Run = Callable[..., subprocess.CompletedProcess[bytes]]
COMMAND = [sys.executable, "-m", "solver.cli"]


def environment(**changes: str) -> dict[str, str]:
    """A plain environment: no colours asked for, no width, UTF-8 out."""
    kept = {k: v for k, v in os.environ.items() if k not in {"NO_COLOR", "COLUMNS", "TERM"}}
    return {**kept, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8", **changes}


@functools.cache
def run_command(
    *words: str, stdin: bytes | None = None, cwd: Path | None = None, **changes: str
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [*COMMAND, *words],
        input=stdin if stdin is not None else b"",
        capture_output=True,
        timeout=300,
        cwd=cwd or ROOT,
        env=environment(**changes),
    )


@pytest.fixture(scope="session")
def dealproof() -> Run:
    """``dealproof("solve", "block-ten", "1", stdin=b"", NO_COLOR="1")``."""
    return run_command


def refused(done: subprocess.CompletedProcess[bytes]) -> str:
    """The one line that a refusal prints on stderr; nothing on stdout, exit code 2."""
    assert done.returncode == 2, done
    assert done.stdout == b""
    lines = done.stderr.decode().splitlines()
    assert len(lines) == 1, lines
    assert lines[0].startswith("dealproof: ")
    return lines[0].removeprefix("dealproof: ")


Here = Callable[..., tuple[int, str]]


@pytest.fixture
def here(capfd: pytest.CaptureFixture[str]) -> Here:
    """Run words in this process: the exit code and what is on stdout; stderr stays empty.

    For what needs no process of its own; numba and the rest are then loaded once.
    """

    def go(*words: str) -> tuple[int, str]:
        code = run(words)
        out, err = capfd.readouterr()
        assert err == ""
        return code, out

    return go
