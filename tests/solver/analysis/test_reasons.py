"""What is said of every line of play is true of every state that play can reach."""

from __future__ import annotations

import random
from typing import Any

import pytest
from msgspec import to_builtins

from dealproof import Limits, Verdict
from rules import Deck, Game, get_game, replay
from rules.families.klondike import KlondikeState
from solver.analysis.reasons import why_lost
from solver.analysis.reasons.klondike import reach
from solver.search.depth_first import search
from solver.search.space import GameSpace
from solver.show.json.analyses import why_lost as lost_record
from tests.solver.analysis.claims import Truth, check
from tests.solver.brute import reachable, shuffled

NONE = Limits(None, None, None)

LEFT = {
    "left": ("single-left", {"ranks": "3", "columns": "4"}),
    "left wide": ("single-left", {"ranks": "3", "columns": "3"}),
    "left deep": ("single-left", {"ranks": "4", "columns": "4"}),
    "left five": ("single-left", {"ranks": "4", "columns": "5"}),
    "left next": ("single-left-next", {"ranks": "3", "columns": "4"}),
    "left next deep": ("single-left-next", {"ranks": "4", "columns": "5"}),
    "left all": ("single-left", {"ranks": "4", "columns": "4", "fill": "stock,next-column,waste"}),
    "left waste": ("single-left", {"ranks": "4", "columns": "4", "fill": "waste,stock"}),
    "left none": ("single-left", {"ranks": "3", "columns": "4", "fill": "none"}),
    "left passes": ("single-left", {"ranks": "3", "columns": "4", "passes": "2", "draw": "2"}),
}


def _left(name: str) -> Game[Any]:
    base, options = LEFT[name]
    return get_game(base).with_options(options)


def _lost(game: Game[Any], rng: random.Random, most: int) -> tuple[Any, list[Any]]:
    """The start of a lost deal with at most *most* positions, and all its states.

    The search only chooses the sample.
    """
    while True:
        start = game.initial(shuffled(rng, game.ranks))
        outcome = search(GameSpace(game, start), Limits(None, most, None))
        if outcome.verdict is Verdict.UNWINNABLE:
            states = list(reachable(game, start))
            assert not any(map(game.is_won, states))
            return start, states


def _check_left(game: Any, start: KlondikeState, states: list[KlondikeState], engine: str) -> None:
    found, complete, line = reach(game, start, NONE, engine)
    assert complete
    cards = start.waste + start.stock
    assert found.highest == [max(s.foundations[suit] for s in states) for suit in range(4)]
    assert found.most_up == max(sum(s.foundations) for s in states)
    assert found.down == [
        min(len(s.columns[i][0]) for s in states) for i in range(len(start.columns))
    ]
    assert found.left == {
        card for card in cards if any(card not in s.waste + s.stock for s in states)
    }
    assert line is not None
    end = replay(game, start, line)[1][-1]
    assert sum(end.foundations) == found.most_up
    said = why_lost(game, start, limits=NONE, engine=engine)
    assert said.complete
    record = {"reasons": to_builtins(lost_record(said))}
    assert [claim for holds, claim in check(Truth(game, start), record) if not holds] == []


@pytest.mark.parametrize("engine", ["auto", "reference"])
@pytest.mark.parametrize("name", LEFT)
def test_left_facts_are_those_of_all_states(name: str, engine: str) -> None:
    game, rng = _left(name), random.Random(name)
    for _ in range(2):
        start, states = _lost(game, rng, 1_500)
        _check_left(game, start, states, engine)
        inside = rng.choice(states)
        _check_left(game, inside, list(reachable(game, inside)), engine)


@pytest.mark.slow
@pytest.mark.parametrize("name", LEFT)
def test_left_facts_on_many_decks(name: str) -> None:
    game, rng = _left(name), random.Random(name + " slow")
    for _ in range(100):
        start, states = _lost(game, rng, 20_000)
        _check_left(game, start, states, "auto")


def test_left_says_what_it_does_not_know() -> None:
    game = get_game("single-left")
    start = game.initial(Deck.numbered(5))
    said = why_lost(game, start, limits=Limits(None, 100, None))
    assert not said.complete
    assert said.facts == {}
    assert "not found out" in said.sentences[0]
