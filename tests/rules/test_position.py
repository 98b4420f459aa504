"""Positions as text: what play can reach is read back as it was; what it cannot is refused."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules import Deal, Game, Position, PositionError, all_games, get_game, parse_line
from rules.cards import CARDS
from rules.errors import DealproofError, IllegalMove, MoveError
from rules.position import EMPTY
from tests.strategies import Play, plays

LEFT = get_game("single-left").with_options({"columns": "3", "ranks": "4"})
LEFT_TEXT = """\
Game: single-left
Options: columns=3 ranks=4
Foundations: C-0 D-A H-A S-0
Waste: 2H 4C
Stock: 3S 2D 2C AS AC 3C
4D
<3H> 2S
<4S> <4H> 3D
"""
BARE_TEXT = LEFT_TEXT.replace("Options: columns=3 ranks=4\n", "")
DECADE = get_game("decade").with_options({"ranks": "5", "sums": "5,10"})
SEVEN = get_game("decade-seven").with_options({"ranks": "5", "stacks": "3", "sums": "5,10"})
SEVEN_TEXT = """\
1: 4H 3H
2: gone
3: AC
Turn: 3
Stock: KD
"""
PAIRING = get_game("block-ten").with_options({"ranks": "9", "slots": "4"})


@given(plays())
def test_print_then_parse_is_the_identity_on_reachable_states(play: Play) -> None:
    position = Position(play.game, play.state)
    assert Position.parse(position.text(), play.game) == position


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
@settings(max_examples=12)
@given(data=st.data())
def test_every_game_has_a_text_form(game: Game, data: st.DataObject) -> None:
    play = data.draw(plays(game))
    position = Position.after(game, Deal.of(play.deck), play.line)
    assert position.state == play.state
    again = Position.parse(str(position), game)
    assert again == position
    assert again.text() == position.text()
    assert position.moves == play.line


@given(plays(), st.data())
def test_a_lost_or_repeated_card_is_refused(play: Play, data: st.DataObject) -> None:
    """Taking one card off a printed board, or naming it twice, never passes unnoticed."""
    lines = Position(play.game, play.state).text().splitlines()
    places = [
        (i, k)
        for i, line in enumerate(lines)
        if not line.startswith(("Game", "Turn", "Passes", "Foundations"))
        for k, token in enumerate(line.split())
        if token.strip("<>")[:1] in "A23456789TJQK" and not token.endswith(":")
    ]
    if not places:
        return
    i, k = data.draw(st.sampled_from(places))
    tokens = lines[i].split()
    taken = [*tokens[:k], *tokens[k + 1 :]]
    if all(token.endswith(":") for token in taken):
        taken.append(EMPTY)
    doubled = [*tokens[: k + 1], *tokens[k:]]
    for changed in (taken, doubled):
        text = "\n".join([*lines[:i], " ".join(changed), *lines[i + 1 :]])
        with pytest.raises(PositionError):
            Position.parse(text, play.game)


@given(plays(), st.text(max_size=60), st.integers(0, 2000))
def test_no_text_makes_anything_but_a_position_or_a_clear_error(
    play: Play, noise: str, at: int
) -> None:
    text = Position(play.game, play.state).text()
    text = text[:at] + noise + text[at + len(noise) :]
    try:
        position = Position.parse(text, play.game)
    except DealproofError as error:
        message = str(error)
    else:
        message = ""
        assert Position.parse(position.text(), play.game) == position
        list(play.game.successors(position.state))
    assert "\n" not in message


def test_boards_as_people_write_them() -> None:
    plain = Position.parse(LEFT_TEXT, LEFT)
    other = """
        # another program's board
        foundations: H-A d-a
        TALON: 3♠, 2♦, 2C, as, ac,3c
        waste: 2h 4c
        : 4D
        : <3h> 2S
        : <4s> <4H> 3D   # the last column
    """
    assert Position.parse(other, LEFT) == plain
    assert plain.text() == LEFT_TEXT


def test_after_plays_a_line_from_a_deal() -> None:
    game, deal = get_game("single-left"), Deal.parse("7")
    position = Position.after(game, deal, "deal; deal")
    assert position.label == "deal 7 after 2 moves"
    assert position.state == game.play(game.play(game.initial(deal.deck), *parse_line("deal"))[1],
                                       *parse_line("deal"))[1]  # fmt: skip
    assert Position.after(game, deal).label == "deal 7"
    assert Position.parse(position.text(), game).label == "the position given"
    with pytest.raises(IllegalMove, match="move 2"):
        Position.after(game, deal, "deal KS>F")


LEFT_FAULTS: dict[str, tuple[tuple[str, str], ...]] = {
    "missing: AS": (("AS AC", "AC"),),
    "missing: AD": (("D-A", "D-0"),),
    "2D lies twice: the waste and the stock": (("2H 4C", "2H 4C 2D"),),
    "AC lies twice: the C foundation and the stock": (("C-0", "C-A"),),
    "the foundations: 'H-X' is no height": (("H-A", "H-X"),),
    "the foundations: H is given twice": (("H-A", "H-A H-2"),),
    "the foundations: C-K is above the deck's 4 ranks": (("C-0", "C-K"),),
    "column 1: 5D is not in a deck of 4 ranks": (("\n4D", "\n5D"),),
    "column 1: 'bogus' is not a card": (("\n4D", "\nbogus"),),
    "column 3: the face-up cards are no run \\(3D on 4H\\)": (("<4H> 3D", "4H 3D"),),
    "column 3: 4H is face down on the face-up 4S": (("<4S>", "4S"),),
    "column 2: 2S is face down and nothing covers it": (("<3H> 2S", "<3H> <2S>"),),
    "column 1: 1 cards are face down; single-left deals at most 0 there": (
        ("2D 2C", "2C"),
        ("\n4D", "\n<2D> 4D"),
    ),
    "2 columns are given; single-left has 3": (("\n4D\n", "\n"),),
    "column 1 is empty; the stock would have filled it": (("\n4D", "\n--"), ("4C", "4C 4D")),
    "the position is one of 'tens', not of single-left": (("single-left", "tens"),),
    "there are two lines Waste": (("Stock:", "Waste: --\nStock:"),),
    "Slots: is no line of a klondike position": (("Waste:", "Slots:"),),
    "Passes: a number 1 to 1, not '2'": (("Stock", "Passes: 2\nStock"),),
}


@pytest.mark.parametrize("message", LEFT_FAULTS)
def test_impossible_left_positions_are_refused_by_name(message: str) -> None:
    text = LEFT_TEXT
    for old, new in LEFT_FAULTS[message]:
        assert old in text
        text = text.replace(old, new)
    with pytest.raises(PositionError, match=message):
        Position.parse(text, LEFT)


def test_a_stock_that_was_never_so_large_is_refused() -> None:
    game = LEFT.with_options({"fill": "none"})
    text = BARE_TEXT.replace("\n<3H> 2S", "\n--").replace("2H 4C", "2H 4C 3H 2S AD")
    text = text.replace("D-A", "D-0")
    with pytest.raises(PositionError, match="hold 11 cards; single-left deals 10"):
        Position.parse(text, game)


def test_gaps_that_the_next_column_would_have_filled_are_refused() -> None:
    game = LEFT.with_options({"fill": "next-column"})
    text = BARE_TEXT.replace("\n4D", "\n--").replace("2H 4C", "2H 4C 4D")
    with pytest.raises(PositionError, match="column 1 is empty; the next-column would"):
        Position.parse(text, game)


DECADE_FAULTS = {
    "Line: 4H 3H\nStock: AC\nRemoved: 2C": "missing: ",
    "Line: 4H 3H\nStock: --": "no discards add up to 18 cards that total 53",
    "Line: gone\nStock: --": "'gone' is not a card",
    "Stock: AC": "the line Line: is missing",
    "Line: --\nStock: --\nTurn: 1": "Turn: is no line of a decade position",
    "Line: 4H\nStock: 4H": "4H lies twice: the line and the stock",
    "Line: 2H 5C": "the line Stock: is missing",
}  # fmt: skip


@pytest.mark.parametrize("text", DECADE_FAULTS)
def test_impossible_decade_positions_are_refused_by_name(text: str) -> None:
    with pytest.raises(PositionError, match=DECADE_FAULTS[text]):
        Position.parse(text, DECADE)


def test_a_line_shorter_than_the_opening_is_refused() -> None:
    text = Position.after(DECADE, Deal.parse("1", 5)).text()
    first = text.splitlines()[2].split()[-1]
    changed = text.replace(f" {first}\n", "\n", 1).replace("Stock:", f"Stock: {first}")
    with pytest.raises(PositionError, match="2 cards are dealt; the opening deals 3"):
        Position.parse(changed, DECADE)


SEVEN_FAULTS = {
    ("Turn: 3", "Turn: 2"): "the turn is at stack 2, which is eliminated",
    ("Turn: 3", "Turn: 4"): "Turn: a number 1 to 3, not '4'",
    ("1: 4H 3H", "1: --"): "stack 1 is empty but stack 2, after it, has been dealt to",
    ("1: 4H 3H", "4H 3H"): "the line 1: is missing",
    ("2: gone", "2: 2C"): "after 19 cards the turn is at stack 2, not 3",
    ("3: AC", "3: gone"): "the turn is at stack 3, which is eliminated",
}


@pytest.mark.parametrize("change", SEVEN_FAULTS)
def test_impossible_stacks_are_refused_by_name(change: tuple[str, str]) -> None:
    text = SEVEN_TEXT.replace("KD", "5D")
    with pytest.raises(PositionError, match=SEVEN_FAULTS[change]):
        Position.parse(text.replace(*change), SEVEN)


PAIRING_FAULTS = {
    "Slots: 9H AS 2C\nStock: --": "3 slots are given; block-ten has 4",
    "Slots: 9H AS -- 2C\nStock: 3D": "slot 3 is empty; the stock would have filled it",
    "Slots: 9H AS 2H 2C\nStock: 3D 3D": "3D lies twice: the stock and the stock",
    "Slots: 9H AS 2H 2C\nStock: --\nRemoved: 8C": "missing: AC AD AH 2D 2S 3C and 25 more",
    "Slots: 9H AS 2H 2C\nStock: --": "missing: AC AD AH",
    "Slots: 9H AS TH 2C\nStock: --": "slot 3: TH is not in a deck of 9 ranks",
    "": "the position is empty",
    "Slots: 9H\nColumns: 2": "the line Stock: is missing|3 slots|1 slots",
}


@pytest.mark.parametrize("text", PAIRING_FAULTS)
def test_impossible_pairing_positions_are_refused_by_name(text: str) -> None:
    with pytest.raises(PositionError, match=PAIRING_FAULTS[text]):
        Position.parse(text, PAIRING)


def test_a_huge_text_is_refused() -> None:
    with pytest.raises(PositionError, match="at most 20000 characters"):
        Position.parse("A" * 30_000, PAIRING)


def test_options_are_told_and_held_to() -> None:
    assert "Options" not in Position(get_game("decade"), get_game("decade").initial(CARDS)).text()
    game = get_game("decade").with_options({"loop": "true", "win_at": "2"})
    text = Position(game, game.initial(CARDS)).text()
    assert text.splitlines()[1] == "Options: loop=true win_at=2"
    assert Position.parse(text, game).text() == text
    with pytest.raises(PositionError, match=r"has the options loop=true win_at=2, not those of"):
        Position.parse(text, get_game("decade"))
    plain = text.replace("Options: loop=true win_at=2\n", "")
    assert Position.parse(plain, game).state == Position.parse(text, game).state
    own = type(game)("mine", {"loop": True})
    assert Position.parse(Position(own, own.initial(CARDS)).text(), own).game == own


@pytest.mark.parametrize("name", [game.name for game in all_games()])
def test_positions_are_played(name: str) -> None:
    """To the end at random: the moves are those of the rules, and `play` refuses the others."""
    rng = random.Random(name)
    game = get_game(name)
    position = Position.after(game, game.deal("7"))
    states = [position.state]
    for _ in range(60):
        legal = position.legal_moves
        assert list(legal) == [move for move, _ in game.successors(position.state)]
        assert len(legal) == len(list(legal))
        assert bool(legal) is bool(len(legal))
        assert position.is_won is game.is_won(position.state)
        if position.is_won or not legal:
            break
        move = rng.choice(list(legal))
        assert move in legal
        assert move.bare in legal
        assert str(move) not in legal
        before, position = position, position.play(str(move) if rng.random() < 0.5 else move.bare)
        assert (before.state, position.moves[-1]) == (states[-1], move)
        states.append(position.state)
        for other in before.legal_moves:
            if other not in position.legal_moves:
                with pytest.raises(MoveError):
                    position.play(other)
    deal = position.deal
    assert deal is not None
    assert Position.after(game, deal, position.moves) == position
    read = Position.parse(Position(game, states[0]).text(), game)
    for move in position.moves:
        read = read.play(move)
    assert (read.state, read.moves) == (position.state, ())
