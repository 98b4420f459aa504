# mypy: disable-error-code="no-untyped-def, call-arg, unreachable, var-annotated"
"""The search of `solver.reductions.klondike.runs`, compiled, from any position.

Visits the positions that `solver.search.depth_first` visits in a `RunsSpace` with the same
reductions, in the same order. `runs` must be among them: there is no compiled search over layouts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np

from rules.families.klondike import KlondikeState
from rules.game import Game
from rules.moves import Move
from solver.kernels.bits import address_of, borrowed
from solver.kernels.driver import CHUNK, PATH, TABLE, Run
from solver.kernels.jit import compiled
from solver.kernels.klondike.code import GOAL, TABLE_AT, TABLE_MASK, Array, Code
from solver.kernels.klondike.successors import expand
from solver.kernels.pairs import find_place, move_pairs
from solver.kernels.registers import (
    BEST,
    BEST_DEPTH,
    DEAD_ENDS,
    DEPTH,
    EXHAUSTED,
    FILLED,
    FINISHED,
    FRAMES_FULL,
    MARGIN,
    NONE_LEFT_YET,
    PATH_FULL,
    POSITIONS,
    SLICE,
    SP,
    TABLE_FULL,
    TRANSPOSITIONS,
    WON,
)
from solver.reductions.klondike.runs import Layout, Position, RunsSpace
from solver.search.depth_first import Outcome
from solver.verdict import NO_LIMITS, LimitName, Limits

_SLICE: Final = 25_000  # positions; well under half a second on a slow and busy machine


class RunsSearch(Run):
    """One search from one state. ``layout``: see `RunsSpace`.

    ``goal``: heights of the foundations, by suit, to look for in place of a win.
    """

    def __init__(
        self,
        game: Game[Any],
        state: KlondikeState,
        names: tuple[str, ...],
        limits: Limits = NO_LIMITS,
        layout: Layout | None = None,
        goal: Sequence[int] | None = None,
    ) -> None:
        super().__init__(
            game,
            state,
            np.zeros((TABLE, 2), np.int64),
            np.zeros((3 * MARGIN // 2, 3), np.int64),
            np.zeros((PATH, 2), np.int64),
            limits,
        )
        self.space = RunsSpace(game, state, names, layout)
        self.code = Code(self.space.layout)
        self.words = self.code.array(names, goal)
        self.successors = np.zeros((MARGIN, 2), np.int64)
        self.frames[0, :2] = self.code.pack(self.space.start)
        self.registers[SP] = 1
        self.registers[BEST] = NONE_LEFT_YET

    def step(self, budget: int) -> int:
        return int(
            run_search(
                self.words, self.table, self.frames, self.path, self.successors, self.registers,
                min(budget, _SLICE),
            )
        )  # fmt: skip

    def move(self, new: Array, first: int) -> None:
        move_pairs(self.table, new, first, first + CHUNK)

    def key(self, row: Array) -> Position:
        return self.code.unpack(int(row[0]), int(row[1]))

    @property
    def rows(self) -> Array:
        """The positions visited so far, packed, in no order."""
        found: Array = self.table[self.table[:, 1] != 0]
        return found

    def visited(self) -> Iterator[Position]:
        """The positions visited so far, in no order."""
        return map(self.key, self.rows)

    def open_rows(self) -> Array:
        """The positions visited, packed, of which the search has not seen all that follows.

        After a win these are the ones on the way to it; where a limit stopped the search, the
        ones on the way to the next position that it would look at. A frame of depth -1 is that
        of a position visited before: nothing waits for it.
        """
        if self.won:
            return self.path[: int(self.registers[BEST_DEPTH]) + 1]
        frames = self.frames[: int(self.registers[SP])]
        depths = frames[frames[:, 2] >= 0, 2]
        found: Array = self.path[: int(depths[-1]) if len(depths) else 0]
        return found

    def line(self) -> tuple[Move, ...]:
        """The moves of the rules along `way`."""
        return self.space.line_through(self.way()[1:])

    def outcome(self, limit: LimitName | None) -> Outcome:
        outcome = super().outcome(limit)
        if self.won:
            outcome.line = self.line()
            outcome.stats.seconds = self.clock.seconds
        return outcome


def solve(
    game: Game[Any], state: KlondikeState, reductions: tuple[str, ...], limits: Limits = NO_LIMITS
) -> Outcome:
    """Search *game* from *state* within *limits*, as `solver.search.depth_first.search` does.

    *reductions*: the names in force, ``runs`` among them; see `solver.reductions`.
    """
    search = RunsSearch(game, state, reductions, limits)
    return search.outcome(search.go())


@compiled
def run_search(t, table, frames, path, successors, registers, budget):
    """Search on for at most *budget* new positions; a code of `solver.kernels.registers`.

    ``frames``: positions still to be looked at, with their depths; the next one is the last.
    A depth of -1 is that of a position that had been visited before when it was found. All
    successors are looked up together: `emit` has asked the memory for their slots ahead. Those
    that are new are looked up once more when their turn comes.
    """
    t, successors = borrowed(t), borrowed(successors)
    full = table.shape[0] * 5 // 8
    t[TABLE_AT], t[TABLE_MASK] = address_of(table), table.shape[0] - 1
    sp = registers[SP]
    new = 0
    code = EXHAUSTED
    while sp > 0:
        if registers[FILLED] >= full:
            code = TABLE_FULL
            break
        if sp + MARGIN > frames.shape[0]:
            code = FRAMES_FULL
            break
        word0, word1, depth = frames[sp - 1, 0], frames[sp - 1, 1], frames[sp - 1, 2]
        if depth < 0:
            registers[TRANSPOSITIONS] += 1
            sp -= 1
            continue
        if depth >= path.shape[0]:
            code = PATH_FULL
            break
        place = find_place(table, word0, word1)
        if place < 0:
            registers[TRANSPOSITIONS] += 1
            sp -= 1
            continue
        if new >= budget:
            code = SLICE
            break
        sp -= 1
        new += 1
        table[place, 0] = word0
        table[place, 1] = word1
        registers[FILLED] += 1
        registers[DEPTH] = max(registers[DEPTH], depth)
        path[depth, 0] = word0
        path[depth, 1] = word1
        if ((word0 >> 54) & 255) | (((word1 >> 52) & 255) << 8) == t[GOAL]:
            registers[WON] = 1
            registers[BEST_DEPTH] = depth
            code = FINISHED
            break
        n = expand(t, word0, word1, successors)
        if n == 0:
            registers[DEAD_ENDS] += 1
        for k in range(n - 1, -1, -1):
            word0, word1 = successors[k, 0], successors[k, 1]
            frames[sp, 0] = word0
            frames[sp, 1] = word1
            frames[sp, 2] = depth + 1 if find_place(table, word0, word1) >= 0 else -1
            sp += 1
    registers[SP] = sp
    registers[POSITIONS] += new
    return code
