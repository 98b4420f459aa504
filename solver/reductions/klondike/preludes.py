"""``preludes`` (klondike family): moves that only prepare others are put off until they are needed.

In terms of `solver.reductions.klondike.classes`. Call *preludes* the moves that

* bring a card onto a parent, or a king to a space, from its foundation;
* bring one so from the talon, if all of it can be had at any time (draw one);
* clear a column: take its last anchored card, no king, onto a parent.

All other moves are *steps*: to a foundation; an anchored card that lies on others, onto a parent
or, a king, to a space; a card of the talon to the tableau, where taking it changes what can be
reached. Instead of single moves the search tries each step with the preludes that it needs
before it.

**Needs and gifts.** Think of places, by class, and of spaces as tokens. A move onto a parent
takes one of its class, a king's move to a space takes a space. A card that comes into view gives
a place for the class that fits on it; a cleared column gives a space. A card in view that goes
up takes one place for what fits on it, and gives back one of its own class if it was loose. So a
prelude takes one token and gives one; a step takes at most one. Moreover a card can be brought
from its foundation only if it is the top: bringing the one above it gives that. (Two other
things that a prelude may give are left for the end.) A move is possible if and only if what it
takes is there, and where moves lead depends only on which they are.

**Claim.** From a position p that can be won, some shortest winning line begins with preludes B
and a step m such that B, m is *tight*: no prelude of B can be left out, or be made after m
instead.

*Proof.* A win ends with a step. Take a shortest line that begins with as few preludes as
possible. Putting one after m would give another, of equal length, that begins with fewer;
leaving one out, a shorter one. ∎

From there one goes on by induction on the length of the shortest win: so the search reaches a
win if it tries all tight B, m in every position. It does not matter in which order B is played,
nor if it tries others as well.

**All tight sets are found.** Say of every token that is taken in B, m which one it is: one that
p has, or that a prelude gave. Draw an arrow from each prelude to the moves that take what it
gives. A prelude without an arrow could be made after m: nobody needs it, its token is set aside
for it, and m does not touch the card (see below). So from every prelude arrows lead to m; they
make no circle, since they point to later moves; and B may be played in any order in which arrows
point to later moves, in that of the recursion as well:

    to make a move, first see to what it needs; a token that is missing is had by making one of
    the moves that give it; then make the move.

`_chains` does so for every way to choose. It takes a token that is there (i), or makes a prelude
to have one (ii), never one that is under way. The remaining question is when (ii) may be left
out although (i) is possible. Say a move needs a token t, there is one, and B would have it given
by b instead. If nobody in B, m takes the one that is there, take it, and b is left without an
arrow; or if somebody who is not needed for b does, exchange the two. Doing this wherever it
comes up, in the order of the recursion, one sees: (ii) is only needed if everything that is
there of t *is taken by moves that lead to b*. Such a prelude is marked (`Item.must`), and is
made only if no t is left.

**Circles among kinds of token.** A card of rank r takes a place for r and gives one for r-1, or
lets a card of rank r-1 be brought from its foundation. So t is taken on the way to b, which
gives t, only if a space is had on the way, by clearing a column, and given to a king, from whom
cards that are brought lead down to b. Hence b is in the set `_circle`: the cards that can be
brought, that are reached from a king that can be brought, and that lead down to a card that
could be cleared. If it is empty, (i) is all.

**What else a prelude gives.** To bring a card puts it in view, and it may be m that takes it up.
To clear a column makes its card loose, and it may be m that takes it up.

* m takes up a card x that B brought from the talon or its foundation. If m takes the place on x
  that x gave, or can, neither move is needed, or m alone is: B, m is not tight or the line not
  shortest. Else that place is taken by somebody who leads to the one that m takes, given by x's
  twin: (ii), the twin is in the circle. These are tried by themselves (`_up_again`).
* m takes up a card that B cleared. The recursion does not forbid that. If what clearing gave is
  not taken, leave clearing out: the end is the same.
* Otherwise m is no move of a card of B, and B leaves alone what m needs: if m goes to the
  foundation of suit s and B has brought cards of s, then m takes up the last of them, the case
  above. (On a circle the recursion may bring the card below the one that is to go up: that is no
  line, and is dropped.)

With `early`, a card is not brought that would have to go up again at once: the argument there
speaks of shortest lines, and so does this one.

**Holds** wherever `classes` does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, Literal, NamedTuple

from rules.cards import Card
from solver.reductions.klondike.classes import Act, Board, Step
from solver.reductions.klondike.early import would_go_again
from solver.reductions.klondike.runs import by_rank

NAME: Final = "preludes"
SUMMARY: Final = "moves that only prepare others are made when others need them"


class Item(NamedTuple):
    """A move that is under way. *must*: nothing may be left of what it gives (see above).

    *again*: a card goes up that was brought for it; what it needs has to be given anew.
    """

    kind: Literal["up", "on", "space"]
    card: Card
    must: bool = False
    again: bool = False


def steps(board: Board, early: bool) -> Iterator[Step]:
    """The steps from the position on *board*, each with the preludes that it needs."""
    free, top = board.layout.free, board.layout.ranks
    chains = _Chains(board, early)
    heads = sorted(set(board.anchored) - board.bases, key=by_rank)
    nexts = sorted(filter(board.is_next, board.loose.union(board.anchored)), key=by_rank)
    talon = [board.talon[i] for i in board.reachable()]
    for card in heads:
        if board.places(card) > 0:
            yield (Act("on", card),)
    for card in heads:
        if card.rank == top and board.spaces:
            yield (Act("space", card),)
    bare = [card for card in nexts if board.is_bare(card)]
    if free:
        bare = sorted((*bare, *filter(board.is_next, talon)), key=by_rank)
    for card in bare:
        yield (Act("up", card),)
    for card in heads:
        if card.rank < top and (chains.circle or board.places(card) == 0):
            yield from chains.to(Item("on", card))
    for card in nexts:
        if chains.circle or card not in bare:
            yield from chains.to(Item("up", card))
    for card in heads:
        if card.rank == top and (chains.circle or not board.spaces):
            yield from chains.to(Item("space", card))
    yield from _up_again(board, chains)
    if not free:
        for card in talon:
            if board.is_next(card):
                yield (Act("up", card),)
            yield from chains.to(chains.item(card))


def _up_again(board: Board, chains: _Chains) -> Iterator[Step]:
    """Cards that are brought, give their place away, and go up again."""
    for card in sorted(chains.brought, key=by_rank):
        twins = set(board.layout.of_class(card)) - {card}
        if twins & chains.circle and (board.is_up(card) or board.is_next(card)):
            yield from chains.to(Item("up", card, again=True), chains.item(card))


class _Chains:
    """The preludes for moves from one position. ``brought``: the cards that can be brought."""

    def __init__(self, board: Board, early: bool) -> None:
        layout = board.layout
        self.board, self.early, self.top = board, early, layout.ranks
        self.brought = set(board.talon) if layout.free else set()
        if layout.returns:
            for suit, height in zip(layout.suits, board.foundations, strict=True):
                self.brought.update(suit[:height])
        self.circle = self._circle()

    def item(self, card: Card, must: bool = False) -> Item:
        """*card* onto a parent or, a king, to a space."""
        return Item("space" if card.rank == self.top else "on", card, must)

    def _circle(self) -> set[Card]:
        """The cards that can be on a circle; see the module's docstring."""
        board, layout = self.board, self.board.layout

        def below(card: Card) -> set[Card]:
            """What can be brought, or cleared, once *card* is."""
            found = set(layout.children(card))
            if board.is_up(card) and card.rank > 1:
                found.add(layout.suits[card.suit][card.rank - 2])
            return found

        found = {card for card in self.brought if card.rank == self.top}
        while more := {c for card in found for c in below(card)} & self.brought - found:
            found |= more
        circle = {card for card in found if board.bases.intersection(layout.children(card))}
        while more := {card for card in found - circle if below(card) & circle}:
            circle |= more
        return circle

    def to(self, *items: Item) -> Iterator[Step]:
        """The first of *items* with its preludes, the others among them, in every tight way."""
        yield from self._chains(self.board, items, ())

    def _chains(self, board: Board, items: tuple[Item, ...], acts: Step) -> Iterator[Step]:
        item, layout = items[-1], board.layout
        card = item.card
        if item.kind != "up" and board.is_up(card):
            if board.foundations[card.suit] > card.rank:
                above = layout.suits[card.suit][card.rank]
                if above not in _under_way(items):
                    yield from self._chains(board, (*items, self.item(above)), acts)
                return
            if self.early and would_go_again(board, card):
                return
        there, givers = self._need(board, item)
        if there:
            givers &= self.circle if item.kind != "space" else self._cleared_on_circle(givers)
            possible = item.kind != "up" or board.is_next(card)
            if possible and not item.again and not (item.must and self._left(board, card)):
                act = Act(item.kind, card)
                if len(items) == 1:
                    yield (*acts, act)
                else:
                    after = board.copy()
                    after.play(act)
                    yield from self._chains(after, items[:-1], (*acts, act))
        under = (*items[:-1], item._replace(again=False))
        for giver in sorted(givers - _under_way(items), key=by_rank, reverse=True):
            yield from self._chains(board, (*under, self.item(giver, there)), acts)

    def _need(self, board: Board, item: Item) -> tuple[bool, set[Card]]:
        """Whether what *item* needs is there, and the cards whose moves would give it."""
        if item.kind == "space":
            return board.spaces > 0, board.bases
        needy: Iterable[Card] = (item.card,)
        if item.kind == "up":
            needy = board.layout.children(item.card)[:1]
        there = all(board.places(card) > 0 for card in needy)
        at_hand = set(board.talon) if board.layout.free else set()
        return there, {
            parent
            for card in needy
            for parent in board.layout.parents(card)
            if parent in at_hand or (board.layout.returns and board.is_up(parent))
        }

    def _cleared_on_circle(self, cards: set[Card]) -> set[Card]:
        return {card for card in cards if self.circle.intersection(self.board.layout.parents(card))}

    def _left(self, board: Board, card: Card) -> bool:
        """Whether there is any left of what moving *card* as a prelude gives."""
        if card in board.anchored:
            return board.spaces > 0
        children = board.layout.children(card)
        return bool(children) and board.places(children[0]) > 0


def _under_way(items: tuple[Item, ...]) -> set[Card]:
    """The cards of the preludes under way."""
    return {item.card for item in items if item.kind != "up"}
