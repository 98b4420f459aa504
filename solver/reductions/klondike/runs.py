"""``runs`` (left family): positions in which it does not matter what lies on which parent.

Call a face-up card of a column *anchored* if it heads the column's face-up run and *loose*
if it lies on its parent, a card of the next rank and the other colour. Every loose card came
there by a move, and the face-up part of a column is always one run. A *class* is the two
cards of one rank and colour (the *children*) with the two cards that they fit on (the
*parents*). What a class offers is its number of *places*: parents in view (face up in a
column) less loose children.

A position here says what is on the foundations, how many cards of each column are face
down, which card is anchored in each column without face-down cards, how far the stock is
dealt and what is in the waste. The anchored card of a column with face-down cards is the one
that was dealt on top of them, and whatever is nowhere else is loose; so nothing is left out
but *which* of its parents a loose card lies on.

**Why that may be left out.** Let two layouts be *alike* if they have the same position.

1. Each of two alike layouts can be turned into the other by moving loose cards, with what
   lies on them, to their other parent, as far as the class has a place; where it has none,
   both parents are covered, and the layouts differ by an exchange of what lies on them. Such
   an exchange renames nothing that a rule asks about: which cards are in view, anchored or
   loose stays as it is, and every move of one layout has its twin in the other.
2. So alike layouts have the same moves up to such shifts: an anchored card (with its run) or
   the top of the waste goes onto a parent if the class has a place, since then some parent
   has nothing on it; a card in view goes to its foundation if it has nothing on it, or the
   class of which it is a parent has a place, since then its child can be shifted to the other
   parent first. A loose card that moves from parent to parent stays in the same position.
3. Gaps are filled by whole runs and single cards: which card is anchored where is all that
   matters, and that is part of the position.

Unless gaps fill from the next column, columns without face-down cards are
interchangeable: their anchored cards are kept in order, empty columns last. A king that heads
a whole column need then not move to a space: that would change nothing.

A line in these terms becomes moves of the rules by putting the shifts in (`RunsSpace.line`).

**Two kinds of talon.** With one pass, stock and waste are as they lie. If cards are dealt one at a
time with unlimited passes, and none fills a gap from stock or waste, every card of either can be
had at any time by dealing on, and dealing changes nothing else: a position then says only which of
them are left (``dealt`` is all, ``waste`` what is left in dealing order). Deals are no moves then.

**In suit** a class is one card with one parent; the argument is the same, and there are no shifts.

**Holds** for one pack dealt in a triangle, building and moving in runs, cards that never come back
and spaces for kings, any number of columns and ranks: with one pass, one card at a time, in
alternate colours, for every list of fills (`one_pass`); with unlimited passes, one card at a time,
in alternate colours or in suit, with gaps filled from the next column. Other games without fills:
`classes`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, Literal, NamedTuple

from rules.cards import CARDS, Card
from rules.families.klondike import (
    NEXT_COLUMN,
    STOCK,
    UNLIMITED,
    WASTE,
    Klondike,
    KlondikeState,
)
from rules.game import Game
from rules.moves import FOUNDATION, SPACE, Move
from rules.referee import replay
from solver.search.follow import follow

NAME: Final = "runs"
SUMMARY: Final = "it does not matter on which parent a card lies"


_FIXED: Final = {
    "decks": 1, "layout": "triangle", "groups": "run", "draw": 1, "returns": False,
    "spaces": "kings",
}  # fmt: skip


def one_pass(game: Game[Any]) -> bool:
    """Games like Single Left: one pass, runs in alternate colours; see the module's docstring."""
    return _is_fixed(game) and (game.options["passes"], game.options["build"]) == (1, "alternate")


def applies(game: Game[Any]) -> bool:
    """Whether one of the two kinds of talon is there; see the module's docstring."""
    return one_pass(game) or (
        _is_fixed(game)
        and game.options["passes"] is None
        and game.options["fill"] == (NEXT_COLUMN,)
        and game.options["build"] in ("alternate", "suit")
    )


def _is_fixed(game: Game[Any]) -> bool:
    return isinstance(game, Klondike) and all(
        game.options[name] == value for name, value in _FIXED.items()
    )


class Act(NamedTuple):
    """One move in a position's terms.

    ``up``: *card* to its foundation. ``on``: onto a parent. ``space``: a king to a space.
    ``deal``: the next card of the stock to the waste; *card* is None.
    """

    kind: Literal["up", "on", "space", "deal"]
    card: Card | None = None


DEAL = Act("deal")
Step = tuple[Act, ...]


class Position(NamedTuple):
    """What is where, but for the parents of loose cards.

    ``foundations``: height per suit. ``down``: face-down cards per column. ``bases``: the
    anchored card of each column without face-down cards, None for the others and for empty
    columns. ``dealt``: cards gone from the stock. ``waste``: top last.
    """

    foundations: tuple[int, ...]
    down: tuple[int, ...]
    bases: tuple[Card | None, ...]
    dealt: int
    waste: tuple[Card, ...]


class Layout:
    """What one deal fixes for all of its positions.

    ``columns``: per column the cards that lay face down, oldest first, and the one face up on
    them. ``stock``: the cards of waste and stock in the order in which they are dealt.
    Positions of one layout can be compared; those of different layouts cannot.
    """

    def __init__(self, game: Klondike, state: KlondikeState) -> None:
        self.game = game
        self.ranks, self.fill = game.ranks, game.fill
        self.ordered = NEXT_COLUMN in game.fill
        self.in_suit, self.free = game.build == "suit", game.passes == UNLIMITED
        self.columns = tuple(down + up[:1] for down, up in state.columns)
        self.stock = state.waste + state.stock
        self.suits = tuple(CARDS[suit : 4 * game.ranks : 4] for suit in range(4))
        self.column_of = {card: i for i, column in enumerate(self.columns) for card in column}

    def compress(self, state: KlondikeState) -> Position:
        """The position of *state*, a state of the same deal."""
        board = Board(
            self,
            Position(
                state.foundations,
                tuple(len(down) for down, _ in state.columns),
                tuple(None if down or not up else up[0] for down, up in state.columns),
                len(self.stock) - (0 if self.free else len(state.stock)),
                state.waste + state.stock if self.free else state.waste,
            ),
        )
        return board.position()


def by_rank(card: Card) -> tuple[int, bool, int]:
    """The order in which cards are gone through: by rank, then black before red."""
    return (card.rank, card.is_red, card.suit)


class Board:
    """A position taken apart, to play on. ``loose``: the cards in view that are not anchored."""

    def __init__(self, layout: Layout, position: Position) -> None:
        self.layout = layout
        self.foundations = list(position.foundations)
        self.down = list(position.down)
        self.bases = list(position.bases)
        self.dealt = position.dealt
        self.waste = list(position.waste)
        elsewhere = {*layout.stock[self.dealt :], *self.waste, *self.anchored}
        for column, down in zip(layout.columns, self.down, strict=True):
            elsewhere.update(column[:down])
        self.loose = {
            card for suit in layout.suits for card in suit[self.foundations[suit[0].suit] :]
        } - elsewhere

    def copy(self) -> Board:
        """Another board with the same position."""
        other = Board.__new__(Board)
        other.layout, other.dealt = self.layout, self.dealt
        other.foundations, other.down = self.foundations[:], self.down[:]
        other.bases, other.waste = self.bases[:], self.waste[:]
        other.loose = set(self.loose)
        return other

    def position(self) -> Position:
        """The position as it stands now, in canonical form."""
        bases = self.bases
        if not self.layout.ordered:
            free = sorted(self.base_cards, key=by_rank)
            bases = [None if down or not free else free.pop(0) for down in self.down]
        return Position(
            tuple(self.foundations), tuple(self.down), tuple(bases), self.dealt, tuple(self.waste)
        )

    # What is where ---------------------------------------------------------------------

    @property
    def heads(self) -> dict[Card, int]:
        """Cards anchored on face-down cards, with their columns."""
        columns = self.layout.columns
        return {columns[i][down]: i for i, down in enumerate(self.down) if down}

    @property
    def base_cards(self) -> dict[Card, int]:
        """Cards anchored on nothing, with their columns."""
        return {card: i for i, card in enumerate(self.bases) if card is not None}

    @property
    def anchored(self) -> set[Card]:
        return {*self.heads, *self.base_cards}

    @property
    def in_view(self) -> set[Card]:
        return self.anchored | self.loose

    @property
    def gaps(self) -> list[int]:
        """The empty columns."""
        return [i for i, card in enumerate(self.bases) if card is None and not self.down[i]]

    @property
    def undealt(self) -> tuple[Card, ...]:
        return self.layout.stock[self.dealt :]

    def is_next(self, card: Card) -> bool:
        """Whether *card* is the next one of its suit."""
        return self.foundations[card.suit] == card.rank - 1

    def placed(self) -> set[Card]:
        """The cards whose class has a place."""
        if self.layout.in_suit:
            above = {Card.of(card.rank - 1, card.suit) for card in self.in_view if card.rank > 1}
            return above - self.loose
        return placed(self.in_view, self.loose)

    def sheds(self, card: Card, with_place: set[Card]) -> bool:
        """Whether *card*, in view, can be freed of what lies on it; *with_place*: `placed`."""
        if self.layout.in_suit:
            return card.rank == 1 or Card.of(card.rank - 1, card.suit) in with_place
        return sheds(card, with_place)

    @property
    def reach(self) -> list[Card]:
        """The cards of stock and waste that can be had at once, in dealing order."""
        return self.waste if self.layout.free else self.waste[-1:]

    # Moves -----------------------------------------------------------------------------

    def play(self, act: Act) -> None:
        card = act.card
        if card is None:
            self.waste.append(self.layout.stock[self.dealt])
            self.dealt += 1
            self._fill()
            return
        space = self.gaps[0] if act.kind == "space" else None
        if card in self.waste:
            self.waste.remove(card)
        elif card in self.loose:
            self.loose.remove(card)
        elif card in self.heads:
            self._turn_up(self.heads[card])
        else:
            self.bases[self.base_cards[card]] = None
        if act.kind == "up":
            self.foundations[card.suit] = card.rank
        elif act.kind == "on":
            self.loose.add(card)
        else:
            assert space is not None
            self.bases[space] = card
        self._fill()

    def _turn_up(self, column: int) -> None:
        self.down[column] -= 1
        if not self.down[column]:
            self.bases[column] = self.layout.columns[column][0]

    def _fill(self) -> None:
        """Fill gaps, leftmost first, as long as a source gives."""
        while any(self._fill_one(gap) for gap in self.gaps):
            pass

    def _fill_one(self, gap: int) -> bool:
        for source in self.layout.fill:
            if source == STOCK and self.undealt:
                self.bases[gap] = self.undealt[0]
                self.dealt += 1
                return True
            if source == WASTE and self.waste:
                self.bases[gap] = self.waste.pop()
                return True
            following = gap + 1
            if source == NEXT_COLUMN and following < len(self.down):
                if self.down[following]:
                    self.bases[gap] = self.layout.columns[following][self.down[following]]
                    self._turn_up(following)
                    return True
                if self.bases[following] is not None:
                    self.bases[gap], self.bases[following] = self.bases[following], None
                    return True
        return False


def _pair(rank: int, red: bool) -> tuple[Card, ...]:
    return tuple(Card.of(rank, suit) for suit in ((1, 2) if red else (0, 3)))


def _parents(card: Card) -> tuple[Card, ...]:
    return _pair(card.rank + 1, not card.is_red) if card.rank < 13 else ()


def _children(card: Card) -> tuple[Card, ...]:
    return _pair(card.rank - 1, not card.is_red) if card.rank > 1 else ()


# By card: the two that it fits on (no king has any), the two that fit on it (no ace has any).
PARENTS: Final = tuple(map(_parents, CARDS))
CHILDREN: Final = tuple(map(_children, CARDS))
_CLASSES: Final = tuple(_pair(rank, red) for rank in range(1, 13) for red in (False, True))


def placed(in_view: set[Card], loose: set[Card]) -> set[Card]:
    """The cards whose class has a place, with these cards in view and these of them loose."""
    found: set[Card] = set()
    for one, other in _CLASSES:
        first, second = PARENTS[one]
        parents = (first in in_view) + (second in in_view)
        if parents and parents > (one in loose) + (other in loose):
            found.add(one)
            found.add(other)
    return found


def sheds(card: Card, with_place: set[Card]) -> bool:
    """`Board.sheds` in alternate colours."""
    return card.rank == 1 or CHILDREN[card][0] in with_place


def plays(board: Board) -> Iterator[Step]:
    """Every move but deals, in the order that the search tries them."""
    heads, bases = board.heads, board.base_cards
    with_place, reach = board.placed(), list(board.reach)
    for card in sorted(with_place & heads.keys(), key=by_rank):
        yield (Act("on", card),)
    for card in sorted(filter(board.is_next, board.in_view), key=by_rank):
        if board.sheds(card, with_place):
            yield (Act("up", card),)
    for card in filter(board.is_next, reach):
        yield (Act("up", card),)
    for card in sorted(with_place & bases.keys(), key=by_rank):
        yield (Act("on", card),)
    for card in reach:
        if card in with_place:
            yield (Act("on", card),)
    for king in kings(board):
        yield (Act("space", king),)


def kings(board: Board) -> list[Card]:
    """The kings that may move to a space (see the module's docstring for those left out)."""
    if not board.gaps:
        return []
    movable = board.anchored if board.layout.ordered else set(board.heads)
    found = [card for card in sorted(movable, key=by_rank) if card.rank == board.layout.ranks]
    return found + [card for card in board.reach if card.rank == board.layout.ranks]


class RunsSpace:
    """The positions of one layout as a space to search (see `solver.search.space.Space`).

    ``names``: the reductions in force, of which `safe`, `deal` and `dead` may be some.
    *layout*: that of the deal, if *state* is not its beginning and positions are to be
    compared with others of the deal.
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
        self.opening = self._settle(board)
        self.start = board.position()

    def _settle(self, board: Board) -> Step:
        """Play the moves that `safe` forces on *board*; which they were."""
        from solver.reductions.klondike.safe import safe_card

        if "safe" not in self.names:
            return ()
        played = []
        while (card := safe_card(board)) is not None:
            played.append(Act("up", card))
            board.play(played[-1])
        return tuple(played)

    def successors(self, node: Position) -> Iterator[tuple[Step, Position]]:
        from solver.reductions.klondike.dead import is_dead

        board = Board(self.layout, node)
        if "dead" not in self.names or not is_dead(board):
            yield from self._steps(board)

    def _steps(self, board: Board) -> Iterator[tuple[Step, Position]]:
        from solver.reductions.klondike.deal import deals

        steps = [*plays(board), *deals(board, "deal" in self.names, "safe" in self.names)]
        for step in steps:
            after = board.copy()
            for act in step:
                after.play(act)
            yield step + self._settle(after), after.position()

    def key(self, node: Position) -> Position:
        return node

    def is_won(self, node: Position) -> bool:
        return sum(node.foundations) == 4 * self.layout.ranks

    def cards_left(self, node: Position) -> None:
        return None

    def line(self, steps: Sequence[Step]) -> tuple[Move, ...]:
        """*steps* from the start as moves of the rules, shifts put in; replayed."""
        acts = (act for step in (self.opening, *steps) for act in step)
        return moves_of(self.game, self.state, acts)

    def line_through(self, positions: Sequence[Position]) -> tuple[Move, ...]:
        """The line that leads from the start through *positions*, each a successor of the last.

        Raises RuntimeError if there is none: then whoever found the positions is wrong.
        """
        return self.line(follow(self, positions))

    def step_to(self, node: Position, goal: Position) -> Step | None:
        """The moves from *node* to *goal*, one of its successors; None if it is none of them."""
        # Not asked whether it is dead: from here the line goes on.
        steps = self._steps(Board(self.layout, node))
        return next((step for step, after in steps if after == goal), None)


def moves_of(
    game: Klondike, start: KlondikeState, acts: Iterable[tuple[str, Card | None]]
) -> tuple[Move, ...]:
    """The moves of the rules that make *acts* from *start*, replayed."""
    moves: list[Move] = []
    state = start
    for act in acts:
        for move in _concrete(game, state, *act):
            full, state = game.play(state, move)
            moves.append(full)
    return tuple(replay(game, start, moves)[0])


def _concrete(game: Klondike, state: KlondikeState, kind: str, card: Card | None) -> Iterator[Move]:
    """The moves of the rules that make an act in *state*: deals or a shift first, if need be."""
    if card is None:
        yield Move("deal")
        return
    while card in state.stock or card in state.waste[:-1]:
        move = Move("deal" if state.stock else "redeal")
        yield move
        state = game.play(state, move)[1]
    last = {up[-1] for _, up in state.columns if up}
    if kind == "space":
        yield Move("move", (card,), SPACE)
    elif kind == "on":
        onto = next(parent for parent in sorted(last) if game.fits(card, parent))
        yield Move("move", (card,), onto)
    else:
        for _, up in state.columns:
            if card in up[:-1]:
                child = up[up.index(card) + 1]
                other = next(parent for parent in sorted(last) if game.fits(child, parent))
                yield Move("move", (child,), other)
        yield Move("move", (card,), FOUNDATION)
