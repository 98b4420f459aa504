"""Benchmarks count the same everywhere; a change in counts is found and reported."""

from __future__ import annotations

import copy
from pathlib import Path

import msgspec
import pytest

from rules import get_game
from rules.errors import OptionError
from solver.bench import DEFAULT_CASES, ENGINES, measure
from solver.show.json.reading import read
from solver.show.json.surveys import Benched, benched, changes
from solver.stats import Quantiles

BASELINE = Path(__file__).parent.parent.parent / "benchmarks" / "baseline.json"
QUICK = ("block-ten", "ten-by-one", "decade", "decade-loop-three", "decade-seven")


def test_quantiles_are_by_nearest_rank() -> None:
    assert Quantiles.of([5]) == Quantiles(mean=5, median=5, p90=5, p99=5, max=5)
    figures = Quantiles(mean=100.5, median=100, p90=180, p99=198, max=200)
    assert Quantiles.of(range(1, 201)) == figures


def test_engines_count_alike() -> None:
    for name in ("decade", "decade-seven-loop"):
        compiled, reference, batch = measure(get_game(name), 1, 12, ENGINES)
        assert compiled.digest == reference.digest == batch.digest
        assert compiled.unknown == 0
        assert compiled.winnable + compiled.unwinnable == 12
    reference, batch = measure(get_game("block-ten"), 1, 100, ("reference", "batch"))
    assert reference.verdicts == batch.verdicts


def test_a_change_in_counts_is_reported_and_one_in_time_is_not() -> None:
    now = benched(measure(get_game("block-ten"), 1, 20, ("reference",)))
    assert msgspec.json.decode(msgspec.json.encode(now), type=Benched) == now
    assert changes(now, now)[0] == []
    slower = copy.deepcopy(now)
    slower.measures[0].seconds *= 1000
    assert changes(slower, now)[0] == []
    other = copy.deepcopy(now)
    other.measures[0].counts.positions += 1
    count = now.measures[0].counts.positions
    assert changes(other, now)[0] == [f"{now.measures[0].name}: positions {count + 1} -> {count}"]


def test_the_batch_engine_refuses_what_it_cannot_take() -> None:
    with pytest.raises(OptionError, match="no batch engine for single-left"):
        measure(get_game("single-left"), 1, 2, ("batch",))


def test_counts_are_those_of_the_baseline() -> None:
    """CI's gate: the same deals visit as many positions as when the baseline was saved."""
    baseline = read(BASELINE, Benched, "a saved benchmark")
    names = {item.game for item in baseline.measures}
    assert names == {name for name, *_ in DEFAULT_CASES}
    measures = []
    for name, first, last, engines in DEFAULT_CASES:
        if name in QUICK:
            fast = [engine for engine in engines if engine in ("compiled", "batch")]
            measures += measure(get_game(name), first, last, fast)
    changed, notes = changes(baseline, benched(measures))
    assert changed == []
    assert not any("not in the baseline" in line for line in notes)
