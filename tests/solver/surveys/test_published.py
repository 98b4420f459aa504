"""The record of surveys: what is kept, what is refused, the test of agreement, the page."""

from __future__ import annotations

import copy
import json
import math
import os
import subprocess
import sys
from collections.abc import Iterator
from fractions import Fraction
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from rules import get_game
from rules.errors import DealproofError
from solver.cli import run
from solver.odds import odds
from solver.show.text.results_page import results_page
from solver.surveys.published import (
    MOST_BYTES,
    PUBLISHED,
    SOURCES,
    Figure,
    ResultsError,
    comparisons,
    exact,
    keep,
    read_kept,
)
from solver.surveys.rows import rows_of
from solver.surveys.run import settings_for, survey
from solver.surveys.store import Store
from solver.surveys.summary import summarize
from solver.verdict import Limits
from tests.solver.surveys.rows import made_here

ROOT = Path(__file__).parents[3]
KEPT = ROOT / "docs" / "results"


def kept_of(folder: Path, name: str, deals: str, **limits: Any) -> dict[str, Any]:
    settings = settings_for(get_game(name), deals, limits=Limits(**limits))
    survey(settings, folder / f"{name}.db", workers=1)
    with Store.read(folder / f"{name}.db") as store:
        return keep(store)


# The page in the repository ------------------------------------------------------------------


def test_the_page_is_what_the_kept_summaries_make() -> None:
    page = (ROOT / "docs" / "results.md").read_text(encoding="utf-8")
    assert page == results_page(read_kept(KEPT)), (
        "run `python -m solver.cli results --output docs/results.md`"
    )


@pytest.mark.parametrize(
    "kept", read_kept(KEPT).values(), ids=[Path(name).stem for name in read_kept(KEPT)]
)
def test_kept_summaries_add_up(kept: dict[str, Any]) -> None:
    """Their figures follow from their counts, and exact odds are those of this version."""
    counts, found = kept["counts"], kept["winnability"]
    assert sum(counts.values()) == kept["done"] <= kept["total"]
    assert found["deals"] == kept["done"]
    assert found["won"] == counts["winnable"]
    assert found["low"] * kept["done"] == pytest.approx(counts["winnable"])
    for column in ("fewest_left", "removed", "dealt"):
        if kept[column] is not None:
            assert sum(kept[column]["distribution"].values()) == kept[column]["count"]
    if kept["exact"] is not None:
        game = get_game(kept["game"]).with_options(kept["options"])
        assert kept["exact"]["won"] == str(odds(game).winning)


# Keeping -------------------------------------------------------------------------------------


def test_what_is_kept_is_the_summary_and_more(tmp_path: Path) -> None:
    kept = kept_of(tmp_path, "decade-loop", "1-50")
    with Store.read(tmp_path / "decade-loop.db") as store:
        summary = summarize(store)
    assert {key: kept[key] for key in summary} == summary
    assert kept["exact"] is None
    assert kept["machine"]["cores"] >= 1
    assert json.loads(json.dumps(kept))["hardest"] == kept["hardest"]


def test_exact_odds_are_kept_for_any_game_that_has_them() -> None:
    game = get_game("block-ten").with_options({"ranks": "9", "slots": "7"})
    summary = {
        "game": game.name, "family": game.family, "title": game.title,
        "options": game.all_options(),
    }  # fmt: skip
    found, truth = exact(summary), odds(game)
    assert found is not None
    assert Fraction(found["won"]) == truth.winning
    assert Fraction(found["no_move"]) == truth.no_move
    assert Fraction(found["removed"]) == truth.mean_removed
    mean = float(truth.mean_removed)
    variance = sum((count - mean) ** 2 * float(part) for count, part in truth.distribution.items())
    assert found["deviation"] == pytest.approx(math.sqrt(variance))


def test_only_the_first_deals_of_a_list_stand_for_it(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    settings = settings_for(get_game("decade"), "1-40")
    rows = made_here(settings)
    with Store.create_or_resume(path, settings) as store:
        with pytest.raises(ResultsError, match="no deal of it is done"):
            keep(store)
        store.add(rows[:10])
        assert keep(store)["done"] == 10
        store.add(rows[11:20])
        with pytest.raises(ResultsError, match="19 of 40 deals are done, with gaps"):
            keep(store)
        store.add(rows)
        assert keep(store)["done"] == 40


# Agreement -----------------------------------------------------------------------------------


def made_up(won: int, deals: int, undecided: int = 0) -> dict[str, Any]:
    game = get_game("decade")
    return {
        "game": game.name, "title": game.title, "family": game.family,
        "options": game.all_options(), "exact": None, "removed": None,
        "winnability": {
            "deals": deals, "low": won / deals, "high": (won + undecided) / deals,
        },
    }  # fmt: skip


def figure(value: float, deals: int, rounding: float = 0.0) -> Figure:
    return Figure("decade", (), "won", value, rounding, deals, "Masten")


def test_two_samples_are_compared_by_their_pooled_share() -> None:
    (row,) = comparisons(made_up(45, 100), [figure(0.3, 100)])
    # The textbook's two-proportion test: pooled 0.375, error sqrt(.375 * .625 * 2 / 100).
    assert row.test.z == pytest.approx(0.15 / math.sqrt(0.375 * 0.625 / 50))
    assert row.test.p == pytest.approx(0.0285, abs=1e-4)
    assert row.test.agrees
    (row,) = comparisons(made_up(450, 1000), [figure(0.3, 1000)])
    assert row.test.z == pytest.approx(0.15 / math.sqrt(0.375 * 0.625 / 500))
    assert not row.test.agrees


def test_undecided_deals_and_rounding_are_given_the_benefit_of_the_doubt() -> None:
    (row,) = comparisons(made_up(400, 1000, undecided=200), [figure(0.5, 1000)])
    assert (row.value, row.test.z) == (0.5, 0.0)
    (row,) = comparisons(made_up(400, 1000, undecided=50), [figure(0.5, 1000)])
    assert row.value == 0.45
    (row,) = comparisons(made_up(400, 1000), [figure(0.35, 1000, rounding=0.05)])
    assert row.test.z == pytest.approx(0.0, abs=1e-9)


def test_figures_go_with_their_game_alone() -> None:
    assert list(comparisons(made_up(1, 10), PUBLISHED)) == []
    assert {figure.source for figure in PUBLISHED} == set(SOURCES)
    for each in PUBLISHED:
        game = get_game(each.game).with_options(dict(each.changes))
        assert each.is_of({"game": game.name, "options": game.all_options()})


def test_a_survey_is_compared_with_the_exact_odds(tmp_path: Path) -> None:
    kept = kept_of(tmp_path, "block-ten", "1-2000")
    rows = {row.what: row for row in comparisons(kept, [])}
    assert set(rows) == {"won", "no_move", "removed"}
    chance = float(odds(get_game("block-ten")).winning)  # type: ignore[arg-type]
    error = math.sqrt(chance * (1 - chance) / 2000)
    assert rows["won"].test.z == pytest.approx((rows["won"].value - chance) / error)
    assert all(row.test.agrees for row in rows.values())
    # Odds that are a tenth off are noticed in a million deals.
    wrong = kept | {"exact": kept["exact"] | {"won": str(Fraction(4, 100))}}
    wrong["winnability"] = kept["winnability"] | {"deals": 1_000_000}
    row = next(row for row in comparisons(wrong, []) if row.what == "won")
    assert not row.test.agrees


# The command ---------------------------------------------------------------------------------


def test_the_command_keeps_and_writes(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    kept_of(tmp_path, "decade-loop", "1-30", seconds=None)
    kept_of(tmp_path, "block-ten", "1-30")
    folder, page = tmp_path / "kept", tmp_path / "page.md"
    words = ["results", "--kept", str(folder)]
    files = [str(tmp_path / f"{name}.db") for name in ("decade-loop", "block-ten")]
    assert run([*words, *files, "--output", str(page)]) == 0
    assert capfd.readouterr() == ("", "")
    assert sorted(path.name for path in folder.iterdir()) == ["block-ten.json", "decade-loop.json"]
    text = page.read_text(encoding="utf-8")
    assert "dealproof survey decade-loop 1-30 --timeout none\n" in text
    assert "dealproof survey block-ten 1-30\n" in text
    assert text.index("## Block Ten") < text.index("## Decade: the line as a loop")
    assert "| Block Ten | won | exact odds | 3.6382 % | Politaire | 3.6700 % |" in text
    assert run(words) == 0
    assert capfd.readouterr().out == text


def test_a_survey_with_gaps_is_left_out_and_named(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    kept_of(tmp_path, "block-ten", "1-30")
    path = tmp_path / "gaps.db"
    settings = settings_for(get_game("decade"), "1-9")
    chunk = next(settings.deals.pieces(3, 4))
    with Store.create_or_resume(path, settings) as store:
        store.add([row for part in rows_of(settings, chunk, None) for row in part])
    folder = tmp_path / "kept"
    assert run(["results", "--kept", str(folder), str(path), str(tmp_path / "block-ten.db")]) == 0
    out, err = capfd.readouterr()
    assert "## Block Ten" in out
    assert "Decade" not in out
    assert len(err.splitlines()) == 1
    assert "1 of 9 deals are done, with gaps" in err


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.json", "{", "not a kept summary (no JSON)"),
        ("a.json", "[]", "not a kept summary of this version's form"),
        ("a.json", '{"kept": 99}', "not a kept summary of this version's form"),
        ("a.json", '{"kept": 1}', "not a kept summary (without 'game')"),
        ("a.json", '{"kept": "\\ud800"}', "not a kept summary (no JSON)"),
        ("a.json", "[" * 100_000, "not a kept summary (no JSON)"),
        ("a.json", " " * (MOST_BYTES + 1), "not a kept summary (over 4,194,304 bytes)"),
        ("a.txt", "", "no summaries are kept there"),
    ],
)
def test_what_is_no_kept_summary_is_refused(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], name: str, text: str, message: str
) -> None:
    (tmp_path / name).write_text(text)
    assert run(["results", "--kept", str(tmp_path)]) == 2
    out, err = capfd.readouterr()
    assert out == ""
    assert len(err.splitlines()) == 1
    assert message in err


def test_a_summary_with_a_wrong_value_is_refused(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    kept = kept_of(tmp_path, "block-ten", "1-30")
    for change in ({"winnability": 7}, {"options": {"slots": "no"}}, {"machine": []},
                   {"exact": {"won": "x"}}, {"hardest": [3]}, {"game": ["tens"]}):  # fmt: skip
        (tmp_path / "block-ten.json").write_text(json.dumps(kept | change))
        assert run(["results", "--kept", str(tmp_path)]) == 2
        out, err = capfd.readouterr()
        assert out == ""
        assert len(err.splitlines()) == 1
        assert "block-ten.json" in err


def places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to every value in a JSON document, of lists and tables to the first few."""
    if at:
        yield at
    keys: Any = (
        value if isinstance(value, dict) else range(len(value) if isinstance(value, list) else 0)
    )
    for key in islice(keys, 6 if at else None):
        each = value[key]
        yield from places(each, (*at, key))


def test_whatever_stands_where_a_page_comes_or_one_line(tmp_path: Path) -> None:
    kept = json.loads((KEPT / "block-ten.json").read_text(encoding="utf-8"))
    pages, refusals = 0, list[str]()
    for at in places(kept):
        for odd in (None, -1, "a\nb", [], {}, math.inf, 10**400, True):
            changed = copy.deepcopy(kept)
            inner = changed
            for key in at[:-1]:
                inner = inner[key]
            inner[at[-1]] = odd
            (tmp_path / "odd.json").write_text(json.dumps(changed))
            try:
                results_page(read_kept(tmp_path)).encode("utf-8")
                pages += 1
            except DealproofError as error:
                refusals.append(str(error))
    assert pages > 100
    assert len(refusals) > 100
    assert all("odd.json" in line and "\n" not in line for line in refusals)


def test_as_a_process_it_makes_the_page_of_the_repository() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "solver.cli", "results"],
        cwd=ROOT, env=os.environ | {"PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"},
        capture_output=True, encoding="utf-8",
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == (ROOT / "docs" / "results.md").read_text(encoding="utf-8")
