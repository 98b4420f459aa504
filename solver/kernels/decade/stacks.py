# mypy: disable-error-code="no-untyped-def, call-arg, unreachable, var-annotated"
"""Decade in general, compiled: any number of stacks, with or without returns.

A position is a string of nibbles, packed into words of sixteen:

    epoch (2) · turn (1) · cards in the stock (2) · stack by stack its cards' classes, oldest
    first, and an end mark: 14 lives, 15 eliminated · with returns: the stock's classes

Classes number the different values from 1, so that the string says neither more nor less
than `rules.families.decade.Decade.key`: an exact key. End marks keep the parts apart. The first
stack's first nibble is never zero, and the epoch tells the entries of one search from
leavings of an earlier one in the same table.
"""

from __future__ import annotations

import numpy as np

from solver.kernels.bits import borrowed
from solver.kernels.decade.one_stack import (
    CARDS,
    FIRST,
    FORCED,
    LARGEST,
    LEAST,
    LOOP,
    MOST,
    NEWEST,
    OPENING,
    RETURNS,
    STACKS,
    TOP,
    WIN_AT,
)
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
    PATH_FULL,
    POSITIONS,
    SLICE,
    SP,
    TABLE_FULL,
    TRANSPOSITIONS,
    WON,
)
from solver.kernels.shuffle import shuffle

NOUGHT = np.int64(0)  # typed: numba compiles a function anew for a plain number
HEAD = 5  # nibbles before the first stack
LIVES = 14
GONE = 15
EPOCHS = 255
_MIX = -7046029254386353131
_MIX_2 = -7723592293110705685


def width_of(cards: int, stacks: int) -> int:
    """Words that a position takes."""
    return -(-(HEAD + cards + stacks) // 16)


@compiled
def find_place(table, frames, row, width):
    """The free slot for the position in ``frames[row]``, or -1 if it is there already."""
    mask = table.shape[0] - 1
    h = np.int64(0)
    for k in range(width):
        h = (h ^ frames[row, k]) * _MIX
        h ^= (h >> 32) & 0xFFFFFFFF
    h *= _MIX_2
    i = ((h >> 32) & 0xFFFFFFFF) & mask
    epoch = frames[row, 0]
    while True:
        if (table[i, 0] ^ epoch) & 255 != 0:
            return i
        same = True
        for k in range(width):
            if table[i, k] != frames[row, k]:
                same = False
                break
        if same:
            return -1
        i = (i + 1) & mask


@compiled
def move_rows(old, new, first, stop, epoch):
    """Enter the positions of *epoch* in slots ``first .. stop - 1`` into the table *new*."""
    width = old.shape[1]
    for i in range(first, min(stop, old.shape[0])):
        if (old[i, 0] ^ epoch) & 255 == 0:
            slot = find_place(new, old, i, width)
            for k in range(width):
                new[slot, k] = old[i, k]


@compiled
def following_turn(sizes, stacks, turn):
    """The first stack after *turn* that is not eliminated (0 if all are)."""
    for step in range(1, stacks + 1):
        s = (turn + step) % stacks
        if sizes[s] >= 0:
            return s
    return 0


@compiled
def write(g, frames, row, width, depth, epoch, cards, sizes, stock, stock_size, turn, step):
    """Write into ``frames[row]`` the position to which *step* leads from the one in the arrays.

    ``step``: the stack that changes and the runs ``a0..a1-1``, ``b0..b1-1`` of its cards that
    stay; the rest is discarded. Stack -1: a deal. Stack -2: nothing changes.
    """
    stacks = g[STACKS]
    index = step[0]
    a0, a1, b0, b1 = step[1], step[2], step[3], step[4]
    first = 0  # the stock's first card that stays
    size = stock_size
    dealt = -1
    gone = False
    if index >= 0:
        n = sizes[index]
        if g[RETURNS]:
            size += n - (a1 - a0) - (b1 - b0)
        if a0 >= a1 and b0 >= b1 and stacks > 1:
            gone = True
            sizes[index] = -1
            alive = False
            for s in range(stacks):
                if sizes[s] >= 0:
                    alive = True
            if turn == index or not alive:
                turn = following_turn(sizes, stacks, turn)
            sizes[index] = n
    elif index == -1:
        dealt = turn
        first = 1
        size -= 1
        turn = following_turn(sizes, stacks, turn)
    word = epoch | (turn << 8) | (size << 12)
    k = 0
    shift = 4 * HEAD
    for s in range(stacks):
        lives = sizes[s] >= 0 and not (gone and s == index)
        if lives:
            n = sizes[s]
            for i in range(n + 1):
                if i == n:
                    if s != dealt:
                        break
                    c = stock[0]
                else:
                    if s == index and not (a0 <= i < a1 or b0 <= i < b1):
                        continue
                    c = cards[s, i]
                word |= c << shift
                shift += 4
                if shift == 64:
                    frames[row, k] = word
                    k += 1
                    word = np.int64(0)
                    shift = 0
        word |= np.int64(LIVES if lives else GONE) << shift
        shift += 4
        if shift == 64:
            frames[row, k] = word
            k += 1
            word = np.int64(0)
            shift = 0
    if g[RETURNS]:
        i = first
        taken = 0
        for _ in range(size):
            if i < stock_size:
                c = stock[i]
                i += 1
            else:
                while a0 <= taken < a1 or b0 <= taken < b1:
                    taken += 1
                c = cards[index, taken]
                taken += 1
            word |= c << shift
            shift += 4
            if shift == 64:
                frames[row, k] = word
                k += 1
                word = np.int64(0)
                shift = 0
    while k < width:
        frames[row, k] = word
        word = np.int64(0)
        k += 1
    frames[row, width] = depth


@compiled
def read(g, classes, frames, row, cards, sizes, stock):
    """The inverse of `write`: fills the arrays, returns (turn, cards in the stock)."""
    w = frames[row, 0]
    turn = (w >> 8) & 15
    stock_size = (w >> 12) & 255
    at = HEAD
    for s in range(g[STACKS]):
        n = 0
        while True:
            c = (frames[row, at >> 4] >> ((at & 15) << 2)) & 15
            at += 1
            if c >= LIVES:
                break
            cards[s, n] = c
            n += 1
        sizes[s] = n if c == LIVES else -1
    if g[RETURNS]:
        for k in range(stock_size):
            stock[k] = (frames[row, at >> 4] >> ((at & 15) << 2)) & 15
            at += 1
    else:
        n = classes.shape[0]
        for k in range(stock_size):
            stock[k] = classes[n - stock_size + k]
    return turn, stock_size


@compiled
def find_steps(g, is_sum, class_values, cards, sizes, ahead, turn, stock_size, steps):
    """List the moves from the position in the arrays, in the order of the rules; their number."""
    most = g[MOST]
    least = g[LEAST]
    largest = g[LARGEST]
    found = 0
    settled = g[TOP] or (g[FORCED] and (g[NEWEST] or stock_size < g[OPENING]))
    for s in range(g[STACKS]):
        n = sizes[s]
        if n <= 0:
            continue
        if g[LOOP] and n > 2:
            # ahead[b]: total of the b oldest cards, as long as it can count.
            reach = 0
            total = 0
            while reach < n - 2 and reach < most - 1:
                total += class_values[cards[s, reach]]
                if total > largest:
                    break
                reach += 1
                ahead[reach] = total
            total = 0
            for a in range(1, min(n - 1, most)):
                total += class_values[cards[s, n - a]]
                if total > largest:
                    break
                b = min(reach, min(n - 1 - a, most - a))
                while b > 0 and a + b >= least:
                    t = total + ahead[b]
                    if t <= largest and is_sum[t]:
                        steps[found, 0] = s
                        steps[found, 1] = b
                        steps[found, 2] = n - a
                        steps[found, 3] = 0
                        steps[found, 4] = 0
                        found += 1
                        if g[FIRST]:
                            return found
                    b -= 1
        size = 1
        total = 0
        if settled:
            # Groups that end with the newest card, longest first.
            while size <= n and size <= most:
                total += class_values[cards[s, n - size]]
                if total > largest:
                    break
                ahead[size] = total
                size += 1
            size -= 1
            while size >= least and size > 0:
                if is_sum[ahead[size]]:
                    steps[found, 0] = s
                    steps[found, 1] = 0
                    steps[found, 2] = n - size
                    steps[found, 3] = 0
                    steps[found, 4] = 0
                    found += 1
                    if g[FIRST]:
                        return found
                size -= 1
        else:
            for start in range(n):
                total = 0
                for end in range(start, min(n, start + most)):
                    total += class_values[cards[s, end]]
                    if total > largest:
                        break
                    if is_sum[total] and end - start + 1 >= least:
                        steps[found, 0] = s
                        steps[found, 1] = 0
                        steps[found, 2] = start
                        steps[found, 3] = end + 1
                        steps[found, 4] = n
                        found += 1
                        if g[FIRST]:
                            return found
    if stock_size > 0 and sizes[turn] >= 0 and not (g[FORCED] and found > 0):
        steps[found, 0] = -1
        steps[found, 1] = 0
        steps[found, 2] = 0
        steps[found, 3] = 0
        steps[found, 4] = 0
        found += 1
    return found


@compiled
def start_stacks(g, classes, frames, registers, epoch, cards, sizes, turn, stock_size, steps):
    """Put the position in the arrays on the empty stack of frames; reset the registers."""
    registers[:] = 0
    registers[BEST] = NONE_LEFT_YET
    registers[EPOCH] = epoch
    n = classes.shape[0]
    steps[0, :] = 0
    steps[0, 0] = -2
    write(
        g, frames, NOUGHT, frames.shape[1] - 1, NOUGHT, epoch, cards, sizes,
        classes[n - stock_size :], stock_size, turn, steps[0],
    )  # fmt: skip
    registers[SP] = 1


@compiled
def run_stacks(
    g, is_sum, class_values, classes, table, frames, path, best_path, cards, scratch, steps,
    registers, budget,
):  # fmt: skip
    """Search on for at most *budget* new positions; returns why it stopped."""
    sizes, stock, ahead = borrowed(scratch[0]), borrowed(scratch[1]), borrowed(scratch[2])
    g, is_sum, class_values = borrowed(g), borrowed(is_sum), borrowed(class_values)
    classes, cards, steps = borrowed(classes), borrowed(cards), borrowed(steps)
    table, frames = borrowed(table), borrowed(frames)
    width = table.shape[1]
    epoch = registers[EPOCH]
    sp = registers[SP]
    room = table.shape[0] * 5 // 8
    roof = frames.shape[0] - MARGIN
    stacks = g[STACKS]
    code = EXHAUSTED
    while sp > 0:
        if registers[FILLED] >= room:
            code = TABLE_FULL
            break
        if sp > roof:
            code = FRAMES_FULL
            break
        row = sp - 1
        depth = frames[row, width]
        if depth >= path.shape[0]:
            code = PATH_FULL
            break
        slot = find_place(table, frames, row, width)
        if slot < 0:
            registers[TRANSPOSITIONS] += 1
            sp = row
            continue
        if budget <= 0:
            code = SLICE
            break
        sp = row
        for k in range(width):
            table[slot, k] = frames[row, k]
            path[depth, k] = frames[row, k]
        registers[FILLED] += 1
        registers[POSITIONS] += 1
        budget -= 1
        if depth > registers[DEPTH]:
            registers[DEPTH] = depth
        turn, stock_size = read(g, classes, frames, row, cards, sizes, stock)
        alive = False
        left = 0
        for s in range(stacks):
            if sizes[s] >= 0:
                alive = True
                left += sizes[s]
        won = not alive
        if stacks == 1:
            won = stock_size == 0 and left <= g[WIN_AT]
        if won:
            registers[WON] = 1
        if (stock_size == 0 or not alive) and left < registers[BEST]:
            registers[BEST] = left
            registers[BEST_DEPTH] = depth
            for d in range(depth + 1):
                for k in range(width):
                    best_path[d, k] = path[d, k]
            if left == 0:
                code = FINISHED
                break
        found = find_steps(g, is_sum, class_values, cards, sizes, ahead, turn, stock_size, steps)
        if found == 0 and not won:
            registers[DEAD_ENDS] += 1
        for i in range(found - 1, -1, -1):
            write(
                g, frames, sp, width, depth + 1, epoch, cards, sizes, stock, stock_size, turn,
                steps[i],
            )  # fmt: skip
            sp += 1
    registers[SP] = sp
    return code


@compiled
def survey_stacks(
    number, count, opening, g, is_sum, class_values, rank_classes, table, frames, path, best_path,
    cards, scratch, steps, registers, budget, left, won, positions,
):  # fmt: skip
    """Decide *count* deals from *number* (uint64) on, until *budget* positions are spent.

    Fills the three result arrays and returns how many deals were done. A deal that outgrew
    the table, the frames or the path gets ``left = 255``.
    """
    size = g[CARDS]
    stacks = g[STACKS]
    deck = np.empty(size, np.int64)
    classes = np.empty(size, np.int64)
    sizes = scratch[0]
    spent = 0
    epoch = registers[EPOCH]
    for k in range(count):
        for i in range(size):
            deck[i] = i
        shuffle(number + np.uint64(k), deck)
        for i in range(size):
            classes[i] = rank_classes[deck[i] >> 2]
        for s in range(stacks):
            sizes[s] = 0
        for i in range(opening):
            s = i % stacks
            cards[s, sizes[s]] = classes[i]
            sizes[s] += 1
        epoch += 1
        if epoch > EPOCHS:
            table[:] = 0
            epoch = 1
        start_stacks(
            g, classes, frames, registers, epoch, cards, sizes, opening % stacks, size - opening,
            steps,
        )  # fmt: skip
        code = run_stacks(
            g, is_sum, class_values, classes, table, frames, path, best_path, cards, scratch,
            steps, registers, np.int64(1) << 60,
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
