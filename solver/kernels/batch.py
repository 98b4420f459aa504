"""Many deals in one call: which games have a kernel for that, and what it finds.

The one place where surveys, `find` and `bench` ask. The kernels shuffle and decide small deals
without looking at the limits; what outgrows their tables is searched by itself, within them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from rules.decks import Deal
from rules.families.decade import Decade
from rules.families.pairing import Pairing
from rules.game import Game
from solver.families import support
from solver.verdict import Limits

if TYPE_CHECKING:
    from solver.kernels.decided import Decided


class Chunk(NamedTuple):
    """``size`` consecutive deals of a numbering, from ``number`` at ``place`` on."""

    place: int
    numbering: str
    number: int
    size: int

    def split(self, size: int) -> tuple[Chunk, Chunk]:
        """The first *size* deals, and the rest."""
        return (
            self._replace(size=size),
            Chunk(self.place + size, self.numbering, self.number + size, self.size - size),
        )

    def name(self, index: int) -> str:
        return f"{self.numbering}{self.number + index}"

    def deal(self, index: int, game: Game) -> Deal:
        return game.make_deal(self.numbering, self.number + index)


Batch = Callable[[Chunk, Limits], "Decided"]


def find_batch(game: Game, reductions: tuple[str, ...], numbering: str = "") -> Batch | None:
    """The way to decide many deals of *game* at once, or None if there is none.

    *numbering*: of the deals (``""`` for our own); shuffles of the others are not compiled.
    """
    return support(game).batch(reductions, numbering)


def play_pairing(game: Pairing, chunk: Chunk) -> Decided:
    """The deals of *chunk*, played out."""
    import numpy as np

    from solver.kernels import pairing

    if not chunk.numbering:
        return pairing.survey_own(game, chunk.number, chunk.size)
    decks = [list(chunk.deal(index, game).deck) for index in range(chunk.size)]
    return pairing.survey_decks(game, np.array(decks, np.int8))


def search_decade(
    game: Decade, reductions: tuple[str, ...], chunk: Chunk, limits: Limits
) -> Decided:  # fmt: skip
    """The deals of *chunk*, which are our own, searched."""
    from solver.kernels.decade import searches

    return searches.survey_own(game, chunk.number, chunk.size, reductions, limits)


def search_each(
    game: Game, reductions: tuple[str, ...], chunk: Chunk, limits: Limits
) -> Decided:  # fmt: skip
    """The deals of *chunk*, searched one by one without writing out the lines."""
    import numpy as np

    from solver.kernels.decided import Decided
    from solver.kernels.klondike import redeals

    won, decided = np.zeros(chunk.size, np.bool_), np.zeros(chunk.size, np.bool_)
    positions = np.zeros(chunk.size, np.int64)
    for index in range(chunk.size):
        state = game.initial(chunk.deal(index, game).deck)
        won[index], decided[index], positions[index] = redeals.decide(
            game, state, reductions, limits
        )
    return Decided(won, decided, positions=positions)
