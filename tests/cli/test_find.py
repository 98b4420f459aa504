"""`find`: what comes out is what `solve` says of those deals, and of no other before them."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from rules import get_game
from rules.decks import Deal, last_number
from rules.errors import OptionError
from rules.game import Game
from solver.analysis.ratings import rate
from solver.cli import run
from solver.show.json.schemas import schema
from solver.solve import solve
from solver.surveys.find import Wanted, find
from solver.verdict import Limits
from tests.cli.conftest import COMMAND, ROOT, Run, environment, refused


def optional() -> Game[Any]:
    return get_game("decade").with_options({"forced": "false", "ranks": "6"})


CASES = [
    (get_game("block-ten"), Wanted("winnable"), lambda r: r.verdict.value == "winnable"),
    (get_game("tens"), Wanted("unwinnable"), lambda r: r.verdict.value == "unwinnable"),
    (get_game("decade"), Wanted(fewest_left=(8, 12)), lambda r: 8 <= r.fewest_left <= 12),
    (
        get_game("decade-loop"),
        Wanted("unwinnable", positions=(150, None)),
        lambda r: r.verdict.value == "unwinnable" and r.stats.positions >= 150,
    ),
    (optional(), Wanted(positions=(10, 900)), lambda r: 10 <= r.stats.positions <= 900),
    (
        get_game("ten-twenty-thirty"), Wanted("winnable"),
        lambda r: r.verdict.value == "winnable",
    ),
    (
        get_game("single-left").with_options({"ranks": "6", "columns": "4"}),
        Wanted("unwinnable", positions=(3, None)),
        lambda r: r.verdict.value == "unwinnable" and r.stats.positions >= 3,
    ),
]  # fmt: skip


@pytest.mark.parametrize(("game", "wanted", "meets"), CASES, ids=[repr(case[0]) for case in CASES])
def test_all_that_meet_the_conditions_are_found_in_order(
    game: Game[Any], wanted: Wanted, meets: Any
) -> None:
    results = {number: solve(game, number) for number in range(20, 221)}
    found = list(find(game, wanted, "", 20, 220))
    expected = [str(number) for number, result in results.items() if meets(result)]
    assert [each.row.deal for each in found] == expected
    assert 0 < len(expected) < len(results)
    for each in found:
        result = results[int(each.row.deal)]
        assert not each.undecided
        assert each.row.verdict == result.verdict.value
        assert each.row.fewest_left == result.fewest_left


@pytest.mark.parametrize("numbering", ["ms:", "pysol:"])
def test_other_numberings(numbering: str) -> None:
    game = get_game("decade")
    found = [each.row.deal for each in find(game, Wanted("winnable"), numbering, 5, 40)]
    names = [f"{numbering}{number}" for number in range(5, 41)]
    assert found == [name for name in names if solve(game, name).verdict.value == "winnable"]
    assert found


def test_ratings_are_those_of_rate() -> None:
    game = get_game("decade-loop")
    words = {
        str(number): rate(game, Deal.parse(str(number)), plays=0).word for number in range(1, 31)
    }
    assert len({word for word in words.values() if word}) > 1
    for word in sorted({word for word in words.values() if word}):
        found = list(find(game, Wanted(words=frozenset([word])), "", 1, 30))
        assert [each.row.deal for each in found] == [name for name, w in words.items() if w == word]
        assert found
        assert {each.word for each in found} == {word}


def test_what_hits_a_limit_comes_out_undecided() -> None:
    game = optional()
    limits = Limits(None, 700, None)
    results = {number: solve(game, number, limits=limits) for number in range(1, 41)}
    found = list(find(game, Wanted("unwinnable"), "", 1, 40, limits=limits))
    verdicts = {each.row.deal: each.undecided for each in found}
    assert verdicts == {
        str(number): result.verdict.value == "unknown"
        for number, result in results.items()
        if result.verdict.value != "winnable"
    }
    assert set(verdicts.values()) == {True, False}


def test_the_last_deals_of_a_numbering() -> None:
    last = last_number("")
    found = list(find(get_game("tens"), Wanted("unwinnable"), "", last - 20))
    assert all(last - 20 <= int(each.row.deal) <= last for each in found)
    assert len(found) > 10


@pytest.mark.parametrize(
    ("name", "wanted", "message"),
    [
        ("tens", Wanted(), "what is wanted"),
        ("tens", Wanted(positions=(3, None)), "played out, not searched"),
        ("single-left", Wanted(fewest_left=(0, 3)), "not played for fewest cards"),
        ("ten-twenty-thirty", Wanted(fewest_left=(0, 3)), "not played for fewest cards"),
        ("decade", Wanted(fewest_left=(53, 60)), "decade has only 52 cards"),
        ("decade", Wanted(words=frozenset(["nasty"])), "'nasty' is none of trivial"),
        ("decade", Wanted("unwinnable", words=frozenset(["hard"])), "not for --unwinnable"),
    ],
)
def test_conditions_that_cannot_be_met_are_refused_at_once(
    name: str, wanted: Wanted, message: str
) -> None:
    with pytest.raises(OptionError, match=message):
        find(get_game(name), wanted)


def test_json_meets_its_schema(capfd: pytest.CaptureFixture[str]) -> None:
    checker = jsonschema.Draft202012Validator(schema("find"))
    for words in (
        ["block-ten", "--winnable", "--count", "2"],
        ["decade", "--fewest-left", "0", "--rating", "easy,fair,hard", "--from", "7"],
        ["ten-twenty-thirty", "--unwinnable", "--from", "ms:1"],
        ["single-left", "-o", "ranks=5", "-o", "columns=3", "--positions-at-least", "1"],
    ):
        assert run(["find", *words, "--json"]) == 0
        out, err = capfd.readouterr()
        assert err == ""
        rows = [json.loads(line) for line in out.splitlines()]
        assert len(rows) == (2 if "--count" in words else 1)
        for row in rows:
            checker.validate(row)
            assert set(row) == set(schema("find")["properties"])
            game = get_game(row["game"]).with_options(row["options"])
            assert solve(game, row["deal"]).verdict.value == row["verdict"]


def test_as_a_process(dealproof: Run) -> None:
    done = dealproof("find", "block-ten", "--winnable", "--from", "60", "--count", "2")
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode().splitlines() == [
        "68            winnable    48 cards removed",
        "206           winnable    48 cards removed",
    ]


def test_what_is_passed_over_or_missing_is_said(dealproof: Run) -> None:
    done = dealproof("find", "single-left", "--winnable", "--to", "4", "--max-positions", "5")
    assert (done.returncode, done.stdout) == (0, b"")
    assert done.stderr.decode().splitlines() == [
        "dealproof: not decided within the limits, and passed over: 1, 2, 3, 4 (4 in all)",
        "dealproof: 0 of 1 found; there are no more deals to look at",
    ]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["tens"], "what is wanted?"),
        (["tens", "--winnable", "--unwinnable"], "give one of --winnable and --unwinnable"),
        (["nonsense", "--winnable"], "unknown game 'nonsense'"),
        (["decade", "--fewest-left", "x"], "--fewest-left: 'x' is not a number of cards"),
        (["decade", "--fewest-left", "9-3"], "the first number is the greater one"),
        (["decade", "--winnable", "--from", "1-9"], "--from takes one deal number"),
        (["decade", "--winnable", "--from", "ms:0"], "ms:0"),
        (["decade", "--winnable", "--to", "0"], "--to: 0 is not between --from (1) and"),
        (["decade", "--winnable", "--to", "x"], "--to: 'x' is not a number"),
        (["decade", "--winnable", "--count", "0"], "--count: '0' is not a whole number"),
        (["decade", "--rating", ","], "--rating: which words?"),
        (["decade", "--positions-at-least", "9", "--positions-at-most", "8"], "is more than"),
        (["decade", "-o", "ranks=6", "--winnable", "--from", "ms:1"], "only plain deal numbers"),
    ],
    ids=lambda each: " ".join(each) if isinstance(each, list) else "",
)
def test_bad_input_is_one_line(
    words: list[str], message: str, capfd: pytest.CaptureFixture[str]
) -> None:
    code = run(["find", *words])
    out, err = capfd.readouterr()
    assert message in refused(subprocess.CompletedProcess(words, code, out.encode(), err.encode()))


@pytest.mark.skipif(os.name != "posix", reason="sends a POSIX signal")
def test_an_interrupt_ends_it_with_what_was_found(tmp_path: Path) -> None:
    """Ctrl-C while it looks for what never comes; deals found before are out already."""
    path = tmp_path / "found.txt"
    words = ["find", "decade", "--fewest-left", "0-51", "--count", "none"]
    with path.open("wb") as out:
        process = subprocess.Popen(
            [*COMMAND, *words], cwd=ROOT, env=environment(), stdout=out, stderr=subprocess.PIPE,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )  # fmt: skip
        while process.poll() is None and not path.stat().st_size:
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    said = re.fullmatch(rb"dealproof: interrupted; go on with --from (\d+)\n", errors)
    assert said
    rows = path.read_text(encoding="utf-8").splitlines()
    assert rows[0].startswith("1  ")
    assert int(rows[-1].split()[0]) in (int(said[1]) - 1, int(said[1]))  # none is passed over
