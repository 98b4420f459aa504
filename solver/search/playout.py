"""Games without decisions are played, not searched: one playthrough decides the deal."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, Literal

from rules.game import Game, State
from rules.moves import Move
from solver.search.depth_first import Outcome
from solver.verdict import Clock, Limits, Verdict

Ending = Literal["won", "lost", "drawn"]


def play_out(game: Game, state: State, limits: Limits) -> tuple[Outcome, Ending | None]:
    """Take the first successor until the deal is won, nothing can move, or a key repeats.

    For games whose ``decision_free`` is true this is the verdict. The ending is None if a
    limit was reached. Where cards are counted play goes on after a win as long as a
    discard is open, so that ``best_left`` is what the deal comes to.
    """
    clock = Clock(limits)
    outcome = Outcome()
    stats = outcome.stats
    line: list[Move] = []
    seen: set[Hashable] = set()
    ending: Ending | None = None
    while ending is None:
        outcome.limit = clock.hit(stats.positions, 0)
        if outcome.limit is not None:
            break
        stats.positions += 1
        key = game.key(state)
        if key in seen:
            ending = "drawn"
            break
        seen.add(key)
        won = game.is_won(state)
        step = None if won and not game.counts_cards else next(game.successors(state), None)
        if step is None:
            ending = "won" if won else "lost"
        else:
            line.append(step[0])
            state = step[1]
    stats.depth = len(line)
    stats.seconds = clock.seconds
    outcome.complete = ending is not None
    if ending is not None:
        outcome.verdict = Verdict.WINNABLE if ending == "won" else Verdict.UNWINNABLE
        outcome.best_left = game.cards_left(state) if game.counts_cards else None
        if ending == "won" or game.counts_cards:
            outcome.line = tuple(line)
    return outcome, ending


def play_on(game: Game, state: State) -> tuple[tuple[Move, ...], Any]:
    """The first legal move again and again, until there is none or a position comes back.

    The line, and the state at its end.
    """
    line: list[Move] = []
    seen: set[Hashable] = set()
    while (key := game.key(state)) not in seen:
        seen.add(key)
        step = next(game.successors(state), None)
        if step is None:
            break
        line.append(step[0])
        state = step[1]
    return tuple(line), state
