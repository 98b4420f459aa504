"""Every game's counts of positions are those of its golden file (see ``tests.regenerate``)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rules import Deal, all_games, get_game, parse_line, replay
from tests.perft import layers, perft
from tests.regenerate import PERFT, dump, golden_deal, golden_games, table

GAMES = golden_games()


def read(name: str) -> Any:
    return json.loads((PERFT / f"{name}.json").read_text(encoding="utf-8"))


def test_every_registered_game_has_a_golden_file_and_no_file_is_left_over() -> None:
    names = {path.stem for path in PERFT.glob("*.json")}
    assert {game.name for game in all_games()} <= names
    assert names == set(GAMES)


@pytest.mark.parametrize("name", GAMES)
def test_counts_match(name: str) -> None:
    golden, game = read(name), GAMES[name]
    assert golden["options"] == game.all_options()
    assert "1" in golden["deals"]
    for number, deal in golden["deals"].items():
        assert golden_deal(game, number, deal["depth"]) == deal, f"deal {number}"


@pytest.mark.parametrize("name", GAMES)
def test_the_golden_lines_replay(name: str) -> None:
    golden, game = read(name), GAMES[name]
    for number, deal in golden["deals"].items():
        line = parse_line(deal["line"])
        moves, states = replay(game, game.initial(game.deal(number).deck), line)
        assert tuple(moves) == line
        assert table(game, states[-1]) == deal["ends"]


def test_files_are_written_as_regenerate_writes_them() -> None:
    for name in GAMES:
        text = (PERFT / f"{name}.json").read_text(encoding="utf-8")
        assert dump(json.loads(text)) == text, name


def test_counts_start_with_one_and_end_in_zeros() -> None:
    game = get_game("tens")
    start = game.initial(Deal.parse("1").deck)
    plies = len(list(layers(game, start)))
    counts = perft(game, start, plies + 2)
    assert counts[0] == 1
    assert counts[plies - 1] > 0
    assert counts[plies:] == [0, 0, 0]
