"""Decks and deals: the numberings, and decks as people type them.

A `Deck` is one pack or several, each card of the lowest ``ranks`` ranks once in each pack, in
dealing order, first dealt first. A `Deal` is a deck with a name that makes it again: ``7`` (our
own numbering), ``ms:617`` (Microsoft's), ``pysol:12345`` (PySolFC's), ``solvitaire:22``
(Solvitaire's), or none for a typed deck.

Other programs number tables, not decks: they deal in an order of their own. A game that deals
columns brings their tables into its own dealing order (`rules.game.Game.arranged`); so deals
are made by `rules.game.Game.deal`. What is made here is the order in which the cards leave the
other program's pack.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from rules.cards import CARDS, Card, card_words
from rules.errors import CardError, DeckError
from rules.words import brief

_MASK: Final = (1 << 64) - 1
MOST_RANGES: Final = 10_000
_NUMBERINGS: Final = {
    "": (0, _MASK),
    "ms:": (1, (1 << 33) - 1),
    "pysol:": (1, 10**20),
    "solvitaire:": (0, (1 << 32) - 1),
}
_TOKEN: Final = re.compile(r"(ms:|pysol:|solvitaire:)?(\d+)(?:-(\d+))?")

Arrange = Callable[[str, Sequence[Card]], Iterable[Card]]
"""``arrange(numbering, cards)``: cards as the other program deals them, in our dealing order."""


class Deck(tuple[Card, ...]):
    """An immutable deck: ``packs`` times each card of the lowest ``ranks`` ranks.

    >>> Deck.numbered(0).text()[:23], Deck.parse(str(Deck.numbered(7))) == Deck.numbered(7)
    ('4C 9S 3C KC AH KD KS 3S', True)
    """

    __slots__ = ()

    @property
    def packs(self) -> int:
        return self.count(CARDS[0])

    @property
    def ranks(self) -> int:
        return len(self) // (4 * self.packs)

    @classmethod
    def of(cls, cards: Iterable[Card], ranks: int = 13, packs: int = 1) -> Deck:
        """Check and wrap *cards*; raises `DeckError` naming the first fault by place."""
        deck = cls(cards)
        fault = first_fault(deck, ranks, packs)
        if fault is not None:
            raise DeckError(fault[1])
        if len(deck) != 4 * ranks * packs:
            raise DeckError(
                f"a deck has {4 * ranks * packs} cards, not {len(deck)}; "
                f"{_missing(deck, ranks, packs)}"
            )
        return deck

    @classmethod
    def parse(cls, text: str, ranks: int = 13, packs: int = 1) -> Deck:
        """Read a deck: cards one after another, with white space, commas or semicolons
        between them or nothing (``4C9S3C``); ``#`` comments.

        Raises `DeckError` naming the first bad card by its number.
        """
        body = " ".join(row.partition("#")[0] for row in text.lstrip("\ufeff").splitlines())
        tokens = [token for token, _ in card_words(body)]
        if len(tokens) > 1000:
            raise DeckError(f"a deck has {4 * ranks * packs} cards, not {len(tokens)}")
        cards = []
        for number, token in enumerate(tokens, 1):
            try:
                cards.append(Card.parse(token))
            except CardError as error:
                raise DeckError(f"card {number}: {error}") from None
        return cls.of(cards, ranks, packs)

    @classmethod
    def numbered(cls, number: int, ranks: int = 13, packs: int = 1) -> Deck:
        """Our own deal *number*, 0 <= number < 2**64: Fisher-Yates over SplitMix64.

        For fewer ranks the same shuffle runs over the shorter fresh deck, for several packs
        over one fresh pack after the other.
        """
        if not 0 <= number <= _MASK:
            raise DeckError(f"a deal number is 0 to 2^64-1, not {number}")
        cards = list(CARDS[: 4 * ranks]) * packs
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
        shape = {(13, 1): "", (self.ranks, 1): f", {self.ranks}"}.get(
            (self.ranks, self.packs), f", {self.ranks}, {self.packs}"
        )
        return f"Deck.parse({self.text()!r}{shape})"


def first_fault(cards: Sequence[Card], ranks: int, packs: int) -> tuple[int, str] | None:
    """The number (from 1) of the first card that cannot be in such a deck, and why; or None."""
    places: dict[Card, list[int]] = {}
    for number, card in enumerate(cards, 1):
        earlier = places.setdefault(card, [])
        if len(earlier) == packs:
            often = "" if packs == 1 else f" (a deck of {packs} packs has {packs})"
            repeats = " and ".join(map(str, earlier))
            what = "card" if packs == 1 else "cards"
            full = len(cards) == 4 * ranks * packs
            missing = f"; {_missing(cards, ranks, packs)}" if full else ""
            return number, f"card {number} ({card}) repeats {what} {repeats}{often}{missing}"
        if card.rank > ranks:
            return number, f"card {number} ({card}) is not in a deck of {ranks} ranks"
        earlier.append(number)
    return None


def _missing(cards: Iterable[Card], ranks: int, packs: int) -> str:
    fresh = Counter(CARDS[: 4 * ranks] * packs)
    missing = [str(card) for card in (fresh - Counter(cards)).elements()]
    more = f" and {len(missing) - 6} more" if len(missing) > 6 else ""
    return f"missing: {' '.join(missing[:6])}{more}"


@dataclass(frozen=True, slots=True)
class Deal:
    """A deck and the name that makes it again (None for a deck that was typed in)."""

    name: str | None
    deck: Deck

    @classmethod
    def parse(
        cls, text: str, ranks: int = 13, packs: int = 1, arrange: Arrange | None = None
    ) -> Deal:
        """The one deal that *text* names: ``7``, ``ms:617``, ``pysol:12345``.

        `rules.game.Game.deal` makes the deal as its game deals it.
        """
        found = list(_ranges(text))
        if len(found) != 1 or found[0][1] != found[0][2]:
            raise DeckError(f"{text.strip()!r} names more than one deal")
        return make_deal(found[0][0], found[0][1], ranks, packs, arrange)

    @classmethod
    def of(cls, deck: Deck) -> Deal:
        return cls(None, deck)

    @property
    def label(self) -> str:
        """What to call the deal in print."""
        return f"deal {self.name}" if self.name is not None else "the typed deck"


def last_number(numbering: str) -> int:
    """The greatest number of a numbering (``""``, ``"ms:"``, ``"pysol:"``, ``"solvitaire:"``)."""
    return _NUMBERINGS[numbering][1]


def make_deal(
    numbering: str, number: int, ranks: int = 13, packs: int = 1, arrange: Arrange | None = None
) -> Deal:
    """The deal of a numbering (see `last_number`) and a number in its range."""
    if not numbering:
        return Deal(str(number), Deck.numbered(number, ranks, packs))
    check_numbering(numbering, ranks, packs)
    if numbering == "solvitaire:":
        cards = _solvitaire_cards(number)
    else:
        cards = _library_cards(numbering, number, packs)
    return Deal(f"{numbering}{number}", Deck(arrange(numbering, cards) if arrange else cards))


def check_numbering(numbering: str, ranks: int, packs: int) -> None:
    """Raises `DeckError` if a numbering has no decks of so many ranks and packs."""
    if numbering and ranks != 13:
        raise DeckError(f"only plain deal numbers exist for {ranks} ranks")
    if numbering in ("ms:", "solvitaire:") and packs != 1:
        raise DeckError(f"{numbering}N is for one pack, not {packs}; give a plain deal number")


def _library_cards(numbering: str, number: int, packs: int) -> list[Card]:
    """A Microsoft or PySolFC deal, by the library ``pysol-cards``.

    PySolFC deals from the end of its shuffled list, hence the reversal. PySolFC takes
    Microsoft's generator below 32000 and the Mersenne Twister from there on; the library's
    own ``shuffle`` puts the bound one higher, so it is told which one by the caller.
    """
    from pysol_cards.cards import createCards, ms_rearrange
    from pysol_cards.random import LCRandom31, MTRandom

    cards = createCards(packs)
    if numbering == "ms:" or number < 32000:
        shuffled = LCRandom31(number).shuffle(ms_rearrange(cards))
    else:
        shuffled = MTRandom(number).shuffle(cards)
    suits = {"C": 0, "D": 1, "H": 2, "S": 3}
    return [Card.of(card.rank, suits[card.suit_s()]) for card in reversed(shuffled)]


def _solvitaire_cards(seed: int) -> list[Card]:
    """Solvitaire's deal *seed*: the Mersenne Twister, scaled as Boost scales it.

    Boost's ``uniform_int_distribution`` cuts the generator's 2^32 numbers into equal buckets,
    one for each value, and takes another number where one falls into the rest.
    """
    state = [seed]
    for i in range(1, 624):
        state.append((1812433253 * (state[-1] ^ state[-1] >> 30) + i) & 0xFFFFFFFF)
    twister = random.Random()
    twister.setstate((3, (*state, 624), None))
    cards = [Card.of(rank, suit) for rank in range(1, 14) for suit in (0, 2, 3, 1)]
    for i in range(51, 0, -1):
        bucket, rest = divmod(0xFFFFFFFF, i + 1)
        bucket += rest == i
        while (j := twister.getrandbits(32) // bucket) > i:
            pass
        cards[i], cards[j] = cards[j], cards[i]
    return cards[::-1]


def parse_deals(
    text: str, ranks: int = 13, packs: int = 1, arrange: Arrange | None = None
) -> Iterator[Deal]:
    """The deals that *text* names, in order: ``7``, ``1-1000``, ``1-10,42,ms:617``.

    The whole text is checked first (raises `DeckError`); the deals are made lazily. A deal
    named twice is given once, at its first place. `rules.game.Game.deals` makes them as its
    game deals them.
    """
    ranges = deal_ranges(text)
    for numbering, _, _ in ranges:
        check_numbering(numbering, ranks, packs)
    return (
        make_deal(numbering, number, ranks, packs, arrange)
        for numbering, low, high in ranges
        for number in range(low, high + 1)
    )


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
    if len(parts) > MOST_RANGES:
        raise DeckError(f"more than {MOST_RANGES:,} ranges of deals")
    for part in parts:
        shown = brief(part, 40)
        match = _TOKEN.fullmatch(part.lower()) if part.isascii() else None
        if match is None:
            raise DeckError(
                f"{shown} is not a deal (a number, ms:N, pysol:N or solvitaire:N) "
                "or a range of deals (1-1000)"
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
