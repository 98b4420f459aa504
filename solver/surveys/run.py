"""`survey`: the verdicts of many deals, in a file that survives whatever happens.

The same command started again goes on where it stopped. What ends up in the file depends on
the settings alone: not on the number of workers, their order, their deaths (but for the deal
that a worker died over) or on interruptions. A deal that hits its worker's share of the
memory is put aside and solved at the end by one worker that has all of it, so that not even
limits depend on how many workers there are.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from rules.game import Game
from rules.registry import get_game
from solver import reductions as _reductions
from solver.kernels.batch import Chunk
from solver.surveys.pool import Pool, WorkerError, cores
from solver.surveys.store import ERROR, Deals, Row, RowVerdict, Settings, Store, StoreError
from solver.verdict import DEFAULT_LIMITS, Limits

BATCH_ROWS: Final = 5_000
BATCH_SECONDS: Final = 0.5
HOPELESS: Final = 20
"""Deals that may fail before the first one that does not: then something else is wrong."""


@dataclass
class Progress:
    """How far a survey is. ``found``: verdicts in the file; ``fresh``: of this run."""

    total: int
    found: dict[RowVerdict, int]
    fresh: int = 0
    started: float = field(default_factory=time.perf_counter, repr=False)

    @property
    def done(self) -> int:
        return sum(self.found.values())

    @property
    def rate(self) -> float:
        """Deals a second in this run."""
        return self.fresh / max(1e-9, time.perf_counter() - self.started)


def settings_for(
    game: str | Game,
    deals: str | Deals,
    *,
    limits: Limits = DEFAULT_LIMITS,
    engine: str = "auto",
    reductions: str = "all",
) -> Settings:
    """The settings of a survey of *game* (a name or a `Game`) over *deals* (a text or `Deals`).

    >>> settings = settings_for("block-ten", "1-1000,ms:617")
    >>> str(settings.deals), len(settings.deals)
    ('1-1000,ms:617', 1001)
    """
    game = get_game(game) if isinstance(game, str) else game
    names = _reductions.select(game, reductions)
    if isinstance(deals, str):
        deals = Deals.parse(deals, game.ranks, game.packs)
    return Settings.of(game, deals, limits, engine, names)


def survey(
    settings: Settings,
    path: str | Path,
    *,
    workers: int | None = None,
    cluster: str | None = None,
    retry: bool = False,
    watch: Callable[[Progress], None] | None = None,
) -> Progress:
    """Run or go on with a survey in the file *path* until every deal has its row.

    *workers*: processes, by default the cores that this process may use. *cluster*: the
    address of a Dask scheduler to send the work to instead. *retry*: solve deals with an
    ``error`` row again. *watch* is told of progress.

    Raises `solver.surveys.store.StoreError` if the file is not for this survey or cannot be written
    to. On any exception, Ctrl-C included, rows that are in are kept and no worker is left.

    >>> from tempfile import TemporaryDirectory
    >>> from dealproof import read_survey
    >>> with TemporaryDirectory() as folder:
    ...     done = survey(settings_for("block-ten", "1-100"), f"{folder}/survey.db", workers=1)
    ...     summary = read_survey(f"{folder}/survey.db")
    >>> done.found["unwinnable"], done.found["winnable"], summary.winnability.share
    (98, 2, 0.02)
    """
    settings.make_game()
    with Store.create_or_resume(Path(path), settings) as store:
        if retry:
            store.forget_errors()
        progress = Progress(len(settings.deals), store.counts())
        todo = [piece for gap in store.gaps() for piece in settings.deals.pieces(*gap)]
        if cluster is not None:
            from solver.surveys.cluster import cluster_rows

            source = cluster_rows(settings, todo, cluster)
        else:
            source = local_rows(settings, todo, workers or cores())
        with _Writer(store, progress, watch) as writer:
            try:
                for rows in source:
                    writer.add(rows)
            finally:
                source.close()
        return progress


def local_rows(
    settings: Settings, chunks: list[Chunk], workers: int
) -> Generator[list[Row], None, None]:  # fmt: skip
    """Rows of all deals of *chunks* by worker processes, memory shared out among them."""
    total = settings.memory
    workers = max(1, min(workers, sum(chunk.size for chunk in chunks)))
    share = total if total is None or workers == 1 else max(1, total // workers)
    aside: list[Chunk] = []
    with Pool(settings, workers, share) as pool:
        for rows in pool.rows(iter(chunks)):
            if share != total:
                short = [row for row in rows if row.limit_hit == "memory"]
                if short:
                    aside += [_chunk_of(settings, row) for row in short]
                    rows = [row for row in rows if row.limit_hit != "memory"]
            yield rows
    if aside:
        with Pool(settings, 1, total) as pool:
            yield from pool.rows(iter(sorted(aside)))


def _chunk_of(settings: Settings, row: Row) -> Chunk:
    return next(settings.deals.pieces(row.place, row.place + 1))


class _Writer:
    """Gathers rows and commits them in batches; what is gathered is kept on any exit."""

    def __init__(
        self, store: Store, progress: Progress, watch: Callable[[Progress], None] | None
    ) -> None:
        self.store, self.progress, self.watch = store, progress, watch
        self.rows: list[Row] = []
        self.since = time.perf_counter()
        self.works = False

    def __enter__(self) -> _Writer:
        return self

    def __exit__(self, kind: type[BaseException] | None, *exc: object) -> None:
        if self.works or kind is None:
            self.flush()

    def add(self, rows: list[Row]) -> None:
        self.rows += rows
        if not self.works:
            self.works = any(row.verdict != ERROR for row in rows)
            if not self.works and len(self.rows) >= HOPELESS:
                raise WorkerError(
                    f"the first {len(self.rows)} deals failed, and no row is written; "
                    f"{self.rows[-1].deal}: {self.rows[-1].note}"
                )
            if not self.works:
                return
        now = time.perf_counter()
        if len(self.rows) >= BATCH_ROWS or now - self.since >= BATCH_SECONDS:
            self.flush()

    def flush(self) -> None:
        """Commit what is gathered. Interrupted here, the rows are written again on the way out."""
        self.since = time.perf_counter()
        rows = self.rows
        if not rows:
            return
        try:
            self.store.add(rows)
        except StoreError:
            self.rows = []  # once is enough
            raise
        self.rows = []
        for row in rows:
            self.progress.found[row.verdict] += 1
        self.progress.fresh += len(rows)
        if self.watch is not None:
            self.watch(self.progress)
