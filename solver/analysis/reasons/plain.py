"""Why a deal is lost, as far as the search of any game tells: for families without a module."""

from __future__ import annotations

from rules.game import Game, State
from rules.words import plural
from solver.analysis.reasons.facts import Reasons
from solver.search.playout import play_out
from solver.solve import search_state
from solver.verdict import Limits


def plain_reasons(game: Game, state: State, limits: Limits, engine: str) -> Reasons:
    """The reasons for *state*, which is lost: how much was looked at, and the best there is."""
    if game.decision_free:
        outcome, _ = play_out(game, state, limits)
        if not outcome.complete:
            return Reasons(("The end was not reached within the limits.",), complete=False)
        moves = plural(len(outcome.line or ()), "move")
        text = f"Nothing is chosen: after {moves} play ends, and the deal is not won."
        return Reasons((text,), best_line=outcome.line)
    outcome, _ = search_state(game, state, (), limits, engine)
    if not outcome.complete:
        text = "What holds for every line of play was not found out within the limits."
        return Reasons((text,), best_line=outcome.line, complete=False)
    if game.counts_cards:
        text = f"No line leaves fewer than {plural(outcome.best_left or 0, 'card')}."
        return Reasons((text,), {"fewest_left": outcome.best_left}, outcome.line)
    count = plural(outcome.stats.positions, "position")
    return Reasons((f"Play can reach {count}, and none of them is a win.",))
