"""Why a deal is lost, in facts that are true of every line of play. One module per family.

Each fact is gathered over positions, never guessed, and is left out (with a note that says
so) where a limit was reached first. `why_lost` asks the family's row in `solver.families`.
"""

from __future__ import annotations

from rules.game import Game, State
from rules.moves import Move
from solver.analysis.reasons.facts import Reasons
from solver.families import support
from solver.verdict import DEFAULT_LIMITS, Limits

__all__ = ["Reasons", "why_lost"]


def why_lost(
    game: Game,
    state: State,
    *,
    limits: Limits = DEFAULT_LIMITS,
    engine: str = "auto",
    best: tuple[Move, ...] | None = None,
) -> Reasons:
    """The reasons why *state*, which is proved lost, is lost.

    *limits*: for the search that gathers the facts; it may take longer than the proof did.
    *best*: where cards are counted, the line that is proved to leave fewest, if it is known.
    """
    return support(game).reasons(state, limits, engine, best)
