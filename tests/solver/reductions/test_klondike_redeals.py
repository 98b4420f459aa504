"""The reductions of Klondike without fills against plain search over layouts.

``fixtures/klondike/redeals.txt`` holds small decks of games with unlimited passes, about half of
them lost. Their verdicts come from a plain search over whole layouts that shares no code with this
project. Decks of games with limited passes are drawn here, and searched by the rules' own states.
"""

from __future__ import annotations

import functools
import random
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from rules import Deck, Game, get_game, replay
from rules.cards import Card
from rules.errors import MoveError
from solver.kernels.klondike import redeals
from solver.reductions import space_for
from solver.reductions.klondike import classes, early, preludes, relaxed
from solver.reductions.klondike.classes import Board
from solver.search.depth_first import search
from solver.search.space import GameSpace
from solver.verdict import Limits, Verdict
from tests.solver.brute import shuffled
from tests.solver.kernels.agreement import summary

FIXTURE = Path(__file__).parents[3] / "fixtures" / "klondike" / "redeals.txt"
SETS = [
    ("classes", "preludes"),
    ("classes", "early", "preludes"),
    ("classes", "preludes", "relaxed"),
    ("classes", "early", "preludes", "relaxed"),
]
PARTS = [pytest.param(names, marks=pytest.mark.full) for names in SETS[:3]]
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


@pytest.mark.parametrize("names", [*PARTS, SETS[3]], ids=",".join)
def test_compiled_search_decides_small_decks_as_brute_force(names: tuple[str, ...]) -> None:
    for case in cases():
        if applying(case, names):
            outcome = redeals.solve(case.game, case.state, names)
            assert outcome.verdict is case.verdict, case
            if outcome.line is not None:
                assert case.game.is_won(replay(case.game, case.state, outcome.line)[1][-1])


@pytest.mark.parametrize("names", [*PARTS, SETS[3]], ids=",".join)
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


@pytest.mark.full
@pytest.mark.parametrize("names", [("classes",), ("classes", "early")], ids=",".join)
def test_readable_search_without_preludes_decides_alike(names: tuple[str, ...]) -> None:
    for case in cases()[::8]:
        limits = Limits(None, 3000, None)
        outcome = search(space_for(case.game, case.state, names), limits)
        assert outcome.verdict in (case.verdict, Verdict.UNKNOWN), case


@functools.cache
def limited_passes(seed: int) -> Case:
    """A small deck of a game with limited passes; more often a lost one than chance gives."""
    rng = random.Random(seed)
    while True:
        options = {
            "draw": rng.choice("1123"),
            "passes": rng.choice("1123"),
            "returns": rng.choice(("true", "false")),
            "build": rng.choice(("alternate", "alternate", "suit")),
            "ranks": rng.choice("3445"),
            "columns": rng.choice("233"),
        }
        game = get_game("klondike").with_options(options)
        state = game.initial(shuffled(rng, game.ranks))
        if not classes.applies(game):
            continue
        lost = redeals.solve(game, state, SETS[3]).verdict is Verdict.UNWINNABLE
        if lost or rng.random() < 0.1:
            plain = search(GameSpace(game, state), Limits(None, 100_000, None))
            if plain.verdict is not Verdict.UNKNOWN:
                return Case(game, state, plain.verdict)


def check_limited_passes(seeds: range) -> Counter[Verdict]:
    met: Counter[Verdict] = Counter()
    for seed in seeds:
        case = limited_passes(seed)
        met[case.verdict] += 1
        for names in SETS:
            outcome = redeals.solve(case.game, case.state, names)
            assert outcome.verdict is case.verdict, (seed, case)
            if outcome.line is not None:
                assert case.game.is_won(replay(case.game, case.state, outcome.line)[1][-1])
    return met


def test_limited_passes_are_decided_as_plain_search_does() -> None:
    met = check_limited_passes(range(60))
    assert min(met.values()) > 15


@pytest.mark.slow
def test_many_decks_with_limited_passes() -> None:
    assert min(check_limited_passes(range(100, 5100)).values()) > 1000


def test_both_engines_visit_as_many_positions_with_limited_passes() -> None:
    for seed in range(20):
        case = limited_passes(seed)
        for names in SETS:
            for most in (7, None):
                limits = Limits(None, most, None)
                mine = redeals.solve(case.game, case.state, names, limits)
                reference = search(space_for(case.game, case.state, names), limits)
                for outcome in (mine, reference):
                    outcome.line = None
                assert summary(mine, COUNTS) == summary(reference, COUNTS), seed


def test_passes_are_not_made_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """A card that can only be reached in another pass is not to be had in the last one."""
    drawn = [limited_passes(seed) for seed in range(60)]
    monkeypatch.setattr(Board, "in_this_pass", lambda board, i: True)
    wrong = 0
    for case in drawn:
        space = space_for(case.game, case.state, SETS[1])
        try:
            wrong += search(space, Limits(None, 1000, None)).verdict is not case.verdict
        except MoveError:
            wrong += 1
    assert wrong


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
