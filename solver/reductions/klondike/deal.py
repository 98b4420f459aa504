"""``deal`` (left family): deals are put off until something needs them.

**The rule.** Instead of a single deal, the search tries "deal j cards, then one move that
depends on it", for every j. After a deal only these depend on it:

* playing the card just dealt, now the top of the waste;
* if gaps fill from the stock or the waste: a move that empties a column, since what comes
  into the gap depends on how far the stock is dealt.

If `safe` is in force and the card just dealt must go to its foundation, that is the only thing
to do at that j, and no further card is dealt first.

**Why.** Let a winning line deal and then make a move m that does not depend on it: m is not
the play of the card just dealt (so, if it is from the waste, impossible: that card covers
the others), and it empties no column, or gaps take nothing from stock and waste. Then m was
possible before the deal; it touches neither the stock nor the waste, and the deal after it deals
the same card into the same place: both orders end in the same position. So deals may be moved
to the right past such moves, the line getting no longer, until each is followed by another
deal, by a move that depends on it, or by nothing; the last ones do not win, and are left out.
The positions between the deals need not be looked at: their other ways on are covered. If the
card dealt must go to its foundation, a win from the position after the deal is one from the
position after the card went, no longer (see `solver.reductions.klondike.safe`).

**Where it does not hold**, the deal is an ordinary move: while there is an empty column and
gaps fill from the waste. Then the card dealt goes into the gap at once, which kings may
want.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rules.families.klondike import STOCK, WASTE
from solver.reductions.klondike.runs import DEAL, Act, Board, Step, by_rank, kings
from solver.reductions.klondike.safe import waste_card_is_safe

NAME: Final = "deal"
SUMMARY: Final = "deals are put off until something needs them"


def deals(board: Board, late: bool, safe: bool) -> Iterator[Step]:
    """The steps that begin with a deal; *late*: by the rule; *safe*: with `safe` in force."""
    if not board.undealt:
        return
    fill = board.layout.fill
    if not late or not may_wait(board):
        yield (DEAL,)
        return
    emptying = list(_emptying(board)) if STOCK in fill or WASTE in fill else []
    with_place = board.placed()
    after = board.copy()
    for count in range(1, len(board.undealt) + 1):
        card = after.undealt[0]
        after.play(DEAL)
        acts = []
        if board.is_next(card):
            acts.append(Act("up", card))
            if safe and waste_card_is_safe(after, card):
                yield (DEAL,) * count + (acts[0],)
                return
        if card in with_place:
            acts.append(Act("on", card))
        if board.gaps and card.rank == board.layout.ranks:
            acts.append(Act("space", card))
        for act in acts + emptying:
            yield (DEAL,) * count + (act,)


def may_wait(board: Board) -> bool:
    """Whether the rule holds in the position on *board*."""
    return not (board.gaps and WASTE in board.layout.fill)


def _emptying(board: Board) -> Iterator[Act]:
    """The moves that empty a column."""
    bases, with_place = sorted(board.base_cards, key=by_rank), board.placed()
    for card in bases:
        if board.is_next(card) and board.sheds(card, with_place):
            yield Act("up", card)
    for card in bases:
        if card in with_place:
            yield Act("on", card)
    for card in kings(board):
        if card in board.base_cards:
            yield Act("space", card)
