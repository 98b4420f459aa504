"""Positions as the kernel has them: two words each, and the layout as an array of words.

**Cards and masks.** A set of cards is a word with one bit a card, ``4 * (rank - 1)`` plus 0 to
3 for clubs, spades, diamonds, hearts: the two cards of a class are neighbours, so that what the
reductions ask about a class is answered for all of them at once (`with_places`). Ascending bits
are the order of `solver.reductions.klondike.runs.by_rank`.

**A position in two words** (`Code` packs and unpacks; bit 0 is the lowest). S: cards of waste
and stock at the layout's beginning.

======  ===========  =============================================================
word    bits         what
======  ===========  =============================================================
0       0 .. 53      without ``next-column``: the mask of the bases.
                     With it: six bits a column: 0 empty, 1..8 that many cards
                     face down, 9 + card for a base
0       54 .. 61     foundations of clubs and spades, four bits each
1       0 .. S       the waste, one bit a card in dealing order, and above it a
                     one at bit ``dealt`` (if all of it can be had at any time,
                     all that is left of it and the stock, and ``dealt`` is S)
1       S+1 .. 51    without ``next-column``: cards face down, by column, each in
                     as many bits as its largest value needs
1       52 .. 59     foundations of diamonds and hearts
======  ===========  =============================================================

All of this is nobody's business outside this folder; `Code` and `solver.kernels.klondike.queries`
speak of positions in the terms of `solver.reductions.klondike.runs`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rules.cards import Card
from rules.families.klondike import NEXT_COLUMN, STOCK, WASTE
from solver.kernels.klondike.masks import EVERYTHING, HEADER, IN_SUIT
from solver.reductions.klondike.runs import Layout, Position
from solver.reductions.klondike.safe import spare_stock, waste_is_safe

Array = NDArray[Any]

# The layout as one array of words: where each part of it begins.
WIDTH: Final = 9  # columns, and cards in a column, at most
BELOW = HEADER  # by card: the one that it lies on in its column, or -1
COLUMN = BELOW + 52  # by card: its column, or -1
SEQUENCE = COLUMN + 52  # the cards of waste and stock in dealing order
CARD_AT = SEQUENCE + 52  # by column and place: a card
HIDDEN = CARD_AT + WIDTH * WIDTH  # by column and cards face down: their mask
SHIFT = HIDDEN + WIDTH * WIDTH  # by column: its bits in ``down``
MASK = SHIFT + WIDTH
UNDEALT = MASK + WIDTH  # by cards dealt: the mask of the rest
HEIGHT = UNDEALT + 53  # by suit (in the order of bits) and height: the mask of the cards up
OPTIONS = HEIGHT + 4 * 14
(COLUMNS, CARDS, ORDERED, FREE, KINGS, SOURCES, FROM_STOCK, FROM_WASTE, STOCK_FIRST,
 SAFE_WASTE, SPARE, USE_SAFE, USE_DEAL, USE_DEAD, GOAL, TABLE_AT, TABLE_MASK) = (
    OPTIONS + i for i in (0, 1, 2, 3, 4, 5, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18)
)  # fmt: skip
LAYOUT = OPTIONS + 19

_SOURCE: Final = {STOCK: 1, WASTE: 2, NEXT_COLUMN: 3}
_WHEN: Final = {"never": 0, "without stock": 1, "always": 2}

UP: Final = [[sum(1 << 4 * i + suit for i in range(height)) for height in range(14)]
             for suit in range(4)]  # fmt: skip
"""The mask of the cards that are up, by suit (in the order of bits) and height."""

BASES = (1 << 52) - 1
DOWN = (1 << 54) - 1

# Typed, for numba compiles a function once more for arguments that are plain numbers.
NONE, ONE, NO_PLACE = np.int64(0), np.int64(1), np.int64(-1)

BIT_OF_SUIT: Final = (0, 2, 3, 1)
SUIT_OF_BIT: Final = (0, 3, 1, 2)


def bit_of(card: Card) -> int:
    """The number of *card*'s bit in a mask."""
    return (card.rank - 1) * 4 + BIT_OF_SUIT[card.suit]


def card_of(bit: int) -> Card:
    """The card of a bit."""
    return Card((bit & ~3) + SUIT_OF_BIT[bit & 3])


def mask_of(cards: Any) -> int:
    return sum(1 << bit_of(card) for card in cards)


class Code:
    """The positions of one layout as pairs of words; see the module's docstring."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.columns, self.cards = len(layout.columns), len(layout.stock)
        self.shifts, self.masks = [], []
        shift = 0
        for column in layout.columns:
            width = 6 if layout.ordered else max(0, len(column) - 1).bit_length()
            self.shifts.append(shift)
            self.masks.append((1 << width) - 1)
            shift += width
        self.place_of = {card: i for i, card in enumerate(layout.stock)}

    def pack(self, position: Position) -> tuple[int, int]:
        """The two words of *position*."""
        heights = [position.foundations[suit] for suit in SUIT_OF_BIT]
        word0 = (heights[0] | heights[1] << 4) << 54
        word1 = (heights[2] | heights[3] << 4) << 52
        word1 |= 1 << position.dealt | sum(1 << self.place_of[card] for card in position.waste)
        down = 0
        for i, base in enumerate(position.bases):
            value = position.down[i]
            if base is not None and self.layout.ordered:
                value = 9 + bit_of(base)
            down |= value << self.shifts[i]
        if self.layout.ordered:
            return word0 | down, word1
        bases = mask_of(card for card in position.bases if card is not None)
        return word0 | bases, word1 | down << self.cards + 1

    def unpack(self, word0: int, word1: int) -> Position:
        """The position that these two words stand for."""
        heights = [word0 >> 54 & 15, word0 >> 58 & 15, word1 >> 52 & 15, word1 >> 56 & 15]
        foundations = tuple(heights[BIT_OF_SUIT[suit]] for suit in range(4))
        run = word1 & (1 << self.cards + 1) - 1
        dealt = run.bit_length() - 1
        waste = tuple(card for i, card in enumerate(self.layout.stock[:dealt]) if run >> i & 1)
        packed = word0 if self.layout.ordered else (word1 & BASES) >> self.cards + 1
        values = [packed >> s & m for s, m in zip(self.shifts, self.masks, strict=True)]
        bases: list[Card | None]
        if self.layout.ordered:
            bases = [card_of(value - 9) if value >= 9 else None for value in values]
            values = [value if value < 9 else 0 for value in values]
        else:
            free = [card_of(bit) for bit in range(52) if word0 >> bit & 1]
            bases = [None if value or not free else free.pop(0) for value in values]
        return Position(foundations, tuple(values), tuple(bases), dealt, waste)

    def array(self, names: tuple[str, ...], goal: Sequence[int] | None = None) -> Array:
        """The layout and the reductions in force as the kernel takes them.

        *goal*: the foundations' heights that are looked for; without it, all cards.
        """
        layout = self.layout
        t = np.zeros(LAYOUT, np.int64)
        t[BELOW : BELOW + 104] = -1
        for c, column in enumerate(layout.columns):
            for i, card in enumerate(column):
                bit = bit_of(card)
                t[BELOW + bit] = bit_of(column[i - 1]) if i else -1
                t[COLUMN + bit] = c
                t[CARD_AT + WIDTH * c + i] = bit
                t[HIDDEN + WIDTH * c + i] = mask_of(column[:i])
        t[SEQUENCE : SEQUENCE + self.cards] = [bit_of(card) for card in layout.stock]
        for dealt in range(self.cards + 1):
            t[UNDEALT + dealt] = mask_of(layout.stock[dealt:])
        t[SHIFT : SHIFT + self.columns] = self.shifts
        t[MASK : MASK + self.columns] = self.masks
        t[HEIGHT : HEIGHT + 4 * 14] = [mask for row in UP for mask in row]
        ranks, fill = layout.ranks, layout.fill
        t[COLUMNS], t[CARDS], t[ORDERED] = self.columns, self.cards, layout.ordered
        t[EVERYTHING], t[KINGS] = (1 << 4 * ranks) - 1, 15 << 4 * (ranks - 1)
        t[IN_SUIT], t[FREE] = layout.in_suit, layout.free
        t[SOURCES : SOURCES + len(fill)] = [_SOURCE[source] for source in fill]
        t[FROM_STOCK], t[FROM_WASTE] = STOCK in fill, WASTE in fill
        t[STOCK_FIRST] = fill[:1] == (STOCK,)
        t[SAFE_WASTE], t[SPARE] = _WHEN[waste_is_safe(fill)], spare_stock(fill)
        t[USE_SAFE], t[USE_DEAL], t[USE_DEAD] = (n in names for n in ("safe", "deal", "dead"))
        heights = (ranks,) * 4 if goal is None else goal
        t[GOAL] = sum(heights[suit] << 4 * i for i, suit in enumerate(SUIT_OF_BIT))
        return t
