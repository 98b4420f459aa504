"""The fewest moves to a win, proved: A* over the states of the rules.

Positions are expanded in the order of *moves made + moves needed at least* (the family's
`moves_needed`, which never overestimates and is consistent), each key once, so the first win
that is expanded has the fewest moves. Equal keys stand for states that are won by lines of
equal length; that is what the canonical keys of the rules promise.
"""

from __future__ import annotations

import heapq
from collections.abc import Hashable
from typing import Any

from rules.game import Game, State
from rules.referee import replay
from solver.families import support
from solver.search.best_first import Link, unchain
from solver.search.depth_first import Outcome, Table
from solver.verdict import DEFAULT_LIMITS, Clock, Limits, Verdict


def shortest(game: Game, state: State, limits: Limits = DEFAULT_LIMITS) -> Outcome:
    """A winning line of fewest moves, or the proof that there is none, or ``UNKNOWN``."""
    clock, outcome, table = Clock(limits), Outcome(), Table()
    stats = outcome.stats
    needed = support(game).moves_needed
    best: dict[Hashable, int] = {game.key(state): 0}
    # Deeper positions first among equals: ties then run straight to a win.
    frontier: list[tuple[int, int, int, Any, Link]] = [(needed(state), 0, 0, state, None)]
    serial = 0
    while frontier:
        _, minus_depth, _, node, link = heapq.heappop(frontier)
        depth = -minus_depth
        key = game.key(node)
        if best[key] < depth or key in table.keys:
            continue
        outcome.limit = clock.hit(stats.positions, table.memory * 2)
        if outcome.limit is not None:
            break
        table.add(key)
        stats.positions += 1
        stats.depth = max(stats.depth, depth)
        if game.is_won(node):
            outcome.line = tuple(replay(game, state, unchain(link))[0])
            outcome.verdict = Verdict.WINNABLE
            break
        for move, after in game.successors(node):
            new = game.key(after)
            if new in table.keys or best.get(new, depth + 2) <= depth + 1:
                stats.transpositions += 1
                continue
            best[new] = depth + 1
            serial += 1
            total = depth + 1 + needed(after)
            heapq.heappush(frontier, (total, -depth - 1, serial, after, (link, move)))
    else:
        outcome.verdict = Verdict.UNWINNABLE
    outcome.complete = outcome.limit is None
    stats.seconds = clock.seconds
    stats.memory = table.memory * 2
    return outcome
