"""Games like Trigon Left: unlimited passes, gaps filled from the next column, in suit or not.

Small decks against a plain search over the rules' own states.
"""

from __future__ import annotations

import functools
import random
from collections import Counter
from typing import Any

import pytest

from rules import Game, get_game, replay
from solver.kernels.klondike import search as kernel
from solver.reductions import space_for
from solver.reductions.klondike import runs
from solver.reductions.klondike.runs import Board
from solver.search.depth_first import search
from solver.search.space import GameSpace
from solver.verdict import Limits, Verdict
from tests.solver.brute import shuffled
from tests.solver.kernels.agreement import summary

SETS = [("runs",), ("runs", "safe")]
Case = tuple[Game[Any], Any, Verdict]


@functools.cache
def drawn(seed: int) -> Case:
    """A small deck; more often a lost one than chance gives."""
    rng = random.Random(seed)
    while True:
        options = {
            "build": rng.choice(("alternate", "suit")),
            "ranks": rng.choice("3456"),
            "columns": rng.choice("2334"),
        }
        game = get_game("trigon-left").with_options(options)
        assert runs.applies(game)
        assert not runs.one_pass(game)
        state = game.initial(shuffled(rng, game.ranks))
        lost = kernel.solve(game, state, SETS[1]).verdict is Verdict.UNWINNABLE
        if lost or rng.random() < 0.03:
            plain = search(GameSpace(game, state), Limits(None, 30_000, None)).verdict
            if plain is not Verdict.UNKNOWN:
                return game, state, plain


def check(seeds: range) -> Counter[Verdict]:
    met: Counter[Verdict] = Counter()
    for seed in seeds:
        game, state, verdict = drawn(seed)
        met[verdict] += 1
        for names in SETS:
            mine = kernel.solve(game, state, names)
            assert mine.verdict is verdict, seed
            if mine.line is not None:
                assert game.is_won(replay(game, state, mine.line)[1][-1])
            assert summary(mine) == summary(search(space_for(game, state, names))), seed
    return met


def test_small_decks_are_decided_as_plain_search_does_by_both_engines() -> None:
    assert min(check(range(40)).values()) > 4


@pytest.mark.slow
def test_many_small_decks() -> None:
    assert min(check(range(100, 2100)).values()) > 150


def test_a_talon_of_which_only_the_top_can_be_had_is_caught(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cases = [drawn(seed) for seed in range(40)]
    monkeypatch.setattr(Board, "reach", property(lambda board: board.waste[-1:]))
    wrong = 0
    for game, state, verdict in cases:
        wrong += search(space_for(game, state, SETS[1])).verdict is not verdict
    assert wrong
