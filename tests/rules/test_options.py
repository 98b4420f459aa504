"""Option tables: every option of every family round-trips and refuses what it must, by name."""

from __future__ import annotations

import json
import re
import tomllib
from typing import Any

import pytest
from hypothesis import given

from rules import Game, OptionError, all_games, get_game
from rules.options import Option, read_integer
from rules.registry import families, parse_game
from rules.words import brief
from tests.strategies import games, option_texts

EVERY = pytest.mark.parametrize(
    ("family", "option"),
    [
        pytest.param(family, option, id=f"{name}-{option.name}")
        for name, family in families().items()
        for option in family.table
    ],
)

# What a TOML file may hold that no option takes.
STRANGE: tuple[Any, ...] = (
    -1, 10**9, 10**5000, 1.0, float("nan"), "", "  ", "yes", "TRUE", {}, {"a": 1}, [[]], [{}],
    [1.5], ["x"], [True], ["1"], [-1], [10**5000], tomllib.loads("d = 1979-05-27")["d"],
)  # fmt: skip


def make(family: type[Game[Any]], options: dict[str, Any]) -> Game[Any]:
    return family("test", options)


@EVERY
def test_the_default_round_trips(family: type[Game[Any]], option: Option) -> None:
    text = option.show(option.default)
    assert option.read(text) == option.default
    game = make(family, {}).with_options({option.name: text})
    assert game == make(family, {})
    assert game.all_options()[option.name] == text
    assert game.changed_options() == {}


@EVERY
def test_choices_are_allowed_and_round_trip(family: type[Game[Any]], option: Option) -> None:
    for word in option.choices:
        assert option.show(option.read(word)) == word
        assert word in option.allowed


@EVERY
def test_strange_values_are_refused_by_name(family: type[Game[Any]], option: Option) -> None:
    messages = []
    for value in STRANGE:
        try:
            stored = option.read(value)
        except OptionError as error:
            messages.append(str(error))
        else:
            assert option.read(option.show(stored)) == stored
    assert len(messages) >= len(STRANGE) - 2
    for message in messages:
        assert message.startswith(f"option {option.name}: ")
        assert option.allowed in message
        assert "\n" not in message
        assert len(message) < 250


@EVERY
@pytest.mark.parametrize(
    "text", ["", " ", "-1", "1e3", "x", "99999999999", "９", "true false", ",", "1,,2", "[1]"]
)
def test_strange_texts_are_refused_by_name(
    family: type[Game[Any]], option: Option, text: str
) -> None:
    with pytest.raises(OptionError) as caught:
        option.read(text)
    assert str(caught.value).startswith(f"option {option.name}: ")
    assert option.allowed in str(caught.value)


@EVERY
def test_wrong_types_are_refused(family: type[Game[Any]], option: Option) -> None:
    kind = type(option.default)
    wrong = {
        bool: [0, 1, "True", None, []],
        int: [True, "+1", 1.0, {}, None],
        str: [True, 1, ["x", option.default], None],
        tuple: [1.5, -1, True, None, {"A": 9}],
        type(None): [True, "+1", 1.0, [1, 2]],
    }[kind]
    for value in wrong:
        with pytest.raises(OptionError, match=f"option {option.name}: "):
            option.read(value)


@given(option_texts())
def test_allowed_texts_round_trip(case: tuple[Option, str]) -> None:
    option, text = case
    value = option.read(text)
    assert option.read(option.show(value)) == value
    hash(value)


def _toml(text: str) -> list[str]:
    """The ways to write the value *text* in a TOML file."""
    ways = [json.dumps(text), json.dumps(text.split(","))]
    if text != "none":
        ways += [f"[{text}]"] if re.fullmatch(r"\d+(,\d+)*", text) else []
        ways += [text] if re.fullmatch(r"true|false|0|[1-9]\d*", text) else []
    return ways if text != "none" else ways[:1]


@given(option_texts())
def test_toml_and_the_command_line_are_read_alike(case: tuple[Option, str]) -> None:
    option, text = case
    value = option.read(text)
    for way in _toml(text):
        assert option.read(tomllib.loads(f"value = {way}")["value"]) == value, way


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_a_game_is_read_from_a_file_of_its_options(game: Game[Any]) -> None:
    rows = [f"{key} = {json.dumps(text)}" for key, text in game.all_options().items()]
    text = "\n".join([f'family = "{game.family}"', "[options]", *rows])
    assert parse_game(text, game.name) == game


@given(games())
def test_games_with_changed_options_round_trip(game: Game[Any]) -> None:
    assert type(game)(game.name, {}).with_options(game.all_options()) == game
    assert type(game)(game.name, {}).with_options(game.changed_options()) == game
    assert hash(type(game)(game.name, {}).with_options(game.all_options())) == hash(game)
    assert set(game.changed_options()) <= set(game.all_options())


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_one_option_can_be_changed_and_the_others_stay(game: Game[Any]) -> None:
    """Whatever else the game's file sets: lists of sets, too, survive a change beside them."""
    for option in game.table:
        same = game.with_options({option.name: game.all_options()[option.name]})
        assert same == game
        assert same.title == game.title
        assert same.source == game.source
    assert game.with_options({}) is game
    fewer = game.with_options({"ranks": "12"})
    assert fewer != game
    assert hash(fewer) != hash(game)
    assert fewer.all_options() == game.all_options() | {"ranks": "12"}
    assert "ranks=12" in repr(fewer)
    assert fewer.deck_size == 48 * game.packs


@pytest.mark.parametrize("name", families())
def test_unknown_keys_are_refused_with_a_suggestion(name: str) -> None:
    family = families()[name]
    for option in family.table:
        typo = option.name + "s"
        with pytest.raises(OptionError, match=f"unknown option '{typo}'; did you mean "):
            make(family, {typo: 1})
    with pytest.raises(OptionError, match="unknown option 'zzz'; options: ") as caught:
        make(family, {"zzz": 1})
    for option in family.table:
        assert option.name in str(caught.value)
    game = make(family, {})
    with pytest.raises(OptionError, match=r"^test: unknown option 'zzz'"):
        game.with_options({"zzz": "1"})
    with pytest.raises(OptionError, match="unknown option") as caught:
        game.with_options({"z" * 5000: "1"})
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize(
    ("base", "changes", "message"),
    [
        ("decade", {"group_min": "4", "group_max": "3"}, "option group_max: 3 is less than"),
        ("decade", {"values": "1,2,3"}, "option values: 13 values are needed, not 3"),
        ("decade-seven", {"win_at": "1"}, "option win_at: only with one stack"),
        ("decade", {"choice": "first", "forced": "false"}, "option choice: first needs forced"),
        ("single-left", {"ranks": "6"}, "option columns: 7 columns take 28 cards, .* 24"),
        ("single-left", {"columns": "9", "ranks": "11"}, "option columns: 9 columns take 45"),
    ],
)
def test_options_that_contradict_each_other(
    base: str, changes: dict[str, str], message: str
) -> None:
    with pytest.raises(OptionError, match=message):
        get_game(base).with_options(changes)


@pytest.mark.parametrize(
    ("base", "key", "text"),
    [
        ("ten-by-one", "removable", "A+9,9+A"),
        ("ten-by-one", "removable", "Jx5"),
        ("ten-by-one", "removable", "Jx0"),
        ("ten-by-one", "removable", "A+A+A+A+A"),
        ("ten-by-one", "removable", "A+"),
        ("ten-by-one", "removable", "none"),
        ("ten-by-one", "must_go", "A,1"),
        ("ten-by-one", "must_go", "A,A"),
        ("ten-by-one", "slots", "0"),
        ("ten-by-one", "slots", "53"),
        ("ten-by-one", "ranks", "14"),
        ("decade", "sums", "10,10"),
        ("decade", "sums", "1001"),
        ("decade", "group_min", "0"),
        ("decade", "stacks", "14"),
        ("decade", "where", "bottom"),
        ("decade", "win_at", "52"),
        ("decade", "opening", "0"),
        ("single-left", "fill", "stock,stock"),
        ("single-left", "fill", "reserve"),
        ("single-left", "fill", "stock,none"),
        ("single-left", "columns", "10"),
        ("single-left", "passes", "0"),
        ("single-left", "draw", "0"),
        ("single-left", "build", "colour"),
    ],
)
def test_impossible_values_are_refused(base: str, key: str, text: str) -> None:
    with pytest.raises(OptionError, match=f"option {key}: "):
        get_game(base).with_options({key: text})


def test_lists_are_bounded() -> None:
    with pytest.raises(OptionError, match="option sums: more than 64 entries"):
        get_game("decade").with_options({"sums": ",".join(map(str, range(65)))})


def test_rank_sets_are_read_in_any_order_and_with_a_factor() -> None:
    game = get_game("ten-by-one").with_options({"removable": "9+A, J x 4,Q×3,K*2,10"})
    assert game.all_options()["removable"] == "A+9,J+J+J+J,Q+Q+Q,K+K,T"


def test_brief_is_one_short_line() -> None:
    assert brief("a\nb") == "'a\\nb'"
    assert brief(True) == "True"
    assert len(brief("x" * 1000)) == 60
    assert brief(10**5000) == brief([10**5000]) == "a number of thousands of digits"


def test_read_integer() -> None:
    assert read_integer("007") == 7
    for text in ("", "+1", "1 ", "²", "1234567890"):
        with pytest.raises(ValueError):  # noqa: PT011
            read_integer(text)
