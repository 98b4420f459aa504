"""One deal, one answer: whoever is asked shows the same line and the same figures."""

from __future__ import annotations

import pytest
from msgspec import to_builtins

from rules import Deal, Position, get_game
from solver.analysis.explanations import explain
from solver.analysis.ratings import WORDS, rate
from solver.search.straighten import straighten
from solver.show.json.analyses import explained, rated
from solver.show.json.deals import solved
from solver.show.json.surveys import found_deal
from solver.show.replays import replay_of
from solver.solve import solve
from solver.surveys.find import Wanted, find
from solver.verdict import Verdict

DEALS: list[tuple[str, dict[str, str], str]] = [
    ("block-ten", {}, "10"),
    ("block-ten", {}, "50"),
    ("ten-by-one", {"removable": "A+9,2+8,3+7,4+6,5+5,A+A,T,J+J,Q+Q,K+K"}, "5"),
    ("decade", {}, "1"),
    ("decade", {}, "3"),
    ("decade", {"win_at": "1"}, "34"),
    ("decade", {"win_at": "2"}, "22"),
    ("decade-seven-loop", {}, "2"),
    ("ten-twenty-thirty", {}, "1"),
    ("single-left", {}, "3"),
    ("single-left", {}, "9"),
    ("yukon", {"ranks": "4", "columns": "4"}, "3"),
    ("klondike", {"ranks": "4", "columns": "4"}, "2"),
]


@pytest.mark.parametrize(("name", "options", "number"), DEALS)
def test_all_give_the_same_answer(name: str, options: dict[str, str], number: str) -> None:
    game = get_game(name).with_options(options)
    deal = game.deal(number)
    result = solve(game, deal)
    told = to_builtins(solved(result))
    found_out = explain(game, deal, budget=200)
    at_length = to_builtins(explained(found_out))
    line = told["line"]
    assert at_length["line"] == line
    if line is not None:
        assert [step.text for step in replay_of(found_out).steps] == line
        assert straighten(game, result.start, result.line or ()) == result.line
    wanted = Wanted("winnable" if result.verdict is Verdict.WINNABLE else "unwinnable")
    (found,) = find(game, wanted, first=int(number), last=int(number))
    rating = rate(game, deal, budget=200, plays=0)
    judged = to_builtins(rated(rating))
    if rating.steps:
        assert [str(step.move) for step in rating.steps] == line
    for key in ("verdict", "fewest_left", "dealt", "positions"):
        figures = (told[key], at_length[key], judged[key])
        assert figures == (told[key],) * 3, key
        assert to_builtins(found_deal(game, found))[key] == told[key], key
        assert getattr(found.row, key) == told[key], key
    assert told["outcome"] == found.row.outcome


def test_a_rating_is_the_same_number_everywhere() -> None:
    game = get_game("single-left")
    words = frozenset(word for word, _ in WORDS)
    (found,) = find(game, Wanted(words=words), first=4, last=4)
    judged = to_builtins(rated(rate(game, "4", plays=0)))
    record = to_builtins(found_deal(game, found))
    assert (record["guesswork"], record["word"]) == (judged["guesswork"], judged["word"])
    assert record["guesswork"] == round(record["guesswork"], 6)


def test_dealt_counts_from_the_opening_and_each_time() -> None:
    """Also where discards come back, and from a position on the way."""
    game = get_game("ten-twenty-thirty")
    deal = Deal.parse("1")
    whole = solve(game, deal)
    assert whole.line is not None
    for moves in (1, 20, len(whole.line) - 1):
        place = Position.after(game, deal, whole.line[:moves])
        assert solve(game, place).dealt == whole.dealt
        assert solve(game, Position(game, place.state)).dealt is None
    assert whole.dealt == 1 + sum(move.kind == "deal" for move in whole.line)
