# mypy: disable-error-code="no-untyped-def, call-arg, unreachable, var-annotated"
"""The ways on from a position, compiled: what `RunsSpace` yields, in the same order.

While it is worked on, a position is nine words: ``heights`` (the four foundations, four bits
each), ``up`` (mask of the cards there), ``heads``, ``bases``, ``loose`` (masks), ``waste``,
``dealt`` and ``down`` (bits as in `solver.kernels.klondike.code`).
"""

from __future__ import annotations

from solver.kernels.bits import count_bits, fetch_ahead, highest_bit, lowest_bit
from solver.kernels.jit import piece
from solver.kernels.klondike.code import (
    BASES,
    BELOW,
    CARD_AT,
    CARDS,
    COLUMN,
    COLUMNS,
    DOWN,
    FREE,
    FROM_STOCK,
    FROM_WASTE,
    HEIGHT,
    HIDDEN,
    KINGS,
    MASK,
    NO_PLACE,
    NONE,
    ONE,
    ORDERED,
    SAFE_WASTE,
    SEQUENCE,
    SHIFT,
    SOURCES,
    SPARE,
    STOCK_FIRST,
    TABLE_AT,
    TABLE_MASK,
    UNDEALT,
    USE_DEAD,
    USE_DEAL,
    USE_SAFE,
    WIDTH,
)
from solver.kernels.klondike.masks import EVERYTHING, next_cards, over, unwanted, with_places
from solver.kernels.pairs import slot_of


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
                    card = t[CARD_AT + WIDTH * (c + 1) + value]
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
            wanted = next_cards(t, up) & unwanted(t, up)
            if wanted == 0:
                break
            candidates = loose
            if not t[ORDERED]:
                candidates |= heads
            if cards - dealt <= t[SPARE]:
                candidates |= bases
            candidates &= wanted & over(t, with_places(t, heads | bases | loose, loose))
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
            rest = waste if t[FREE] else 1 << highest_bit(waste)
            place = lowest_bit(rest)
            while rest and not (wanted >> t[SEQUENCE + place]) & 1:
                rest &= rest - 1
                place = lowest_bit(rest)
            if rest == 0:
                break
            card = t[SEQUENCE + place]
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
        bases, down = 0, word0 & DOWN
    else:
        bases, down = word0 & BASES, (word1 & BASES) >> (cards + 1)
    heads, hidden = 0, 0
    for c in range(t[COLUMNS]):
        value = (down >> t[SHIFT + c]) & t[MASK + c]
        if value >= 9:
            bases |= 1 << (value - 9)
        elif value > 0:
            heads |= 1 << t[CARD_AT + WIDTH * c + value]
            hidden |= t[HIDDEN + WIDTH * c + value]
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
    placed = with_places(t, seen, loose)
    going = next_cards(t, up)
    up_now = going & seen & over(t, placed)
    gaps = t[COLUMNS] - count_bits(heads | bases)
    reach = waste  # of stock and waste, what can be had at once
    if waste and not t[FREE]:
        reach = 1 << highest_bit(waste)
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
    rest = reach
    while rest:
        place = lowest_bit(rest)
        rest &= rest - 1
        top = 1 << t[SEQUENCE + place]
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
    rest = reach
    while rest:
        place = lowest_bit(rest)
        rest &= rest - 1
        top = 1 << t[SEQUENCE + place]
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
        rest = reach
        while rest:
            place = lowest_bit(rest)
            rest &= rest - 1
            if (t[KINGS] >> t[SEQUENCE + place]) & 1:
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
        must_go = going & unwanted(t, up)
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
            placed = with_places(t, seen, loose & ~up)
            free = over(t, placed) | stock | buried
            while True:
                more = next_cards(t, up) & met & free
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
