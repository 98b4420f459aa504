"""Which characters may be used: suits' symbols and drawing characters, or plain letters."""

from __future__ import annotations

from dataclasses import dataclass

from rules.cards import SUITS, SYMBOLS, Card
from rules.moves import Move


@dataclass(frozen=True, slots=True)
class Glyphs:
    """What an output can show. ``symbols``: ♣♦♥♠ for suits. ``lines``: box characters.

    >>> Glyphs().card(Card.parse("QH")), ASCII.card(Card.parse("QH"))
    ('Q♥', 'QH')
    """

    symbols: bool = True
    lines: bool = True

    @classmethod
    def of(cls, encoding: str | None) -> Glyphs:
        """The glyphs that *encoding* has; plain ones if it is unknown."""
        return cls(_has(encoding, SYMBOLS), _has(encoding, "╭─╮│╰╯├└·→–"))

    def card(self, card: Card) -> str:
        return card.pretty if self.symbols else str(card)

    def suit(self, suit: int) -> str:
        return (SYMBOLS if self.symbols else SUITS)[suit]

    def move(self, move: Move) -> str:
        return move.text(pretty=self.symbols)

    @property
    def dot(self) -> str:
        return "·" if self.lines else "-"

    @property
    def dash(self) -> str:
        return "–" if self.lines else "-"


UNICODE = Glyphs()
ASCII = Glyphs(False, False)


def _has(encoding: str | None, characters: str) -> bool:
    try:
        characters.encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def card_style(card: Card) -> str:
    """The rich style of a face-up card."""
    return "bold red" if card.is_red else "bold"
