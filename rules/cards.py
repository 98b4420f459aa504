"""Cards: one interned object per card, an ``int`` with a rank, a suit and a text form.

A card's number is ``(rank - 1) * 4 + suit`` with suits C=0, D=1, H=2, S=3, so that sorting
cards sorts by rank first and the fresh deck of `rules.decks` is simply ``0, 1, 2, ...``.
``Card.parse(str(card)) is card`` holds for all 52 cards.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from rules.errors import CardError
from rules.words import brief

RANKS: Final = "A23456789TJQK"
SUITS: Final = "CDHS"
SYMBOLS: Final = "♣♦♥♠"
RANK_NAMES: Final = (
    "ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack",
    "queen", "king",
)  # fmt: skip
SUIT_NAMES: Final = ("clubs", "diamonds", "hearts", "spades")

_RANK_OF: Final = {letter: i + 1 for i, letter in enumerate(RANKS)} | {"10": 10}
_SUIT_OF: Final = {sign: i for signs in (SUITS, SYMBOLS, "♧♢♡♤") for i, sign in enumerate(signs)}
_VARIATION_SELECTORS: Final = "\ufe0e\ufe0f"

_WORD: Final = re.compile(r"[^\s,;]+")
_ONE: Final = re.compile(
    r"(?:10|[2-9ATJQK])[CDHS♣♦♥♠♧♢♡♤][\ufe0e\ufe0f]?", re.IGNORECASE | re.ASCII
)
_RUN_ON: Final = re.compile(f"(?:{_ONE.pattern}){{2,}}", re.IGNORECASE | re.ASCII)


class Card(int):
    """One of 52 cards. Immutable; ``Card(0)`` is A♣, ``Card(51)`` is K♠.

    >>> Card.parse("10h"), Card.parse("T♡") is Card.parse("10H")
    (Card('TH'), True)
    >>> Card.parse("9S").rank, Card.parse("9S").suit, Card.parse("9S").is_red
    (9, 3, False)
    """

    __slots__ = ()

    def __new__(cls, number: int) -> Card:
        if not 0 <= number < 52:
            raise CardError(f"a card's number is 0..51, not {number}")
        return CARDS[number] if CARDS else int.__new__(cls, number)

    @property
    def rank(self) -> int:
        """1 (ace) to 13 (king)."""
        return (int(self) >> 2) + 1

    @property
    def suit(self) -> int:
        """0..3, an index into `SUITS`."""
        return int(self) & 3

    @property
    def is_red(self) -> bool:
        return int(self) & 3 in (1, 2)

    @classmethod
    def of(cls, rank: int, suit: int) -> Card:
        """The card of rank 1..13 and suit 0..3."""
        if not (1 <= rank <= 13 and 0 <= suit <= 3):
            raise CardError(f"no card has rank {rank} and suit {suit}")
        return CARDS[(rank - 1) * 4 + suit]

    @classmethod
    def parse(cls, text: str) -> Card:
        """Read one card: rank then suit, any case, ``10`` or ``T``, letters or symbols.

        Raises `CardError` naming what is wrong with *text*.
        """
        token = text.strip().rstrip(_VARIATION_SELECTORS)
        token = token.upper() if token[:-1].isascii() and token[-1:] != "ſ" else ""
        rank, suit = _RANK_OF.get(token[:-1]), _SUIT_OF.get(token[-1:])
        if rank is None or suit is None:
            raise CardError(_complaint(text))
        return CARDS[(rank - 1) * 4 + suit]

    @property
    def pretty(self) -> str:
        """The card with its suit's symbol: ``9♠``."""
        return RANKS[int(self) >> 2] + SYMBOLS[int(self) & 3]

    @property
    def name(self) -> str:
        """The card as it is called: ``ten of spades``."""
        return f"{RANK_NAMES[self.rank - 1]} of {SUIT_NAMES[self.suit]}"

    def __str__(self) -> str:
        return RANKS[int(self) >> 2] + SUITS[int(self) & 3]

    def __repr__(self) -> str:
        return f"Card('{self}')"

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)

    def __reduce__(self) -> tuple[type[Card], tuple[int]]:
        return (Card, (int(self),))


def _complaint(text: str) -> str:
    shown = brief(text.strip(), 12)
    if "JOKER" in text.upper():
        return f"{shown}: jokers are not part of the deck"
    return f"{shown} is not a card (rank A 2..9 T J Q K, then suit C D H S)"


CARDS: tuple[Card, ...] = ()
CARDS = tuple(Card(number) for number in range(52))


def parse_rank(text: str) -> int:
    """Read a bare rank (``A``, ``7``, ``10``, ``T``, ``K``) as 1..13; raises `CardError`."""
    rank = _RANK_OF.get(text.strip().upper())
    if rank is None:
        raise CardError(f"{text.strip()!r} is not a rank (A 2..9 T J Q K)")
    return rank


def card_words(text: str) -> Iterator[tuple[str, int]]:
    """The words of *text* that should be cards, and where each begins (from 0).

    White space, commas and semicolons stand between them, or nothing: ``2c8cJs`` is three.
    """
    for word in _WORD.finditer(text):
        if _RUN_ON.fullmatch(word[0]):
            for card in _ONE.finditer(word[0]):
                yield card[0], word.start() + card.start()
        else:
            yield word[0], word.start()
