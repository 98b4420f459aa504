"""The Decade kernels against the reference; the stack theorem; surveys; limits."""

from __future__ import annotations

import gc
import random
import threading
import time
from collections import Counter
from typing import Any

import pytest

from rules import Deck, get_game, replay
from rules.families.decade import Decade
from rules.registry import game_names
from solver.kernels.decade import searches as decade
from solver.search.depth_first import search
from solver.search.space import GameSpace
from solver.verdict import NO_LIMITS, Limits, Verdict
from tests.solver.kernels import samples
from tests.solver.kernels.agreement import assert_agree

GAMES = [name for name in game_names() if get_game(name).family == "decade"]
MOST = 1500


def _compare(seed: int, count: int, most: int = MOST, **fixed: Any) -> Counter[Any]:
    rng = random.Random(seed)
    met: Counter[Any] = Counter()
    for _ in range(count):
        game, state = samples.decade(rng, **fixed)
        if rng.random() < 0.3:
            state = samples.wander(rng, game, state, 8)
        outcome = assert_agree(decade.solve, game, state, (), Limits(None, most, None))
        met[outcome.verdict, game.stacks > 1] += 1
        if outcome.line is not None:
            states = replay(game, state, outcome.line)[1]
            assert game.cards_left(states[-1]) == outcome.best_left
    return met


def test_agrees_with_the_reference_on_random_games() -> None:
    met = _compare(1, 1000)
    for several in (False, True):
        assert met[Verdict.WINNABLE, several] > 30
        assert met[Verdict.UNWINNABLE, several] > 150


@pytest.mark.parametrize("returns", [False, True])
@pytest.mark.parametrize("stacks", [1, 3])
def test_agrees_with_the_reference_on_optional_loops(stacks: int, returns: bool) -> None:
    _compare(2, 60, stacks=stacks, returns=returns, forced=False, loop=True)


@pytest.mark.slow
def test_agrees_with_the_reference_on_many_random_games() -> None:
    _compare(3, 6000, 4000)


@pytest.mark.parametrize("name", GAMES)
def test_full_decks(name: str) -> None:
    game = get_game(name)
    for number in range(8 if name == "ten-twenty-thirty" else 25):
        state = game.initial(Deck.numbered(number))
        assert_agree(decade.solve, game, state, (), Limits(None, 5000, None))


def test_anywhere_and_top_are_the_same_game_once_the_opening_is_settled() -> None:
    rng = random.Random(4)
    settled = Counter[tuple[bool, bool]]()
    differ = 0
    for _ in range(1000):
        game, state = samples.decade(rng, forced=True, where="anywhere", choice="free")
        top = game.with_options({"where": "top"})
        limits = Limits(None, MOST, None)
        a, b = (search(GameSpace(each, state), limits) for each in (game, top))
        same = (a.verdict, a.limit, a.best_left, a.stats.positions) == (
            b.verdict, b.limit, b.best_left, b.stats.positions,
        )  # fmt: skip
        if decade.is_settled(game, state):
            assert same, (game.options, state)
            settled[game.stacks > 1, game.loop] += 1
        else:
            differ += not same
    assert min(settled[a, b] for a in (False, True) for b in (False, True)) > 30
    assert differ > 10  # the condition is needed


def test_kernels_need_the_condition_of_the_stack_theorem(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decade, "is_settled", lambda game, state: True)
    rng = random.Random(5)
    caught = 0
    for _ in range(100):
        game, state = samples.decade(
            rng, forced=True, where="anywhere", choice="free", stacks=2, opening=9, returns=False,
            win_at=0,
        )  # fmt: skip
        try:
            mutant = decade.solve(game, state, (), NO_LIMITS)
        except RuntimeError:  # its line is none
            caught += 1
            continue
        caught += mutant.stats.positions != search(GameSpace(game, state)).stats.positions
    assert caught > 5


def _survey_games(rng: random.Random) -> list[Decade]:
    games: list[Any] = [get_game(name) for name in GAMES if name != "ten-twenty-thirty"]
    games += [samples.decade(rng, returns=False)[0] for _ in range(40)]
    return games


def test_survey_agrees_with_solving_one_by_one() -> None:
    rng = random.Random(6)
    for game in _survey_games(rng):
        first = rng.randrange(1 << 63)
        limits = Limits(None, 5000, None)
        survey = decade.survey_own(game, first, 20, (), limits)
        for k in range(20):
            state = game.initial(Deck.numbered(first + k, game.ranks))
            outcome = decade.solve(game, state, (), limits)
            if outcome.complete:
                assert survey.decided[k]
                assert survey.won[k] == (outcome.verdict is Verdict.WINNABLE)
                assert survey.left[k] == outcome.best_left
                assert survey.positions[k] == outcome.stats.positions


def test_survey_searches_anew_what_outgrows_its_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("decade", "decade-seven"):
        game = get_game(name)
        assert isinstance(game, Decade)
        usual = decade.survey_own(game, 0, 300)
        monkeypatch.setattr(decade, "_SURVEY_TABLE", 128)
        small = decade.survey_own(game, 0, 300)
        monkeypatch.undo()
        assert usual.decided.all()
        assert small.decided.all()
        for field in ("won", "left", "positions"):
            assert (getattr(usual, field) == getattr(small, field)).all()
        assert usual.positions.max() > 128


# Limits ------------------------------------------------------------------------------------


def _endless() -> tuple[Decade, Any]:
    """A deal with far more positions than any test waits for."""
    game = get_game("decade-seven-loop").with_options({"forced": "false"})
    assert isinstance(game, Decade)
    return game, game.initial(Deck.numbered(1))


def _endless_line() -> tuple[Decade, Any]:
    """The same with one stack: 3.6 million positions."""
    options = {"loop": "true", "where": "top", "forced": "false", "group_min": "3"}
    game = get_game("decade").with_options({**options, "group_max": "3"})
    assert isinstance(game, Decade)
    return game, game.initial(Deck.numbered(3))


@pytest.mark.parametrize("make", [_endless, _endless_line])
def test_limits_are_obeyed_and_named(make: Any) -> None:
    game, state = make()
    decade.solve(game, state, (), Limits(None, 1, None))  # compiled by now
    stopped = {
        "time": decade.solve(game, state, (), Limits(0.3, None, None)),
        "positions": decade.solve(game, state, (), Limits(None, 123_456, None)),
        "memory": decade.solve(game, state, (), Limits(None, None, 20_000_000)),
    }
    for name, outcome in stopped.items():
        assert (outcome.verdict, outcome.limit) == (Verdict.UNKNOWN, name)
        assert not outcome.complete
    assert stopped["positions"].stats.positions == 123_456
    assert stopped["memory"].stats.memory < 20_000_000
    for limits in (Limits(0.0, None, None), Limits(None, 0, None), Limits(None, None, 0)):
        outcome = decade.solve(game, state, (), limits)
        assert (outcome.verdict, outcome.stats.positions) == (Verdict.UNKNOWN, 0)


def test_table_size_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("decade-loop-three", "decade-seven-loop"):
        game = get_game(name)
        for number in range(10):
            state = game.initial(Deck.numbered(number))
            usual = decade.solve(game, state, (), NO_LIMITS)
            monkeypatch.setattr(decade, "TABLE", 2)
            small = decade.solve(game, state, (), NO_LIMITS)
            monkeypatch.undo()
            assert (usual.line, usual.stats.positions) == (small.line, small.stats.positions)


def test_threads_run_beside_a_search() -> None:
    game, state = _endless()
    decade.solve(game, state, (), Limits(None, 1, None))
    worker = threading.Thread(target=decade.solve, args=(game, state, (), Limits(1.0, None, None)))
    worker.start()
    turns = 0
    while worker.is_alive():
        time.sleep(0.001)
        turns += 1
    assert turns > 20  # a kernel that kept the lock would leave room for a few


def test_memory_is_given_back() -> None:
    import tracemalloc

    game, state = _endless()
    limits = Limits(None, 50_000, None)
    decade.solve(game, state, (), limits)
    tracemalloc.start()
    sizes = []
    for _ in range(3):
        decade.solve(game, state, (), limits)
        gc.collect()
        sizes.append(tracemalloc.get_traced_memory()[0])
    tracemalloc.stop()
    assert sizes[2] - sizes[0] < 100_000
