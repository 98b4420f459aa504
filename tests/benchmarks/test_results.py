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
from xml.etree import ElementTree

import pytest

from benchmarks.results.__main__ import main
from benchmarks.results.kept import Kept, Machine, ResultsError, exact, keep, read_kept, text_of
from benchmarks.results.page import results_page
from benchmarks.results.published import PUBLISHED, SOURCES, Figure, comparisons
from rules import get_game
from rules.errors import DealproofError
from rules.game import Game
from solver.odds import odds
from solver.show.json.reading import MOST_BYTES
from solver.surveys.rows import rows_of
from solver.surveys.run import settings_for, survey
from solver.surveys.store import Store
from solver.surveys.summary import Summary, SurveyLimits, summarize, winnability
from solver.verdict import Limits
from tests.solver.surveys.rows import made_here

ROOT = Path(__file__).parents[2]
KEPT = ROOT / "docs" / "results"


def kept_of(folder: Path, name: str, deals: str, **limits: Any) -> Kept:
    settings = settings_for(get_game(name), deals, limits=Limits(**limits))
    survey(settings, folder / f"{name}.db", workers=1)
    with Store.read(folder / f"{name}.db") as store:
        return keep(store)


# The page in the repository ------------------------------------------------------------------


def test_the_page_and_its_pictures_are_what_the_kept_summaries_make() -> None:
    page = results_page(read_kept(KEPT))
    files = {path.name: path.read_text(encoding="utf-8") for path in KEPT.glob("*.svg")}
    text = (ROOT / "docs" / "results.md").read_text(encoding="utf-8")
    assert (text, files) == (page.text, page.pictures), "python -m benchmarks.results --write"
    assert max(map(len, page.text.splitlines())) <= 200
    for name, picture in files.items():
        assert f"results/{name}" in text
        ElementTree.fromstring(picture)


@pytest.mark.parametrize("name", sorted(path.stem for path in KEPT.glob("*.json")))
def test_kept_summaries_add_up(name: str) -> None:
    """Their figures follow from their counts, and exact odds are those of this version."""
    kept = read_kept(KEPT)[name]
    counts, found = kept.counts, kept.winnability
    assert sum(counts.values()) == kept.done <= kept.total
    assert found.deals == kept.done
    assert found.won == counts["winnable"]
    assert found.low * kept.done == pytest.approx(counts["winnable"])
    for column in kept.distributions().values():
        assert sum(column.distribution.values()) == column.count
    if kept.exact is not None:
        assert kept.exact.won == str(odds(kept.made_game).winning)  # type: ignore[arg-type]


# Keeping -------------------------------------------------------------------------------------


def test_what_is_kept_is_the_summary_and_more(tmp_path: Path) -> None:
    kept = kept_of(tmp_path, "decade-loop", "1-50")
    with Store.read(tmp_path / "decade-loop.db") as store:
        summary = summarize(store)
    for name in Summary.__struct_fields__:
        assert getattr(kept, name) == getattr(summary, name)
    assert kept.exact is None
    assert kept.machine.cores >= 1
    (tmp_path / "kept.json").write_text(text_of(kept), encoding="utf-8")
    assert read_kept(tmp_path)["kept"] == kept


def test_exact_odds_are_kept_for_any_game_that_has_them() -> None:
    game = get_game("block-ten").with_options({"ranks": "9", "slots": "7"})
    found = exact(made_up(1, 10, game=game))
    truth = odds(game)  # type: ignore[arg-type]
    assert found is not None
    assert Fraction(found.won) == truth.winning
    assert Fraction(found.no_move) == truth.no_move
    assert Fraction(found.removed) == truth.mean_removed
    mean = float(truth.mean_removed)
    variance = sum((count - mean) ** 2 * float(part) for count, part in truth.distribution.items())
    assert found.deviation == pytest.approx(math.sqrt(variance))


def test_only_the_first_deals_of_a_list_stand_for_it(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    settings = settings_for(get_game("decade"), "1-40")
    rows = made_here(settings)
    with Store.create_or_resume(path, settings) as store:
        with pytest.raises(ResultsError, match="no deal of it is done"):
            keep(store)
        store.add(rows[:10])
        assert keep(store).done == 10
        store.add(rows[11:20])
        with pytest.raises(ResultsError, match="19 of 40 deals are done, with gaps"):
            keep(store)
        store.add(rows)
        assert keep(store).done == 40


# Agreement -----------------------------------------------------------------------------------


def made_up(won: int, deals: int, undecided: int = 0, game: Game[Any] | None = None) -> Kept:
    game = get_game("decade") if game is None else game
    counts = winnability(won, deals - won - undecided, undecided)
    return Kept(
        game=game.name, title=game.title, family=game.family, options=game.all_options(),
        deals=f"1-{deals}", total=deals, done=deals, counts={}, winnability=counts,
        limits=SurveyLimits(seconds=None, positions=None, memory=None), limits_hit={},
        reductions=[], engines={}, versions={}, outcomes={}, positions=None, seconds=None,
        fewest_left=None, removed=None, dealt=None, hardest=[], errors=[], exact=None,
        machine=Machine(cpu="", cores=1, system="", python="", numba=None),
    )  # fmt: skip


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
        assert each.is_of(made_up(1, 10, game=game))


def test_a_survey_is_compared_with_the_exact_odds(tmp_path: Path) -> None:
    kept = kept_of(tmp_path, "block-ten", "1-2000")
    rows = {row.what: row for row in comparisons(kept, [])}
    assert set(rows) == {"won", "no_move", "removed"}
    chance = float(odds(get_game("block-ten")).winning)  # type: ignore[arg-type]
    error = math.sqrt(chance * (1 - chance) / 2000)
    assert rows["won"].test.z == pytest.approx((rows["won"].value - chance) / error)
    assert all(row.test.agrees for row in rows.values())
    # Odds that are a tenth off are noticed in a million deals.
    assert kept.exact is not None
    kept.exact.won, kept.winnability.deals = str(Fraction(4, 100)), 1_000_000
    row = next(row for row in comparisons(kept, []) if row.what == "won")
    assert not row.test.agrees


# The command ---------------------------------------------------------------------------------


def test_the_command_writes_when_asked(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    kept_of(tmp_path, "decade-loop", "1-30", seconds=None)
    kept_of(tmp_path, "block-ten", "1-30")
    docs = tmp_path / "docs"
    files = [str(tmp_path / f"{name}.db") for name in ("decade-loop", "block-ten")]
    assert main([*files, "--docs", str(docs)]) == 0
    text, err = capfd.readouterr()
    assert err == ""
    assert not docs.exists()
    assert "dealproof survey decade-loop 1-30 --timeout none\n" in text
    assert "dealproof survey block-ten 1-30\n" in text
    assert text.index("## Block Ten") < text.index("## Decade: the line as a loop")
    assert "| Block Ten | won | exact odds | 3.6382 % | Politaire | 3.6700 % |" in text
    assert main([*files, "--docs", str(docs), "--write"]) == 0
    assert capfd.readouterr() == ("", "")
    assert (docs / "results.md").read_text(encoding="utf-8") == text
    assert sorted(path.name for path in (docs / "results").iterdir()) == [
        "block-ten-removed.svg", "block-ten.json", "decade-loop-fewest-left.svg",
        "decade-loop-positions.svg", "decade-loop.json",
    ]  # fmt: skip
    assert main(["--docs", str(docs)]) == 0
    assert capfd.readouterr().out == text


def test_a_survey_with_gaps_is_refused(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "gaps.db"
    settings = settings_for(get_game("decade"), "1-9")
    chunk = next(settings.deals.pieces(3, 4))
    with Store.create_or_resume(path, settings) as store:
        store.add([row for part in rows_of(settings, chunk, None) for row in part])
    assert main([str(path), "--docs", str(tmp_path), "--write"]) == 2
    out, err = capfd.readouterr()
    assert (out, len(err.splitlines())) == ("", 1)
    assert "1 of 9 deals are done, with gaps" in err
    assert [each.name for each in tmp_path.iterdir()] == ["gaps.db"]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.json", "{", "not a kept summary (no JSON)"),
        ("a.json", "[]", "not a kept summary (expected object, got array)"),
        ("a.json", '{"kept": 99}', "not a kept summary (kept: invalid value 99)"),
        ("a.json", '{"kept": 2}', "not a kept summary (object missing required field game)"),
        ("a.json", "{}", "not a kept summary (without 'kept')"),
        ("a.json", '{"kept": "\\ud800"}', "not a kept summary (no JSON)"),
        ("a.json", "[" * 100_000, "not a kept summary ("),
        ("a.json", " " * (MOST_BYTES + 1), "not a kept summary (over 16,777,216 bytes)"),
        ("a.txt", "", "no summaries are kept there"),
    ],
)
def test_what_is_no_kept_summary_is_refused(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], name: str, text: str, message: str
) -> None:
    (tmp_path / "results").mkdir()
    (tmp_path / "results" / name).write_text(text)
    assert main(["--docs", str(tmp_path)]) == 2
    out, err = capfd.readouterr()
    assert (out, len(err.splitlines())) == ("", 1)
    assert message in err


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


@pytest.mark.parametrize("name", ["block-ten", "decade-loop"])
def test_whatever_stands_where_a_page_comes_or_one_line(tmp_path: Path, name: str) -> None:
    kept = json.loads((KEPT / f"{name}.json").read_text(encoding="utf-8"))
    pages, refusals = 0, list[str]()
    for at in places(kept):
        for odd in (None, -1, 0, "a\nb", [], {}, math.inf, 10**400, True):
            changed = copy.deepcopy(kept)
            inner = changed
            for key in at[:-1]:
                inner = inner[key]
            inner[at[-1]] = odd
            (tmp_path / "odd.json").write_text(json.dumps(changed))
            try:
                results_page(read_kept(tmp_path)).text.encode("utf-8")
                pages += 1
            except DealproofError as error:
                refusals.append(str(error))
    assert pages > 50
    assert len(refusals) > 100
    assert all("odd.json" in line and "\n" not in line for line in refusals)


def test_as_a_process_it_makes_the_page_of_the_repository() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.results"],
        cwd=ROOT, env=os.environ | {"PYTHONPATH": str(ROOT)}, capture_output=True, encoding="utf-8",
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == (ROOT / "docs" / "results.md").read_text(encoding="utf-8")
