"""The klondike family (Klondike, Single Left, Yukon and others): columns down, foundations up.

A state is a `KlondikeState`. A column is a pair ``(down, up)``: its face-down cards and its
face-up cards, oldest first. Equal cards of several packs are equal values: nothing tells them
apart but where they lie.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import islice
from typing import ClassVar, Final, NamedTuple

from rules.cards import CARDS, RANKS, SUITS, Card
from rules.errors import DeckError, MoveError, OptionError
from rules.game import Game, Pile
from rules.moves import FOUNDATION, IN_A_SHELL, SPACE, Move
from rules.options import Option, boolean, choice, integer, sequence

Column = tuple[tuple[Card, ...], tuple[Card, ...]]

STOCK, WASTE, NEXT_COLUMN = SOURCES = ("stock", "waste", "next-column")
EMPTY: Column = ((), ())
UNLIMITED: Final = 0
"""`KlondikeState.passes` where the stock may be gone through without end."""
_AT_WASTE, _AT_FOUNDATION = "w", "f"


class KlondikeState(NamedTuple):
    """``foundations``: heights, suit by suit; those of one suit from the highest down.

    ``waste``: top last. ``stock``: next card first. ``passes``: passes through the stock still
    allowed, the present one included, or `UNLIMITED`.
    """

    foundations: tuple[int, ...]
    columns: tuple[Column, ...]
    waste: tuple[Card, ...]
    stock: tuple[Card, ...]
    passes: int


class _Step(NamedTuple):
    """A move that does not say yet where its cards lie, the state after it, and where they do."""

    move: Move
    after: KlondikeState
    at: str = ""
    onto: str = ""


def _source(text: str) -> str:
    if text not in SOURCES:
        raise ValueError(text)
    return text


class Klondike(Game[KlondikeState]):
    """Columns build down, foundations up; empty columns may fill by themselves."""

    family: ClassVar[str] = "klondike"
    summary: ClassVar[str] = "build columns down and foundations up"
    notation: ClassVar[str] = (
        "8S>9H (8S, and what lies on it, onto 9H), 5D>F (to its foundation), KD>_ (to an "
        "empty column), deal and redeal; after = come the cards that turn up"
    )
    table: ClassVar[tuple[Option, ...]] = (
        integer("decks", 1, 1, 3, "packs of cards"),
        integer("columns", 7, 1, 13, "columns"),
        choice("layout", "triangle", ("triangle", "yukon"),
               "whether column i gets i cards and the rest is the stock, or all cards are dealt"),
        choice("build", "alternate", ("alternate", "suit", "any", "other-suit"),
               "how columns build: in alternate colours, in suit, regardless of suit, or in any "
               "suit but the same"),
        choice("groups", "run", ("run", "any"),
               "what moves together: a face-up run, or any face-up card with all that lies on it"),
        integer("draw", 1, 1, 9, "cards dealt to the waste at a time"),
        integer("passes", 1, 1, 9, "passes through the stock", none="unlimited"),
        boolean("returns", False, "whether a foundation's top card may come back"),
        sequence("fill", (STOCK, WASTE), "stock, waste, next-column in any order, or none",
                 "what fills an empty column, the first that can give",
                 _source, empty=True, choices=SOURCES),
        choice("spaces", "kings", ("kings", "any", "none"),
               "what may be put into an empty column that nothing fills"),
        integer("ranks", 13, 1, 13, "ranks in the deck (fewer make a small deck)"),
    )  # fmt: skip

    def setup(self) -> None:
        get = self.options
        self._packs: int = get["decks"]
        self._ranks: int = get["ranks"]
        self._columns: int = get["columns"]
        self._draw: int = get["draw"]
        self.build: str = get["build"]
        self.layout_kind: str = get["layout"]
        self.any_group: bool = get["groups"] == "any"
        self.returns: bool = get["returns"]
        self.fill: tuple[str, ...] = get["fill"]
        self.spaces: str = get["spaces"]
        self.passes: int = UNLIMITED if get["passes"] is None else get["passes"]
        if self.fill and self.spaces != "kings":
            raise OptionError(f"option spaces: {self.spaces} is only for fill = none")
        self.sizes = self._triangle() if self.has_stock else self._yukon()
        """Cards face down and face up that each column is dealt."""

        self._parents = tuple(
            frozenset(on for on in CARDS if self._builds(card, on)) for card in CARDS
        )

    @property
    def has_stock(self) -> bool:
        return self.layout_kind == "triangle"

    @property
    def only_runs(self) -> bool:
        """Whether the face-up cards of a column are one run in any position of play."""
        return self.layout_kind == "triangle" and not self.any_group

    def _triangle(self) -> tuple[tuple[int, int], ...]:
        n = self._columns
        if n * (n + 1) // 2 > self.deck_size:
            raise OptionError(
                f"option columns: {n} columns take {n * (n + 1) // 2} cards, "
                f"the deck has {self.deck_size}"
            )
        return tuple((i, 1) for i in range(n))

    def _yukon(self) -> tuple[tuple[int, int], ...]:
        """One card, then i face down; all that is left lies face up, spread evenly."""
        n = self._columns
        for name, value in (("draw", self._draw), ("passes", self.passes)):
            if value != 1:
                raise OptionError(f"option {name}: layout = yukon has no stock to go through")
        for source in (STOCK, WASTE):
            if source in self.fill:
                raise OptionError(f"option fill: layout = yukon has no {source}")
        up = self.deck_size - 1 - n * (n - 1) // 2
        if n < 2 or up < n - 1:
            raise OptionError(
                f"option columns: layout = yukon cannot deal {self.deck_size} cards to {n} columns"
            )
        each, more = divmod(up, n - 1)
        return ((0, 1), *((i, each + (i <= more)) for i in range(1, n)))

    @property
    def ranks(self) -> int:
        return self._ranks

    @property
    def packs(self) -> int:
        return self._packs

    # Dealing ---------------------------------------------------------------------------

    def _rows(self) -> Iterator[int]:
        """The columns in the order in which they get their cards."""
        lengths = [down + up for down, up in self.sizes]
        for row in range(max(lengths)):
            yield from (column for column, length in enumerate(lengths) if length > row)

    def initial(self, deck: tuple[Card, ...]) -> KlondikeState:
        piles: list[list[Card]] = [[] for _ in self.sizes]
        cards = iter(deck)
        for column in self._rows():
            piles[column].append(next(cards))
        columns = tuple(
            (tuple(pile[:down]), tuple(pile[down:]))
            for pile, (down, _) in zip(piles, self.sizes, strict=True)
        )
        foundations = (0,) * (4 * self._packs)
        return KlondikeState(foundations, columns, (), tuple(cards), self.passes)

    def arranged(self, numbering: str, cards: Sequence[Card]) -> Iterable[Card]:
        """PySolFC's and Solvitaire's tables, as far as they have them.

        Solvitaire deals the stock first, its top last, then row by row as we do, but from the
        right. PySolFC deals as many rows as there are columns, the first without column 1, each
        from the next column on, the last to all; in Yukon four rows without column 1 come
        before the last. It deals them from the left in Yukon and in its games of several packs
        without filling, else from the right. What is left is the stock.
        """
        n = len(self.sizes)
        yukon = self.layout_kind == "yukon"
        if numbering not in ("pysol:", "solvitaire:"):
            return cards
        if numbering == "solvitaire:" and not yukon:
            rest = len(cards) - n * (n + 1) // 2
            cards, starts = (*cards[rest:], *reversed(cards[:rest])), list(range(n))
        elif numbering == "pysol:" and (not yukon or (n == 7 and self._packs == 1)):
            starts = [*range(1, n), *([1] * 4 if yukon else []), 0]
        else:
            raise DeckError(f"{numbering}N: that program deals no such columns")
        from_left = yukon or (numbering == "pysol:" and self._packs > 1 and not self.fill)
        piles: list[list[Card]] = [[] for _ in range(n)]
        following = iter(cards)
        for start in starts:
            row = range(start, n)
            for column in row if from_left else reversed(row):
                piles[column].append(next(following))
        for pile in piles:
            pile.reverse()
        rows = [piles[column].pop() for column in self._rows()]
        return (*rows, *following)

    # What the search asks --------------------------------------------------------------

    def is_won(self, state: KlondikeState) -> bool:
        return sum(state.foundations) == self.deck_size

    def key(self, state: KlondikeState) -> Hashable:
        """Columns in any order unless gaps fill from the next one.

        With one pass the length of the stock tells which cards are in it.
        """
        columns = state.columns if NEXT_COLUMN in self.fill else tuple(sorted(state.columns))
        stock = len(state.stock) if self.passes == 1 else state.stock
        return (state.foundations, columns, state.waste, stock, state.passes)

    def fits(self, card: Card, on: Card) -> bool:
        """Whether *card* may be built on *on* in a column."""
        return on in self._parents[card]

    def _builds(self, card: Card, on: Card) -> bool:
        if card.rank != on.rank - 1:
            return False
        if self.build == "alternate":
            return card.is_red != on.is_red
        if self.build == "any":
            return True
        return (card.suit == on.suit) == (self.build == "suit")

    def takes(self, card: Card) -> bool:
        """Whether an empty column that nothing fills takes *card* by an ordinary move."""
        return self.spaces == "any" or (self.spaces == "kings" and card.rank == self._ranks)

    def first_movable(self, up: tuple[Card, ...]) -> int:
        """Where the longest tail of the face-up cards *up* that moves together begins."""
        if self.any_group:
            return 0
        start = max(0, len(up) - 1)
        while start and self.fits(up[start], up[start - 1]):
            start -= 1
        return start

    def tops(self, foundations: tuple[int, ...]) -> Iterator[Card]:
        """The top cards of the foundations, each once, suit by suit."""
        for suit in range(4):
            heights = foundations[suit * self._packs : (suit + 1) * self._packs]
            for height in sorted(set(heights) - {0}, reverse=True):
                yield Card.of(height, suit)

    def successors(self, state: KlondikeState) -> Iterator[tuple[Move, KlondikeState]]:
        """To foundations; column to column; to a space; the waste's top; deal; redeal; back.

        Columns are gone through left to right. Empty columns differ in nothing that matters
        (with ``next-column`` they are the rightmost ones, and a king put into any but the
        first would be pulled into the first), so what goes to a space goes to the leftmost.

        With several packs a move says where its cards lie if another like it is legal.
        """
        steps = self._steps(state)
        if self._packs > 1:
            return iter(_told_apart(list(steps)))
        return ((step.move, step.after) for step in steps)

    def _steps(self, state: KlondikeState) -> Iterator[_Step]:
        columns, waste = state.columns, state.waste
        space = next((i for i, column in enumerate(columns) if not column[1]), None)
        if self.spaces == "none":
            space = None
        for source, (_, up) in enumerate(columns):
            if up and self._goes_up(state, up[-1]):
                yield self._lift(state, source, len(up) - 1, FOUNDATION, None)
        if waste and self._goes_up(state, waste[-1]):
            yield self._from_waste(state, FOUNDATION, None)
        for source, (_, up) in enumerate(columns):
            for start in range(self.first_movable(up), len(up)):
                for goal, (_, onto) in enumerate(columns):
                    if goal != source and onto and self.fits(up[start], onto[-1]):
                        yield self._lift(state, source, start, onto[-1], goal)
        if space is not None:
            for source, (_, up) in enumerate(columns):
                for start in range(self.first_movable(up), len(up)):
                    if self.takes(up[start]):
                        yield self._lift(state, source, start, SPACE, space)
        if waste:
            for goal, (_, onto) in enumerate(columns):
                if onto and self.fits(waste[-1], onto[-1]):
                    yield self._from_waste(state, onto[-1], goal)
            if space is not None and self.takes(waste[-1]):
                yield self._from_waste(state, SPACE, space)
        if state.stock:
            dealt, rest = state.stock[: self._draw], state.stock[self._draw :]
            after = state._replace(waste=waste + dealt, stock=rest)
            yield self._settle(_Step(Move("deal", shown=dealt), after))
        elif waste and state.passes != 1:
            passes = state.passes - 1 if state.passes else UNLIMITED
            after = state._replace(waste=(), stock=waste, passes=passes)
            yield self._settle(_Step(Move("redeal"), after))
        if self.returns:
            for card in self.tops(state.foundations):
                for goal, (_, onto) in enumerate(columns):
                    if onto and self.fits(card, onto[-1]):
                        yield self._back(state, card, onto[-1], goal)
                if space is not None and self.takes(card):
                    yield self._back(state, card, SPACE, space)

    def _goes_up(self, state: KlondikeState, card: Card) -> bool:
        place = card.suit * self._packs
        return card.rank - 1 in state.foundations[place : place + self._packs]

    def _moved(self, foundations: tuple[int, ...], card: Card, by: int) -> tuple[int, ...]:
        """*foundations* after *card* has come onto one of them (*by* 1) or left it (-1).

        Of equal heights the first rises and the last falls, which keeps them in order.
        """
        heights = list(foundations)
        places = range(card.suit * self._packs, (card.suit + 1) * self._packs)
        before = card.rank - 1 if by > 0 else card.rank
        found = [place for place in places if heights[place] == before]
        heights[found[0] if by > 0 else found[-1]] += by
        return tuple(heights)

    def _lift(
        self, state: KlondikeState, source: int, start: int, target: Card | str, goal: int | None
    ) -> _Step:
        """Move the cards from index *start* of column *source*'s face-up ones to *target*."""
        columns = list(state.columns)
        down, up = columns[source]
        foundations = state.foundations
        if goal is None:
            foundations = self._moved(foundations, up[start], 1)
        else:
            columns[goal] = (columns[goal][0], columns[goal][1] + up[start:])
        columns[source] = (down, up[:start])
        after = state._replace(foundations=foundations, columns=tuple(columns))
        move, at = Move("move", (up[start],), target), self._place(source, up, start)
        return self._settle(_Step(move, after, at, _name(goal)))

    def _place(self, column: int, up: tuple[Card, ...], start: int) -> str:
        """Where the card at *start* of a column lies: of equal ones the last has no number."""
        above = up[start + 1 :].count(up[start]) if self._packs > 1 and self.any_group else 0
        return f"{column + 1}.{above + 1}" if above else f"{column + 1}"

    def _from_waste(self, state: KlondikeState, target: Card | str, goal: int | None) -> _Step:
        card = state.waste[-1]
        after = state._replace(waste=state.waste[:-1])
        if goal is None:
            after = after._replace(foundations=self._moved(state.foundations, card, 1))
        else:
            after = _put(after, card, goal)
        return self._settle(_Step(Move("move", (card,), target), after, _AT_WASTE, _name(goal)))

    def _back(self, state: KlondikeState, card: Card, target: Card | str, goal: int) -> _Step:
        """Bring *card*, the top of a foundation, back to a column."""
        after = state._replace(foundations=self._moved(state.foundations, card, -1))
        move = Move("move", (card,), target)
        return self._settle(_Step(move, _put(after, card, goal), _AT_FOUNDATION, _name(goal)))

    def _settle(self, step: _Step) -> _Step:
        """Turn up what nothing covers and fill gaps, leftmost first, until nothing changes."""
        state = step.after
        if all(up or not (down or self.fill) for down, up in state.columns):
            return step
        columns, waste, stock = list(state.columns), state.waste, state.stock
        shown = list(step.move.shown)
        changed = True
        while changed:
            changed = False
            for i, (down, up) in enumerate(columns):
                if up:
                    continue
                if down:
                    columns[i] = (down[:-1], down[-1:])
                    shown.append(down[-1])
                else:
                    following = columns[i + 1] if i + 1 < len(columns) else EMPTY
                    source = self._source(following, waste, stock)
                    if source is None:
                        continue
                    if source == STOCK:
                        columns[i], stock = ((), stock[:1]), stock[1:]
                        shown.extend(columns[i][1])
                    elif source == WASTE:
                        columns[i], waste = ((), waste[-1:]), waste[:-1]
                    else:
                        columns[i], columns[i + 1] = ((), following[1]), (following[0], ())
                changed = True
                break
        after = state._replace(columns=tuple(columns), waste=waste, stock=stock)
        return step._replace(move=step.move._replace(shown=tuple(shown)), after=after)

    def unfilled(self, state: KlondikeState) -> tuple[int, str] | None:
        """A gap that would have been filled and by what, or None (always, in real play)."""
        for i, (down, up) in enumerate(state.columns):
            if not down and not up:
                following = state.columns[i + 1] if i + 1 < len(state.columns) else EMPTY
                source = self._source(following, state.waste, state.stock)
                if source is not None:
                    return i, source
        return None

    def _source(
        self, following: Column, waste: tuple[Card, ...], stock: tuple[Card, ...]
    ) -> str | None:
        """The first source in the list that can fill a gap, or None."""
        gives = {STOCK: bool(stock), WASTE: bool(waste), NEXT_COLUMN: bool(following[1])}
        return next((source for source in self.fill if gives[source]), None)

    # Moves that are typed --------------------------------------------------------------

    def matches(self, state: KlondikeState, move: Move) -> list[tuple[Move, KlondikeState]]:
        """The legal move that *move* means; raises `MoveError` if it may mean several."""
        wanted = move.bare._replace(at="", onto="")

        def is_meant(step: _Step) -> bool:
            return (
                step.move.bare == wanted
                and move.at in ("", step.at)
                and move.onto in ("", step.onto)
            )

        if self._packs == 1:  # no two cards are equal: the first is the only one
            meant = filter(is_meant, self._steps(state))
            return [(step.move, step.after) for step in islice(meant, 1)]
        steps = list(self._steps(state))
        pairs = zip(steps, _told_apart(steps), strict=True)
        found = [legal for step, legal in pairs if is_meant(step)]
        if move.shown and len(found) > 1:
            found = [pair for pair in found if pair[0].shown == move.shown] or found
        if len({self.key(after) for _, after in found}) > 1:
            which = " or ".join(str(legal.bare) for legal, _ in found)
            raise MoveError(f"it may mean several moves; say which one: {which}")
        return found[:1]

    def why_illegal(self, state: KlondikeState, move: Move) -> str:
        if move.kind == "deal":
            return "the stock is empty"
        if move.kind == "redeal":
            if state.stock:
                return "the stock is not used up"
            return "no pass is left" if state.passes == 1 else "the waste is empty"
        if move.kind == "remove":
            if len(move.cards) == 1:
                return f"{move.cards[0]} has no goal, as in 8S>9H, 5D>F or KD>_; {IN_A_SHELL}"
            return "cards are not removed in this game; its moves are 8S>9H, 5D>F, KD>_ and deal"
        if len(move.cards) != 1 or move.target is None:
            return "a move names one card, the head of what moves, and its goal"
        return self._why_not(state, move, move.cards[0], move.target)

    def _why_not(self, state: KlondikeState, move: Move, card: Card, target: Card | str) -> str:
        free, bound = self._whereabouts(state, card)
        if not free:
            return f"{card} {bound}"
        if move.at and move.at not in free:
            return f"no {card} at {move.at} can move"
        tops = [up[-1] for _, up in state.columns if up]
        if target == FOUNDATION:
            if card not in tops + list(state.waste[-1:]):
                if card in self.tops(state.foundations):
                    return f"{card} is on its foundation"
                return f"{card} is covered"
            heights = state.foundations[card.suit * self._packs :][: self._packs]
            below = max(height for height in heights if height < card.rank - 1)
            return f"the foundation needs {Card.of(below + 1, card.suit)} before {card}"
        if target == SPACE:
            if self.spaces == "none":
                return "nothing goes to an empty column"
            if all(up for _, up in state.columns):
                return "there is no empty column"
            return f"only a {RANKS[self._ranks - 1]} goes to an empty column, not {card}"
        assert isinstance(target, Card)
        if target not in tops:
            return f"{target} is not the last card of a column"
        if not self.fits(card, target):
            return f"{card} does not fit on {target}"
        return f"{card} or {target} does not lie where the move says"

    def _whereabouts(self, state: KlondikeState, card: Card) -> tuple[list[str], str]:
        """Where copies of *card* lie that can move; or, of those that cannot, one clause why."""
        free: list[str] = []
        if card.rank > self._ranks:
            return free, "is not in this deck"
        bound = "is on its foundation"
        for number, (down, up) in enumerate(state.columns, 1):
            free += [
                self._place(number - 1, up, place)
                for place in range(self.first_movable(up), len(up))
                if up[place] == card
            ]
            if card in up and not free:
                bound = f"is covered in column {number} by cards that do not move with it"
            if card in down:
                bound = f"is face down in column {number}"
        if card in state.waste:
            bound = "is covered in the waste"
            if card == state.waste[-1]:
                free.append(_AT_WASTE)
        if card in state.stock:
            bound = "is still in the stock"
        if self.returns and card in self.tops(state.foundations):
            free.append(_AT_FOUNDATION)
        return free, bound

    # In print --------------------------------------------------------------------------

    def layout(self, state: KlondikeState) -> tuple[Pile, ...]:
        piles = []
        if self.has_stock:
            piles.append(Pile("stock", "stock", state.stock, len(state.stock)))
            piles.append(Pile("waste", "waste", state.waste))
        for place, height in enumerate(state.foundations):
            suit = place // self._packs
            cards = tuple(Card.of(rank, suit) for rank in range(1, height + 1))
            piles.append(Pile("foundation", SUITS[suit], cards))
        for number, (down, up) in enumerate(state.columns, 1):
            piles.append(Pile("column", str(number), down + up, len(down)))
        return tuple(piles)

    def ruling(self) -> tuple[str, ...]:
        return tuple(
            part
            for part in (
                self._deal_ruling(),
                self._foundation_ruling(),
                self._column_ruling(),
                self._stock_ruling(),
                self._fill_ruling(),
                f"Won when all {self.deck_size} cards are on the foundations. The solver knows "
                "every card (thoughtful play).",
                self._packs_ruling(),
            )
            if part
        )

    def _deal_ruling(self) -> str:
        n = self._columns
        if self.layout_kind == "yukon":
            ups = [up for _, up in self.sizes[1:]]
            several = f"{ups[-1]} to {ups[0]}" if ups[0] != ups[-1] else f"{ups[0]}"
            return (
                f"Deal all {self.deck_size} cards to {n} columns, row by row from the left, each "
                "row to the columns that still lack cards: column 1 gets one card, face up; from "
                f"column 2 on, column i gets i-1 cards face down and {several} face up."
            )
        rest = self.deck_size - n * (n + 1) // 2
        return (
            f"Deal {n} columns of 1 to {n} cards, row by row from the left, the last card of "
            f"each face up. The other {rest} cards are the stock; "
            "the next card dealt is its top."
        )

    def _foundation_ruling(self) -> str:
        each = "" if self._packs == 1 else f", {self._packs} for each suit"
        back = (
            "a foundation's top card may come back onto a card that it fits, or to an empty "
            "column that takes it"
            if self.returns
            else "cards never come back"
        )
        return f"Foundations build up in suit from A to {RANKS[self._ranks - 1]}{each}; {back}."

    def _column_ruling(self) -> str:
        build = {
            "alternate": "in alternate colours",
            "suit": "in suit",
            "any": "regardless of suit",
            "other-suit": "in any suit but the same",
        }[self.build]
        if self.any_group:
            moves = "Any face-up card moves, with all that lies on it, onto a card that it fits."
        else:
            run = "face-up tail" if self.layout_kind == "triangle" else "tail in sequence"
            moves = f"Any {run} of a column moves as one onto a card that it fits."
        return (
            f"Columns build down by one {build}. {moves} A face-down card never moves; it turns "
            "up as soon as nothing covers it."
        )

    def _stock_ruling(self) -> str:
        if self.layout_kind == "yukon":
            return ""
        deal = "one card" if self._draw == 1 else f"{self._draw} cards"
        passes = {UNLIMITED: "Any number of passes", 1: "One pass"}.get(
            self.passes, f"{self.passes} passes"
        )
        more = "" if self._draw == 1 else " (the last deal may be short)"
        turn = ""
        if self.passes != 1:
            turn = " For a new pass the waste is turned over, its order unchanged."
        return (
            f"The stock is dealt to the waste {deal} at a time{more}. {passes} through the "
            f"stock.{turn} The top of the waste goes to a column or to a foundation."
        )

    def _fill_ruling(self) -> str:
        words = {
            STOCK: "the top card of the stock, turned up",
            WASTE: "the top card of the waste",
            NEXT_COLUMN: (
                "the whole face-up run of the column to the right"
                if self.only_runs
                else "all face-up cards of the column to the right"
            )
            + " (if that empties it, it is filled in turn)",
        }
        king = {13: "king", 1: "ace"}.get(self._ranks, RANKS[self._ranks - 1])
        led = "all that lies on it" if self.any_group else "a run headed by one"
        space = {
            "kings": f"an empty column takes a {king}, "
            + (f"with {led}" if self.any_group else f"or {led}")
            + ", by an ordinary move",
            "any": "an empty column takes any card or run by an ordinary move",
            "none": "an empty column stays empty",
        }[self.spaces]
        if not self.fill:
            return space[0].upper() + space[1:] + "."
        sources = "; else ".join(words[source] for source in self.fill)
        return (
            "An empty column is filled before anything else happens, the leftmost first, by "
            f"the first of these that can give: {sources}. When none can, {space}."
        )

    def _packs_ruling(self) -> str:
        if self._packs == 1:
            return ""
        return (
            f"The {self._packs} packs are shuffled together; equal cards are interchangeable. "
            "Where two equal cards could make a move, it says which: 8S@3>9H is the 8S of "
            "column 3, @w the waste's, @f a foundation's."
        )


def _told_apart(steps: Sequence[_Step]) -> list[tuple[Move, KlondikeState]]:
    """The moves of *steps*, with the places of their cards where others are like them."""
    places: dict[Move, tuple[set[str], set[str]]] = {}
    for step in steps:
        ats, ontos = places.setdefault(step.move.bare, (set(), set()))
        ats.add(step.at)
        ontos.add(step.onto)
    told = []
    for step in steps:
        ats, ontos = places[step.move.bare]
        at, onto = step.at if len(ats) > 1 else "", step.onto if len(ontos) > 1 else ""
        told.append((step.move._replace(at=at, onto=onto), step.after))
    return told


def _name(column: int | None) -> str:
    return "" if column is None else str(column + 1)


def _put(state: KlondikeState, card: Card, goal: int) -> KlondikeState:
    columns = list(state.columns)
    columns[goal] = (columns[goal][0], (*columns[goal][1], card))
    return state._replace(columns=tuple(columns))
