"""From keys back to moves: through the positions named, and none where there is no way."""

from __future__ import annotations

import random

import pytest

from rules.moves import Move
from rules.referee import replay
from rules.registry import game_names, get_game
from solver.search.follow import line_through


@pytest.mark.parametrize("name", game_names())
def test_keys_of_random_play_lead_back_to_a_line_through_them(name: str) -> None:
    game = get_game(name)
    rng = random.Random(name)
    start = state = game.initial(game.make_deal("", 1).deck)
    keys = []
    line: list[Move] = []
    while len(line) < 100 and (steps := list(game.successors(state))):
        move, state = rng.choice(steps)
        line.append(move)
        keys.append(game.key(state))
    found = line_through(game, start, keys)
    assert [game.key(node) for node in replay(game, start, found)[1][1:]] == keys
    assert len(keys) >= 2  # so that the next line asks for a way that there is not
    with pytest.raises(RuntimeError, match="no way"):
        line_through(game, start, [game.key(start), *keys])


def test_no_keys_are_no_moves() -> None:
    game = get_game("tens")
    assert line_through(game, game.initial(game.make_deal("", 1).deck), ()) == ()
