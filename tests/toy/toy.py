"""The toy family, a small golf: cards go onto the waste if they are one rank higher or lower."""

from collections.abc import Iterator
from typing import ClassVar, NamedTuple

from rules.cards import Card
from rules.game import Game, Pile
from rules.moves import Move
from rules.options import Option, integer


class ToyState(NamedTuple):
    """``piles``, top last, and the ``waste``'s top, if any; ``stock``, next card first."""

    piles: tuple[tuple[Card, ...], ...]
    waste: Card | None
    stock: tuple[Card, ...]


class Toy(Game[ToyState]):
    family: ClassVar[str] = "toy"
    summary: ClassVar[str] = "play the piles onto the waste, up or down"
    table: ClassVar[tuple[Option, ...]] = (integer("ranks", 4, 2, 13, "ranks in the deck"),)

    @property
    def ranks(self) -> int:
        return int(str(self.options["ranks"]))

    def initial(self, deck: tuple[Card, ...]) -> ToyState:
        return ToyState((deck[:4], deck[4:8]), None, deck[8:])

    def successors(self, state: ToyState) -> Iterator[tuple[Move, ToyState]]:
        piles, waste, stock = state
        for i, pile in enumerate(piles):
            if pile and waste is not None and abs(pile[-1].rank - waste.rank) == 1:
                left = (*piles[:i], pile[:-1], *piles[i + 1 :])
                yield Move("move", pile[-1:], waste), ToyState(left, pile[-1], stock)
        if stock:
            yield Move("deal", shown=stock[:1]), ToyState(piles, stock[0], stock[1:])

    def is_won(self, state: ToyState) -> bool:
        return not any(state.piles)

    def key(self, state: ToyState) -> ToyState:
        return state

    def why_illegal(self, state: ToyState, move: Move) -> str:
        return "it is no card at the end of a pile next in rank to the waste's"

    def layout(self, state: ToyState) -> tuple[Pile, ...]:
        waste = () if state.waste is None else (state.waste,)
        columns = (Pile("column", str(n), pile) for n, pile in enumerate(state.piles, 1))
        return (Pile("stock", "stock", state.stock, len(state.stock)),
                Pile("waste", "waste", waste), *columns)  # fmt: skip

    def ruling(self) -> tuple[str, ...]:
        return ("Play all piles onto the waste, each card one rank higher or lower.",)
