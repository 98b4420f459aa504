"""Straightened lines: legal, ending alike, no longer, without a position that comes back."""

from __future__ import annotations

import random

import pytest

from rules.decks import Deck
from rules.moves import Move, parse_line
from rules.referee import replay
from rules.registry import game_names, get_game
from solver.search.straighten import straighten


@pytest.mark.parametrize("name", game_names())
@pytest.mark.parametrize("number", range(4))
def test_random_play_is_straightened(name: str, number: int) -> None:
    game = get_game(name)
    rng = random.Random(number)
    start = state = game.initial(game.make_deal("", number).deck)
    line: list[Move] = []
    for _ in range(150):
        steps = list(game.successors(state))
        if not steps:
            break
        move, state = rng.choice(steps)
        line.append(move)
    short = straighten(game, start, line)
    _, states = replay(game, start, short)
    keys = [game.key(node) for node in states]
    assert keys[-1] == game.key(state)
    assert len(short) <= len(line)
    assert len(set(keys)) == len(keys)
    assert straighten(game, start, short) == short


def test_a_card_that_goes_to_and_fro_stays_where_it_ends() -> None:
    game = get_game("single-left")
    start = game.initial(Deck.numbered(4))
    line = parse_line(
        "TH>JC JC>QH 4H>5C 8S>9H 4C>5D TD>JS deal deal deal deal deal 7D>8S deal deal deal deal"
    )
    _, states = replay(game, start, line)
    moves, _ = replay(game, states[-1], parse_line("9C>TD 9C>TH 9C>TD 9C>TH"))
    assert straighten(game, start, (*line, *moves)) == straighten(game, start, (*line, moves[1]))
    assert straighten(game, states[-1], moves) == (moves[1],)


def test_the_empty_line() -> None:
    game = get_game("tens")
    assert straighten(game, game.initial(Deck.numbered(1)), ()) == ()
