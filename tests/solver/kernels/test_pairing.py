"""The pairing kernel against the rules, and against the published figures."""

from __future__ import annotations

import math
import random
from typing import Any

import numpy as np
import pytest

from rules import Deck, get_game
from rules.families.pairing import Pairing
from solver.kernels import pairing
from solver.search.playout import play_out
from solver.verdict import NO_LIMITS, Verdict
from tests.solver.kernels import samples

GAMES = ("block-ten", "ten-by-one", "tens")


def _to_the_end(game: Pairing, deck: Deck) -> tuple[bool, int]:
    """Won, and cards removed when the first legal move is played as long as there is one."""
    state = game.initial(deck)
    while True:
        step = next(game.successors(state), None)
        if step is None:
            left = len(state.stock) + sum(card is not None for card in state.slots)
            return game.is_won(state), len(deck) - left
        state = step[1]


def _decision_free(rng: random.Random) -> Pairing:
    while True:
        game, _ = samples.pairing(rng)
        if game.decision_free:
            return game


def test_survey_plays_out_as_the_rules_do() -> None:
    rng = random.Random(4)
    games: list[Any] = [get_game(name) for name in GAMES]
    games += [_decision_free(rng) for _ in range(150)]
    won = 0
    for game in games:
        first = rng.randrange(1 << 63)
        survey = pairing.survey_own(game, first, 20)
        decks = [Deck.numbered(first + k, game.ranks) for k in range(20)]
        given = pairing.survey_decks(game, np.array(decks, np.int8))
        for k, deck in enumerate(decks):
            expected = _to_the_end(game, deck)
            assert (survey.won[k], survey.removed[k]) == expected
            assert (given.won[k], given.removed[k]) == expected
            outcome, _ = play_out(game, game.initial(deck), NO_LIMITS)
            assert (outcome.verdict is Verdict.WINNABLE) == expected[0]
            no_move = next(game.successors(game.initial(deck)), None) is None
            assert (expected[1] == 0) == no_move
        won += int(survey.won.sum())
    assert won > 300


# Won fraction, mean removed, fraction without any move; the first two of `won` are exact.
PUBLISHED = {
    "block-ten": (0.03638, 12.0, 0.0665),
    "ten-by-one": (0.02012, None, None),
    "tens": (0.0913, 14.7, 0.0226),
}


@pytest.mark.parametrize("name", GAMES)
def test_a_million_deals_meet_the_published_figures(name: str) -> None:
    count = 1_000_000
    game = get_game(name)
    assert isinstance(game, Pairing)
    survey = pairing.survey_own(game, 0, count)
    won, removed, stuck = PUBLISHED[name]

    def near(share: float, expected: float) -> bool:
        # Both are samples of a million deals at worst: four and a half standard deviations.
        return abs(share - expected) < 4.5 * math.sqrt(2 * expected * (1 - expected) / count)

    assert near(float(survey.won.mean()), won)
    if removed is not None and stuck is not None:
        assert near(float((survey.removed == 0).mean()), stuck)
        assert abs(float(survey.removed.mean()) - removed) < 0.1
