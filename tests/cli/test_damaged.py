"""Files that were damaged or tampered with, which the fuzzers found to end in tracebacks."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from benchmarks.results.__main__ import main as results
from solver.cli import run
from tests.cli.conftest import ROOT
from tests.fuzz.parsers import bench_seed, survey_seed

Refuse = Callable[..., str]


@pytest.fixture
def refuse(capfd: pytest.CaptureFixture[str]) -> Refuse:
    """Run words that have to be refused; the one line on stderr."""

    def go(*words: str) -> str:
        assert run(words) == 2
        out, err = capfd.readouterr()
        assert out == "" or words[0] == "bench"
        assert err.count("\n") == 1
        return err.removeprefix("dealproof: ").rstrip("\n")

    return go


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("positions", "many"), ("positions", -1), ("seconds", "x"), ("verdict", "maybe"),
        ("outcome", b"\xff"), ("fewest_left", 53), ("deal", b"1"), ("engine", b"3"),
        ("note", b"x"), ("place", 30), ("limit_hit", "patience"),
    ],
)  # fmt: skip
def test_rows_that_no_survey_writes(
    refuse: Refuse, tmp_path: Path, column: str, value: object
) -> None:
    path = tmp_path / "s.db"
    path.write_bytes(survey_seed())
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"UPDATE deals SET {column} = ? WHERE place = 17", (value,))
        connection.commit()
    row = 30 if column == "place" else 17
    said = refuse("survey", "--report", str(path))
    assert said == f"{path}: no survey writes a row like its row {row}"


def test_a_damaged_page_comes_up_as_it_is_read(refuse: Refuse, tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    data = bytearray(survey_seed())
    size = int.from_bytes(data[16:18], "big")
    for page in range(2, len(data) // size):
        data[page * size : page * size + 8] = b"\xff" * 8
    path.write_bytes(data)
    assert refuse("survey", "--report", str(path)).startswith(f"{path}: ")


@pytest.mark.parametrize("key", ["seconds", "deals", "options", "reductions", "game"])
@pytest.mark.parametrize("value", [float("inf"), "nonsense", [[]], 10**400, True])
def test_settings_that_make_no_sense(
    refuse: Refuse, tmp_path: Path, key: str, value: object
) -> None:
    path = tmp_path / "s.db"
    path.write_bytes(survey_seed())
    with closing(sqlite3.connect(path)) as connection:
        (text,) = connection.execute("SELECT value FROM meta WHERE key = 'settings'").fetchone()
        text = json.dumps(json.loads(text) | {key: value})
        connection.execute("UPDATE meta SET value = ? WHERE key = 'settings'", (text,))
        connection.commit()
    if key == "game" and value == "nonsense":
        assert run(["survey", "--report", str(path)]) == 0  # only a name
    else:
        assert refuse("survey", "--report", str(path)).startswith(f"{path}: ")


def change(document: Any, place: str, value: object) -> Any:
    node = document = json.loads(json.dumps(document))
    *way, last = place.split(".")
    for key in way:
        node = node[int(key) if key.isdigit() else key]
    node[int(last) if last.isdigit() else last] = value
    return document


@pytest.mark.parametrize(
    ("place", "value"),
    [("title", True), ("counts.winnable", "1"), ("winnability.wilson", [0.5]), ("exact.won", "1/x"),
     ("removed.mean", 10**400), ("hardest", 3), ("machine", None), ("seconds.histogram.0", [1, 2])],
)  # fmt: skip
def test_kept_summaries_that_do_not_fit(
    capfd: pytest.CaptureFixture[str], tmp_path: Path, place: str, value: object
) -> None:
    kept = json.loads((ROOT / "docs/results/block-ten.json").read_text(encoding="utf-8"))
    path = tmp_path / "results" / "k.json"
    path.parent.mkdir()
    path.write_text(json.dumps(kept | {"added": "by a later version"}))
    assert results(["--docs", str(tmp_path)]) == 0
    capfd.readouterr()
    path.write_text(json.dumps(change(kept, place, value)))
    assert results(["--docs", str(tmp_path)]) == 2
    out, err = capfd.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith(f"results: {path}: not a kept summary (")


@pytest.mark.parametrize(
    ("place", "value"),
    [("measures.0", 3), ("measures.0.seconds", 10**400), ("measures.0.counts", []),
     ("measures.0.name", ["x"]), ("schema", 0), ("ratios", {}), ("measures", None)],
)  # fmt: skip
def test_baselines_that_do_not_fit(
    refuse: Refuse, tmp_path: Path, place: str, value: object
) -> None:
    path = tmp_path / "b.json"
    path.write_text(json.dumps(change(bench_seed(), place, value)))
    words = ("bench", "block-ten", "1-2", "--engine", "reference", "--compare", str(path))
    assert refuse(*words).startswith(f"{path}: not a saved benchmark (")


def test_files_without_an_end_are_not_read_to_it(refuse: Refuse) -> None:
    said = refuse("bench", "block-ten", "1-2", "--compare", "/dev/zero")
    assert said == "/dev/zero: not a saved benchmark (over 16,777,216 bytes)"
