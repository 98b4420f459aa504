# mypy: disable-error-code="no-untyped-def, call-arg, unreachable, var-annotated"
"""The left family, compiled: the search of `solver.reductions.klondike.runs`, from any position.

Visits the positions that `solver.search.depth_first` visits in a `RunsSpace` with the same
reductions, in the same order. `runs` must be among them: there is no compiled search over layouts.

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
                     one at bit ``dealt``
1       S+1 .. 51    without ``next-column``: cards face down, by column, each in
                     as many bits as its largest value needs
1       52 .. 59     foundations of diamonds and hearts
======  ===========  =============================================================

While it is worked on, a position is nine words: ``heights`` (the four foundations, four bits
each), ``up`` (mask of the cards there), ``heads``, ``bases``, ``loose`` (masks), ``waste``
(bits as above), ``dealt``, and ``down`` (the bits of the columns, as above).
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rules.cards import Card
from rules.families.klondike import NEXT_COLUMN, STOCK, WASTE, KlondikeState
from rules.game import Game
from solver.kernels.bits import (
    address_of,
    borrowed,
    count_bits,
    fetch_ahead,
    highest_bit,
    lowest_bit,
)
from solver.kernels.driver import CHUNK, PATH, TABLE, Run
from solver.kernels.jit import compiled, piece
from solver.kernels.pairs import find_place, move_pairs, slot_of
from solver.kernels.registers import (
    BEST,
    BEST_DEPTH,
    DEAD_ENDS,
    DEPTH,
    EXHAUSTED,
    FILLED,
    FINISHED,
    FRAMES_FULL,
    MARGIN,
    NONE_LEFT_YET,
    PATH_FULL,
    POSITIONS,
    SLICE,
    SP,
    TABLE_FULL,
    TRANSPOSITIONS,
    WON,
)
from solver.reductions.klondike.runs import Layout, Position, RunsSpace
from solver.reductions.klondike.safe import spare_stock, waste_is_safe
from solver.search.depth_first import Outcome
from solver.verdict import NO_LIMITS, LimitName, Limits

Array = NDArray[Any]

_SLICE: Final = 25_000  # positions; well under half a second on a slow and busy machine

# The layout as one array of words: where each part of it begins.
_WIDTH: Final = 9  # columns, and cards in a column, at most
BELOW = 0  # by card: the one that it lies on in its column, or -1
COLUMN = 52  # by card: its column, or -1
SEQUENCE = 104  # the cards of waste and stock in dealing order
CARD_AT = 156  # by column and place: a card
HIDDEN = CARD_AT + _WIDTH * _WIDTH  # by column and cards face down: their mask
SHIFT = HIDDEN + _WIDTH * _WIDTH  # by column: its bits in ``down``
MASK = SHIFT + _WIDTH
UNDEALT = MASK + _WIDTH  # by cards dealt: the mask of the rest
HEIGHT = UNDEALT + 53  # by suit (in the order of bits) and height: the mask of the cards up
OPTIONS = HEIGHT + 4 * 14
(COLUMNS, CARDS, ORDERED, EVERYTHING, KINGS, SOURCES, FROM_STOCK, FROM_WASTE, STOCK_FIRST,
 SAFE_WASTE, SPARE, USE_SAFE, USE_DEAL, USE_DEAD, GOAL, TABLE_AT, TABLE_MASK) = (
    OPTIONS + i for i in (0, 1, 2, 3, 4, 5, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18)
)  # fmt: skip
LAYOUT = OPTIONS + 19

_SOURCE: Final = {STOCK: 1, WASTE: 2, NEXT_COLUMN: 3}
_WHEN: Final = {"never": 0, "without stock": 1, "always": 2}

# One bit a class (of two cards); the black and the red cards.
_CLASSES = 0x5555555555555
_BLACK = 0x3333333333333
_RED = 0xCCCCCCCCCCCCC
_ACES = 0xF
_BASES = (1 << 52) - 1
_DOWN = (1 << 54) - 1

# Typed, for numba compiles a function once more for arguments that are plain numbers.
NONE, ONE, NO_PLACE = np.int64(0), np.int64(1), np.int64(-1)

_BIT_OF_SUIT: Final = (0, 2, 3, 1)
_SUIT_OF_BIT: Final = (0, 3, 1, 2)


def bit_of(card: Card) -> int:
    """The number of *card*'s bit in a mask."""
    return (card.rank - 1) * 4 + _BIT_OF_SUIT[card.suit]


def card_of(bit: int) -> Card:
    """The card of a bit."""
    return Card((bit & ~3) + _SUIT_OF_BIT[bit & 3])


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
        heights = [position.foundations[suit] for suit in _SUIT_OF_BIT]
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
        foundations = tuple(heights[_BIT_OF_SUIT[suit]] for suit in range(4))
        run = word1 & (1 << self.cards + 1) - 1
        dealt = run.bit_length() - 1
        waste = tuple(card for i, card in enumerate(self.layout.stock[:dealt]) if run >> i & 1)
        packed = word0 if self.layout.ordered else (word1 & _BASES) >> self.cards + 1
        values = [packed >> s & m for s, m in zip(self.shifts, self.masks, strict=True)]
        bases: list[Card | None]
        if self.layout.ordered:
            bases = [card_of(value - 9) if value >= 9 else None for value in values]
            values = [value if value < 9 else 0 for value in values]
        else:
            free = [card_of(bit) for bit in range(52) if word0 >> bit & 1]
            bases = [None if value or not free else free.pop(0) for value in values]
        return Position(foundations, tuple(values), tuple(bases), dealt, waste)

    def array(self, names: tuple[str, ...]) -> Array:
        """The layout and the reductions in force as the kernel takes them."""
        layout = self.layout
        t = np.zeros(LAYOUT, np.int64)
        t[BELOW : BELOW + 104] = -1
        for c, column in enumerate(layout.columns):
            for i, card in enumerate(column):
                bit = bit_of(card)
                t[BELOW + bit] = bit_of(column[i - 1]) if i else -1
                t[COLUMN + bit] = c
                t[CARD_AT + _WIDTH * c + i] = bit
                t[HIDDEN + _WIDTH * c + i] = mask_of(column[:i])
        t[SEQUENCE : SEQUENCE + self.cards] = [bit_of(card) for card in layout.stock]
        for dealt in range(self.cards + 1):
            t[UNDEALT + dealt] = mask_of(layout.stock[dealt:])
        t[SHIFT : SHIFT + self.columns] = self.shifts
        t[MASK : MASK + self.columns] = self.masks
        for suit in range(4):
            for height in range(14):
                t[HEIGHT + 14 * suit + height] = sum(1 << 4 * i + suit for i in range(height))
        ranks, fill = layout.ranks, layout.fill
        t[COLUMNS], t[CARDS], t[ORDERED] = self.columns, self.cards, layout.ordered
        t[EVERYTHING], t[KINGS] = (1 << 4 * ranks) - 1, 15 << 4 * (ranks - 1)
        t[SOURCES : SOURCES + len(fill)] = [_SOURCE[source] for source in fill]
        t[FROM_STOCK], t[FROM_WASTE] = STOCK in fill, WASTE in fill
        t[STOCK_FIRST] = fill[:1] == (STOCK,)
        t[SAFE_WASTE], t[SPARE] = _WHEN[waste_is_safe(fill)], spare_stock(fill)
        t[USE_SAFE], t[USE_DEAL], t[USE_DEAD] = (n in names for n in ("safe", "deal", "dead"))
        t[GOAL] = ranks * 0x1111
        return t


class LeftSearch(Run):
    """One search from one state. ``layout``: see `RunsSpace`."""

    def __init__(
        self,
        game: Game[Any],
        state: KlondikeState,
        names: tuple[str, ...],
        limits: Limits = NO_LIMITS,
        layout: Layout | None = None,
    ) -> None:
        super().__init__(
            game,
            state,
            np.zeros((TABLE, 2), np.int64),
            np.zeros((3 * MARGIN // 2, 3), np.int64),
            np.zeros((PATH, 2), np.int64),
            limits,
        )
        self.space = RunsSpace(game, state, names, layout)
        self.code = Code(self.space.layout)
        self.words = self.code.array(names)
        self.successors = np.zeros((MARGIN, 2), np.int64)
        self.frames[0, :2] = self.code.pack(self.space.start)
        self.registers[SP] = 1
        self.registers[BEST] = NONE_LEFT_YET

    def step(self, budget: int) -> int:
        return int(
            run_left(
                self.words, self.table, self.frames, self.path, self.successors, self.registers,
                min(budget, _SLICE),
            )
        )  # fmt: skip

    def move(self, new: Array, first: int) -> None:
        move_pairs(self.table, new, first, first + CHUNK)

    def visited(self) -> Array:
        """The positions visited so far, shape (positions, 2); `Code.unpack` reads a row."""
        found: Array = self.table[self.table[:, 1] != 0]
        return found

    def outcome(self, limit: LimitName | None) -> Outcome:
        outcome = super().outcome(limit)
        if self.registers[WON]:
            rows = self.path[1 : int(self.registers[BEST_DEPTH]) + 1]
            found = [self.code.unpack(int(row[0]), int(row[1])) for row in rows]
            outcome.line = self.space.line_through(found)
            outcome.stats.seconds = self.clock.seconds
        return outcome


def solve(
    game: Game[Any], state: KlondikeState, reductions: tuple[str, ...], limits: Limits = NO_LIMITS
) -> Outcome:
    """Search *game* from *state* within *limits*, as `solver.search.depth_first.search` does.

    *reductions*: the names in force, ``runs`` among them; see `solver.reductions`.
    """
    search = LeftSearch(game, state, reductions, limits)
    return search.outcome(search.go())


# Compiled from here on ---------------------------------------------------------------------


@piece
def with_places(seen, loose):
    """The mask of the cards whose class has a place: parents in *seen* less those *loose*."""
    parents = ((seen >> 6) & _BLACK) | ((seen >> 2) & _RED)
    p, q = parents & _CLASSES, (parents >> 1) & _CLASSES
    a, b = loose & _CLASSES, (loose >> 1) & _CLASSES
    classes = ((p | q) & ~(a | b)) | (p & q & ~(a & b))
    return classes | (classes << 1)


@piece
def with_children_placed(placed):
    """The mask of the cards whose children are in *placed* (a union of classes), and the aces."""
    return ((placed & _BLACK) << 6) | ((placed & _RED) << 2) | _ACES


@piece
def unwanted(up):
    """The mask of the cards that are unwanted as parents; see `solver.reductions.klondike.safe`."""
    pairs = up & (up >> 1) & _CLASSES
    both = pairs | (pairs << 1)
    one_less = ((both & _BLACK) << 6) | ((both & _RED) << 2)
    two_less = ((both & _BLACK) << 10) | ((both & _RED) << 6)
    twin = ((up & _CLASSES) << 1) | ((up >> 1) & _CLASSES)
    return 0xFF | one_less | (two_less & ((twin << 12) | 0xFFF))


@piece
def fill_gaps(t, heads, bases, waste, dealt, down, gaps):
    """Fill gaps, leftmost first, as long as a source gives. *gaps*: how many there are."""
    if t[ORDERED]:
        return fill_in_order(t, heads, bases, waste, dealt, down)
    while gaps > 0:
        card = -1
        for k in range(3):
            source = t[SOURCES + k]
            if source == 1 and dealt < t[CARDS]:
                card = t[SEQUENCE + dealt]
                dealt += 1
                break
            if source == 2 and waste != 0:
                place = highest_bit(waste)
                waste ^= 1 << place
                card = t[SEQUENCE + place]
                break
        if card < 0:
            break
        bases |= 1 << card
        gaps -= 1
    return heads, bases, waste, dealt, down


@piece
def fill_in_order(t, heads, bases, waste, dealt, down):
    """The same where columns have an order."""
    c = 0
    while c < t[COLUMNS]:
        if (down >> (6 * c)) & 63:
            c += 1
            continue
        card = -1
        for k in range(3):
            source = t[SOURCES + k]
            if source == 1 and dealt < t[CARDS]:
                card = t[SEQUENCE + dealt]
                dealt += 1
                break
            if source == 2 and waste != 0:
                place = highest_bit(waste)
                waste ^= 1 << place
                card = t[SEQUENCE + place]
                break
            if source == 3 and c + 1 < t[COLUMNS]:
                value = (down >> (6 * c + 6)) & 63
                if value >= 9:
                    card = value - 9
                    down ^= value << (6 * c + 6)
                    break
                if value > 0:
                    card = t[CARD_AT + _WIDTH * (c + 1) + value]
                    heads, bases, down = turn_up(t, card, heads, bases, down)
                    break
        if card < 0:
            c += 1
            continue
        bases |= 1 << card
        down |= (9 + card) << (6 * c)
        c = 0
    return heads, bases, waste, dealt, down


@piece
def turn_up(t, card, heads, bases, down):
    """Take the head *card* from its column; the card under it comes into view."""
    heads ^= 1 << card
    below, c = t[BELOW + card], t[COLUMN + card]
    down -= 1 << t[SHIFT + c]
    if t[BELOW + below] >= 0:
        heads |= 1 << below
    else:
        bases |= 1 << below
        if t[ORDERED]:
            down |= (9 + below) << (6 * c)
    return heads, bases, down


@piece
def column_of_base(t, card, down):
    """The column that the base *card* heads, where columns have an order."""
    for c in range(t[COLUMNS]):
        if (down >> (6 * c)) & 63 == 9 + card:
            return c
    return -1


@piece
def leave(t, card, heads, bases, waste, dealt, down):
    """Take the anchored *card* (with its run) from its column; turn up or fill."""
    if heads & (1 << card):
        heads, bases, down = turn_up(t, card, heads, bases, down)
        return heads, bases, waste, dealt, down
    bases ^= 1 << card
    if t[ORDERED]:
        down ^= (9 + card) << (6 * column_of_base(t, card, down))
    return fill_gaps(t, heads, bases, waste, dealt, down, ONE)


@piece
def emit(t, heights, up, heads, bases, loose, waste, dealt, down, out, n):
    """Play the moves that `safe` forces; write the position to ``out[n]``; n + 1."""
    cards = t[CARDS]
    if t[USE_SAFE]:
        while True:
            wanted = ((up << 4) | _ACES) & ~up & t[EVERYTHING] & unwanted(up)
            if wanted == 0:
                break
            candidates = loose
            if not t[ORDERED]:
                candidates |= heads
            if cards - dealt <= t[SPARE]:
                candidates |= bases
            candidates &= wanted & with_children_placed(with_places(heads | bases | loose, loose))
            if candidates:
                card = lowest_bit(candidates)
                bit = 1 << card
                up |= bit
                heights += 1 << (4 * (card & 3))
                if loose & bit:
                    loose ^= bit
                else:
                    heads, bases, waste, dealt, down = leave(
                        t, card, heads, bases, waste, dealt, down
                    )
                continue
            if waste == 0 or t[SAFE_WASTE] < 1 + (dealt < cards):
                break
            place = highest_bit(waste)
            card = t[SEQUENCE + place]
            if not wanted & (1 << card):
                break
            waste ^= 1 << place
            up |= 1 << card
            heights += 1 << (4 * (card & 3))
    word0 = (heights & 255) << 54
    word1 = waste | (1 << dealt) | ((heights >> 8) << 52)
    if t[ORDERED]:
        word0 |= down
    else:
        word0 |= bases
        word1 |= down << (cards + 1)
    out[n, 0] = word0
    out[n, 1] = word1
    # Where there is no table (any more), asking does nothing.
    fetch_ahead(t[TABLE_AT] + 16 * slot_of(word0, word1, t[TABLE_MASK]))
    return n + 1


@piece
def emit_up(t, card, heights, up, heads, bases, loose, waste, dealt, down, out, n):
    """*card*, in view, goes to its foundation."""
    bit = 1 << card
    up |= bit
    heights += 1 << (4 * (card & 3))
    if loose & bit:
        loose ^= bit
    else:
        heads, bases, waste, dealt, down = leave(t, card, heads, bases, waste, dealt, down)
    return emit(t, heights, up, heads, bases, loose, waste, dealt, down, out, n)


@piece
def emit_on(t, card, heights, up, heads, bases, loose, waste, dealt, down, out, n):
    """The anchored *card* goes onto a parent."""
    loose |= 1 << card
    heads, bases, waste, dealt, down = leave(t, card, heads, bases, waste, dealt, down)
    return emit(t, heights, up, heads, bases, loose, waste, dealt, down, out, n)


@piece
def emit_space(t, card, place, heights, up, heads, bases, loose, waste, dealt, down, out, n):
    """A king goes to the leftmost space: the anchored *card*, or that of the waste at *place*."""
    bit = 1 << card
    space = 0
    if t[ORDERED]:
        while (down >> (6 * space)) & 63:
            space += 1
    if place < 0 and bases & bit:
        down ^= (9 + card) << (6 * column_of_base(t, card, down))
        down |= (9 + card) << (6 * space)
        heads, bases, waste, dealt, down = fill_gaps(t, heads, bases, waste, dealt, down, ONE)
    else:
        if place >= 0:
            waste ^= 1 << place
        else:
            heads, bases, down = turn_up(t, card, heads, bases, down)
        bases |= bit
        if t[ORDERED]:
            down |= (9 + card) << (6 * space)
    return emit(t, heights, up, heads, bases, loose, waste, dealt, down, out, n)


@piece
def unpack(t, word0, word1):
    """The words of a position while it is worked on; then the masks of hidden and waste."""
    cards = t[CARDS]
    heights = ((word0 >> 54) & 255) | (((word1 >> 52) & 255) << 8)
    up = (
        t[HEIGHT + (heights & 15)]
        | t[HEIGHT + 14 + ((heights >> 4) & 15)]
        | t[HEIGHT + 28 + ((heights >> 8) & 15)]
        | t[HEIGHT + 42 + ((heights >> 12) & 15)]
    )
    run = word1 & ((1 << (cards + 1)) - 1)
    dealt = highest_bit(run)
    waste = run ^ (1 << dealt)
    if t[ORDERED]:
        bases, down = 0, word0 & _DOWN
    else:
        bases, down = word0 & _BASES, (word1 & _BASES) >> (cards + 1)
    heads, hidden = 0, 0
    for c in range(t[COLUMNS]):
        value = (down >> t[SHIFT + c]) & t[MASK + c]
        if value >= 9:
            bases |= 1 << (value - 9)
        elif value > 0:
            heads |= 1 << t[CARD_AT + _WIDTH * c + value]
            hidden |= t[HIDDEN + _WIDTH * c + value]
    buried = 0
    rest = waste
    while rest:
        buried |= 1 << t[SEQUENCE + lowest_bit(rest)]
        rest &= rest - 1
    loose = t[EVERYTHING] & ~(up | heads | bases | hidden | buried | t[UNDEALT + dealt])
    return heights, up, heads, bases, loose, waste, dealt, down, hidden, buried


@piece
def expand(t, word0, word1, out):
    """Write the successors of a position to *out*, in order; how many there are."""
    heights, up, heads, bases, loose, waste, dealt, down, hidden, buried = unpack(t, word0, word1)
    if t[USE_DEAD] and is_dead(t, up, heads, bases, loose, waste, dealt, hidden, buried):
        return 0
    n = NONE
    seen = heads | bases | loose
    placed = with_places(seen, loose)
    going = ((up << 4) | _ACES) & ~up & t[EVERYTHING]
    up_now = going & seen & with_children_placed(placed)
    gaps = t[COLUMNS] - count_bits(heads | bases)
    place, top = -1, 0
    if waste:
        place = highest_bit(waste)
        top = 1 << t[SEQUENCE + place]
    todo = heads & placed
    while todo:
        card = lowest_bit(todo)
        todo &= todo - 1
        n = emit_on(t, card, heights, up, heads, bases, loose, waste, dealt, down, out, n)
    todo = up_now
    while todo:
        card = lowest_bit(todo)
        todo &= todo - 1
        n = emit_up(t, card, heights, up, heads, bases, loose, waste, dealt, down, out, n)
    if top & going:
        raised = heights + (1 << (4 * (t[SEQUENCE + place] & 3)))
        n = emit(
            t, raised, up | top, heads, bases, loose, waste ^ (1 << place), dealt, down, out, n
        )
    todo = bases & placed
    while todo:
        card = lowest_bit(todo)
        todo &= todo - 1
        n = emit_on(t, card, heights, up, heads, bases, loose, waste, dealt, down, out, n)
    if top & placed:
        n = emit(
            t, heights, up, heads, bases, loose | top, waste ^ (1 << place), dealt, down, out, n
        )
    if gaps > 0:
        todo = t[KINGS] & (heads | bases if t[ORDERED] else heads)
        while todo:
            card = lowest_bit(todo)
            todo &= todo - 1
            n = emit_space(
                t, card, NO_PLACE, heights, up, heads, bases, loose, waste, dealt, down, out, n
            )
        if top & t[KINGS]:
            n = emit_space(
                t, t[SEQUENCE + place], place,
                heights, up, heads, bases, loose, waste, dealt, down, out, n,
            )  # fmt: skip
    if dealt == t[CARDS]:
        return n
    if not t[USE_DEAL] or (gaps > 0 and t[FROM_WASTE]):
        waste |= 1 << dealt
        dealt += 1
        if gaps > 0:
            heads, bases, waste, dealt, down = fill_gaps(t, heads, bases, waste, dealt, down, gaps)
        return emit(t, heights, up, heads, bases, loose, waste, dealt, down, out, n)
    return expand_deals(
        t, going, placed, up_now, gaps,
        heights, up, heads, bases, loose, waste, dealt, down, out, n,
    )  # fmt: skip


@piece
def expand_deals(
    t, going, placed, up_now, gaps, heights, up, heads, bases, loose, waste, dealt, down, out, n
):
    """Deals, each followed by a move that depends on it; see `solver.reductions.klondike.deal`."""
    must_go = 0
    if t[USE_SAFE]:
        must_go = going & unwanted(up)
    emptying_up, emptying_on, emptying_kings = 0, 0, 0
    if t[FROM_STOCK] or t[FROM_WASTE]:
        emptying_up, emptying_on = up_now & bases, placed & bases
        if t[ORDERED] and gaps > 0:
            emptying_kings = bases & t[KINGS]
    while dealt < t[CARDS]:
        without, place = waste, dealt
        card = t[SEQUENCE + place]
        top = 1 << card
        waste |= 1 << place
        dealt += 1
        if top & going:
            raised = heights + (1 << (4 * (card & 3)))
            n = emit(t, raised, up | top, heads, bases, loose, without, dealt, down, out, n)
            if top & must_go and t[SAFE_WASTE] >= 1 + (dealt < t[CARDS]):
                break
        if top & placed:
            n = emit(t, heights, up, heads, bases, loose | top, without, dealt, down, out, n)
        if gaps > 0 and top & t[KINGS]:
            n = emit_space(
                t, card, place, heights, up, heads, bases, loose, waste, dealt, down, out, n
            )
        todo = emptying_up
        while todo:
            card = lowest_bit(todo)
            todo &= todo - 1
            n = emit_up(t, card, heights, up, heads, bases, loose, waste, dealt, down, out, n)
        todo = emptying_on
        while todo:
            card = lowest_bit(todo)
            todo &= todo - 1
            n = emit_on(t, card, heights, up, heads, bases, loose, waste, dealt, down, out, n)
        todo = emptying_kings
        while todo:
            card = lowest_bit(todo)
            todo &= todo - 1
            n = emit_space(
                t, card, NO_PLACE, heights, up, heads, bases, loose, waste, dealt, down, out, n
            )
    return n


@piece
def is_dead(t, up, heads, bases, loose, waste, dealt, hidden, buried):
    """The test of `solver.reductions.klondike.dead`; the names are those of its docstring."""
    everything, ordered = t[EVERYTHING], t[ORDERED]
    from_stock, from_waste = t[FROM_STOCK], t[FROM_WASTE]
    stock = t[UNDEALT + dealt]
    emptied = t[COLUMNS] - count_bits(heads | bases)
    seen = heads | bases | loose
    met = seen | stock
    if waste:
        met |= 1 << t[SEQUENCE + highest_bit(waste)]
    left, kings = 0, 0
    while True:
        while True:
            up_0, seen_0, met_0 = up, seen, met
            placed = with_places(seen, loose & ~up)
            free = with_children_placed(placed) | stock | buried
            while True:
                more = ((up << 4) | _ACES) & ~up & everything & met & free
                if more == 0:
                    break
                up |= more
            if up == everything:
                return False
            able = placed | up
            new = met & (able | kings) & ~left
            if emptied > 0:
                if ordered:
                    emptied = 99
                    seen |= hidden
                    met |= hidden
                if from_stock or from_waste:
                    seen |= stock
            if new == 0 and up == up_0 and seen == seen_0 and met == met_0:
                break
            left |= new
            emptied += count_bits(new & bases)
            seen |= new & (stock | buried)
            todo = new & heads
            while todo:
                below = t[BELOW + lowest_bit(todo)]
                todo &= todo - 1
                seen |= 1 << below
                met |= 1 << below
                if t[BELOW + below] >= 0:
                    heads |= 1 << below
                else:
                    bases |= 1 << below
        met_0, seen_0, kings_0 = met, seen, kings
        if emptied > 0 and (
            ordered
            or not (from_stock and from_waste)
            or count_bits((stock | buried) & ~able) < emptied
        ):
            kings = t[KINGS]
        leaving = able if from_waste else able | kings
        while waste:  # what is able leaves the waste for good, as long as nothing covers it
            place = highest_bit(waste)
            bit = 1 << t[SEQUENCE + place]
            met |= bit
            if not bit & leaving:
                break
            waste ^= 1 << place
        if waste and from_waste and emptied > 0:
            stuck = 0
            if t[STOCK_FIRST] and not ordered:
                stuck = count_bits(stock & ~able)
            rest = waste
            while rest and stuck <= emptied:
                place = highest_bit(rest)
                rest ^= 1 << place
                bit = 1 << t[SEQUENCE + place]
                met |= bit
                if not bit & able:
                    stuck += 1
                    if stuck <= emptied:
                        seen |= bit
        if met == met_0 and seen == seen_0 and kings == kings_0:
            return True


@compiled
def run_left(t, table, frames, path, successors, registers, budget):
    """Search on for at most *budget* new positions; a code of `solver.kernels.registers`.

    ``frames``: positions still to be looked at, with their depths; the next one is the last.
    A depth of -1 is that of a position that had been visited before when it was found. All
    successors are looked up together: `emit` has asked the memory for their slots ahead. Those
    that are new are looked up once more when their turn comes.
    """
    t, successors = borrowed(t), borrowed(successors)
    full = table.shape[0] * 5 // 8
    t[TABLE_AT], t[TABLE_MASK] = address_of(table), table.shape[0] - 1
    sp = registers[SP]
    new = 0
    code = EXHAUSTED
    while sp > 0:
        if registers[FILLED] >= full:
            code = TABLE_FULL
            break
        if sp + MARGIN > frames.shape[0]:
            code = FRAMES_FULL
            break
        word0, word1, depth = frames[sp - 1, 0], frames[sp - 1, 1], frames[sp - 1, 2]
        if depth < 0:
            registers[TRANSPOSITIONS] += 1
            sp -= 1
            continue
        if depth >= path.shape[0]:
            code = PATH_FULL
            break
        place = find_place(table, word0, word1)
        if place < 0:
            registers[TRANSPOSITIONS] += 1
            sp -= 1
            continue
        if new >= budget:
            code = SLICE
            break
        sp -= 1
        new += 1
        table[place, 0] = word0
        table[place, 1] = word1
        registers[FILLED] += 1
        registers[DEPTH] = max(registers[DEPTH], depth)
        path[depth, 0] = word0
        path[depth, 1] = word1
        if ((word0 >> 54) & 255) | (((word1 >> 52) & 255) << 8) == t[GOAL]:
            registers[WON] = 1
            registers[BEST_DEPTH] = depth
            code = FINISHED
            break
        n = expand(t, word0, word1, successors)
        if n == 0:
            registers[DEAD_ENDS] += 1
        for k in range(n - 1, -1, -1):
            word0, word1 = successors[k, 0], successors[k, 1]
            frames[sp, 0] = word0
            frames[sp, 1] = word1
            frames[sp, 2] = depth + 1 if find_place(table, word0, word1) >= 0 else -1
            sp += 1
    registers[SP] = sp
    registers[POSITIONS] += new
    return code
