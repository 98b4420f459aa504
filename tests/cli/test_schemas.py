"""What ``--json`` prints is what ``dealproof schema`` says."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from rules.registry import game_names
from solver.analysis.graphs import SCHEMA as GRAPH
from solver.cli import run
from solver.show.json.base import SCHEMA
from solver.show.json.schemas import schema, schema_names
from tests.cli.conftest import Run
from tests.regenerate import SCHEMAS

SMALL = ["single-left", "-o", "ranks=3", "-o", "columns=3"]

TINY = ["decade", "1", "-o", "ranks=3", "-o", "sums=5,10"]

COMMANDS = [
    ["games"],
    *(["rules", name] for name in ("tens", "decade-seven", "single-left")),
    *(["deal", name, "1"] for name in game_names()),
    ["deal", "single-left", "4", "--after", "TH>JC"],
    *(["solve", name, "1-2", "--max-positions", "500"] for name in game_names()),
    ["solve", "single-left", "4", "--engine", "reference", "--max-positions", "500"],
    ["solve", "decade", "1", "--after", "QS+QD"],
    ["explain", "decade", "1"],
    ["explain", "block-ten", "5"],
    ["explain", "ten-by-one", "1"],
    ["explain", "ten-twenty-thirty", "1"],
    ["explain", "single-left", "3", "-o", "ranks=6", "-o", "columns=4"],
    ["explain", "single-left", "1", "--max-positions", "50"],
    ["hint", "single-left", "4"],
    ["hint", "decade", "1", "--after", "QS+QD"],
    ["hint", "block-ten", "5"],
    ["review", "single-left", "4", "TH>JC 4S>5D JC>QH"],
    ["review", "decade", "1", "QS+QD deal"],
    ["rate", "single-left", "1,3", "--plays", "5"],
    ["rate", "decade-loop", "3", "--plays", "5"],
    ["find", "decade", "--unwinnable", "--count", "2"],
    ["find", "block-ten", "--winnable"],
    ["verify", "tens", "1", "AC+9D"],
    ["verify", "tens", "1", "deal"],
    ["odds", "ten-by-one"],
    ["bench", "block-ten", "1-3"],
    ["bench", *SMALL, "1-2", "--engine", "reference"],
    ["graph", *TINY, "--fold"],
]

PROCESSES = [
    *(
        next(words for words in COMMANDS if words[0] == name)
        for name in ("games", "rules", "deal", "solve", "explain", "hint", "review", "rate")
    ),
    *(next(words for words in COMMANDS if words[0] == name) for name in ("verify", "odds")),
    ["find", "decade", "--winnable", "--rating", "trivial,easy,fair,hard,fiendish"],
    ["bench", "decade", "1-2", "--engine", "batch", "--engine", "reference"],
    ["graph", *TINY],
]
"""One of each, run as users run them; survey and check need files, see below."""


def as_json(words: list[str]) -> list[str]:
    return [*words, "--format", "json"] if words[0] == "graph" else [*words, "--json"]


def documents(name: str, out: str) -> list[Any]:
    """The JSON documents that a command printed: one a line, but for those that are large."""
    if name in ("bench", "graph"):
        return [json.loads(out)]
    return [json.loads(row) for row in out.splitlines()]


def meet(name: str, rows: list[Any]) -> None:
    assert rows
    checker = jsonschema.Draft202012Validator(schema(name))
    for row in rows:
        checker.validate(row)
        assert set(row) == set(schema(name)["properties"])


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_records_meet_their_schema(words: list[str], capfd: pytest.CaptureFixture[str]) -> None:
    run(as_json(words))
    out, err = capfd.readouterr()
    assert err == ""
    meet(words[0], documents(words[0], out))


@pytest.mark.parametrize("words", PROCESSES, ids=" ".join)
def test_processes_print_them_and_nothing_else(dealproof: Run, words: list[str]) -> None:
    done = dealproof(*as_json(words))
    assert done.stderr == b""
    assert done.returncode in (0, 1)
    meet(words[0], documents(words[0], done.stdout.decode("ascii")))


def test_surveys_and_certificates_meet_theirs(
    dealproof: Run, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    base = tmp_path / "s.db"
    done = dealproof("survey", "block-ten", "1-60", "-w", "1", "--file", str(base), "--json")
    assert (done.returncode, done.stderr) == (0, b"")
    meet("survey", documents("survey", done.stdout.decode()))

    good, bad = tmp_path / "good", tmp_path / "bad"
    run(["solve", "block-ten", "50", "--certificate", str(good), "--output", str(tmp_path / "o")])
    bad.write_bytes(good.read_bytes()[:-1] + bytes([good.read_bytes()[-1] ^ 1]))
    done = dealproof("check", str(good), "--json")
    assert (done.returncode, done.stderr) == (0, b"")
    meet("check", documents("check", done.stdout.decode()))
    capfd.readouterr()
    assert run(["check", str(good), "--json", "--memory", "10"]) == 3
    meet("check", documents("check", capfd.readouterr().out))


def test_every_command_with_json_has_a_schema() -> None:
    """The commands are asked, not listed here, so that a new one without a schema is noticed."""
    from solver.cli.app import COMMANDS, command_named

    with_json = {
        name
        for name in COMMANDS
        if any({"--json", "--format"} & set(each.opts) for each in command_named(name).params)
    }
    assert {"solve", "survey", "bench", "graph", "check"} <= with_json
    assert with_json <= set(schema_names()) <= set(COMMANDS)
    tried = {words[0] for words in PROCESSES} | {"survey", "check"}
    assert tried == set(schema_names())


def objects(form: Any) -> Iterator[dict[str, Any]]:
    """Every schema of an object within *form*."""
    if isinstance(form, dict):
        if form.get("type") == "object":
            yield form
        for value in form.values():
            yield from objects(value)
    elif isinstance(form, list):
        for value in form:
            yield from objects(value)


@pytest.mark.parametrize("name", schema_names())
def test_schemas_are_those_that_are_checked_in(name: str) -> None:
    """No key changes by accident. If one is meant to: `python -m tests.regenerate schemas`."""
    golden = json.loads((SCHEMAS / f"{name}.json").read_text(encoding="utf-8"))
    assert schema(name) == golden


def test_no_schema_of_a_former_command_is_left() -> None:
    assert {path.stem for path in SCHEMAS.iterdir()} == set(schema_names())


@pytest.mark.parametrize("name", schema_names())
def test_schemas_are_schemas_and_allow_nothing_that_they_do_not_name(name: str) -> None:
    jsonschema.Draft202012Validator.check_schema(schema(name))
    for form in objects(schema(name)):
        if "properties" in form:
            assert form["additionalProperties"] is False
        else:  # a table of values that are alike
            assert "additionalProperties" in form or "anyOf" in form
    for key in schema(name)["properties"].values():
        assert key["description"]
    (version,) = schema(name)["properties"]["schema"]["enum"]
    assert version == (GRAPH if name == "graph" else SCHEMA)


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
        ("surprise", 1),
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
    if key in row:
        del wrong[key]
        assert not checker.is_valid(wrong)


def test_the_command_prints_them(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["schema", "solve"]) == 0
    assert json.loads(capfd.readouterr().out) == schema("solve")
    assert run(["schema"]) == 0
    assert json.loads(capfd.readouterr().out) == {name: schema(name) for name in schema_names()}
    assert run(["schema", "nonsense"]) == 2
    assert capfd.readouterr().err.startswith("dealproof: no schema for 'nonsense' (games, rules")
