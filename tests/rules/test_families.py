"""Each family by hand: examples whose outcome is plain, and mistakes that others made."""

from __future__ import annotations

from typing import Any

import pytest

from rules import Card, Deck, Game, Move, MoveError, get_game, parse_line, replay
from rules.families.decade import Decade, DecadeState
from rules.families.klondike import Klondike, KlondikeState
from rules.families.pairing import Pairing, PairingState


def cards(text: str) -> tuple[Card, ...]:
    return tuple(map(Card.parse, text.split()))


def texts(game: Game[Any], state: Any) -> list[str]:
    return [str(move) for move in game.legal_moves(state)]


def refusal(game: Game[Any], state: Any, text: str) -> str:
    with pytest.raises(MoveError) as caught:
        game.play(state, Move.parse(text))
    return str(caught.value)


# Pairing ---------------------------------------------------------------------------------


def slots(text: str, stock: str = "") -> PairingState:
    row = tuple(None if word == "-" else Card.parse(word) for word in text.split())
    return PairingState(row, cards(stock))


def test_pairing_deals_the_first_cards_left_to_right() -> None:
    deck = Deck.numbered(1)
    state = get_game("block-ten").initial(deck)
    assert state.slots == deck[:9]
    assert state.stock == deck[9:]


def test_pairing_refills_the_leftmost_emptied_slot_first() -> None:
    """Whatever the order in which the cards are named."""
    game = get_game("block-ten")
    state = slots("KC 9D TC AC 2H", "3S 4S 5S")
    for text in ("AC+9D", "9D+AC"):
        move, after = game.play(state, Move.parse(text))
        assert after == slots("KC 3S TC 4S 2H", "5S")
        assert move.shown == cards("3S 4S")


def test_pairing_stock_is_used_from_its_next_end_as_far_as_it_lasts() -> None:
    game = get_game("block-ten")
    move, after = game.play(slots("KC 9D TC AC", "3S"), Move.parse("9D+AC"))
    assert after == slots("KC 3S TC -", "")
    assert str(move) == "AC+9D=3S"
    _, last = game.play(slots("3S 7D - -"), Move.parse("7D+3S"))
    assert last == slots("- - - -")
    assert game.is_won(last)


def test_pairing_suits_never_matter_and_every_choice_of_cards_is_a_move() -> None:
    game = get_game("ten-by-one")
    state = slots("AC AD 9S 9H TC JC JD JH JS QC")
    assert texts(game, state) == ["AC+9S", "AC+9H", "AD+9S", "AD+9H", "TC", "JC+JD+JH+JS"]


def test_pairing_is_won_only_when_the_stock_too_holds_no_card_that_must_go() -> None:
    game = get_game("ten-by-one")
    faces = "JC JD JH QC QD QH KC KD KH KS"
    assert not game.is_won(slots(faces, "JS 5C"))
    assert game.is_won(slots(faces, "JS QS"))
    assert not game.is_won(slots(faces.replace("KS", "TS")))
    block = get_game("block-ten")
    assert block.is_won(slots("TC TD TH TS - - - - -"))
    assert not block.is_won(slots("TC JD - - - - - - -"))
    assert not get_game("tens").is_won(slots("TC - - - - - - - - - - - -"))


def test_pairing_nothing_is_forced_and_nothing_else_can_be_done() -> None:
    game = get_game("block-ten")
    state = slots("AC 9D TC TD", "KC")
    assert texts(game, state) == ["AC+9D=KC"]
    assert refusal(game, state, "deal").startswith("the only moves in this game remove cards")
    assert refusal(game, state, "AC+9D=KD") == "it shows KC, not KD"
    assert refusal(game, state, "TC") == "T is not a removable set"
    assert refusal(game, state, "TC+TD") == "T+T is not a removable set"
    assert refusal(game, state, "AC+KC") == "KC is still in the stock"
    assert refusal(game, state, "AC+9S") == "9S is gone"
    assert refusal(game, state, "AC+AC") == "it names a card twice"
    small = game.with_options({"ranks": "9"})
    assert refusal(small, slots("AC 9D"), "KC") == "KC is not in this deck"


def test_pairing_overlapping_sets_are_real_decisions() -> None:
    game = Pairing("own", {"removable": ["A+9", "A+A"], "slots": 4, "must_go": ["A", "9"]})
    assert not game.decision_free
    state = slots("AC AD 9C 9D")
    assert texts(game, state) == ["AC+9C", "AC+9D", "AD+9C", "AD+9D", "AC+AD"]
    _, good = replay(game, state, parse_line("AC+9C AD+9D"))
    assert game.is_won(good[-1])
    _, bad = replay(game, state, parse_line("AC+AD"))
    assert not game.is_won(bad[-1])
    assert texts(game, bad[-1]) == []


@pytest.mark.parametrize(
    ("sets", "free"),
    [
        (["A+9", "2+8"], True),
        (["J+J", "A+9"], True),
        (["A+9", "A+A"], False),
        (["A", "A+9"], False),
        (["J+J+J", "J+J"], False),
    ],
)
def test_decision_free_means_no_rank_in_two_sets(sets: list[str], free: bool) -> None:
    assert Pairing("own", {"removable": sets}).decision_free is free


def test_sets_that_a_small_deck_cannot_have_are_left_out() -> None:
    game = get_game("block-ten").with_options({"ranks": "6", "slots": "30"})
    assert game.removable == ((4, 6), (5, 5))
    start = game.initial(Deck.numbered(1, 6))
    assert start.slots[24:] == (None,) * 6
    assert start.stock == ()


# Decade ----------------------------------------------------------------------------------


def line(text: str, stock: str = "") -> DecadeState:
    return DecadeState((cards(text),), cards(stock), 0)


def test_decade_opens_with_three_cards() -> None:
    """The opening is dealt before play: no first draw is left implicit, none is doubled."""
    deck = Deck.numbered(1)
    assert get_game("decade").initial(deck) == DecadeState((deck[:3],), deck[3:], 0)
    seven = get_game("decade-seven").initial(deck)
    assert seven.stacks == ((deck[0],), (), (), (), (), (), ())
    assert seven.turn == 1
    assert seven.stock == deck[1:]
    five = get_game("decade-seven").with_options({"opening": "9"}).initial(deck)
    assert five.stacks[:3] == ((deck[0], deck[7]), (deck[1], deck[8]), (deck[2],))
    assert five.turn == 2


def test_decade_counts_the_opening_and_every_deal_once() -> None:
    game = get_game("decade")
    deck = Deck.numbered(1)
    state, dealt = game.initial(deck), 3
    while choices := list(game.successors(state)):
        move, state = choices[0]
        dealt += move.kind == "deal"
    assert dealt == 52
    assert state.stock == ()


def test_decade_discards_consecutive_cards_only() -> None:
    game = get_game("decade")
    state = line("3C 2D 7H 8S", "KC")
    # 2+8 are not neighbours; 3+7 are not; 2+7+8=17; 3+2+7+8=20
    assert texts(game, state) == ["3C+2D+7H+8S"]
    assert refusal(game, state, "2D+8S") == "the cards are not next to each other"
    assert refusal(game, state, "2D+7H") == "the cards total 9"
    assert refusal(game, state, "3C") == "a group has at least 2 cards"
    assert refusal(game, state, "3C+KC") == "KC is still in the stock"
    assert refusal(game, state, "3C+QC") == "QC is not on the table"
    assert refusal(game, state, "3C+3C") == "it names a card twice"
    assert refusal(game, state, "3C>F").startswith("the moves in this game are discards")
    assert refusal(game, state, "deal") == "a discard must be made first (3C+2D+7H+8S)"


def test_decade_what_is_left_closes_up() -> None:
    game = get_game("decade")
    _, after = game.play(line("9C 2D 8S AC"), Move.parse("8S+2D"))
    assert after == line("9C AC")
    assert texts(game, after) == ["9C+AC"]


def test_decade_forced_discards_come_before_the_deal_but_the_choice_is_free() -> None:
    game = get_game("decade")
    state = line("KC QC 4D 6S", "2C")
    assert texts(game, state) == ["KC+QC", "KC+QC+4D+6S", "QC+4D+6S", "4D+6S"]
    unforced = game.with_options({"forced": "false"})
    assert texts(unforced, state) == [*texts(game, state), "deal=2C"]
    assert texts(unforced, line("KC QC")) == ["KC+QC"], "discards after the stock has run out"
    assert refusal(unforced, line("KC QC"), "deal") == "the stock is empty"


def test_decade_loop_example_of_the_rules() -> None:
    """In 4 8 3 3 J 6 the group J, 6, 4 goes round the end."""
    state = line("4C 8D 3H 3S JC 6D", "2C")
    straight = texts(get_game("decade"), state)
    looped = texts(get_game("decade-loop"), state)
    assert "JC+6D+4C" in looped
    assert "JC+6D+4C" not in straight
    assert set(straight) < set(looped)
    _, after = get_game("decade-loop").play(state, Move.parse("4C+6D+JC"))
    assert after == line("8D 3H 3S", "2C")
    # 6+4 wraps as well; 3+3+J+6+4+... = 26 + 8 = 34 does not total 30
    assert set(looped) - set(straight) == {"JC+6D+4C", "6D+4C"}


def test_decade_loop_gives_the_whole_line_once() -> None:
    game = get_game("decade-loop")
    assert texts(game, line("6C 4D")) == ["6C+4D"]
    assert texts(game, line("3C 5D 2S")) == ["3C+5D+2S"]


def test_decade_group_bounds_hold_for_groups_that_wrap() -> None:
    game = get_game("decade-loop-three")
    state = line("2C KD 9S 5C 3D")  # 3+2 = 5; 5+3+2 = 10 wraps with three; 5+3+2+10 = 20 has four
    assert texts(game, state) == ["5C+3D+2C"]
    assert "5C+3D+2C+KD" in texts(get_game("decade-loop"), state)
    assert refusal(game, state, "5C+3D+2C+KD") == "a group has at least 2 and at most 3 cards"


def test_decade_top_means_that_the_newest_card_is_in_the_group() -> None:
    game = get_game("decade").with_options({"where": "top"})
    state = line("KC QC 4D 6S")
    assert texts(game, state) == ["KC+QC+4D+6S", "QC+4D+6S", "4D+6S"]
    assert refusal(game, state, "KC+QC") == "a group must hold the newest card (6S)"
    looped = game.with_options({"loop": "true"})
    assert texts(looped, line("4C KD QD 9S 6H")) == ["6H+4C+KD+QD", "6H+4C+KD", "6H+4C"]


def test_decade_an_emptied_line_is_not_the_end() -> None:
    game = get_game("decade")
    _, after = game.play(line("4D 6S", "KC"), Move.parse("4D+6S"))
    assert after == line("", "KC")
    assert not game.is_won(after)
    assert texts(game, after) == ["deal=KC"]
    _, last = game.play(after, Move.parse("deal"))
    assert last == line("KC")
    assert not game.is_won(last)
    assert game.cards_left(last) == 1
    assert game.with_options({"win_at": "1"}).is_won(last)
    assert game.is_won(line(""))
    assert game.cards_left(line("", "KC")) is None


def test_decade_stacks_are_eliminated_and_skipped() -> None:
    game = get_game("decade").with_options({"stacks": "3"})
    state = DecadeState((cards("4C"), cards("9C"), cards("KC")), cards("6D QC 2C"), 0)
    _, states = replay(game, state, parse_line("deal 4C+6D deal deal"))
    assert states[2].stacks == (None, cards("9C"), cards("KC"))
    assert states[2].turn == 1
    assert states[-1].stacks == (None, cards("9C QC"), cards("KC 2C"))
    assert states[-1].turn == 1
    assert refusal(game, states[2], "9C+KC") == "the cards lie in different stacks"
    # the last stack goes: won although the stock is not used up, and nothing is dealt any more
    last = DecadeState((None, cards("4D 6C"), None), cards("2C"), 1)
    _, after = game.play(last, Move.parse("4D+6C"))
    assert after.stacks == (None, None, None)
    assert game.is_won(after)
    assert game.cards_left(after) == 0
    assert texts(game, after) == []
    assert refusal(game, after, "deal") == "every stack is eliminated"


def test_decade_a_stack_not_yet_dealt_to_is_not_eliminated() -> None:
    game = get_game("decade-seven")
    assert not game.is_won(game.initial(Deck.numbered(1)))


def test_decade_the_turn_passes_on_when_the_stack_to_be_dealt_to_goes() -> None:
    game = get_game("decade").with_options({"stacks": "3", "forced": "false"})
    state = DecadeState((cards("4C 6C"), cards("9C"), None), cards("2C"), 0)
    _, after = game.play(state, Move.parse("4C+6C"))
    assert after == DecadeState((None, cards("9C"), None), cards("2C"), 1)


def test_decade_contest_order_of_the_groups() -> None:
    """First two and last; first and last two; last three; and the cards go back oldest first."""
    game = get_game("ten-twenty-thirty")
    rest: tuple[Any, ...] = ((),) * 6

    def first(stack: str) -> str:
        return " ".join(texts(game, DecadeState((cards(stack), *rest), cards("AC"), 1)))

    assert first("2C 3C 9D KD QD 5H") == "5H+2C+3C"
    assert first("2C 4C 9D KD 3D 5H") == "3D+5H+2C"
    assert first("9C 4C 9D 2D 3D 5H") == "2D+3D+5H"
    assert first("5C 2C 3D") == "5C+2C+3D"
    assert first("2C 4C 4D 4H") == "4H+2C+4C"
    state = DecadeState((cards("2C 4C 9D KD 3D 5H"), *rest), cards("AC"), 1)
    move, after = game.play(state, Move.parse("2C+3D+5H"))
    assert str(move) == "3D+5H+2C"
    assert after.stock == cards("AC 2C 3D 5H")
    assert after.stacks[0] == cards("4C 9D KD")
    both = DecadeState((cards("2C 3C 9D 8D 5H"), *rest), cards("AC"), 1)
    assert texts(game, both) == ["5H+2C+3C"]
    assert refusal(game, both, "2C+3C+9D") == "the cards total 14"
    two = DecadeState((cards("AC 4C KD 5D 5H"), *rest), cards("AS"), 1)
    assert texts(game, two) == ["5H+AC+4C"]
    assert refusal(game, two, "KD+5D+5H") == "another group is found first"


def test_decade_key_keeps_its_parts_apart() -> None:
    """Stacks 1 | 12 and 11 | 2 are different positions, however they are written down."""
    game = Decade("own", {"stacks": 2, "values": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]})
    ones = DecadeState((cards("AC"), cards("QC")), (), 0)
    others = DecadeState((cards("JC"), cards("2C")), (), 0)
    assert game.key(ones) != game.key(others)
    split = {
        game.key(DecadeState((cards("AC 2C"[:n]), cards("AC 2C"[n:])), (), 0)) for n in (0, 2, 5)
    }
    assert len(split) == 3
    gone = DecadeState((None, cards("AC")), (), 1)
    empty = DecadeState(((), cards("AC")), (), 1)
    assert game.key(gone) != game.key(empty)
    assert len({game.key(DecadeState(((), ()), (), turn)) for turn in (0, 1)}) == 2


def test_decade_key_with_returns_lists_the_stock() -> None:
    game = get_game("decade").with_options({"returns": "true"})
    assert game.key(line("KC", "AC 2C")) != game.key(line("KC", "2C AC"))
    assert game.key(line("KC", "TC 2C")) == game.key(line("QC", "JS 2D"))


def test_decade_forced_anywhere_and_top_are_one_game_after_the_opening() -> None:
    """Once nothing is left to discard, every later group holds the newest card."""
    anywhere = get_game("decade-loop")
    top = anywhere.with_options({"where": "top"})
    compared = 0
    for number in range(40):
        state = anywhere.initial(Deck.numbered(number))
        settled = False
        while moves := anywhere.legal_moves(state):
            settled = settled or moves[0].kind == "deal"
            if settled:
                assert top.legal_moves(state) == moves
                compared += 1
            state = anywhere.play(state, moves[-1])[1]
    assert compared > 1000


# Klondike ------------------------------------------------------------------------------------


def left(
    columns: str, waste: str = "", stock: str = "", home: tuple[int, ...] = (0, 0, 0, 0),
    passes: int = 1,
) -> KlondikeState:  # fmt: skip
    """Columns apart by ``/``; face-down cards before a ``|``."""
    piles = []
    for column in columns.split("/"):
        down, bar, up = column.partition("|")
        piles.append((cards(down), cards(up)) if bar else ((), cards(down)))
    return KlondikeState(home, tuple(piles), cards(waste), cards(stock), passes)


def test_left_deals_row_by_row() -> None:
    deck = Deck.numbered(1)
    state = get_game("single-left").initial(deck)
    assert state.columns[0] == ((), (deck[0],))
    assert state.columns[1] == ((deck[1],), (deck[7],))
    assert state.columns[2] == ((deck[2], deck[8]), (deck[13],))
    assert state.columns[6][1] == (deck[27],)
    assert len(state.columns[6][0]) == 6
    assert state.stock == deck[28:]
    assert state.waste == ()
    assert state.foundations == (0, 0, 0, 0)


def test_left_the_first_card_dealt_is_the_stocks_top() -> None:
    """Nothing lies in the waste before the first deal; the stock is used from its top."""
    game = get_game("single-left")
    deck = Deck.numbered(1)
    state = game.initial(deck)
    for number in range(28, 31):
        move, state = game.play(state, Move.parse("deal"))
        assert move.shown[0] == deck[number]
        assert state.waste[-1] == deck[number]
        assert state.stock == deck[number + 1 :]


def test_left_face_down_cards_never_move_with_a_run() -> None:
    """5S 4H lie in sequence, but the 5S is face down: only the 4H may go."""
    game = get_game("single-left")
    state = left("5S|4H/6D/5C/KH/KD")
    assert texts(game, state) == ["4H>5C=5S", "5C>6D"]
    assert refusal(game, state, "5S>6D") == "5S is face down in column 1"
    assert refusal(game, state, "5S>F") == "5S is face down in column 1"


def test_left_runs_move_whole_or_in_part() -> None:
    game = get_game("single-left")
    state = left("KC|9H 8S 7D/TS/8C/9D")
    assert texts(game, state) == ["9H>TS=KC", "8S>9D", "7D>8C", "8C>9D", "9D>TS"]
    part = left("KC|9H 8S 7D/9D/TC")
    assert texts(game, part) == ["9H>TC=KC", "8S>9D", "9D>TC"]
    _, after = game.play(part, Move.parse("8S>9D"))
    assert after == left("KC|9H/9D 8S 7D/TC")
    _, whole = game.play(part, Move.parse("9H>TC"))
    assert whole == left("KC/9D/TC 9H 8S 7D")
    assert refusal(game, part, "8S>F") == "8S is covered"
    assert refusal(game, part, "8S>9H") == "9H is not the last card of a column"
    assert refusal(game, part, "8S>TC") == "8S does not fit on TC"
    assert refusal(game, part, "9H>F") == "9H is covered"
    assert refusal(game, part, "9D>F") == "the foundation needs AD before 9D"
    assert refusal(game, part, "9D>_") == "there is no empty column"
    assert refusal(game, part, "9H+8S").startswith("cards are not removed in this game")


def test_left_building_needs_the_other_colour_and_the_next_rank() -> None:
    game = get_game("single-left")
    assert texts(game, left("8H/9D/9H/KS")) == []
    assert texts(game, left("8H/9C/9S/KH")) == ["8H>9C", "8H>9S"]
    suit = game.with_options({"build": "suit"})
    assert texts(suit, left("8H/9D/9H/KS")) == ["8H>9H"]
    free = game.with_options({"build": "any"})
    assert texts(free, left("8H/9D/9H/KS")) == ["8H>9D", "8H>9H"]
    assert texts(game, left("9H/8S/TH")) == ["8S>9H"]


def test_left_cards_never_come_back_from_the_foundations() -> None:
    game = get_game("single-left")
    state = left("3D/KC/KD", home=(2, 0, 0, 0))
    assert refusal(game, state, "2C>3D") == "2C is on its foundation"
    assert texts(game, state) == []


def test_left_the_last_waste_card_is_usable_once_the_stock_is_empty() -> None:
    game = get_game("single-left")
    state = left("5D/KC/KD", waste="9S 4C", stock="", home=(3, 0, 0, 0))
    assert texts(game, state) == ["4C>F", "4C>5D"]
    _, after = game.play(state, Move.parse("4C>5D"))
    assert after.waste == cards("9S")
    last = left("5D/KC/TD", waste="9S")
    assert texts(game, last) == ["9S>TD"]
    assert refusal(game, last, "deal") == "the stock is empty"
    assert refusal(game, state, "9S>5D") == "9S is covered in the waste"


def test_left_gaps_are_filled_from_the_stock_then_from_the_waste() -> None:
    game = get_game("single-left")
    from_stock, after = game.play(left("AC/KC/KD", "2D 3D", "4H 5H"), Move.parse("AC>F"))
    assert after == left("4H/KC/KD", "2D 3D", "5H", (1, 0, 0, 0))
    assert str(from_stock) == "AC>F=4H"
    from_waste, after = game.play(left("AC/KC/KD", "2D 3D"), Move.parse("AC>F"))
    assert after == left("3D/KC/KD", "2D", "", (1, 0, 0, 0))
    assert str(from_waste) == "AC>F"
    _, after = game.play(left("AC/KC/KD"), Move.parse("AC>F"))
    assert after == left("/KC/KD", "", "", (1, 0, 0, 0))
    other = game.with_options({"fill": "waste,stock"})
    _, after = other.play(left("AC/KC/KD", "2D 3D", "4H 5H"), Move.parse("AC>F"))
    assert after == left("3D/KC/KD", "2D", "4H 5H", (1, 0, 0, 0))


def test_left_gaps_are_filled_from_the_next_column_and_so_on_to_the_right() -> None:
    game = get_game("single-left-next")
    state = left("AC/9D 8C/2S 3S|7H/5C 4D/KC", "2D", "4H")
    move, after = game.play(state, Move.parse("AC>F"))
    assert after == left("9D 8C/7H/2S|3S/5C 4D/KC", "2D", "4H", (1, 0, 0, 0))
    assert str(move) == "AC>F=3S"
    _, chain = game.play(left("AC/9D 8C/7H/5C 4D", "2D", "4H"), Move.parse("AC>F"))
    assert chain == left("9D 8C/7H/5C 4D/", "2D", "4H", (1, 0, 0, 0))
    three = game.with_options({"fill": "stock,next-column,waste"})
    _, end = three.play(left("AC/9D 8C/7H/5C 4D", "2D 3D"), Move.parse("AC>F"))
    assert end == left("9D 8C/7H/5C 4D/3D", "2D", "", (1, 0, 0, 0))
    _, stock = three.play(left("AC/9D 8C/7H/5C 4D", "2D 3D", "6S"), Move.parse("AC>F"))
    assert stock == left("6S/9D 8C/7H/5C 4D", "2D 3D", "", (1, 0, 0, 0))


def test_left_spaces_take_kings_only() -> None:
    game = get_game("single-left")
    state = left("/3S|KD QC/QH/JS")
    assert "KD>_=3S" in texts(game, state)
    assert refusal(game, state, "QH>_") == "only a K goes to an empty column, not QH"
    assert refusal(game, state, "QC>_") == "only a K goes to an empty column, not QC"
    _, after = game.play(state, Move.parse("KD>_"))
    assert after == left("KD QC/3S/QH/JS")
    nothing = game.with_options({"fill": "none"})
    from_waste = left("/3S/4D", "KH", "2C")
    assert texts(nothing, from_waste) == ["3S>4D", "KH>_", "deal=2C"]
    _, placed = nothing.play(from_waste, Move.parse("KH>_"))
    assert placed == left("KH/3S/4D", "", "2C")


def test_left_a_king_that_heads_a_column_may_change_the_order() -> None:
    game = get_game("single-left-next")
    state = left("KD/5C/9H/")
    assert "KD>_" in texts(game, state)
    _, after = game.play(state, Move.parse("KD>_"))
    assert after == left("5C/9H/KD/")
    assert game.key(after) != game.key(state)
    unordered = get_game("single-left")
    _, moved = unordered.play(state, Move.parse("KD>_"))
    assert moved == left("/5C/9H/KD")
    assert unordered.key(moved) == unordered.key(state)


def test_left_a_card_dealt_while_a_column_is_empty_fills_it() -> None:
    game = get_game("single-left").with_options({"fill": "waste"})
    move, after = game.play(left("/KC", "", "4H 5H"), Move.parse("deal"))
    assert after == left("4H/KC", "", "5H")
    assert str(move) == "deal=4H"


def test_left_passes_and_draws() -> None:
    game = get_game("single-left").with_options({"passes": "2", "draw": "3", "fill": "none"})
    state = left("KC/KD", "", "2C 3C 4C 5C", passes=2)
    _, states = replay(game, state, parse_line("deal=2C,3C,4C deal=5C redeal deal deal"))
    assert states[1].waste == cards("2C 3C 4C")
    assert states[2] == left("KC/KD", "2C 3C 4C 5C", "", passes=2)
    assert states[3] == left("KC/KD", "", "2C 3C 4C 5C", passes=1)
    assert refusal(game, states[-1], "redeal") == "no pass is left"
    assert refusal(game, states[1], "redeal") == "the stock is not used up"
    assert refusal(game, left("KC", passes=2), "redeal") == "the waste is empty"
    assert refusal(get_game("single-left"), left("KC", "2C"), "redeal") == "no pass is left"
    assert game.key(states[0]) != game.key(states[3])


def test_left_refusals_name_where_a_card_is() -> None:
    game = get_game("single-left").with_options({"ranks": "12"})
    state = left("5S|4H/6D", "9S", "2C")
    assert refusal(game, state, "2C>F") == "2C is still in the stock"
    assert refusal(game, state, "KC>_") == "KC is not in this deck"
    assert refusal(game, state, "9S>9S") == "9S is not the last card of a column"


def test_left_is_won_with_all_cards_on_the_foundations() -> None:
    game = get_game("single-left")
    state = left("KS/", home=(13, 13, 13, 12))
    assert not game.is_won(state)
    _, after = game.play(state, Move.parse("KS>F"))
    assert game.is_won(after)
    assert texts(game, after) == []
    small = Klondike("own", {"ranks": 1, "columns": 2})
    assert small.is_won(left("/", home=(1, 1, 1, 1)))


def test_left_key_forgets_the_order_of_columns_only_where_it_does_not_matter() -> None:
    one, other = left("KC/2D|5C/"), left("2D|5C//KC")
    assert get_game("single-left").key(one) == get_game("single-left").key(other)
    assert get_game("single-left-next").key(one) != get_game("single-left-next").key(other)
    assert get_game("single-left").key(left("2D|5C")) != get_game("single-left").key(left("2D 5C"))


# Words -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "changes", "words"),
    [
        ("block-ten", {}, ["9 slots", "other 43 are the stock", "A+9, 2+8", "one playthrough"]),
        ("block-ten", {"removable": "A+9,A+A"}, ["Some rank belongs to two sets"]),
        ("tens", {}, ["every card has left both"]),
        ("block-ten", {"ranks": "1"}, ["suits regardless: none"]),
        ("decade", {}, ["10, 20 or 30", "at least 2 ", "first 3 cards", "no card is left"]),
        ("decade", {"sums": "15", "win_at": "2"}, ["totals 15 may", "at most 2 cards are left"]),
        ("decade", {"opening": "1"}, ["The first card is dealt"]),
        ("decade", {"forced": "false"}, ["may deal although there is a group"]),
        ("decade-loop-three", {}, ["The line is a loop", "2 to 3 consecutive"]),
        ("decade-seven", {}, ["to 7 stacks in turn", "every stack is eliminated"]),
        ("ten-twenty-thirty", {}, ["exactly 3", "newest card", "oldest first", "taken by force"]),
        ("single-left", {}, ["7 columns", "24 cards", "One pass", "top card of the stock, turned"]),
        ("single-left-next", {}, ["run of the column to the right"]),
        ("single-left", {"fill": "none"}, ["An empty column takes a king"]),
        (
            "single-left",
            {"build": "suit", "passes": "2", "draw": "3"},
            ["in suit", "2 passes", "3"],
        ),
        ("single-left", {"build": "any", "ranks": "12"}, ["regardless of suit", "from A to Q"]),
    ],
)
def test_the_ruling_in_force_names_its_options(
    name: str, changes: dict[str, str], words: list[str]
) -> None:
    ruling = get_game(name).with_options(changes).ruling()
    text = " ".join(ruling)
    for word in words:
        assert word in text
    assert all(part.strip() == part and part.endswith(".") for part in ruling)
    assert "None" not in text
