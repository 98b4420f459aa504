"""Optional discards, one line: once a card has been dealt, only discard groups that hold it.

*Holds for* Decade with one stack, optional discards (``forced = false``) and no returns.

*What is left out.* In every position after the first deal of the search, discards of groups
that do not hold the newest card of the line. Before it, nothing.

*Why it is sound.* Take any line of play, the old one. Call its groups straight or wrapping, a
straight group that happens to be the whole line being straight. For a straight group G let
last(G) be its newest card. Play anew:

* first, before anything else, discard the straight groups whose last card already lies on the
  table when the search begins, in the old order;
* then deal as before, and discard the wrapping groups as before, in the old order of deals and
  wrapping discards; but discard every other straight group G at once when last(G) is dealt.

Straight groups can be discarded. When G went in the old line its cards lay next to each other,
so whatever once lay between two of them had gone before, while all of G was there. It did not
go in a wrapping group: the top run of one that holds a card within G holds everything newer,
so the newest card of G too; its bottom run likewise everything older, so the oldest card of G.
So it went in straight groups H, each of which lay wholly between two cards of G: last(H) is
older than last(G). In the new line these H go before G (in the first part because the old
order is kept; later because last(H) is dealt before last(G)), so the cards of G lie next to
each other when its turn comes, and after the first part last(G), just dealt, is the newest.

Wrapping groups can be discarded. All straight groups go at least as early in the new line
as in the old one, so the new line of cards at the turn of a wrapping group W is the old one
without some cards that are not of W. The top run of W was all that is newer than some card,
and its bottom run all that is older than some card; they still are. Its total and size are the
same. If cards remain, W may be discarded as the wrapping group that it was; if W is now
the whole line, it may be discarded as a straight group. Either way it holds the newest card.

Both lines discard the same groups and deal the same cards, so they leave the same cards, and
win or lose alike; and the new line uses only moves that are kept.

*What it gives.* Fewer moves to look at, not fewer positions to speak of: where a late discard
leads, the early one would have led as well. ``decade -o forced=false``, deals 1-200, visits
3,428,337 positions with and without it, in about two fifths of the time.

*Why the conditions.* With several stacks a discard may eliminate a stack and so change where
the next cards go. With returns it changes the stock. With forced discards the old order of
deals may not be kept (there, the stack theorem of ``solver.kernels.decade.searches`` says all that
is needed). Straight groups whose last card lay there from the beginning may have newer cards on
top of them, hence the exception before the first deal.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rules.families.decade import Decade, DecadeState
from rules.game import Game
from rules.moves import Move

NAME: Final = "newest"
SUMMARY: Final = "after the first deal, discard only groups that hold the newest card"


def applies(game: Game) -> bool:
    """Whether the argument holds for *game*."""
    return isinstance(game, Decade) and game.stacks == 1 and not game.forced and not game.returns


def successors(
    game: Decade, undealt: int, state: DecadeState
) -> Iterator[tuple[Move, DecadeState]]:
    """The moves that are kept; *undealt*: cards in the stock where the search began."""
    dealt = len(state.stock) < undealt
    newest = [stack[-1] for stack in state.stacks if stack]
    for move, after in game.successors(state):
        if not dealt or move.kind == "deal" or any(card in newest for card in move.cards):
            yield move, after
