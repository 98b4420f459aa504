"""Surveys on a Dask cluster of real processes, which are killed in mid-run."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rules import get_game
from rules.errors import DealproofError
from solver.cli import run
from solver.cli.progress import Watch
from solver.progress import listening
from solver.surveys.cluster import _Lost, _Run, cluster_rows
from solver.surveys.pool import Supply, Task, WorkerError
from solver.surveys.run import Progress, settings_for, survey
from solver.surveys.store import Row, Settings
from solver.version import version
from tests.solver.surveys.test_survey import OPTIONAL, count_rows, expected, optional, timeless

pytest.importorskip("distributed")

ROOT = Path(__file__).parent.parent.parent.parent
DEALS = 60
ENVIRONMENT = {
    "PYTHONPATH": str(ROOT),
    "DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "5s",  # else a lost result is missed for 30 s
}


@pytest.fixture(scope="module")
def settings() -> Settings:
    return settings_for(optional(), f"1-{DEALS}", engine="reference")


@pytest.fixture(scope="module")
def truth(settings: Settings) -> list[tuple[Any, ...]]:
    return expected(settings)


class Cluster:
    """A scheduler on a port of its own, and workers, as processes."""

    def __init__(self, folder: Path, port: int, workers: int) -> None:
        self.folder, self.address = folder, f"tcp://127.0.0.1:{port}"
        quiet = ["--no-dashboard"]
        self.scheduler = self.start(
            "dask_scheduler", "--port", str(port), "--host", "127.0.0.1", *quiet
        )
        self.workers = [
            self.start("dask_worker", self.address, "--nthreads", "1", "--no-nanny", *quiet)
            for _ in range(workers)
        ]

    def start(self, module: str, *words: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, "-m", f"distributed.cli.{module}", *words],
            cwd=self.folder, env=os.environ | ENVIRONMENT,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip

    def kill(self) -> None:
        for process in (self.scheduler, *self.workers):
            process.kill()
            process.wait()


@contextlib.contextmanager
def cluster(folder: Path, port: int, workers: int = 1) -> Iterator[Cluster]:
    made = Cluster(folder, port, workers)
    try:
        yield made
    finally:
        made.kill()


@pytest.fixture(scope="module")
def port() -> int:
    """A free port, on which schedulers may come, go and come again."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


@contextlib.contextmanager
def meanwhile(path: Path, least: int, act: Any) -> Iterator[None]:
    """Do *act* once as soon as the survey in *path* has *least* rows."""
    over = threading.Event()

    def look() -> None:
        while not over.wait(0.02):
            if count_rows(path) >= least:
                act()
                return

    thread = threading.Thread(target=look)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def test_the_same_rows_with_a_worker_killed(
    tmp_path: Path, port: int, settings: Settings, truth: list[tuple[Any, ...]]
) -> None:
    left = 0
    with cluster(tmp_path, port, workers=2) as made:

        def watch(progress: Progress) -> None:
            nonlocal left
            if not left:
                made.workers[0].kill()
                left = progress.total - progress.done

        survey(settings, tmp_path / "far.db", cluster=made.address, watch=watch)
    assert left > 0
    assert timeless(tmp_path / "far.db") == truth


def test_the_scheduler_lost_and_the_same_command_again(
    tmp_path: Path, port: int, truth: list[tuple[Any, ...]],
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    """One clear line, rows kept; the rest on the spot, or on another cluster, which is lost
    too, but comes back while it is waited for."""
    path = tmp_path / "far.db"
    words = ["survey", *OPTIONAL, f"1-{DEALS}", "--engine", "reference", "--json", "-f"]
    monkeypatch.setattr("solver.surveys.cluster.CONNECT", 10.0)
    with monkeypatch.context() as hasty, cluster(tmp_path, port) as made:
        hasty.setattr("solver.surveys.cluster.PATIENCE", 0.0)
        with meanwhile(path, 1, made.kill):
            assert run([*words, str(path), "--cluster", made.address]) == 2
        out, err = capfd.readouterr()
    assert out == ""
    assert len(err.splitlines()) == 1
    assert f"no scheduler answers at {made.address}" in err
    kept = timeless(path)
    assert 0 < len(kept) < DEALS
    assert kept == [row for row in truth if row[0] in {row[0] for row in kept}]

    here = Path(shutil.copy(path, tmp_path / "here.db"))
    assert run([*words, str(here), "-w", "1"]) == 0
    assert capfd.readouterr().err == ""
    assert timeless(here) == truth

    monkeypatch.setattr("solver.surveys.cluster.CONNECT", 10.0)
    again: list[Cluster] = []
    with cluster(tmp_path, port) as second:

        def replace() -> None:
            second.kill()
            again.append(Cluster(tmp_path, port, 1))

        try:
            with meanwhile(path, len(kept) + 1, replace):
                assert run([*words, str(path), "--cluster", second.address]) == 0
        finally:
            for each in again:
                each.kill()
    assert again
    assert capfd.readouterr().err == ""
    assert timeless(path) == truth


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("nonsense", "'nonsense' is no scheduler's address: missing port number"),
        ("ftp://127.0.0.1:8786", "its scheme is none of tcp, tls, ws, wss"),
        ("", "'' is no scheduler's address"),
        ("tcp://[::1", "is no scheduler's address"),
        ("tcp://127.0.0.1:9", "no scheduler answers at tcp://127.0.0.1:9"),
    ],
)
def test_a_wrong_address_is_one_clear_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str],
    address: str, message: str,
) -> None:  # fmt: skip
    monkeypatch.setattr("solver.surveys.cluster.CONNECT", 0.5)
    assert run(["survey", "tens", "1-9", "-f", str(tmp_path / "s.db"), "--cluster", address]) == 2
    out, err = capfd.readouterr()
    assert out == ""
    assert len(err.splitlines()) == 1
    assert message in err


# What a cluster may answer, without one ----------------------------------------------------------


class Ended:
    """A future that has ended."""

    def __init__(self, status: str, value: Any = None) -> None:
        self.status, self.value = status, value

    def result(self) -> Any:
        return self.value

    def exception(self) -> Any:
        return self.value


def answered(size: int, future: Ended) -> tuple[_Run, list[Row]]:
    """The run after *future* answered a task of *size* deals, and the rows that came of it."""
    settings = settings_for(get_game("tens"), f"1-{size}")
    made = _Run(settings, Supply(iter(())))
    made.flying[future] = Task(next(settings.deals.pieces(0, size)))
    return made, [row for rows in made._take(future) for row in rows]


def test_a_deal_that_workers_die_over_is_found_and_named() -> None:
    from distributed.scheduler import KilledWorker

    killed = KilledWorker("task", None, 3)  # type: ignore[arg-type]
    made, rows = answered(3, Ended("error", killed))
    assert rows == []
    assert [(task.chunk.place, task.chunk.size) for task in made.again] == [(0, 1), (1, 1), (2, 1)]
    made, (row,) = answered(1, Ended("error", killed))
    assert (row.deal, row.verdict, row.note) == ("1", "error", "workers died over it")
    assert not made.again
    assert not made.flying


@pytest.mark.parametrize(
    ("error", "kind", "message"),
    [
        (ModuleNotFoundError("No module\nnamed 'solver'"), WorkerError, "No module named 'solver'"),
        (DealproofError("option x"), DealproofError, "option x"),
    ],
)
def test_workers_that_cannot_work_end_the_run(error: Exception, kind: Any, message: str) -> None:
    with pytest.raises(kind, match=message):
        answered(3, Ended("error", error))


def test_workers_of_another_version_are_refused() -> None:
    with pytest.raises(WorkerError, match=rf"has dealproof 0\.0\.9, this is {version()}"):
        answered(2, Ended("finished", ("0.0.9", b"", 0.1)))


class Idle:
    """A scheduler's client: no worker, then one, then the connection is gone."""

    def __init__(self, threads: list[int]) -> None:
        self.threads = threads
        self.submitted = 0

    def nthreads(self) -> dict[str, int]:
        many = self.threads.pop(0)
        return {"worker": many} if many else {}

    def scheduler_info(self) -> dict[str, str]:
        return {"address": "tcp://host:8786"}

    @property
    def status(self) -> str:
        return "running" if self.threads else "closed"

    def submit(self, *_: Any, **__: Any) -> Any:
        self.submitted += 1
        return Waiting()


class Waiting:
    """A future that never ends."""

    def add_done_callback(self, _: Any) -> None: ...


@pytest.mark.parametrize("heard", [True, False])
def test_without_a_worker_it_says_so_once_and_waits(
    heard: bool, caplog: pytest.LogCaptureFixture
) -> None:
    settings = settings_for(get_game("tens"), "1-9")
    run_of = _Run(settings, Supply(settings.deals.pieces(0, 9)))
    watch, idle = Watch(None), Idle([0, 0, 1])
    said: list[str] = []
    with contextlib.ExitStack() as stack:
        if heard:
            stack.enter_context(listening(watch))
            watch.say = said.append  # type: ignore[method-assign]
        with pytest.raises(_Lost):
            list(run_of._work(idle))
    assert idle.submitted
    waiting = "waiting for a worker (dask worker tcp://host:8786)"
    logged = [record.getMessage() for record in caplog.records]
    assert logged == [f"dealproof: {waiting}"]
    assert said == ([waiting, ""] if heard else [])


def test_without_the_library_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(WorkerError, match=r"pip install 'dealproof\[cluster\]'"):
        list(cluster_rows(settings_for(get_game("tens"), "1-2"), [], "127.0.0.1:9"))
