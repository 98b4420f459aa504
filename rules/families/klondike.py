"""The left family (Single Left): seven columns, one pass, gaps filled automatically.

A state is a `LeftState`. A column is a pair ``(down, up)``: its face-down cards, oldest
first, and its face-up cards, which are always one run: highest first, built down by one.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import ClassVar, NamedTuple

from rules.cards import RANKS, Card
from rules.errors import OptionError
from rules.game import Game, Pile
from rules.moves import FOUNDATION, SPACE, Move
from rules.options import Option, choice, integer, sequence

Column = tuple[tuple[Card, ...], tuple[Card, ...]]

STOCK, WASTE, NEXT_COLUMN = SOURCES = ("stock", "waste", "next-column")
EMPTY: Column = ((), ())


class LeftState(NamedTuple):
    """``foundations``: height 0..13 per suit. ``waste``: top last. ``stock``: next card first.

    ``passes``: passes through the stock still allowed, the present one included.
    """

    foundations: tuple[int, ...]
    columns: tuple[Column, ...]
    waste: tuple[Card, ...]
    stock: tuple[Card, ...]
    passes: int


def _source(value: object) -> str:
    if value not in SOURCES:
        raise ValueError(value)
    return str(value)


class Left(Game[LeftState]):
    """Columns build down; empty ones are filled before anything else happens."""

    family: ClassVar[str] = "left"
    summary: ClassVar[str] = "build columns down and foundations up; gaps fill by themselves"
    table: ClassVar[tuple[Option, ...]] = (
        integer("columns", 7, 1, 9, "columns in the opening triangle"),
        sequence("fill", (STOCK, WASTE), "stock, waste, next-column in any order, or none",
                 "what fills an empty column, the first that can give",
                 _source, empty=True, choices=SOURCES),
        integer("passes", 1, 1, 9, "passes through the stock"),
        integer("draw", 1, 1, 9, "cards dealt to the waste at a time"),
        choice("build", "alternate", ("alternate", "suit", "any"),
               "how columns build: in alternate colours, in suit, or regardless of suit"),
        integer("ranks", 13, 1, 13, "ranks in the deck (fewer make a small deck)"),
    )  # fmt: skip

    def setup(self) -> None:
        self._columns = int(self.options["columns"])  # type: ignore[arg-type]
        self._ranks = int(self.options["ranks"])  # type: ignore[arg-type]
        self._passes = int(self.options["passes"])  # type: ignore[arg-type]
        self._draw = int(self.options["draw"])  # type: ignore[arg-type]
        self.fill: tuple[str, ...] = self.options["fill"]  # type: ignore[assignment]
        self.build = str(self.options["build"])
        dealt = self._columns * (self._columns + 1) // 2
        if dealt > 4 * self._ranks:
            raise OptionError(
                f"option columns: {self._columns} columns take {dealt} cards, "
                f"the deck has {4 * self._ranks}"
            )

    @property
    def ranks(self) -> int:
        return self._ranks

    def initial(self, deck: tuple[Card, ...]) -> LeftState:
        piles: list[list[Card]] = [[] for _ in range(self._columns)]
        cards = iter(deck)
        for row in range(self._columns):
            for column in range(row, self._columns):
                piles[column].append(next(cards))
        columns = tuple((tuple(pile[:-1]), (pile[-1],)) for pile in piles)
        return LeftState((0, 0, 0, 0), columns, (), tuple(cards), self._passes)

    def arranged(self, numbering: str, cards: Sequence[Card]) -> Iterable[Card]:
        """PySolFC's and Solvitaire's tables.

        PySolFC deals the rows from the right: first those without column 1, each from the
        next column on, then one to all columns; the rest is the stock. Solvitaire deals the
        stock first, its top last, then row by row as we do, but from the right.
        """
        n = self._columns
        if numbering == "pysol:":
            starts = [*range(1, n), 0]
        elif numbering == "solvitaire:":
            starts = list(range(n))
        else:
            return cards
        rest = len(cards) - n * (n + 1) // 2
        if numbering == "solvitaire:":
            cards = (*cards[rest:], *reversed(cards[:rest]))
        piles: list[list[Card]] = [[] for _ in range(n)]
        following = iter(cards)
        for start in starts:
            for column in range(n - 1, start - 1, -1):
                piles[column].append(next(following))
        rows = (piles[column][row] for row in range(n) for column in range(row, n))
        return (*rows, *following)

    def is_won(self, state: LeftState) -> bool:
        return sum(state.foundations) == 4 * self._ranks

    def key(self, state: LeftState) -> Hashable:
        """Columns in any order unless gaps fill from the next one.

        With one pass the length of the stock tells which cards are in it.
        """
        columns = state.columns if NEXT_COLUMN in self.fill else tuple(sorted(state.columns))
        stock = len(state.stock) if self._passes == 1 else state.stock
        return (state.foundations, columns, state.waste, stock, state.passes)

    def fits(self, card: Card, on: Card) -> bool:
        """Whether *card* may be built on *on* in a column."""
        if card.rank != on.rank - 1:
            return False
        if self.build == "any":
            return True
        return card.suit == on.suit if self.build == "suit" else card.is_red != on.is_red

    def successors(self, state: LeftState) -> Iterator[tuple[Move, LeftState]]:
        """To foundations; column to column; kings to a space; the waste's top; deal; redeal.

        Columns are gone through left to right. Empty columns differ in nothing that matters
        (with ``next-column`` they are the rightmost ones, and a king put into any but the
        first would be pulled into the first), so a king goes to the leftmost.
        """
        columns, waste = state.columns, state.waste
        space = next((i for i, column in enumerate(columns) if not column[1]), None)
        for source, (_, up) in enumerate(columns):
            if up and self._goes_up(state, up[-1]):
                yield self._lift(state, source, len(up) - 1, FOUNDATION, None)
        if waste and self._goes_up(state, waste[-1]):
            yield self._from_waste(state, FOUNDATION, None)
        for source, (_, up) in enumerate(columns):
            for start, card in enumerate(up):
                for goal, (_, onto) in enumerate(columns):
                    if goal != source and onto and self.fits(card, onto[-1]):
                        yield self._lift(state, source, start, onto[-1], goal)
        if space is not None:
            for source, (_, up) in enumerate(columns):
                if up and up[0].rank == self._ranks:
                    yield self._lift(state, source, 0, SPACE, space)
        if waste:
            for goal, (_, onto) in enumerate(columns):
                if onto and self.fits(waste[-1], onto[-1]):
                    yield self._from_waste(state, onto[-1], goal)
            if space is not None and waste[-1].rank == self._ranks:
                yield self._from_waste(state, SPACE, space)
        if state.stock:
            dealt, rest = state.stock[: self._draw], state.stock[self._draw :]
            after = state._replace(waste=waste + dealt, stock=rest)
            yield self._settle(Move("deal", shown=dealt), after)
        elif waste and state.passes > 1:
            after = state._replace(waste=(), stock=waste, passes=state.passes - 1)
            yield self._settle(Move("redeal"), after)

    def _goes_up(self, state: LeftState, card: Card) -> bool:
        return state.foundations[card.suit] == card.rank - 1

    def _lift(
        self, state: LeftState, source: int, start: int, target: Card | str, goal: int | None
    ) -> tuple[Move, LeftState]:
        """Move the cards from index *start* of column *source*'s run to *target*."""
        columns = list(state.columns)
        down, up = columns[source]
        move = Move("move", (up[start],), target)
        foundations = state.foundations
        if goal is None:
            foundations = _raised(foundations, up[start])
        else:
            columns[goal] = (columns[goal][0], columns[goal][1] + up[start:])
        columns[source] = (down, up[:start])
        after = state._replace(foundations=foundations, columns=tuple(columns))
        return self._settle(move, after)

    def _from_waste(
        self, state: LeftState, target: Card | str, goal: int | None
    ) -> tuple[Move, LeftState]:
        card = state.waste[-1]
        after = state._replace(waste=state.waste[:-1])
        if goal is None:
            after = after._replace(foundations=_raised(state.foundations, card))
        else:
            columns = list(state.columns)
            columns[goal] = (columns[goal][0], (*columns[goal][1], card))
            after = after._replace(columns=tuple(columns))
        return self._settle(Move("move", (card,), target), after)

    def _settle(self, move: Move, state: LeftState) -> tuple[Move, LeftState]:
        """Turn up what nothing covers and fill gaps, leftmost first, until nothing changes."""
        columns, waste, stock = list(state.columns), state.waste, state.stock
        shown = list(move.shown)
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
        return move._replace(shown=tuple(shown)), after

    def unfilled(self, state: LeftState) -> tuple[int, str] | None:
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

    def why_illegal(self, state: LeftState, move: Move) -> str:
        if move.kind == "deal":
            return "the stock is empty"
        if move.kind == "redeal":
            if state.stock:
                return "the stock is not used up"
            return "no pass is left" if state.passes <= 1 else "the waste is empty"
        if move.kind == "remove":
            return "cards are not removed in this game; play CARD>F, CARD>CARD, CARD>_ or deal"
        if len(move.cards) != 1 or move.target is None:
            return "a move names one card, the head of what moves, and its goal"
        return self._why_not(state, move.cards[0], move.target)

    def _why_not(self, state: LeftState, card: Card, target: Card | str) -> str:
        lies = self._where(state, card)
        if lies is not None:
            return f"{card} {lies}"
        tops = [up[-1] for _, up in state.columns if up] + list(state.waste[-1:])
        if target == FOUNDATION:
            if card not in tops:
                return f"{card} is covered"
            height = state.foundations[card.suit]
            needed = Card.of(height + 1, card.suit)
            return f"the foundation needs {needed} before {card}"
        if target == SPACE:
            if all(up for _, up in state.columns):
                return "there is no empty column"
            return f"only a {RANKS[self._ranks - 1]} goes to an empty column, not {card}"
        assert isinstance(target, Card)
        if target not in tops or target in state.waste:
            return f"{target} is not the last card of a column"
        return f"{card} does not fit on {target}"

    def _where(self, state: LeftState, card: Card) -> str | None:
        """Why *card* cannot be moved at all, or None if it is face up and free to move."""
        if card.rank > self._ranks:
            return "is not in this deck"
        if card.rank <= state.foundations[card.suit]:
            return "is on its foundation"
        if card in state.stock:
            return "is still in the stock"
        if card in state.waste:
            return None if card == state.waste[-1] else "is covered in the waste"
        for number, (down, _) in enumerate(state.columns, 1):
            if card in down:
                return f"is face down in column {number}"
        return None

    def layout(self, state: LeftState) -> tuple[Pile, ...]:
        piles = [Pile("stock", "stock", state.stock, len(state.stock))]
        piles.append(Pile("waste", "waste", state.waste))
        for suit, height in enumerate(state.foundations):
            cards = tuple(Card.of(rank, suit) for rank in range(1, height + 1))
            piles.append(Pile("foundation", "CDHS"[suit], cards))
        for number, (down, up) in enumerate(state.columns, 1):
            piles.append(Pile("column", str(number), down + up, len(down)))
        return tuple(piles)

    def ruling(self) -> tuple[str, ...]:
        n, top = self._columns, RANKS[self._ranks - 1]
        build = {
            "alternate": "in alternate colours",
            "suit": "in suit",
            "any": "regardless of suit",
        }[self.build]
        deal = "one card" if self._draw == 1 else f"{self._draw} cards"
        passes = "One pass" if self._passes == 1 else f"{self._passes} passes"
        return (
            f"Deal {n} columns of 1 to {n} cards, row by row from the left, the last card of "
            f"each face up. The other {4 * self._ranks - n * (n + 1) // 2} cards are the stock; "
            "the next card dealt is its top.",
            f"Foundations build up in suit from A to {top}; cards never come back.",
            f"Columns build down by one {build}. Any face-up tail of a column moves as one onto "
            "a card that it fits. A face-down card never moves; it turns up as soon as nothing "
            "covers it.",
            f"The stock is dealt to the waste {deal} at a time. {passes} through the stock. The "
            "top of the waste goes to a column or to a foundation.",
            self._fill_ruling(),
            f"Won when all {4 * self._ranks} cards are on the foundations. The solver knows "
            "every card (thoughtful play).",
        )

    def _fill_ruling(self) -> str:
        words = {
            STOCK: "the top card of the stock, turned up",
            WASTE: "the top card of the waste",
            NEXT_COLUMN: "the whole face-up run of the column to the right (if that empties it, "
            "it is filled in turn)",
        }
        king = {13: "king", 1: "ace"}.get(self._ranks, RANKS[self._ranks - 1])
        space = f"an empty column takes a {king}, or a run headed by one, by an ordinary move"
        if not self.fill:
            return space[0].upper() + space[1:] + "."
        sources = "; else ".join(words[source] for source in self.fill)
        return (
            "An empty column is filled before anything else happens, the leftmost first, by "
            f"the first of these that can give: {sources}. When none can, {space}."
        )


def _raised(foundations: tuple[int, ...], card: Card) -> tuple[int, ...]:
    heights = list(foundations)
    heights[card.suit] = card.rank
    return tuple(heights)
