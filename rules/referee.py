"""The referee: replays a line of play and names the first illegal move and why.

Uses nothing but the rules. Every line that the solver shows has been through it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rules.errors import IllegalMove, MoveError
from rules.game import Game, State
from rules.moves import Move


def replay(game: Game, state: State, line: Iterable[Move]) -> tuple[list[Move], list[Any]]:
    """Play *line* from *state*: the moves with shown cards filled in, and all states.

    The states are one more than the moves, *state* first. Raises `IllegalMove` for the
    first move that is not legal.
    """
    moves: list[Move] = []
    states = [state]
    for index, move in enumerate(line):
        try:
            full, after = game.play(states[-1], move)
        except MoveError as error:
            raise IllegalMove(index, str(move), str(error)) from None
        moves.append(full)
        states.append(after)
    return moves, states
