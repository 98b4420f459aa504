"""Decks as people bring them: files and texts in several shapes, every fault with its place.

Shapes, told apart by what the text looks like (`DeckList.note` says which one was taken,
unless it is the usual one):

* one deck a line: cards with white space, commas or semicolons between them, or nothing
  (``4C9S3C``); ``#`` comments;
* one deck over several lines of equal length;
* the board of a game with columns, as fc-solve and PySolFC print it: an optional ``Talon:``
  line, then a line per column, ``<7H>`` for face-down cards. It is dealt backwards into the
  deck that gives this layout, if the game has columns of these lengths;
* JSON deals as Solvitaire and lonelybot write them (``tableau piles``, in which a suit in a small
  letter is a card face down; ``stock`` with its top card last), likewise;
* Klondike-Solver's decks: three digits a card, rank (01 to 13) and suit (1 to 4 for C D H S), the
  first card dealt first;
* JSON objects with a ``deck`` (what ``solve --json`` prints);
* lists of 52 values 1 to 10, ended by 0 (a programming contest's form), for games in which
  only those values matter.

Everything is parsed, nothing executed; sizes and nesting are bounded.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final

from rules.cards import CARDS, Card, card_words
from rules.contest import read_contest
from rules.decks import Deck, first_fault
from rules.errors import CardError, DeckError, PositionError
from rules.game import Game
from rules.position import check_not_drawn

MAX_BYTES: Final = 64 << 20
_BOARD: Final = "read as a board, a column a line (the talon's first card is dealt first)"
_SOLVITAIRE: Final = (
    "read as JSON deals of Solvitaire's kind (the last card of `stock` is dealt first)"
)
_MAX_ROW: Final = 20_000
_TOKEN: Final = re.compile(r"[^\s,;]+")
_HEADER: Final = re.compile(r"\s*(talon|stock|foundations|freecells|waste)\s*:(.*)", re.I)
_VALUES: Final = re.compile(r"[\s\d,;]+")
_DIGITS: Final = re.compile(r"\s*([0-9]{156})\s*")


@dataclass(frozen=True, slots=True)
class FoundDeck:
    """A deck and the number of the line that it began on (1-based)."""

    deck: Deck
    line: int


@dataclass(frozen=True, slots=True)
class DeckList:
    """The decks of a text, and a sentence on its shape if it was not one deck a line."""

    decks: tuple[FoundDeck, ...]
    note: str | None = None


def read_deck_file(path: str | Path, game: Game) -> DeckList:
    """The decks in a file; raises `DeckError` naming file, line, column and card."""
    where = str(path)
    try:
        with open(path, "rb") as stream:
            return read_decks(stream, game, where)
    except OSError as error:
        raise DeckError(f"{where}: {(error.strerror or str(error)).lower()}") from None


def read_decks(stream: BinaryIO, game: Game, where: str) -> DeckList:
    """The decks in a binary stream, named *where* in errors; see `parse_decks`."""
    return parse_decks(decode(read_bounded(stream, where), where), game, where)


def read_bounded(stream: BinaryIO, where: str) -> bytes:
    """All bytes of *stream*; raises `DeckError` if they are more than `MAX_BYTES`."""
    data = stream.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise DeckError(f"{where}: too large (at most {MAX_BYTES >> 20} MiB)")
    return data


def decode(data: bytes, where: str) -> str:
    """Text from UTF-8 or UTF-16, with or without a byte order mark; raises `DeckError`."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        encoding = "utf-16"
    elif len(data) >= 8 and len(data) % 2 == 0 and not any(data[1:64:2]):
        encoding = "utf-16-le"
    elif len(data) >= 8 and len(data) % 2 == 0 and not any(data[0:64:2]):
        encoding = "utf-16-be"
    else:
        encoding = "utf-8-sig"
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        row = data[: error.start].count(b"\n") + 1
        raise DeckError(
            f"{where}:{row}: not text in UTF-8 "
            f"(byte {error.start + 1} is 0x{data[error.start]:02x})"
        ) from None
    bad = next((c for c in text if c < " " and c not in "\t\n\r\f\v\x1a"), None)
    if bad is not None:
        row = text[: text.index(bad)].count("\n") + 1
        raise DeckError(f"{where}:{row}: a binary file, not text (character U+{ord(bad):04X})")
    return text.rstrip("\x1a")


def parse_decks(text: str, game: Game, where: str) -> DeckList:
    """The decks in *text*, for *game*; raises `DeckError` with *where*, line and column."""
    text = text.removeprefix("\ufeff")
    head = text.lstrip()[:1]
    if head in ("{", "["):
        return _parse_json(text, game, where)
    try:
        check_not_drawn(text)
    except PositionError as error:
        raise DeckError(f"{where}: {error}") from None
    rows = _rows(text)
    first = list(itertools.islice(rows, 64))
    if not first:
        raise DeckError(f"{where}: no deck in it")
    if _DIGITS.fullmatch(first[0][1]):
        return _parse_digits(itertools.chain(first, rows), game, where)
    if all(_VALUES.fullmatch(row) for _, row in first):
        return _parse_values(itertools.chain(first, rows), game, where)
    if len(first) > 1 and not any(_count(row) >= game.deck_size for _, row in first):
        shape = _parse_shape(first, game, where)
        if shape is not None:
            return shape
    decks = tuple(
        FoundDeck(_parse_row(row, number, game, where), number)
        for number, row in itertools.chain(first, rows)
    )
    return DeckList(decks)


def _rows(text: str) -> Iterator[tuple[int, str]]:
    """Line numbers and lines (ended by LF, CRLF or CR) without comments, blank ones left out."""
    for number, row in enumerate(re.split(r"\r\n|\r|\n", text), 1):
        body = row.partition("#")[0]
        if body.strip(" \t,;\f\v"):
            yield number, body


def _tokens(row: str, number: int, where: str) -> list[tuple[str, str]]:
    """The words of a line, each with its place ``where:line:column``."""
    if len(row) > _MAX_ROW:
        raise DeckError(f"{where}:{number}: a line of {len(row)} characters is no deck")
    return [(word, f"{where}:{number}:{start + 1}") for word, start in card_words(row)]


def _count(row: str) -> int:
    """How many cards a line seems to have."""
    return sum(1 for _ in card_words(row))


def _parse_row(row: str, number: int, game: Game, where: str) -> Deck:
    return _checked(_tokens(row, number, where), game, f"{where}:{number}")


def _checked(tokens: list[tuple[str, str]], game: Game, where: str) -> Deck:
    """The deck of *tokens*; raises `DeckError` naming the first bad card and its place."""
    cards: list[Card] = []
    for index, (token, place) in enumerate(tokens, 1):
        try:
            cards.append(Card.parse(token))
        except CardError as error:
            raise DeckError(f"{place}: card {index}: {error}") from None
    fault = first_fault(cards, game.ranks, game.packs)
    if fault is not None:
        raise DeckError(f"{tokens[fault[0] - 1][1]}: {fault[1]}")
    try:
        return Deck.of(cards, game.ranks, game.packs)
    except DeckError as error:
        raise DeckError(f"{where}: {error}") from None


# Boards ----------------------------------------------------------------------------------


def _parse_shape(rows: list[tuple[int, str]], game: Game, where: str) -> DeckList | None:
    """A board or a deck over several lines; None if the lines look like neither."""
    if len(rows) >= 64:
        return None
    headers = [match for _, row in rows if (match := _HEADER.match(row))]
    marked = bool(headers) or any("<" in row or row.lstrip().startswith(":") for _, row in rows)
    line = rows[0][0]
    sizes = [_count(row) for _, row in rows]
    if not marked:
        if sum(sizes) != game.deck_size:
            return None
        if len(set(sizes[:-1])) == 1 and sizes[-1] <= sizes[0]:
            tokens = [pair for number, row in rows for pair in _tokens(row, number, where)]
            deck = _checked(tokens, game, where)
            return DeckList((FoundDeck(deck, line),), f"{where}: read as one deck over "
                            f"{len(rows)} lines, the first card dealt first")  # fmt: skip
    columns: list[list[tuple[str, str]]] = []
    stock: list[tuple[str, str]] = []
    for number, row in rows:
        match = _HEADER.match(row)
        body = " " * match.start(2) + match[2] if match else row.replace(":", " ", 1)
        body = body.replace("<", " ").replace(">", " ")
        tokens = _tokens(body, number, where)
        if match is None:
            columns.append(tokens)
        elif match[1].lower() in ("talon", "stock"):
            stock = tokens
        elif [token for token, _ in tokens if not re.fullmatch(r"[CDHS]-0|-", token, re.I)]:
            raise DeckError(
                f"{where}:{number}: {match[1]} with cards: only opening deals can be solved"
            )
    deck = _undeal(columns, stock, game, where)
    return DeckList(
        (FoundDeck(deck, line),),
        f"{where}: {_BOARD}",
    )


def _undeal(
    columns: list[list[tuple[str, str]]],
    stock: list[tuple[str, str]],
    game: Game,
    where: str,
) -> Deck:
    """The deck that *game* deals into these columns and this stock (next card first)."""
    shape, rest = _places(game)
    if not shape:
        raise DeckError(f"{where}: a board of columns, and {game.title} has none: give the deck")
    wanted, given = [len(pile) for pile in shape], [len(column) for column in columns]
    if given != wanted or len(stock) != len(rest):
        raise DeckError(
            f"{where}: a board with columns of {', '.join(map(str, given))} cards and a stock of "
            f"{len(stock)}; {game.title} deals {', '.join(map(str, wanted))} and {len(rest)}"
        )
    tokens: list[tuple[str, str]] = [("", "")] * game.deck_size
    for pile, column in zip((*shape, rest), (*columns, stock), strict=True):
        for place, token in zip(pile, column, strict=True):
            tokens[place] = token
    return _checked(tokens, game, where)


def _places(game: Game) -> tuple[list[list[int]], list[int]]:
    """Which cards of the deck, by place, *game* deals into its columns and its stock.

    Dealing decks whose cards say their places shows it: a digit of the place in each.
    """
    size = game.deck_size
    digits = []
    for power in (1, 52):
        deck = tuple(CARDS[place // power % 52] for place in range(size))
        piles = game.layout(game.initial(deck))
        found = [pile.cards for pile in piles if pile.role == "column"]
        digits.append([*found, next((pile.cards for pile in piles if pile.role == "stock"), ())])
    places = [
        [int(low) + 52 * int(high) for low, high in zip(*pair, strict=True)]
        for pair in zip(*digits, strict=True)
    ]
    return places[:-1], places[-1]


def _parse_digits(rows: Iterator[tuple[int, str]], game: Game, where: str) -> DeckList:
    """Decks of three digits a card, one a line."""
    found = []
    for number, row in rows:
        match = _DIGITS.fullmatch(row)
        if match is None:
            raise DeckError(f"{where}:{number}: not a deck of 52 cards with three digits each")
        tokens = []
        for at in range(0, 156, 3):
            rank, suit = int(match[1][at : at + 2]), int(match[1][at + 2])
            known = 1 <= rank <= 13 and 1 <= suit <= 4
            text = str(Card.of(rank, suit - 1)) if known else match[1][at : at + 3]
            tokens.append((text, f"{where}:{number}:{match.start(1) + at + 1}"))
        found.append(FoundDeck(_checked(tokens, game, f"{where}:{number}"), number))
    return DeckList(tuple(found), f"{where}: read as Klondike-Solver's decks (three digits a card)")


# JSON ------------------------------------------------------------------------------------


def _parse_json(text: str, game: Game, where: str) -> DeckList:
    found: list[FoundDeck] = []
    note = f"{where}: read as JSON objects with a deck"
    for line, data in _json_values(text, where):
        for item in data if isinstance(data, list) else [data]:
            place = f"{where}:{line}"
            if isinstance(item, dict) and isinstance(item.get("deck"), str):
                deck = _checked([(token, place) for token in item["deck"].split()], game, place)
            elif isinstance(item, dict) and "tableau piles" in item:
                deck = _solvitaire(item, game, place)
                note = f"{where}: {_SOLVITAIRE}"
            else:
                raise DeckError(f"{place}: JSON without `deck` or `tableau piles`")
            found.append(FoundDeck(deck, line))
    if not found:
        raise DeckError(f"{where}: no deck in it")
    return DeckList(tuple(found), note)


def _json_values(text: str, where: str) -> Iterator[tuple[int, Any]]:
    """The JSON values that follow one another in *text*, with their line numbers."""
    decoder, place, line = json.JSONDecoder(), 0, 1
    space = re.compile(r"\s*")
    while True:
        start = space.match(text, place).end()  # type: ignore[union-attr]
        line += text.count("\n", place, start)
        if start == len(text):
            return
        try:
            value, end = decoder.raw_decode(text, start)
        except json.JSONDecodeError as error:
            raise DeckError(
                f"{where}:{error.lineno}:{error.colno}: not valid JSON ({error.msg})"
            ) from None
        except RecursionError:
            raise DeckError(f"{where}:{line}: JSON nested too deeply") from None
        except ValueError:
            raise DeckError(f"{where}:{line}: not valid JSON (a number is too long)") from None
        yield line, value
        line += text.count("\n", start, end)
        place = end


def _solvitaire(item: dict[str, Any], game: Game, place: str) -> Deck:
    def pile(value: object, what: str) -> list[tuple[str, str]]:
        if not isinstance(value, list) or not all(isinstance(card, str) for card in value):
            raise DeckError(f"{place}: `{what}` is not a list of cards")
        if len(value) > game.deck_size:
            raise DeckError(f"{place}: `{what}` has {len(value)} cards")
        return [(card, f"{place}, {what}") for card in value]

    piles = item["tableau piles"]
    if not isinstance(piles, list):
        raise DeckError(f"{place}: `tableau piles` is not a list of piles")
    for key in item:
        if key not in ("tableau piles", "stock") and any(item[key] or ()):
            raise DeckError(f"{place}: `{key}` with cards: only opening deals can be solved")
    columns = [pile(value, f"tableau pile {n}") for n, value in enumerate(piles, 1)]
    _check_faces(columns, game, place)
    return _undeal(columns, pile(item.get("stock", []), "stock")[::-1], game, place)


def _check_faces(columns: list[list[tuple[str, str]]], game: Game, place: str) -> None:
    """Refuse a deal that shows other cards than *game* does when it deals columns so long.

    A suit in a small letter is a card face down, unless all suits or none are.
    """
    small = [[card[-1:].islower() for card, _ in column] for column in columns]
    if len({letter for column in small for letter in column}) < 2:
        return
    piles = game.layout(game.initial(game.fresh))
    dealt = [pile for pile in piles if pile.role == "column"]
    for number, (faces, pile) in enumerate(zip(small, dealt, strict=False), 1):
        wanted = [card < pile.face_down for card in range(len(pile.cards))]
        if len(faces) == len(wanted) and faces != wanted:
            raise DeckError(
                f"{place}: tableau pile {number} has {sum(faces)} cards face down, {game.title} "
                f"deals {sum(wanted)} so: only opening deals can be solved"
            )


# Values ----------------------------------------------------------------------------------


def _parse_values(rows: Iterator[tuple[int, str]], game: Game, where: str) -> DeckList:
    """Lists of 52 values, the 0 after the last one optional; see `rules.contest`."""
    if not game.only_values_matter:
        raise DeckError(
            f"{where}: a list of values 1 to 10, and in {game.title} the cards matter: "
            "give ranks and suits"
        )
    values = [(match[0], number) for number, row in rows for match in _TOKEN.finditer(row)]
    if values[-1][0] != "0":
        values.append(("0", values[-1][1]))
    try:
        decks = read_contest(" ".join(token for token, _ in values))
    except DeckError as error:
        raise DeckError(f"{where}: {error}") from None
    if not decks:
        raise DeckError(f"{where}: no deck in it")
    found = tuple(FoundDeck(deck, values[52 * n][1]) for n, deck in enumerate(decks))
    return DeckList(found, f"{where}: read as lists of values (suits made up)")
