"""Many deals in one call: which games have a kernel for that, and what it finds.

The one place where surveys, `find` and `bench` ask. The kernels shuffle and decide small deals
without looking at the limits; what outgrows their tables is searched by itself, within them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from rules.decks import Deal
from rules.families.decade import Decade
from rules.families.pairing import Pairing
from rules.game import Game
from solver.families import support
from solver.verdict import Limits

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


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

    def deal(self, index: int, game: Game[Any]) -> Deal:
        return game.make_deal(self.numbering, self.number + index)


@dataclass(frozen=True, slots=True)
class Decided:
    """What was found of the deals of a chunk, one array entry a deal, in their order.

    ``won``: whether a win was found. ``decided``: False where a limit was reached; then a deal
    that was not won may yet be winnable. Games that are searched have ``left``, the fewest
    cards that any line leaves, and ``positions``, the number visited; games that are played
    out have ``removed``, the number of cards removed in the end. Else these are None.
    """

    won: NDArray[np.bool_]
    decided: NDArray[np.bool_]
    left: NDArray[np.uint8] | None = None
    positions: NDArray[np.int64] | None = None
    removed: NDArray[np.uint8] | None = None


Batch = Callable[[Chunk, Limits], Decided]


def find_batch(game: Game[Any], reductions: tuple[str, ...], numbering: str = "") -> Batch | None:
    """The way to decide many deals of *game* at once, or None if there is none.

    *numbering*: of the deals (``""`` for our own); shuffles of the others are not compiled.
    """
    return support(game).batch(reductions, numbering)


def play_pairing(game: Pairing, chunk: Chunk) -> Decided:
    """The deals of *chunk*, played out."""
    import numpy as np

    from solver.kernels import pairing

    if chunk.numbering:
        decks = [list(chunk.deal(index, game).deck) for index in range(chunk.size)]
        found = pairing.survey_decks(game, np.array(decks, np.int8))
    else:
        found = pairing.survey_own(game, chunk.number, chunk.size)
    return Decided(found.won, np.ones(chunk.size, np.bool_), removed=found.removed)


def search_decade(
    game: Decade, reductions: tuple[str, ...], chunk: Chunk, limits: Limits
) -> Decided:  # fmt: skip
    """The deals of *chunk*, which are our own, searched."""
    from solver.kernels.decade import searches as decade

    found = decade.survey_own(game, chunk.number, chunk.size, reductions, limits)
    return Decided(found.won, found.decided, left=found.left, positions=found.positions)
