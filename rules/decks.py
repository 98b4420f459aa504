"""Decks and deals: the numberings, and decks as people type them.

A `Deck` is each card of the lowest ``ranks`` ranks once, in dealing order, first dealt
first. A `Deal` is a deck with a name that makes it again: ``7`` (our own numbering),
``ms:617`` (Microsoft's), ``pysol:12345`` (PySolFC's), or none for a typed deck.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from rules.cards import CARDS, Card
from rules.display import Drawn
from rules.errors import CardError, DeckError

_MASK: Final = (1 << 64) - 1
_NUMBERINGS: Final = {"": (0, _MASK), "ms:": (1, (1 << 33) - 1), "pysol:": (1, 10**20)}
_SEPARATORS: Final = re.compile(r"[\s,;]+")
_TOKEN: Final = re.compile(r"(ms:|pysol:)?(\d+)(?:-(\d+))?")


class Deck(Drawn, tuple[Card, ...]):
    """An immutable deck: ``4 * ranks`` different cards, all of the lowest ``ranks`` ranks.

    >>> Deck.numbered(0).text()[:23], Deck.parse(str(Deck.numbered(7))) == Deck.numbered(7)
    ('4C 9S 3C KC AH KD KS 3S', True)
    """

    __slots__ = ()

    @property
    def ranks(self) -> int:
        return len(self) // 4

    @classmethod
    def of(cls, cards: Iterable[Card], ranks: int = 13) -> Deck:
        """Check and wrap *cards*; raises `DeckError` naming the first fault by place."""
        deck = cls(cards)
        place: dict[Card, int] = {}
        for number, card in enumerate(deck, 1):
            if card in place:
                raise DeckError(f"card {number} ({card}) repeats card {place[card]}")
            if card.rank > ranks:
                raise DeckError(f"card {number} ({card}) is not in a deck of {ranks} ranks")
            place[card] = number
        if len(deck) != 4 * ranks:
            missing = [str(card) for card in CARDS[: 4 * ranks] if card not in place]
            more = f" and {len(missing) - 6} more" if len(missing) > 6 else ""
            raise DeckError(
                f"a deck has {4 * ranks} cards, not {len(deck)}; "
                f"missing: {' '.join(missing[:6])}{more}"
            )
        return deck

    @classmethod
    def parse(cls, text: str, ranks: int = 13) -> Deck:
        """Read a deck: cards apart by white space, commas or semicolons; ``#`` comments.

        Raises `DeckError` naming the first bad card by its number.
        """
        body = " ".join(row.partition("#")[0] for row in text.lstrip("\ufeff").splitlines())
        tokens = [token for token in _SEPARATORS.split(body) if token]
        if len(tokens) > 1000:
            raise DeckError(f"a deck has {4 * ranks} cards, not {len(tokens)}")
        cards = []
        for number, token in enumerate(tokens, 1):
            try:
                cards.append(Card.parse(token))
            except CardError as error:
                raise DeckError(f"card {number}: {error}") from None
        return cls.of(cards, ranks)

    @classmethod
    def numbered(cls, number: int, ranks: int = 13) -> Deck:
        """Our own deal *number*, 0 <= number < 2**64: Fisher-Yates over SplitMix64.

        For fewer ranks the same shuffle runs over the shorter fresh deck.
        """
        if not 0 <= number <= _MASK:
            raise DeckError(f"a deal number is 0 to 2^64-1, not {number}")
        cards = list(CARDS[: 4 * ranks])
        state = number
        for i in range(len(cards) - 1, 0, -1):
            state = (state + 0x9E3779B97F4A7C15) & _MASK
            z = state
            z = ((z ^ z >> 30) * 0xBF58476D1CE4E5B9) & _MASK
            z = ((z ^ z >> 27) * 0x94D049BB133111EB) & _MASK
            z ^= z >> 31
            j = (z * (i + 1)) >> 64
            cards[i], cards[j] = cards[j], cards[i]
        return cls(cards)

    def text(self) -> str:
        """The cards apart by single spaces; `parse` reads it back."""
        return " ".join(map(str, self))

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"Deck.parse({self.text()!r}{'' if self.ranks == 13 else f', {self.ranks}'})"


@dataclass(frozen=True, slots=True)
class Deal(Drawn):
    """A deck and the name that makes it again (None for a deck that was typed in)."""

    name: str | None
    deck: Deck

    @classmethod
    def parse(cls, text: str, ranks: int = 13) -> Deal:
        """The one deal that *text* names: ``7``, ``ms:617``, ``pysol:12345``."""
        found = list(_ranges(text))
        if len(found) != 1 or found[0][1] != found[0][2]:
            raise DeckError(f"{text.strip()!r} names more than one deal")
        return make_deal(found[0][0], found[0][1], ranks)

    @classmethod
    def of(cls, deck: Deck) -> Deal:
        return cls(None, deck)

    @property
    def label(self) -> str:
        """What to call the deal in print."""
        return f"deal {self.name}" if self.name is not None else "the typed deck"


def last_number(numbering: str) -> int:
    """The greatest number of a numbering (``""``, ``"ms:"``, ``"pysol:"``)."""
    return _NUMBERINGS[numbering][1]


def make_deal(numbering: str, number: int, ranks: int = 13) -> Deal:
    """The deal of a numbering (``""``, ``"ms:"``, ``"pysol:"``) and a number in its range."""
    if not numbering:
        return Deal(str(number), Deck.numbered(number, ranks))
    if ranks != 13:
        raise DeckError(f"{numbering}{number}: only plain deal numbers exist for {ranks} ranks")
    return Deal(f"{numbering}{number}", _library_deck(numbering, number))


def _library_deck(numbering: str, number: int) -> Deck:
    """A Microsoft or PySolFC deal, by the library ``pysol-cards``.

    PySolFC deals from the end of its shuffled list, hence the reversal. PySolFC takes
    Microsoft's generator below 32000 and the Mersenne Twister from there on; the library's
    own ``shuffle`` puts the bound one higher, so it is told which one by the caller.
    """
    from pysol_cards.cards import createCards, ms_rearrange
    from pysol_cards.random import LCRandom31, MTRandom

    cards = createCards(1)
    if numbering == "ms:" or number < 32000:
        shuffled = LCRandom31(number).shuffle(ms_rearrange(cards))
    else:
        shuffled = MTRandom(number).shuffle(cards)
    suits = {"C": 0, "D": 1, "H": 2, "S": 3}
    return Deck(Card.of(card.rank, suits[card.suit_s()]) for card in reversed(shuffled))


def parse_deals(text: str, ranks: int = 13) -> Iterator[Deal]:
    """The deals that *text* names, in order: ``7``, ``1-1000``, ``1-10,42,ms:617``.

    The whole text is checked first (raises `DeckError`); the deals are made lazily. A deal
    named twice is given once, at its first place.
    """
    ranges = deal_ranges(text)
    if ranks != 13 and any(numbering for numbering, _, _ in ranges):
        raise DeckError(f"only plain deal numbers exist for {ranks} ranks")
    return _make(ranges, ranks)


def count_deals(text: str) -> int:
    """How many different deals *text* names (see `parse_deals`)."""
    return sum(high - low + 1 for _, low, high in deal_ranges(text))


def deal_ranges(text: str) -> list[tuple[str, int, int]]:
    """*text* as ``(numbering, low, high)``, disjoint, in order, neighbours joined.

    Raises `DeckError`. Two texts that name the same deals in the same order are equal here.
    """
    ranges = list(_ranges(text))
    found: list[tuple[str, int, int]] = []
    for index, (numbering, low, high) in enumerate(ranges):
        for a, b in _without(numbering, low, high, ranges[:index]):
            if found and found[-1][0] == numbering and found[-1][2] + 1 == a:
                found[-1] = (numbering, found[-1][1], b)
            else:
                found.append((numbering, a, b))
    return found


def _make(ranges: list[tuple[str, int, int]], ranks: int) -> Iterator[Deal]:
    for numbering, low, high in ranges:
        for number in range(low, high + 1):
            yield make_deal(numbering, number, ranks)


def _without(
    numbering: str, low: int, high: int, earlier: list[tuple[str, int, int]]
) -> list[tuple[int, int]]:
    """The parts of ``low..high`` that no earlier range of the same numbering covers."""
    parts = [(low, high)]
    for other, first, last in earlier:
        if other == numbering:
            parts = [
                piece
                for a, b in parts
                for piece in ((a, min(b, first - 1)), (max(a, last + 1), b))
                if piece[0] <= piece[1]
            ]
    return parts


def _ranges(text: str) -> Iterator[tuple[str, int, int]]:
    parts = [part.strip() for part in text.split(",")]
    if len(parts) > 10_000:
        raise DeckError("more than 10,000 ranges of deals")
    for part in parts:
        shown = repr(part if len(part) <= 40 else part[:40] + "…")
        match = _TOKEN.fullmatch(part.lower()) if part.isascii() else None
        if match is None:
            raise DeckError(
                f"{shown} is not a deal (a number, ms:N or pysol:N) or a range of deals (1-1000)"
            )
        numbering = match[1] or ""
        least, most = _NUMBERINGS[numbering]
        low, high = (
            _number(digits, shown, least, most) for digits in (match[2], match[3] or match[2])
        )
        if low > high:
            raise DeckError(f"{shown}: the range ends before it begins")
        yield numbering, low, high


def _number(digits: str, shown: str, least: int, most: int) -> int:
    if len(digits) > 1 and digits[0] == "0":
        raise DeckError(f"{shown}: a deal number has no leading zeros")
    if len(digits) > 25 or not least <= int(digits) <= most:
        raise DeckError(f"{shown}: deal numbers of this kind go from {least} to {most}")
    return int(digits)
