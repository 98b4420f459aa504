# mypy: disable-error-code="no-untyped-def, call-arg, unreachable, var-annotated"
"""Positions of the klondike family as they lie, for any number of packs, compiled.

A position is a row of words. Columns come first, two in a word, 32 bits each (bit 0 is the lowest):

=========  ==================================================================
bits       what
=========  ==================================================================
0 .. 3     cards face down
4 .. 9     the head of the face-up run, a card and 1; 0 for an empty column
10 .. 13   cards in the run
14 .. 25   a bit for each card of the run but the head: which of the two suits of its colour
=========  ==================================================================

Then a word with the foundations (four bits each, those of a suit from the highest down), where
the waste ends (bits 48 to 55) and the passes (56 to 59). Then the *talon*: the cards of waste and
stock in the order in which they are dealt, a bit each that is set while the card is there, `BITS`
to a word. The waste is what lies before the place where it ends; that place is 0 or follows a card.

Equal cards are equal numbers, so that nothing tells one copy from the other but where it lies.
Where column order means nothing, columns without face-down cards are sorted.

While it is worked on, a position is an array of numbers, at the places below.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rules.cards import CARDS
from rules.families.klondike import NEXT_COLUMN, STOCK, WASTE, Klondike, KlondikeState
from solver.kernels.bits import count_bits, highest_bit, lowest_bit
from solver.kernels.jit import piece

Array = NDArray[Any]

BITS: Final = 60

# A position while it is worked on.
UP: Final = 0  # heights of the foundations, 12 at most
DOWN: Final = 12  # cards face down, by column
LENGTH: Final = 25  # cards in the run, by column
RUN: Final = 38  # by column, 16 places each: the run, head first
WASTE_END: Final = 246
PASSES: Final = 247
TALON: Final = 248  # 3 words
SIZE: Final = 251

# The layout as an array of words.
PACKS, RANKS, COLUMNS, TALON_SIZE, DRAW, RETURNS, SPACES, IN_SUIT, SORTED, WORDS, TALON_WORDS = (
    range(11)
)
FILL: Final = 11  # three sources in order: a code each
APART: Final = 14  # whether dealing commutes with all that happens in the columns
PASSES_LEFT: Final = 15  # at the start; 0 without end
HIDDEN: Final = 16  # by column, 16 places each: the cards face down at the start
SEQUENCE: Final = HIDDEN + 13 * 16  # the talon's cards
TABLE_SIZE: Final = SEQUENCE + 160
NO_SOURCE, FROM_STOCK, FROM_WASTE, FROM_NEXT = range(4)
NOTHING, KINGS, ANYTHING = range(3)  # what a space takes

_SOURCES: Final = {STOCK: FROM_STOCK, WASTE: FROM_WASTE, NEXT_COLUMN: FROM_NEXT}
_SPACES: Final = {"none": NOTHING, "kings": KINGS, "any": ANYTHING}


class Layout:
    """What stays as it is while a deal is played, and the way from states to rows and back."""

    def __init__(self, game: Klondike, start: KlondikeState) -> None:
        self.hidden = [column[0] for column in start.columns]
        self.talon = start.waste + start.stock
        n = len(self.talon)
        t = np.zeros(TABLE_SIZE, np.int64)
        t[PACKS], t[RANKS], t[COLUMNS], t[TALON_SIZE] = game.packs, game.ranks, len(self.hidden), n
        t[DRAW] = int(game.options["draw"])
        t[RETURNS] = game.returns
        t[SPACES] = _SPACES[game.spaces]
        t[IN_SUIT] = game.build == "suit"
        t[SORTED] = NEXT_COLUMN not in game.fill
        t[TALON_WORDS] = max(1, -(-n // BITS))
        t[WORDS] = (len(self.hidden) + 1) // 2 + 1 + t[TALON_WORDS]
        for place, source in enumerate(game.fill):
            t[FILL + place] = _SOURCES[source]
        t[APART] = not {STOCK, WASTE} & set(game.fill)
        t[PASSES_LEFT] = start.passes
        for column, cards in enumerate(self.hidden):
            t[HIDDEN + 16 * column : HIDDEN + 16 * column + len(cards)] = cards
        t[SEQUENCE : SEQUENCE + n] = self.talon
        self.words = t

    def spread(self, state: KlondikeState) -> Array:
        """*state*, at which this layout began, to be worked on."""
        s = np.zeros(SIZE, np.int64)
        s[UP : UP + len(state.foundations)] = state.foundations
        for column, (down, up) in enumerate(state.columns):
            s[DOWN + column], s[LENGTH + column] = len(down), len(up)
            s[RUN + 16 * column : RUN + 16 * column + len(up)] = up
        s[WASTE_END], s[PASSES] = len(state.waste), state.passes
        for place in range(len(self.talon)):
            s[TALON + place // BITS] |= 1 << place % BITS
        return s

    def state(self, row: Array) -> KlondikeState:
        """The state that *row* stands for, its columns in that order."""
        s = np.zeros(SIZE, np.int64)
        unpack(self.words, row, s)
        columns = []
        for column, hidden in enumerate(self.hidden):
            run = s[RUN + 16 * column :][: s[LENGTH + column]]
            columns.append((hidden[: s[DOWN + column]], tuple(CARDS[card] for card in run)))
        there = [
            bool(s[TALON + place // BITS] >> place % BITS & 1) for place in range(len(self.talon))
        ]
        end = int(s[WASTE_END])
        waste, stock = (
            tuple(self.talon[place] for place in places if there[place])
            for places in (range(end), range(end, len(self.talon)))
        )
        heights = tuple(int(height) for height in s[UP : UP + 4 * int(self.words[PACKS])])
        return KlondikeState(heights, tuple(columns), waste, stock, int(s[PASSES]))


# Compiled from here on ---------------------------------------------------------------------


@piece
def pack(t, s, row):
    """Write the position *s* into *row*."""
    columns = t[COLUMNS]
    pairs = (columns + 1) // 2
    for k in range(pairs):
        row[k] = 0
    for c in range(columns):
        n = s[LENGTH + c]
        code = s[DOWN + c] | n << 10
        if n > 0:
            base = RUN + 16 * c
            code |= (s[base] + 1) << 4
            for k in range(1, n):
                code |= (s[base + k] >> 1 & 1) << (13 + k)
        row[c >> 1] |= code << (32 * (c & 1))
    if t[SORTED]:
        sort_columns(t, s, row)
    word = s[WASTE_END] << 48 | s[PASSES] << 56
    for k in range(4 * t[PACKS]):
        word |= s[UP + k] << (4 * k)
    row[pairs] = word
    for k in range(t[TALON_WORDS]):
        row[pairs + 1 + k] = s[TALON + k]


@piece
def sort_columns(t, s, row):
    """Sort the columns of *row* that hide nothing; they keep to the same places."""
    columns = t[COLUMNS]
    for c in range(1, columns):
        if s[DOWN + c] > 0:
            continue
        mine = row[c >> 1] >> (32 * (c & 1)) & 0xFFFFFFFF
        place = c
        for d in range(c - 1, -1, -1):
            if s[DOWN + d] > 0:
                continue
            other = row[d >> 1] >> (32 * (d & 1)) & 0xFFFFFFFF
            if other <= mine:
                break
            put_column(row, place, other)
            place = d
        put_column(row, place, mine)


@piece
def put_column(row, c, code):
    shift = 32 * (c & 1)
    row[c >> 1] = row[c >> 1] & ~(0xFFFFFFFF << shift) | code << shift


@piece
def unpack(t, row, s):
    """Spread *row* out into *s*."""
    columns = t[COLUMNS]
    pairs = (columns + 1) // 2
    for c in range(columns):
        code = row[c >> 1] >> (32 * (c & 1)) & 0xFFFFFFFF
        s[DOWN + c] = code & 15
        n = code >> 10 & 15
        s[LENGTH + c] = n
        if n > 0:
            base = RUN + 16 * c
            card = (code >> 4 & 63) - 1
            s[base] = card
            for k in range(1, n):
                card = following(t, card, code >> (13 + k) & 1)
                s[base + k] = card
    word = row[pairs]
    for k in range(4 * t[PACKS]):
        s[UP + k] = word >> (4 * k) & 15
    s[WASTE_END] = word >> 48 & 255
    s[PASSES] = word >> 56 & 15
    for k in range(t[TALON_WORDS]):
        s[TALON + k] = row[pairs + 1 + k]


@piece
def following(t, card, high):
    """The card of a run after *card*: of its suit, or of the other colour's two suits."""
    if t[IN_SUIT]:
        return card - 4
    suit = card & 3
    below = (card & ~3) - 4
    if suit == 0 or suit == 3:
        return below + 1 + high  # diamonds or hearts
    return below + 3 * high  # clubs or spades


@piece
def fits(t, card, on):
    """Whether *card* may be built on *on* in a column."""
    if card >> 2 != (on >> 2) - 1:
        return False
    a, b = card & 3, on & 3
    if t[IN_SUIT]:
        return a == b
    return (a == 0 or a == 3) != (b == 0 or b == 3)


@piece
def copy(s, into):
    for k in range(SIZE):
        into[k] = s[k]


@piece
def next_in_talon(t, s, place):
    """The first card of the talon at *place* or after it, or -1."""
    for k in range(place // BITS, t[TALON_WORDS]):
        word = s[TALON + k]
        if k == place // BITS:
            word &= -1 << (place % BITS)
        if word:
            return BITS * k + lowest_bit(word)
    return -1


@piece
def last_in_talon(t, s, place):
    """The last card of the talon before *place*, or -1."""
    for k in range((place + BITS - 1) // BITS - 1, -1, -1):
        word = s[TALON + k]
        if BITS * k + BITS > place:
            word &= (1 << (place - BITS * k)) - 1
        if word:
            return BITS * k + highest_bit(word)
    return -1


@piece
def take(t, s, place):
    """Take the card at *place* out of the talon; the waste's end follows what is left of it."""
    s[TALON + place // BITS] &= ~(1 << (place % BITS))
    if place < s[WASTE_END]:
        s[WASTE_END] = last_in_talon(t, s, place) + 1


@piece
def deal(t, s):
    """Deal, or begin another pass; whether either can be done."""
    place = next_in_talon(t, s, s[WASTE_END])
    if place < 0:
        if s[WASTE_END] == 0 or s[PASSES] == 1:
            return False
        s[WASTE_END] = 0
        if s[PASSES] > 1:
            s[PASSES] -= 1
        return True
    for _ in range(t[DRAW]):
        if place < 0:
            break
        s[WASTE_END] = place + 1
        place = next_in_talon(t, s, place + 1)
    return True


@piece
def goes_up(t, s, card):
    """The foundation that takes *card*, or -1: the first that is high enough."""
    packs = t[PACKS]
    first = (card & 3) * packs
    for k in range(first, first + packs):
        if s[UP + k] == card >> 2:
            return k
    return -1


@piece
def settle(t, s):
    """Turn up what nothing covers and fill gaps, leftmost first, until nothing changes."""
    columns = t[COLUMNS]
    c = 0
    while c < columns:
        if s[LENGTH + c] > 0:
            c += 1
            continue
        if s[DOWN + c] > 0:
            s[DOWN + c] -= 1
            s[LENGTH + c] = 1
            s[RUN + 16 * c] = t[HIDDEN + 16 * c + s[DOWN + c]]
            c = 0  # a gap to the left may take it
            continue
        filled = False
        for k in range(3):
            source = t[FILL + k]
            if source == NO_SOURCE:
                break
            if source == FROM_NEXT:
                if c + 1 < columns and s[LENGTH + c + 1] > 0:
                    n = s[LENGTH + c + 1]
                    for i in range(n):
                        s[RUN + 16 * c + i] = s[RUN + 16 * (c + 1) + i]
                    s[LENGTH + c] = n
                    s[LENGTH + c + 1] = 0
                    filled = True
                    break
                continue
            if source == FROM_STOCK:
                place = next_in_talon(t, s, s[WASTE_END])
            else:
                place = last_in_talon(t, s, s[WASTE_END])
            if place >= 0:
                s[RUN + 16 * c] = t[SEQUENCE + place]
                s[LENGTH + c] = 1
                take(t, s, place)
                filled = True
                break
        if filled:
            c = 0
        else:
            c += 1


@piece
def takes(t, card):
    """Whether a space takes *card*."""
    return t[SPACES] == ANYTHING or (t[SPACES] == KINGS and card >> 2 == t[RANKS] - 1)


@piece
def is_red(card):
    return card & 3 == 1 or card & 3 == 2


@piece
def in_talon(t, s):
    """Cards in waste and stock."""
    n = np.int64(0)
    for k in range(t[TALON_WORDS]):
        n += count_bits(s[TALON + k])
    return n


@piece
def cards_up(t, s):
    """Cards on the foundations."""
    n = np.int64(0)
    for k in range(4 * t[PACKS]):
        n += s[UP + k]
    return n
