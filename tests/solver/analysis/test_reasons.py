"""What is said of every line of play is true of every state that play can reach."""

from __future__ import annotations

import random
from typing import Any

import pytest

from dealproof import Limits, Verdict
from rules import Card, Deck, Game, get_game, replay
from rules.cards import SUITS
from rules.families.klondike import KlondikeState
from solver.analysis.reasons import why_lost
from solver.analysis.reasons.klondike import reach
from solver.search.depth_first import search
from solver.search.space import GameSpace
from tests.solver.brute import mixed_decks, reachable, shuffled, small, truth

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
    _check_knots(game, start, states)


def _check_knots(game: Any, start: KlondikeState, states: list[KlondikeState]) -> None:
    """Each sentence of `why_lost`, read back and held against all states."""
    said = why_lost(game, start, limits=NONE)
    assert said.complete
    up = {str(Card.of(rank, suit)) for s in states for suit in range(4)
          for rank in range(1, s.foundations[suit] + 1)}  # fmt: skip
    for name in said.facts["never_up"]:
        assert name not in up
    assert len(said.facts["never_up"]) + len(up) == game.deck_size
    hidden = set.intersection(*({str(c) for down, _ in s.columns for c in down} for s in states))
    assert set(said.facts["never_turned_up"]) == hidden
    assert {knot["card"] for knot in said.facts["knots"]} == {
        str(Card.of(height + 1, SUITS.index(suit)))
        for suit, height in said.facts["highest"].items()
        if height < game.ranks
    }
    for knot in said.facts["knots"]:
        _check_knot(game, states, Card.parse(knot["card"]), knot["sentence"])


def _check_knot(game: Any, states: list[KlondikeState], card: Card, sentence: str) -> None:
    if sentence.startswith(f"No line frees {card.pretty}: it lies under "):
        over = Card.parse(sentence.split(" lies under ")[1].split(" in column ")[0])
        column = int(sentence.split(" in column ")[1].split(",")[0]) - 1
        for state in states:
            down, up = state.columns[column]
            pile = down + up
            assert card in down
            assert over in pile
            assert pile.index(card) < pile.index(over) <= len(down)
    elif sentence.startswith(f"No line plays {card.pretty}: "):
        assert all(card in state.waste + state.stock for state in states)
    else:
        assert sentence.startswith(f"{card.pretty} comes into play")
        played = [s for s in states if any(card in up for _, up in s.columns)]
        assert played or any(card not in s.waste + s.stock for s in states)
        for state in states:
            if state.foundations[card.suit] == card.rank - 1:
                ends = [up[-1] for _, up in state.columns if up] + list(state.waste[-1:])
                assert card not in ends
    for name in ("never turned up", "never leaves the waste", "never gets there"):
        for part in sentence.split(f" ({name})")[:-1]:
            named = Card.parse(part.replace(" to lie on", "").split()[-1])
            if name == "never turned up":
                assert all(any(named in down for down, _ in s.columns) for s in states)
            elif name == "never leaves the waste":
                assert all(named in s.waste + s.stock for s in states)
    if "(which never gets there)" in sentence:
        part = sentence.split(" on its foundation (which never gets there)")[0]
        named = Card.parse(part.split()[-1])
        assert all(state.foundations[named.suit] < named.rank for state in states)


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


@pytest.mark.parametrize("name", ["pairing without", "pairing with decisions"])
def test_pairing_facts_are_those_of_all_ends(name: str) -> None:
    game = small(name)
    for deck in mixed_decks(name, 4):
        start = game.initial(deck)
        if truth(game, start)[0]:
            continue
        said = why_lost(game, start, limits=NONE)
        assert said.complete
        ends = [state for state in reachable(game, start) if not game.legal_moves(state)]

        def must_go(state: Any) -> int:
            cards = [card for card in (*state.slots, *state.stock) if card is not None]
            return sum(card.rank in game.must_go for card in cards)

        assert said.best_line is not None
        end = replay(game, start, said.best_line)[1][-1]
        assert must_go(end) == min(map(must_go, ends)) == said.facts["must_go_left"]
        assert said.facts["ends_after"] == game.deck_size - len(end.stock)
        if game.decision_free:
            assert {game.key(state) for state in ends} == {game.key(end)}
        _check_partners(game, end, said.facts["partners"])


def _check_partners(game: Any, end: Any, partners: list[Any]) -> None:
    held = [card.rank for card in end.slots if card is not None]
    for row in partners:
        rank = Card.parse(row["rank"] + "C").rank
        assert rank in held
        lacking = {
            (Card.parse(lack["rank"] + "C").rank, lack["count"])
            for one in row["sets"]
            for lack in one["lacks"]
        }
        assert lacking == {
            (other, ranks.count(other) - held.count(other))
            for ranks in game.removable
            if rank in ranks
            for other in ranks
            if held.count(other) < ranks.count(other)
        }
        for lack in (lack for one in row["sets"] for lack in one["lacks"]):
            for place in lack["in_stock"]:
                assert str(end.stock[place["depth"] - 1]) == place["card"]
            there = [card for card in end.stock if str(card)[0] == lack["rank"]]
            assert len(there) == len(lack["in_stock"])


@pytest.mark.parametrize("name", ["decade", "decade loop three", "decade free", "decade stacks"])
def test_decade_facts_are_those_of_all_states(name: str) -> None:
    game = small(name)
    for deck in mixed_decks(name, 4):
        start = game.initial(deck)
        winnable, _, fewest = truth(game, start)
        if winnable:
            continue
        said = why_lost(game, start, limits=NONE)
        assert said.complete
        assert said.facts["fewest_left"] == fewest
        assert said.best_line is not None
        end = replay(game, start, said.best_line)[1][-1]
        assert game.cards_left(end) == fewest
        assert said.facts["left"] == [
            None if stack is None else [str(card) for card in stack] for stack in end.stacks
        ]
        moments = {
            game.deck_size - len(state.stock)
            for state in reachable(game, start)
            if len({game.key(after) for _, after in game.successors(state)}) > 1
        }
        assert said.facts["choices_at"] == sorted(moments)
