# mypy: disable-error-code="no-untyped-def, call-arg, unreachable, var-annotated"
"""Positions of the klondike family without fills, compiled.

The positions of `solver.reductions.klondike.classes`, one word each (bit 0 is the lowest):

=========  ==================================================================
bits       what
=========  ==================================================================
0 .. 15    foundations of clubs, spades, diamonds and hearts, four bits each: height
           plus one, so that no position is the word 0
then       unmoved cards, by column, each in as many bits as the longest needs
then       the talon, one bit a card in dealing order (`TALON_AT`)
then       where the waste ends, if that counts (`WASTE_AT`)
62, 63     passes left less one, if passes are limited
=========  ==================================================================

Sets of cards are masks as in `solver.kernels.klondike.search`. While it is worked on, a position
is five words: its own, ``up`` (cards on foundations), ``heads`` (anchored cards), ``loose``, and
``talon``.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rules.families.klondike import UNLIMITED
from solver.kernels.bits import count_bits, lowest_bit
from solver.kernels.jit import piece
from solver.kernels.klondike.code import SUIT_OF_BIT, UP, bit_of, mask_of
from solver.kernels.klondike.masks import (
    EVERYTHING,
    HEADER,
    IN_SUIT,
    RETURNS,
    next_cards,
    over,
    unwanted,
    with_places,
)
from solver.reductions.klondike.classes import Layout, Position

Array = NDArray[Any]

_WIDTH: Final = 13  # columns at most
_DEEP: Final = 16  # unmoved cards in a column, 0 to 15
_BYTE: Final = 256
_CHOSEN: Final = np.arange(_BYTE, dtype=np.int64)

# The layout as one array of words: where each part of it begins.
BELOW = HEADER  # by card: the one that it lies on in its column, or -1
COLUMN = BELOW + 52  # by card: its column, or -1
SEQUENCE = COLUMN + 52  # the talon in dealing order
TALON_BIT = SEQUENCE + 52  # by card: its bit in a position
HEAD = TALON_BIT + 52  # by column and unmoved cards: the mask of the anchored card
HIDDEN = HEAD + _WIDTH * _DEEP  # likewise: the mask of those face down
SHIFT = HIDDEN + _WIDTH * _DEEP  # by column: its bits in a position
MASK = SHIFT + _WIDTH
HEIGHT = MASK + _WIDTH  # by suit (in the order of bits) and height: the mask of the cards up
TALON = HEIGHT + 4 * 15  # by eight cards of the talon and which of them are left: their mask
OPTIONS = TALON + 7 * _BYTE
(COLUMNS, CARDS, KINGS, BOTTOM, GOAL, DRAW, FREE, USE_EARLY, TALON_AT, WASTE_AT, WASTE_MASK,
 LIMITED) = (OPTIONS + i for i in range(12))  # fmt: skip
LAYOUT = OPTIONS + 12

PASSES_AT: Final = 62
_MOST_PASSES: Final = 4


class Code:
    """The positions of one layout as words; see the module's docstring."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.cards = len(layout.talon)
        self.shifts, self.masks = [], []
        shift = 16
        for column in layout.columns:
            self.shifts.append(shift)
            self.masks.append((1 << len(column).bit_length()) - 1)
            shift += len(column).bit_length()
        self.talon_at = shift
        self.waste_at = shift + self.cards
        self.waste_bits = 0 if layout.free else self.cards.bit_length()
        self.place_of = {card: i for i, card in enumerate(layout.talon)}

    @property
    def fits(self) -> bool:
        """Whether the layout's positions are words at all."""
        deepest = max(map(len, self.layout.columns))
        return (
            self.waste_at + max(1, self.waste_bits) <= PASSES_AT
            and deepest < _DEEP
            and self.layout.passes <= _MOST_PASSES
        )

    def pack(self, position: Position) -> int:
        word = position.at << self.waste_at
        if position.passes != UNLIMITED:
            word |= (position.passes - 1) << PASSES_AT
        for i, suit in enumerate(SUIT_OF_BIT):
            word |= (position.foundations[suit] + 1) << 4 * i
        for unmoved, shift in zip(position.unmoved, self.shifts, strict=True):
            word |= unmoved << shift
        word |= sum(1 << self.talon_at + self.place_of[card] for card in position.talon)
        return word - (word >> 63 << 64)  # as the signed number that a kernel takes

    def unpack(self, word: int) -> Position:
        heights = [0] * 4
        for i, suit in enumerate(SUIT_OF_BIT):
            heights[suit] = (word >> 4 * i & 15) - 1
        unmoved = tuple(word >> s & m for s, m in zip(self.shifts, self.masks, strict=True))
        talon = tuple(
            card for i, card in enumerate(self.layout.talon) if word >> self.talon_at + i & 1
        )
        at = word >> self.waste_at & (1 << self.waste_bits) - 1
        passes = (word >> PASSES_AT & 3) + 1 if self.layout.passes != UNLIMITED else UNLIMITED
        return Position(tuple(heights), unmoved, talon, at, passes)

    def array(self, *, early: bool) -> Array:
        """The layout, and whether `early` is in force, as the kernel takes them."""
        layout = self.layout
        t = np.zeros(LAYOUT, np.int64)
        t[BELOW : BELOW + 104] = -1
        for c, column in enumerate(layout.columns):
            for i, card in enumerate(column):
                t[BELOW + bit_of(card)] = bit_of(column[i - 1]) if i else -1
                t[COLUMN + bit_of(card)] = c
                t[HEAD + _DEEP * c + i + 1] = 1 << bit_of(card)
                t[HIDDEN + _DEEP * c + i + 1] = mask_of(column[:i])
            t[BOTTOM] |= mask_of(column[:1])
        t[SHIFT : SHIFT + len(self.shifts)] = self.shifts
        t[MASK : MASK + len(self.masks)] = self.masks
        for i, card in enumerate(layout.talon):
            bit = bit_of(card)
            t[SEQUENCE + i], t[TALON_BIT + bit] = bit, self.talon_at + i
            group = TALON + _BYTE * (i // 8)
            t[group : group + _BYTE] |= ((_CHOSEN >> i % 8) & 1) << bit
        t[HEIGHT : HEIGHT + 4 * 15] = [mask for row in UP for mask in (0, *row)]
        ranks = layout.ranks
        t[COLUMNS], t[CARDS], t[DRAW] = len(layout.columns), self.cards, layout.draw
        t[EVERYTHING], t[KINGS] = (1 << 4 * ranks) - 1, 15 << 4 * (ranks - 1)
        t[GOAL], t[RETURNS], t[IN_SUIT] = (ranks + 1) * 0x1111, layout.returns, layout.in_suit
        t[FREE], t[USE_EARLY] = layout.free, early
        t[TALON_AT], t[WASTE_AT] = self.talon_at, self.waste_at
        t[WASTE_MASK] = (1 << self.waste_bits) - 1
        t[LIMITED] = layout.passes != UNLIMITED
        return t


# Compiled from here on ---------------------------------------------------------------------


@piece
def spaces_of(t, heads, loose):
    """How many columns are empty."""
    return t[COLUMNS] - count_bits(heads) - count_bits(loose & t[KINGS])


@piece
def unpack(t, word):
    """The masks ``up``, ``heads``, ``loose`` and ``talon`` of a position."""
    up = (
        t[HEIGHT + (word & 15)]
        | t[HEIGHT + 15 + ((word >> 4) & 15)]
        | t[HEIGHT + 30 + ((word >> 8) & 15)]
        | t[HEIGHT + 45 + ((word >> 12) & 15)]
    )
    heads = hidden = talon = 0
    for c in range(t[COLUMNS]):
        unmoved = (word >> t[SHIFT + c]) & t[MASK + c]
        heads |= t[HEAD + _DEEP * c + unmoved]
        hidden |= t[HIDDEN + _DEEP * c + unmoved]
    left = (word >> t[TALON_AT]) & ((1 << t[CARDS]) - 1)
    group = TALON
    while left:
        talon |= t[group + (left & 255)]
        left >>= 8
        group += 256
    return up, heads, t[EVERYTHING] & ~(up | heads | hidden | talon), talon


@piece
def leave(t, card, word, heads, loose):
    """Take the anchored *card* (with its run) from its column; turn up what is under it."""
    one = 1 << t[SHIFT + t[COLUMN + card]]
    word -= one
    heads ^= 1 << card
    below = t[BELOW + card]
    if below >= 0:
        if (t[KINGS] >> below) & 1 and t[BELOW + below] < 0:
            word -= one
            loose |= 1 << below
        else:
            heads |= 1 << below
    return word, heads, loose


@piece
def go_up(t, card, word, up, heads, loose, talon):
    """*card*, in view or within reach, goes to its foundation."""
    bit = 1 << card
    up |= bit
    word += 1 << (4 * (card & 3))
    if loose & bit:
        loose ^= bit
    elif talon & bit:
        talon ^= bit
        word ^= 1 << t[TALON_BIT + card]
    else:
        word, heads, loose = leave(t, card, word, heads, loose)
    return word, up, heads, loose, talon


@piece
def go_on(t, card, word, up, heads, loose, talon):
    """*card*, anchored, in the talon or its foundation's top, goes onto a parent or to a space."""
    bit = 1 << card
    if heads & bit:
        word, heads, loose = leave(t, card, word, heads, loose)
    elif talon & bit:
        talon ^= bit
        word ^= 1 << t[TALON_BIT + card]
    else:
        up ^= bit
        word -= 1 << (4 * (card & 3))
    return word, up, heads, loose | bit, talon


@piece
def emit(t, word, up, heads, loose, talon, out, n):
    """Play what `early` forces; write the position to ``out[n]`` if there is room; n + 1."""
    while t[USE_EARLY]:
        wanted = next_cards(t, up) & unwanted(t, up)
        found = wanted & (heads | loose)
        if found:
            found &= over(t, with_places(t, heads | loose, loose))
        if t[FREE]:
            found |= wanted & talon
        if found == 0:
            break
        word, up, heads, loose, talon = go_up(t, lowest_bit(found), word, up, heads, loose, talon)
    if n < out.shape[0]:
        out[n] = word
    return n + 1


@piece
def emit_up(t, card, word, up, heads, loose, talon, out, n):
    word, up, heads, loose, talon = go_up(t, card, word, up, heads, loose, talon)
    return emit(t, word, up, heads, loose, talon, out, n)


@piece
def emit_on(t, card, word, up, heads, loose, talon, out, n):
    word, up, heads, loose, talon = go_on(t, card, word, up, heads, loose, talon)
    return emit(t, word, up, heads, loose, talon, out, n)


@piece
def is_won(t, word):
    """Whether all cards are up or, at draw one, none is face down."""
    if t[FREE]:
        for c in range(t[COLUMNS]):  # noqa: SIM110 (numba)
            if (word >> t[SHIFT + c]) & t[MASK + c] > 1:
                return False
        return True
    return word & 0xFFFF == t[GOAL]
