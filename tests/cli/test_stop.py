"""Ctrl-C at any moment: one line, exit code 130, no process left, finished work kept."""

from __future__ import annotations

import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from solver.surveys.store import Store
from tests.cli.conftest import COMMAND, ROOT, environment

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals are POSIX's")

LONG = {
    "solve": "solve block-ten 1-1000000000",
    "solve-one": "solve single-left 589 --engine reference --timeout none",
    "rate": "rate single-left 1-1000000",
    "hint": "hint single-left 589 --engine reference --timeout none",
    "explain": "explain single-left 589 --engine reference --timeout none --budget none",
    "graph": "graph single-left 589 --limit 10000000",
    "bench": "bench single-left 1-10000 --engine reference --timeout none",
    "find": "find single-left --unwinnable --positions-at-least 999999999 --timeout none",
    "survey": "survey single-left 1-1000000 --file {folder}/s.db -w 2",
}
"""Commands that would take hours."""


def start(*command: str, out: int = subprocess.DEVNULL) -> subprocess.Popen[bytes]:
    """A process in a group of its own, as on a terminal, that heeds SIGINT."""
    return subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.PIPE, cwd=ROOT,
        env=environment(), start_new_session=True, bufsize=0,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )  # fmt: skip


def running(group: int) -> list[int]:
    """The processes of a group that are not merely waiting to be reaped."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, of = entry.read_text().rpartition(")")[2].split()[:3]
        except OSError:  # it has just ended
            continue
        if int(of) == group and state not in "ZX":
            found.append(int(entry.parent.name))
    return found


def interrupt(process: subprocess.Popen[bytes]) -> str:
    """Ctrl-C, as a terminal sends it: to the whole group. What is said besides *interrupted*."""
    os.killpg(process.pid, signal.SIGINT)
    err = process.communicate(timeout=120)[1].decode()
    assert process.returncode == 130
    said = re.fullmatch("dealproof: interrupted(; .+)?\n", err)
    assert said, err
    while running(process.pid):  # a tracker of multiprocessing's ends a moment after us
        time.sleep(0.01)
    return (said[1] or "").removeprefix("; ")


# A process says when our first line is about to run: what comes before that is Python's.
BEGIN = "from solver.cli import main; import os; os.write(1, b'.'); main({})"


@pytest.mark.parametrize("name", LONG)
def test_at_many_moments(name: str, tmp_path: Path) -> None:
    words = LONG[name].format(folder=tmp_path).split()
    some = (0.03, 0.3, 0.9)
    for delay in (0.002, 0.01, *some, 0.06, 0.1, 0.15, 0.2, 0.5) if name == "solve" else some:
        process = start(sys.executable, "-c", BEGIN.format(words), out=subprocess.PIPE)
        assert process.stdout is not None
        assert process.stdout.read(1) == b"."
        time.sleep(delay)
        interrupt(process)


@pytest.mark.skipif(not Path("/proc").exists(), reason="finds workers in /proc")
def test_a_survey_at_work_keeps_its_rows(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    process = start(*COMMAND, *f"survey block-ten 1-1000000000 -w 2 --file {path}".split())
    while not rows(path):
        assert process.poll() is None
        time.sleep(0.05)
    said = interrupt(process)
    with Store.read(path) as store:
        done = sum(store.counts().values())
    assert done > 0
    assert said == (
        f"{done:,} of 1,000,000,000 deals are in {path}; the same command goes on from there"
    )
    assert [entry.name for entry in tmp_path.iterdir()] == ["s.db"]


def rows(path: Path) -> int:
    """The rows that are in a survey's file by now."""
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
            return int(connection.execute("SELECT COUNT(*) FROM deals").fetchone()[0])
    except sqlite3.Error:
        return 0


SWALLOWED = """
import os, signal, sys, time
import solver.cli

class Late:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGINT)
        for _ in range(1000): pass

def dispatch(argv):
    if argv == ["turned"]:
        try:
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(9)
        except KeyboardInterrupt as error:
            raise RuntimeError("made of it by a library") from error
    if argv == ["exec"]:
        exec("os.kill(os.getpid(), signal.SIGINT)\\ntime.sleep(9)")
    Late()
    time.sleep(100)
    return 0

solver.cli._dispatch = dispatch
solver.cli.main(sys.argv[1:])
"""


@pytest.mark.parametrize("how", ["swallowed", "turned", "exec"])
def test_where_python_or_a_library_would_lose_it(how: str) -> None:
    process = start(sys.executable, "-c", SWALLOWED, how)
    assert process.communicate(timeout=120)[1] == b"dealproof: interrupted\n"
    assert process.returncode == 130


def test_what_was_written_before_stays_and_half_a_file_goes(tmp_path: Path) -> None:
    old = tmp_path / "old.json"
    old.write_text("old")
    for words in (
        f"solve block-ten 1-1000000000 --json --output {old}",
        f"explain single-left 589 --engine reference --timeout none --html {old}",
        f"bench single-left 1-100000 --engine reference --timeout none --output {old}",
    ):
        process = start(*COMMAND, *words.split())
        while not list(tmp_path.glob(".old.json.*.part")):
            assert process.poll() is None
            time.sleep(0.01)
        interrupt(process)
        assert [path.name for path in tmp_path.iterdir()] == ["old.json"]
        assert old.read_text() == "old"
