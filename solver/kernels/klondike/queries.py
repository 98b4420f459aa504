"""What others ask of a compiled search of the klondike family, in the terms of the rules."""

from __future__ import annotations

from collections.abc import Collection, Hashable
from typing import Any, NamedTuple

import numpy as np

from rules.cards import Card
from rules.families.klondike import Klondike, KlondikeState
from rules.moves import Move
from solver.kernels.klondike.code import BASES, SUIT_OF_BIT, Array, Code
from solver.kernels.klondike.search import RunsSearch
from solver.kernels.pairs import move_pairs, strike_out
from solver.reductions.klondike.runs import Layout
from solver.verdict import Limits, Verdict


class LostTable:
    """The lost positions of one layout as the compiled search takes them.

    The table of a search *is* the set of lost positions to begin with: to the search they are
    positions that it has seen already. Afterwards what is not proved lost is struck out: all
    that is new, or in a space without cycles only the path. A struck position leaves words
    in its slot that no position has, so that the others are found as before.
    """

    def __init__(
        self,
        game: Klondike,
        start: KlondikeState,
        names: tuple[str, ...],
        lost: Collection[Any],
        *,
        acyclic: bool,
    ) -> None:
        self.game, self.names, self.acyclic = game, names, acyclic
        self.layout = Layout(game, start)
        self.table: Array | None = None
        self.filled = self.struck = 0
        if lost:
            self._enter(lost)

    def _enter(self, lost: Collection[Any]) -> None:
        """Begin with the positions that the readable search proved lost."""
        code = Code(self.layout)
        rows = np.array([code.pack(position) for position in lost], np.int64)
        self.table = np.zeros((max(1 << 12, 2 << len(rows).bit_length()), 2), np.int64)
        move_pairs(rows, self.table, 0, len(rows))
        self.filled = len(rows)

    def ask(self, state: KlondikeState, limits: Limits) -> tuple[Verdict, int, list[Hashable]]:
        """The verdict, the positions visited, and for a win the keys of the way to it."""
        run = RunsSearch(self.game, state, self.names, limits, self.layout)
        if self.table is not None and not self._fits(limits):
            self.table, self.filled, self.struck = None, 0, 0
        if self.table is not None:
            run.begin_with(self.table if self.acyclic else self.table.copy(), self.filled)
        limit = run.go()
        way: list[Hashable] = [*run.way()] if run.won else []
        verdict = Verdict.WINNABLE if way else Verdict.UNKNOWN if limit else Verdict.UNWINNABLE
        if verdict is Verdict.UNWINNABLE or self.acyclic:
            self.table, self.filled = run.table, run.filled
            if verdict is not Verdict.UNWINNABLE:
                self._strike(run.open_rows())
        return verdict, run.positions, way

    def _fits(self, limits: Limits) -> bool:
        """Whether the table leaves room to search (it is dropped if it does not)."""
        taken = 0 if self.table is None else self.table.nbytes
        return limits.memory is None or taken * 4 < limits.memory

    def _strike(self, rows: Array) -> None:
        """Take positions out of the table, those of *rows* that are in it."""
        for row in rows:
            self.struck += 1
            strike_out(self.table, row[0], row[1], -self.struck)


class Farthest(NamedTuple):
    """How far play gets, over all positions visited; each is a maximum of its own.

    ``highest``: per suit. ``most_up``: cards on the foundations at one time, and
    ``heights``: those of the foundations then. ``down``: fewest cards face down, per column.
    ``gone``: cards that have left stock and waste. ``complete``: all was visited, no win met.
    """

    highest: tuple[int, ...]
    most_up: int
    heights: tuple[int, ...]
    down: tuple[int, ...]
    gone: frozenset[Card]
    complete: bool


def farthest(
    game: Klondike, state: KlondikeState, names: tuple[str, ...], limits: Limits
) -> Farthest:  # fmt: skip
    """How far play gets from *state* under the reductions *names*, ``runs`` among them."""
    run = RunsSearch(game, state, names, limits)
    limit = run.go()
    code, rows = run.code, run.rows
    word0, word1 = rows[:, 0], rows[:, 1]
    packed = (word0 >> 54 & 15, word0 >> 58 & 15, word1 >> 52 & 15, word1 >> 56 & 15)
    by_suit = np.stack([packed[SUIT_OF_BIT.index(suit)] for suit in range(4)])
    up = by_suit.sum(axis=0)
    best = int(up.argmax())
    columns = word0 if code.layout.ordered else (word1 & BASES) >> code.cards + 1
    down = []
    for shift, mask in zip(code.shifts, code.masks, strict=True):
        values = columns >> shift & mask
        down.append(int(np.where(values < 9, values, 0).min()))
    waste = word1 & ((1 << code.cards + 1) - 1)
    gone = [
        card
        for place, card in enumerate(code.layout.stock)
        if ((waste >> place + 1 != 0) & (waste >> place & 1 == 0)).any()
    ]
    return Farthest(
        tuple(map(int, by_suit.max(axis=1))), int(up[best]), tuple(map(int, by_suit[:, best])),
        tuple(down), frozenset(gone), limit is None and not run.won,
    )  # fmt: skip


def line_to(
    game: Klondike,
    state: KlondikeState,
    names: tuple[str, ...],
    heights: tuple[int, ...],
    limits: Limits,
) -> tuple[Move, ...] | None:
    """A line from *state* to foundations of these *heights*, or None if none was found."""
    run = RunsSearch(game, state, names, limits, goal=heights)
    run.go()
    return run.line() if run.won else None
