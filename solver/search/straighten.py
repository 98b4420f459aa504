"""Shorter lines from long ones: leave out what a line does only to undo it.

A depth-first search finds lines that wander: a card goes to and fro, a position comes back
under another name. `straighten` keeps to the positions of the line, but takes the fewest
moves through them that lead on. It looks at no new position but their successors, so it is
cheap; it does not find the shortest line (see `solver.search.shortest`).

Why it is sound. Positions with equal keys have successors with equal keys, and are won or
not alike (`rules.game`). So whenever a move leads to the key of a later position of the
line, the rest of the line can be followed from there, move by move, by keys. The referee
replays the result all the same.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from rules.game import Game, State
from rules.moves import Move
from rules.referee import replay
from solver.search.follow import line_through


def straighten(game: Game, state: State, line: Sequence[Move]) -> tuple[Move, ...]:
    """A line from *state* to a position equal to the end of *line*, and no longer than it."""
    moves, states = replay(game, state, line)
    keys = [game.key(node) for node in states]
    last = {key: place for place, key in enumerate(keys)}
    end = last[keys[-1]]
    needed = {end: 0}
    way = {}
    for place in sorted(last.values(), reverse=True)[1:]:
        ahead = {last.get(game.key(after), -1) for _, after in game.successors(states[place])}
        way[place] = min((goal for goal in ahead if goal > place), key=lambda goal: needed[goal])
        needed[place] = needed[way[place]] + 1
    place, taken = last[keys[0]], list[Hashable]()
    while place != end:
        place = way[place]
        taken.append(keys[place])
    return line_through(game, state, taken) if len(taken) < len(moves) else tuple(moves)
