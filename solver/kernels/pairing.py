# mypy: disable-error-code="no-untyped-def, call-arg"
"""The pairing family, compiled: playing out games without decisions, searching the others.

Suits never matter, so the cards in the slots are counts of ranks: a nibble for each rank,
packed into one word of 52 bits. A count is at most 4, which leaves each nibble's top bit for a
comparison of many counts at once: ``((counts | high) - needs) & high == high`` exactly if
every rank of a set is there in the number needed (no nibble borrows from the next).

*Playing out* (no rank in two sets) takes cards one by one and removes a set as soon as it is
complete, even while the first slots are still being filled. It ends as any other order does:
no removal takes another away, so in every order each set is removed as often as its cards
come into play, and a card comes into play when enough slots have been emptied before it;
nothing removed early can be missed later. What is in the slots when play stops is the same.

*Searching*: a position is the counts and the number of cards in the stock, ``counts | stock
<< 52``: exactly the key of the rules.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rules.families.pairing import Pairing, PairingState
from rules.game import Game
from solver.kernels.driver import CHUNK, PATH, TABLE, Run
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
from solver.kernels.words import EPOCH_SHIFT, find_place, move_words
from solver.search.depth_first import Outcome
from solver.verdict import NO_LIMITS, Limits

Array = NDArray[Any]
COUNTS = (1 << 52) - 1
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


@compiled
def run_pairing(
    needs, high, sizes, must_go, stock, table, frames, path, best_path, registers, budget
):
    """Search on for at most *budget* new positions; returns why it stopped.

    ``needs``, ``high``, ``sizes``: of each removable set, in the order of the rules.
    ``must_go``: the nibbles of the ranks that have to go. ``stock``: the ranks (from 0) of
    the stock that the search began with, next card first.
    """
    tag = registers[EPOCH] << EPOCH_SHIFT
    sp = registers[SP]
    room = table.shape[0] * 5 // 8
    roof = frames.shape[0] - MARGIN
    n = stock.shape[0]
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
        counts = word & COUNTS
        left = word >> 52
        won = counts & must_go == 0
        k = n - left
        while won and k < n:
            if (must_go >> (4 * stock[k])) & 1:
                won = False
            k += 1
        if won:
            registers[WON] = 1
            registers[BEST] = 0
            registers[BEST_DEPTH] = depth
            for d in range(depth + 1):
                best_path[d] = path[d]
            code = FINISHED
            break
        childless = True
        for s in range(needs.shape[0] - 1, -1, -1):
            h = high[s]
            if (((counts | h) - needs[s]) & h) == h:
                childless = False
                after = counts - needs[s]
                drawn = min(sizes[s], left)
                for k in range(n - left, n - left + drawn):
                    after += np.int64(1) << (4 * stock[k])
                frames[sp, 0] = after | ((left - drawn) << 52)
                frames[sp, 1] = depth + 1
                sp += 1
        if childless:
            registers[DEAD_ENDS] += 1
    registers[SP] = sp
    return code


class Parameters:
    """A game's sets as the kernels take them: a row for each set, and one for each rank."""

    def __init__(self, game: Pairing) -> None:
        sets = game.removable
        self.needs = np.zeros(len(sets), np.int64)
        self.high = np.zeros(len(sets), np.int64)
        self.sizes = np.zeros(len(sets), np.int64)
        self.of_rank = np.zeros((3, game.ranks), np.int64)
        for number, ranks in enumerate(sets):
            self.needs[number] = sum(1 << 4 * (rank - 1) for rank in ranks)
            self.high[number] = sum(8 << 4 * (rank - 1) for rank in set(ranks))
            self.sizes[number] = len(ranks)
            for rank in ranks:
                self.of_rank[:, rank - 1] = (
                    self.needs[number], self.high[number], self.sizes[number]
                )  # fmt: skip
        self.must_go = sum(15 << 4 * (rank - 1) for rank in game.must_go)
        self.must_count = sum(4 << 4 * (rank - 1) for rank in game.must_go)


class _PairingRun(Run):
    def __init__(self, game: Pairing, state: PairingState, limits: Limits) -> None:
        super().__init__(
            game,
            state,
            np.zeros(TABLE, np.int64),
            np.zeros((2 * MARGIN, 2), np.int64),
            np.zeros(PATH, np.int64),
            limits,
        )
        self.p = Parameters(game)
        self.stock = np.array([card.rank - 1 for card in state.stock], np.int64)
        counts = sum(1 << 4 * (card.rank - 1) for card in state.slots if card is not None)
        self.frames[0] = counts | len(state.stock) << 52, 0
        self.registers[SP], self.registers[EPOCH] = 1, 1
        self.registers[BEST] = NONE_LEFT_YET

    def step(self, budget: int) -> int:
        p = self.p
        return int(
            run_pairing(
                p.needs, p.high, p.sizes, p.must_go, self.stock, self.table, self.frames,
                self.path, self.best_path, self.registers, budget,
            )
        )  # fmt: skip

    def move(self, new: Array, first: int) -> None:
        move_words(self.table, new, first, first + CHUNK, 1 << EPOCH_SHIFT)

    def key(self, row: Any) -> Hashable:
        word = int(row)
        ranks = [rank + 1 for rank in range(13) for _ in range(word >> 4 * rank & 15)]
        return (tuple(ranks), word >> 52)


def solve(
    game: Game[Any], state: PairingState, reductions: tuple[str, ...], limits: Limits = NO_LIMITS
) -> Outcome:
    """Search *game* from *state* within *limits*, as `solver.search.depth_first.search` does.

    Removals of the same ranks are one step here and several there: the positions are the
    same, the transpositions are fewer.
    """
    assert isinstance(game, Pairing)
    run = _PairingRun(game, state, limits)
    return run.outcome(run.go())


@dataclass(frozen=True, slots=True)
class Survey:
    """Results of deals of a game without decisions, one array entry a deal.

    ``won``; ``removed``: cards removed when play stops, 0 exactly if there is no move at all.
    """

    won: NDArray[np.bool_]
    removed: NDArray[np.uint8]


def survey_own(game: Pairing, first: int, count: int) -> Survey:
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
    return Survey(won, removed)


def survey_decks(game: Pairing, decks: Array) -> Survey:
    """The same for *decks*, card numbers in dealing order, a row each."""
    assert game.decision_free
    p = Parameters(game)
    won = np.zeros(len(decks), np.bool_)
    removed = np.zeros(len(decks), np.uint8)
    ranks = (np.asarray(decks) >> 2).astype(np.int8)
    play_decks(ranks, game.slots, *p.of_rank, p.must_count, won, removed)
    return Survey(won, removed)
