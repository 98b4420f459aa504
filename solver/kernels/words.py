# mypy: disable-error-code="no-untyped-def"
"""A table of positions that are one word each: open addressing, exact keys.

A word has 59 bits at most; bits 59 to 62 of an entry hold the *epoch* (1..15) of the search
that entered it, so that a batch of searches can share a table without clearing it every time.
Entries of other epochs are void.
"""

from __future__ import annotations

from solver.kernels.jit import compiled, piece

EPOCHS = 15
EPOCH_SHIFT = 59
_MIX = -7046029254386353131
_MIX_2 = -7723592293110705685


@piece
def slot_of(word, mask):
    """The slot at which to begin to look."""
    h = word * _MIX
    h ^= (h >> 32) & 0xFFFFFFFF
    h *= _MIX_2
    return ((h >> 32) & 0xFFFFFFFF) & mask


@piece
def find_place(table, entry):
    """The free slot for *entry* (a word and its epoch's tag), or -1 if it is there already.

    Entries of other epochs are void: a slot that holds one is free.
    """
    mask = table.shape[0] - 1
    i = slot_of(entry, mask)
    while True:
        e = table[i]
        if e == entry:
            return -1
        if (e ^ entry) >> 59 != 0:
            return i
        i = (i + 1) & mask


@compiled
def move_words(old, new, first, stop, tag):
    """Enter the words of epoch *tag* in slots ``first .. stop - 1`` into the table *new*."""
    for i in range(first, min(stop, old.shape[0])):
        if (old[i] ^ tag) >> 59 == 0:
            new[find_place(new, old[i])] = old[i]
