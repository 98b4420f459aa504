# mypy: disable-error-code="no-untyped-def"
"""A table of positions that are two words each: open addressing, exact keys.

``table`` has the shape (slots, 2), slots a power of two, 16 bytes a slot: both words of a
position lie in one cache line. A slot is free if its second word is 0, which no position's
is. Positions are compared whole; the hash only says where to look.
"""

from __future__ import annotations

from solver.kernels.jit import compiled, piece

_MIX_0 = -7046029254386353131
_MIX_1 = -4417276706812531889
_MIX_2 = -7723592293110705685


@piece
def slot_of(word0, word1, mask):
    """The slot at which to begin to look."""
    h = (word0 * _MIX_0) ^ (word1 * _MIX_1)
    h ^= (h >> 29) & 0x7FFFFFFFF
    h *= _MIX_2
    return ((h >> 32) & 0xFFFFFFFF) & mask


@piece
def find_place(table, word0, word1):
    """The free slot for a position, or -1 if it is there already."""
    mask = table.shape[0] - 1
    i = slot_of(word0, word1, mask)
    while True:
        there = table[i, 1]
        if there == 0:
            return i
        if there == word1 and table[i, 0] == word0:
            return -1
        i = (i + 1) & mask


@compiled
def move_pairs(old, new, first, stop):
    """Enter the positions in slots ``first .. stop - 1`` into the larger table *new*."""
    for i in range(first, min(stop, old.shape[0])):
        if old[i, 1] != 0:
            place = find_place(new, old[i, 0], old[i, 1])
            if place >= 0:
                new[place, 0] = old[i, 0]
                new[place, 1] = old[i, 1]


@compiled
def strike_out(table, word0, word1, mark):
    """Take a position out, if it is there; its slot keeps (*mark*, -1), which no position is.

    *mark*: another one each time, so that the table can still be moved into a larger one.
    """
    mask = table.shape[0] - 1
    i = slot_of(word0, word1, mask)
    while table[i, 1] != 0:
        if table[i, 1] == word1 and table[i, 0] == word0:
            table[i, 0] = mark
            table[i, 1] = -1
            return
        i = (i + 1) & mask
