"""Worker processes for a survey: they may die, be interrupted or be slow; the run goes on.

Each worker has a pipe of its own and holds at most two chunks, so what a death can touch is
known. A worker sends rows as they come. If it dies over a chunk that is being solved deal by
deal, the deal at hand gets an ``error`` row and the rest goes to another worker; a chunk
that was solved as a batch is first tried again deal by deal, to find the one to blame.

Workers are started with *spawn* (the one way that works everywhere and inherits nothing),
do not see Ctrl-C (their parent does, and kills them), and end by themselves when their
parent is gone, even in the middle of a deal.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
import time
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from typing import Any, Final

from rules.errors import DealproofError
from solver.kernels.batch import Chunk
from solver.surveys.rows import error_row, pack, rows_of, unpack, warm_up
from solver.surveys.store import Row, Settings

AHEAD: Final = 2  # chunks that a worker holds
AIM: Final = 0.3  # seconds that a chunk should take
MOST: Final = 20_000
STARTS: Final = 5  # workers that may die in a row before they are ready


class WorkerError(DealproofError):
    """The workers cannot do their work at all."""


@dataclass(frozen=True, slots=True)
class Task:
    """A chunk to do. ``alone``: deal by deal, so that a death is one deal's."""

    chunk: Chunk
    alone: bool = False


def cores() -> int:
    """The cores that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


class Pool:
    """*workers* processes that turn chunks into rows.

    ``rows(chunks)`` gives lists of rows in no fixed order, every deal once. Use it as a
    context manager: on the way out, for whatever reason, no process is left.
    """

    def __init__(self, settings: Settings, workers: int, memory: int | None) -> None:
        self.settings, self.memory = settings, memory
        self.size = workers
        self.workers: list[_Worker] = []
        self.early_deaths = 0
        self.per_deal: float | None = None  # seconds, smoothed

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, *exc: object) -> None:
        for worker in self.workers:
            worker.kill()
        self.workers.clear()

    def rows(self, gaps: Iterator[Chunk]) -> Iterator[list[Row]]:
        """The rows of all deals of *gaps* (chunks of any size, cut up here as needed)."""
        again: deque[Task] = deque()
        supply = Supply(gaps)
        while True:
            while len(self.workers) < self.size and (again or supply.any):
                self.workers.append(_Worker(self.settings, self.memory))
            for held in range(AHEAD):
                for worker in self.workers:
                    if len(worker.tasks) == held and (again or supply.any):
                        worker.give(again.popleft() if again else Task(supply.take(self._size())))
            busy = [worker for worker in self.workers if worker.tasks]
            if not busy:
                return
            for connection in wait([worker.connection for worker in busy], timeout=1.0):
                worker = next(each for each in busy if each.connection is connection)
                rows = worker.receive()
                if rows is None:
                    self.workers.remove(worker)
                    lost = self._take_over(worker, again)
                    if lost:
                        yield lost
                elif rows:
                    self._learn(worker, rows)
                    yield rows

    def _size(self) -> int:
        """Deals in the next chunk, by what deals have taken so far."""
        if self.per_deal is None:
            return 1
        return max(1, min(MOST, int(AIM / max(self.per_deal, 1e-9))))

    def _learn(self, worker: _Worker, rows: list[Row]) -> None:
        now = time.perf_counter()
        taken = (now - worker.since) / len(rows)
        worker.since = now
        self.early_deaths = 0
        if self.per_deal is None:
            self.per_deal = max(taken, 0.01)  # the first one includes the start
        else:
            self.per_deal += (taken - self.per_deal) * min(0.5, 0.02 * len(rows))

    def _take_over(self, worker: _Worker, again: deque[Task]) -> list[Row]:
        """Take over the tasks of a dead worker; the rows of deals that it took with it."""
        code = worker.kill()
        tasks = list(worker.tasks)
        if not worker.ready:
            self.early_deaths += 1
            if self.early_deaths >= STARTS:
                raise WorkerError(f"worker processes end before they start work (exit code {code})")
            again.extendleft(reversed(tasks))
            return []
        if not tasks:
            return []
        head, lost = tasks[0], list[Row]()
        left = head.chunk
        if head.alone or left.size == 1 or worker.singly:
            lost = [error_row(left.place, left.name(0), f"its worker died (exit code {code})")]
            _, left = left.split(1)
        if left.size:
            tasks[0] = Task(left, alone=True)
        else:
            del tasks[0]
        again.extendleft(reversed(tasks))
        return lost


class Supply:
    """Chunks of the wanted size, cut from chunks of any size."""

    def __init__(self, chunks: Iterator[Chunk]) -> None:
        self.chunks = chunks
        self.head = next(chunks, None)

    @property
    def any(self) -> bool:
        return self.head is not None

    def take(self, size: int) -> Chunk:
        head = self.head
        assert head is not None
        if size < head.size:
            taken, self.head = head.split(size)
            return taken
        self.head = next(self.chunks, None)
        return head


@dataclass(slots=True)
class _Worker:
    """A process, its pipe, and the tasks it holds (the first one is at work).

    ``singly``: rows of the task at work have come one at a time, so it is not a batch.
    """

    settings: Settings
    memory: int | None
    process: Any = None
    connection: Any = None
    tasks: deque[Task] = field(default_factory=deque)
    ready: bool = False
    singly: bool = False
    since: float = 0.0

    def __post_init__(self) -> None:
        context = multiprocessing.get_context("spawn")
        self.connection, theirs = context.Pipe()
        self.process = context.Process(
            target=_serve, args=(theirs, self.settings, self.memory), daemon=True
        )
        with _interrupts_held_back():
            self.process.start()
        theirs.close()

    def give(self, task: Task) -> None:
        if not self.tasks:
            self.since = time.perf_counter()
        self.tasks.append(task)
        with contextlib.suppress(OSError):  # a dead worker is found out when we listen
            self.connection.send(task)

    def receive(self) -> list[Row] | None:
        """Rows that came in (maybe none), or None if the worker is dead."""
        try:
            message = self.connection.recv()
        except (EOFError, OSError):
            return None
        if isinstance(message, DealproofError):
            raise message
        if message is None:
            self.ready = True
            return []
        packed, self.singly = message
        rows = unpack(packed)
        head = self.tasks[0]
        _, left = head.chunk.split(len(rows))
        if left.size:
            self.tasks[0] = Task(left, head.alone)
        else:
            self.tasks.popleft()
            self.singly = False
        return rows

    def kill(self) -> int | None:
        """End the process now; its exit code."""
        self.process.kill()
        self.process.join()
        code: int | None = self.process.exitcode
        self.connection.close()
        self.process.close()
        return code


@contextlib.contextmanager
def _interrupts_held_back() -> Iterator[None]:
    """Start a process that will not see Ctrl-C; ours is held back for that moment."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # started later, it would let go of what is held back
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _serve(connection: Connection, settings: Settings, memory: int | None) -> None:
    """The life of a worker: take tasks, send rows, until the pipe closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_die_with_parent, daemon=True).start()
    try:
        warm_up(settings)
        connection.send(None)
        while True:
            task: Task = connection.recv()
            for rows in rows_of(settings, task.chunk, memory, alone=task.alone):
                connection.send((pack(rows), len(rows) == 1))
    except (EOFError, OSError):
        return
    except DealproofError as error:
        with contextlib.suppress(OSError):
            connection.send(error)


def _die_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)
