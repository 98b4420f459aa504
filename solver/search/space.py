"""The space that a search walks through: positions, successors, keys.

The reference search knows nothing else about a game. `GameSpace` is the plain one: the
states of the rules themselves. A reduction may put another in its place (fewer successors,
or positions in a compressed form) as long as the verdict stays the same; see
``solver.reductions``.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import Any, Protocol

from rules.game import Game
from rules.moves import Move
from rules.referee import replay


class Space(Protocol):
    """What a search needs. Nodes are immutable; equal keys stand for equal prospects."""

    @property
    def start(self) -> Any:
        """The node that the search begins at."""

    def successors(self, node: Any) -> Iterator[tuple[Any, Any]]:
        """``(step, node)`` for every way on from *node*, in a fixed order."""

    def key(self, node: Any) -> Hashable:
        """The key under which *node* is looked up in the transposition table."""

    def is_won(self, node: Any) -> bool:
        """Whether *node* is a win."""

    def cards_left(self, node: Any) -> int | None:
        """Cards left if play is over at *node*, where cards are counted; else None."""

    @property
    def counts_cards(self) -> bool:
        """Whether the search is for the fewest cards left, not only for a win."""

    def line(self, steps: Sequence[Any]) -> tuple[Move, ...]:
        """The moves of the rules that take *steps*, replayed by the referee."""


class GameSpace:
    """The states of a game as its rules define them: nothing is left out."""

    def __init__(self, game: Game, state: Any) -> None:
        self.game = game
        self.start = state
        self.successors = game.successors
        self.key = game.key
        self.is_won = game.is_won
        self.cards_left = game.cards_left
        self.counts_cards = game.counts_cards

    def line(self, steps: Sequence[Any]) -> tuple[Move, ...]:
        return tuple(replay(self.game, self.start, steps)[0])
