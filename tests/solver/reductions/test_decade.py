"""The reductions of the Decade family against unpruned search, and without their conditions.

Each mutant drops one condition of a soundness argument; the same comparison must catch it.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest

from rules import Deck, OptionError, get_game
from rules.families.decade import Decade, DecadeState
from rules.moves import Move
from solver import reductions
from solver.kernels.decade import searches as kernel
from solver.reductions.decade import floor, newest
from solver.search.depth_first import search
from solver.search.space import GameSpace
from solver.verdict import Limits, Verdict
from tests.solver.kernels import samples
from tests.solver.kernels.agreement import assert_agree

MOST = 4000
LIMITS = Limits(None, MOST, None)
Make = Callable[[Decade, DecadeState], GameSpace]
OPTIONAL: dict[str, Any] = {"stacks": 1, "forced": False, "returns": False}


def _disagreements(seed: int, count: int, make: Make, **fixed: Any) -> tuple[int, Counter[Verdict]]:
    """How many of *count* small deals the space that *make* builds gets wrong; what was met."""
    rng = random.Random(seed)
    wrong = 0
    met: Counter[Verdict] = Counter()
    while met.total() < count:
        game, state = samples.decade(rng, choice="free", **fixed)
        if rng.random() < 0.3:
            state = samples.wander(rng, game, state, 5)
        plain = search(GameSpace(game, state), LIMITS)
        if plain.limit is not None:
            continue
        met[plain.verdict] += 1
        reduced = search(make(game, state), LIMITS)
        assert reduced.limit is None
        wrong += (plain.verdict, plain.best_left) != (reduced.verdict, reduced.best_left)
    return wrong, met


def _space(*names: str) -> Make:
    def make(game: Decade, state: DecadeState) -> GameSpace:
        used = tuple(name for name in names if name in reductions.available(game))
        space = reductions.space_for(game, state, used)
        assert isinstance(space, GameSpace)
        return space

    return make


SETS = [("newest",), ("floor",), ("newest", "floor")]


@pytest.mark.parametrize("names", SETS)
def test_reduced_search_decides_as_plain_search(names: tuple[str, ...]) -> None:
    for fixed in ({}, OPTIONAL):
        wrong, met = _disagreements(1, 300, _space(*names), **fixed)
        assert wrong == 0
        assert min(met[Verdict.WINNABLE], met[Verdict.UNWINNABLE]) > 20


@pytest.mark.slow
@pytest.mark.parametrize("names", SETS)
def test_reduced_search_decides_as_plain_search_on_many_deals(names: tuple[str, ...]) -> None:
    for fixed in ({}, OPTIONAL, {"stacks": 1, "group_min": 3, "group_max": 3}):
        assert _disagreements(2, 2000, _space(*names), **fixed)[0] == 0


# Mutants -----------------------------------------------------------------------------------


def _newest_anyway(game: Decade, state: DecadeState) -> GameSpace:
    space = GameSpace(game, state)
    space.successors = partial(newest.successors, game, len(state.stock))
    return space


def _newest_from_the_start(game: Decade, state: DecadeState) -> GameSpace:
    space = GameSpace(game, state)
    space.successors = partial(newest.successors, game, len(state.stock) + 1)
    return space


def _last_dealt_only(game: Decade, state: DecadeState) -> GameSpace:
    """Discards only right after a deal, judged by a key that does not say what came before."""
    space = GameSpace(game, state)

    def successors(at: DecadeState) -> Iterator[tuple[Move, DecadeState]]:
        for move, after in newest.successors(game, len(state.stock), at):
            if move.kind == "deal" or len(at.stacks[0] or ()) % 2 == 0:
                yield move, after

    space.successors = successors
    return space


def _floor_anyway(game: Decade, state: DecadeState) -> GameSpace:
    space = GameSpace(game, state)
    cards = [card for stack in state.stacks for card in stack or ()] + list(state.stock)
    space.floor = floor.floor(game, cards)  # type: ignore[attr-defined]
    return space


def _floor_of_the_largest_size(game: Decade, state: DecadeState) -> GameSpace:
    """Takes every group to have as many cards as may be."""
    space = GameSpace(game, state)
    values = [game.value(card) for card in (*(state.stacks[0] or ()), *state.stock)]
    space.floor = floor.least_left(  # type: ignore[attr-defined]
        values, math.gcd(*game.sums), game.group_max
    )
    return space


def _floor_of_the_largest_sum(game: Decade, state: DecadeState) -> GameSpace:
    """Takes the largest sum for a divisor of all."""
    space = GameSpace(game, state)
    values = [game.value(card) for card in (*(state.stacks[0] or ()), *state.stock)]
    space.floor = floor.least_left(values, max(game.sums), 1)  # type: ignore[attr-defined]
    return space


MUTANTS: list[tuple[Make, dict[str, Any]]] = [
    (_newest_from_the_start, {**OPTIONAL, "where": "anywhere", "opening": 9}),
    (_newest_anyway, {**OPTIONAL, "where": "anywhere", "stacks": 2, "win_at": 0}),
    (_last_dealt_only, OPTIONAL),
    (_floor_of_the_largest_size, {"stacks": 1, "returns": False}),
    (_floor_of_the_largest_sum, {"stacks": 1, "returns": False}),
]


@pytest.mark.parametrize(("make", "fixed"), MUTANTS)
def test_a_dropped_condition_is_caught(make: Make, fixed: dict[str, Any]) -> None:
    assert _disagreements(3, 300, make, **fixed)[0] > 0


def test_a_floor_for_several_stacks_is_caught() -> None:
    """All stacks can be eliminated with cards in the stock; arithmetic knows nothing of that."""
    options = {
        "stacks": "2", "forced": "false", "sums": "5", "group_min": "1", "group_max": "4",
        "ranks": "3", "values": "2,3,1,3,3,1,2,3,2,3,3,3,2",
    }  # fmt: skip
    game = get_game("decade").with_options(options)
    assert isinstance(game, Decade)
    state = game.initial(Deck.parse("2S AD 3C 3H AS AH 2H AC 3S 2D 3D 2C", 3))
    mutant = _floor_anyway(game, state)
    assert search(GameSpace(game, state)).best_left == 0
    assert search(mutant).best_left == 2


# Kernel and reference under the same reductions --------------------------------------------


def _compare(seed: int, count: int, **fixed: Any) -> None:
    rng = random.Random(seed)
    for _ in range(count):
        game, state = samples.decade(rng, **fixed)
        if rng.random() < 0.3:
            state = samples.wander(rng, game, state, 5)
        names = reductions.available(game)
        names = tuple(name for name in names if rng.random() < 0.7)
        assert_agree(kernel.solve, game, state, names, Limits(None, 2000, None))


def test_kernel_and_reference_visit_the_same_positions() -> None:
    _compare(4, 200)
    _compare(5, 200, **OPTIONAL)


@pytest.mark.slow
def test_kernel_and_reference_visit_the_same_positions_on_many_deals() -> None:
    _compare(6, 2500)
    _compare(7, 2500, **OPTIONAL)


@pytest.mark.parametrize(
    "options",
    [
        {"forced": "false"},
        {"forced": "false", "loop": "true", "group_max": "3"},
        {"loop": "true", "where": "top", "group_min": "3", "group_max": "3", "forced": "false",
         "win_at": "1"},
        {"values": "1,2,3,4,5,6,7,8,9,10,1,2,3", "group_max": "4"},
    ],
)  # fmt: skip
def test_full_decks(options: dict[str, str]) -> None:
    game = get_game("decade").with_options(options)
    names = reductions.available(game)
    for number in range(12):
        state = game.initial(Deck.numbered(number))
        assert_agree(kernel.solve, game, state, names, Limits(None, 4000, None))


def test_surveys_use_them() -> None:
    game = get_game("decade").with_options({"forced": "false"})
    assert isinstance(game, Decade)
    names = reductions.available(game)
    assert names == ("newest", "floor")
    survey = kernel.survey_own(game, 0, 30, names)
    assert survey.decided.all()
    for number in range(30):
        outcome = kernel.solve(game, game.initial(Deck.numbered(number)), names)
        assert survey.left[number] == outcome.best_left
        assert survey.positions[number] == outcome.stats.positions


# The floor by itself -----------------------------------------------------------------------


def _least_left_by_trying(values: list[int], divisor: int, size: int) -> int:
    left = []
    for chosen in range(1 << len(values)):
        kept = [value for place, value in enumerate(values) if chosen >> place & 1]
        gone = sum(values) - sum(kept)
        if (len(values) - len(kept)) % size == 0:
            if divisor == 0 and gone == 0:
                left.append(len(kept))
            if divisor and gone % divisor == 0:
                left.append(len(kept))
    return min(left)


def test_least_left_is_what_trying_all_selections_gives() -> None:
    rng = random.Random(8)
    for _ in range(400):
        values = [rng.randint(0, 12) for _ in range(rng.randint(0, 9))]
        divisor, size = rng.choice([0, 1, 2, 5, 10]), rng.randint(1, 4)
        expected = _least_left_by_trying(values, divisor, size)
        assert floor.least_left(values, divisor, size) == expected


def test_the_floor_of_three_by_three_is_one_card() -> None:
    game = get_game("decade").with_options({"group_min": "3", "group_max": "3"})
    assert isinstance(game, Decade)
    assert floor.floor(game, Deck.numbered(0)) == 1


def test_reductions_are_refused_where_they_do_not_hold() -> None:
    for name, options in (
        ("newest", {}),
        ("newest", {"forced": "false", "stacks": "2"}),
        ("newest", {"forced": "false", "returns": "true"}),
        ("floor", {"stacks": "2"}),
        ("floor", {"returns": "true"}),
    ):
        game = get_game("decade").with_options(options)
        assert name not in reductions.available(game)
        with pytest.raises(OptionError, match=f"{name} does not hold"):
            reductions.select(game, name)
