"""Explanations say of every other move what brute force says of it."""

from __future__ import annotations

import re
from io import StringIO

import pytest
from rich.console import Console

from dealproof import Limits, Verdict
from rules import Deal, Position, get_game, replay
from rules.moves import FOUNDATION
from solver.analysis.explanations import explain
from solver.show.text.explanations import explanation_tree, plain_rows

NONE = Limits(None, None, None)


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
    console = Console(file=StringIO(), width=200)
    with console.capture() as drawn:
        console.print(explanation_tree(found, full=True, most=0))
    counts = [int(more) for more in re.findall(r"and (\d+) more moves?", drawn.get())]
    assert counts == [len(step.choices) for step in found.steps if step.choices] != []
    assert "loses" not in drawn.get()


def test_a_limit_leaves_the_reasons_open() -> None:
    game = get_game("single-left")
    found = explain(game, Deal.parse("9"), limits=Limits(None, 100, None))
    assert found.result.verdict is Verdict.UNKNOWN
    assert found.reasons is None
    assert found.tries
