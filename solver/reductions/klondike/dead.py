"""``dead`` (left family): positions that are lost even if nothing ever gets in the way.

In terms of `solver.reductions.klondike.runs`. Suppose that what comes into view stays there for
ever as a parent, that cards find a place without taking it from others, and that a card that could
be moved at some time can be moved at any time. What can happen in this easier game only grows; let
it grow until nothing is added. If some card has not reached its foundation even so, the position
is lost.

**What is kept up** (for any line of play from the position, all of it holds at all times)

``up``      has every card that is on its foundation;
``seen``    has every card that has been in view;
``met``     has every card that has been movable: in view, or the top of the waste. Cards of the
            stock count as met from the beginning, for they may be dealt;
``left``    has every anchored card that has left its column;
``emptied`` is no less than the number of columns that have been empty at some time.

**What is added, and why that is enough**

* A card goes up only after the one before it, when met, and, if in view, when its children's class
  has a place. Places are counted with all of ``seen`` in view and only those cards loose that are
  loose now and not in ``up``: such a card stays loose until it is up.
* A card is *able* if it is in ``up`` or its class has a place, counted so. An anchored card
  that leaves its column by a move is able, or is a king that found a space.
* When a card on face-down ones leaves, the next comes into view. When the only anchored card of a
  column leaves, the column is empty for a moment: ``emptied`` grows by one, a column being
  counted once however often it is emptied.
* A card that is not able never leaves a column that it has filled as a base. At any time these
  *stuck* cards lie in different columns, all of which have been emptied; so there are never more
  stuck cards than ``emptied``. Hence:

  * *The waste.* A card in it is met only when all above it have gone. Those that are not able can
    only have filled gaps: they are stuck, and there are at most ``emptied`` of them. If the stock
    is first in the list, the waste fills gaps only when the stock is used up; then the cards of
    the stock that are not able are stuck, too, and count.
  * *Kings.* If both stock and waste fill gaps, there is a space only when both are used up. All
    their cards that are not able are stuck, and the space is one more column.

* Once some column has been emptied, every card of the stock may have filled a gap, if gaps fill
  from stock or waste at all.

If gaps fill from the next column, cards leave a column without a move of their own as soon as
some gap has come about. Then the sharp counts do not hold: from the first gap on everything face
down counts as seen and met, and stuck cards are not counted.

The test needs nothing about other reductions; it only reads a position.
"""

from __future__ import annotations

from typing import Final

from rules.cards import CARDS, Card
from rules.families.klondike import STOCK, WASTE
from solver.reductions.klondike.runs import Board, placed, sheds

NAME: Final = "dead"
SUMMARY: Final = "positions lost even if nothing gets in the way are not entered"

_MANY = 99  # more than there are columns or cards


def is_dead(board: Board) -> bool:
    """Whether the position on *board* is lost by the argument above."""
    return not _Easier(board).wins()


class _Easier:
    """The easier game, played out. The first fields are named in the module's docstring."""

    def __init__(self, board: Board) -> None:
        layout = board.layout
        self.up = list(board.foundations)
        self.seen = board.in_view
        self.stock, self.waste = set(board.undealt), board.waste
        self.met = self.seen | self.stock | set(self.waste[-1:])
        self.left: set[Card] = set()
        self.emptied = len(board.gaps)
        self.kings_leave = False
        self.able: set[Card] = set()
        self.ranks, self.columns = layout.ranks, layout.columns
        self.column_of, self.ordered = layout.column_of, layout.ordered
        self.loose = board.loose
        self.from_stock, self.from_waste = STOCK in layout.fill, WASTE in layout.fill
        self.fillers = self.stock if self.from_stock or self.from_waste else set()
        self.stock_first = layout.fill[:1] == (STOCK,)
        self.heads, self.bases = set(board.heads), set(board.base_cards)
        self.hidden = {
            card
            for column, down in zip(layout.columns, board.down, strict=True)
            for card in column[:down]
        }

    def wins(self) -> bool:
        """Let everything grow until nothing is added; whether all cards went up."""
        size: tuple[int, ...] = ()
        while size != (size := self._size()):
            with_place = placed(self.seen, {card for card in self.loose if not self._is_up(card)})
            self._go_up(with_place)
            if sum(self.up) == 4 * self.ranks:
                return True
            self.able = with_place.union(*(CARDS[s : 4 * self.up[s] : 4] for s in range(4)))
            for card in self.met - self.left:
                if card in self.able or (self.kings_leave and card.rank == self.ranks):
                    self._leave(card)
            if self.emptied and self.ordered:
                self.emptied = _MANY
                self.seen |= self.hidden
                self.met |= self.hidden
            if self.emptied:
                self.seen |= self.fillers
            self._meet_waste()
            self._free_kings()
        return False

    def _size(self) -> tuple[int, ...]:
        sets = (self.seen, self.met, self.left)
        return (sum(self.up), *map(len, sets), self.emptied, self.kings_leave)

    def _is_up(self, card: Card) -> bool:
        return self.up[card.suit] >= card.rank

    def _go_up(self, with_place: set[Card]) -> None:
        free = self.stock.union(self.waste)
        for suit, height in enumerate(self.up):
            for card in CARDS[suit + 4 * height : 4 * self.ranks : 4]:
                if card not in self.met or not (card in free or sheds(card, with_place)):
                    break
                self.up[suit] += 1

    def _leave(self, card: Card) -> None:
        self.left.add(card)
        if card in self.heads:
            column = self.columns[self.column_of[card]]
            place = column.index(card) - 1
            (self.heads if place else self.bases).add(column[place])
            self.seen.add(column[place])
            self.met.add(column[place])
        elif card in self.bases:
            self.emptied += 1
        if card in self.stock or card in self.waste:
            self.seen.add(card)

    def _meet_waste(self) -> None:
        stuck, covered = self._stuck_before_waste(), False
        for card in reversed(self.waste):
            if covered and not (self.from_waste and stuck <= self.emptied):
                return
            self.met.add(card)
            if card not in self.able and not self._goes_to_space(card):
                covered = True
                stuck += 1
                if self.from_waste and stuck <= self.emptied:
                    self.seen.add(card)

    def _goes_to_space(self, card: Card) -> bool:
        """Whether *card* may leave the waste for a space."""
        return self.kings_leave and card.rank == self.ranks and not self.from_waste

    def _stuck_before_waste(self) -> int:
        """Cards of the stock that are stuck when the waste first fills a gap."""
        if self.from_waste and self.stock_first and not self.ordered:
            return len(self.stock - self.able)
        return 0

    def _stuck_before_space(self) -> int:
        """Cards of stock and waste that are stuck when there is a space."""
        if self.from_stock and self.from_waste and not self.ordered:
            return len(self.stock.union(self.waste) - self.able)
        return 0

    def _free_kings(self) -> None:
        if self._stuck_before_space() < self.emptied:
            self.kings_leave = True
