"""What the solver can do for the klondike family."""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Hashable
from typing import TYPE_CHECKING

from rules.families.klondike import NEXT_COLUMN, Klondike, KlondikeState
from solver.families.defaults import Support

if TYPE_CHECKING:
    from rules.moves import Move
    from solver.analysis.reasons.facts import Reasons
    from solver.certify import ClosedSet
    from solver.kernels import Kernel, LostPositions, Player
    from solver.kernels.batch import Batch
    from solver.reductions import Reduction
    from solver.reductions.klondike.classes import ClassesSpace
    from solver.search.space import Space
    from solver.verdict import Limits, Result


class KlondikeSupport(Support[Klondike, KlondikeState]):
    """Everything rests on the reduction ``runs``: the kernel, and what is known to be lost."""

    def moves_needed(self, state: KlondikeState) -> int:
        """Every card not on a foundation takes a move there, and a move brings one."""
        return self.game.deck_size - sum(state.foundations)

    def promise(self, state: KlondikeState, moves: int) -> float:
        """Cards to bring up, face-down cards, cards over lower ones, cards not in the columns.

        With one pass only the waste counts: what is dealt is covered by what comes after it.
        """
        up = self.game.deck_size - sum(state.foundations)
        down = sum(len(column[0]) for column in state.columns)
        blocked = 0
        for hidden, run in state.columns:
            for place, card in enumerate(hidden):
                blocked += sum(1 for over in hidden[place + 1 :] + run if over.rank > card.rank)
        aside = len(state.waste) + (0 if self.game.passes == 1 else len(state.stock))
        return up + 3.0 * down + 0.3 * blocked + 1.5 * aside + 0.05 * moves

    def is_acyclic(self, names: tuple[str, ...]) -> bool:
        """Not under the rules themselves, where a run goes to and fro between two parents.

        With `solver.reductions.klondike.runs` every step takes a card further in the order face
        down or in the stock, in the waste, anchored, loose, on a foundation, and none back; but
        not where gaps fill from the next column (two kings can change places for ever).
        """
        return "runs" in names and NEXT_COLUMN not in self.game.fill

    @classmethod
    def reductions(cls) -> tuple[Reduction, ...]:
        from solver.reductions import Reduction
        from solver.reductions.klondike import (
            classes,
            dead,
            deal,
            early,
            preludes,
            relaxed,
            runs,
            safe,
        )

        needs = (classes.NAME,)
        return (
            Reduction(runs.NAME, runs.SUMMARY, runs.applies),
            Reduction(safe.NAME, safe.SUMMARY, runs.applies, (runs.NAME,)),
            Reduction(deal.NAME, deal.SUMMARY, runs.one_pass, (runs.NAME,)),
            Reduction(dead.NAME, dead.SUMMARY, runs.one_pass, (runs.NAME,)),
            Reduction(classes.NAME, classes.SUMMARY, classes.applies),
            Reduction(early.NAME, early.SUMMARY, classes.applies, needs),
            Reduction(preludes.NAME, preludes.SUMMARY, classes.applies, needs),
            Reduction(relaxed.NAME, relaxed.SUMMARY, relaxed.applies, needs),
        )

    def space(self, state: KlondikeState, names: tuple[str, ...]) -> Space:
        if "classes" in names:
            return self._classes(names)(self.game, state, names)
        if "runs" not in names:
            return super().space(state, names)
        from solver.reductions.klondike.runs import RunsSpace

        return RunsSpace(self.game, state, names)

    def spaces(
        self, start: KlondikeState, names: tuple[str, ...]
    ) -> Callable[[KlondikeState], Space]:
        if "classes" in names:
            from solver.reductions.klondike.classes import Layout as ClassesLayout

            kind, table = self._classes(names), ClassesLayout(self.game, start)
            return lambda state: kind(self.game, state, names, table)
        if "runs" not in names:
            return super().spaces(start, names)
        from solver.reductions.klondike.runs import Layout, RunsSpace

        layout = Layout(self.game, start)
        return lambda state: RunsSpace(self.game, state, names, layout)

    def _classes(self, names: tuple[str, ...]) -> type[ClassesSpace]:
        from solver.reductions.klondike.classes import ClassesSpace
        from solver.reductions.klondike.relaxed import RelaxedSpace

        return RelaxedSpace if "relaxed" in names else ClassesSpace

    @property
    def _packs_lie(self) -> bool:
        """Whether there is the compiled search of positions as they lie."""
        game = self.game
        return game.packs > 1 and game.only_runs and game.build in ("alternate", "suit")

    def head_start(self, names: tuple[str, ...]) -> int | None:
        if self._packs_lie:
            return 0  # the kernel finds wins where the readable search would go on for ever
        if "preludes" in names:  # a question at draw one may be long from the first position on
            return 0 if "relaxed" in names else 300
        return 1_500 if "runs" in names else None

    def kernel(self, names: tuple[str, ...]) -> Kernel | None:
        if self._packs_lie:
            from solver.kernels.klondike import packs_search

            return packs_search.solve
        if "preludes" in names:
            from solver.kernels.klondike import redeals

            return redeals.solve
        if "runs" not in names:
            return None
        from solver.kernels.klondike import search

        return search.solve

    def batch(self, names: tuple[str, ...], numbering: str) -> Batch | None:
        if "preludes" not in names:
            return None
        from solver.kernels.batch import search_each

        return functools.partial(search_each, self.game, names)

    def keeps_lost(self, names: tuple[str, ...]) -> bool:
        return "runs" in names or "preludes" in names

    def lost_positions(
        self, start: KlondikeState, names: tuple[str, ...], lost: Collection[Hashable]
    ) -> LostPositions:
        if "preludes" in names:
            from solver.kernels.klondike.redeals import DecidedClasses

            return DecidedClasses(self.game, start, names, lost)
        from solver.kernels.klondike.queries import LostTable

        return LostTable(self.game, start, names, lost, acyclic=self.is_acyclic(names))

    def player(self) -> Player | None:
        from solver.reductions.klondike import runs

        if not runs.one_pass(self.game):
            return None
        from solver.kernels.klondike.playouts import play_games

        return play_games

    def reasons(
        self,
        state: KlondikeState,
        limits: Limits,
        engine: str,
        best: tuple[Move, ...] | None = None,
    ) -> Reasons:
        from solver.analysis.reasons.klondike import klondike_reasons

        return klondike_reasons(self.game, state, limits, engine)

    def closed_set(self, result: Result, limits: Limits) -> ClosedSet:
        from solver.reductions.klondike import runs

        if not result.reductions or not runs.one_pass(self.game):
            return super().closed_set(result, limits)
        from solver.certify import runs_set

        return runs_set(self.game, result, limits)
