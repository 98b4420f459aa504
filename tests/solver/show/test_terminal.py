"""Terminal renderings: every card is drawn once, nothing is wider than it may be."""

from __future__ import annotations

import io
import random
import re
from collections import Counter
from typing import Any

import pytest
from rich.console import Console, RenderableType

from dealproof import solve
from rules.cards import CARDS, Card
from rules.decks import Deal, Deck
from rules.game import Game
from rules.moves import Move
from rules.registry import all_games, game_names, get_game
from solver.analysis.explanations import explain
from solver.show.glyphs import ASCII, UNICODE, Glyphs
from solver.show.text.board import board
from solver.show.text.explanations import explanation_tree
from solver.show.text.games import games_table, ruling_text
from solver.show.text.lines import chains, line_tree, move_text
from solver.show.text.results import Tally, duration, row_text, stats_text, verdict_text
from solver.verdict import Limits

GLYPHS = [UNICODE, ASCII, Glyphs(symbols=True, lines=False), Glyphs(symbols=False, lines=True)]


def plain(renderable: RenderableType, width: int = 80, encoding: str = "utf-8") -> str:
    stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    console = Console(file=stream, width=width, highlight=False, markup=False, emoji=False)
    console.print(renderable)
    stream.seek(0)
    return stream.read()


def playout(game: Game[Any], number: int, most: int = 60) -> tuple[list[Move], list[Any]]:
    rng = random.Random(number)
    state = game.initial(game.make_deal("", number).deck)
    line, states = list[Move](), [state]
    for _ in range(most):
        steps = list(game.successors(state))
        if not steps:
            break
        move, state = rng.choice(steps)
        line.append(move)
        states.append(state)
    return line, states


def drawn_cards(text: str) -> list[Card]:
    return sorted(Card.parse(word) for word in re.findall(r"[A2-9TJQK][CDHS♣♦♥♠]", text))


@pytest.mark.parametrize("name", game_names())
@pytest.mark.parametrize("number", range(3))
def test_a_board_shows_every_card_once_within_its_width(name: str, number: int) -> None:
    game = get_game(name)
    for state in playout(game, number)[1][:: 7 - number]:
        want = sorted(
            card
            for pile in game.layout(state)
            for card in (pile.cards[-1:] if pile.role == "foundation" else pile.cards)
        )
        for glyphs, width in zip(GLYPHS, (80, 40, 57, 120), strict=True):
            text = board(game, state, glyphs, width=width).plain
            assert max(map(len, text.splitlines())) <= width
            assert drawn_cards(text) == want
            assert not [row for row in text.splitlines() if row != row.rstrip()]
            if glyphs == ASCII:
                assert text.isascii()


def test_face_down_cards_are_in_brackets_and_dim() -> None:
    game = get_game("single-left")
    state = game.initial(Deck.numbered(4))
    text = board(game, state)
    down = {card for pile in game.layout(state) for card in pile.cards[: pile.face_down]}
    assert {Card.parse(word) for word in re.findall(r"<(..)>", text.plain)} == down
    styles = {text.plain[span.start : span.end].strip(" <>"): span.style for span in text.spans}
    for card in CARDS:
        assert (styles[card.pretty] == "dim") == (card in down)


def test_foundations_show_their_top() -> None:
    game = get_game("single-left")
    state = game.initial(Deck.numbered(4))._replace(foundations=(3, 0, 13, 1))
    assert board(game, state).plain.splitlines()[0] == "foundations  3♣  –♦  K♥  A♠"
    assert board(game, state, ASCII).plain.splitlines()[0] == "foundations  3C  -D  KH  AS"


@pytest.mark.parametrize("name", game_names())
def test_moves_are_read_back_from_what_is_shown(name: str) -> None:
    line, _ = playout(get_game(name), 5)
    for glyphs in (UNICODE, ASCII):
        assert [Move.parse(move_text(move, glyphs).plain) for move in line] == line


@pytest.mark.parametrize("name", game_names())
def test_a_line_tree_holds_the_line_in_order(name: str) -> None:
    line, _ = playout(get_game(name), 6)
    assert [move for _, _, chain in chains(line) for move in chain] == line
    assert [number for number, _, _ in chains(line)][:1] == [1]
    text = plain(line_tree(tuple(line)), 70)
    cards = [card for move in line for card in (*move.cards, *move.shown)]
    goals = [move.target for move in line if isinstance(move.target, Card)]
    if any(move.kind == "redeal" for move in line):  # then known cards are left out
        cards = [card for move in line for card in move.cards]
        assert not Counter([*cards, *goals]) - Counter(drawn_cards(text))
    else:
        assert drawn_cards(text) == sorted([*cards, *goals])
    assert max(map(len, text.splitlines())) <= 70
    assert plain(line_tree(tuple(line), ASCII), 70, "ascii").isascii()


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("block-ten", {}),
        ("tens", {"removable": "A+9,A+A,2+8,3+7,4+6,5+5", "must_go": "A"}),
        ("decade", {}),
        ("decade", {"ranks": "5", "forced": "false"}),
        ("ten-twenty-thirty", {}),
        ("single-left", {"ranks": "5", "columns": "3"}),
        ("single-left-next", {"ranks": "5", "columns": "4"}),
    ],
)
def test_explanations_agree_with_their_results(name: str, options: dict[str, str]) -> None:
    game = get_game(name).with_options(options)
    for number in range(4):
        deal = Deal.parse(str(number), game.ranks)
        found = explain(game, deal, budget=300, limits=Limits(20, 3000, None))
        assert found.result.verdict is solve(game, deal, limits=Limits(20, 3000, None)).verdict
        for width in (40, 90):
            for full in (False, True):
                text = plain(explanation_tree(found, width=width, full=full), width)
                assert max(map(len, text.splitlines())) <= width
        if found.result.line is not None:
            assert tuple(step.move for step in found.steps) == found.result.line
        else:
            assert all(attempt.stuck or not game.decision_free for attempt in found.tries)
        words = plain(verdict_text(found.result, f"deal {number}"))
        assert found.result.verdict.value in words


def test_games_and_rulings_fit() -> None:
    for width in (40, 80, 132):
        text = plain(games_table(list(all_games()), width), width)
        assert all(name in text for name in game_names())
        for game in all_games():
            assert max(map(len, plain(ruling_text(game), width).splitlines())) <= width


def test_rows_and_sums_of_a_batch() -> None:
    tally = Tally()
    for number in range(1, 6):
        result = solve("decade", number, engine="reference")
        tally.add(result)
        row = row_text(result, str(number)).plain
        assert row.startswith(f"{number:<12}  {result.verdict.value}")
        assert f"{result.stats.positions} positions" in row
        assert "reference engine" in stats_text(result, ASCII).plain
    text = tally.text().plain
    assert text.startswith("5 deals: 1 winnable, 4 unwinnable, 0 unknown; ")
    assert "cards left at best: least 0, mean " in text


def test_durations() -> None:
    assert [duration(x) for x in (0.0004, 0.5, 2.134, 99.99, 100, 185)] == [
        "0.000 s", "0.500 s", "2.13 s", "99.99 s", "1 min 40 s", "3 min 5 s",
    ]  # fmt: skip
