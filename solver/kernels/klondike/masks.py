# mypy: disable-error-code="no-untyped-def, call-arg, unreachable, var-annotated"
"""What fits on what, for sets of cards at once.

A set of cards is a mask as in `solver.kernels.klondike.code`. ``t`` is a layout as an array of
words; what is asked about it here stands at its beginning in every kernel of the family.
"""

from __future__ import annotations

from solver.kernels.jit import piece

IN_SUIT, RETURNS, EVERYTHING = range(3)  # options, and the mask of all cards
HEADER = 3  # words taken

BLACK = 0x3333333333333
RED = 0xCCCCCCCCCCCCC
CLASSES = 0x5555555555555
ACES = 0xF


@piece
def children(t, cards):
    """The cards that fit on one of *cards*: a union of classes."""
    if t[IN_SUIT]:
        return cards >> 4
    fit = ((cards >> 6) & BLACK) | ((cards >> 2) & RED)
    one = (fit | (fit >> 1)) & CLASSES
    return one | (one << 1)


@piece
def parents(t, cards):
    """The cards that one of *cards* fits on."""
    if t[IN_SUIT]:
        return (cards << 4) & t[EVERYTHING]
    one = (cards | (cards >> 1)) & CLASSES
    both = one | (one << 1)
    return (((both & BLACK) << 6) | ((both & RED) << 2)) & t[EVERYTHING]


@piece
def with_places(t, seen, loose):
    """The cards whose class has a place: parents in *seen* less those *loose*."""
    if t[IN_SUIT]:
        return (seen >> 4) & ~loose
    fit = ((seen >> 6) & BLACK) | ((seen >> 2) & RED)
    p, q = fit & CLASSES, (fit >> 1) & CLASSES
    a, b = loose & CLASSES, (loose >> 1) & CLASSES
    one = ((p | q) & ~(a | b)) | (p & q & ~(a & b))
    return one | (one << 1)


@piece
def over(t, placed):
    """The cards whose children are in *placed* (a union of classes), and the aces."""
    if t[IN_SUIT]:
        return (placed << 4) | ACES
    return ((placed & BLACK) << 6) | ((placed & RED) << 2) | ACES


@piece
def unwanted(t, up):
    """The cards that must go up if they can; see `solver.reductions.klondike.early` and `safe`."""
    if t[IN_SUIT]:
        return t[EVERYTHING]
    pairs = up & (up >> 1) & CLASSES
    both = pairs | (pairs << 1)
    two_less = ((both & BLACK) << 10) | ((both & RED) << 6)
    twin = ((up & CLASSES) << 1) | ((up >> 1) & CLASSES)
    found = 0xFF | (two_less & ((twin << 12) | 0xFFF))
    if not t[RETURNS]:
        found |= ((both & BLACK) << 6) | ((both & RED) << 2)
    return found


@piece
def next_cards(t, up):
    """The cards that are next for their foundations."""
    return ((up << 4) | ACES) & ~up & t[EVERYTHING]
