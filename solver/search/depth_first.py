"""The reference: memoised depth-first search with a transposition table over any space.

What it computes. Let R be the set of nodes reachable from the space's start. The search
visits nodes of R, each key once, until it meets a win (or, where cards are counted, until
no fewer cards can be left) or R is used up. ``WINNABLE``: a win was met, and the steps to it are
given. ``UNWINNABLE``: all of R was visited and holds no win. ``UNKNOWN``: a limit was
reached first. A node whose key was met before is not entered again: whatever can be reached
from it is reached, or will be, from the first one. That argument needs no acyclicity.

The search keeps its own stack, so the interpreter's recursion limit does not matter.
"""

from __future__ import annotations

import sys
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from rules.moves import Move
from solver.search.space import Space
from solver.verdict import NO_LIMITS, Clock, LimitName, LimitReached, Limits, Stats, Verdict

_CHECK_EVERY: Final = 64
_SET_ENTRY: Final = 48  # bytes that a set takes per key, on average over its growth


@dataclass(slots=True)
class Outcome:
    """What a search found, before it is dressed up as a `solver.verdict.Result`.

    ``line`` leads to a win; where cards are counted, to ``best_left`` cards, won or not.
    ``complete``: the whole space was visited or nothing better can exist, so that
    ``best_left`` is the fewest cards any line leaves.
    """

    verdict: Verdict = Verdict.UNKNOWN
    limit: LimitName | None = None
    line: tuple[Move, ...] | None = None
    best_left: int | None = None
    complete: bool = False
    stats: Stats = field(default_factory=Stats)


class Table:
    """A transposition table: the keys visited, and an estimate of the bytes they take.

    ``open``: the keys still on the stack when the search ended, from the start on (after a
    win: the way to it; after exhaustion: none).
    """

    def __init__(self) -> None:
        self.keys: set[Hashable] = set()
        self.open: list[Hashable] = []
        self._sampled = 0
        self._samples = 0

    def add(self, key: Hashable) -> None:
        self.keys.add(key)
        n = len(self.keys)
        if n <= 16 or n % 256 == 0:
            self._sampled += deep_size(key)
            self._samples += 1

    @property
    def memory(self) -> int:
        """Bytes, estimated from a sample of the keys."""
        if not self._samples:
            return 0
        return len(self.keys) * (_SET_ENTRY + self._sampled // self._samples)


def deep_size(value: Any) -> int:
    """Bytes of a key made of nested tuples and small integers (which are shared)."""
    size = sys.getsizeof(value)
    if isinstance(value, tuple):
        return size + sum(deep_size(item) for item in value if isinstance(item, tuple))
    return size


def search(space: Space, limits: Limits = NO_LIMITS, *, table: Table | None = None) -> Outcome:
    """Search *space* from its start within *limits*; see the module's docstring.

    *table* is filled with the keys visited; give one to keep it. It must be empty.
    """
    table = Table() if table is None else table
    clock = Clock(limits)
    run = _Run(space, table, clock)
    run.go()
    outcome = run.outcome
    outcome.stats.seconds = clock.seconds
    outcome.stats.memory = table.memory
    return outcome


class _Run:
    """One search under way: the stack of successor iterators, and the steps so far."""

    def __init__(self, space: Space, table: Table, clock: Clock) -> None:
        self.space, self.table, self.clock = space, table, clock
        self.most = clock.limits.positions
        # A space may know that no line leaves fewer cards than this.
        self.floor: int = getattr(space, "floor", 0)
        self.outcome = Outcome()
        self.steps: list[Any] = []
        self.frames: list[Iterator[tuple[Any, Any]]] = []
        self.best_steps: list[Any] | None = None
        self.won = False
        # A space may search by itself, and then has to heed the limits.
        if hasattr(space, "watch"):
            space.watch(clock)

    def go(self) -> None:
        try:
            self._go()
        except LimitReached as reached:
            self.outcome.limit = reached.limit
        self._conclude()

    def _go(self) -> None:
        space, outcome, stats = self.space, self.outcome, self.outcome.stats
        outcome.limit = self._visit(space.key(space.start))
        self.table.open.append(space.key(space.start))
        done = outcome.limit is not None or self._evaluate(space.start)
        if not done:
            self.frames.append(space.successors(space.start))
        childless = not self.won
        keys = self.table.keys
        while self.frames and not done:
            for step, node in self.frames[-1]:
                childless = False
                key = space.key(node)
                if key in keys:
                    stats.transpositions += 1
                    continue
                outcome.limit = self._visit(key)
                if outcome.limit is not None:
                    done = True
                    break
                self.steps.append(step)
                self.table.open.append(key)
                stats.depth = max(stats.depth, len(self.steps))
                done = self._evaluate(node)
                self.frames.append(space.successors(node))
                childless = not self.won
                break
            else:
                stats.dead_ends += childless
                childless = False
                self.frames.pop()
                self.table.open.pop()
                if self.steps:
                    self.steps.pop()

    def _visit(self, key: Hashable) -> LimitName | None:
        """Enter *key* in the table, or say which limit forbids it."""
        stats = self.outcome.stats
        if self.most is not None and stats.positions >= self.most:
            return "positions"
        if stats.positions % _CHECK_EVERY == 0:
            limit = self.clock.hit(stats.positions, self.table.memory)
            if limit is not None:
                return limit
        self.table.add(key)
        stats.positions += 1
        return None

    def _evaluate(self, node: Any) -> bool:
        """Take note of a win or of fewer cards left; whether nothing better can come."""
        space, outcome = self.space, self.outcome
        self.won = won = space.is_won(node)
        if won:
            outcome.verdict = Verdict.WINNABLE
        if not space.counts_cards:
            if won:
                self.best_steps = list(self.steps)
            return won
        left = space.cards_left(node)
        if left is not None and (outcome.best_left is None or left < outcome.best_left):
            outcome.best_left = left
            self.best_steps = list(self.steps)
        return left is not None and left <= self.floor

    def _conclude(self) -> None:
        outcome = self.outcome
        outcome.complete = outcome.limit is None
        if outcome.complete and outcome.verdict is Verdict.UNKNOWN:
            outcome.verdict = Verdict.UNWINNABLE
        if self.best_steps is not None:
            outcome.line = self.space.line(self.best_steps)
