"""What holds for every game: all registered ones, small ones, and any options at all."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules import Card, Deck, Game, IllegalMove, Move, MoveError, all_games, parse_line, replay
from rules.families.decade import Decade
from rules.families.klondike import Klondike
from rules.families.pairing import Pairing
from tests.strategies import Play, moves, plays

REGISTERED = pytest.mark.parametrize("game", list(all_games()), ids=lambda game: game.name)


def random_play(game: Game[Any], seed: int, most: int = 120) -> Play:
    """A line of random play, seeded: what the registered games are tested on."""
    rng = random.Random(f"{game.name} {seed}")
    deck = Deck.numbered(seed, game.ranks, game.packs)
    states, line = [game.initial(deck)], []
    while len(line) < most and (choices := list(game.successors(states[-1]))):
        move, state = rng.choice(choices)
        line.append(move)
        states.append(state)
    return Play(game, deck, tuple(line), tuple(states))


# The properties, each on one line of play ------------------------------------------------


def states_are_immutable_values(play: Play) -> None:
    def only_tuples(value: Any) -> bool:
        if isinstance(value, tuple):
            return all(map(only_tuples, value))
        return value is None or isinstance(value, int)

    for state in play.states:
        assert only_tuples(state)
        hash(state)
        hash(play.game.key(state))


def order_is_fixed(play: Play) -> None:
    """The same state gives the same moves in the same order, in another Game object too."""
    game = play.game
    twin = type(game)("twin", {}).with_options(game.all_options())
    for state in play.states:
        first = list(game.successors(state))
        assert first == list(game.successors(state)) == list(twin.successors(state))
        assert game.legal_moves(state) == tuple(move for move, _ in first)
        assert game.key(state) == twin.key(state)
        assert game.is_won(state) == twin.is_won(state)


def every_legal_move_plays(play: Play) -> None:
    """By itself, by its text with and without shown cards, and by its pretty text."""
    game = play.game
    for state in play.states[::3]:
        for move, after in game.successors(state):
            full = str(move)
            assert Move.parse(full) == move
            assert game.play(state, move) == (move, after)
            assert game.play(state, Move.parse(move.text(pretty=True))) == (move, after)
            played, reached = game.play(state, Move.parse(full.partition("=")[0]))
            assert played == move
            assert reached == after


def texts_are_unambiguous(play: Play) -> None:
    for state in play.states:
        texts: dict[str, Any] = {}
        for move, after in play.game.successors(state):
            key = play.game.key(after)
            assert texts.setdefault(str(move.bare), key) == key


def referee_accepts(play: Play) -> None:
    text = "\n".join(map(str, play.line))
    assert parse_line(text) == play.line
    for line in (play.line, [move.bare for move in play.line]):
        moves_played, states = replay(play.game, play.states[0], line)
        assert tuple(moves_played) == play.line
        assert tuple(states) == play.states


def deck_is_conserved(play: Play) -> None:
    """No card is lost, doubled or changed; what is gone was discarded by the line."""
    gone: Counter[Card] = Counter()
    for number, state in enumerate(play.states):
        if number and play.line[number - 1].kind == "remove" and not returns(play.game):
            gone.update(play.line[number - 1].cards)
        on_table = Counter(card for pile in play.game.layout(state) for card in pile.cards)
        assert on_table + gone == Counter(play.deck)


def returns(game: Game[Any]) -> bool:
    return bool(game.options.get("returns", False))


def only_dealt_cards_come_to_light(play: Play) -> None:
    """``shown`` is exactly the cards that were unseen before and are seen after."""
    for before, move, after in zip(play.states, play.line, play.states[1:], strict=False):
        was, now = hidden(play.game, before), hidden(play.game, after)
        if not returns(play.game) and move.kind != "redeal":
            assert Counter(was) - Counter(now) == Counter(move.shown)


def hidden(game: Game[Any], state: Any) -> list[Card]:
    return [card for pile in game.layout(state) for card in pile.cards[: pile.face_down]]


def the_stock_is_used_in_order(play: Play) -> None:
    """The stock after a move is what is left of the stock before it, from its next end."""
    for before, move, after in zip(play.states, play.line, play.states[1:], strict=False):
        if move.kind == "redeal":
            whole = before.waste
        elif returns(play.game) and move.kind == "remove":
            whole = before.stock + tuple(
                c for s in before.stacks if s for c in s if c in move.cards
            )
        else:
            whole = before.stock
        taken = len(whole) - len(after.stock)
        assert taken >= 0
        assert after.stock == whole[taken:]
        if move.kind == "deal":
            assert move.shown[0] == before.stock[0]


def equal_keys_move_alike(play: Play) -> None:
    """States met on the way with equal keys have as many successors, of the same keys."""
    game = play.game
    seen: dict[Any, Any] = {}
    for state in play.states:
        for _, after in game.successors(state):
            key = game.key(after)
            keys = Counter(game.key(last) for _, last in game.successors(after))
            facts = (keys, game.is_won(after), game.cards_left(after), len(game.legal_moves(after)))
            assert seen.setdefault(key, facts) == facts


def table_is_what_the_state_says(play: Play) -> None:
    for state in play.states:
        piles = play.game.layout(state)
        copies = Counter((pile.role, pile.label) for pile in piles)
        assert set(copies.values()) <= {1, play.game.packs}
        for pile in piles:
            assert 0 <= pile.face_down <= len(pile.cards)
            if pile.gone:
                assert not pile.cards


PROPERTIES: list[Callable[[Play], None]] = [
    states_are_immutable_values,
    order_is_fixed,
    every_legal_move_plays,
    texts_are_unambiguous,
    referee_accepts,
    deck_is_conserved,
    only_dealt_cards_come_to_light,
    the_stock_is_used_in_order,
    equal_keys_move_alike,
    table_is_what_the_state_says,
]
EVERY = pytest.mark.parametrize("holds", PROPERTIES, ids=lambda holds: holds.__name__)


@REGISTERED
@EVERY
def test_registered_games(game: Game[Any], holds: Callable[[Play], None]) -> None:
    for seed in range(3):
        holds(random_play(game, seed))


@EVERY
@settings(max_examples=40)
@given(data=st.data())
def test_any_game(holds: Callable[[Play], None], data: st.DataObject) -> None:
    holds(data.draw(plays(most=30)))


# Klondike alone ------------------------------------------------------------------------------


@settings(max_examples=60)
@given(plays("klondike"))
def test_left_invariants(play: Play) -> None:
    check_left(play)


@pytest.mark.parametrize("name", [game.name for game in all_games() if game.family == "klondike"])
def test_left_invariants_in_registered_games(name: str) -> None:
    game = next(game for game in all_games() if game.name == name)
    for seed in range(10):
        check_left(random_play(game, seed))


def check_left(play: Play) -> None:
    """Foundations go up (or down by one, if they may); face-down cards never move; runs."""
    game = play.game
    assert isinstance(game, Klondike)
    unmoved = [down for down, _ in play.states[0].columns]
    earlier = (0,) * 4 * game.packs
    for state in play.states:
        changes = [b - a for a, b in zip(earlier, state.foundations, strict=True)]
        assert list(filter(None, changes)) in ([], [1], [-1] if game.returns else [])
        earlier = state.foundations
        for suit in range(0, len(earlier), game.packs):
            heights = list(earlier[suit : suit + game.packs])
            assert heights == sorted(heights, reverse=True)
        for first, (down, up) in zip(unmoved, state.columns, strict=True):
            assert down == first[: len(down)], "a face-down card moved"
            assert up or not down, "a face-down card is uncovered"
            if game.only_runs:
                assert all(game.fits(card, on) for on, card in pairwise(up))
        gap = any(not up for _, up in state.columns)
        if gap:
            assert not (state.stock and "stock" in game.fill)
            assert not (state.waste and "waste" in game.fill)
        if "next-column" in game.fill:
            empty = [not up for _, up in state.columns]
            assert empty == sorted(empty), "a gap has a neighbour that could fill it"


@settings(max_examples=60)
@given(plays("decade"))
def test_decade_invariants(play: Play) -> None:
    """Stacks keep their order; the turn is a live stack's; forced discards come first."""
    game = play.game
    assert isinstance(game, Decade)
    order = {card: number for number, card in enumerate(play.deck)}
    gone: set[int] = set()
    for state in play.states:
        now = {number for number, stack in enumerate(state.stacks) if stack is None}
        assert gone <= now
        gone = now
        assert not now or len(state.stacks) > 1
        if len(now) < len(state.stacks):
            assert state.stacks[state.turn] is not None
        kinds = {move.kind for move in game.legal_moves(state)}
        if game.forced:
            assert len(kinds) <= 1
        elif state.stock and len(now) < len(state.stacks):
            assert "deal" in kinds
        if not game.returns:
            for stack in state.stacks:
                assert list(stack or ()) == sorted(stack or (), key=order.__getitem__)
        left = game.cards_left(state)
        assert (left is None) == bool(state.stock and len(now) < len(state.stacks))
        if game.stacks == 1:
            assert game.is_won(state) == (left is not None and left <= game.win_at)


@settings(max_examples=60)
@given(plays("pairing"))
def test_pairing_invariants(play: Play) -> None:
    """A slot is empty only when the stock is; a decision-free game ends in one place."""
    game = play.game
    assert isinstance(game, Pairing)
    for state in play.states:
        assert len(state.slots) == game.slots
        assert not state.stock or None not in state.slots


def test_decision_free_pairing_games_end_in_one_place() -> None:
    for game in all_games():
        if not isinstance(game, Pairing):
            continue
        assert game.decision_free
        for number in range(60):
            start = game.initial(Deck.numbered(number))
            ends = set()
            for seed in range(4):
                rng, state = random.Random(seed), start
                while choices := list(game.successors(state)):
                    state = rng.choice(choices)[1]
                ends.add((game.key(state), game.is_won(state)))
            assert len(ends) == 1, (game.name, number)


# Illegal moves ---------------------------------------------------------------------------


def check_refusal(game: Game[Any], state: Any, move: Move) -> str | None:
    """The reason why *move* is refused in *state*, or None if it is legal."""
    try:
        played, after = game.play(state, move)
    except MoveError as error:
        reason = str(error)
    else:
        assert (played, after) in list(game.successors(state))
        assert game.normal(played.bare) == game.normal(move.bare)
        return None
    assert reason.strip()
    assert "\n" not in reason
    assert not reason.endswith(".")
    assert "None" not in reason
    return reason


def likely_moves(game: Game[Any], state: Any, rng: random.Random) -> Iterator[Move]:
    """Moves of this game's kind, most of them illegal: cards that lie about, put anywhere."""
    cards = [card for pile in game.layout(state) for card in pile.cards[-4:]]
    cards += [Card(rng.randrange(52)) for _ in range(4)]
    for _ in range(30):
        picked = tuple(rng.choice(cards) for _ in range(rng.randint(1, 4)))
        yield Move("remove", picked)
        yield Move("move", picked[:1], rng.choice([*cards, "F", "_"]))
    yield Move("deal")
    yield Move("redeal")
    yield Move("deal", shown=(rng.choice(cards),))
    yield Move("remove", ())
    yield Move("move", ())
    yield Move("move", picked[:1], None)


@REGISTERED
def test_every_refusal_has_a_reason(game: Game[Any]) -> None:
    rng = random.Random(game.name)
    reasons = set()
    for seed in range(4):
        for state in random_play(game, seed).states[::4]:
            for move in likely_moves(game, state, rng):
                reason = check_refusal(game, state, move)
                if reason:
                    shape = [w for w in reason.split() if w.isalpha() and w.islower()]
                    reasons.add(" ".join(shape))
    assert len(reasons) >= 4, reasons


@settings(max_examples=60)
@given(play=plays(most=20), seed=st.integers(0, 99), move=moves())
def test_every_refusal_has_a_reason_in_any_game(play: Play, seed: int, move: Move) -> None:
    check_refusal(play.game, play.state, move)
    for likely in likely_moves(play.game, play.state, random.Random(seed)):
        check_refusal(play.game, play.state, likely)


@REGISTERED
def test_a_line_with_one_move_changed_is_refused_there(game: Game[Any]) -> None:
    """The referee names the index, the move and the reason, whatever is put in."""
    rng = random.Random(game.name)
    refused = 0
    for seed in range(3):
        play = random_play(game, seed)
        for index in range(0, len(play.line), 5):
            for wrong in rng.sample(list(likely_moves(game, play.states[index], rng)), 4):
                reason = check_refusal(game, play.states[index], wrong)
                if reason is None:
                    continue
                line = [*play.line[:index], wrong, *play.line[index + 1 :]]
                with pytest.raises(IllegalMove) as caught:
                    replay(game, play.states[0], line)
                assert caught.value.index == index
                assert caught.value.reason == reason
                assert str(caught.value) == f"move {index + 1} ({wrong}): {reason}"
                refused += 1
    assert refused


@REGISTERED
def test_a_wrong_shown_card_is_refused(game: Game[Any]) -> None:
    for seed in range(3):
        play = random_play(game, seed)
        for index, move in enumerate(play.line):
            other = next(card for card in play.deck if card not in move.shown)
            wrong = move._replace(shown=(other, *move.shown[1:]))
            with pytest.raises(IllegalMove, match="it shows ") as caught:
                replay(game, play.states[0], [*play.line[:index], wrong])
            assert caught.value.index == index
            assert str(other) in caught.value.reason
