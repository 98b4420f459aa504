# mypy: disable-error-code="no-untyped-def"
"""Our own deal numbering in compiled code: the shuffle of `rules.decks.Deck.numbered`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solver.kernels.jit import compiled, piece

GAMMA = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_S27, _S30, _S31, _S32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)


@piece
def draw(state, bound):
    """SplitMix64's output for *state*, scaled to ``0 .. bound - 1`` (both uint64).

    The high word of the 128-bit product ``z * bound``; *bound* is small, so that the high
    half of z can take the carry of the low half without overflow.
    """
    z = (state ^ (state >> _S30)) * _MIX_1
    z = (z ^ (z >> _S27)) * _MIX_2
    z ^= z >> _S31
    return ((z >> _S32) * bound + (((z & _LOW) * bound) >> _S32)) >> _S32


@compiled
def shuffle(number, cards):
    """Shuffle *cards* (the fresh deck, any integer array) in place as deal *number* (uint64)."""
    state = np.uint64(number)
    for i in range(cards.shape[0] - 1, 0, -1):
        state += GAMMA
        j = np.int64(draw(state, np.uint64(i + 1)))
        card = cards[i]
        cards[i] = cards[j]
        cards[j] = card


def numbered(number: int, ranks: int = 13) -> NDArray[np.int8]:
    """Deal *number* of the small deck with *ranks* ranks: card numbers in dealing order."""
    cards: NDArray[np.int8] = np.arange(4 * ranks, dtype=np.int8)
    shuffle(np.uint64(number), cards)
    return cards
