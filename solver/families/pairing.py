"""What the solver can do for the pairing family."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rules.cards import Card
from rules.families.pairing import Pairing, PairingState
from solver.families.defaults import Support

if TYPE_CHECKING:
    from rules.moves import Move
    from solver.analysis.reasons.facts import Reasons
    from solver.kernels.batch import Batch
    from solver.odds import Odds
    from solver.verdict import Limits


class PairingSupport(Support[Pairing, PairingState]):
    """Every move takes cards away; games without decisions are played out by the thousand."""

    @functools.cached_property
    def _largest(self) -> int:
        return max((len(ranks) for ranks in self.game.removable), default=1)

    def moves_needed(self, state: PairingState) -> int:
        """Every removal takes at most the largest set of the cards that must go."""
        must_go = self.game.must_go
        count = sum(card is not None and card.rank in must_go for card in state.slots)
        count += sum(card.rank in must_go for card in state.stock)
        return -(-count // self._largest)

    def is_acyclic(self, names: tuple[str, ...]) -> bool:
        return True

    def batch(self, names: tuple[str, ...], numbering: str) -> Batch | None:
        if not self.game.decision_free:
            return None
        from solver.kernels.batch import play_pairing

        return lambda chunk, limits: play_pairing(self.game, chunk)

    def reasons(
        self, state: PairingState, limits: Limits, engine: str, best: tuple[Move, ...] | None = None
    ) -> Reasons:
        from solver.analysis.reasons.pairing import pairing_reasons

        return pairing_reasons(self.game, state, limits)

    def no_odds(self) -> str | None:
        if self.game.decision_free:
            return None
        return "a rank belongs to two removable sets, so the player decides"

    def odds(self, most_states: int) -> Odds:
        from solver.odds import pairing_odds

        return pairing_odds(self.game, most_states)

    def cards_removed(self, deck: Sequence[Card]) -> int | None:
        if not self.game.decision_free:
            return None
        from solver.odds import cards_removed

        return cards_removed(self.game, deck)
