"""``from solver import ...``: the public functions, however and in whatever order imported."""

from __future__ import annotations

import doctest
import importlib
import itertools
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from types import FunctionType

import pytest

import solver
from rules import Deal, Deck, IllegalMove, Position, get_game
from solver import (
    Limits,
    Result,
    Verdict,
    Wanted,
    certify,
    explain,
    find,
    odds,
    rate,
    review,
    solve,
)
from tests.test_layers import sources

SHADOWED = ("explain", "find", "odds", "rate", "review", "survey")
WON = Wanted("winnable")
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
    """Each name first, last and between; the modules are forgotten in between."""
    code = """
import sys, types
for turn in range(2 * len(NAMES)):
    order = (NAMES[turn % len(NAMES):] + NAMES[:turn % len(NAMES)])[::1 if turn % 2 else -1]
    ways = [WAYS[(turn // 2 + place) % len(WAYS)] for place in range(len(order))]
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


@pytest.mark.parametrize(("first", "second"), list(itertools.pairwise((*SHADOWED, SHADOWED[0]))))
def test_functions_win_in_a_fresh_interpreter(first: str, second: str) -> None:
    code = (
        f"import solver.{first}, solver.cli; from solver import {second}; import solver\n"
        f"print(*(type(getattr(solver, n)).__name__ for n in {SHADOWED}))"
    )
    assert python(code) == " ".join(["function"] * len(SHADOWED)) + "\n"


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


@pytest.mark.parametrize(
    "name", [name for name, path in sources() if ">>> " in path.read_text("utf-8")]
)
def test_what_docstrings_show(name: str) -> None:
    result = doctest.testmod(importlib.import_module(name))
    assert result.attempted
    assert not result.failed


def test_every_public_function_is_shown_in_use() -> None:
    finder = doctest.DocTestFinder()
    homes = {importlib.import_module(f"solver.{home}") for home in solver._HOMES.values()}
    shown = [
        example.source
        for home in homes
        for found in finder.find(home)
        for example in found.examples
    ]
    for name in solver.__all__:
        if isinstance(getattr(solver, name), FunctionType):
            assert any(f"{name}(" in source for source in shown), name


def test_they_take_names_and_numbers() -> None:
    assert explain("block-ten", 5).result.verdict is solve("block-ten", 5).verdict
    assert 0 < odds("block-ten").winning < 1


def test_they_take_a_deal_in_any_form() -> None:
    deck = Deck.numbered(95)
    game = get_game("decade-loop-three")
    line = "3D+7S+JH"
    for given in (95, "95", Deal.parse("95"), deck, Position.after(game, Deal.of(deck))):
        found = review(game.name, given, line)
        assert [fate.verdict for fate in found.fates] == [Verdict.WINNABLE, Verdict.UNWINNABLE]
        assert rate(game, given, plays=10).result.verdict is Verdict.WINNABLE
    with pytest.raises(IllegalMove, match="move 1"):
        review(game, 95, "3D+7C")


def test_threads_agree_with_one_after_the_other() -> None:
    """Both engines, and every function that searches, all at the same time."""
    few = Limits(None, 1_000)
    jobs: list[Callable[[], object]] = []
    for game, deal in itertools.product(
        ("single-left", "tens", "block-ten", "decade"), range(1, 5)
    ):
        jobs.append(lambda game=game, deal=deal: seen(solve(game, deal, limits=few)))
        jobs.append(
            lambda game=game, deal=deal: seen(solve(game, deal, limits=few, engine="reference"))
        )
    for deal in (3, 34):
        jobs.append(lambda deal=deal: explain("decade", deal, budget=100).steps)
        jobs.append(lambda deal=deal: rate("decade", deal, plays=20))
        jobs.append(lambda deal=deal: certify(solve("decade", deal)).to_bytes())
    jobs.append(lambda: review("decade-loop-three", 95, "3D+7S+JH"))
    jobs.append(lambda: odds(get_game("block-ten").with_options({"ranks": "9"})).wins)
    jobs.append(lambda: [one.row.deal for one in itertools.islice(find("tens", WON), 3)])

    def seen(result: Result) -> tuple[object, ...]:
        return result.verdict, result.stats.positions, result.line, result.fewest_left

    expected = [untimed(job()) for job in jobs]
    for workers in (2, 8):
        with ThreadPoolExecutor(workers) as pool:
            assert [untimed(got) for got in pool.map(lambda job: job(), jobs)] == expected


def untimed(value: object) -> object:
    """*value* without the seconds of a result in it, which differ."""
    result = getattr(value, "result", None)
    if isinstance(result, Result):
        return replace(value, result=replace(result, stats=replace(result.stats, seconds=0.0)))  # type: ignore[type-var]
    return value
