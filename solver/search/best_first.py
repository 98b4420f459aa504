"""Bounded best-first search for short winning lines.

The frontier is a `SortedKeyList` ordered by a guess (the family's `promise`); when it
grows beyond its width the worst entries are dropped. So this search can prove "winnable",
by the line that it finds, and never "unwinnable": an exhausted frontier proves nothing.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from sortedcontainers import SortedKeyList

from rules.game import Game, State
from rules.moves import Move
from rules.referee import replay
from solver.families import support
from solver.search.depth_first import Outcome, Table
from solver.verdict import DEFAULT_LIMITS, Clock, Limits, Verdict

Link = tuple[Any, Move] | None


def best_first(
    game: Game, state: State, limits: Limits = DEFAULT_LIMITS, *, width: int = 5_000
) -> Outcome:
    """Look for a winning line from *state*; the outcome is ``WINNABLE`` or ``UNKNOWN``.

    *width*: entries kept in the frontier. ``positions``: positions expanded or generated
    once each. With an exhausted frontier ``limit`` is None and the verdict ``UNKNOWN``.
    """
    if width < 1:
        raise ValueError(f"width must be at least 1, not {width}")
    clock, outcome, table = Clock(limits), Outcome(), Table()
    guess = support(game).promise
    serial = 0
    frontier = SortedKeyList(key=lambda entry: entry[:2])
    table.add(game.key(state))
    outcome.stats.positions = 1
    if game.is_won(state):
        return _won(game, state, None, outcome, clock)
    frontier.add((guess(state, 0), serial, state, None, 0))
    while frontier:
        outcome.limit = clock.hit(outcome.stats.positions, table.memory)
        if outcome.limit is not None:
            break
        _, _, node, link, depth = frontier.pop(0)
        outcome.stats.depth = max(outcome.stats.depth, depth)
        for move, after in game.successors(node):
            key: Hashable = game.key(after)
            if key in table.keys:
                outcome.stats.transpositions += 1
                continue
            table.add(key)
            outcome.stats.positions += 1
            chain = (link, move)
            if game.is_won(after):
                return _won(game, state, chain, outcome, clock)
            serial += 1
            frontier.add((guess(after, depth + 1), serial, after, chain, depth + 1))
            if len(frontier) > width:
                frontier.pop()
    outcome.stats.seconds = clock.seconds
    outcome.stats.memory = table.memory
    return outcome


def _won(game: Game, start: State, link: Link, outcome: Outcome, clock: Clock) -> Outcome:
    outcome.line = tuple(replay(game, start, unchain(link))[0])
    outcome.verdict = Verdict.WINNABLE
    outcome.stats.seconds = clock.seconds
    return outcome


def unchain(link: Link) -> list[Move]:
    """The moves of a chain of ``(earlier chain, move)`` pairs, first move first."""
    moves = []
    while link is not None:
        link, move = link
        moves.append(move)
    moves.reverse()
    return moves
