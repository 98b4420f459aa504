"""Options that several commands share, in groups; and how a command declares its own.

A group is a frozen dataclass whose fields are annotated options. A command that takes one as
a parameter offers all of its options, and gets them as one object, which knows what they
mean together (`solver.cli.app.flattened` takes it apart for typer).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Final, TypedDict

import typer

from rules.errors import MoveError
from rules.game import Game
from rules.moves import Move
from rules.words import either
from solver.cli.inputs import (
    Given,
    Givens,
    choose_game,
    complete_game,
    complete_option,
    complete_reductions,
    complete_words,
    game_of_position,
    names_game,
    options_of_position,
    read_moves,
    read_text,
    reads_as_line,
    take,
    take_position,
)
from solver.cli.output import Output, open_output
from solver.cli.terms import (
    UsageError,
    bytes_text,
    count_text,
    parse_bytes,
    parse_count,
    parse_seconds,
    seconds_text,
)
from solver.verdict import DEFAULT_LIMITS, ENGINES, Limits

GAME: Final = "Game and deal"
LIMITS: Final = "Limits"
SEARCH: Final = "Search"
OUTPUT: Final = "Output"
"""Headings in the help of a command."""

Complete = Callable[[str], Any]


def opt(
    names: str,
    help: str,
    panel: str | None = None,
    *,
    complete: Complete | None = None,
    least: int | None = None,
    most: int | None = None,
) -> Any:
    """An option: *names* are its names and what it takes, as in ``--timeout -t TIME``."""
    words = names.split()
    return typer.Option(
        *(word for word in words if word.startswith("-")),
        metavar=" ".join(word for word in words if not word.startswith("-")),
        help=help, rich_help_panel=panel, autocompletion=complete, min=least, max=most,
    )  # fmt: skip


def arg(metavar: str, help: str, complete: Complete | None = None) -> Any:
    """An argument; *metavar* is how it stands in the usage line, ``[DEALS]...`` say."""
    return typer.Argument(metavar=metavar, help=help, show_default=False, autocompletion=complete)


A_DEAL: Final = "A number (7, ms:617, pysol:12345), a file with a deck, or - for stdin."
SOME_DEALS: Final = (
    "Numbers (7, ms:617, pysol:12345), ranges (1-100), files with one deck a line, or - for stdin."
)
MEMORY: Final = "Memory for the tables: 8G, 512M, or none."
A_LINE: Final = (
    "its moves (in quotes, or with - for >, which a shell takes for itself), a file, or - for "
    "stdin. "
    "The JSON of `solve` is read too."
)


@dataclass(frozen=True)
class GameOptions:
    """A game, and changes to its options."""

    game: Annotated[
        str | None,
        arg("GAME", "A game (`dealproof games` lists them) or a .toml file.", complete_game),
    ] = None
    rules: Annotated[
        Path | None, opt("--rules FILE", "A game of your own (TOML); GAME is then left out.", GAME)
    ] = None
    changes: Annotated[
        list[str] | None,
        opt(
            "--option -o KEY=VALUE",
            "Change an option of the game; repeatable. `dealproof rules GAME` lists them.",
            GAME,
            complete=complete_option,
        ),
    ] = None

    def choose(self, *words: str) -> tuple[Game, list[str]]:
        """The game, and the other *words*, which are all of them where --rules names it."""
        return choose_game([self.game, *words], self.rules, self.changes or ())

    def only(self, advice: str = "") -> Game:
        """The game, where nothing else may be named."""
        game, rest = self.choose()
        if rest:
            raise UsageError(f"{rest[0]}: this takes a game and nothing else{advice}")
        return game


@dataclass(frozen=True)
class _Start(GameOptions):
    """Where to start, if not at the deals that are named."""

    deck: Annotated[
        str | None,
        opt("--deck CARDS", "A deck typed in, first dealt first, such as '4C 9S 10H ...'.", GAME),
    ] = None
    position: Annotated[
        str | None,
        opt(
            "--position FILE",
            "A position as text (a pile a line) instead of a deal; - for stdin. GAME may be "
            "left out if the text names it.",
            GAME,
        ),
    ] = None

    @cached_property
    def position_text(self) -> str:
        """The text of the position, which is read once."""
        return read_text(self.position or "-")

    def choose(self, *words: str) -> tuple[Game, list[str]]:
        """As for games; a position that names its game does so if no word does.

        The options that it names go with the game.
        """
        if self.position is None or self.rules is not None:
            return super().choose(*words)
        given = [word for word in (self.game, *words) if word is not None]
        if not names_game(given[:1]):
            named = game_of_position(self.position_text)
            if named is not None and (not given or reads_as_line(given)):
                given = [named, *given]
        changes = [*options_of_position(self.position_text), *(self.changes or ())]
        return choose_game(given, None, changes)

    def start(self, game: Game, words: Sequence[str], after: str | None = None) -> Givens:
        """The deals that *words* name, or the position, after the moves *after*."""
        if self.position is None:
            return take(game, words, self.deck, after)
        for name, value in (("deals", words), ("--deck", self.deck)):
            if value:
                raise UsageError(f"give {name} or --position, not both")
        return take_position(game, self.position_text, after)


@dataclass(frozen=True)
class _StartAfter(_Start):
    after: Annotated[
        str | None,
        opt(
            "--after MOVES",
            "Start after these moves: text (TH-JC, or 'TH>JC' in quotes), a file, or - for stdin.",
            GAME,
        ),
    ] = None


@dataclass(frozen=True)
class DealsOptions(_StartAfter):
    """Deals of a game, or a position."""

    deals: Annotated[list[str] | None, arg("DEALS...", SOME_DEALS)] = None

    def take(self) -> tuple[Game, Givens]:
        """The game, and the deals or the position."""
        game, rest = self.choose(*(self.deals or ()))
        return game, self.start(game, rest, self.after)


@dataclass(frozen=True)
class DealOptions(_StartAfter):
    """One deal of a game, or a position."""

    deal: Annotated[list[str] | None, arg("DEAL", A_DEAL)] = None

    def take(self) -> tuple[Game, Given]:
        """The game, and the deal or position."""
        game, rest = self.choose(*(self.deal or ()))
        return game, self.start(game, rest, self.after).only()


@dataclass(frozen=True)
class DealAndLineOptions(_Start):
    """One deal of a game, or a position, and a line of play."""

    words: Annotated[
        list[str] | None, arg("DEAL LINE", f"A deal, then a line of play: {A_LINE}")
    ] = None

    def take(self) -> tuple[Game, Given, tuple[Move, ...]]:
        """The game, the deal or position, and the moves."""
        game, given, line = take_line(self)
        if not line:
            raise MoveError("which line? its moves, a file, or - for stdin")
        return game, given, line


@dataclass(frozen=True)
class DealMaybeLineOptions(_StartAfter):
    """One deal of a game, or a position, and a line of play if there is one."""

    words: Annotated[
        list[str] | None,
        arg("DEAL [LINE]", f"A deal; then, if you bring one, a line of play: {A_LINE}"),
    ] = None

    def take(self) -> tuple[Game, Given, tuple[Move, ...]]:
        """The game, the deal or position, and the moves, none if no line is named."""
        return take_line(self, self.after)


def take_line(
    options: DealAndLineOptions | DealMaybeLineOptions, after: str | None = None
) -> tuple[Game, Given, tuple[Move, ...]]:
    """The game, the deal or position after the moves *after*, and the line that follows."""
    game, rest = options.choose(*(options.words or ()))
    deals = [] if options.deck is not None or options.position is not None else rest[:1]
    moves = rest[len(deals) :]
    if moves == ["-"] and ("-" in deals or options.position == "-"):
        raise UsageError("the deal and the line cannot both come from stdin")
    given = options.start(game, deals, after).only()
    return game, given, read_moves(moves) if moves else ()


@dataclass(frozen=True)
class LimitOptions:
    """Limits of the search for each deal."""

    timeout: Annotated[
        str, opt("--timeout -t TIME", "Time for each deal: 0.3, 90s, 2m, 1h, or none.", LIMITS)
    ] = seconds_text(DEFAULT_LIMITS.seconds)
    max_positions: Annotated[
        str, opt("--max-positions N", "Positions to visit for each deal, or none.", LIMITS)
    ] = count_text(DEFAULT_LIMITS.positions)
    memory: Annotated[str, opt("--memory SIZE", MEMORY, LIMITS)] = bytes_text(DEFAULT_LIMITS.memory)

    @property
    def limits(self) -> Limits:
        return Limits(
            parse_seconds(self.timeout),
            parse_count(self.max_positions, "--max-positions"),
            parse_bytes(self.memory),
        )


AnswerTime = Annotated[
    str, opt("--timeout -t TIME", "Time for the whole answer: 0.3, 90s, 2m, 1h, or none.", LIMITS)
]
Budget = Annotated[str, opt("--budget N", "Positions to visit for each question, or none.", LIMITS)]


@dataclass(frozen=True)
class AnswerOptions:
    """Limits of a whole answer, made of many searches."""

    timeout: AnswerTime = "10s"
    budget: Budget = "none"
    memory: Annotated[str, opt("--memory SIZE", MEMORY, LIMITS)] = bytes_text(DEFAULT_LIMITS.memory)

    @property
    def limits(self) -> Limits:
        return Limits(parse_seconds(self.timeout), None, parse_bytes(self.memory))

    @property
    def positions(self) -> int | None:
        return parse_count(self.budget, "--budget")


class EngineChoice(TypedDict):
    """Keywords of `solver.solve`."""

    engine: str
    reductions: str


@dataclass(frozen=True)
class EngineOptions:
    """How to search; no choice changes a verdict."""

    engine: Annotated[
        str,
        opt("--engine ENGINE", either(ENGINES) + ".", SEARCH, complete=complete_words(*ENGINES)),
    ] = ENGINES[0]
    reductions: Annotated[
        str,
        opt(
            "--reductions NAMES",
            "all, none, or names separated by commas; no choice changes a verdict.",
            SEARCH,
            complete=complete_reductions,
        ),
    ] = "all"

    @property
    def choice(self) -> EngineChoice:
        """The options as `solver.solve` and its like take them."""
        return {"engine": self.engine, "reductions": self.reductions}


@dataclass(frozen=True)
class TextOptions:
    """Where the results go."""

    no_color: Annotated[bool, opt("--no-color", "No colours (as NO_COLOR does).", OUTPUT)] = False
    output: Annotated[
        Path | None,
        opt("--output FILE", "Write to FILE; an old one is replaced once all is done.", OUTPUT),
    ] = None

    def open(self) -> AbstractContextManager[Output]:
        return open_output(self.output, no_color=self.no_color)


@dataclass(frozen=True)
class OutputOptions(TextOptions):
    """Where the results go, and whether as JSON."""

    json: Annotated[bool, opt("--json", "JSON, and nothing else, on stdout.", OUTPUT)] = False
