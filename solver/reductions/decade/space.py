"""The space of a Decade game under its reductions."""

from __future__ import annotations

import functools

from rules.families.decade import Decade, DecadeState
from solver.reductions.decade import floor, newest
from solver.search.space import GameSpace


class DecadeSpace(GameSpace):
    """The states of the rules; fewer successors (`newest`), a higher floor (`floor`)."""

    def __init__(self, game: Decade, state: DecadeState, names: tuple[str, ...]) -> None:
        super().__init__(game, state)
        self.floor = 0
        if newest.NAME in names:
            self.successors = functools.partial(newest.successors, game, len(state.stock))
        if floor.NAME in names:
            self.floor = floor.floor(game, (*(state.stacks[0] or ()), *state.stock))
