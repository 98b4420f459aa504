"""What the solver can do for the decade family."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rules.families.decade import Decade, DecadeState
from solver.families.defaults import Support

if TYPE_CHECKING:
    from rules.moves import Move
    from solver.analysis.reasons.facts import Reasons
    from solver.kernels import Kernel
    from solver.kernels.batch import Batch
    from solver.reductions import Reduction
    from solver.search.space import Space
    from solver.verdict import Limits


class DecadeSupport(Support[Decade, DecadeState]):
    """Without returns, every move deals or discards."""

    def moves_needed(self, state: DecadeState) -> int:
        """With one stack every card of the stock is dealt by a move of its own."""
        return len(state.stock) if self.game.stacks == 1 and not self.game.returns else 0

    def promise(self, state: DecadeState, moves: int) -> float:
        return len(state.stock) + sum(len(stack) for stack in state.stacks if stack)

    def is_acyclic(self, names: tuple[str, ...]) -> bool:
        return not self.game.returns

    @classmethod
    def reductions(cls) -> tuple[Reduction, ...]:
        from solver.reductions import Reduction
        from solver.reductions.decade import floor, newest

        return (
            Reduction(newest.NAME, newest.SUMMARY, newest.applies),
            Reduction(floor.NAME, floor.SUMMARY, floor.applies),
        )

    def space(self, state: DecadeState, names: tuple[str, ...]) -> Space:
        if not names:
            return super().space(state, names)
        from solver.reductions.decade.space import DecadeSpace

        return DecadeSpace(self.game, state, names)

    def head_start(self, names: tuple[str, ...]) -> int | None:
        return 10_000

    def kernel(self, names: tuple[str, ...]) -> Kernel | None:
        from solver.kernels.decade import searches

        return searches.solve

    def batch(self, names: tuple[str, ...], numbering: str) -> Batch | None:
        if self.game.decision_free or numbering:
            return None
        from solver.kernels.batch import search_decade

        return lambda chunk, limits: search_decade(self.game, names, chunk, limits)

    def reasons(
        self, state: DecadeState, limits: Limits, engine: str, best: tuple[Move, ...] | None = None
    ) -> Reasons:
        from solver.analysis.reasons.decade import decade_reasons

        return decade_reasons(self.game, state, limits, best)

    def no_odds(self) -> str | None:
        if self.game.decision_free:
            return "its cards come back into play, so it is no walk over counts"
        return super().no_odds()
