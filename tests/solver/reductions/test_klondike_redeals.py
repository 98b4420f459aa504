"""The reductions of Klondike with unlimited passes against plain search over layouts.

``fixtures/klondike/redeals.txt`` holds small decks, about half of them lost. Their verdicts come
from a plain search over whole layouts that shares no code with this project.
"""

from __future__ import annotations

import functools
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from rules import Deck, Game, get_game, replay
from rules.cards import Card
from solver.kernels.klondike import redeals
from solver.reductions import space_for
from solver.reductions.klondike import early, preludes, relaxed
from solver.search.depth_first import search
from solver.verdict import Limits, Verdict
from tests.solver.kernels.agreement import summary

FIXTURE = Path(__file__).parents[3] / "fixtures" / "klondike" / "redeals.txt"
SETS = [
    ("classes", "preludes"),
    ("classes", "early", "preludes"),
    ("classes", "preludes", "relaxed"),
    ("classes", "early", "preludes", "relaxed"),
]
COUNTS = ("positions", "depth", "dead_ends")


class Case(NamedTuple):
    game: Game[Any]
    state: Any
    verdict: Verdict


@functools.cache
def cases() -> tuple[Case, ...]:
    found = []
    for line in FIXTURE.read_text(encoding="ascii").splitlines():
        if line.startswith("#"):
            continue
        ranks, columns, draw, returns, suit, verdict, cards = line.split(maxsplit=6)
        game = get_game("klondike").with_options(
            {
                "ranks": ranks,
                "columns": columns,
                "draw": draw,
                "returns": ("false", "true")[int(returns)],
                "build": ("alternate", "suit")[int(suit)],
            }
        )
        deck = Deck.of([Card.parse(text) for text in cards.split()], int(ranks))
        truth = Verdict.WINNABLE if verdict == "W" else Verdict.UNWINNABLE
        found.append(Case(game, game.initial(deck), truth))
    return tuple(found)


def applying(case: Case, names: tuple[str, ...]) -> bool:
    return "relaxed" not in names or relaxed.applies(case.game)


def test_the_small_decks_are_mixed() -> None:
    met = Counter((case.game.options["draw"] == 1, case.verdict) for case in cases())
    assert len(met) == 4
    assert min(met.values()) > 50


@pytest.mark.parametrize("names", SETS, ids=",".join)
def test_compiled_search_decides_small_decks_as_brute_force(names: tuple[str, ...]) -> None:
    for case in cases():
        if applying(case, names):
            outcome = redeals.solve(case.game, case.state, names)
            assert outcome.verdict is case.verdict, case
            if outcome.line is not None:
                assert case.game.is_won(replay(case.game, case.state, outcome.line)[1][-1])


@pytest.mark.parametrize("names", SETS, ids=",".join)
def test_both_engines_visit_as_many_positions(names: tuple[str, ...]) -> None:
    for case in cases()[::12]:
        if applying(case, names):
            for most in (0, 1, 7, 500):
                limits = Limits(None, most, None)
                mine = redeals.solve(case.game, case.state, names, limits)
                reference = search(space_for(case.game, case.state, names), limits)
                # The lines pass the same positions, but between them may differ in order.
                for outcome in (mine, reference):
                    outcome.line = None
                assert summary(mine, COUNTS) == summary(reference, COUNTS), case


@pytest.mark.parametrize("names", [("classes",), ("classes", "early")], ids=",".join)
def test_readable_search_without_preludes_decides_alike(names: tuple[str, ...]) -> None:
    for case in cases()[::8]:
        limits = Limits(None, 3000, None)
        outcome = search(space_for(case.game, case.state, names), limits)
        assert outcome.verdict in (case.verdict, Verdict.UNKNOWN), case


def wrongly_decided(names: tuple[str, ...]) -> int:
    """How many small decks the readable search decides wrongly."""
    wrong = 0
    for case in cases():
        if applying(case, names):
            limits = Limits(None, 1000, None)
            space = space_for(case.game, case.state, names)
            try:
                verdict = search(space, limits).verdict
            except Exception:  # a line that the rules refuse
                wrong += 1
                continue
            wrong += verdict not in (case.verdict, Verdict.UNKNOWN)
    return wrong


def test_without_its_conditions_early_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(early, "is_unwanted", lambda board, card: True)
    assert wrongly_decided(("classes", "early", "preludes"))


def test_preludes_that_nobody_may_bring_are_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        preludes._Chains,
        "_need",
        lambda self, board, item: (self_need(self, board, item)[0], set()),
    )
    assert wrongly_decided(("classes", "early", "preludes"))


self_need = preludes._Chains._need


def test_a_question_that_ran_out_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    for case in cases()[::5]:
        if relaxed.applies(case.game):
            space = space_for(case.game, case.state, SETS[3])
            assert isinstance(space, relaxed.RelaxedSpace)
            space.draw_one.budget = space.draw_one.next_budget = 2
            assert search(space).verdict is case.verdict
