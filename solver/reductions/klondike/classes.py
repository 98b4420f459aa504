"""``classes`` (klondike family): positions in which parents do not matter, nor single deals.

**Positions.** As in `solver.reductions.klondike.runs` it does not matter on which of its parents
a loose card lies. A position says how high the foundations are, how many cards of each column
have not moved since the deal (the last of them, in view, is *anchored*), which cards are still
in stock or waste (the *talon*), where the waste ends, and how many passes are left. Every other
card is *loose*; a loose king heads a column that was empty. The *spaces* are the columns less
anchored cards and loose kings.

**Why that is enough.** The argument of ``runs`` asks only that the face-up part of a column is one
run. It goes through where

1. *stock and waste differ*: moves in the tableau ask nothing of the talon;
2. *cards come back*: a foundation's top goes onto a parent if its class has a place, choosing the
   layout in which a parent is bare; the card is loose then, or, a king, heads a space;
3. *nothing fills a gap*: a column is empty when its last anchored card has left; spaces are alike;
4. *columns build in suit*: each class is one child with one parent.

A king at the bottom of its column counts as loose: whether it came there by a move or was dealt
there, it can do the same.

**The talon.** Let n cards be left, p of them in the waste, and k dealt at a time. The cards that
can be reached are those at p-1, p+k-1, p+2k-1 ... and n-1, and after turning the waste over those
at k-1, 2k-1 ... and n-1 (counted from 0, in the order in which they are dealt, which never
changes). Taking the card at i leaves i cards in the waste. If k divides p, or p = n, exactly the
same cards can be reached as from p = 0; then 0 is written. So with k = 1 there is no p at all. To
deal and then to play is one step, for dealing alone reaches nothing that it does not leave
within reach.

With a *limited number of passes* the cards after turning the waste over are within reach only if
another pass is left, and where the waste ends always counts. A card that can be reached in this
pass is not reached in the next one: the same cards would be left, and a pass fewer.

**The end.** With k = 1 a position without face-down cards is won. Of the cards that are next for
their foundations take one of lowest rank. Either it is in the talon, within reach, or in view;
whatever lies on it is lower, so that its suit's next card would be lower still. So it can go,
and so on.

**Holds** for one pack dealt in a triangle, in runs of alternate colours or in suit, no filling and
spaces for kings; whether or not cards come back, for any draw and any number of passes. Where
`runs` holds as well, that is used.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, Literal, NamedTuple

from rules.cards import CARDS, Card
from rules.families.klondike import UNLIMITED, Klondike, KlondikeState
from rules.game import Game
from rules.moves import Move
from solver.reductions.klondike import runs
from solver.reductions.klondike.runs import CHILDREN, PARENTS, by_rank, moves_of
from solver.search.follow import follow

NAME: Final = "classes"
SUMMARY: Final = "it does not matter on which parent a card lies, nor how often cards are dealt"

_FIXED: Final = {
    "decks": 1, "layout": "triangle", "groups": "run", "spaces": "kings", "fill": (),
}  # fmt: skip

_TWIN: Final = (3, 2, 1, 0)


def applies(game: Game[Any]) -> bool:
    """The conditions in the module's docstring."""
    return (
        isinstance(game, Klondike)
        and all(game.options[name] == value for name, value in _FIXED.items())
        and game.build in ("alternate", "suit")
        and not runs.applies(game)
    )


class Act(NamedTuple):
    """One move, wherever the card comes from: ``up``: *card* to its foundation; ``on``: onto a
    parent; ``space``: a king to a space."""

    kind: Literal["up", "on", "space"]
    card: Card


Step = tuple[Act, ...]


class Position(NamedTuple):
    """``foundations``: height per suit. ``unmoved``: cards per column that have not moved.

    ``talon``: the cards of waste and stock in the order in which they are dealt. ``at``: how
    many of them are in the waste; see the module's docstring. ``passes``: those that are left,
    this one included, or `UNLIMITED`.
    """

    foundations: tuple[int, ...]
    unmoved: tuple[int, ...]
    talon: tuple[Card, ...]
    at: int
    passes: int = UNLIMITED


class Layout:
    """What one deal fixes for all of its positions.

    ``columns``: per column the cards that lay face down, oldest first, and the one that lay on
    them. ``talon``: the cards of waste and stock in dealing order.
    """

    def __init__(self, game: Klondike, state: KlondikeState) -> None:
        self.ranks, self.returns = game.ranks, game.returns
        self.draw = int(game.options["draw"])
        self.in_suit = game.build == "suit"
        self.columns = tuple(down + up[:1] for down, up in state.columns)
        self.talon = state.waste + state.stock
        self.suits = tuple(CARDS[suit : 4 * game.ranks : 4] for suit in range(4))
        self.passes = state.passes
        self.free = self.draw == 1 and self.passes == UNLIMITED
        """Whether every card of the talon can be had at any time."""

    def with_draw_one(self) -> Layout:
        """The same cards, dealt one at a time without end."""
        other = Layout.__new__(Layout)
        other.__dict__.update(self.__dict__, draw=1, passes=UNLIMITED, free=True)
        return other

    def parents(self, card: Card) -> tuple[Card, ...]:
        """The cards that *card* fits on."""
        if card.rank == self.ranks:
            return ()
        return (CARDS[card + 4],) if self.in_suit else PARENTS[card]

    def children(self, card: Card) -> tuple[Card, ...]:
        """The cards that fit on *card*: one class."""
        if card.rank == 1:
            return ()
        return (CARDS[card - 4],) if self.in_suit else CHILDREN[card]

    def of_class(self, card: Card) -> tuple[Card, ...]:
        """*card* and its twin, if it has one: the cards that fit where it does."""
        twin = Card.of(card.rank, _TWIN[card.suit])
        return (card,) if self.in_suit else (card, twin)

    def waste_end(self, at: int, left: int) -> int:
        """*at* as it is written with *left* cards in the talon."""
        if self.passes == UNLIMITED and (at == left or at % self.draw == 0):
            return 0
        return at

    def compress(self, state: KlondikeState) -> Position:
        """The position of *state*, a state of the same deal."""
        unmoved = []
        for (down, up), column in zip(state.columns, self.columns, strict=True):
            stays = up and len(down) < len(column) and up[0] == column[len(down)]
            unmoved.append(len(down) + 1 if stays else 0)
        board = Board(self, Position(state.foundations, (0,) * len(unmoved), (), 0))
        board.unmoved = unmoved
        for number in range(len(unmoved)):
            board.let_king_go(number)
        talon = state.waste + state.stock
        at = self.waste_end(len(state.waste), len(talon))
        return Position(state.foundations, tuple(unmoved), talon, at, state.passes)


class Board:
    """A position taken apart, to play on. ``loose``: cards in view that are not anchored."""

    def __init__(self, layout: Layout, position: Position) -> None:
        self.layout = layout
        self.foundations = list(position.foundations)
        self.unmoved = list(position.unmoved)
        self.talon = list(position.talon)
        self.at, self.passes = position.at, position.passes
        elsewhere = set(self.talon)
        for column, unmoved in zip(layout.columns, self.unmoved, strict=True):
            elsewhere.update(column[:unmoved])
        heights = zip(layout.suits, self.foundations, strict=True)
        self.loose = {card for suit, height in heights for card in suit[height:]} - elsewhere

    def copy(self) -> Board:
        other = Board.__new__(Board)
        other.layout, other.at, other.passes = self.layout, self.at, self.passes
        other.foundations, other.unmoved = self.foundations[:], self.unmoved[:]
        other.talon, other.loose = self.talon[:], set(self.loose)
        return other

    def position(self) -> Position:
        return Position(
            tuple(self.foundations), tuple(self.unmoved), tuple(self.talon), self.at, self.passes
        )

    # What is where ---------------------------------------------------------------------

    @property
    def anchored(self) -> dict[Card, int]:
        """The anchored cards, with their columns."""
        return {
            column[unmoved - 1]: number
            for number, (column, unmoved) in enumerate(
                zip(self.layout.columns, self.unmoved, strict=True)
            )
            if unmoved
        }

    @property
    def bases(self) -> set[Card]:
        """The anchored cards that lie on nothing."""
        return {card for card, column in self.anchored.items() if self.unmoved[column] == 1}

    @property
    def spaces(self) -> int:
        """How many columns are empty."""
        kings = sum(card.rank == self.layout.ranks for card in self.loose)
        return len(self.unmoved) - len(self.anchored) - kings

    def is_up(self, card: Card) -> bool:
        return self.foundations[card.suit] >= card.rank

    def is_next(self, card: Card) -> bool:
        return self.foundations[card.suit] == card.rank - 1

    def places(self, child: Card) -> int:
        """How many cards of the class of *child* could be taken, one after the other."""
        layout, anchored = self.layout, self.anchored
        parents = sum(card in self.loose or card in anchored for card in layout.parents(child))
        return parents - sum(card in self.loose for card in layout.of_class(child))

    def is_bare(self, card: Card) -> bool:
        """Whether *card*, in view, can be freed of what lies on it."""
        children = self.layout.children(card)
        return not children or self.places(children[0]) > 0

    def reachable(self) -> Iterator[int]:
        """Where in the talon the cards lie that can be reached, in ascending order."""
        draw, more = self.layout.draw, self.passes != 1
        for i in range(len(self.talon)):
            if self.in_this_pass(i) or (more and i % draw == draw - 1):
                yield i

    def in_this_pass(self, i: int) -> bool:
        """Whether the card at *i* in the talon can be reached without turning the waste over."""
        draw, at = self.layout.draw, self.at
        last = i == len(self.talon) - 1
        return i == at - 1 or last or (i >= at and (i - at) % draw == draw - 1)

    # Moves -----------------------------------------------------------------------------

    def play(self, act: Act) -> None:
        """Play *act*, which has to be possible."""
        card, anchored = act.card, self.anchored
        if card in anchored:
            self._leave(anchored[card])
        elif card in self.loose:
            self.loose.remove(card)
        elif card in self.talon:
            i = self.talon.index(card)
            if self.passes != UNLIMITED and not self.in_this_pass(i):
                self.passes -= 1
            del self.talon[i]
            self.at = self.layout.waste_end(i, len(self.talon))
        else:
            self.foundations[card.suit] -= 1
        if act.kind == "up":
            self.foundations[card.suit] = card.rank
        else:
            self.loose.add(card)

    def _leave(self, column: int) -> None:
        self.unmoved[column] -= 1
        if self.let_king_go(column):
            self.loose.add(self.layout.columns[column][0])

    def let_king_go(self, column: int) -> bool:
        """Count a king at the bottom of *column* as loose; whether there is one."""
        if self.unmoved[column] == 1 and self.layout.columns[column][0].rank == self.layout.ranks:
            self.unmoved[column] = 0
            return True
        return False


def plays(board: Board) -> Iterator[Step]:
    """Every move, one by one; `solver.reductions.klondike.preludes` has a better order."""
    layout, anchored = board.layout, board.anchored
    talon = {board.talon[i] for i in board.reachable()}
    tops = {
        layout.suits[suit][height - 1]
        for suit, height in enumerate(board.foundations)
        if height and layout.returns
    }
    for card in sorted(talon.union(anchored, board.loose), key=by_rank):
        if board.is_next(card) and (card in talon or board.is_bare(card)):
            yield (Act("up", card),)
    for card in sorted(talon.union(anchored, tops), key=by_rank):
        if card.rank == layout.ranks:
            if board.spaces:
                yield (Act("space", card),)
        elif board.places(card):
            yield (Act("on", card),)


class ClassesSpace:
    """The positions of one layout as a space to search (see `solver.search.space.Space`).

    ``names``: the reductions in force. *layout*: that of the deal, if *state* is not its beginning
    and positions are to be compared with others of the deal.
    """

    counts_cards = False

    def __init__(
        self,
        game: Game[Any],
        state: KlondikeState,
        names: tuple[str, ...],
        layout: Layout | None = None,
    ) -> None:
        assert isinstance(game, Klondike)
        self.game, self.state, self.names = game, state, names
        self.layout = Layout(game, state) if layout is None else layout
        board = Board(self.layout, self.layout.compress(state))
        self.opening = self.settle(board)
        self.start = board.position()

    def settle(self, board: Board) -> Step:
        """Play the moves that `early` forces on *board*; which they were."""
        from solver.reductions.klondike.early import early_card

        played: list[Act] = []
        while "early" in self.names and (card := early_card(board)) is not None:
            played.append(Act("up", card))
            board.play(played[-1])
        return tuple(played)

    def successors(self, node: Position) -> Iterator[tuple[Step, Position]]:
        """Without the order of `preludes`, each move by itself."""
        from solver.reductions.klondike.preludes import steps

        board = Board(self.layout, node)
        if "preludes" in self.names:
            found = steps(board, "early" in self.names)
        else:
            found = plays(board)
        for step in found:
            after = board.copy()
            for act in step:
                after.play(act)
            yield step + self.settle(after), after.position()

    def key(self, node: Position) -> Position:
        return node

    def is_won(self, node: Position) -> bool:
        if self.layout.free and max(node.unmoved) <= 1:
            return True
        return sum(node.foundations) == 4 * self.layout.ranks

    def cards_left(self, node: Position) -> None:
        return None

    def line(self, steps: Sequence[Step]) -> tuple[Move, ...]:
        """*steps* from the start as moves of the rules, deals and shifts put in; replayed.

        If they lead to a win, all cards are brought up.
        """
        board = Board(self.layout, self.layout.compress(self.state))
        acts = [act for step in (self.opening, *steps) for act in step]
        for act in acts:
            board.play(act)
        if self.is_won(board.position()):
            for rank in range(min(board.foundations) + 1, self.layout.ranks + 1):
                acts += [Act("up", suit[rank - 1]) for suit in self.layout.suits
                         if not board.is_up(suit[rank - 1])]  # fmt: skip
        return moves_of(self.game, self.state, acts)

    def line_through(self, positions: Sequence[Position]) -> tuple[Move, ...]:
        """The line that leads from the start through *positions*, each a successor of the last.

        Raises RuntimeError if there is none: then whoever found the positions is wrong.
        """
        return self.line(follow(self, positions))

    def step_to(self, node: Position, goal: Position) -> Step | None:
        """The moves from *node* to *goal*, one of its successors; None if it is none of them."""
        step = way(Board(self.layout, node), goal)
        if step is None:
            # Not asked whether it is lost: from here the line goes on.
            found = ClassesSpace.successors(self, node)
            step = next((step for step, after in found if after == goal), None)
        return step


def way(board: Board, goal: Position) -> Step | None:
    """Moves from *board* to *goal*, only of cards that lie elsewhere in the end; or None.

    None says only that there is no such way, or that it was not met soon.
    """
    end = Board(board.layout, goal)
    moved = [
        card
        for card in set(board.talon).union(board.anchored, *board.layout.suits)
        if _where(board, card) != _where(end, card)
    ]
    seen: set[Position] = set()
    stack: list[tuple[Board, Step]] = [(board, ())]
    while stack and len(seen) < 200:
        at, acts = stack.pop()
        position = at.position()
        if position == goal:
            return acts
        if position in seen:
            continue
        seen.add(position)
        for (act,) in sorted(plays(at), key=lambda step: step[0].kind == "up"):
            if act.card in moved and not (act.kind == "up" and not end.is_up(act.card)):
                after = at.copy()
                after.play(act)
                stack.append((after, (*acts, act)))
    return None


def _where(board: Board, card: Card) -> str:
    if board.is_up(card):
        return "up"
    if card in board.loose:
        return "loose"
    return "talon" if card in board.talon else "unmoved"
