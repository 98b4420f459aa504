"""The registry and game files: what is registered, and faults in a user's file by name."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import (
    DealproofError,
    Game,
    GameError,
    OptionError,
    all_games,
    game_names,
    get_game,
)
from rules import load_game as load
from rules.registry import families, parse_game

ROOT = Path(__file__).parents[2]

# What each game is, as its rules were handed down: family, and the options that differ.
GAMES: dict[str, tuple[str, dict[str, str]]] = {
    "ten-by-one": ("pairing", {
        "removable": "A+9,2+8,3+7,4+6,5+5,T,J+J+J+J,Q+Q+Q+Q,K+K+K+K",
        "must_go": "A,2,3,4,5,6,7,8,9,T",
    }),
    "block-ten": ("pairing", {
        "slots": "9",
        "removable": "A+9,2+8,3+7,4+6,5+5,J+J,Q+Q,K+K",
        "must_go": "A,2,3,4,5,6,7,8,9,J,Q,K",
    }),
    "tens": ("pairing", {
        "slots": "13",
        "removable": "A+9,2+8,3+7,4+6,5+5,T+T+T+T,J+J+J+J,Q+Q+Q+Q,K+K+K+K",
    }),
    "decade": ("decade", {}),
    "decade-three": ("decade", {"group_max": "3"}),
    "decade-loop": ("decade", {"loop": "true"}),
    "decade-loop-three": ("decade", {"loop": "true", "group_max": "3"}),
    "decade-seven": ("decade", {"stacks": "7"}),
    "decade-seven-three": ("decade", {"stacks": "7", "group_max": "3"}),
    "decade-seven-loop": ("decade", {"stacks": "7", "loop": "true"}),
    "decade-seven-loop-three": ("decade", {"stacks": "7", "loop": "true", "group_max": "3"}),
    "ten-twenty-thirty": ("decade", {
        "stacks": "7", "loop": "true", "where": "top", "group_min": "3", "group_max": "3",
        "returns": "true", "choice": "first",
    }),
    "klondike": ("klondike", {
        "draw": "3", "passes": "unlimited", "returns": "true", "fill": "none",
    }),
    "klondike-one": ("klondike", {"passes": "unlimited", "returns": "true", "fill": "none"}),
    "klondike-vegas": ("klondike", {"returns": "true", "fill": "none"}),
    "trigon": ("klondike", {"build": "suit", "passes": "unlimited", "fill": "none"}),
    "trigon-left": ("klondike", {"build": "suit", "passes": "unlimited", "fill": "next-column"}),
    "single-left": ("klondike", {}),
    "single-left-next": ("klondike", {"fill": "next-column"}),
    "moving-left": ("klondike", {"decks": "2", "columns": "10", "fill": "next-column"}),
    "triple-left": ("klondike", {"decks": "3", "columns": "12", "fill": "next-column"}),
    "gargantua": ("klondike", {"decks": "2", "columns": "9", "passes": "2", "fill": "none"}),
    "double-klondike": ("klondike", {
        "decks": "2", "columns": "9", "draw": "3", "passes": "unlimited", "fill": "none",
    }),
    "yukon": ("klondike", {"layout": "yukon", "groups": "any", "fill": "none"}),
    "russian": ("klondike", {
        "layout": "yukon", "groups": "any", "fill": "none", "build": "suit",
    }),
    "moosehide": ("klondike", {
        "layout": "yukon", "groups": "any", "fill": "none", "build": "other-suit",
    }),
    "yakutat-bay": ("klondike", {"layout": "yukon", "groups": "any", "fill": "next-column"}),
}  # fmt: skip

DEFAULTS = {
    "decade": {
        "sums": "10,20,30", "group_min": "2", "group_max": "none", "loop": "false",
        "where": "anywhere", "stacks": "1", "forced": "true", "opening": "none",
        "returns": "false", "win_at": "0", "values": "1,2,3,4,5,6,7,8,9,10,10,10,10",
        "choice": "free", "ranks": "13",
    },
    "klondike": {
        "decks": "1", "columns": "7", "layout": "triangle", "build": "alternate",
        "groups": "run", "draw": "1", "passes": "1", "returns": "false", "fill": "stock,waste",
        "spaces": "kings", "ranks": "13",
    },
    "pairing": {
        "slots": "10", "removable": "A+9,2+8,3+7,4+6,5+5",
        "must_go": "A,2,3,4,5,6,7,8,9,T,J,Q,K", "ranks": "13",
    },
}  # fmt: skip


YUKON = 'family = "klondike"\n[options]\nlayout = "yukon"\nfill = []\n'


def test_the_registry_holds_the_games() -> None:
    assert game_names()[: len(GAMES)] == tuple(GAMES)
    assert [game.name for game in all_games()] == list(game_names())


@pytest.mark.parametrize("name", GAMES)
def test_each_game_has_its_options(name: str) -> None:
    family, options = GAMES[name]
    game = get_game(name)
    assert get_game(name) is game
    assert (game.name, game.family, game.ranks) == (name, family, 13)
    assert game.all_options() == DEFAULTS[family] | options
    assert set(game.changed_options()) == set(options)
    assert game.title
    assert game.title != game.name
    assert game.source


@pytest.mark.parametrize("name", DEFAULTS)
def test_the_defaults_are_as_they_were(name: str) -> None:
    assert {option.name: option.show(option.default) for option in families()[name].table} == (
        DEFAULTS[name]
    )


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("singleleft", "unknown game 'singleleft'; did you mean single-left?"),
        ("Single Left", "unknown game 'Single Left'; did you mean single-left?"),
        ("decades", "unknown game 'decades'; did you mean decade?"),
        ("freecell", "unknown game 'freecell'; `dealproof games` lists them"),
        ("", "unknown game ''; `dealproof games` lists them"),
        ("x" * 500, f"unknown game '{'x' * 60}…'; `dealproof games` lists them"),
        ("../games/decade", "unknown game '../games/decade'"),
    ],
)
def test_unknown_games_are_refused_with_a_suggestion(name: str, message: str) -> None:
    with pytest.raises(GameError) as caught:
        get_game(name)
    assert str(caught.value).startswith(message)


# Files -----------------------------------------------------------------------------------


def write(tmp_path: Path, text: str | bytes) -> Path:
    path = tmp_path / "my-game.toml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


@pytest.mark.parametrize("game", list(all_games()), ids=lambda game: game.name)
def test_registered_files_load_as_a_users_own(game: Game[Any], tmp_path: Path) -> None:
    source = Path(__file__).parents[2] / "rules" / "games" / f"{game.name}.toml"
    path = tmp_path / source.name
    path.write_bytes(b"\xef\xbb\xbf" + source.read_bytes().replace(b"\n", b"\r\n"))
    mine = load(path)
    assert mine == game
    assert (mine.title, mine.source) == (game.title, game.source)


def test_a_game_file_of_ones_own(tmp_path: Path) -> None:
    game = load(write(tmp_path, 'family = "left"\n[options]\nfill = []\nranks = 5\ncolumns = 3\n'))
    assert game.name == game.title == "my-game"
    assert game.source == ""
    assert game.changed_options() == {"fill": "none", "ranks": "5", "columns": "3"}
    bare = load(str(write(tmp_path, 'family = "decade"')))
    assert bare.changed_options() == {}
    assert bare != get_game("decade")
    assert bare != "decade"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "family is one of pairing, decade, klondike, not nothing"),
        ('family = "lift"', "family is one of pairing, decade, klondike, not 'lift'"),
        ("family = 1", "family must be a string"),
        ('family = ["left"]', "family must be a string"),
        ('family = "left"\ntitle = 3', "title must be a string"),
        ('family = "left"\nsource = {}', "source must be a string"),
        ('family = "left"\noptions = 3', "options must be a table"),
        ('family = "left"\noptions = []', "options must be a table"),
        ('family = "left"\noption = {}', "unknown key 'option'; did you mean options?"),
        ('family = "left"\nfill = ["stock"]', r"key 'fill' belongs under \[options\]"),
        ('family = "left"\nx = 1', r"unknown key 'x' \(family, title, source, options\)"),
        ('family = "left"\n[options]\nfil = []', "unknown option 'fil'; did you mean fill?"),
        ('family = "left"\n[options]\nslots = 3', "unknown option 'slots'; options: decks, colu"),
        ('family = "left"\n[options]\npasses = "0"', "option passes: '0' is not allowed"),
        ('family = "left"\n[options]\npasses = true', "option passes: True is not allowed"),
        ('family = "left"\n[options]\npasses = 1.0', "option passes: 1.0 is not allowed"),
        ('family = "left"\n[options]\nfill = "stocks"', "option fill: 'stocks' is not allowed"),
        ('family = "left"\n[options]\ncolumns = 9\nranks = 9', "option columns: 9 columns take"),
        (
            'family = "klondike"\n[options]\nlayout = "yukon"',
            "option fill: layout = yukon has no stock",
        ),
        (YUKON + "draw = 3", "option draw: layout = yukon has no stock to go through"),
        (YUKON + 'passes = "unlimited"', "option passes: layout = yukon has no stock to go"),
        (YUKON + "columns = 1", "option columns: layout = yukon cannot deal 52 cards to 1 columns"),
        (YUKON + "columns = 10", "option columns: layout = yukon cannot deal 52 cards to 10 col"),
        (
            'family = "left"\n[options]\nspaces = "any"',
            "option spaces: any is only for fill = none",
        ),
        (
            'family = "left"\n[options]\npasses = "none"',
            "option passes: 'none' is not allowed .*unlimited",
        ),
        ('family = "decade"\n[options]\nsums = ["x"]', r"option sums: \['x'\] is not allowed"),
        ('family = "decade"\n[options]\nforced = "yes"', "option forced: 'yes' is not allowed"),
        ('family = "decade"\n[options]\ngroup_min = 0x' + "f" * 9999, "option group_min: a number"),
        ('family = "decade"\n[options]\ngroup_min = ' + "9" * 9999, "not valid TOML: "),
        ('family = "decade"\n[options]\ngroup_min = ' + "9" * 999, "option group_min: 9999.*…"),
        ('family = "pairing"\n[options]\nmust_go = [1]', r"option must_go: \[1\] is not allowed"),
        ('family = "pairing"\n[options]\nremovable = ["A+14"]', "option removable: "),
        ('family = "pairing', "not valid TOML: "),
        ('family = "left"\nfamily = "left"', "not valid TOML: "),
        ("x = " + "[" * 20_000, "not valid TOML: "),
        ("\0", "not valid TOML: "),
        (b"family = \xff", "not a text file in UTF-8"),
        ('family = "left"'.encode("utf-16"), "not a text file in UTF-8"),
        ("#" * 70_000, "a game file is at most 65536 bytes"),
        (f'family = "left"\n"{"k" * 500}" = 1', "unknown key 'kkk"),
        (f'family = "{"k" * 500}"', "family is one of pairing, decade, klondike, not 'kkk"),
    ],
)
def test_faults_in_a_file_are_named(tmp_path: Path, text: str | bytes, message: str) -> None:
    path = write(tmp_path, text)
    with pytest.raises(DealproofError, match=message) as caught:
        load(path)
    assert type(caught.value) in (GameError, OptionError)
    assert str(caught.value).startswith(f"{path}: ")
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < len(str(path)) + 250


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    for path in (tmp_path / "missing.toml", tmp_path):
        with pytest.raises(GameError) as caught:
            load(path)
        assert str(caught.value).startswith(f"{path}: ")
        assert "\n" not in str(caught.value)


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="needs an endless device")
def test_an_endless_file_is_refused() -> None:
    with pytest.raises(GameError, match="/dev/zero: a game file is at most 65536 bytes"):
        load("/dev/zero")


@given(st.text())
def test_any_text_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(DealproofError) as caught:
        parse_game(text, "any")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("game", list(all_games()), ids=lambda game: game.name)
def test_only_decade_counts_cards(game: Game[Any]) -> None:
    assert game.counts_cards is (game.family == "decade")
    start = game.initial(game.make_deal("", 1).deck)
    assert game.cards_left(start) is None
    assert game.decision_free is (game.family == "pairing" or game.name == "ten-twenty-thirty")


def test_the_two_readings_of_single_left_are_told() -> None:
    source = get_game("single-left").source
    assert "single-left-next is the game as it was most likely meant" in source
    assert "`dealproof rules single-left` says why" in get_game("single-left-next").source
    assert source.endswith("Both are proved for all of deals 1-10,000.")
    for name in ("single-left", "single-left-next"):
        kept = json.loads((ROOT / "docs" / "results" / f"{name}.json").read_text("utf-8"))
        assert kept["deals"] == "1-10000"
        assert kept["counts"]["winnable"] + kept["counts"]["unwinnable"] == kept["total"] == 10_000
