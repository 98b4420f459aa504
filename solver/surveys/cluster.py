"""A survey's work sent to a Dask cluster: the same rows from many machines.

The machines' workers need this version of dealproof; one thread a worker is best. Dask
gives a lost worker's chunks to others by itself. A chunk that took several workers with it
is tried again deal by deal, and a deal that does so alone gets an ``error`` row. Without a
worker it says so and waits for one. If the
scheduler is lost, it is waited for; if it stays away, the run ends with all rows kept.
Every deal may use the whole ``memory`` of the settings, wherever it is solved.
"""

from __future__ import annotations

import contextlib
import logging
import queue
import sys
import time
from collections import deque
from collections.abc import Generator, Iterator
from concurrent.futures import CancelledError
from typing import Any, Final

from rules.errors import DealproofError
from solver.kernels.batch import Chunk
from solver.progress import say
from solver.surveys.pool import AIM, MOST, Supply, Task, WorkerError
from solver.surveys.rows import error_row, pack, rows_of, unpack
from solver.surveys.store import Row, Settings
from solver.version import version

PATIENCE: Final = 60.0  # seconds that a lost scheduler is waited for
CONNECT: Final = 10.0  # seconds to wait for the scheduler's answer
_EACH: Final = 3  # chunks in flight for each thread of the cluster
_SCHEMES: Final = ("tcp", "tls", "ws", "wss")


class _Lost(Exception):
    """The scheduler does not answer."""


def all_rows(settings: Settings, task: Task) -> tuple[str, bytes, float]:
    """What a worker of the cluster does: its version, all rows of a chunk, and its seconds."""
    start = time.perf_counter()
    rows = [row for part in rows_of(settings, task.chunk, settings.memory) for row in part]
    return version(), pack(rows), time.perf_counter() - start


def cluster_rows(
    settings: Settings, chunks: list[Chunk], address: str, patience: float | None = None
) -> Generator[list[Row], None, None]:
    """The rows of all deals of *chunks* from the cluster whose scheduler is at *address*.

    *patience*: seconds that a scheduler which was there before is waited for (`PATIENCE`).
    Raises `WorkerError` if *address* is none, or if the scheduler cannot be reached, at
    first or any more.
    """
    try:
        import distributed  # noqa: F401
    except ImportError:
        raise WorkerError(
            "--cluster needs the library distributed: pip install 'dealproof[cluster]'"
        ) from None
    _must_be_address(address)
    patience = PATIENCE if patience is None else patience
    run = _Run(settings, Supply(iter(chunks)))
    since = time.monotonic()
    met = False
    with _quiet():
        while True:
            try:
                for rows in run.session(address):
                    since, met = time.monotonic(), True
                    yield rows
                return
            except _Lost as lost:
                if not met or time.monotonic() - since > patience:
                    raise WorkerError(f"no scheduler answers at {address} ({lost})") from None
                time.sleep(1.0)


def _must_be_address(address: str) -> None:
    """Raise `WorkerError` for what `Client` would only choke on (and keep a thread over)."""
    from distributed.comm.addressing import resolve_address

    scheme, _, _ = address.rpartition("://")
    try:
        if scheme and scheme not in _SCHEMES:
            raise ValueError(f"its scheme is none of {', '.join(_SCHEMES)}")
        resolve_address(address)
    except (ValueError, OSError) as error:
        why = getattr(error, "strerror", None) or error
        raise WorkerError(f"{address!r} is no scheduler's address: {why}") from None


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Keep the library's log messages to itself: what matters comes out as an exception."""
    names = [name for name in logging.root.manager.loggerDict if name.startswith("distributed")]
    loggers = [logger for logger in map(logging.getLogger, names) if not logger.disabled]
    for logger in loggers:
        logger.disabled = True
    try:
        yield
    finally:
        for logger in loggers:
            logger.disabled = False


class _Run:
    """What is left to do, over any number of sessions with a scheduler."""

    def __init__(self, settings: Settings, supply: Supply) -> None:
        self.settings, self.supply = settings, supply
        self.again: deque[Task] = deque()
        self.per_deal: float | None = None
        self.flying: dict[Any, Task] = {}
        self.manned = True

    def session(self, address: str) -> Iterator[list[Row]]:
        """Work with one connection until all is done; raises `_Lost`."""
        from distributed import Client

        try:
            client: Any = Client(address, timeout=CONNECT, set_as_default=False)  # type: ignore[no-untyped-call]
        except (OSError, ValueError, TypeError) as error:
            raise _Lost(str(error).splitlines()[0][:200]) from None
        try:
            yield from self._work(client)
        except (OSError, TimeoutError, CancelledError) as error:
            raise _Lost(f"connection lost: {error}".splitlines()[0][:200]) from None
        finally:
            self.again.extend(self.flying.values())
            self.flying.clear()
            with contextlib.suppress(Exception):
                client.close(timeout=1)

    def _work(self, client: Any) -> Iterator[list[Row]]:
        ended: queue.SimpleQueue[Any] = queue.SimpleQueue()
        waited = 0
        while True:
            threads = sum(client.nthreads().values())
            self._tell_of_workers(threads, client.scheduler_info()["address"])
            room = _EACH * max(1, threads) if not waited else 0
            while len(self.flying) < room and (self.again or self.supply.any):
                task = self.again.popleft() if self.again else Task(self.supply.take(self._size()))
                future = client.submit(all_rows, self.settings, task, pure=False)
                self.flying[future] = task
                future.add_done_callback(ended.put)
            if not self.flying:
                return
            try:
                future = ended.get(timeout=1.0)
            except queue.Empty:
                waited += 1
                if client.status != "running":
                    raise _Lost("connection lost") from None
                continue
            waited = 0
            yield from self._take(future)

    def _tell_of_workers(self, threads: int, address: str) -> None:
        """Say that there is none to do the work, once, and that it is waited for."""
        if bool(threads) == self.manned:
            return
        self.manned = bool(threads)
        text = f"waiting for a worker (dask worker {address})"
        seen = say("" if threads else text) and sys.stderr.isatty()
        if not threads and not seen:  # nobody looks on: a line that stays
            logging.getLogger("dealproof").warning("dealproof: %s", text)

    def _take(self, future: Any) -> Iterator[list[Row]]:
        """The rows of a task that ended, one way or another."""
        from distributed.scheduler import KilledWorker

        task = self.flying[future]  # until it is done: what flies is taken up again
        if future.status == "finished":
            theirs, packed, seconds = future.result()
            if theirs != version():
                raise WorkerError(
                    f"a worker of the cluster has dealproof {theirs}, this is {version()}"
                )
            rows = unpack(packed)
            del self.flying[future]
            self._learn(seconds / max(1, len(rows)))
            yield rows
            return
        if future.status != "error":  # cancelled or lost, with its scheduler
            raise _Lost("connection lost")
        error = future.exception()
        if isinstance(error, DealproofError):
            raise error
        if not isinstance(error, KilledWorker):
            what = " ".join(f"{type(error).__name__}: {error}".split())[:200]
            raise WorkerError(f"a worker of the cluster failed: {what}")
        del self.flying[future]
        if task.chunk.size == 1:
            yield [error_row(task.chunk.place, task.chunk.name(0), "workers died over it")]
            return
        rest = task.chunk
        while rest.size:
            one, rest = rest.split(1)
            self.again.append(Task(one, alone=True))

    def _size(self) -> int:
        if self.per_deal is None:
            return 1
        return max(1, min(MOST, int(3 * AIM / max(self.per_deal, 1e-9))))

    def _learn(self, taken: float) -> None:
        before = self.per_deal
        self.per_deal = max(taken, 0.01) if before is None else before + 0.3 * (taken - before)
