"""The contest form of Ten-Twenty-Thirty (UVa problem 246): value lists in, three words out.

The input is a list of whole numbers: decks of 52 values (1 to 9 four times each, 10 sixteen
times), the first card dealt first, and a 0 after the last deck. The answer has a line for
each deck: ``Win : 66``, ``Loss: 82`` or ``Draw: 73``, with the number of cards dealt.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from typing import Final, Literal

from rules.cards import Card
from rules.decks import Deck
from rules.errors import DeckError
from rules.game import Game
from rules.registry import get_game
from rules.words import brief

Ending = Literal["won", "lost", "drawn"]

WORDS: Final = {"won": "Win ", "lost": "Loss", "drawn": "Draw"}
_MOST_DECKS: Final = 10_000
_COUNTS: Final = {value: 4 if value < 10 else 16 for value in range(1, 11)}
_CARDS: Final = {  # the cards of a value, in the order in which they are given out
    value: tuple(
        Card.of(rank, suit)
        for rank in (range(10, 14) if value == 10 else (value,))
        for suit in range(4)
    )
    for value in range(1, 11)
}


def read_contest(text: str) -> list[Deck]:
    """The decks of a contest input; ranks of the tens and all suits are given out in order.

    The n-th card of a value is the n-th of A♣ A♦ A♥ A♠ (and so on), tens T♣ … T♠ J♣ … K♠.
    Raises `DeckError` naming the deck and the value that is wrong.
    """
    tokens = text.lstrip("\ufeff").split()
    decks: list[Deck] = []
    while True:
        where = f"deck {len(decks) + 1}"
        start = 52 * len(decks)
        if start == len(tokens):
            raise DeckError(f"{where}: the 0 that ends the list is missing")
        if tokens[start] == "0":
            break
        if len(decks) == _MOST_DECKS:
            raise DeckError(f"more than {_MOST_DECKS} decks")
        decks.append(_deck(tokens[start : start + 52], where))
    if len(tokens) > start + 1:
        raise DeckError(
            f"{brief(tokens[start + 1])} follows the 0 that ends the list "
            f"(after {len(decks)} decks of 52 values)"
        )
    return decks


def _deck(tokens: list[str], where: str) -> Deck:
    used: Counter[int] = Counter()
    cards = []
    for number, token in enumerate(tokens, 1):
        value = int(token) if token.isascii() and token.isdecimal() and len(token) < 4 else -1
        if value == 0:
            raise DeckError(f"{where}: it ends after {number - 1} values, a deck has 52")
        if value not in _COUNTS:
            raise DeckError(f"{where}, card {number}: {brief(token)} is not a value 1 to 10")
        if used[value] == _COUNTS[value]:
            raise DeckError(
                f"{where}, card {number}: {value} comes more than {_COUNTS[value]} times"
            )
        cards.append(_CARDS[value][used[value]])
        used[value] += 1
    if len(cards) < 52:
        raise DeckError(f"{where}: it ends after {len(cards)} values, a deck has 52")
    return Deck.of(cards)


def play_contest(deck: Deck, game: Game | None = None) -> tuple[Ending, int]:
    """How *deck* ends, and how many cards are dealt until then (opening included).

    *game* is ``ten-twenty-thirty`` or another decade game in which nothing is chosen.
    """
    game = game or get_game("ten-twenty-thirty")
    state = game.initial(deck)
    dealt = sum(len(stack) for stack in state.stacks)
    seen: set[Hashable] = set()
    while not game.is_won(state):
        key = game.key(state)
        if key in seen:
            return "drawn", dealt
        seen.add(key)
        step = next(game.successors(state), None)
        if step is None:
            return "lost", dealt
        dealt += len(step[0].shown)
        state = step[1]
    return "won", dealt


def contest_answer(ending: Ending, dealt: int) -> str:
    """One line of the answer: ``Win : 66``."""
    return f"{WORDS[ending]}: {dealt}"
