"""Exact odds: against every order of small decks, against play, and the known fractions."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest

from rules import Card, Deck, get_game
from rules.errors import GameError
from rules.families.pairing import Pairing
from rules.game import Game
from solver.odds import Odds, OddsError, cards_removed, odds, survey_command
from solver.search.playout import play_out
from solver.verdict import NO_LIMITS, Verdict

KNOWN = {
    "block-ten": Fraction(
        184179998112387131822083775208398369239, 5062432964103637955463091514989482421875
    ),
    "ten-by-one": Fraction(
        32873507824394829263824705763101433, 1633817947598706127059754262075390625
    ),
}


def orders(ranks: int) -> Iterator[tuple[int, ...]]:
    """Every sequence of ranks that a deck of *ranks* ranks can have."""

    def extend(prefix: list[int], left: list[int]) -> Iterator[tuple[int, ...]]:
        if len(prefix) == 4 * ranks:
            yield tuple(prefix)
            return
        for rank in range(ranks):
            if left[rank]:
                left[rank] -= 1
                prefix.append(rank + 1)
                yield from extend(prefix, left)
                prefix.pop()
                left[rank] += 1

    return extend([], [4] * ranks)


def cards_of(order: tuple[int, ...]) -> Deck:
    suits: Counter[int] = Counter()
    cards = []
    for rank in order:
        cards.append(Card.of(rank, suits[rank]))
        suits[rank] += 1
    return Deck.of(cards, max(order))


def play_literally(game: Pairing, order: tuple[int, ...]) -> tuple[bool, int]:
    """The ruling word for word on bare ranks: (won, cards removed when play is over)."""
    slots: list[int | None] = list(order[: game.slots])
    stock = list(order[game.slots :])
    removed = 0
    moving = True
    while moving:
        moving = False
        for ranks in game.removable:
            places: list[int] = []
            for rank in ranks:
                for place, card in enumerate(slots):
                    if card == rank and place not in places:
                        places.append(place)
                        break
            if len(places) == len(ranks):
                moving = True
                removed += len(places)
                for place in sorted(places):
                    slots[place] = stock.pop(0) if stock else None
    left = [card for card in slots if card is not None] + stock
    return not any(card in game.must_go for card in left), removed


def brute_force(game: Pairing) -> tuple[Fraction, dict[int, Fraction]]:
    wins = total = 0
    removed: Counter[int] = Counter()
    for order in orders(game.ranks):
        won, count = play_literally(game, order)
        wins += won
        removed[count] += 1
        total += 1
    return Fraction(wins, total), {
        count: Fraction(many, total) for count, many in sorted(removed.items())
    }


def small(ranks: int, slots: int, removable: list[str], must_go: list[str]) -> Pairing:
    options: dict[str, Any] = {
        "ranks": ranks, "slots": slots, "removable": removable, "must_go": must_go,
    }  # fmt: skip
    return Pairing("small", options)


SETS_OF_TWO = (
    ["A+2"], ["A+A"], ["A"], ["A+A", "2+2"], ["A", "2"], ["Ax4"], ["Ax3", "2"], ["A+A+2"],
    ["A+2+2+2"], ["Ax4", "2+2"], ["A+A+2+2"], ["Ax3", "2x4"], ["2"],
)  # fmt: skip


@pytest.mark.parametrize("removable", SETS_OF_TWO, ids=" ".join)
@pytest.mark.parametrize("must_go", [["A"], ["2"], ["A", "2"]], ids="+".join)
def test_every_order_of_two_ranks(removable: list[str], must_go: list[str]) -> None:
    for slots in range(1, 10):
        game = small(2, slots, removable, must_go)
        exact = odds(game)
        winning, removed = brute_force(game)
        assert exact.winning == winning
        assert exact.distribution == removed
        assert exact.no_move == removed.get(0, 0)
        assert exact.mean_removed == sum(count * part for count, part in removed.items())


@pytest.mark.parametrize(
    ("slots", "removable", "must_go"),
    [
        (4, ["A+2"], ["A", "2"]),
        (5, ["A+2", "3+3"], ["A", "2", "3"]),
        (4, ["A+A", "2+2", "3"], ["A", "2"]),
        (6, ["A+2+3"], ["A", "2", "3"]),
        (5, ["A", "2+3+3"], ["A", "2", "3"]),
        (3, ["A", "2", "3x4"], ["A", "2"]),
        (4, ["A+A", "2+2", "3+3"], ["A", "3"]),
        (7, ["Ax4", "2x4", "3x3"], ["A"]),
        (12, ["A+A+3"], ["A"]),
    ],
)
def test_every_order_of_three_ranks(slots: int, removable: list[str], must_go: list[str]) -> None:
    game = small(3, slots, removable, must_go)
    exact = odds(game)
    assert (exact.winning, exact.distribution) == brute_force(game)


def test_the_literal_play_is_the_rules_play() -> None:
    """The brute force above, `cards_removed` and the families' own states agree."""
    random.seed(5)
    for _ in range(300):
        removable = random.choice(SETS_OF_TWO)
        game = small(2, random.randint(1, 9), removable, random.choice([["A"], ["2"], ["A", "2"]]))
        order = [1] * 4 + [2] * 4
        random.shuffle(order)
        deck = cards_of(tuple(order))
        won, removed = play_literally(game, tuple(order))
        outcome, _ = play_out(game, game.initial(deck), NO_LIMITS)
        assert (outcome.verdict is Verdict.WINNABLE) == won
        assert cards_removed(game, deck) == removed
        state = game.initial(deck)
        while (step := next(game.successors(state), None)) is not None:
            state = step[1]
        left = sum(card is not None for card in state.slots) + len(state.stock)
        assert 8 - left == removed


@pytest.mark.parametrize("name", ["block-ten", "ten-by-one", "tens"])
def test_cards_removed_is_what_play_removes(name: str) -> None:
    game = get_game(name)
    for number in range(60):
        deck = Deck.numbered(number)
        state = game.initial(deck)
        while (step := next(game.successors(state), None)) is not None:
            state = step[1]
        left = sum(card is not None for card in state.slots) + len(state.stock)
        assert cards_removed(game, deck) == 52 - left


@pytest.mark.parametrize("name", sorted(KNOWN))
def test_the_known_fractions(name: str) -> None:
    exact = odds(get_game(name))
    assert exact.winning == KNOWN[name]
    assert exact.shuffles == math.factorial(52)
    assert sum(exact.distribution.values()) == 1


def test_changed_options_change_the_odds() -> None:
    """More slots never hurt: each deal that ends with fewer ends at least as well with more."""
    base = get_game("block-ten").with_options({"ranks": "5"})
    chances = [odds(base.with_options({"slots": str(slots)})).winning for slots in range(1, 21)]
    assert chances == sorted(chances)
    assert chances[0] == 0
    assert chances[-1] == 0  # with five ranks A to 4 have no partners


def test_the_median_deal_is_a_fair_sample() -> None:
    """2,000 deals of our numbering lie within five standard errors of the exact figures."""
    game = get_game("tens")
    assert isinstance(game, Pairing)
    exact = odds(game)
    removed = [cards_removed(game, Deck.numbered(number)) for number in range(2_000)]
    for hits, chance in (
        (removed.count(52), float(exact.winning)),
        (removed.count(0), float(exact.no_move)),
    ):
        error = math.sqrt(2_000 * chance * (1 - chance))
        assert abs(hits - 2_000 * chance) < 5 * error


@pytest.mark.parametrize(
    ("game", "command"),
    [
        (get_game("decade"), "dealproof survey decade 1-10000"),
        (get_game("single-left"), "dealproof survey single-left 1-10000"),
        (get_game("ten-twenty-thirty"), "dealproof survey ten-twenty-thirty 1-10000"),
        (
            get_game("tens").with_options({"removable": "A+9,A+A", "slots": "8"}),
            "dealproof survey tens -o slots=8 -o removable=A+9,A+A 1-10000",
        ),
        (Pairing("mine", {"removable": ["A+9", "A+A"]}), "dealproof survey --rules FILE 1-10000"),
    ],
)
def test_games_without_exact_odds_name_the_survey(game: Any, command: str) -> None:
    assert survey_command(game) == command
    with pytest.raises(GameError) as caught:
        odds(game)
    assert str(caught.value).endswith(command)
    assert "\n" not in str(caught.value)


def test_a_walk_that_is_too_large_is_refused() -> None:
    with pytest.raises(OddsError, match="more than 1,000 states"):
        odds(get_game("tens"), most_states=1_000)
    ranks = "A+2+3+4+5+6+7+7+8+8+9+9+T+T+J+J+Q+Q+K+K"
    many = Pairing(
        "many", {"removable": [ranks], "must_go": ["A", "2", "3", "7", "8", "9"], "slots": 50}
    )
    with pytest.raises(OddsError, match="too many states"):
        odds(many)
    alike = Pairing("alike", {"slots": 30, "removable": ["A+2+3", "4+5+6", "7+8+9", "T+J+Q"]})
    assert odds(alike.with_options({"slots": "3"})).no_move > 0


# Against simulation --------------------------------------------------------------------------


def simulated(game: Pairing, first: int, deals: int) -> tuple[int, Counter[int]]:
    """Deals won, and deals by cards removed, of *deals* deals of our own numbering."""
    from solver.kernels.pairing import survey_own

    won, removed = 0, Counter[int]()
    while deals:
        size = min(deals, 100_000)
        found = survey_own(game, first, size)
        won += int(found.won.sum())
        removed.update(found.removed.tolist())
        first, deals = first + size, deals - size
    return won, removed


def hold_against_simulation(game: Game[Any], exact: Odds, deals: int) -> None:
    """Wins and dead deals within four standard errors; the distribution by chi-square."""
    assert isinstance(game, Pairing)
    won, removed = simulated(game, 1, deals)
    assert removed.total() == deals
    for hits, chance in ((won, exact.winning), (removed[0], exact.no_move)):
        share = float(chance)
        assert abs(hits - deals * share) < 4 * math.sqrt(deals * share * (1 - share))
    expected = {count: deals * float(part) for count, part in exact.distribution.items()}
    assert set(removed) <= set(expected)
    common = [count for count, many in expected.items() if many >= 10]
    rare = set(expected) - set(common)
    cells = [(removed[count], expected[count]) for count in common]
    cells.append((sum(removed[c] for c in rare), max(1.0, sum(expected[c] for c in rare))))
    square = sum((seen - many) ** 2 / many for seen, many in cells)
    freedom = len(cells) - 1
    assert square < freedom + 4 * math.sqrt(2 * freedom)


@pytest.mark.parametrize("name", ["block-ten", "ten-by-one", "tens"])
def test_two_hundred_thousand_deals(name: str) -> None:
    hold_against_simulation(get_game(name), odds(name), 200_000)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["block-ten", "ten-by-one", "tens"])
def test_ten_million_deals(name: str) -> None:
    hold_against_simulation(get_game(name), odds(name), 10_000_000)


def test_the_comparison_notices_a_rule_that_is_a_little_off() -> None:
    """Odds of nine slots do not pass for a game of ten."""
    ten = get_game("block-ten").with_options({"slots": "10"})
    with pytest.raises(AssertionError):
        hold_against_simulation(ten, odds("block-ten"), 20_000)
    hold_against_simulation(ten, odds(ten), 20_000)
