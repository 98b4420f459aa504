"""What ``--json`` prints is what ``dealproof schema`` says."""

from __future__ import annotations

import copy
import json
from typing import Any

import jsonschema
import pytest

from rules.game import game_names
from solver.cli import run
from solver.show.schemas import schema, schema_names

COMMANDS = [
    ["games"],
    *(["rules", name] for name in ("tens", "decade-seven", "single-left")),
    *(["deal", name, "1"] for name in game_names()),
    ["deal", "single-left", "4", "--after", "TH>JC"],
    *(["solve", name, "1-2", "--max-positions", "500"] for name in game_names()),
    ["solve", "single-left", "4", "--engine", "reference"],
    ["solve", "decade", "1", "--after", "QS+QD"],
    ["explain", "decade", "1"],
    ["explain", "block-ten", "5"],
    ["explain", "single-left", "3", "-o", "ranks=6", "-o", "columns=4"],
    ["hint", "single-left", "4"],
    ["hint", "decade", "1", "--after", "QS+QD"],
    ["hint", "block-ten", "5"],
    ["review", "single-left", "4", "TH>JC 4S>5D JC>QH"],
    ["review", "decade", "1", "QS+QD deal"],
    ["rate", "single-left", "1,3", "--plays", "5"],
    ["rate", "decade-loop", "3", "--plays", "5"],
    ["verify", "tens", "1", "AC+9D"],
    ["verify", "tens", "1", "deal"],
]


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_records_meet_their_schema(words: list[str], capfd: pytest.CaptureFixture[str]) -> None:
    run([*words, "--json"])
    out, err = capfd.readouterr()
    assert err == ""
    rows = [json.loads(row) for row in out.splitlines()]
    assert rows
    checker = jsonschema.Draft202012Validator(schema(words[0]))
    for row in rows:
        checker.validate(row)
        assert set(row) == set(schema(words[0])["properties"])


@pytest.mark.parametrize("name", schema_names())
def test_schemas_are_schemas(name: str) -> None:
    jsonschema.Draft202012Validator.check_schema(schema(name))


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("verdict", "maybe"),
        ("limit", "patience"),
        ("line", ["8S>9X"]),
        ("line", ["8S<9H"]),
        ("deal", "seven"),
        ("deck", "4C,5C"),
        ("positions", -1),
        ("schema", 0),
        ("options", {"slots": 9}),
    ],
)
def test_schemas_refuse_what_is_wrong(
    key: str, value: Any, capfd: pytest.CaptureFixture[str]
) -> None:
    run(["solve", "decade", "1", "--json"])
    row = json.loads(capfd.readouterr().out)
    wrong = copy.deepcopy(row) | {key: value}
    checker = jsonschema.Draft202012Validator(schema("solve"))
    assert checker.is_valid(row)
    assert not checker.is_valid(wrong)
    del wrong[key]
    assert not checker.is_valid(wrong)


def test_the_command_prints_them(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["schema", "solve"]) == 0
    assert json.loads(capfd.readouterr().out) == schema("solve")
    assert run(["schema"]) == 0
    assert json.loads(capfd.readouterr().out) == {name: schema(name) for name in schema_names()}
    assert run(["schema", "nonsense"]) == 2
    assert capfd.readouterr().err.startswith("dealproof: no schema for 'nonsense' (games, rules")
