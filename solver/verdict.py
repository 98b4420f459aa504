"""Verdicts, limits, statistics, and the result of solving one deal."""

from __future__ import annotations

import enum
import math
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal

from rules.decks import Deal
from rules.errors import PositionError
from rules.game import Game
from rules.moves import Move
from rules.position import Position
from solver.progress import listener

LimitName = Literal["time", "positions", "memory"]


class Verdict(enum.StrEnum):
    """What is proved of a deal. ``UNKNOWN`` only ever means that a limit was reached."""

    WINNABLE = "winnable"
    UNWINNABLE = "unwinnable"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds on one search; None is no bound. A limit never changes a verdict.

    ``seconds``: wall-clock time. ``positions``: positions visited. ``memory``: bytes of the
    search's tables.
    """

    seconds: float | None = 60.0
    positions: int | None = None
    memory: int | None = 4 << 30

    def __post_init__(self) -> None:
        if self.seconds is not None and not (self.seconds >= 0 and math.isfinite(self.seconds)):
            raise ValueError(f"seconds must be a finite number at least 0, not {self.seconds}")
        for name in ("positions", "memory"):
            value = getattr(self, name)
            if value is not None and value < 0:
                raise ValueError(f"{name} must be at least 0, not {value}")

    def less(self, seconds: float) -> Limits:
        """What is left of them after so many *seconds*."""
        if self.seconds is None:
            return self
        return replace(self, seconds=max(0.0, self.seconds - seconds))


ENGINES: Final = ("auto", "compiled", "reference")
DEFAULT_LIMITS: Final = Limits()
NO_LIMITS: Final = Limits(None, None, None)


_uncounted = 0.0  # seconds, in this process


@contextmanager
def uncounted() -> Iterator[None]:
    """What is done in the block, loading a kernel say, costs no search its time."""
    global _uncounted
    start = time.perf_counter()
    try:
        yield
    finally:
        _uncounted += time.perf_counter() - start


class LimitReached(Exception):
    """Raised deep inside a search, by `Clock.check`; it ends the search, which knows no more."""

    def __init__(self, limit: LimitName) -> None:
        super().__init__(limit)
        self.limit: LimitName = limit


class Clock:
    """Watches the limits of one search; asked every so many positions."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.start = time.perf_counter() - _uncounted
        self.listener = listener()

    @property
    def seconds(self) -> float:
        return time.perf_counter() - _uncounted - self.start

    def tell(self, positions: int, memory: int) -> None:
        """Tell the listener, if there is one, how far the search is."""
        if self.listener is not None:
            self.listener.search(positions, memory, self.seconds, self.limits.seconds)

    def hit(self, positions: int | None, memory: int) -> LimitName | None:
        """The limit that has been reached, or None; positions None are not looked at."""
        limits = self.limits
        if positions is not None:
            self.tell(positions, memory)
            if limits.positions is not None and positions >= limits.positions:
                return "positions"
        if limits.memory is not None and memory >= limits.memory:
            return "memory"
        if limits.seconds is not None and self.seconds >= limits.seconds:
            return "time"
        return None

    def check(self, positions: int | None, memory: int) -> None:
        """Raise `LimitReached` if a limit has been reached; see `hit`."""
        limit = self.hit(positions, memory)
        if limit is not None:
            raise LimitReached(limit)


@dataclass(slots=True)
class Stats:
    """What a search did.

    ``positions``: different positions visited. ``transpositions``: times that a position
    already visited was reached again. ``depth``: longest line of moves looked at.
    ``dead_ends``: positions without a successor that are no win. ``memory``: bytes of the
    tables at their largest (an estimate in the reference engine).
    """

    positions: int = 0
    transpositions: int = 0
    depth: int = 0
    dead_ends: int = 0
    memory: int = 0
    seconds: float = 0.0


def named(value: object, game: Game, *facts: str, given: Deal | Position | None = None) -> str:
    """A short ``repr`` of *value*, which is about *game* or one deal of it, and what it says."""
    of = "" if given is None else f", {given.label}"
    return f"<{type(value).__name__} {game.name}{of}: {', '.join(filter(None, facts))}>"


@dataclass(frozen=True, slots=True, repr=False)
class Result:
    """The verdict on one deal or position, and what came with it.

    ``given``: what was solved; ``start`` is its state and ``deal`` its deal.
    ``line``: the winning line; where cards are counted (Decade) the line that leaves the
    fewest, won or not; else None. It has been through the referee.
    ``limit``: the limit that was reached, or None. With a ``WINNABLE`` verdict it says what
    kept the search from proving ``fewest_left`` or the line shortest.
    ``fewest_left``: the fewest cards that any line leaves, proven; None where cards are not
    counted or a limit was reached. ``best_left``: what ``line`` leaves.
    ``outcome``: for games that are played, not searched: won, lost or drawn; else None.
    ``dealt``: cards dealt until play ends, opening included (games that are played and count
    cards).
    """

    game: Game
    given: Deal | Position
    verdict: Verdict
    limit: LimitName | None = None
    line: tuple[Move, ...] | None = None
    fewest_left: int | None = None
    best_left: int | None = None
    shortest: bool = False
    outcome: Literal["won", "lost", "drawn"] | None = None
    dealt: int | None = None
    stats: Stats = field(default_factory=Stats)
    engine: str = "reference"
    reductions: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return named(self, self.game, self.summary, given=self.given)

    @property
    def summary(self) -> str:
        """The verdict and its counts in a few words."""
        left = "" if self.fewest_left is None else f"{self.fewest_left} left at best"
        moves = "" if self.line is None else f"a line of {len(self.line)}"
        return ", ".join(filter(None, (self.verdict.value, left, moves)))

    @property
    def positions(self) -> int | None:
        """Positions visited for the verdict.

        None where the deal is played out and any order of play will do: nothing is searched
        then, and how many positions a playthrough meets depends on its order.
        """
        played = self.engine == "playthrough" and not self.game.counts_cards
        return None if played else self.stats.positions

    @property
    def deal(self) -> Deal:
        """The deal; raises `PositionError` for a position that was read from text."""
        if isinstance(self.given, Deal):
            return self.given
        if self.given.deal is None:
            raise PositionError("a position read from text has no deal")
        return self.given.deal

    @property
    def start(self) -> Any:
        """The state that the verdict is about, and that ``line`` begins at."""
        if isinstance(self.given, Position):
            return self.given.state
        return self.game.initial(self.given.deck)
