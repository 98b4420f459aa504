"""Why a deal is lost, in facts that are true of every line of play. One module per family.

Each fact is gathered over positions, never guessed, and is left out (with a note that says
so) where a limit was reached first. `why_lost` picks the module.
"""

from __future__ import annotations

from typing import Any

from rules.families.decade import Decade
from rules.families.klondike import Klondike
from rules.families.pairing import Pairing
from rules.game import Game
from solver.analysis.reasons.facts import Reasons
from solver.verdict import DEFAULT_LIMITS, Limits

__all__ = ["Reasons", "why_lost"]


def why_lost(
    game: Game[Any],
    state: Any,
    *,
    limits: Limits = DEFAULT_LIMITS,
    engine: str = "auto",
) -> Reasons:
    """The reasons why *state*, which is proved lost, is lost.

    *limits*: for the search that gathers the facts; it may take longer than the proof did.
    """
    if isinstance(game, Klondike):
        from solver.analysis.reasons.klondike import klondike_reasons

        return klondike_reasons(game, state, limits, engine)
    if isinstance(game, Decade):
        from solver.analysis.reasons.decade import decade_reasons

        return decade_reasons(game, state, limits)
    assert isinstance(game, Pairing)
    from solver.analysis.reasons.pairing import pairing_reasons

    return pairing_reasons(game, state, limits)
