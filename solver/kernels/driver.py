"""Driving a kernel from Python: slices, limits, growing arrays, and the outcome.

Between slices the interpreter is free: Ctrl-C arrives, other threads run (the kernels let go
of the interpreter's lock), the clock is looked at. Nothing here depends on signals.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rules.game import Game, State
from solver.kernels.registers import (
    AGAIN,
    BEST,
    BEST_DEPTH,
    DEAD_ENDS,
    DEPTH,
    EXHAUSTED,
    FILLED,
    FINISHED,
    FRAMES_FULL,
    NONE_LEFT_YET,
    POSITIONS,
    REGISTERS,
    SLICE,
    TABLE_FULL,
    TRANSPOSITIONS,
    WON,
)
from solver.search.depth_first import Outcome
from solver.search.follow import line_through
from solver.verdict import Clock, LimitName, Limits, Verdict

Array = NDArray[Any]

POSITIONS_A_SLICE: Final = 100_000
CHUNK: Final = 1 << 19  # slots of a table moved between looks at the clock
TABLE: Final = 1 << 12  # slots of a new table
PATH: Final = 256  # longer than any line without returns: 52 deals, 52 discards


def doubled(array: Array) -> Array:
    """*array* with as many rows again, of zeros."""
    new = np.zeros((2 * array.shape[0], *array.shape[1:]), array.dtype)
    new[: array.shape[0]] = array
    return new


class Run:
    """One search under way. A kernel's own class gives `step`, `move` and `key`.

    ``table``: positions by rows (or words); ``frames``: likewise with one column more, the
    depth; ``path``: likewise, by depth.
    """

    def __init__(
        self, game: Game, state: State, table: Array, frames: Array, path: Array, limits: Limits
    ) -> None:
        self.game, self.state = game, state
        self.table, self.frames = table, frames
        self.path, self.best_path = path, np.zeros_like(path)
        self.registers = np.zeros(REGISTERS, np.int64)
        self.limits, self.clock = limits, Clock(limits)
        self.peak = 0

    def step(self, budget: int) -> int:
        """Search on for at most *budget* new positions; a code of `registers`."""
        raise NotImplementedError

    def move(self, new: Array, first: int) -> None:
        """Enter the positions in slots ``first .. first + CHUNK - 1`` into the table *new*."""
        raise NotImplementedError

    def key(self, row: Any) -> Hashable:
        """The key, as the rules have it, of a position in the path."""
        raise NotImplementedError

    def begin_with(self, table: Array, filled: int) -> None:
        """Take *table* and what it holds, so many positions, as visited; see `filled`."""
        self.table = table
        self.registers[FILLED] = filled

    @property
    def filled(self) -> int:
        """Slots of the table in use."""
        return int(self.registers[FILLED])

    @property
    def won(self) -> bool:
        """Whether a win was found."""
        return bool(self.registers[WON])

    @property
    def positions(self) -> int:
        """Positions visited so far, those in a table that it began with not counted."""
        return int(self.registers[POSITIONS])

    @property
    def memory(self) -> int:
        """Bytes of the arrays."""
        arrays = (self.table, self.frames, self.path, self.best_path)
        return sum(array.nbytes for array in arrays)

    def go(self) -> LimitName | None:
        """Search until done; the limit that was reached, or None."""
        most = self.limits.positions
        while True:
            # Not asked about positions: a search that needs no further one is not stopped.
            limit = self._hit()
            if limit is not None:
                return limit
            left = POSITIONS_A_SLICE if most is None else most - self.positions
            budget = min(POSITIONS_A_SLICE, left)
            code = self.step(budget)
            if code in (EXHAUSTED, FINISHED):
                return None
            if code == AGAIN:
                continue
            if code == SLICE:
                if most is not None and self.positions >= most:
                    return "positions"
                continue
            if code == TABLE_FULL:
                limit = self._grow_table()
            elif code == FRAMES_FULL:
                limit = self._double("frames")
            else:
                limit = self._double("path") or self._double("best_path")
            if limit is not None:
                return limit

    def way(self) -> list[Any]:
        """The keys on the way to the win that was found, the start first."""
        return list(map(self.key, self.path[: int(self.registers[BEST_DEPTH]) + 1]))

    def _hit(self) -> LimitName | None:
        self.peak = max(self.peak, self.memory)
        self.clock.tell(self.positions, self.memory)
        return self.clock.hit(None, self.memory)

    def _allows(self, more: int) -> bool:
        """Whether *more* bytes may be taken for a while."""
        most = self.limits.memory
        if most is not None and self.memory + more >= most:
            return False
        self.peak = max(self.peak, self.memory + more)
        return True

    def _double(self, name: str) -> LimitName | None:
        old = getattr(self, name)
        if not self._allows(2 * old.nbytes):
            return "memory"
        setattr(self, name, doubled(old))
        return None

    def _grow_table(self) -> LimitName | None:
        old = self.table
        factor = 4 if old.nbytes < 1 << 26 and self._allows(4 * old.nbytes) else 2
        if not self._allows(factor * old.nbytes):
            return "memory"
        new = np.zeros((factor * old.shape[0], *old.shape[1:]), old.dtype)
        for first in range(0, old.shape[0], CHUNK):
            limit = self._hit()
            if limit is not None:
                return limit
            self.move(new, first)
        self.table = new
        return None

    def outcome(self, limit: LimitName | None) -> Outcome:
        """What came of it, as `solver.search.depth_first.search` tells it."""
        r = self.registers
        outcome = Outcome(limit=limit, complete=limit is None)
        stats = outcome.stats
        stats.positions, stats.depth = self.positions, int(r[DEPTH])
        stats.transpositions, stats.dead_ends = int(r[TRANSPOSITIONS]), int(r[DEAD_ENDS])
        stats.memory = self.peak
        if self.won:
            outcome.verdict = Verdict.WINNABLE
        elif limit is None:
            outcome.verdict = Verdict.UNWINNABLE
        if r[BEST] != NONE_LEFT_YET:
            if self.game.counts_cards:
                outcome.best_left = int(r[BEST])
            keys = map(self.key, self.best_path[1 : int(r[BEST_DEPTH]) + 1])
            outcome.line = line_through(self.game, self.state, keys)
        stats.seconds = self.clock.seconds
        return outcome
