# mypy: disable-error-code="no-untyped-def, call-arg, unreachable, var-annotated"
"""Successors by `solver.reductions.klondike.preludes`, compiled; in the order of its `steps`.

A move under way (an *item*) is a number: the card, a kind, and `MUST`. A *frame* is a position with
the items that are under way: five words, their number, and the items, the next to be made last.
Where there is a choice, frames are set aside on a stack; the one taken up next is the last.
"""

from __future__ import annotations

import numpy as np

from solver.kernels.bits import count_bits, lowest_bit
from solver.kernels.jit import piece
from solver.kernels.klondike.classes import (
    BOTTOM,
    CARDS,
    DRAW,
    FREE,
    KINGS,
    LIMITED,
    PASSES_AT,
    SEQUENCE,
    TALON_AT,
    USE_EARLY,
    WASTE_AT,
    WASTE_MASK,
    emit,
    emit_on,
    emit_up,
    go_on,
    go_up,
    spaces_of,
    unpack,
)
from solver.kernels.klondike.masks import (
    CLASSES,
    IN_SUIT,
    RETURNS,
    children,
    next_cards,
    over,
    parents,
    unwanted,
    with_places,
)

UP, ON, SPACE = np.int64(0), np.int64(64), np.int64(128)
MUST = 256
_CARD, _KIND = 63, 192
NOTHING, NO_ITEM = np.int64(0), np.int64(-1)
ONE_PASS = 1 << PASSES_AT
FRAMES, FRAME = 256, 72
"""Room for frames and for the words of one: fewer than 60 items, each with few ways to it."""


@piece
def chains(t, word, up, heads, loose, talon, item, first, circle, stack, out, n):
    """Write where *item* leads with every tight chain of preludes; n and how many more.

    *first*: an item to be made for it before (then it goes `again`), or -1.
    """
    s = stack[0]
    s[0], s[1], s[2], s[3], s[4], s[5], s[6] = word, up, heads, loose, talon, 1, item
    if first >= 0:
        s[5], s[7] = 2, first
    kings = t[KINGS]
    sp = 1
    while sp > 0:
        sp -= 1
        s = stack[sp]
        word, up, heads, loose, talon, m = s[0], s[1], s[2], s[3], s[4], s[5]
        while True:
            item = s[5 + m]
            card, kind = item & _CARD, item & _KIND
            bit = 1 << card
            if kind and up & bit:
                above = card + 4
                if kind == ON and (up >> above) & 1:
                    under_way = False
                    for i in range(6, 6 + m):
                        if s[i] & _CARD == above and s[i] & _KIND:
                            under_way = True
                    if under_way:
                        break
                    m += 1
                    s[5 + m] = (SPACE if (kings >> above) & 1 else ON) | above
                    continue
                if t[USE_EARLY] and unwanted(t, up) & bit:
                    break
            placed = with_places(t, heads | loose, loose)
            if kind == SPACE:
                there = spaces_of(t, heads, loose) > 0
                givers = heads & t[BOTTOM]
                if there:
                    givers &= children(t, circle)
            else:
                if kind == ON:
                    there = placed & bit != 0
                    givers = parents(t, bit)
                else:
                    there = over(t, placed) & bit != 0
                    givers = parents(t, children(t, bit))
                at_hand = 0
                if t[FREE]:
                    at_hand |= talon
                if t[RETURNS]:
                    at_hand |= up
                givers &= at_hand
                if there:
                    givers &= circle
            if givers:
                for i in range(6, 6 + m):
                    if s[i] & _KIND:
                        givers &= ~(1 << (s[i] & _CARD))
            mark = MUST if there else 0
            again = first >= 0 and m == 1 and s[7] & MUST == 0
            found = False
            while givers:
                giver = lowest_bit(givers)
                givers &= givers - 1
                new = (SPACE if (kings >> giver) & 1 else ON) | giver | mark
                if not there and givers == 0:
                    m += 1
                    s[5 + m] = new
                    found = True
                    break
                d = stack[sp + 1]
                for i in range(6, 6 + m):
                    d[i] = s[i]
                s[0], s[1], s[2], s[3], s[4] = word, up, heads, loose, talon
                s[5], s[6 + m] = m + 1, new
                sp += 1
                s = d
            if found:
                continue
            if not there or again or (kind == UP and not next_cards(t, up) & bit):
                break
            if item & MUST:
                if heads & bit:
                    if spaces_of(t, heads, loose) > 0:
                        break
                elif placed & children(t, bit):
                    break
            m -= 1
            if kind == UP:
                word, up, heads, loose, talon = go_up(t, card, word, up, heads, loose, talon)
            else:
                word, up, heads, loose, talon = go_on(t, card, word, up, heads, loose, talon)
            if m == 0:
                n = emit(t, word, up, heads, loose, talon, out, n)
                break
    return n


@piece
def circle_of(t, up, bases, brought):
    """The cards that can be on a circle."""
    found = brought & t[KINGS]
    if found == 0 or bases == 0:
        return NOTHING
    while True:
        more = brought & (children(t, found) | (up & ((found & up) >> 4))) & ~found
        if more == 0:
            break
        found |= more
    circle = parents(t, bases) & found
    while circle:
        more = found & ~circle & (parents(t, circle) | (((circle & up) << 4) & up))
        if more == 0:
            break
        circle |= more
    return circle


@piece
def expand(t, word, stack, out):
    """Write the successors of a position to *out*, in order; how many there are.

    If there are more than *out* has room for, those are lost.
    """
    up, heads, loose, talon = unpack(t, word)
    n = NOTHING
    kings = t[KINGS]
    placed = with_places(t, heads | loose, loose)
    nexts = next_cards(t, up)
    going = nexts & (heads | loose)
    bases = heads & t[BOTTOM]
    deep = heads & ~bases
    spaces = spaces_of(t, heads, loose)
    brought = 0
    if t[FREE]:
        brought |= talon
    if t[RETURNS]:
        brought |= up
    # What may be placed once everything has been brought that can be; a space, likewise.
    may = placed
    if brought or bases:
        reached = brought & placed
        if spaces > 0:
            reached |= brought & kings
        while True:
            may = placed | children(t, reached)
            more = brought & may & ~reached
            if bases & may:
                more |= brought & kings & ~reached
            if more == 0:
                break
            reached |= more
    space_may = spaces > 0 or bases & may != 0
    circle = NOTHING
    if space_may:
        circle = circle_of(t, up, bases, brought)
    todo = deep & placed
    if spaces > 0:
        todo |= deep & kings  # which have no parents, and the highest bits
    while todo:
        card = lowest_bit(todo)
        todo &= todo - 1
        n = emit_on(t, card, word, up, heads, loose, talon, out, n)
    bare = over(t, placed)
    todo = going & bare
    if t[FREE]:
        todo |= nexts & talon
    while todo:
        card = lowest_bit(todo)
        todo &= todo - 1
        n = emit_up(t, card, word, up, heads, loose, talon, out, n)
    todo = deep & may & ~kings
    if not circle:
        todo &= ~placed
    while todo:
        card = lowest_bit(todo)
        todo &= todo - 1
        n = chains(t, word, up, heads, loose, talon, ON | card, NO_ITEM, circle, stack, out, n)
    todo = going & over(t, may)
    if not circle:
        todo &= ~bare
    while todo:
        card = lowest_bit(todo)
        todo &= todo - 1
        n = chains(t, word, up, heads, loose, talon, UP | card, NO_ITEM, circle, stack, out, n)
    todo = deep & kings if space_may and (spaces <= 0 or circle) else 0
    while todo:
        card = lowest_bit(todo)
        todo &= todo - 1
        n = chains(t, word, up, heads, loose, talon, SPACE | card, NO_ITEM, circle, stack, out, n)
    if circle and not t[IN_SUIT]:
        twins = ((circle & CLASSES) << 1) | ((circle >> 1) & CLASSES)
        todo = twins & brought & (up | nexts)
        while todo:
            card = lowest_bit(todo)
            todo &= todo - 1
            first = (SPACE if (kings >> card) & 1 else ON) | card
            n = chains(t, word, up, heads, loose, talon, UP | card, first, circle, stack, out, n)
    if t[FREE]:
        return n
    return expand_talon(
        t, word, up, heads, loose, talon, nexts, placed, may, space_may, circle, stack, out, n
    )


@piece
def expand_talon(
    t, word, up, heads, loose, talon, nexts, placed, may, space_may, circle, stack, out, n
):
    """The cards that can be reached, where taking one changes what can be reached."""
    draw, kings = t[DRAW], t[KINGS]
    at = (word >> t[WASTE_AT]) & t[WASTE_MASK]
    left = count_bits(talon)
    rest = (word >> t[TALON_AT]) & ((1 << t[CARDS]) - 1)
    without = word & ~(t[WASTE_MASK] << t[WASTE_AT])
    more = t[LIMITED] == 0 or (word >> PASSES_AT) & 3 > 0
    for i in range(left):
        place = lowest_bit(rest)
        rest &= rest - 1
        this_pass = i == left - 1 or i == at - 1 or (i >= at and (i - at) % draw == draw - 1)
        if not (this_pass or (more and i % draw == draw - 1)):
            continue
        card = t[SEQUENCE + place]
        bit = 1 << card
        after = without
        if t[LIMITED]:
            after |= i << t[WASTE_AT]
            if not this_pass:
                after -= ONE_PASS
        elif i != left - 1 and i % draw:
            after |= i << t[WASTE_AT]
        if nexts & bit:
            n = emit_up(t, card, after, up, heads, loose, talon, out, n)
        if kings & bit:
            if space_may:
                n = chains(
                    t, after, up, heads, loose, talon, SPACE | card, NO_ITEM, circle, stack, out, n
                )
        elif may & bit:
            n = chains(t, after, up, heads, loose, talon, ON | card, NO_ITEM, circle, stack, out, n)
    return n
