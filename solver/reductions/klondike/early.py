"""``early`` (klondike family): foundation moves that cannot hurt, where cards come back or not.

In terms of `solver.reductions.klondike.classes`. Let x be a card of rank r. If columns build in
suit it is *unwanted* always; in alternate colours if both foundations of the other colour have
reached r-2 and the other one of its own colour r-3, or, where cards do not come back, if both of
the other colour have reached r-1.

**The rule.** An unwanted card in view that can go to its foundation goes at once, and nothing
else is looked at. So does one of the talon if every card of it can be had at any time (draw
one, unlimited passes). A card that would have to go up again at once is not brought back.

**Why.** Let W be the set of x and the lower cards of its suit, the cards of the other colour up
to r-1 and those of the fourth suit up to r-2. (In suit: of x's suit up to x. Under the second
condition: x's suit up to r, the other colour up to r-1, all of which are up and stay there.)

1. Whatever fits on a card of W is in W: what fits on x or on a card of x's suit has the other
   colour and rank r-1 or less; what fits on the other colour's has rank r-2 or less and x's
   colour; what fits on the fourth suit's has rank r-3 or less and the other colour.
2. So a class of children that is not wholly in W has no parent in W.
3. At most four cards of W are not up before x goes: x, the other colour's of rank r-1, and the
   fourth suit's of rank r-2. Each is next for its foundation, and stays so until it goes, as
   long as the others of W stay up. If it is in view it can go: what lies on it is in W, and goes
   first.

Let A be a shortest line that wins. B plays x now and follows A. Whenever A moves a card of W, in
whatever way, B plays that card to its foundation, or does nothing if it is there; no card of W
comes back in B. All other moves B makes as A does. The invariant: B's position is A's, but for
some cards of W that are up in B and not in A; and where such a card lies anchored in A, what
is under it is turned up, or a space, in B already. B can follow:

* A card outside W goes onto a parent. Its class is not wholly in W; by 2 none of its parents is
  in W. So B has all the parents that A has, and no more children on them.
* A card y outside W goes to its foundation. The cards of its suit in W are up in A, hence in B.
  If the class that fits on it is not wholly in W, it has as many places as in A. If it is, what
  lies on y in B is in W, and goes up first, by 3.
* A king goes to a space: B has as many.
* A card of W moves in A: if it is not up in B, it lies where it lies in A, in view or at the
  waste's top, or A brings it within reach now, and B plays it up, by 3.

B plays each of those four cards up once, which A must do too, some time, and makes no other move
that A does not make. So B, with x's move, is no longer than A. In the talon B differs from A
only where A takes a card of W from it at that moment too; but if x itself is taken from the
talon now, or if 3 asks for a card of the talon, all cards must be within reach at any time. (3
asks for cards that lie on another: those are in view.)

The last sentence of the rule: if bringing x back leads to a position in which it must go up
again, by the argument there is a win from before that is shorter by two moves than by way of it.
"""

from __future__ import annotations

from typing import Final

from rules.cards import CARDS, Card
from solver.reductions.klondike.classes import Board
from solver.reductions.klondike.runs import by_rank

NAME: Final = "early"
SUMMARY: Final = "foundation moves that cannot hurt are played at once"


def is_unwanted(board: Board, card: Card) -> bool:
    """Whether *card* must go up if it can."""
    if board.layout.in_suit:
        return True
    heights = board.foundations
    other = min(heights[s] for s in range(4) if CARDS[s].is_red != card.is_red)
    own = min(heights[s] for s in range(4) if CARDS[s].is_red == card.is_red and s != card.suit)
    if other >= card.rank - 2 and own >= card.rank - 3:
        return True
    return not board.layout.returns and other >= card.rank - 1


def would_go_again(board: Board, card: Card) -> bool:
    """Whether the foundation's top *card* would have to go up again at once."""
    return is_unwanted(board, card)


def early_card(board: Board) -> Card | None:
    """The card that must go to its foundation now, if any."""
    in_view = board.loose.union(board.anchored)
    at_hand = set(board.talon) if board.layout.free else set()
    found = [
        card
        for suit, height in zip(board.layout.suits, board.foundations, strict=True)
        for card in suit[height : height + 1]
        if is_unwanted(board, card)
        and (card in at_hand or (card in in_view and board.is_bare(card)))
    ]
    return min(found, key=by_rank, default=None)
