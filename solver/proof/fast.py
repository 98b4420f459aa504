# mypy: disable-error-code="no-untyped-def, no-untyped-call"
"""The second checker: `solver.proof.reduced` compiled, for sets of millions.

It demands the same of the same records, and accepts and refuses the same certificates; tests
hold the two together. Where the readable one plays moves by the rules in states of a
class, this one works on classes alone, in three words each. It shares nothing with the search,
not even its tables.

A class in three words: the foundations, four bits each (C D H S), then four bits a
column with the number of cards face down; six bits a column with its base's number plus one, or
0; the number of cards dealt in six bits, then a bit for each card of the stock in the waste.
While it is worked on it is one array, `STATE` long. Sets of cards are words, a bit a card.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any, Final

import numba
import numpy as np
from numpy.typing import NDArray

from rules.families.klondike import NEXT_COLUMN, STOCK, WASTE
from solver.proof.errors import CertificateRefused
from solver.proof.reduced import Watch, unwatched
from solver.proof.runs import RunsRecords

Array = NDArray[Any]

_SLICE: Final = 20_000

# A state: where its parts begin. Bases are -1 for none.
DEALT, WASTED, LOOSE, DOWN, BASE, STATE = 4, 5, 6, 7, 16, 25
# What is known of the deal and what was asked: one array.
(COLUMNS, CARDS, RANKS, ORDERED, SOURCES, SAFE, DEAL, DEAD, SEQUENCE, SIZE, CARD_AT) = (
    0, 1, 2, 3, 4, 7, 8, 9, 10, 62, 71,
)  # fmt: skip
TABLE_LENGTH = CARD_AT + 9 * 9
_FROM_STOCK, _FROM_WASTE, _FROM_NEXT = 1, 2, 3
# A move: the three words of the class it leads to, how its card lay, whether it is safe.
LAY, SURE, MOVE = 3, 4, 5
# (Constants that are arguments are typed: numba compiles a function anew for a plain number.)
LOOSE_CARD, HEAD, BASE_CARD, WASTE_TOP, STOCK_CARD = np.arange(5, dtype=np.int64)
UP, ONTO, SPACE = np.arange(3, dtype=np.int64)
NONE, NO_COLUMN, NO = np.int64(0), np.int64(-1), np.bool_(False)
MOST_MOVES = 256
COVERED, LEADS_OUT, WON = 0, 1, 2


KEPT: Final[list[bool]] = []
"""Whether there was a place to keep them, by function."""


def compiled(function: Callable[..., Any]) -> Any:
    """*function* compiled by numba, kept on disk where that is possible."""
    options: dict[str, Any] = {"nogil": True, "no_cfunc_wrapper": True}  # nobody in C calls them
    try:
        kept = numba.njit(cache=True, **options)(function)
    except RuntimeError:
        KEPT.append(False)
        return numba.njit(**options)(function)
    KEPT.append(True)
    return kept


def check_fast(
    form: RunsRecords, names: Collection[str], records: Sequence[bytes], watch: Watch = unwatched
) -> int:
    """What `RunsChecker.check_all` does, but for the start; returns the moves followed.

    *records* are in ascending order. Raises `CertificateRefused` naming the first position
    that is at fault.
    """
    deal = _deal(form, names)
    rows = np.frombuffer(b"".join(records), np.uint8).reshape(len(records), form.width)
    words = np.empty((len(records), 3), np.int64)
    bad = read_records(deal, rows, words)
    if bad >= 0:
        raise CertificateRefused(f"position {bad + 1} is malformed")
    size = 1 << max(4, (2 * len(records)).bit_length())
    table = np.full(size, -1, np.int64)
    counts = np.zeros(2, np.int64)
    enter_all(table, words)
    for first in range(0, len(records), _SLICE):
        watch(first)
        found = check_slice(deal, words, table, first, min(len(records), first + _SLICE), counts)
        if found >= 0:
            reason = "is a win" if counts[1] == WON else "has a move that leads out of the set"
            raise CertificateRefused(f"position {found + 1} {reason}")
    return int(counts[0])


def _deal(form: RunsRecords, names: Collection[str]) -> Array:
    """The constants of the deal, and the reductions named."""
    t = np.zeros(TABLE_LENGTH, np.int64)
    number = {STOCK: _FROM_STOCK, WASTE: _FROM_WASTE, NEXT_COLUMN: _FROM_NEXT}
    fill = form.game.fill
    t[COLUMNS], t[CARDS], t[RANKS] = len(form.columns), len(form.stock), form.game.ranks
    t[ORDERED] = form.ordered
    t[SOURCES : SOURCES + len(fill)] = [number[source] for source in fill]
    t[SAFE], t[DEAL], t[DEAD] = (name in names for name in ("safe", "deal", "dead"))
    t[SEQUENCE : SEQUENCE + len(form.stock)] = form.stock
    for c, column in enumerate(form.columns):
        t[SIZE + c] = len(column)
        t[CARD_AT + 9 * c : CARD_AT + 9 * c + len(column)] = column
    return t


# The set -----------------------------------------------------------------------------------


@compiled
def place_of(table, words, a, b, c):
    """The slot of a class in *table*, or the free slot where it belongs."""
    mask = table.shape[0] - 1
    h = a * 0x1E3779B97F4A7C15 + b * 0x2545F4914F6CDD1D + c * 0x369DEA0F31A53F85
    h ^= (h >> 32) & 0x7FFFFFFF
    i = h & mask
    while table[i] >= 0:
        k = table[i]
        if words[k, 0] == a and words[k, 1] == b and words[k, 2] == c:
            return i
        i = (i + 1) & mask
    return i


@compiled
def enter_all(table, words):
    for k in range(words.shape[0]):
        table[place_of(table, words, words[k, 0], words[k, 1], words[k, 2])] = k


@compiled
def read_records(t, rows, words):
    """Turn records into words; the index of the first that is no class, or -1."""
    columns, cards, ranks = t[COLUMNS], t[CARDS], t[RANKS]
    s = np.empty(STATE, np.int64)
    for k in range(rows.shape[0]):
        row = rows[k]
        s[0], s[1], s[2], s[3] = row[0] >> 4, row[0] & 15, row[1] >> 4, row[1] & 15
        for suit in range(4):
            if s[suit] > ranks:
                return k
        written = np.int64(0)
        for c in range(columns):
            s[DOWN + c], s[BASE + c] = row[2 + c], np.int64(row[2 + columns + c]) - 1
            if s[DOWN + c] >= max(1, t[SIZE + c]) or s[BASE + c] >= 4 * ranks:
                return k
            if s[DOWN + c] > 0 and s[BASE + c] >= 0:
                return k
            written |= (s[BASE + c] + 1) << (6 * c)
        s[DEALT] = row[2 + 2 * columns]
        s[WASTED] = 0
        for i in range(3 + 2 * columns, row.shape[0]):
            s[WASTED] |= np.int64(row[i]) << (8 * (i - 3 - 2 * columns))
        if s[DEALT] > cards or s[WASTED] >> s[DEALT] or not find_loose(t, s):
            return k
        words[k, 0], words[k, 1], words[k, 2] = pack(t, s)
        if words[k, 1] != written:
            return k
    return -1


@compiled
def anchored(t, s, c):
    """The anchored card of column *c*, or -1."""
    down = s[DOWN + c]
    return t[CARD_AT + 9 * c + down] if down > 0 else s[BASE + c]


@compiled
def find_loose(t, s):
    """Set the loose cards: all that are nowhere else. False if that makes no class."""
    taken = np.int64(0)
    total = 0
    for suit in range(4):
        for rank in range(s[suit]):
            taken |= np.int64(1) << (4 * rank + suit)
        total += s[suit]
    heads = np.int64(0)
    for c in range(t[COLUMNS]):
        for i in range(s[DOWN + c]):
            taken |= np.int64(1) << t[CARD_AT + 9 * c + i]
            total += 1
        card = anchored(t, s, c)
        if card >= 0:
            taken |= np.int64(1) << card
            heads |= np.int64(1) << card
            total += 1
    for i in range(t[CARDS]):
        if i >= s[DEALT] or s[WASTED] >> i & 1:
            taken |= np.int64(1) << t[SEQUENCE + i]
            total += 1
    everything = (np.int64(1) << (4 * t[RANKS])) - 1
    loose = everything & ~taken
    s[LOOSE] = loose
    if taken & ~everything or total + bits(loose) != 4 * t[RANKS]:
        return False
    for rank in range(t[RANKS]):
        for red in range(2):
            if places(t, heads | loose, loose, rank, red) < 0:
                return False
    return True


@compiled
def bits(word):
    count = 0
    while word:
        word &= word - 1
        count += 1
    return count


@compiled
def pair(rank, red):
    """The two cards of a rank (from 0) and colour; none above the kings."""
    if rank > 12 or rank < 0:
        return np.int64(0)
    return np.int64(6 if red else 9) << (4 * rank)


@compiled
def places(t, view, loose, rank, red):
    """Parents in *view* less loose children, for the cards of a rank (from 0) and colour."""
    above = pair(rank + 1, 1 - red) if rank + 1 < t[RANKS] else np.int64(0)
    return bits(view & above) - bits(loose & pair(rank, red))


@compiled
def is_red(card):
    return 1 if card & 3 == 1 or card & 3 == 2 else 0


@compiled
def pack(t, s):
    """The three words of a state; bases put in order where columns do not matter."""
    columns = t[COLUMNS]
    if not t[ORDERED]:
        found = np.int64(0)
        for c in range(columns):
            if s[DOWN + c] == 0 and s[BASE + c] >= 0:
                found |= np.int64(1) << s[BASE + c]
        card = 0
        for c in range(columns):
            if s[DOWN + c] > 0:
                continue
            s[BASE + c] = -1
            if found:
                while not found >> card & 1:
                    card += 1
                s[BASE + c] = card
                found ^= np.int64(1) << card
    a, b = np.int64(0), np.int64(0)
    for suit in range(4):
        a |= s[suit] << (4 * suit)
    for c in range(columns):
        a |= s[DOWN + c] << (16 + 4 * c)
        b |= (s[BASE + c] + 1) << (6 * c)
    return a, b, s[DEALT] | s[WASTED] << 6


@compiled
def unpack(t, a, b, w, s):
    for suit in range(4):
        s[suit] = a >> (4 * suit) & 15
    for c in range(t[COLUMNS]):
        s[DOWN + c] = a >> (16 + 4 * c) & 15
        s[BASE + c] = (b >> (6 * c) & 63) - 1
    s[DEALT], s[WASTED] = w & 63, w >> 6
    find_loose(t, s)


# Moves -------------------------------------------------------------------------------------


@compiled
def waste_place(s):
    """The place in the stock of the waste's top, or -1."""
    place = s[DEALT] - 1
    while place >= 0 and not s[WASTED] >> place & 1:
        place -= 1
    return place


@compiled
def fill(t, s):
    """Fill gaps, the leftmost first, from the first source that can give."""
    columns = t[COLUMNS]
    c = 0
    while c < columns:
        if s[DOWN + c] > 0 or s[BASE + c] >= 0:
            c += 1
            continue
        given = False
        for k in range(3):
            source = t[SOURCES + k]
            if source == _FROM_STOCK and s[DEALT] < t[CARDS]:
                s[BASE + c] = t[SEQUENCE + s[DEALT]]
                s[DEALT] += 1
                given = True
            elif source == _FROM_WASTE and waste_place(s) >= 0:
                place = waste_place(s)
                s[WASTED] ^= np.int64(1) << place
                s[BASE + c] = t[SEQUENCE + place]
                given = True
            elif source == _FROM_NEXT and c + 1 < columns and anchored(t, s, c + 1) >= 0:
                s[BASE + c] = anchored(t, s, c + 1)
                lift(t, s, c + 1)
                given = True
            if given:
                break
        c = 0 if given else c + 1


@compiled
def lift(t, s, c):
    """The anchored card of column *c* leaves; what is under it turns up."""
    if s[DOWN + c] > 0:
        s[DOWN + c] -= 1
        if s[DOWN + c] == 0:
            s[BASE + c] = t[CARD_AT + 9 * c]
    else:
        s[BASE + c] = -1


@compiled
def unwanted(s, card):
    rank, suit = (card >> 2) + 1, card & 3
    low = min(s[0], s[3]) if is_red(card) else min(s[1], s[2])
    return rank <= 2 or low >= rank - 1 or (low >= rank - 2 and s[3 - suit] >= rank - 3)


@compiled
def sure(t, s, card, lay):
    """Whether *card*, which can go up and lies so, is a safe foundation move."""
    if not unwanted(s, card):
        return False
    first, second, third = t[SOURCES], t[SOURCES + 1], t[SOURCES + 2]
    undealt = t[CARDS] - s[DEALT]
    uses_next = first == _FROM_NEXT or second == _FROM_NEXT or third == _FROM_NEXT
    if lay == WASTE_TOP:
        stock_before = next_before = False
        for k in range(3):
            source = t[SOURCES + k]
            if source == _FROM_WASTE:
                if uses_next and not next_before:
                    return False
                return stock_before or undealt == 0
            stock_before = stock_before or source == _FROM_STOCK
            next_before = next_before or source == _FROM_NEXT
        return True
    if lay == LOOSE_CARD:
        return True
    if uses_next:
        return False
    if lay == HEAD:
        return True
    two = first == _FROM_STOCK and second == _FROM_WASTE
    return undealt == 0 or (undealt == 1 and two)


@compiled
def make(t, s, card, column, lay, goal, out, n):
    """Write the move of *card* to *out*. *goal*: `UP`, `ONTO` a parent, to a `SPACE`."""
    safe = goal == UP and sure(t, s, card, lay)
    r = s.copy()
    space = 0
    while goal == SPACE and (s[DOWN + space] > 0 or s[BASE + space] >= 0):
        space += 1
    if lay == WASTE_TOP:
        r[WASTED] ^= np.int64(1) << waste_place(s)
    elif lay == LOOSE_CARD:
        r[LOOSE] ^= np.int64(1) << card
    else:
        lift(t, r, column)
    if goal == UP:
        r[card & 3] += 1
    elif goal == SPACE:
        r[BASE + space] = card
    fill(t, r)
    out[n, 0], out[n, 1], out[n, 2] = pack(t, r)
    out[n, LAY], out[n, SURE] = lay, safe
    return n + 1


@compiled
def moves_of(t, s, out):
    """Write every move of a class to *out*, but the shifts that stay in it; how many."""
    columns, top_rank = t[COLUMNS], t[RANKS] - 1
    view = s[LOOSE]
    gap = False
    for c in range(columns):
        card = anchored(t, s, c)
        if card >= 0:
            view |= np.int64(1) << card
        else:
            gap = True
    n = NONE
    for c in range(-2, columns):
        if c == -2:  # loose cards only go up
            for suit in range(4):
                card = 4 * s[suit] + suit
                if s[suit] <= top_rank and s[LOOSE] >> card & 1 and bare(t, s, view, card):
                    n = make(t, s, card, NO_COLUMN, LOOSE_CARD, UP, out, n)
            continue
        if c == -1:
            place = waste_place(s)
            if place < 0:
                continue
            card, lay = t[SEQUENCE + place], WASTE_TOP
        else:
            card = anchored(t, s, c)
            if card < 0:
                continue
            lay = HEAD if s[DOWN + c] > 0 else BASE_CARD
        rank = card >> 2
        if s[card & 3] == rank and (lay == WASTE_TOP or bare(t, s, view, card)):
            n = make(t, s, card, c, lay, UP, out, n)
        if places(t, view, s[LOOSE], rank, is_red(card)) > 0:
            n = make(t, s, card, c, lay, ONTO, out, n)
        if gap and rank == top_rank:
            n = make(t, s, card, c, lay, SPACE, out, n)
    if s[DEALT] < t[CARDS]:
        r = s.copy()
        r[WASTED] |= np.int64(1) << s[DEALT]
        r[DEALT] += 1
        fill(t, r)
        out[n, 0], out[n, 1], out[n, 2] = pack(t, r)
        out[n, LAY], out[n, SURE] = STOCK_CARD, 0
        n += 1
    return n


@compiled
def bare(t, s, view, card):
    """Whether *card*, in view, has nothing on it in some state of the class."""
    rank = card >> 2
    return rank == 0 or places(t, view, s[LOOSE], rank - 1, 1 - is_red(card)) > 0


# What is demanded --------------------------------------------------------------------------


@compiled
def covered(t, words, table, a, b, w, s, pending, out):
    """Whether a class is in the set, or safe moves lead from it into the set."""
    pending[0, 0], pending[0, 1], pending[0, 2] = a, b, w
    waiting = 1
    while waiting > 0:
        waiting -= 1
        a, b, w = pending[waiting, 0], pending[waiting, 1], pending[waiting, 2]
        if table[place_of(table, words, a, b, w)] >= 0:
            return True
        if not t[SAFE]:
            return False
        unpack(t, a, b, w, s)
        for i in range(moves_of(t, s, out) - 1, -1, -1):
            if out[i, SURE] and waiting < pending.shape[0]:
                for j in range(3):
                    pending[waiting, j] = out[i, j]
                waiting += 1
    return False


@compiled
def check_slice(t, words, table, first, last, counts):
    """The first member of a slice that is at fault, or -1. ``counts``: moves, fault."""
    s, inner = np.empty(STATE, np.int64), np.empty(STATE, np.int64)
    out = np.empty((MOST_MOVES, MOVE), np.int64)
    late = np.empty((MOST_MOVES, MOVE), np.int64)
    other = np.empty((MOST_MOVES, MOVE), np.int64)
    pending = np.empty((4 * MOST_MOVES, 3), np.int64)
    takes_waste = takes = NO
    for k in range(3):
        takes_waste = takes_waste or t[SOURCES + k] == _FROM_WASTE
        takes = takes or t[SOURCES + k] == _FROM_STOCK
    takes = takes or takes_waste
    for k in range(first, last):
        unpack(t, words[k, 0], words[k, 1], words[k, 2], s)
        if s[0] + s[1] + s[2] + s[3] == 4 * t[RANKS]:
            counts[1] = WON
            return k
        if t[DEAD] and is_dead(t, s):
            continue
        n = moves_of(t, s, out)
        counts[0] += n
        done = False
        for i in range(n):
            if out[i, SURE] and t[SAFE] and not done:
                done = covered(
                    t, words, table, out[i, 0], out[i, 1], out[i, 2], inner, pending, other
                )
        if done:
            continue
        gap = False
        for c in range(t[COLUMNS]):
            gap = gap or anchored(t, s, c) < 0
        for i in range(n):
            if covered(t, words, table, out[i, 0], out[i, 1], out[i, 2], inner, pending, other):
                continue
            waits = t[DEAL] and out[i, LAY] == STOCK_CARD and not (gap and takes_waste)
            if not waits or not put_off(
                t, words, table, out[i], takes, inner, pending, other, late, counts
            ):
                counts[1] = LEADS_OUT
                return k
    return -1


@compiled
def put_off(t, words, table, dealt, takes, inner, pending, other, late, counts):
    """Whether everything that depends on a deal leads to a covered class."""
    s = np.empty(STATE, np.int64)
    a, b, w = dealt[0], dealt[1], dealt[2]
    while True:
        unpack(t, a, b, w, s)
        n = moves_of(t, s, late)
        counts[0] += n
        following = -1
        for i in range(n):
            lay = late[i, LAY]
            if lay == STOCK_CARD:
                following = i
            elif (lay == WASTE_TOP or (lay == BASE_CARD and takes)) and not covered(
                t, words, table, late[i, 0], late[i, 1], late[i, 2], inner, pending, other
            ):
                return False
        if following < 0:
            return True
        a, b, w = late[following, 0], late[following, 1], late[following, 2]
        if covered(t, words, table, a, b, w, inner, pending, other):
            return True


@compiled
def is_dead(t, s):
    """The definition of `solver.proof.dead`, on sets of cards as words."""
    ranks, columns = t[RANKS], t[COLUMNS]
    one = np.int64(1)
    everything = (one << (4 * ranks)) - 1
    from_stock = from_waste = from_next = False
    for k in range(3):
        from_stock = from_stock or t[SOURCES + k] == _FROM_STOCK
        from_waste = from_waste or t[SOURCES + k] == _FROM_WASTE
        from_next = from_next or t[SOURCES + k] == _FROM_NEXT
    up, hidden, stock, waste = np.int64(0), np.int64(0), np.int64(0), np.int64(0)
    for suit in range(4):
        for rank in range(s[suit]):
            up |= one << (4 * rank + suit)
    depth = np.empty(9, np.int64)
    front = np.empty(9, np.int64)
    seen = s[LOOSE]
    emptied = 0
    for c in range(columns):
        depth[c], front[c] = s[DOWN + c], anchored(t, s, c)
        if front[c] >= 0:
            seen |= one << front[c]
        else:
            emptied += 1
        for i in range(depth[c]):
            hidden |= one << t[CARD_AT + 9 * c + i]
    for i in range(t[CARDS]):
        if i >= s[DEALT]:
            stock |= one << t[SEQUENCE + i]
        elif s[WASTED] >> i & 1:
            waste |= one << t[SEQUENCE + i]
    met = seen | stock
    gone, kings = np.int64(0), np.int64(0)
    highest = np.int64(15) << (4 * (ranks - 1))
    while True:
        was = (up, seen, met, gone, emptied, kings)
        loose = s[LOOSE] & ~up
        placed = np.int64(0)
        for rank in range(ranks):
            for red in range(2):
                if places(t, seen, loose, rank, red) > 0:
                    placed |= pair(rank, red)
        for rank in range(ranks):
            for suit in range(4):
                card = one << (4 * rank + suit)
                if up & card or not met & card:
                    continue
                if rank > 0 and not up & (card >> 4):
                    continue
                under = pair(rank - 1, 0 if suit == 1 or suit == 2 else 1)
                if rank == 0 or (stock | waste) & card or placed & under:
                    up |= card
        if up == everything:
            return False
        able = placed | up
        gone |= met & (able | kings)
        seen |= gone & (stock | waste)
        for c in range(columns):
            while front[c] >= 0 and gone >> front[c] & 1:
                if depth[c] > 0:
                    depth[c] -= 1
                    front[c] = t[CARD_AT + 9 * c + depth[c]]
                    seen |= one << front[c]
                    met |= one << front[c]
                    if met & (able | kings) & (one << front[c]):
                        gone |= one << front[c]
                else:
                    front[c] = -1
                    emptied += 1
        if emptied > 0:
            if from_stock or from_waste:
                seen |= stock
            if from_next:
                emptied = 1000
                seen |= hidden
                met |= hidden
            kings = highest
            both = from_stock and from_waste and not from_next
            if both and bits((stock | waste) & ~able) >= emptied:
                kings = np.int64(0)
        waiting = 0
        if from_waste and t[SOURCES] == _FROM_STOCK and not from_next:
            waiting = bits(stock & ~able)
        stopped = False
        for i in range(s[DEALT] - 1, -1, -1):
            if not s[WASTED] >> i & 1:
                continue
            if stopped and not (from_waste and waiting <= emptied):
                break
            card = one << t[SEQUENCE + i]
            met |= card
            passes = able if from_waste else able | kings
            if not card & passes:
                stopped = True
                waiting += 1
                if from_waste and waiting <= emptied:
                    seen |= card
        if was == (up, seen, met, gone, emptied, kings):
            return True
