"""Cards: the text forms that are read, the one that is printed, and what is refused."""

from __future__ import annotations

import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import Card, CardError
from rules.cards import CARDS, RANKS, SUITS, SYMBOLS, parse_rank


@pytest.mark.parametrize("card", CARDS)
def test_every_form_of_a_card_is_read(card: Card) -> None:
    rank, suit = RANKS[card.rank - 1], SUITS[card.suit]
    outline = "♧♢♡♤"[card.suit]
    filled = SYMBOLS[card.suit]
    for name in {rank, "10"} if rank == "T" else {rank}:
        for sign in (suit, filled, outline, *(f"{s}{v}" for s in filled + outline for v in "︎️")):
            for text in (name + sign, (name + sign).lower(), f"  {name}{sign}\t"):
                assert Card.parse(text) is card
    assert str(card) == f"{card}" == rank + suit
    assert card.pretty == rank + filled
    assert Card.parse(card.pretty) is card
    assert repr(card) == f"Card('{rank}{suit}')"
    assert f"{card:>4}" == f"  {rank}{suit}"


@pytest.mark.parametrize("card", CARDS)
def test_cards_are_interned_numbers(card: Card) -> None:
    assert Card(int(card)) is card
    assert Card.of(card.rank, card.suit) is card
    assert pickle.loads(pickle.dumps(card)) is card
    assert copy.deepcopy(card) is card
    assert int(card) == (card.rank - 1) * 4 + card.suit
    assert card.is_red == (SUITS[card.suit] in "DH")


@pytest.mark.parametrize("number", [-1, 52, 10**30])
def test_there_are_52(number: int) -> None:
    with pytest.raises(CardError, match=f"a card's number is 0..51, not {number}"):
        Card(number)


@pytest.mark.parametrize(("rank", "suit"), [(0, 0), (14, 0), (1, -1), (1, 4)])
def test_no_other_ranks_and_suits(rank: int, suit: int) -> None:
    with pytest.raises(CardError, match=f"no card has rank {rank} and suit {suit}"):
        Card.of(rank, suit)


@pytest.mark.parametrize(
    "text",
    ["", " ", "A", "S", "1H", "0H", "11H", "SA", "A S", "AX", "AHH", "10", "T", "♠", "♠A", "A♠♠",
     "AH AS", "٣H", "A\ufe0fS", "AH\n2H", "100H", "1 0H"],
)  # fmt: skip
def test_what_is_no_card_is_refused(text: str) -> None:
    with pytest.raises(CardError, match=r"is not a card \(rank A 2..9 T J Q K, then suit C D H S"):
        Card.parse(text)


@pytest.mark.parametrize("text", ["joker", "Joker", "RED JOKER", "*JOKER*"])
def test_jokers_are_refused_as_such(text: str) -> None:
    with pytest.raises(CardError, match="jokers are not part of the deck"):
        Card.parse(text)


@given(st.text())
def test_any_text_is_a_card_or_refused_in_one_short_line(text: str) -> None:
    try:
        card = Card.parse(text)
    except CardError as error:
        message = str(error)
        assert "\n" not in message
        assert len(message) < 120
    else:
        assert Card.parse(str(card)) is card


@pytest.mark.parametrize(
    ("text", "rank"), [("A", 1), (" a ", 1), ("2", 2), ("10", 10), ("t", 10), ("K", 13)]
)
def test_bare_ranks(text: str, rank: int) -> None:
    assert parse_rank(text) == rank


@pytest.mark.parametrize("text", ["", "1", "0", "11", "AS", "B"])
def test_no_rank(text: str) -> None:
    with pytest.raises(CardError, match=r"is not a rank \(A 2..9 T J Q K\)"):
        parse_rank(text)
