"""Generator and referee over random playouts of every registered game."""

from __future__ import annotations

import random
from typing import Any

import pytest

from rules import Game, IllegalMove, Move, all_games, replay
from tests.rules.test_properties import random_play


def check_playout(game: Game[Any], seed: int) -> None:
    """Every generated move is accepted; a move that was not generated is refused in its place."""
    play = random_play(game, seed)
    assert replay(game, play.states[0], [move.bare for move in play.line])[1] == list(play.states)
    if not play.line:
        return
    rng = random.Random(f"{game.name} {seed} wrong")
    index = rng.randrange(len(play.line))
    legal = {game.normal(move.bare) for move in game.legal_moves(play.states[index])}
    picked = tuple(rng.sample(play.deck, 2))
    wrong = rng.choice((Move("remove", picked), Move("move", picked[:1], picked[1])))
    if game.normal(wrong) in legal:
        return
    line = [*play.line[:index], wrong, *play.line[index + 1 :]]
    with pytest.raises(IllegalMove) as caught:
        replay(game, play.states[0], line)
    assert caught.value.index == index


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_generator_and_referee_agree(game: Game[Any]) -> None:
    for seed in range(25):
        check_playout(game, seed)


@pytest.mark.slow
@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_generator_and_referee_agree_a_thousand_times(game: Game[Any]) -> None:
    for seed in range(1_000):
        check_playout(game, seed)
