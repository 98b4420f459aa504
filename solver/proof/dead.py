"""Dead classes (left family): lost even if nothing ever got in the way.

Written from its definition (``docs/certificates.md``), independently of the search. An easier
game is played out in which whatever was possible once stays possible. Each of the following
can only grow, and the class is dead if, when nothing grows any more, some card is not up.

``heights``  of the foundations;
``seen``     cards that have been in view, and so serve as parents for ever;
``met``      cards that may be moved: in view, the waste's top, all of the stock;
``gone``     cards that have left their place by a move;
``emptied``  columns that have been empty, now or at some time;
``kings``    whether a king, or what is the highest rank, may have moved to a space.

The rules by which they grow:

1. A met card goes up after the one before it, if it is an ace, comes from stock or waste, or
   the cards that fit on it have a place. (The places of two cards of one rank and colour: their
   parents seen, less those of the two that are loose at the beginning and not up.)
2. A met card that is up, or has a place, or is of the highest rank with ``kings``, is gone. With
   an anchored card gone, the card face down under it is seen and met; with none under it, one
   more column has been emptied. A card of stock or waste that is gone is seen.
3. With a column emptied: if gaps fill from stock or waste, the stock is seen; if from the next
   column, all cards face down are seen and met, and ``emptied`` has no bound.
4. Call a card stuck if it is neither up nor has a place. The waste is met from the top down to
   the first stuck card, this included; and further as long as the stuck ones above (and those in
   the stock, if that is the first source and the next column is none) are no more than
   ``emptied``, if gaps fill from the waste; those that fill are seen. A card of the highest rank
   does not stop it with ``kings``, if gaps do not fill from the waste.
5. ``kings`` holds with a column emptied; if gaps fill from both stock and waste and not from
   the next column, only with more emptied than cards of stock and waste stuck.
"""

from __future__ import annotations

from rules.cards import CARDS, Card
from rules.families.klondike import NEXT_COLUMN, STOCK, WASTE, Klondike, KlondikeState

_UNBOUNDED = 1000


def is_dead(game: Klondike, state: KlondikeState) -> bool:
    """Whether the class of *state* is dead."""
    return _Easier(game, state).stops_short()


class _Easier:
    def __init__(self, game: Klondike, state: KlondikeState) -> None:
        self.ranks = game.ranks
        self.from_stock, self.from_waste = STOCK in game.fill, WASTE in game.fill
        self.from_next = NEXT_COLUMN in game.fill
        self.stock_first = game.fill[:1] == (STOCK,)
        self.stock, self.waste = state.stock, state.waste
        self.dealt_in = frozenset(state.stock + state.waste)
        self.heights = list(state.foundations)
        self.hidden = {card for down, _ in state.columns for card in down}
        # What lies under each anchored card, the nearest last.
        self.under = {up[0]: down for down, up in state.columns if up}
        self.loose = {card for _, up in state.columns for card in up[1:]}
        self.seen = {card for _, up in state.columns for card in up}
        self.met = self.seen.union(state.stock, state.waste[-1:])
        self.gone: set[Card] = set()
        self.emptied = sum(not up for _, up in state.columns)
        self.kings = False

    def stops_short(self) -> bool:
        grown = True
        while grown:
            before = self._extent()
            self._raise()
            self._leave()
            self._gaps()
            self._uncover_waste()
            grown = self._extent() != before
        return sum(self.heights) < 4 * self.ranks

    def _extent(self) -> tuple[int, ...]:
        return (
            sum(self.heights), len(self.seen), len(self.met), len(self.gone), self.emptied,
            self.kings,
        )  # fmt: skip

    def _up(self, card: Card) -> bool:
        return card.rank <= self.heights[card.suit]

    def _places(self, rank: int, red: bool) -> int:
        """Of the two cards of *rank* and colour: parents seen less those of them loose."""
        own, other = ((1, 2), (0, 3)) if red else ((0, 3), (1, 2))
        if rank == self.ranks:
            return 0
        count = sum(Card.of(rank + 1, suit) in self.seen for suit in other)
        for suit in own:
            card = Card.of(rank, suit)
            count -= card in self.loose and not self._up(card)
        return count

    def _stuck(self, card: Card) -> bool:
        return not self._up(card) and self._places(card.rank, card.is_red) <= 0

    def _raise(self) -> None:
        again = True
        while again:
            again = False
            for suit in range(4):
                if self.heights[suit] == self.ranks:
                    continue
                card = Card.of(self.heights[suit] + 1, suit)
                bare = card in self.dealt_in or card.rank == 1
                if card in self.met and (bare or self._places(card.rank - 1, not card.is_red) > 0):
                    self.heights[suit] += 1
                    again = True

    def _leave(self) -> None:
        for card in CARDS[: 4 * self.ranks]:
            if card not in self.met or card in self.gone:
                continue
            if self._stuck(card) and not (self.kings and card.rank == self.ranks):
                continue
            self.gone.add(card)
            if card in self.dealt_in:
                self.seen.add(card)
            elif card in self.under:
                below = self.under[card]
                if below:
                    self.under[below[-1]] = below[:-1]
                    self.seen.add(below[-1])
                    self.met.add(below[-1])
                else:
                    self.emptied += 1

    def _gaps(self) -> None:
        if not self.emptied:
            return
        if self.from_stock or self.from_waste:
            self.seen.update(self.stock)
        if self.from_next:
            self.emptied = _UNBOUNDED
            self.seen |= self.hidden
            self.met |= self.hidden
        if self.from_stock and self.from_waste and not self.from_next:
            self.kings = sum(map(self._stuck, self.dealt_in)) < self.emptied
        else:
            self.kings = True

    def _uncover_waste(self) -> None:
        waiting = 0
        if self.from_waste and self.stock_first and not self.from_next:
            waiting = sum(map(self._stuck, self.stock))
        stopped = False
        for card in reversed(self.waste):
            if stopped and not (self.from_waste and waiting <= self.emptied):
                return
            self.met.add(card)
            passes = self.kings and card.rank == self.ranks and not self.from_waste
            if self._stuck(card) and not passes:
                stopped = True
                waiting += 1
                if self.from_waste and waiting <= self.emptied:
                    self.seen.add(card)
