"""The `Game` interface.

A *family* is a subclass of `Game`: how states and moves work. A *game* is an instance of
it: a name and a value for every option in the family's table. `rules.registry` tells which
there are. Rules know nothing of search.

The contract of a family:

* States are immutable, hashable tuples that hold everything (the stock included).
* ``successors`` is the one definition of what is legal. Its order is part of the contract
  (goldens and equal counts of positions rest on it) and never depends on anything but the state.
* ``key`` maps states *of one deal* to a smaller canonical value; states with equal keys can
  be won by the same continuation up to the renaming that the family documents.
"""

from __future__ import annotations

import abc
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal

from rules.cards import CARDS, Card
from rules.decks import Deal, make_deal, parse_deals
from rules.errors import MoveError
from rules.moves import Move
from rules.options import Option, resolve, unknown_key

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    S = TypeVar("S", bound=tuple[Any, ...], default=Any)
else:
    from typing import TypeVar

    S = TypeVar("S")

State = Any
"""A state of some game. Only its family looks into it, and knows its type."""

Role = Literal["slot", "stack", "column", "foundation", "stock", "waste"]


@dataclass(frozen=True, slots=True)
class Pile:
    """A pile as it lies on the table, for drawing: oldest (lowest) card first.

    The first ``face_down`` cards are face down. The stock's next card is its *first*.
    """

    role: Role
    label: str
    cards: tuple[Card, ...]
    face_down: int = 0
    gone: bool = False


class Game(abc.ABC, Generic[S]):
    """A family's rules bound to one set of options. Instances are immutable and hashable."""

    family: ClassVar[str]
    summary: ClassVar[str]
    table: ClassVar[tuple[Option, ...]] = ()
    notation: ClassVar[str] = "7H+3C to remove, 8S>9H, 5D>F or KD>_ to move, deal and redeal"
    """How moves are written, by examples."""

    def __init__(
        self,
        name: str,
        options: Mapping[str, Any] | None = None,
        *,
        title: str = "",
        source: str = "",
    ) -> None:
        self._bind(name, resolve(self.table, options or {}), title or name, source)

    def _bind(self, name: str, values: Mapping[str, Any], title: str, source: str) -> None:
        """Take on checked *values*, one for each option of the table."""
        self.name = name
        self.title = title
        self.source = source
        self.options: Mapping[str, Any] = MappingProxyType(dict(values))
        self.setup()

    def setup(self) -> None:
        """Check options against each other (raise `OptionError`) and precompute."""

    # What a family defines -------------------------------------------------------------

    @property
    @abc.abstractmethod
    def ranks(self) -> int:
        """Ranks in the deck, 1..13; a pack is each card of the lowest ranks once."""

    @abc.abstractmethod
    def initial(self, deck: tuple[Card, ...]) -> S:
        """The state after the opening deal of *deck* (dealing order, first dealt first)."""

    @abc.abstractmethod
    def successors(self, state: S) -> Iterator[tuple[Move, S]]:
        """Every legal move, with the state that it leads to, in a fixed order."""

    @abc.abstractmethod
    def is_won(self, state: S) -> bool:
        """Whether the deal is won in *state*."""

    @abc.abstractmethod
    def key(self, state: S) -> Hashable:
        """The canonical key of *state* among the states of its deal."""

    @abc.abstractmethod
    def why_illegal(self, state: S, move: Move) -> str:
        """One clause that says why *move* is not legal in *state*."""

    @abc.abstractmethod
    def layout(self, state: S) -> tuple[Pile, ...]:
        """The piles on the table, in the order in which they are drawn."""

    @abc.abstractmethod
    def ruling(self) -> tuple[str, ...]:
        """The rules in force in plain words, a paragraph a string, options included."""

    @property
    def packs(self) -> int:
        """Packs in the deck."""
        return 1

    def arranged(self, numbering: str, cards: Sequence[Card]) -> Iterable[Card]:
        """*cards*, as the program of *numbering* deals them, in this game's dealing order.

        They are the same unless both deal columns. Raises `DeckError` if there is no such deal.
        """
        return cards

    def cards_left(self, state: S) -> int | None:
        """Cards left if play is over here, for games that count them (Decade); else None."""
        return None

    @property
    def counts_cards(self) -> bool:
        """Whether the object is to leave as few cards as possible (Decade)."""
        return False

    @property
    def only_values_matter(self) -> bool:
        """Whether a deck may be given as a list of values 1 to 10 (see `rules.contest`)."""
        return False

    @property
    def decision_free(self) -> bool:
        """Whether, by the options alone, every order of play ends in the same place."""
        return False

    # What follows from it --------------------------------------------------------------

    def legal_moves(self, state: S) -> tuple[Move, ...]:
        """The legal moves, in the order of ``successors``."""
        return tuple(move for move, _ in self.successors(state))

    def play(self, state: S, move: Move) -> tuple[Move, S]:
        """Play *move*: the move with its shown cards filled in, and the state after it.

        Raises `MoveError` with the reason if it is not legal, or shows other cards.
        """
        for legal, after in self.matches(state, move):
            if move.shown and move.shown != legal.shown:
                come = ", ".join(map(str, legal.shown)) or "no card"
                raise MoveError(f"it shows {come}, not {', '.join(map(str, move.shown))}")
            return legal, after
        raise MoveError(self.why_illegal(state, move))

    def matches(self, state: S, move: Move) -> Iterable[tuple[Move, S]]:
        """The legal move, if any, that *move* means, whatever it shows, and the state after it."""
        wanted = self.normal(move.bare)
        for legal, after in self.successors(state):
            if self.normal(legal.bare) == wanted:
                yield legal, after
                return

    def normal(self, move: Move) -> Move:
        """*move* in the one form that stands for its equals (say, cards sorted)."""
        return move

    @property
    def deck_size(self) -> int:
        return 4 * self.ranks * self.packs

    @property
    def fresh(self) -> tuple[Card, ...]:
        """The cards of the deck in their order, pack after pack."""
        return CARDS[: 4 * self.ranks] * self.packs

    def deal(self, text: str) -> Deal:
        """The one deal of this game that *text* names, such as ``7`` or ``pysol:12345``."""
        return Deal.parse(text, self.ranks, self.packs, self.arranged)

    def deals(self, text: str) -> Iterator[Deal]:
        """The deals of this game that *text* names (see `rules.decks.parse_deals`)."""
        return parse_deals(text, self.ranks, self.packs, self.arranged)

    def make_deal(self, numbering: str, number: int) -> Deal:
        """The deal of this game with a number of a numbering."""
        return make_deal(numbering, number, self.ranks, self.packs, self.arranged)

    def with_options(self, changes: Mapping[str, str]) -> Game[S]:
        """The same game with options changed from text (``-o key=value``).

        Raises `OptionError`. Without changes, the game itself.
        """
        if not changes:
            return self
        rows = {option.name: option for option in self.table}
        values = dict(self.options)
        for key, text in changes.items():
            if key not in rows:
                raise unknown_key(key, rows, f"{self.name}: ")
            values[key] = rows[key].read(text)
        changed = object.__new__(type(self))
        changed._bind(self.name, values, self.title, self.source)
        return changed

    def changed_options(self) -> dict[str, str]:
        """The options that differ from the family's defaults, as text."""
        return {
            option.name: option.show(self.options[option.name])
            for option in self.table
            if self.options[option.name] != option.default
        }

    def all_options(self) -> dict[str, str]:
        """Every option as text, in the table's order."""
        return {option.name: option.show(self.options[option.name]) for option in self.table}

    def _identity(self) -> tuple[Any, ...]:
        return (self.family, self.name, tuple(self.options.items()))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash(self._identity())

    def __repr__(self) -> str:
        changed = ", ".join(f"{key}={value}" for key, value in self.changed_options().items())
        return f"<{type(self).__name__} {self.name}{': ' + changed if changed else ''}>"
