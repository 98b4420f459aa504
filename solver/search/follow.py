"""From positions, as their keys tell them, back to the steps that lead through them."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any

from rules.game import Game
from rules.moves import Move
from solver.search.space import GameSpace, Space


def follow(space: Space, keys: Iterable[Hashable]) -> list[Any]:
    """The steps from the start of *space* through positions with these *keys*, one after another.

    Raises RuntimeError if there are none: then whoever found the positions is wrong.
    """
    steps = []
    at = space.start
    for key in keys:
        for step, after in space.successors(at):
            if space.key(after) == key:
                steps.append(step)
                at = after
                break
        else:
            raise RuntimeError(f"no way from {at} to {key}")
    return steps


def line_through(game: Game[Any], state: Any, keys: Iterable[Hashable]) -> tuple[Move, ...]:
    """The moves of the rules from *state* through positions with these *keys*, replayed."""
    space = GameSpace(game, state)
    return space.line(follow(space, keys))
