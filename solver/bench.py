"""How fast, and how much work: the cases that ``dealproof bench`` and ``benchmarks/`` run.

Counts (verdicts, positions) are the same on every machine and may be gated on. Times are
not: they are reported as rates, and engine against engine as ratios of sums taken deal by
deal in turn, so that a machine that slows down slows both.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from rules.decks import Deal
from rules.errors import OptionError
from rules.game import Game
from rules.registry import get_game
from solver.kernels import has_kernel
from solver.kernels.batch import Chunk, find_batch
from solver.reductions import select
from solver.solve import solve
from solver.verdict import DEFAULT_LIMITS, Limits, Verdict

if TYPE_CHECKING:
    from solver.kernels.decided import Decided

ENGINES: Final = ("compiled", "reference", "batch")

DEFAULT_CASES: Final[tuple[tuple[str, int, int, tuple[str, ...]], ...]] = (
    ("ten-by-one", 1, 2000, ("reference", "batch")),
    ("block-ten", 1, 2000, ("reference", "batch")),
    ("tens", 1, 2000, ("reference", "batch")),
    ("decade", 1, 200, ("compiled", "reference", "batch")),
    ("decade-three", 1, 200, ("compiled", "reference", "batch")),
    ("decade-loop", 1, 200, ("compiled", "reference", "batch")),
    ("decade-loop-three", 1, 200, ("compiled", "reference", "batch")),
    ("decade-seven", 1, 200, ("compiled", "reference", "batch")),
    ("decade-seven-loop", 1, 200, ("compiled", "reference", "batch")),
    ("ten-twenty-thirty", 1, 200, ("reference",)),
    ("single-left", 1, 20, ("compiled",)),
    ("single-left-next", 1, 20, ("compiled",)),
)
"""What a bare ``dealproof bench`` measures: game, first and last deal, engines."""


@dataclass(slots=True)
class Measure:
    """One engine on the deals ``first .. last`` of one game.

    ``positions``, ``times``: per deal, in deal order (seconds; empty for a batch, which is
    timed as a whole). ``memory``: the largest tables, in bytes (0 for a batch).
    ``unknown``: deals on which a limit was reached.
    """

    game: Game
    engine: str
    first: int
    last: int
    winnable: int = 0
    unwinnable: int = 0
    unknown: int = 0
    seconds: float = 0.0
    memory: int = 0
    positions: list[int] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    verdicts: list[str] = field(default_factory=list)

    @property
    def deals(self) -> int:
        return self.last - self.first + 1

    @property
    def name(self) -> str:
        """What identifies the measurement in a baseline."""
        options = ",".join(f"{k}={v}" for k, v in self.game.changed_options().items())
        return f"{self.game.name}[{options}] {self.first}-{self.last} {self.engine}"

    @property
    def digest(self) -> str:
        """A digest of every deal's verdict and positions, for telling whether any changed."""
        rows = zip(self.verdicts, self.positions, strict=True)
        text = ";".join(f"{verdict} {count}" for verdict, count in rows)
        return hashlib.sha256(text.encode()).hexdigest()[:16]


def default_cases(games: Iterable[str] = ()) -> list[tuple[Game, int, int, tuple[str, ...]]]:
    """The default cases, or those of *games* only."""
    wanted = set(games)
    return [
        (get_game(name), first, last, engines)
        for name, first, last, engines in DEFAULT_CASES
        if not wanted or name in wanted
    ]


def measure(
    game: Game,
    first: int,
    last: int,
    engines: Sequence[str],
    limits: Limits = DEFAULT_LIMITS,
    reductions: str = "all",
) -> list[Measure]:
    """Run *engines* on deals ``first .. last``, in turn on each deal; one measure an engine.

    Every engine first solves deal 0 unmeasured, so that compiling is not counted. Raises
    `OptionError` for an engine that cannot take the game.
    """
    single = [engine for engine in engines if engine != "batch"]
    measures = {engine: Measure(game, engine, first, last) for engine in engines}

    def one(engine: str, deal: Deal) -> tuple[Verdict, int, int, float]:
        start = time.perf_counter()
        result = solve(
            game, deal, limits=limits, engine=engine, reductions=reductions, exhaustive=True
        )
        seconds = time.perf_counter() - start
        return result.verdict, result.stats.positions, result.stats.memory, seconds

    for engine in single:
        one(engine, game.make_deal("", 0))
    for number in range(first, last + 1):
        deal = game.make_deal("", number)
        for engine in single:
            verdict, positions, memory, seconds = one(engine, deal)
            _enter(measures[engine], verdict, positions, memory)
            measures[engine].times.append(seconds)
            measures[engine].seconds += seconds
    if "batch" in measures:
        _batch(measures["batch"], limits, reductions)
    return [measures[engine] for engine in engines]


def searches(game: Game, reductions: str) -> tuple[str, ...]:
    """The engines that search single deals of *game*."""
    compiled = has_kernel(game, select(game, reductions))
    return ("compiled", "reference") if compiled else ("reference",)


def _enter(measure: Measure, verdict: Verdict, positions: int, memory: int = 0) -> None:
    measure.verdicts.append(verdict.value)
    measure.positions.append(positions)
    measure.memory = max(measure.memory, memory)
    if verdict is Verdict.WINNABLE:
        measure.winnable += 1
    elif verdict is Verdict.UNWINNABLE:
        measure.unwinnable += 1
    else:
        measure.unknown += 1


BATCH_REPEATS: Final = 50
"""A batch is timed over so many times as many deals as are counted, from ``last + 1`` on."""


def _batch(measure: Measure, limits: Limits, reductions: str) -> None:
    """The kernels that shuffle and decide many deals in one call.

    The counted deals are run for their counts; the time is that of `BATCH_REPEATS` times as
    many others, scaled down, since a call over a few deals is too short to time.
    """
    rows = batch_verdicts(measure.game, measure.first, measure.deals, limits, reductions)
    for verdict, positions in rows:
        _enter(measure, verdict, positions)
    start = time.perf_counter()
    _decide(measure.game, measure.last + 1, measure.deals * BATCH_REPEATS, limits, reductions)
    measure.seconds = (time.perf_counter() - start) / BATCH_REPEATS


def _decide(
    game: Game, first: int, count: int, limits: Limits, reductions: str
) -> Decided:  # fmt: skip
    decide = find_batch(game, select(game, reductions))
    if decide is None:
        raise OptionError(f"no batch engine for {game.name}")
    return decide(Chunk(0, "", first, count), limits)


def batch_verdicts(
    game: Game, first: int, count: int, limits: Limits, reductions: str
) -> Iterator[tuple[Verdict, int]]:
    """Verdict and positions of each of *count* deals from number *first* on, by a batch kernel.

    In a game without decisions the positions are not counted (each is 0 here). Raises
    `OptionError` if no batch kernel takes the game.
    """
    found = _decide(game, first, count, limits, reductions)
    for index in range(count):
        if found.won[index]:
            verdict = Verdict.WINNABLE
        else:
            verdict = Verdict.UNWINNABLE if found.decided[index] else Verdict.UNKNOWN
        yield verdict, 0 if found.positions is None else int(found.positions[index])


@dataclass(frozen=True, slots=True)
class Ratio:
    """How many times as many deals a second an engine decides as the slowest in its run."""

    game: str
    engine: str
    against: str
    ratio: float


def ratios(measures: Sequence[Measure]) -> list[Ratio]:
    """The ratios of all engines but the slowest, game by game."""
    by_game: dict[tuple[Any, int, int], list[Measure]] = {}
    for item in measures:
        by_game.setdefault((item.game, item.first, item.last), []).append(item)
    rows: list[Ratio] = []
    for group in by_game.values():
        slowest = max(group, key=lambda item: item.seconds)
        rows += [
            Ratio(item.game.name, item.engine, slowest.engine, slowest.seconds / item.seconds)
            for item in group
            if item is not slowest and item.seconds
        ]
    return rows
