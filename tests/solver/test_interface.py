"""``import dealproof``: the public names, and what its functions take."""

from __future__ import annotations

import doctest
import importlib
import itertools
import os
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from types import FunctionType

import pytest

import dealproof
from dealproof import (
    Limits,
    Result,
    Verdict,
    Wanted,
    certify,
    check,
    explain,
    find,
    hint,
    odds,
    rate,
    review,
    solve,
)
from rules import Deal, Deck, DeckError, IllegalMove, Position, get_game
from tests.test_layers import sources

WON = Wanted("winnable")


def python(code: str) -> str:
    return subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True
    ).stdout


def test_importing_it_loads_nothing() -> None:
    code = """
import sys
import dealproof
ours = {name for name in sys.modules if name.partition(".")[0] in ("dealproof", "solver", "rules")}
print(*sorted(ours | {"numba", "numpy", "networkx", "rich", "typer"} & set(sys.modules)))
"""
    assert python(code) == "dealproof\n"


@pytest.mark.parametrize("name", ["rules.py", "solver.py", "rules/__init__.py"])
def test_a_module_of_the_same_name_is_named(tmp_path: Path, name: str) -> None:
    """Beside a script, imported before ours, or on the path of the command."""
    other = tmp_path / name
    other.parent.mkdir(exist_ok=True)
    other.write_text("", "utf-8")
    module = name.removesuffix("/__init__.py").removesuffix(".py")
    says = (
        f"{other} is in the way: dealproof has a module of its own that is called {module}; "
        "rename yours"
    )
    script = tmp_path / "script.py"
    for before in ("", f"import {module}\n"):
        script.write_text(f"{before}import dealproof\n", "utf-8")
        done = subprocess.run([sys.executable, script], capture_output=True, text=True)
        assert done.returncode == 1
        assert done.stderr.splitlines()[-1] == f"ImportError: {says}"
    for command in (["-m", "dealproof"], [Path(sys.executable).with_name("dealproof")]):
        done = subprocess.run(
            [sys.executable, *command, "games"],
            cwd=tmp_path, capture_output=True, text=True,
            env={**os.environ, "PYTHONPATH": str(tmp_path)},
        )  # fmt: skip
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr == f"dealproof: {says}\n"


def test_every_public_name_is_there_and_documented() -> None:
    assert set(dealproof.__all__) <= set(dir(dealproof))
    for name in dealproof.__all__:
        assert getattr(dealproof, name).__doc__
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = dealproof.nonsense


@pytest.mark.parametrize(
    "name", [name for name, path in sources() if ">>> " in path.read_text("utf-8")]
)
def test_what_docstrings_show(name: str) -> None:
    result = doctest.testmod(importlib.import_module(name))
    assert result.attempted
    assert not result.failed


def test_every_public_function_is_shown_in_use() -> None:
    finder = doctest.DocTestFinder()
    homes = {importlib.import_module(home) for home in dealproof._HOMES.values()}
    shown = [
        example.source
        for home in homes
        for found in finder.find(home)
        for example in found.examples
    ]
    for name in dealproof._HOMES:
        if isinstance(getattr(dealproof, name), FunctionType):
            assert any(f"{name}(" in source for source in shown), name


def test_they_take_names_and_numbers() -> None:
    assert explain("block-ten", 5).result.verdict is solve("block-ten", 5).verdict
    assert 0 < odds("block-ten").winning < 1


def test_results_are_shown_in_a_line() -> None:
    """Every class of results, over games with and without a line, decisions, reasons."""
    shown: list[object] = [odds("block-ten"), next(iter(find("tens", WON)))]
    for name, deal in (("decade", 3), ("decade", 1), ("block-ten", 10)):
        result = solve(name, deal)
        made = certify(result)
        here = Position.after(result.game, result.deal)
        shown += [result, explain(name, deal), rate(name, deal, plays=10), made, check(made), here]
        shown += [hint(name, deal, limits=Limits(None, 5_000))]
        shown += [review(name, deal, result.line[:3] if result.line else ())]
    kinds = {type(value).__name__ for value in shown}
    results = {"Certificate", "Checked", "Explanation", "Found", "Hint", "Odds", "Position"}
    assert kinds == results | {"Rating", "Result", "Review"}
    for value in shown:
        text = repr(value)
        assert text.startswith(f"<{type(value).__name__} "), text
        assert len(text) <= 160, text
    assert repr(shown[2]) == "<Result decade, deal 3: winnable, 0 left at best, a line of 66>"
    assert repr(shown[4]).startswith("<Rating decade, deal 3: winnable, 0 left at best, ")
    assert repr(shown[4]).endswith(", easy, 2.0 bits of guesswork, 94 positions>")
    assert repr(shown[0]) == f"<Odds block-ten: winning 3.6382%, {shown[0].states} states>"  # type: ignore[attr-defined]


def test_a_deck_is_taken_as_text() -> None:
    deck = get_game("decade").deal("3").deck
    for text in (
        deck.text(),
        deck.text().replace(" ", "").lower(),
        f"{deck[0].pretty}, {deck.text()[3:]}",
    ):
        result = solve("decade", text)
        assert (result.deal.deck, result.deal.name) == (deck, None)
        assert result.stats.positions == solve("decade", 3).stats.positions
    with pytest.raises(DeckError, match="a deck has 52 cards, not 2"):
        solve("decade", "KH QD")
    with pytest.raises(DeckError, match="is not a deal"):
        solve("decade", "seven")


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
