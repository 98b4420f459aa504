"""The contest form of Ten-Twenty-Thirty: the sample, faults in the input, agreement."""

from __future__ import annotations

from pathlib import Path

import pytest

from rules import Deck, DeckError, get_game
from rules.contest import contest_answer, play_contest, read_contest
from solver.search.playout import play_out
from solver.verdict import NO_LIMITS

FIXTURES = Path(__file__).parent.parent.parent / "fixtures"
SAMPLE = (FIXTURES / "uva246.in").read_text(encoding="ascii")
ANSWER = (FIXTURES / "uva246.out").read_text(encoding="ascii")
ONE = SAMPLE.split()[:52]


def answer_contest(text: str) -> str:
    return "".join(contest_answer(*play_contest(deck)) + "\n" for deck in read_contest(text))


def test_the_sample_gives_exactly_the_published_answer() -> None:
    assert answer_contest(SAMPLE) == ANSWER == "Win : 66\nLoss: 82\nDraw: 73\n"


def test_values_survive_and_cards_are_given_out_in_order() -> None:
    game = get_game("ten-twenty-thirty")
    for number, deck in enumerate(read_contest(SAMPLE)):
        values = [str(game.value(card)) for card in deck]
        assert values == SAMPLE.split()[52 * number : 52 * (number + 1)]
        for value in range(1, 11):
            cards = [card for card in deck if game.value(card) == value]
            assert cards == sorted(cards)


def by_hand(values: list[int]) -> tuple[str, int]:
    """The contest's game once more, on bare values, written from its statement alone."""
    hand = list(values)
    piles: list[list[int]] = [[] for _ in range(7)]
    live = list(range(7))
    dealt = at = 0
    seen = set()
    while live:
        if not hand:
            return "lost", dealt
        number = live[at % len(live)]
        at = at % len(live)
        pile = piles[number]
        pile.append(hand.pop(0))
        dealt += 1
        while len(pile) >= 3:
            for picked in ((0, 1, -1), (0, -2, -1), (-3, -2, -1)):
                cards = [pile[i] for i in picked]
                if sum(cards) in (10, 20, 30):
                    for i in sorted(i % len(pile) for i in picked)[::-1]:
                        del pile[i]
                    hand += cards
                    break
            else:
                break
        if pile:
            at += 1
        else:
            live.remove(number)
        now = (tuple(map(tuple, piles)), tuple(hand), live[at % len(live)] if live else None)
        if now in seen:
            return "drawn", dealt
        seen.add(now)
    return "won", dealt


def test_a_second_implementation_agrees_on_many_deals() -> None:
    game = get_game("ten-twenty-thirty")
    endings = set()
    for deck in [*read_contest(SAMPLE), *(Deck.numbered(number) for number in range(60))]:
        ending, dealt = play_contest(deck)
        assert (ending, dealt) == by_hand([game.value(card) for card in deck]), str(deck)
        endings.add(ending)
    assert endings == {"won", "lost", "drawn"}


def test_the_solver_plays_it_the_same_way() -> None:
    game = get_game("ten-twenty-thirty")
    for number in range(25):
        deck = Deck.numbered(number)
        outcome, ending = play_out(game, game.initial(deck), NO_LIMITS)
        assert outcome.line is not None
        dealt = 1 + sum(len(move.shown) for move in outcome.line)
        assert (ending, dealt) == play_contest(deck), number


def test_suits_do_not_matter() -> None:
    """Dealing the tens out the other way round changes no answer."""
    for deck in read_contest(SAMPLE):
        tens = [card for card in deck if card.rank >= 10]
        other = dict(zip(tens, reversed(tens), strict=True))
        turned = type(deck).of(other.get(card, card) for card in deck)
        assert play_contest(turned) == play_contest(deck)


def test_another_game_without_choices_can_be_played() -> None:
    game = get_game("ten-twenty-thirty").with_options({"returns": "false"})
    ending, dealt = play_contest(read_contest(SAMPLE)[0], game)
    assert (ending, dealt) == ("lost", 52)
    assert contest_answer(ending, dealt) == "Loss: 52"


def test_an_empty_list_has_an_empty_answer() -> None:
    assert answer_contest("0") == answer_contest("\ufeff 0\r\n") == ""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "deck 1: the 0 that ends the list is missing"),
        (" ".join(ONE), "deck 2: the 0 that ends the list is missing"),
        (" ".join([*ONE, "5", "0"]), "deck 2: it ends after 1 values, a deck has 52"),
        (" ".join(ONE[:51]), "deck 1: it ends after 51 values, a deck has 52"),
        (" ".join([*ONE[:51], "0"]), "deck 1: it ends after 51 values, a deck has 52"),
        (" ".join([*ONE[:9], "11", *ONE[10:], "0"]), "deck 1, card 10: '11' is not a value 1 to"),
        (" ".join([*ONE, *ONE[:3], "-1", "0"]), "deck 2, card 4: '-1' is not a value 1 to 10"),
        (" ".join([*ONE[:3], "A", *ONE[4:], "0"]), "deck 1, card 4: 'A' is not a value 1 to 10"),
        (" ".join([*ONE[:3], "1" * 99, "0"]), "deck 1, card 4: '1111"),
        (" ".join(["2"] * 52 + ["0"]), "deck 1, card 5: 2 comes more than 4 times"),
        (" ".join(["10"] * 52 + ["0"]), "deck 1, card 17: 10 comes more than 16 times"),
        (" ".join([*ONE, "0", "7"]), r"'7' follows the 0 that ends the list \(after 1 decks"),
    ],
)
def test_faults_are_named(text: str, message: str) -> None:
    with pytest.raises(DeckError, match=message) as caught:
        answer_contest(text)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 150


def test_the_number_of_decks_is_bounded() -> None:
    with pytest.raises(DeckError, match="more than 10000 decks"):
        read_contest(" ".join(ONE * 10_001 + ["0"]))
