"""``safe`` (left family): foundation moves that cannot hurt are played at once.

In terms of `solver.reductions.klondike.runs`. A card is *unwanted* as a parent if its rank is 1 or
2, or both foundations of the other colour have reached its rank less one, or both have reached
its rank less two and the other one of its own colour its rank less three.

**The rule.** If an unwanted card can go to its foundation, it goes at once and nothing else is
looked at. That holds for

* every loose card;
* a card on face-down cards, unless gaps fill from the next column;
* the top of the waste, if gaps do not fill from the waste; or only when the stock is used up
  (because it comes before the waste in the list, or because it is used up already), and not
  while the next column could give;
* the only anchored card of a column, unless gaps fill from the next column, when the stock is
  used up; or holds one card and the list is ``stock, waste``.

In suit, and where every card of stock and waste can be had at any time, it is the same: in suit
every card is unwanted, for what fits on a card that is next is up; and where nothing fills from
stock or waste, what is left of them is as in A, less x.

**Why.** Let A be a line that wins without the move; it plays the card x at some later time.
Let B play x now and then follow A, leaving out x's later moves. B is never longer than A.

1. *Nobody misses x as a parent.* In the first two cases no card fits on x, or those that do
   are aces or on their foundations (an ace can go up whenever it could go onto x). In the
   third the two cards that fit on x are next for their foundations or there already. Where A
   puts one of them, c, onto x, B plays it to its foundation, where c is unwanted in its turn:
   what fits on c has a rank of at most x's less two and x's colour, so it is on its foundation
   or next for it. By induction on the rank B can follow.
2. *Places.* x's going takes away one place for the cards that fit on it, which by 1 nobody
   wants, and gives one back to its own class if it was loose.
3. *No column is emptied* (loose cards, cards on face-down cards): no gap is filled, the stock
   and the waste are as in A. A card under x comes into view earlier, which only adds places.
   With ``next-column`` that card might be pulled into a gap instead of x; so it is left out.
4. *The top of the waste.* Without it the waste is as in A, less x, until a gap in A takes x. By
   the condition that happens only when the stock is used up, and at the right-hand end of the
   columns. Then B's gap takes the next card v of the waste, which in A is reachable too, as the
   top of the waste. When v is played in A, the next card comes up; in B v leaves a gap, which
   takes that card. So B stays one card ahead until x leaves its column in A; then A's gap takes
   what B's has taken, and they are equal. If cards could still be dealt this would fail: A
   could bury v under the stock while x keeps the column for a later card.
5. *Bases.* B's gap takes v where A keeps x: the same as in 4. With one card left in the stock
   and ``stock, waste``, v is that card, which can be dealt at any time and on top of
   which nothing is dealt. With two the argument fails, and so does the rule.
"""

from __future__ import annotations

from typing import Final, Literal

from rules.cards import Card
from rules.families.klondike import NEXT_COLUMN, STOCK, WASTE
from solver.reductions.klondike.runs import Board, by_rank

NAME: Final = "safe"
SUMMARY: Final = "foundation moves that cannot hurt are played at once"

When = Literal["always", "without stock", "never"]


def waste_is_safe(fill: tuple[str, ...]) -> When:
    """When the rule holds for the top of the waste under a list of fills."""
    if WASTE not in fill:
        return "always"
    before = fill[: fill.index(WASTE)]
    if NEXT_COLUMN in fill and NEXT_COLUMN not in before:
        return "never"
    return "always" if STOCK in before else "without stock"


def spare_stock(fill: tuple[str, ...]) -> int:
    """The most cards in the stock with which the rule holds for bases; -1 if it never does."""
    if NEXT_COLUMN in fill:
        return -1
    return 1 if fill == (STOCK, WASTE) else 0


def is_unwanted(board: Board, card: Card) -> bool:
    """Whether no card will be put onto *card* that could not go to its foundation instead."""
    if card.rank <= 2 or board.layout.in_suit:
        return True
    red, heights = card.is_red, board.foundations
    other = min(heights[suit] for suit in ((0, 3) if red else (1, 2)))
    own = min(heights[suit] for suit in ((1, 2) if red else (0, 3)) if suit != card.suit)
    return other >= card.rank - 1 or (other >= card.rank - 2 and own >= card.rank - 3)


def waste_card_is_safe(board: Board, card: Card) -> bool:
    """Whether *card*, which can be had from the waste, must go to its foundation."""
    when = waste_is_safe(board.layout.fill)
    if when == "never" or (when == "without stock" and board.undealt):
        return False
    return board.is_next(card) and is_unwanted(board, card)


def safe_card(board: Board) -> Card | None:
    """The card that must go to its foundation now, if any."""
    candidates = set(board.loose)
    if not board.layout.ordered:
        candidates.update(board.heads)
    if len(board.undealt) <= spare_stock(board.layout.fill):
        candidates.update(board.base_cards)
    wanted = [c for c in candidates if board.is_next(c) and is_unwanted(board, c)]
    if wanted:
        with_place = board.placed()
        for card in sorted(wanted, key=by_rank):
            if board.sheds(card, with_place):
                return card
    return next((card for card in board.reach if waste_card_is_safe(board, card)), None)
