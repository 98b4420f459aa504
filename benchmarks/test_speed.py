"""One round of every standard case, engine by engine, timed by pytest-benchmark.

``python -m pytest benchmarks`` (times; compare with ``--benchmark-compare``), or
``dealproof bench`` for rates, spreads and ratios. Nothing here asserts on a time.
"""

from __future__ import annotations

from typing import Any

import pytest

from dealproof import Verdict, solve
from rules import get_game
from solver.bench import DEFAULT_CASES, batch_verdicts
from solver.verdict import DEFAULT_LIMITS

CASES = [
    pytest.param(game, first, min(last, first + 49), engine, id=f"{game}-{engine}")
    for game, first, last, engines in DEFAULT_CASES
    for engine in engines
]


@pytest.mark.parametrize(("game", "first", "last", "engine"), CASES)
def test_speed(benchmark: Any, game: str, first: int, last: int, engine: str) -> None:
    bound = get_game(game)

    def run() -> list[Verdict]:
        if engine == "batch":
            count = last - first + 1
            rows = batch_verdicts(bound, first, count, DEFAULT_LIMITS, "all")
            return [verdict for verdict, _ in rows]
        return [
            solve(bound, number, engine=engine, exhaustive=True).verdict
            for number in range(first, last + 1)
        ]

    run()  # compiles
    benchmark.group = game
    verdicts = benchmark.pedantic(run, rounds=1, iterations=1)
    assert Verdict.UNKNOWN not in verdicts
