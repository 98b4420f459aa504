# mypy: disable-error-code="no-untyped-def, call-arg"
"""The pairing family, compiled: playing out games without decisions, many deals in a call.

Suits never matter, so the cards in the slots are counts of ranks: a nibble for each rank,
packed into one word of 52 bits. A count is at most 4, which leaves each nibble's top bit for a
comparison of many counts at once: ``((counts | high) - needs) & high == high`` exactly if
every rank of a set is there in the number needed (no nibble borrows from the next).

*Playing out* (no rank in two sets) takes cards one by one and removes a set as soon as it is
complete, even while the first slots are still being filled. It ends as any other order does:
no removal takes another away, so in every order each set is removed as often as its cards
come into play, and a card comes into play when enough slots have been emptied before it;
nothing removed early can be missed later. What is in the slots when play stops is the same.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rules.families.pairing import Pairing
from solver.kernels.decided import Decided
from solver.kernels.jit import compiled
from solver.kernels.shuffle import shuffle

Array = NDArray[Any]
_BATCH = 1 << 18


@compiled
def play(deck, slots, needs, high, sizes):
    """Play one deal out; *deck*: ranks from 0 in dealing order. Returns (removed, their counts).

    ``needs[rank]``, ``high[rank]``, ``sizes[rank]``: of the one set that holds the rank (zeros
    if none does): its counts, the top bits of its nibbles, its cards.
    """
    counts = np.int64(0)
    gone = np.int64(0)
    removed = 0
    for i in range(deck.shape[0]):
        if slots == 0:
            break
        rank = deck[i]
        counts += np.int64(1) << (4 * rank)
        slots -= 1
        h = high[rank]
        if h != 0 and (((counts | h) - needs[rank]) & h) == h:
            counts -= needs[rank]
            gone += needs[rank]
            slots += sizes[rank]
            removed += sizes[rank]
    return removed, gone


@compiled
def play_numbered(number, size, slots, needs, high, sizes, must_go, won, removed):
    """Play deals from *number* (uint64) on out, as many as *won* and *removed* have entries.

    *must_go*: the counts, in a full deck, of the ranks that have to go.
    """
    deck = np.empty(size, np.int8)
    every = np.int64(15)
    mask = np.int64(0)
    for rank in range(size // 4):
        if (must_go >> (4 * rank)) & 15:
            mask |= every << (4 * rank)
    for k in range(won.shape[0]):
        for i in range(size):
            deck[i] = i >> 2
        shuffle(number + np.uint64(k), deck)
        count, gone = play(deck, slots, needs, high, sizes)
        removed[k] = count
        won[k] = (gone & mask) == must_go


@compiled
def play_decks(decks, slots, needs, high, sizes, must_go, won, removed):
    """The same for decks given as ranks from 0, a row each."""
    mask = np.int64(0)
    for rank in range(13):
        if (must_go >> (4 * rank)) & 15:
            mask |= np.int64(15) << (4 * rank)
    for k in range(won.shape[0]):
        count, gone = play(decks[k], slots, needs, high, sizes)
        removed[k] = count
        won[k] = (gone & mask) == must_go


class Parameters:
    """A game's sets as the kernels take them: of each rank, those of the one set that holds it."""

    def __init__(self, game: Pairing) -> None:
        self.of_rank = np.zeros((3, game.ranks), np.int64)
        for ranks in game.removable:
            needs = sum(1 << 4 * (rank - 1) for rank in ranks)
            high = sum(8 << 4 * (rank - 1) for rank in set(ranks))
            for rank in ranks:
                self.of_rank[:, rank - 1] = needs, high, len(ranks)
        self.must_count = sum(4 << 4 * (rank - 1) for rank in game.must_go)


def survey_own(game: Pairing, first: int, count: int) -> Decided:
    """Play out deals ``first .. first + count - 1`` of our own numbering, shuffle included.

    Only for games without decisions. Control returns to Python several times a second.
    """
    assert game.decision_free
    p = Parameters(game)
    won = np.zeros(count, np.bool_)
    removed = np.zeros(count, np.uint8)
    for start in range(0, count, _BATCH):
        part = slice(start, start + _BATCH)
        play_numbered(
            np.uint64(first + start), game.deck_size, game.slots, *p.of_rank, p.must_count,
            won[part], removed[part],
        )  # fmt: skip
    return Decided(won, np.ones_like(won), removed=removed)


def survey_decks(game: Pairing, decks: Array) -> Decided:
    """The same for *decks*, card numbers in dealing order, a row each."""
    assert game.decision_free
    p = Parameters(game)
    won = np.zeros(len(decks), np.bool_)
    removed = np.zeros(len(decks), np.uint8)
    ranks = (np.asarray(decks) >> 2).astype(np.int8)
    play_decks(ranks, game.slots, *p.of_rank, p.must_count, won, removed)
    return Decided(won, np.ones_like(won), removed=removed)
