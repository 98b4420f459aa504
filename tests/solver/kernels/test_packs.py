"""The compiled search of games of several packs, held to plain search on small decks."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

from rules import get_game
from rules.errors import OptionError
from rules.families.klondike import Klondike, KlondikeState
from rules.referee import replay
from solver.kernels.klondike import packs_search
from solver.kernels.klondike.packs import SIZE, Layout, pack, unpack
from solver.kernels.klondike.packs_search import plans
from solver.search.depth_first import Outcome, search
from solver.search.space import GameSpace
from solver.verdict import Limits, Verdict
from tests.solver.brute import shuffled
from tests.solver.kernels.samples import wander

FILLS = ((), ("next-column",), ("stock", "waste"), ("stock", "next-column", "waste"), ("waste",))


def small(rng: random.Random, **fixed: Any) -> tuple[Klondike, KlondikeState]:
    """A game of two or three packs with random options, some *fixed*, and a state of it."""
    while True:
        packs = rng.choice((2, 2, 2, 3))
        fill = rng.choice(FILLS)
        options: dict[str, Any] = {
            "decks": packs,
            "ranks": rng.randint(2, 4 if packs == 2 else 3),
            "columns": rng.randint(2, 4),
            "build": rng.choice(("alternate", "suit", "suit")),
            "draw": rng.choice((1, 1, 2, 3, 5)),
            "passes": rng.choice((1, 1, 2, "unlimited")),
            "returns": rng.random() < 0.15,
            "fill": list(fill),
            "spaces": "kings" if fill else rng.choice(("kings", "any", "none", "none")),
        }
        options.update(fixed)
        try:
            game = Klondike("random", options)
        except OptionError:
            continue
        return game, game.initial(shuffled(rng, game.ranks, game.packs))


def plain(game: Klondike, state: KlondikeState, most: int) -> Outcome:
    return search(GameSpace(game, state), Limits(None, most, None))


def agree(seed: int, decks: int, **fixed: Any) -> Counter[str]:
    """Hold *decks* small decks to plain search; how often which verdict was compared."""
    rng = random.Random(seed)
    seen: Counter[str] = Counter()
    while seen.total() < decks:
        game, start = small(rng, **fixed)
        state = wander(rng, game, start, rng.choice((0, 30, 60)))
        expected = plain(game, state, 6_000)
        if expected.verdict is Verdict.UNKNOWN or seen[expected.verdict.value] > 0.7 * decks:
            continue
        found = packs_search.solve(game, state, ())
        where = f"{dict(game.options)} {state}"
        assert found.verdict is expected.verdict, where
        assert found.limit is None
        assert found.complete
        if found.verdict is Verdict.WINNABLE:
            assert found.line is not None
            assert game.is_won(replay(game, state, found.line)[1][-1]), where
        else:
            assert found.line is None
        seen[found.verdict.value] += 1
    return seen


@pytest.mark.parametrize("decks", [40, pytest.param(1_500, marks=pytest.mark.full)])
def test_small_decks_are_decided_as_by_plain_search(decks: int) -> None:
    assert agree(decks, decks)["unwinnable"] > decks // 4


@pytest.mark.slow
@pytest.mark.parametrize("name", ["moving-left", "triple-left", "gargantua", "double-klondike"])
def test_small_decks_of_each_game(name: str) -> None:
    options = dict(get_game(name).options)
    fixed = {key: options[key] for key in ("decks", "fill", "passes", "draw", "build", "returns")}
    fixed["passes"] = fixed["passes"] or "unlimited"
    fixed["spaces"] = options["spaces"]
    assert agree(2, 2_000, **fixed)["unwinnable"] > 500


def test_rows_hold_all_there_is_of_a_state() -> None:
    rng = random.Random(3)
    for _ in range(300):
        game, start = small(rng, ranks=rng.randint(2, 4), columns=rng.randint(2, 6))
        start = wander(rng, game, start, 5)
        layout = Layout(game, start)
        row = np.zeros(int(layout.words[packs_search.WORDS]), np.int64)
        pack(layout.words, layout.spread(start), row)
        state = layout.state(row)
        assert game.key(state) == game.key(start)
        spread = np.zeros(SIZE, np.int64)
        unpack(layout.words, row, spread)
        again = np.zeros_like(row)
        pack(layout.words, spread, again)
        assert list(row) == list(again)


def test_limits_leave_the_verdict_open_and_never_change_it() -> None:
    rng = random.Random(4)
    reached: Counter[tuple[str, str | None]] = Counter()
    for _ in range(60):
        game, state = small(rng)
        whole = packs_search.solve(game, state, (), Limits(None, 40_000, None))
        for most in (0, 1, 2, 5, 20, 100, whole.stats.positions):
            found = packs_search.solve(game, state, (), Limits(None, most, None))
            reached[found.verdict.value, found.limit] += 1
            assert found.stats.positions <= most
            if found.verdict is Verdict.UNKNOWN:
                assert (found.limit, found.line, found.complete) == ("positions", None, False)
            else:
                assert (found.verdict, found.line) == (whole.verdict, whole.line)
    assert {verdict for verdict, _ in reached} == {"winnable", "unwinnable", "unknown"}


def test_the_runs_are_the_same_every_time() -> None:
    first, again = plans(104), plans(104)
    for _ in range(100):
        one, other = next(first), next(again)
        assert list(one.weights) == list(other.weights)
        assert one[1:] == other[1:]


def test_a_full_deal_is_won_and_the_memory_limit_holds() -> None:
    game = get_game("moving-left")
    state = game.initial(game.deal("4").deck)
    found = packs_search.solve(game, state, (), Limits(None, 200_000, None))
    assert found.verdict is Verdict.WINNABLE
    again = packs_search.solve(game, state, (), Limits(None, 200_000, 1 << 20))
    assert (again.verdict, again.limit) == (Verdict.UNKNOWN, "memory")
    hurried = packs_search.solve(game, state, (), Limits(0, None, None))
    assert (hurried.verdict, hurried.limit) == (Verdict.UNKNOWN, "time")
