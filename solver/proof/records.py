"""Positions as records: short byte strings, one for each class of equal positions.

The encoding ``states`` writes whole states, as far as the deal does not fix them and up to
the symmetries that the families document (the order of columns that nothing distinguishes;
suits where only ranks or values count). ``decode`` gives back one state of the class. The
byte layouts are described in ``docs/certificates.md``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Protocol

from rules.cards import CARDS, Card
from rules.families.decade import Decade, DecadeState, Stack
from rules.families.klondike import NEXT_COLUMN, Column, Klondike, KlondikeState
from rules.families.pairing import Pairing, PairingState
from rules.game import Game
from rules.plain import as_state

_GONE: Final = 255
_NONE, _FALSE, _TRUE, _NUMBER, _TUPLE = 52, 53, 54, 55, 56  # after the cards' numbers


class Records(Protocol):
    """One encoding of the positions of one game, from one start."""

    def encode(self, state: Any) -> bytes:
        """The record of *state*'s class."""

    def decode(self, record: bytes) -> Any:
        """A state of the class; raises ValueError if *record* is that of none."""


class _Reader:
    """Bytes taken from the front; ValueError when they do not last or are out of range."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def byte(self, most: int) -> int:
        if self.at >= len(self.data) or self.data[self.at] > most:
            raise ValueError("a byte is missing or out of range")
        self.at += 1
        return self.data[self.at - 1]

    def many(self, most: int, count: int | None = None) -> list[int]:
        """*count* bytes, or as many as the next byte says."""
        return [self.byte(most) for _ in range(self.byte(255) if count is None else count)]

    def finish(self) -> None:
        if self.at != len(self.data):
            raise ValueError("bytes are left over")


def _tail(stock: tuple[Card, ...], length: int) -> tuple[Card, ...]:
    if length > len(stock):
        raise ValueError("the stock is longer than at the start")
    return stock[len(stock) - length :]


class _PairingRecords:
    """Cards left in the stock; then the ranks in the slots, ascending."""

    def __init__(self, game: Pairing, start: PairingState) -> None:
        self.game, self.start = game, start

    def encode(self, state: PairingState) -> bytes:
        ranks = sorted(card.rank for card in state.slots if card is not None)
        return bytes([len(state.stock), *ranks])

    def decode(self, record: bytes) -> PairingState:
        reader = _Reader(record)
        stock = _tail(self.start.stock, reader.byte(52))
        ranks = reader.many(self.game.ranks, len(record) - 1)
        if len(ranks) > self.game.slots or 0 in ranks or (stock and len(ranks) < self.game.slots):
            raise ValueError("such slots cannot be")
        cards: list[Card | None] = []
        for place, rank in enumerate(ranks):
            cards.append(Card.of(rank, ranks[:place].count(rank)))  # ValueError for a fifth
        cards += [None] * (self.game.slots - len(cards))
        return PairingState(tuple(cards), stock)


class _DecadeRecords:
    """The turn; the stock; each stack: 255 if eliminated, else its length and values.

    A value is written as the lowest rank that has it. The stock is its length, or, where
    discards return to it, its length and values.
    """

    def __init__(self, game: Decade, start: DecadeState) -> None:
        self.game, self.start = game, start
        self.written = [0, *(game.values.index(value) + 1 for value in game.values)]
        self.cards: list[list[Card]] = [[] for _ in range(14)]
        for card in CARDS[: game.deck_size]:
            self.cards[self.written[card.rank]].append(card)

    def encode(self, state: DecadeState) -> bytes:
        out = bytearray([state.turn, len(state.stock)])
        if self.game.returns:
            out += bytes(self.written[card.rank] for card in state.stock)
        for stack in state.stacks:
            if stack is None:
                out.append(_GONE)
            else:
                out.append(len(stack))
                out += bytes(self.written[card.rank] for card in stack)
        return bytes(out)

    def decode(self, record: bytes) -> DecadeState:
        reader = _Reader(record)
        turn = reader.byte(self.game.stacks - 1)
        length = reader.byte(52)
        given = [0] * 14

        def cards(ranks: list[int]) -> tuple[Card, ...]:
            """A card for each rank, all different: only values count, so any of that value."""
            found = []
            for rank in ranks:
                if given[rank] == len(self.cards[rank]):
                    raise ValueError("there are not so many cards of a value")
                found.append(self.cards[rank][given[rank]])
                given[rank] += 1
            return tuple(found)

        if self.game.returns:
            stock = cards(reader.many(13, length))
        else:
            stock = _tail(self.start.stock, length)
        stacks: list[Stack] = []
        for _ in range(self.game.stacks):
            size = reader.byte(255)
            stacks.append(None if size == _GONE else cards(reader.many(13, size)))
        reader.finish()
        return DecadeState(tuple(stacks), stock, turn)


class _KlondikeRecords:
    """Foundation heights; the waste; the stock; the passes; each column.

    The waste is its length and cards. The stock is its length (with one pass the deal says
    which cards), else its length and cards, then the passes left. A column is the number of
    face-down cards, of face-up ones, and all of them; columns in order of their bytes where
    order does not matter.
    """

    def __init__(self, game: Klondike, start: KlondikeState) -> None:
        self.game, self.start = game, start
        self.one_pass = game.passes == 1
        self.ordered = NEXT_COLUMN in game.fill

    def encode(self, state: KlondikeState) -> bytes:
        out = bytearray(state.foundations)
        out.append(len(state.waste))
        out += bytes(state.waste)
        out.append(len(state.stock))
        if not self.one_pass:
            out += bytes(state.stock)
            out.append(state.passes)
        columns = [bytes([len(down), len(up), *down, *up]) for down, up in state.columns]
        if not self.ordered:
            columns.sort()
        return bytes(out) + b"".join(columns)

    def decode(self, record: bytes) -> KlondikeState:
        reader = _Reader(record)
        size, last = self.game.deck_size, 4 * self.game.ranks - 1
        foundations = tuple(reader.many(self.game.ranks, 4 * self.game.packs))
        waste = _pile(reader.many(last))
        length = reader.byte(size)
        if self.one_pass:
            stock, passes = _tail(self.start.stock, length), 1
        else:
            stock = _pile(reader.many(last, length))
            passes = reader.byte(9)
        columns: list[Column] = []
        for _ in self.start.columns:
            down, up = reader.byte(size), reader.byte(size)
            if down and not up:
                raise ValueError("a face-down card that nothing covers")
            columns.append((_pile(reader.many(last, down)), _pile(reader.many(last, up))))
        reader.finish()
        return KlondikeState(foundations, tuple(columns), waste, stock, passes)


def _pile(numbers: list[int]) -> tuple[Card, ...]:
    return tuple(CARDS[number] for number in numbers)


class _PlainRecords:
    """The whole state, for families that have no encoding of their own.

    A card is its number. Higher bytes: None; False; True; a number, which follows in four
    bytes; a tuple, whose length follows, then its parts.
    """

    def __init__(self, game: Game[Any], start: Any) -> None:
        self.start = start
        self.last = 4 * game.ranks - 1

    def encode(self, state: Any) -> bytes:
        if state is None or isinstance(state, bool):
            return bytes([_NONE if state is None else _TRUE if state else _FALSE])
        if isinstance(state, Card):
            return bytes([state])
        if isinstance(state, int):
            return bytes([_NUMBER]) + state.to_bytes(4, "big", signed=True)
        return bytes([_TUPLE, len(state)]) + b"".join(map(self.encode, state))

    def decode(self, record: bytes) -> Any:
        reader = _Reader(record)
        state = self._value(reader)
        reader.finish()
        if not isinstance(state, tuple) or len(state) != len(self.start):
            raise ValueError("it is no state")
        return as_state(self.start, list(state))

    def _value(self, reader: _Reader, depth: int = 0) -> Any:
        byte = reader.byte(_TUPLE)
        if byte < _NONE:
            if byte > self.last:
                raise ValueError("a card is not in the deck")
            return CARDS[byte]
        if byte == _NUMBER:
            return int.from_bytes(bytes(reader.many(255, 4)), "big", signed=True)
        if byte == _TUPLE:
            if depth > 9:
                raise ValueError("tuples are nested too deeply")
            return tuple(self._value(reader, depth + 1) for _ in range(reader.byte(255)))
        return {_NONE: None, _FALSE: False, _TRUE: True}[byte]


_STATES: Final[dict[str, Callable[[Any, Any], Records]]] = {
    "pairing": _PairingRecords,
    "decade": _DecadeRecords,
    "klondike": _KlondikeRecords,
}


def state_records(game: Game[Any], start: Any) -> Records:
    """The encoding ``states`` for *game* from *start*."""
    return _STATES.get(game.family, _PlainRecords)(game, start)
