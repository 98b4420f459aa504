"""What a survey's report says is what its rows say, in every form."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import re
import shutil
import sqlite3
import sys
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import structs

from rules import get_game
from rules.families.pairing import Pairing
from solver.cli import run
from solver.show.glyphs import ASCII, UNICODE
from solver.show.text.surveys import decimal, short_time, survey_report
from solver.show.web.survey_page import survey_page
from solver.stats import clopper_pearson, wilson
from solver.surveys.exports import write_csv, write_parquet
from solver.surveys.rows import rows_of
from solver.surveys.run import settings_for
from solver.surveys.store import Row, Store
from solver.surveys.summary import Summary, histogram, summarize, winnability
from solver.verdict import Limits
from tests.solver.surveys.rows import made_here


@pytest.fixture(scope="module")
def decade(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """300 deals of the line as a loop, with an unknown and an error among them."""
    path = tmp_path_factory.mktemp("reports") / "decade.db"
    settings = settings_for(get_game("decade-loop"), "1-300")
    rows = made_here(settings)
    rows[7] = structs.replace(rows[7], verdict="unknown", limit_hit="time", fewest_left=None)
    rows[9] = Row(place=9, deal="10", verdict="error", version="0.1.0", note="its worker <died>")
    with Store.create_or_resume(path, settings) as store:
        store.add(rows)
    return path


def all_rows(path: Path) -> list[Row]:
    with Store.read(path) as store:
        return list(store.rows())


def summary_of(path: Path) -> Summary:
    with Store.read(path) as store:
        return summarize(store)


def test_the_summary_adds_up(decade: Path) -> None:
    rows, summary = all_rows(decade), summary_of(decade)
    counts = Counter(row.verdict for row in rows)
    assert summary.counts == {
        "winnable": counts["winnable"], "unwinnable": counts["unwinnable"],
        "unknown": 1, "error": 1,
    }  # fmt: skip
    assert (summary.total, summary.done) == (300, 300)
    won = counts["winnable"]
    found = summary.winnability
    assert found.share is None
    assert (found.low, found.high) == (won / 300, (won + 2) / 300)
    assert found.wilson == (wilson(won, 300)[0], wilson(won + 2, 300)[1])
    assert found.clopper_pearson == (
        clopper_pearson(won, 300)[0], clopper_pearson(won + 2, 300)[1],
    )  # fmt: skip
    positions = sorted(row.positions for row in rows if row.positions is not None)
    assert summary.positions.mean == pytest.approx(sum(positions) / len(positions))
    assert summary.positions.max == positions[-1]
    assert summary.hardest[0].positions == positions[-1]
    left = Counter(row.fewest_left for row in rows if row.fewest_left is not None)
    assert summary.fewest_left.distribution == dict(sorted(left.items()))
    assert summary.limits_hit == {"time": 1}
    assert [(each.deal, each.note) for each in summary.errors] == [("10", "its worker <died>")]


def test_undecided_deals_only_widen() -> None:
    tight, wide = winnability(30, 70, 0), winnability(30, 60, 10)
    assert tight.share == 0.3
    assert wide.low == 0.3
    assert wide.high == 0.4
    for kind in ("wilson", "clopper_pearson"):
        assert getattr(wide, kind)[0] <= getattr(tight, kind)[0]
        assert getattr(wide, kind)[1] >= getattr(tight, kind)[1]


def test_histograms_count_every_value_once() -> None:
    values = [0, 0, 1, 1.5, 10, 99, 100, 1e-6, 12345.0]
    bins = histogram(values)
    assert bins[0] == (0.0, 0.0, 2)
    assert sum(count for _, _, count in bins) == len(values)
    for low, high, count in bins[1:]:
        inside = [v for v in values if v and low * (1 - 1e-9) <= v < high * (1 - 1e-9)]
        assert len(inside) == count


@pytest.mark.parametrize("glyphs", [UNICODE, ASCII])
def test_tables_show_the_figures(decade: Path, glyphs: Any) -> None:
    from rich.console import Console

    summary = summary_of(decade)
    console = Console(width=80, file=io.StringIO(), color_system=None, highlight=False)
    console.print(survey_report(summary, glyphs, 80))
    stream = console.file
    assert isinstance(stream, io.StringIO)
    text = stream.getvalue()
    assert "300 of 300 deals (1-300)" in text
    for verdict, count in summary.counts.items():
        assert re.search(rf"^{verdict} +{count:,} ", text, re.M)
    assert "time limit 1" in text
    assert "deal 10: error: its worker <died>" in text
    assert summary.hardest[0].deal in text
    assert all(len(line) <= 80 for line in text.splitlines())
    if glyphs is ASCII:
        assert text.isascii()


class Checker(HTMLParser):
    """Every tag is closed in order; nothing is loaded from anywhere."""

    void = frozenset({"meta", "line", "rect"})

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.counts: Counter[str] = Counter()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.counts[tag] += 1
        assert tag not in ("script", "link", "img", "iframe")
        assert not [name for name, _ in attrs if name in ("src", "href") or name.startswith("on")]
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.counts[tag] += 1


def test_the_page_is_whole_and_escaped(decade: Path) -> None:
    page = survey_page(summary_of(decade))
    checker = Checker()
    checker.feed(page)
    assert checker.open == []
    summary = summary_of(decade)
    bars = sum(len(spread.histogram) for spread in summary.spreads().values())
    assert checker.counts["svg"] == 3
    assert checker.counts["rect"] == bars + len(summary.fewest_left.distribution)
    assert "its worker &lt;died&gt;" in page
    assert "<died>" not in page


def test_a_users_title_cannot_break_the_page(tmp_path: Path) -> None:
    game = Pairing("mine", {"slots": 5}, title="<script>alert(1)</script> & co")
    settings = settings_for(game, "1-20")
    with Store.create_or_resume(tmp_path / "s.db", settings) as store:
        for chunk in settings.deals.pieces(0, 20):
            for part in rows_of(settings, chunk, None):
                store.add(part)
    page = survey_page(summary_of(tmp_path / "s.db"))
    assert "<script" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp; co" in page
    checker = Checker()
    checker.feed(page)
    assert checker.open == []


def test_csv_and_parquet_hold_the_rows(decade: Path, tmp_path: Path) -> None:
    rows = all_rows(decade)
    stream = io.StringIO()
    with Store.read(decade) as store:
        write_csv(store, stream)
    table = list(csv.DictReader(io.StringIO(stream.getvalue())))
    assert len(table) == 300
    for line, row in zip(table, rows, strict=True):
        assert line == {k: "" if v is None else str(v) for k, v in structs.asdict(row).items()}
    parquet = pytest.importorskip("pyarrow.parquet")
    with Store.read(decade) as store:
        write_parquet(store, tmp_path / "rows.parquet")
    back = parquet.read_table(tmp_path / "rows.parquet").to_pylist()
    assert back == [structs.asdict(row) for row in rows]


def test_parquet_without_its_library_says_what_to_install(
    decade: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    words = ["survey", "--report", str(decade), "--parquet", str(tmp_path / "rows.parquet")]
    assert run(words) == 2
    out, err = capfd.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert "pip install 'dealproof[parquet]'" in err


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"family": "whist"}, "unknown family 'whist'"),
        ({"options": {"slots": "5"}}, "unknown option 'slots'"),
        ({"deals": "x"}, "its settings cannot be read"),
        (None, "its settings cannot be read"),
    ],
)
def test_a_file_whose_settings_are_foreign_is_one_line(
    decade: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str], settings: Any, message: str
) -> None:
    path = Path(shutil.copy(decade, tmp_path / "s.db"))
    with contextlib.closing(sqlite3.connect(path)) as connection:
        (text,) = connection.execute("SELECT value FROM meta WHERE key = 'settings'").fetchone()
        changed = json.dumps(None if settings is None else json.loads(text) | settings)
        connection.execute("UPDATE meta SET value = ? WHERE key = 'settings'", (changed,))
        connection.commit()
    assert run(["survey", "--report", str(path)]) == 2
    out, err = capfd.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert message in err


def test_the_command_reports(decade: Path, capfd: pytest.CaptureFixture[str]) -> None:
    summary = json.loads(msgspec.json.encode(summary_of(decade)))
    assert run(["survey", "--report", str(decade), "--json"]) == 0
    printed = json.loads(capfd.readouterr().out)
    assert printed.pop("schema")
    assert printed == summary
    assert run(["survey", "--report", str(decade), "--csv", "-"]) == 0
    assert capfd.readouterr().out.startswith("place,deal,verdict,")
    assert run(["survey", "--report", str(decade), "--html", "-"]) == 0
    assert capfd.readouterr().out == survey_page(summary_of(decade))
    assert run(["survey", "--report", str(decade)]) == 0
    assert "95 % interval, Wilson" in capfd.readouterr().out


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["survey"], "which game"),
        (["survey", "tens"], "which deals"),
        (["survey", "tens", "seven"], "'seven' is not a deal"),
        (["survey", "tens", "1-9", "-w", "0"], "--workers"),
        (["survey", "tens", "1-9", "-w", "5000"], "--workers"),
        (["survey", "tens", "1-9", "--json", "--csv", "-"], "--csv and --json cannot"),
        (["survey", "tens", "--report", "x.db"], "--report takes no game"),
        (["survey", "--report", "missing.db"], "missing.db: no such file"),
        (["survey", "tens", "1-9", "-f", "/no/such/place.db"], "/no/such/place.db: no such file"),
        (["survey", "tens", "0-18446744073709551615"], "at most 1,000,000,000,000 deals"),
        (["odds"], "which game"),
        (["odds", "tens", "7"], "7"),
        (["odds", "decade"], "dealproof survey decade 1-10000"),
    ],
)
def test_bad_input_is_one_line(
    words: list[str], complaint: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(words) == 2
    out, err = capfd.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert complaint in err


def test_odds_in_text_and_json(capfd: pytest.CaptureFixture[str]) -> None:
    words = ["odds", "block-ten", "-o", "ranks=2", "-o", "slots=4", "-o", "removable=A+2"]
    assert run(words) == 0
    text = capfd.readouterr().out
    assert "winning" in text
    assert run([*words, "--json"]) == 0
    record = json.loads(capfd.readouterr().out)
    assert record["winning"] in text
    assert record["no_move"] == "1/35"
    assert sum(record["removed_decimal"].values()) == pytest.approx(1)


def test_limits_reach_the_file(tmp_path: Path) -> None:
    settings = settings_for(get_game("decade"), "1-5", limits=Limits(2.5, 77, None))
    with Store.create_or_resume(tmp_path / "s.db", settings) as store:
        assert store.settings.limits == Limits(2.5, 77, None)


def test_numbers_as_people_read_them() -> None:
    from fractions import Fraction

    assert decimal(Fraction(1, 3), 5) == "0.33333"
    assert decimal(Fraction(2, 3), 5) == "0.66667"
    assert [short_time(t) for t in (2e-6, 5.6e-2, 0.5)] == ["2.0 us", "56 ms", "500 ms"]
