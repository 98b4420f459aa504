# mypy: disable-error-code="no-untyped-def, call-arg, unreachable, var-annotated"
"""Decade with one stack (the line), compiled: a position is one 64-bit word.

Without returns a position is the sequence of values in the line and the number of cards
dealt. The line is a subsequence of the dealt prefix in order, so a set of places in the deck
(a mask of 52 bits) describes it; of all sets that spell the same values the *leftmost
embedding* is taken (each card as early in the deck as the ones before it allow). Two lines
have the same leftmost embedding exactly if they spell the same values, so the word

    mask of places | cards dealt << 52

is an exact key: it means neither more nor less than `rules.families.decade.Decade.key`. A prefix
of a leftmost embedding is the leftmost embedding of that prefix, so only what lies behind a
discarded group is embedded anew, and a discard from the top just clears bits.

Where discards are forced and the first card after the opening has been dealt, only groups
that hold the newest card are looked for (see `solver.kernels.decade.searches`, the stack theorem).
"""

from __future__ import annotations

import numpy as np

from solver.kernels.bits import borrowed, lowest_bit
from solver.kernels.jit import compiled
from solver.kernels.registers import (
    BEST,
    BEST_DEPTH,
    DEAD_ENDS,
    DEPTH,
    EPOCH,
    EXHAUSTED,
    FILLED,
    FINISHED,
    FRAMES_FULL,
    MARGIN,
    NONE_LEFT_YET,
    POSITIONS,
    SLICE,
    SP,
    TABLE_FULL,
    TRANSPOSITIONS,
    WON,
)
from solver.kernels.shuffle import shuffle
from solver.kernels.words import EPOCHS, find_place

# Places in the parameter array (see `solver.kernels.decade.searches.Parameters`). Here OPENING is
# the number of cards on the table where the search begins, NEWEST whether that reduction is in
# force; in `solver.kernels.decade.stacks`, the cards in the stock, and whether all stacks are
# settled.
CARDS, OPENING, LEAST, MOST, LOOP, TOP, FORCED, LARGEST, WIN_AT, FIRST = range(10)
NEWEST, STACKS, RETURNS, FLOOR = range(10, 14)
PARAMETERS = 14

FULL = (1 << 52) - 1
CLASSES = 14  # classes of equal values are numbered from 1


@compiled
def prepare(classes, following):
    """``following[p, c]``: the first place at or after p whose card has class c (63: none)."""
    n = classes.shape[0]
    for c in range(CLASSES):
        following[n, c] = 63
    for p in range(n - 1, -1, -1):
        for c in range(CLASSES):
            following[p, c] = following[p + 1, c]
        following[p, classes[p]] = p


@compiled
def expand_line(g, is_sum, values, classes, following, word, place, ahead, frames, sp, depth):
    """Push the successors of *word* on *frames* from *sp* on, first successor last.

    Returns the new stack pointer. ``place`` and ``ahead`` are scratch arrays.
    """
    dealt = word >> 52
    dealt_bits = word & ~FULL
    mask = word & FULL
    n = 0
    m = mask
    while m != 0:
        place[n] = lowest_bit(m)
        n += 1
        m &= m - 1
    most = g[MOST]
    least = g[LEAST]
    largest = g[LARGEST]
    bottom = sp
    if g[LOOP] and n > 2:
        # ahead[b]: total of the b oldest cards, as long as it can count.
        reach = 0
        total = 0
        while reach < n - 2 and reach < most - 1:
            total += values[place[reach]]
            if total > largest:
                break
            reach += 1
            ahead[reach] = total
        total = 0
        for a in range(1, min(n - 1, most)):
            total += values[place[n - a]]
            if total > largest:
                break
            below = (np.int64(1) << place[n - a]) - 1
            b = min(reach, min(n - 1 - a, most - a))
            while b > 0 and a + b >= least:
                t = total + ahead[b]
                if t <= largest and is_sum[t]:
                    new = np.int64(0)
                    last = -1
                    for k in range(b, n - a):
                        last = following[last + 1, classes[place[k]]]
                        new |= np.int64(1) << last
                        if last == place[k]:
                            # From here on the embedding is what it was.
                            new |= mask & -(np.int64(2) << last) & below
                            break
                    frames[sp, 0] = new | dealt_bits
                    frames[sp, 1] = depth
                    sp += 1
                    if g[FIRST]:
                        return sp
                b -= 1
    if g[TOP] or (dealt > g[OPENING] and (g[FORCED] or g[NEWEST])):
        # Groups that end with the newest card, longest first.
        total = 0
        first = sp
        size = 0
        while size < n and size < most:
            size += 1
            total += values[place[n - size]]
            if total > largest:
                break
            if is_sum[total] and size >= least:
                frames[sp, 0] = (mask & ((np.int64(1) << place[n - size]) - 1)) | dealt_bits
                frames[sp, 1] = depth
                sp += 1
        i = first
        j = sp - 1
        while i < j:
            w = frames[i, 0]
            frames[i, 0] = frames[j, 0]
            frames[j, 0] = w
            i += 1
            j -= 1
        if g[FIRST] and sp > first:
            return first + 1
    else:
        for start in range(n):
            total = 0
            low = mask & ((np.int64(1) << place[start]) - 1)
            for end in range(start, min(n, start + most)):
                total += values[place[end]]
                if total > largest:
                    break
                if is_sum[total] and end - start + 1 >= least:
                    new = low
                    last = -1
                    if start > 0:
                        last = place[start - 1]
                    for k in range(end + 1, n):
                        last = following[last + 1, classes[place[k]]]
                        new |= np.int64(1) << last
                        if last == place[k]:
                            new |= mask & -(np.int64(2) << last)
                            break
                    frames[sp, 0] = new | dealt_bits
                    frames[sp, 1] = depth
                    sp += 1
                    if g[FIRST]:
                        return sp
    if dealt < g[CARDS] and not (g[FORCED] and sp > bottom):
        last = -1
        if n > 0:
            last = place[n - 1]
        last = following[last + 1, classes[dealt]]
        frames[sp, 0] = mask | (np.int64(1) << last) | ((dealt + 1) << 52)
        frames[sp, 1] = depth
        sp += 1
    i = bottom
    j = sp - 1
    while i < j:
        w = frames[i, 0]
        frames[i, 0] = frames[j, 0]
        frames[j, 0] = w
        i += 1
        j -= 1
    return sp


@compiled
def start_line(g, frames, registers, epoch):
    """Put the position after the opening on the empty stack; reset the registers."""
    registers[:] = 0
    registers[BEST] = NONE_LEFT_YET
    registers[EPOCH] = epoch
    opening = g[OPENING]
    frames[0, 0] = ((np.int64(1) << opening) - 1) | (opening << 52)
    frames[0, 1] = 0
    registers[SP] = 1


@compiled
def run_line(
    g,
    is_sum,
    values,
    classes,
    following,
    table,
    frames,
    path,
    best_path,
    scratch,
    registers,
    budget,
):
    """Search on for at most *budget* new positions; returns why it stopped."""
    place, ahead = borrowed(scratch[0]), borrowed(scratch[1])
    g, is_sum, values, classes = borrowed(g), borrowed(is_sum), borrowed(values), borrowed(classes)
    following, table, frames = borrowed(following), borrowed(table), borrowed(frames)
    tag = registers[EPOCH] << 59
    sp = registers[SP]
    room = table.shape[0] * 5 // 8
    roof = frames.shape[0] - MARGIN
    cards = g[CARDS]
    code = EXHAUSTED
    while sp > 0:
        if registers[FILLED] >= room:
            code = TABLE_FULL
            break
        if sp > roof:
            code = FRAMES_FULL
            break
        sp -= 1
        word = frames[sp, 0]
        depth = frames[sp, 1]
        slot = find_place(table, word | tag)
        if slot < 0:
            registers[TRANSPOSITIONS] += 1
            continue
        if budget <= 0:
            sp += 1
            code = SLICE
            break
        table[slot] = word | tag
        registers[FILLED] += 1
        registers[POSITIONS] += 1
        budget -= 1
        path[depth] = word
        if depth > registers[DEPTH]:
            registers[DEPTH] = depth
        won = False
        if word >> 52 == cards:
            left = 0
            m = word & FULL
            while m != 0:
                m &= m - 1
                left += 1
            won = left <= g[WIN_AT]
            if won:
                registers[WON] = 1
            if left < registers[BEST]:
                registers[BEST] = left
                registers[BEST_DEPTH] = depth
                for d in range(depth + 1):
                    best_path[d] = path[d]
                if left <= g[FLOOR]:
                    code = FINISHED
                    break
        after = expand_line(
            g, is_sum, values, classes, following, word, place, ahead, frames, sp, depth + 1
        )
        if after == sp and not won:
            registers[DEAD_ENDS] += 1
        sp = after
    registers[SP] = sp
    return code


@compiled
def survey_line(
    number, count, g, is_sum, rank_values, rank_classes, table, frames, path, best_path, scratch,
    registers, budget, left, won, positions,
):  # fmt: skip
    """Decide *count* deals from *number* (uint64) on, until *budget* positions are spent.

    Fills the three result arrays and returns how many deals were done. A deal that outgrew
    the table or the frames gets ``left = 255``.
    """
    cards = g[CARDS]
    deck = np.empty(cards, np.int64)
    values = np.empty(cards, np.int64)
    classes = np.empty(cards, np.int64)
    following = np.empty((cards + 1, CLASSES), np.int64)
    spent = 0
    epoch = registers[EPOCH]
    for k in range(count):
        for i in range(cards):
            deck[i] = i
        shuffle(number + np.uint64(k), deck)
        for i in range(cards):
            values[i] = rank_values[deck[i] >> 2]
            classes[i] = rank_classes[deck[i] >> 2]
        prepare(classes, following)
        epoch += 1
        if epoch > EPOCHS:
            table[:] = 0
            epoch = 1
        start_line(g, frames, registers, epoch)
        code = run_line(
            g, is_sum, values, classes, following, table, frames, path, best_path, scratch,
            registers, np.int64(1) << 60,
        )  # fmt: skip
        positions[k] = registers[POSITIONS]
        won[k] = registers[WON]
        left[k] = registers[BEST]
        if code != EXHAUSTED and code != FINISHED:
            left[k] = 255
        spent += registers[POSITIONS]
        if spent >= budget:
            return k + 1
    return count
