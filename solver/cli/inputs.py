"""From words on the command line to games and deals."""

from __future__ import annotations

import itertools
import json
import os
import re
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rules.cards import Card, card_words
from rules.decks import Deal, count_deals
from rules.errors import CardError, DeckError, GameError, MoveError
from rules.game import Game
from rules.moves import Move, parse_line
from rules.position import Position
from rules.referee import replay
from rules.registry import game_names, get_game, load_game
from solver.cli.output import note
from solver.cli.terms import UsageError, parse_pairs


@dataclass(frozen=True, slots=True)
class Given:
    """A deal or position to work on, and where it came from if it was typed or read."""

    what: Deal | Position
    source: str | None = None

    @property
    def name(self) -> str:
        """What to call it in a row of many."""
        named = self.what.name if isinstance(self.what, Deal) else None
        return named or self.source or "deck"

    @property
    def label(self) -> str:
        """What to call it in a sentence."""
        if isinstance(self.what, Position):
            return self.what.label
        return f"deal {self.what.name}" if self.what.name is not None else self.source or "deck"

    def state(self, game: Game) -> Any:
        """The state to start from."""
        what = self.what
        return what.state if isinstance(what, Position) else game.initial(what.deck)


@dataclass(frozen=True, slots=True)
class Givens:
    """Deals in the order given, made as they are asked for; ``total`` says how many."""

    total: int
    deals: Iterable[Given]

    def only(self) -> Given:
        """The one deal or position; raises `DeckError` if there are several."""
        if self.total != 1:
            raise DeckError(f"one deal at a time here; {self.total:,} are named")
        return next(iter(self.deals))


def choose_game(
    words: Iterable[str | None], rules: Path | None, options: Sequence[str]
) -> tuple[Game, list[str]]:
    """The game that the words or ``--rules FILE`` name, options applied; and the other words.

    The first word is a registered game or a TOML file (its name ends in ``.toml``); with
    ``--rules`` it is left out.
    """
    left = [word for word in words if word is not None]
    if rules is not None:
        game = load_game(rules)
        if left and left[0] == game.name:
            left.pop(0)
        elif names_game(left):
            raise UsageError(f"give a game ({left[0]}) or --rules ({rules}), not both")
    elif not left:
        raise GameError("which game? `dealproof games` lists them")
    else:
        word = left.pop(0)
        game = load_game(word) if word.endswith(".toml") else get_game(word)
    return game.with_options(parse_pairs(options)), left


_NUMBERS = re.compile(r"[\w:\s,+.^-]*\d[\w:\s,+.^-]*")
_DASHES = re.compile("[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]")  # what is typeset for -


def gather(game: Game, words: Sequence[str], deck: str | None = None) -> Givens:
    """The deals that the words name: numbers, ranges, deck files, ``-`` for stdin.

    Everything is checked before the first deal is handed out.
    """
    from rules.deckfile import DeckList, parse_decks, read_deck_file, read_decks

    total, parts = 0, list[Iterable[Given]]()
    numbers: list[str] = []

    def flush() -> None:
        nonlocal total
        if numbers:
            text = ",".join(numbers)
            total += count_deals(text)
            parts.append(map(Given, game.deals(text)))
            numbers.clear()

    def add(found: DeckList, where: str) -> None:
        nonlocal total
        if found.note:
            note(found.note)
        total += len(found.decks)
        parts.append([Given(Deal.of(entry.deck), f"{where}:{entry.line}") for entry in found.decks])

    if deck is not None:
        if words:
            raise UsageError(f"give deals ({words[0]}) or --deck, not both")
        found = parse_decks(deck, game, "--deck")
        if len(found.decks) != 1:
            raise DeckError(f"--deck: one deck is wanted, not {len(found.decks)}")
        if found.note:
            note(found.note)
        return Givens(1, [Given(Deal.of(found.decks[0].deck), "the typed deck")])
    for word in words:
        if word == "-":
            flush()
            add(read_decks(sys.stdin.buffer, game, "stdin"), "stdin")
        elif not word.strip():
            raise DeckError(f"{word!r} names no deal")
        elif not _is_number(word) and (_exists(word) or not _NUMBERS.fullmatch(word)):
            dash = _DASHES.search(word)
            if dash and _NUMBERS.fullmatch(_DASHES.sub("-", word)) and not _exists(word):
                raise DeckError(
                    f"{word!r}: write - for {dash[0]} (U+{ord(dash[0]):04X}); deal numbers are "
                    "0 to 2^64-1"
                )
            if not _exists(word) and word.isalnum():
                hint = "; a deck is typed with --deck" if _is_card(word) else ""
                raise DeckError(f"{word!r} is no deal (7, ms:617, 1-100) and no file{hint}")
            flush()
            add(read_deck_file(word, game), word)
        else:
            numbers.append(word)
    flush()
    if not parts:
        raise DeckError("which deal? a number (7), a range (1-100), --deck or a file of decks")
    return Givens(total, itertools.chain.from_iterable(parts))


def _exists(word: str) -> bool:
    try:
        return Path(word).exists()
    except (OSError, ValueError):  # no name that a file can have
        return False


def _is_card(word: str) -> bool:
    """Whether *word* is a card, or some without anything between them."""
    try:
        return [Card.parse(card) for card, _ in card_words(word)] != []
    except CardError:
        return False


def _is_number(word: str) -> bool:
    try:
        return count_deals(word) > 0
    except DeckError:
        return False


def take(
    game: Game, words: Sequence[str], deck: str | None = None, after: str | None = None
) -> Givens:
    """The deals that the words or the typed *deck* name; one may have moves *after* it."""
    givens = gather(game, words, deck)
    if after is None:
        return givens
    if givens.total != 1:
        raise UsageError(f"--after goes with one deal, not {givens.total:,}")
    only = givens.only()
    assert isinstance(only.what, Deal)
    return Givens(1, [Given(Position.after(game, only.what, read_moves([after])), only.source)])


def take_position(game: Game, text: str, after: str | None = None) -> Givens:
    """The position that *text* tells, with the moves *after* played."""
    place = Position.parse(text, game)
    if after is not None:
        place = Position(game, replay(game, place.state, read_moves([after]))[1][-1])
    return Givens(1, [Given(place)])


def names_game(words: Sequence[str]) -> bool:
    """Whether the first of *words* is a registered game or names a file with one."""
    return bool(words) and (words[0] in game_names() or words[0].endswith(".toml"))


def game_of_position(text: str) -> str | None:
    """The game that a position's text says it is of, if it does."""
    match = re.search(r"^\s*game\s*:\s*([\w-]+)\s*(#.*)?$", text, re.IGNORECASE | re.MULTILINE)
    return match[1] if match else None


def options_of_position(text: str) -> list[str]:
    """The changes to the game's options that a position's text tells of, ``key=value`` each."""
    match = re.search(r"^\s*options\s*:([^#\n]*)", text, re.IGNORECASE | re.MULTILINE)
    return match[1].split() if match else []


def read_text(name: str) -> str:
    """The text in a file, or on stdin for ``-``."""
    from rules.deckfile import decode, read_bounded

    if name == "-":
        return decode(read_bounded(sys.stdin.buffer, "stdin"), "stdin")
    with open(name, "rb") as stream:
        return decode(read_bounded(stream, name), name)


def read_moves(words: Sequence[str]) -> tuple[Move, ...]:
    """The moves in *words*: the text itself, or the name of a file, or ``-``.

    What reads as moves is moves, even if there is a file of that name. The JSON of
    ``solve --json`` is read too.
    """
    text = " ".join(words)
    if text == "-" or (len(words) == 1 and not _is_line(text) and Path(text).is_file()):
        text = read_text(text)
    if text.lstrip().startswith("{"):
        text = _line_of_json(text)
    return parse_line(text)


def reads_as_line(words: Sequence[str]) -> bool:
    """Whether `read_moves` would find moves in *words*, or a file to read them from."""
    return words == ["-"] or _is_line(" ".join(words)) or (len(words) == 1 and _exists(words[0]))


def _is_line(text: str) -> bool:
    try:
        return bool(parse_line(text))
    except MoveError:
        return False


def _line_of_json(text: str) -> str:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise MoveError(f"not one JSON object: {error}") from None
    moves = data.get("line")
    if not isinstance(moves, list) or not all(isinstance(move, str) for move in moves):
        raise MoveError("JSON without a `line` of moves")
    return " ".join(moves)


def complete_game(incomplete: str) -> Iterator[tuple[str, str]]:
    """Shell completion: the games' names, with their titles."""
    for name in game_names():
        if name.startswith(incomplete):
            yield name, get_game(name).title


def complete_words(*choices: str) -> Callable[[str], Iterator[str]]:
    """Shell completion of a few words, or of several of them with commas."""

    def complete(incomplete: str) -> Iterator[str]:
        first, comma, last = incomplete.rpartition(",")
        taken = first.split(",")
        for choice in choices:
            if choice.startswith(last) and choice not in taken:
                yield f"{first}{comma}{choice}"

    return complete


def _game_on_line() -> Game | None:
    """The registered game among the words that the shell says are on the line.

    The parser has no word of them yet: it stops at the option that waits for its value.
    """
    line = os.environ.get("COMP_WORDS") or os.environ.get("_TYPER_COMPLETE_ARGS") or ""
    return next((get_game(word) for word in line.split() if word in game_names()), None)


def complete_reductions(incomplete: str) -> Iterator[str]:
    """Shell completion of reductions, those that hold for the game on the line if it is there."""
    from solver.reductions import available, registry

    game = _game_on_line()
    names = tuple(registry()) if game is None else available(game)
    words = () if "," in incomplete else ("all", "none")
    return complete_words(*words, *names)(incomplete)


def complete_option(incomplete: str) -> Iterator[tuple[str, str]]:
    """Shell completion of ``key=value`` for the game on the line, or for all families."""
    from rules.registry import families

    game = _game_on_line()
    tables = [cls.table for cls in families().values()] if game is None else [game.table]
    key, equals, value = incomplete.partition("=")
    for option in {option.name: option for table in tables for option in table}.values():
        if not equals and option.name.startswith(key):
            yield f"{option.name}=", _in_a_row(f"{option.help} ({option.allowed})")
        elif equals and option.name == key:
            first, comma, last = value.rpartition(",")
            for choice in option.choices:
                if choice.startswith(last):
                    yield f"{key}={first}{comma}{choice}", _in_a_row(option.help)


def _in_a_row(text: str) -> str:
    """*text* cut to what typer prints in one row: shells read a second row as a word of its own."""
    from rich.console import Console

    return textwrap.shorten(text, Console().width - 1, placeholder=" ...")
