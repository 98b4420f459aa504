"""The `Game` interface, and the registry of games.

A *family* is a subclass of `Game`: how states and moves work. A *game* is an instance of
it: a name and a value for every option in the family's table. Games are data (TOML files);
see `load_game`. Rules know nothing of search.

The contract of a family:

* States are immutable, hashable tuples that hold everything (the stock included).
* ``successors`` is the one definition of what is legal. Its order is part of the contract
  (goldens and equal positions counts rest on it) and never depends on anything but the state.
* ``key`` maps states *of one deal* to a smaller canonical value; states with equal keys can
  be won by the same continuation up to the renaming that the family documents.
"""

from __future__ import annotations

import abc
import difflib
import functools
import tomllib
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar, Final, Generic, Literal, TypeVar

from rules.cards import CARDS, Card
from rules.decks import Deal, make_deal, parse_deals
from rules.errors import GameError, MoveError, OptionError
from rules.moves import Move
from rules.options import Option, Value, brief, resolve, unknown_key

S = TypeVar("S", bound=tuple[Any, ...])

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

    def _bind(self, name: str, values: Mapping[str, Value], title: str, source: str) -> None:
        """Take on checked *values*, one for each option of the table."""
        self.name = name
        self.title = title
        self.source = source
        self.options: Mapping[str, Value] = MappingProxyType(dict(values))
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


# The registry ----------------------------------------------------------------------------


@functools.cache
def families() -> Mapping[str, type[Game[Any]]]:
    """The families by name."""
    from rules.families.decade import Decade
    from rules.families.klondike import Klondike
    from rules.families.pairing import Pairing

    return MappingProxyType({cls.family: cls for cls in (Pairing, Decade, Klondike)})


_FORMER: Final = {"left": "klondike"}
"""Families that files of earlier versions name, and what they are called now."""


def find_family(name: str) -> type[Game[Any]] | None:
    """The family called *name*, by its name now or its former one; None if there is none."""
    return families().get(_FORMER.get(name, name))


def restored(family: str, name: str, options: Mapping[str, str], *, title: str = "") -> Game[Any]:
    """A game as a file tells of it: the family, the name, and *every* option as text.

    Files of a former family lack the options that have come since: their defaults are what the
    family was then. Raises `GameError` or `OptionError`.
    """
    cls = find_family(family)
    if cls is None:
        raise GameError(f"unknown family {brief(family)}")
    for option in cls.table:
        if option.name not in options and family not in _FORMER:
            raise OptionError(f"option {option.name} is not said")
    return cls(name, {}, title=title).with_options(options)


_ORDER = (
    "ten-by-one", "block-ten", "tens",
    "decade", "decade-three", "decade-loop", "decade-loop-three",
    "decade-seven", "decade-seven-three", "decade-seven-loop", "decade-seven-loop-three",
    "ten-twenty-thirty",
    "klondike", "klondike-one", "klondike-vegas", "trigon", "trigon-left",
    "single-left", "single-left-next", "moving-left", "triple-left",
    "gargantua", "double-klondike", "yukon", "russian", "moosehide", "yakutat-bay",
)  # fmt: skip


@functools.cache
def game_names() -> tuple[str, ...]:
    """The names of all registered games, in the order of the handbook, then by name."""
    found = sorted(
        entry.name.removesuffix(".toml")
        for entry in resources.files("rules").joinpath("games").iterdir()
        if entry.name.endswith(".toml")
    )
    return tuple(sorted(found, key=lambda name: _ORDER.index(name) if name in _ORDER else 99))


@functools.cache
def get_game(name: str) -> Game[Any]:
    """The registered game called *name*; raises `GameError` with a suggestion."""
    if name not in game_names():
        near = difflib.get_close_matches(name.lower().replace(" ", "-"), game_names(), n=1)
        hint = f"; did you mean {near[0]}?" if near else "; `dealproof games` lists them"
        shown = name if len(name) <= 60 else name[:60] + "…"
        raise GameError(f"unknown game {shown!r}{hint}")
    path = resources.files("rules").joinpath("games").joinpath(name + ".toml")
    return parse_game(path.read_text(encoding="utf-8"), name)


def all_games() -> Iterable[Game[Any]]:
    """Every registered game, in order."""
    return [get_game(name) for name in game_names()]


_MAX_TOML = 64 * 1024


def load_game(path: str | Path) -> Game[Any]:
    """A game from a user's TOML file; raises `GameError` or `OptionError` naming the fault."""
    path = Path(path)
    try:
        with path.open("rb") as file:  # a bounded read: devices and pipes tell no size
            data = file.read(_MAX_TOML + 1)
    except OSError as error:
        raise GameError(f"{path}: {error.strerror or error}") from None
    if len(data) > _MAX_TOML:
        raise GameError(f"{path}: a game file is at most {_MAX_TOML} bytes")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise GameError(f"{path}: not a text file in UTF-8") from None
    return parse_game(text, path.stem, where=f"{path}: ")


def parse_game(text: str, name: str, *, where: str = "") -> Game[Any]:
    """A game from TOML text: keys ``family``, ``title``, ``source``, table ``options``.

    Raises `GameError` or `OptionError`, prefixed with *where*.
    """
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # ValueError: also a number of 5,000 digits
        raise GameError(f"{where}not valid TOML: {error}") from None
    for key in data:
        if any(key == option.name for cls in families().values() for option in cls.table):
            raise GameError(f"{where}key {key!r} belongs under [options]")
        if key not in ("family", "title", "source", "options"):
            near = difflib.get_close_matches(key, ("family", "title", "source", "options"), n=1)
            hint = f"; did you mean {near[0]}?" if near else " (family, title, source, options)"
            raise GameError(f"{where}unknown key {brief(key)}{hint}")
    for key in ("family", "title", "source"):
        if not isinstance(data.get(key, ""), str):
            raise GameError(f"{where}{key} must be a string")
    family = data.get("family")
    cls = find_family(family) if isinstance(family, str) else None
    if cls is None:
        allowed = ", ".join(families())
        given = brief(family) if family is not None else "nothing"
        raise GameError(f"{where}family is one of {allowed}, not {given}")
    options = data.get("options", {})
    if not isinstance(options, dict):
        raise GameError(f"{where}options must be a table")
    try:
        return cls(name, options, title=data.get("title", ""), source=data.get("source", ""))
    except ValueError as error:
        raise type(error)(f"{where}{error}") from None
