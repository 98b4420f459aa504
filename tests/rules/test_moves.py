"""Moves and lines: parse after print is the identity; what is no move is refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import Card, Move, MoveError, get_game, parse_line, replay
from rules.errors import IllegalMove
from tests.strategies import moves


def cards(text: str) -> tuple[Card, ...]:
    return tuple(map(Card.parse, text.split()))


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("9H+AS", Move("remove", cards("9H AS"))),
        ("10c", Move("remove", cards("TC"))),
        ("JC+JD+JH+JS=2D,4S", Move("remove", cards("JC JD JH JS"), None, cards("2D 4S"))),
        ("8S>9H", Move("move", cards("8S"), Card.parse("9H"))),
        ("8♠ > 9♥", Move("move", cards("8S"), Card.parse("9H"))),
        ("5D>F", Move("move", cards("5D"), "F")),
        ("5d>f=10h", Move("move", cards("5D"), "F", cards("TH"))),
        ("KD>_", Move("move", cards("KD"), "_")),
        ("8S-9H", Move("move", cards("8S"), Card.parse("9H"))),
        ("5D@3-f", Move("move", cards("5D"), "F", at="3")),
        ("KD-_=7H", Move("move", cards("KD"), "_", cards("7H"))),
        ("deal", Move("deal")),
        (" DEAL = 7h ", Move("deal", (), None, cards("7H"))),
        ("redeal", Move("redeal")),
    ],
)
def test_the_notation(text: str, move: Move) -> None:
    assert Move.parse(text) == move
    assert Move.parse(str(move)) == move


@given(moves())
def test_moves_round_trip(move: Move) -> None:
    assert Move.parse(str(move)) == move
    assert Move.parse(move.text(pretty=True)) == move
    assert Move.parse(str(move).lower().replace("t", "10")) == move
    assert Move.parse(str(move.bare)) == move.bare
    assert move.bare == move._replace(shown=())
    assert len({move, Move.parse(str(move))}) == 1


@given(moves())
def test_moves_are_read_in_a_form_that_is_safe_in_a_shell(move: Move) -> None:
    assert Move.parse(str(move).replace(">", "-")) == move


@given(st.lists(moves(), max_size=20), st.sampled_from((",", ", ", " , ", ",\n")))
def test_lines_with_commas_are_read(line: list[Move], between: str) -> None:
    if between == ",":  # a lone card after a comma is one more that the move before it shows
        line = [move for move in line if move.kind != "remove" or len(move.cards) > 1]
    assert parse_line(between.join(map(str, line))) == tuple(line)


def test_a_card_after_a_comma_is_shown_if_cards_are() -> None:
    assert parse_line("TC,JC+JD") == (Move.parse("TC"), Move.parse("JC+JD"))
    assert parse_line("9H+AS=4D,KC,deal=7H,TC>_,") == (
        *map(Move.parse, ("9H+AS=4D,KC", "deal=7H", "TC>_")),
    )
    with pytest.raises(MoveError, match=r"^move 2: '' is not a move"):
        parse_line("TC,,KC")


def test_a_goal_that_a_shell_took_is_missed() -> None:
    for text in ("TH>", "TH-", "TH->"):
        with pytest.raises(MoveError, match="a shell takes a bare > for itself"):
            Move.parse(text)
    game = get_game("single-left")
    with pytest.raises(IllegalMove, match=r"TH has no goal.* a shell takes a bare > for itself"):
        replay(game, game.initial(game.deal("4").deck), parse_line("TH"))


@given(st.lists(moves(), max_size=20), st.sampled_from((" ", "\n", ";", " ; ", "\r\n", " # x\n")))
def test_lines_round_trip(line: list[Move], between: str) -> None:
    assert parse_line(between.join(map(str, line))) == tuple(line)


@pytest.mark.parametrize(
    "text",
    ["", "=", "=7H", "deal=", "deal=7", "deals", "9H+", "+9H", "9H++AS", "9H--AS", "9H-", "8S>",
     ">9H", "8S>9H>TD", "8S>G", "8S>FF", "8S+7H>9H", "F", "_", "9H+AS=4D,,KC", "9H=4D=5D",
     "re deal"],
)  # fmt: skip
def test_what_is_no_move_is_refused(text: str) -> None:
    with pytest.raises(MoveError, match="is not a move: ") as caught:
        Move.parse(text)
    assert "\n" not in str(caught.value)


@given(st.text())
def test_any_text_is_a_move_or_refused_in_one_short_line(text: str) -> None:
    try:
        move = Move.parse(text)
    except MoveError as error:
        message = str(error)
        assert "\n" not in message
        assert len(message) < 250
    else:
        assert Move.parse(str(move)) == move


def test_a_bad_move_in_a_line_is_named_by_its_number() -> None:
    with pytest.raises(MoveError, match=r"^move 3: 'oops' is not a move: 'oops' is not a card"):
        parse_line("deal # one\n 9H+AS; oops deal")
    with pytest.raises(MoveError, match=r"^move 1: 'x{40}…' is not a move"):
        parse_line("x" * 1000)
    assert parse_line("# nothing\n\n") == ()


def test_malformed_moves_have_a_text_for_messages() -> None:
    assert str(Move("move", (), None)) == "?>?"
    assert str(Move("move", cards("AS 2S"), "F")) == "AS+2S>F"
    assert str(Move("remove", ())) == ""


def test_illegal_move_tells_index_move_and_reason() -> None:
    error = IllegalMove(4, "9H+AS", "9H is gone")
    assert (error.index, error.move, error.reason) == (4, "9H+AS", "9H is gone")
    assert str(error) == "move 5 (9H+AS): 9H is gone"
