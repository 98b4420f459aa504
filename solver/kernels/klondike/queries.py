"""What others ask of a compiled search of the klondike family, in the terms of the rules."""

from __future__ import annotations

from collections.abc import Collection, Hashable
from typing import Any

import numpy as np

from rules.families.klondike import Klondike, KlondikeState
from solver.kernels.klondike.search import Code, LeftSearch
from solver.kernels.pairs import move_pairs, strike_out
from solver.kernels.registers import BEST_DEPTH, FILLED, POSITIONS, SP, WON
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
        self.table: Any = None
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

    def ask(self, state: Any, limits: Limits) -> tuple[Verdict, int, list[Hashable]]:
        """The verdict, the positions visited, and for a win the keys of the way to it."""
        run = LeftSearch(self.game, state, self.names, limits, self.layout)
        if self.table is not None and not self._fits(limits):
            self.table, self.filled, self.struck = None, 0, 0
        if self.table is not None:
            run.table = self.table if self.acyclic else self.table.copy()
            run.registers[FILLED] = self.filled
        limit = run.go()
        won = bool(run.registers[WON])
        verdict = Verdict.WINNABLE if won else Verdict.UNKNOWN if limit else Verdict.UNWINNABLE
        way: list[Hashable] = []
        depth = int(run.registers[BEST_DEPTH])
        if won:
            way = [run.code.unpack(int(a), int(b)) for a, b in run.path[: depth + 1]]
        if verdict is not Verdict.UNWINNABLE and not self.acyclic:
            return verdict, int(run.registers[POSITIONS]), way
        self.table, self.filled = run.table, int(run.registers[FILLED])
        if verdict is not Verdict.UNWINNABLE:
            # After a limit: the path to the next position that was to be looked at.
            sp = int(run.registers[SP])
            last = depth if won else int(run.frames[sp - 1, 2]) - 1
            self._strike(run.path[: last + 1])
        return verdict, int(run.registers[POSITIONS]), way

    def _fits(self, limits: Limits) -> bool:
        """Whether the table leaves room to search (it is dropped if it does not)."""
        return limits.memory is None or int(self.table.nbytes) * 4 < limits.memory

    def _strike(self, rows: Any) -> None:
        """Take positions out of the table, those of *rows* that are in it."""
        for row in rows:
            self.struck += 1
            strike_out(self.table, row[0], row[1], -self.struck)
