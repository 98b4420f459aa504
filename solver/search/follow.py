"""From positions, as their keys tell them, back to the steps that lead through them."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any, Protocol, runtime_checkable

from rules.game import Game, State
from rules.moves import Move
from solver.search.space import GameSpace, Space


def follow(space: Space, keys: Iterable[Hashable]) -> list[Any]:
    """The steps from the start of *space* through positions with these *keys*, one after another.

    Raises RuntimeError if there are none: then whoever found the positions is wrong.
    """
    steps = []
    at = space.start
    for key in keys:
        step, at = step_to(space, at, key)
        steps.append(step)
    return steps


def step_to(space: Space, node: State, key: Hashable) -> tuple[Any, Any]:
    """The step from *node* to its successor with this *key*, and that successor.

    Raises RuntimeError if there is none.
    """
    if isinstance(space, TellsSteps):  # its nodes are its keys
        step = space.step_to(node, key)
        if step is not None:
            return step, key
    else:
        for step, after in space.successors(node):
            if space.key(after) == key:
                return step, after
    raise RuntimeError(f"no way from {node} to {key}")


@runtime_checkable
class TellsSteps(Protocol):
    """A space whose nodes are their own keys, and that finds a step sooner than by trying all."""

    def step_to(self, node: State, goal: Any) -> Any | None:
        """The step from *node* to its successor *goal*, or None."""


def line_through(game: Game, state: State, keys: Iterable[Hashable]) -> tuple[Move, ...]:
    """The moves of the rules from *state* through positions with these *keys*, replayed."""
    space = GameSpace(game, state)
    return space.line(follow(space, keys))
