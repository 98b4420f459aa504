"""Estimates that order a search; none of them can change a verdict.

``moves_needed`` is a lower bound on the moves to a win, and never falls by more than one
from a state to its successor; `solver.search.shortest` rests on that. ``promise`` is a mere
guess: smaller is nearer to a win; `solver.search.best_first` goes by it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rules.families.decade import Decade, DecadeState
from rules.families.klondike import Klondike, KlondikeState
from rules.families.pairing import Pairing, PairingState
from rules.game import Game


def moves_needed(game: Game[Any]) -> Callable[[Any], int]:
    """The lower bound for *game*, as a function of its states.

    Klondike: every card not on a foundation takes a move there, and a move brings one. Pairing:
    every removal takes at most the largest set of the cards that must go. Decade, one stack:
    every card of the stock is dealt by a move of its own; else 0.
    """
    if isinstance(game, Klondike):
        size = game.deck_size

        def left(state: KlondikeState) -> int:
            return size - sum(state.foundations)

        return left
    if isinstance(game, Pairing):
        largest = max((len(ranks) for ranks in game.removable), default=1)
        must_go = game.must_go

        def pairing(state: PairingState) -> int:
            count = sum(card is not None and card.rank in must_go for card in state.slots)
            count += sum(card.rank in must_go for card in state.stock)
            return -(-count // largest)

        return pairing
    if isinstance(game, Decade) and game.stacks == 1 and not game.returns:

        def decade(state: DecadeState) -> int:
            return len(state.stock)

        return decade
    return lambda state: 0


def promise(game: Game[Any]) -> Callable[[Any, int], float]:
    """The guess for *game*, as a function of a state and the moves made so far."""
    if isinstance(game, Klondike):
        return _left_promise
    needed = moves_needed(game)
    if isinstance(game, Decade):

        def decade(state: DecadeState, moves: int) -> float:
            return len(state.stock) + sum(len(stack) for stack in state.stacks if stack)

        return decade
    return lambda state, moves: needed(state)


def _left_promise(state: KlondikeState, moves: int) -> float:
    """Cards to bring up, face-down cards, cards stuck under higher ones of their suit."""
    up = 52 - sum(state.foundations)
    down = sum(len(column[0]) for column in state.columns)
    blocked = 0
    for hidden, run in state.columns:
        lowest = [14, 14, 14, 14]
        for card in hidden + run:
            if lowest[card.suit] < card.rank:
                continue
            lowest[card.suit] = card.rank
        for place, card in enumerate(hidden):
            blocked += sum(1 for over in hidden[place + 1 :] + run if over.rank > card.rank)
    return up + 3.0 * down + 0.3 * blocked + 1.5 * len(state.waste) + 0.05 * moves
