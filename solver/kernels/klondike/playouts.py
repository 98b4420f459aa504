# mypy: disable-error-code="no-untyped-def, call-arg"
"""Many quick games of Klondike at random, compiled; see `solver.analysis.ratings` for what a player
does."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from rules.game import Game
from solver.kernels.bits import highest_bit
from solver.kernels.jit import compiled
from solver.kernels.klondike.code import CARDS, GOAL, MASK, SHIFT
from solver.kernels.klondike.code import COLUMNS as COLUMN_COUNT
from solver.kernels.klondike.code import ORDERED as IS_ORDERED
from solver.kernels.klondike.search import RunsSearch
from solver.kernels.klondike.successors import expand
from solver.kernels.registers import MARGIN
from solver.kernels.shuffle import GAMMA, draw
from solver.progress import tell

SLICE: Final = 2_000
"""Games played before it is told how far they are, and before Ctrl-C is heeded."""


def play_games(
    game: Game[Any], start: Any, plays: int, seed: int, greedy: bool, most: int
) -> int:  # fmt: skip
    """How many of *plays* games from *start* are won; see `solver.kernels.Player`."""
    run = RunsSearch(game, start, ("runs",))
    word0, word1 = run.code.pack(run.space.start)
    out = np.zeros((MARGIN, 2), np.int64)
    state = np.uint64(seed & (1 << 64) - 1)
    won = 0
    for played in range(0, plays, SLICE):
        tell("games played", played, plays)
        more, state = play_left(
            run.words, np.int64(word0), np.int64(word1), np.uint64(state), greedy,
            min(SLICE, plays - played), most, out,
        )  # fmt: skip
        won += int(more)
    return won


@compiled
def play_left(t, word0, word1, state, greedy, plays, most, out):
    """Play *plays* games from a position; how many are won, and the generator's state.

    *state*: SplitMix64's (uint64). *most*: moves after which a game is given up. *out*: a
    scratch array for successors. ``t`` is the layout without reductions but `runs`.
    """
    won = 0
    ranks = np.zeros(out.shape[0], np.int64)
    for _ in range(plays):
        a, b = word0, word1
        for _ in range(most):
            heights = ((a >> 54) & 255) | (((b >> 52) & 255) << 8)
            if heights == t[GOAL]:
                won += 1
                break
            n = expand(t, a, b, out)
            if n == 0:
                break
            best = 0
            count = n
            if greedy:
                count = 0
                best = 9
                for i in range(n):
                    ranks[i] = eagerness(t, a, b, out[i, 0], out[i, 1], i == n - 1)
                    if ranks[i] < best:
                        best = ranks[i]
                        count = 0
                    if ranks[i] == best:
                        count += 1
            state += GAMMA
            chosen = np.int64(draw(state, np.uint64(count)))
            if greedy:
                k = chosen
                chosen = np.int64(0)
                while ranks[chosen] != best or k > 0:
                    if ranks[chosen] == best:
                        k -= 1
                    chosen += 1
            a, b = out[chosen, 0], out[chosen, 1]
    return won, state


@compiled
def eagerness(t, a0, a1, b0, b1, last):
    """0: a card more on the foundations; 1: one less face down; 2: another move; 3: a deal.

    *last*: whether it is the last of the successors, where the deal is if there is one.
    """
    before = up_count(a0, a1)
    if up_count(b0, b1) > before:
        return 0
    if face_down(t, b0, b1) < face_down(t, a0, a1):
        return 1
    run = a1 & ((1 << (t[CARDS] + 1)) - 1)
    if last and highest_bit(run) < t[CARDS]:
        return 3
    return 2


@compiled
def up_count(word0, word1):
    """Cards on the foundations."""
    return ((word0 >> 54) & 15) + ((word0 >> 58) & 15) + ((word1 >> 52) & 15) + ((word1 >> 56) & 15)


@compiled
def face_down(t, word0, word1):
    """Cards face down in the columns."""
    packed = word0
    if not t[IS_ORDERED]:
        packed = (word1 & ((1 << 52) - 1)) >> (t[CARDS] + 1)
    total = 0
    for c in range(t[COLUMN_COUNT]):
        value = (packed >> t[SHIFT + c]) & t[MASK + c]
        if value < 9:
            total += value
    return total
