"""``from solver import ...``: the public functions, however and in whatever order imported."""

from __future__ import annotations

import doctest
import importlib
import itertools
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from types import FunctionType

import pytest

import solver
from solver import Verdict, explain, odds, solve

SHADOWED = ("explain", "odds", "survey")
WAYS = (
    "from solver import {0}",
    "import solver.{0}",
    "from solver.{0} import *",
    "import importlib; importlib.import_module('solver.{0}')",
)


def python(code: str) -> str:
    return subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True
    ).stdout


def test_functions_win_over_submodules_in_every_order() -> None:
    """Each order in a state of its own: the modules are forgotten in between."""
    code = """
import itertools, sys, types
for order in itertools.permutations(NAMES):
    for turn in range(len(WAYS)):
        ways = [WAYS[(turn + place) % len(WAYS)] for place in range(len(order))]
        for name in [n for n in sys.modules if n.partition(".")[0] == "solver"]:
            del sys.modules[name]
        for way, name in zip(ways, order):
            exec(way.format(name), {})
        import solver
        for name in NAMES:
            assert isinstance(getattr(solver, name), types.FunctionType), (order, ways, name)
            assert getattr(solver, name).__module__ == "solver." + name
            assert isinstance(sys.modules["solver." + name], types.ModuleType)
print("done")
"""
    assert python(f"NAMES, WAYS = {SHADOWED}, {WAYS}\n{code}") == "done\n"


@pytest.mark.parametrize(("first", "second"), list(itertools.permutations(SHADOWED, 2)))
def test_functions_win_in_a_fresh_interpreter(first: str, second: str) -> None:
    code = (
        f"import solver.{first}, solver.cli; from solver import {second}; import solver\n"
        f"print(*(type(getattr(solver, n)).__name__ for n in {SHADOWED}))"
    )
    assert python(code) == "function function function\n"


def test_importing_it_loads_nothing() -> None:
    code = """
import sys
import solver
ours = {name for name in sys.modules if name.partition(".")[0] in ("solver", "rules")}
print(*sorted(ours | {"numba", "numpy", "networkx", "rich", "typer"} & set(sys.modules)))
"""
    assert python(code) == "solver\n"


def test_every_public_name_is_there_and_documented() -> None:
    assert set(solver.__all__) <= set(dir(solver))
    for name in solver.__all__:
        assert getattr(solver, name).__doc__
    for name in SHADOWED:
        assert isinstance(getattr(solver, name), FunctionType)
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = solver.nonsense


@pytest.mark.parametrize("name", ["solver", "solver.api", *(f"solver.{n}" for n in SHADOWED)])
def test_what_their_docstrings_show(name: str) -> None:
    result = doctest.testmod(importlib.import_module(name))
    assert result.attempted
    assert not result.failed


def test_they_take_names_and_numbers() -> None:
    assert explain("block-ten", 5).result.verdict is solve("block-ten", 5).verdict
    assert 0 < odds("block-ten").winning < 1


def test_threads_agree_with_one_after_the_other() -> None:
    jobs = [(game, deal) for game in ("single-left", "tens", "block-ten") for deal in range(1, 5)]

    def verdict(job: tuple[str, int]) -> tuple[Verdict, int]:
        result = solve(*job, engine="reference", limits=solver.Limits(None, 1_000))
        return result.verdict, result.stats.positions

    expected = [verdict(job) for job in jobs]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(verdict, jobs)) == expected
