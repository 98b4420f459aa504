"""Surveys: the same rows however they came about; files that survive; refusals by name."""

from __future__ import annotations

import contextlib
import csv
import functools
import io
import json
import os
import random
import re
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from rules import get_game
from rules.errors import DeckError
from rules.families.pairing import Pairing
from rules.game import Game
from solver.cli import run
from solver.kernels.batch import Chunk
from solver.solve import solve
from solver.surveys import store as store_module
from solver.surveys.pool import Pool, WorkerError
from solver.surveys.rows import rows_of
from solver.surveys.run import settings_for, survey
from solver.surveys.store import TIMELESS, Deals, Row, Settings, Store, StoreError
from solver.verdict import Limits
from tests.solver.surveys.rows import made_here, without_time

ROOT = Path(__file__).parents[3]
POSIX = os.name == "posix"


def optional(ranks: int = 6) -> Game[Any]:
    """A game with choices: some hundred positions a deal; what is left differs, none is won."""
    return get_game("decade").with_options({"forced": "false", "ranks": str(ranks)})


OPTIONAL = ["decade", "-o", "forced=false", "-o", "ranks=6"]


def timeless(path: Path) -> list[tuple[Any, ...]]:
    """All rows without their seconds."""
    with Store.read(path) as store:
        return [without_time(row) for row in store.rows()]


@functools.cache
def expected(settings: Settings) -> list[tuple[Any, ...]]:
    """The rows as this process makes them, without any other."""
    return [without_time(row) for row in made_here(settings)]


def environment() -> dict[str, str]:
    return os.environ | {"PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"}


def heed_interrupts() -> None:
    """In a child: Ctrl-C works, even if the tests themselves run where it is ignored."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def start(folder: Path, *words: str, **options: Any) -> subprocess.Popen[bytes]:
    """``dealproof survey ...`` in a process group of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "solver.cli", "survey", *words],
        cwd=folder, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        start_new_session=True, **{"preexec_fn": heed_interrupts} | options,
    )  # fmt: skip


def count_rows(path: Path) -> int:
    if not path.exists():
        return 0
    with contextlib.closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as connection:
        try:
            return int(connection.execute("SELECT COUNT(*) FROM deals").fetchone()[0])
        except sqlite3.OperationalError:
            return 0


def wait_for_rows(process: subprocess.Popen[bytes], path: Path, least: int) -> None:
    """Return when the file has *least* rows, or the process has ended."""
    while process.poll() is None and count_rows(path) < least:
        time.sleep(0.01)


def nobody_is_left(group: int) -> bool:
    for _ in range(500):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.02)
    return False


# The rows ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "deals", "workers"),
    [
        (get_game("tens"), "1-400,ms:7,pysol:5-20", 2),
        (get_game("decade-seven-loop"), "1-300,0,18446744073709551615,ms:3", 2),
        (get_game("ten-twenty-thirty"), "1-60", 1),
    ],
)
def test_any_number_of_workers_writes_the_same_rows(
    tmp_path: Path, game: Game[Any], deals: str, workers: int
) -> None:
    settings = settings_for(game, deals)
    survey(settings, tmp_path / "s.db", workers=workers)
    rows = timeless(tmp_path / "s.db")
    assert len(rows) == len(settings.deals)
    assert rows == expected(settings)


def exports(path: Path, capfd: pytest.CaptureFixture[str]) -> tuple[Any, ...]:
    """What `survey --report` writes as JSON, CSV and Parquet, all without times."""
    parquet = pytest.importorskip("pyarrow.parquet")
    beside = path.with_suffix(".parquet")
    report = ["survey", "--report", str(path)]
    assert run([*report, "--json", "--parquet", str(beside)]) == 0
    summary = json.loads(capfd.readouterr().out)
    assert summary.pop("seconds")["count"] == summary["done"]
    assert run([*report, "--csv", "-"]) == 0
    rows = list(csv.reader(io.StringIO(capfd.readouterr().out)))
    table = parquet.read_table(beside).drop_columns(["seconds"])
    place = rows[0].index("seconds")
    return summary, [row[:place] + row[place + 1 :] for row in rows], table.to_pylist()


def test_one_worker_or_eight_make_the_same_rows_and_exports(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    settings, made = settings_for(optional(), "1-300"), []
    for workers in (1, 8):
        path = tmp_path / f"{workers}.db"
        survey(settings, path, workers=workers)
        assert timeless(path) == expected(settings)
        made.append(exports(path, capfd))
    assert made[0] == made[1]
    assert len(made[0][2]) == 300


def test_rows_say_what_solve_says(tmp_path: Path) -> None:
    """Batch kernels or not: verdict, positions and fewest left are those of single deals."""
    for game in (get_game("block-ten"), get_game("decade-loop-three"), optional(),
                 get_game("ten-twenty-thirty")):  # fmt: skip
        path = tmp_path / f"{game.name}-{game.options.get('forced')}.db"
        survey(settings_for(game, "1-80"), path, workers=1)
        with Store.read(path) as store:
            for row, number in zip(store.rows(), range(1, 81), strict=True):
                result = solve(game, number)
                assert row.deal == str(number)
                assert row.verdict == result.verdict.value
                assert row.limit_hit is None
                assert (row.fewest_left, row.best_left, row.outcome) == (
                    result.fewest_left, result.best_left, result.outcome,
                )  # fmt: skip
                if not isinstance(game, Pairing):
                    assert row.positions == result.stats.positions
                if row.verdict == "winnable" and game.name == "block-ten":
                    assert row.removed == 48


def test_limits_are_rows_too_whatever_the_workers(tmp_path: Path) -> None:
    """The share of the memory that a worker gets does not show in the rows."""
    game = get_game("decade").with_options({"forced": "false", "ranks": "8"})
    limits = Limits(None, None, 200 << 10)
    for workers in (1, 2):
        path = tmp_path / f"{workers}.db"
        survey(settings_for(game, "1-40", limits=limits), path, workers=workers)
    rows = timeless(tmp_path / "1.db")
    assert rows == timeless(tmp_path / "2.db")
    hits = [row[TIMELESS.index("limit_hit")] for row in rows]
    assert "memory" in hits
    assert None in hits
    survey(
        settings_for(game, "1-40", limits=Limits(None, 5_000, None)), tmp_path / "p.db", workers=2
    )
    with Store.read(tmp_path / "p.db") as store:
        assert {row.limit_hit for row in store.rows()} == {None, "positions"}


# Going on ----------------------------------------------------------------------------------


def test_the_list_of_deals_can_grow(tmp_path: Path) -> None:
    game = get_game("decade-three")
    for deals in ("5-60", "5-60", "5-200,ms:1-3", "5-200,ms:1-3,1-4"):
        survey(settings_for(game, deals), tmp_path / "grown.db", workers=1)
    assert timeless(tmp_path / "grown.db") == expected(settings_for(game, "5-200,ms:1-3,1-4"))
    assert not (tmp_path / "grown.db-wal").exists()
    assert not (tmp_path / "grown.db-lock").exists()


def test_errors_stay_until_they_are_asked_for_again(tmp_path: Path) -> None:
    path = tmp_path / "e.db"
    settings = settings_for(get_game("tens"), "1-20")
    with Store.create_or_resume(path, settings) as store:
        died = Row(place=3, deal="4", verdict="error", version="0.1.0", note="its worker died")
        store.add([died])
    survey(settings, path, workers=1)
    with Store.read(path) as store:
        assert store.counts()["error"] == 1
    survey(settings, path, workers=1, retry=True)
    with Store.read(path) as store:
        assert store.counts()["error"] == 0
        assert sum(store.counts().values()) == 20


def change(path: Path, key: str, value: str) -> None:
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE meta SET value = ? WHERE key = ?", (value, key))
        connection.commit()


def test_a_file_of_a_former_family_is_resumed(tmp_path: Path) -> None:
    """As the left family wrote it, with the options that there were."""
    path = tmp_path / "old.db"
    settings = settings_for(get_game("single-left"), "1-4")
    survey(settings, path, workers=1)
    had = ("columns", "fill", "passes", "draw", "build", "ranks")
    options = {key: value for key, value in settings.options if key in had}
    before = json.loads(settings.to_json()) | {"family": "left", "options": options}
    change(path, "settings", json.dumps(before))
    with Store.read(path) as store:
        assert store.settings.make_game() == get_game("single-left")
    longer = settings_for(get_game("single-left"), "1-6")
    survey(longer, path, workers=1)
    assert timeless(path) == expected(longer)
    change(path, "settings", json.dumps(before | {"options": options | {"draw": "3"}}))
    with pytest.raises(StoreError, match="option draw is '3', not '1'"):
        survey(longer, path, workers=1)


def test_another_survey_is_refused_by_name(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    game = get_game("decade-three")
    survey(settings_for(game, "1-30"), path, workers=1)
    before = timeless(path)
    other = game.with_options({"group_max": "4"})
    for settings, word in (
        (settings_for(get_game("decade-loop"), "1-30"), "game"),
        (settings_for(other, "1-30"), "option group_max is '3', not '4'"),
        (settings_for(game, "1-30", limits=Limits(1.5)), "time limit is 60.0, not 1.5"),
        (settings_for(game, "1-30", limits=Limits(positions=9)), "positions limit is none, not 9"),
        (settings_for(game, "1-30", limits=Limits(memory=1 << 30)), "memory limit"),
        (settings_for(game, "1-30", engine="reference"), "engine is 'auto', not 'reference'"),
        (settings_for(game, "2-40"), "deals are '1-30', not '2-40'"),
        (settings_for(game, "1-20"), "deals are '1-30', not '1-20'"),
    ):
        with pytest.raises(StoreError, match=word) as caught:
            survey(settings, path, workers=1)
        assert "\n" not in str(caught.value)
    change(path, "version", "0.0.9")
    with pytest.raises(StoreError, match=r"version is 0\.0\.9"):
        survey(settings_for(game, "1-30"), path, workers=1)
    change(path, "format", "dealproof survey 99")
    with pytest.raises(StoreError, match="format is 'dealproof survey 99'"):
        survey(settings_for(game, "1-30"), path, workers=1)
    change(path, "format", f"dealproof survey {store_module.FORMAT}")
    assert timeless(path) == before


def test_what_is_no_survey_is_refused(tmp_path: Path) -> None:
    settings = settings_for(get_game("tens"), "1-5")
    text = tmp_path / "text.db"
    text.write_text("these are not the rows you are looking for")
    other = tmp_path / "other.db"
    with contextlib.closing(sqlite3.connect(other)) as connection:
        connection.execute("CREATE TABLE t (x)")
        connection.commit()
    cut = tmp_path / "cut.db"
    survey(settings, cut, workers=1)
    cut.write_bytes(cut.read_bytes()[:5000])
    for path, word in (
        (text, "not a survey"), (other, "not a survey"), (tmp_path, "irectory"),
        (tmp_path / "no" / "s.db", "no such file"), (cut, "malformed|corrupt|not a survey"),
    ):  # fmt: skip
        with pytest.raises((StoreError, OSError), match=word):
            survey(settings, path, workers=1)
    with pytest.raises(StoreError, match="no such file"):
        Store.read(tmp_path / "missing.db")


def test_one_writer_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    settings = settings_for(get_game("tens"), "1-5")
    with (
        Store.create_or_resume(path, settings),
        pytest.raises(StoreError, match="another survey is writing"),
    ):
        Store.create_or_resume(path, settings)
    survey(settings, path, workers=1)


def test_a_file_that_was_only_just_made_is_begun_anew(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
    survey(settings_for(get_game("tens"), "1-5"), path, workers=1)
    assert len(timeless(path)) == 5


def test_places_of_deals() -> None:
    deals = Deals.parse("5-9,ms:3,1-7")
    assert str(deals) == "5-9,ms:3,1-4"
    assert len(deals) == 10
    assert list(deals.pieces(3, 8)) == [
        Chunk(3, "", 8, 2), Chunk(5, "ms:", 3, 1), Chunk(6, "", 1, 2),
    ]  # fmt: skip
    for shorter, yes in (("5-9", True), ("5-6", True), ("5-9,ms:3", True), ("5-9,1-4", False),
                         ("6-9", False), ("5-6,ms:3", False)):  # fmt: skip
        assert deals.begins_with(Deals.parse(shorter)) is yes
    with pytest.raises(DeckError):
        Deals.parse("1-18446744073709551615")
    with pytest.raises(DeckError):
        Deals.parse("ms:1", 5)


# Deaths, interruptions, full disks -----------------------------------------------------------


def test_a_worker_that_dies_costs_its_deal() -> None:
    """Kill a worker now and then: every deal gets one row, and few of them are errors."""
    settings = settings_for(optional(), "1-120", engine="reference")
    kills, rows = 0, list[Row]()
    with Pool(settings, 2, settings.memory) as pool:
        for part in pool.rows(settings.deals.pieces(0, 120)):
            rows += part
            if kills < 3 and len(rows) > 25 * (kills + 1):
                pool.workers[kills % len(pool.workers)].process.kill()
                kills += 1
    assert kills == 3
    assert sorted(row.place for row in rows) == list(range(120))
    errors = [row for row in rows if row.verdict == "error"]
    assert 1 <= len(errors) <= kills
    assert all("worker died" in str(row.note) for row in errors)
    whole = expected(settings)
    for row in rows:
        if row.verdict != "error":
            assert without_time(row) == whole[row.place]


def test_a_batch_whose_worker_dies_is_tried_again_deal_by_deal() -> None:
    """One killed from outside costs a deal at most, not its batch."""
    settings = settings_for(get_game("tens"), "1-60000")
    killed, rows = False, list[Row]()
    with Pool(settings, 1, settings.memory) as pool:
        for part in pool.rows(settings.deals.pieces(0, 60_000)):
            rows += part
            if not killed and len(part) > 1:
                pool.workers[0].process.kill()
                killed = True
    assert killed
    assert sorted(row.place for row in rows) == list(range(60_000))
    assert sum(row.verdict == "error" for row in rows) <= 1


def test_a_survey_in_which_nothing_works_stops(tmp_path: Path, monkeypatch: Any) -> None:
    """Not a million error rows: the first deals' errors are not even written down."""

    def broken(*_: object) -> Any:
        for place in range(40):
            yield [Row(place=place, deal=str(place), verdict="error", version="0.1.0", note="boom")]

    monkeypatch.setattr(sys.modules[survey.__module__], "local_rows", broken)
    with pytest.raises(WorkerError, match="boom"):
        survey(settings_for(get_game("tens"), "0-39"), tmp_path / "s.db")
    assert timeless(tmp_path / "s.db") == []


def disturbed_run(folder: Path, deals: int, kills: int, seed: int) -> int:
    """Kill the survey's process *kills* times as rows come in, then let it end; compare.

    The number of kills that left the survey begun and unfinished, with more rows than the
    one before. By the reference engine, since the compiled one is done before it is killed.
    """
    words = [*OPTIONAL, f"1-{deals}", "-w", "2", "--engine", "reference", "-f"]
    path, random_ = folder / "killed.db", random.Random(seed)
    done = in_mid_run = 0
    for _ in range(kills):
        process = start(folder, *words, str(path))
        wait_for_rows(process, path, min(deals, done + 1))
        time.sleep(random_.random() * 0.3)
        process.kill()
        process.communicate()
        assert nobody_is_left(process.pid)
        now = count_rows(path)
        in_mid_run += process.returncode == -signal.SIGKILL and done < now < deals
        done = now
    process = start(folder, *words, str(path))
    _, errors = process.communicate()
    assert (process.returncode, errors) == (0, b"")
    settings = settings_for(optional(), f"1-{deals}", engine="reference")
    survey(settings, folder / "whole.db", workers=2)
    rows = timeless(path)
    assert [row[0] for row in rows] == list(range(deals))
    assert rows == timeless(folder / "whole.db")
    return in_mid_run


@pytest.mark.skipif(not POSIX, reason="kills by POSIX signals")
def test_kills_leave_the_database_of_an_undisturbed_run(tmp_path: Path) -> None:
    assert disturbed_run(tmp_path, 120, 3, seed=1) >= 1


@pytest.mark.slow
@pytest.mark.skipif(not POSIX, reason="kills by POSIX signals")
def test_twenty_kills_leave_the_database_of_an_undisturbed_run(tmp_path: Path) -> None:
    assert disturbed_run(tmp_path, 5_000, 20, seed=2) == 20


@pytest.mark.skipif(not POSIX, reason="signals a process group")
@pytest.mark.parametrize(
    ("name", "workers", "words"),
    [
        ("SIGINT", 1, [*OPTIONAL, "--engine", "reference"]),
        ("SIGINT", 2, ["decade", "-o", "forced=false"]),  # in the midst of a compiled search
        ("SIGINT", 8, [*OPTIONAL, "--engine", "reference"]),
        ("SIGTERM", 2, [*OPTIONAL, "--engine", "reference"]),
    ],
)
def test_an_interrupt_keeps_the_rows_and_leaves_no_process(
    tmp_path: Path, name: str, workers: int, words: list[str]
) -> None:
    """Ctrl-C reaches the whole group, as from a terminal; a TERM is sent to the parent alone."""
    path = tmp_path / "s.db"
    words = [*words, "-f", str(path), "-w", str(workers), "-t", "none"]
    process = start(tmp_path, *words, "1-1000000")
    wait_for_rows(process, path, 1)
    assert process.poll() is None
    if name == "SIGINT":
        os.killpg(process.pid, signal.SIGINT)
    else:
        process.terminate()
    out, errors = process.communicate(timeout=60)
    assert out == b""
    if name == "SIGINT":
        assert process.returncode == 130
        assert re.fullmatch(
            rb"dealproof: interrupted; [\d,]+ of 1,000,000 deals are in .*s\.db; "
            rb"the same command goes on from there\n",
            errors,
        )
        assert not path.with_name("s.db-lock").exists()
    else:
        assert process.returncode == -signal.SIGTERM
        assert errors == b""
    assert nobody_is_left(process.pid)
    rows = timeless(path)
    assert rows
    with Store.read(path) as store:
        settings = store.settings
    if settings.engine == "reference":
        for row in rows[:5]:
            chunk = next(settings.deals.pieces(int(row[0]), int(row[0]) + 1))
            (again,) = (each for part in rows_of(settings, chunk, None) for each in part)
            assert row == without_time(again)
    Store.create_or_resume(path, settings).close()  # nobody holds it


@pytest.mark.skipif(not POSIX, reason="limits the size of files by a POSIX call")
def test_a_full_disk_loses_only_what_did_not_fit(tmp_path: Path) -> None:
    import resource

    path = tmp_path / "s.db"
    words = ["decade-three", "1-30000", "-f", str(path), "-w", "1"]

    def small_files() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, 400_000))

    process = start(tmp_path, *words, preexec_fn=small_files)
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 2
    assert len(errors.splitlines()) == 1
    assert b"s.db" in errors
    kept = count_rows(path)
    assert 0 < kept < 30_000
    process = start(tmp_path, *words)
    _, errors = process.communicate(timeout=120)
    assert (process.returncode, errors) == (0, b"")
    assert timeless(path) == expected(settings_for(get_game("decade-three"), "1-30000"))
