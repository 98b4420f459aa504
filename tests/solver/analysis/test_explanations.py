"""Explanations say of every other move what brute force says of it."""

from __future__ import annotations

import pytest

from dealproof import Limits, Verdict
from rules import Deal, Position, get_game, replay
from rules.moves import FOUNDATION
from solver.analysis.explanations import explain
from solver.show.text.explanations import explanation_tree, plain_rows
from tests.solver.brute import SMALL, fates, mixed_decks, small

NONE = Limits(None, None, None)


@pytest.mark.parametrize("name", SMALL)
def test_every_alternative_is_judged_truly(name: str) -> None:
    game = small(name)
    for deck in mixed_decks(name, 2):
        deal = Deal.of(deck)
        found = explain(game, deal, limits=NONE, budget=None, depth=3)
        start = game.initial(deck)
        truth = fates(game, start)
        assert (found.result.verdict is Verdict.WINNABLE) is truth[start][0]
        assert (found.reasons is None) is truth[start][0]
        if found.result.line is None:
            assert found.tries
            for attempt in found.tries:
                assert replay(game, start, attempt.line)[1][-1] == attempt.end
            continue
        moves, states = replay(game, start, found.result.line)
        assert [step.move for step in found.steps] == moves
        kinds = []
        for step, before, after in zip(found.steps, states, states[1:], strict=False):
            ahead = dict(game.successors(before))
            assert {step.move, *(other.move for other in step.others)} == set(ahead)
            for other in step.others:
                leads_to = ahead[other.move]
                won, left = truth[leads_to]
                assert other.fate.verdict is (Verdict.WINNABLE if won else Verdict.UNWINNABLE)
                assert other.fate.fewest_left == left
                assert other.same is (game.key(leads_to) == game.key(after))
                replay(game, leads_to, other.line)
            worth = {game.key(state): truth[state] for state in ahead.values()}
            good = sum(value == truth[before] for value in worth.values())
            bad = len(worth) - good
            kinds.append("forced" if len(worth) == 1 else "free" if not bad
                         else "critical" if good == 1 else "choice")  # fmt: skip
            assert step.kind == kinds[-1]
        assert found.kinds == {kind: kinds.count(kind) for kind in found.kinds}
        risky = [number for number, kind in enumerate(kinds, 1) if kind in ("choice", "critical")]
        assert found.sure_from == ((risky[-1] + 1 if risky else 1) if kinds else None)
        if game.is_won(states[-1]) and not game.counts_cards:
            assert all(truth[state][0] for state in states)


@pytest.mark.parametrize("name", ["single-left", "decade"])
def test_phases_begin_where_they_say(name: str) -> None:
    game = get_game(name)
    found = explain(game, Deal.parse("4"), limits=Limits(20), budget=50)
    assert found.result.line is not None
    moves, states = replay(game, found.result.start, found.result.line)
    assert found.phases[0].first == 1
    firsts = [phase.first for phase in found.phases]
    assert firsts == sorted(set(firsts))
    for phase in found.phases[1:]:
        before, at = states[phase.first - 2], states[phase.first - 1]
        if "the stock is used up" in phase.title:
            assert before.stock
            assert not at.stock
        if "everything is face up" in phase.title:
            assert any(down for down, _ in before.columns)
            assert not any(down for down, _ in at.columns)
        if "the rest goes up" in phase.title:
            assert all(move.target == FOUNDATION for move in moves[phase.first - 1 :])
            assert moves[phase.first - 2].target != FOUNDATION


def test_a_lost_deal_shows_the_line_that_gets_furthest() -> None:
    game = get_game("single-left")
    found = explain(game, Deal.parse("9"))
    assert found.reasons is not None
    assert found.reasons.complete
    best = found.reasons.facts["most_up"]
    assert sum(found.tries[0].end.foundations) == best
    assert all(sum(attempt.end.foundations) <= best for attempt in found.tries)
    rows = list(plain_rows(found))
    assert any(row.startswith("No line frees AC: it lies under 4S in column 6") for row in rows)


def test_width_and_plain_rows() -> None:
    game = get_game("single-left")
    place = Position.after(game, Deal.parse("4"), "TH>JC")
    found = explain(game, place, limits=Limits(20), budget=50, depth=2)
    rows = [row for row in plain_rows(found, most=1) if not row.startswith("#")]
    assert len(rows) == len(found.steps)
    for number, (row, step) in enumerate(zip(rows, found.steps, strict=True), 1):
        assert row.split()[:3] == [str(number), step.kind, str(step.move)]
        if len(step.choices) > 1:
            assert row.endswith(f"; {len(step.choices) - 1} more")
    assert explanation_tree(found, most=0) is not None


def test_a_limit_leaves_the_reasons_open() -> None:
    game = get_game("single-left")
    found = explain(game, Deal.parse("9"), limits=Limits(None, 100, None))
    assert found.result.verdict is Verdict.UNKNOWN
    assert found.reasons is None
    assert found.tries
