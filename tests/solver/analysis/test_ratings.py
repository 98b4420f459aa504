"""Ratings: guesswork by brute force, games by exact chances and by a second player."""

from __future__ import annotations

import functools
import math
import random
from typing import Any

import pytest

from dealproof import Limits, Verdict
from rules import Deal, Game, get_game
from rules.referee import replay
from solver.analysis.ratings import (
    MOST_MOVES,
    WORDS,
    Share,
    SplitMix,
    guesswork,
    play,
    rate,
    word_for,
)
from solver.reductions import space_for
from tests.solver.brute import fates, mixed_decks, shuffled, small

NONE = Limits(None, None, None)


@pytest.mark.parametrize("name", ["left", "left next", "decade free", "pairing with decisions"])
def test_guesswork_by_brute_force(name: str) -> None:
    game = small(name)
    for deck in mixed_decks(name, 1):
        found = rate(game, Deal.of(deck), limits=NONE, budget=None, plays=5)
        truth = fates(game, game.initial(deck))
        if not truth[game.initial(deck)][0]:
            assert found.result.verdict is Verdict.UNWINNABLE
            assert (found.guesswork, found.word, found.random, found.greedy) == (None,) * 4
            continue
        assert found.guesswork is not None
        line = [step.move for step in found.steps]
        _, states = replay(game, game.initial(deck), line)
        assert game.is_won(states[-1])
        chance = 1.0
        for state in states[:-1]:
            worth = {game.key(after): truth[after][0] for _, after in game.successors(state)}
            chance *= sum(worth.values()) / len(worth)
        assert found.guesswork == pytest.approx(-math.log2(chance), abs=1e-6)
        assert found.word == word_for(found.guesswork)


def test_words_cover_all_guesswork() -> None:
    assert [word_for(bits) for bits in (0, 0.99, 1, 4, 8, 14, 500)] == [
        "trivial", "trivial", "easy", "fair", "hard", "fiendish", "fiendish",
    ]  # fmt: skip
    assert [below for _, below in WORDS] == sorted(below for _, below in WORDS)
    assert guesswork(()) == 0


def test_undecided_alternatives_leave_no_word() -> None:
    found = rate(get_game("single-left"), Deal.parse("4"), budget=1, plays=1)
    assert found.result.verdict is Verdict.WINNABLE
    assert (found.guesswork, found.word) == (None, None)
    assert found.kinds["unknown"] > 0


# Play ------------------------------------------------------------------------------------


def _by_hand(game: Game[Any], start: Any, plays: int, seed: int, greedy: bool) -> int:
    """The games of Klondike once more, in the readable space."""
    space = space_for(game, start, ("runs",))
    rng = SplitMix(seed)
    won = 0
    for _ in range(plays):
        node = space.start
        for _ in range(MOST_MOVES):
            if space.is_won(node):
                won += 1
                break
            ahead = list(space.successors(node))
            if not ahead:
                break
            if greedy:
                ranks = []
                for step, after in ahead:
                    up = sum(after.foundations) > sum(node.foundations)
                    turned = sum(after.down) < sum(node.down)
                    deals = step[0].kind == "deal"
                    ranks.append(0 if up else 1 if turned else 3 if deals else 2)
                ahead = [pair for pair, rank in zip(ahead, ranks, strict=True)
                         if rank == min(ranks)]  # fmt: skip
            node = ahead[rng.below(len(ahead))][1]
    return won


@pytest.mark.parametrize("greedy", [False, True])
@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("single-left", {}),
        ("single-left-next", {}),
        ("single-left", {"ranks": "4", "columns": "4"}),
        ("single-left-next", {"ranks": "3", "columns": "4"}),
        ("single-left", {"ranks": "3", "columns": "4", "fill": "none"}),
    ],
)
def test_compiled_games_are_those_played_by_hand(
    name: str, options: dict[str, str], greedy: bool
) -> None:
    game = get_game(name).with_options(options)
    rng = random.Random(str(options))
    plays = 2 if not options else 15
    won = 0
    for seed in (0, 1, 2**64 - 1):
        start = game.initial(shuffled(rng, game.ranks))
        count = play(game, start, plays, seed, greedy=greedy)
        assert count == _by_hand(game, start, plays, seed, greedy)
        won += count
    assert won > 0 or not options or greedy


def _chance(game: Game[Any], start: Any) -> float:
    """The exact chance that random play wins, in a space without cycles."""
    space = space_for(game, start, ("runs",) if game.family == "klondike" else ())

    @functools.cache
    def chance(node: Any) -> float:
        if space.is_won(node):
            return 1.0
        ahead = [after for _, after in space.successors(node)]
        return sum(map(chance, ahead)) / len(ahead) if ahead else 0.0

    return chance(space.start)


@pytest.mark.parametrize("name", ["left", "decade", "decade free"])
def test_shares_are_near_the_exact_chance(name: str) -> None:
    game = small(name)
    plays = 4000 if game.family == "klondike" else 400
    for deck in mixed_decks(name, 2):
        start = game.initial(deck)
        exact = _chance(game, start)
        share = play(game, start, plays, 7, greedy=False) / plays
        spread = math.sqrt(exact * (1 - exact) / plays)
        assert abs(share - exact) <= 5 * spread + 1e-9


def test_seeds_make_games_again() -> None:
    game = get_game("single-left")
    start = game.initial(Deal.parse("15").deck)
    first = play(game, start, 500, 3, greedy=False)
    assert first == play(game, start, 500, 3, greedy=False)
    assert len({play(game, start, 500, seed, greedy=False) for seed in range(6)}) > 1


def test_shares_have_intervals() -> None:
    share = Share.of(20, 1000)
    assert share.value == 0.02
    assert share.low < 0.02 < share.high
    assert Share.of(0, 0).value == 0.0


def test_splitmix_makes_our_deals() -> None:
    """The generator is the one of the deal numbers: 51 draws make deal 1."""
    rng = SplitMix(1)
    cards = list(range(52))
    for i in range(51, 0, -1):
        j = rng.below(i + 1)
        cards[i], cards[j] = cards[j], cards[i]
    assert cards == [int(card) for card in Deal.parse("1").deck]
