"""Brute force over the rules: every reachable state, no keys, no reductions, no cleverness."""

from __future__ import annotations

import random
from collections import deque
from typing import Any

from rules import Deck, Game, get_game
from rules.cards import CARDS
from solver.search.depth_first import search
from solver.search.space import GameSpace
from solver.verdict import Verdict


def reachable(game: Game[Any], start: Any) -> dict[Any, int]:
    """Every state that legal play reaches from *start*, with the fewest moves to it."""
    distance = {start: 0}
    queue = deque([start])
    while queue:
        state = queue.popleft()
        for _, after in game.successors(state):
            if after not in distance:
                distance[after] = distance[state] + 1
                queue.append(after)
    return distance


def fates(game: Game[Any], start: Any) -> dict[Any, tuple[bool, int | None]]:
    """For every reachable state: whether it can be won, and the fewest cards left from it."""
    states = list(reachable(game, start))
    before: dict[Any, list[Any]] = {state: [] for state in states}
    for state in states:
        for _, after in game.successors(state):
            before[after].append(state)

    def back(ends: list[Any]) -> set[Any]:
        found, pending = set(ends), list(ends)
        while pending:
            for state in before[pending.pop()]:
                if state not in found:
                    found.add(state)
                    pending.append(state)
        return found

    won = back([state for state in states if game.is_won(state)])
    left: dict[Any, int] = {}
    if game.counts_cards:
        ends: dict[int, list[Any]] = {}
        for state in states:
            count = game.cards_left(state)
            if count is not None:
                ends.setdefault(count, []).append(state)
        for count in sorted(ends):
            for state in back(ends[count]):
                left.setdefault(state, count)
    return {state: (state in won, left.get(state)) for state in states}


def truth(game: Game[Any], start: Any) -> tuple[bool, int | None, int | None]:
    """Whether the deal can be won, the fewest moves to a win, the fewest cards left."""
    distance = reachable(game, start)
    wins = [moves for state, moves in distance.items() if game.is_won(state)]
    left = [count for state in distance if (count := game.cards_left(state)) is not None]
    fewest = min(left, default=None) if game.counts_cards else None
    return bool(wins), min(wins, default=None), fewest


def shuffled(rng: random.Random, ranks: int, packs: int = 1) -> Deck:
    cards = list(CARDS[: 4 * ranks] * packs)
    rng.shuffle(cards)
    return Deck.of(cards, ranks, packs)


SMALL = {
    "pairing with decisions": (
        "ten-by-one",
        {"ranks": "5", "slots": "4", "removable": "A+4,2+3,A+A,5,4+4", "must_go": "A,2,3,4"},
    ),
    "pairing without": ("block-ten", {"ranks": "9", "slots": "5"}),
    "decade": ("decade", {"ranks": "4", "sums": "5,10"}),
    "decade loop three": ("decade-loop-three", {"ranks": "4", "sums": "5,10"}),
    "decade free": ("decade", {"ranks": "3", "sums": "4,9", "forced": "false"}),
    "decade stacks": ("decade-seven-loop", {"ranks": "4", "stacks": "3", "sums": "5,10"}),
    "decade returns": ("decade", {"ranks": "3", "sums": "3,4", "stacks": "2", "returns": "true"}),
    "left": ("single-left", {"ranks": "3", "columns": "4"}),
    "left next": ("single-left-next", {"ranks": "3", "columns": "4"}),
    "left all": ("single-left", {"ranks": "3", "columns": "4", "fill": "stock,next-column,waste"}),
    "left none": ("single-left", {"ranks": "3", "columns": "4", "fill": "none"}),
    "left passes": ("single-left", {"ranks": "3", "columns": "4", "passes": "2", "draw": "2"}),
}
"""Small decks of every family, chosen so that brute force takes milliseconds."""


def mixed_decks(name: str, each: int) -> list[Deck]:
    """*each* decks that the plain search calls winnable and as many that it calls lost.

    The search only chooses the sample; the tests hold it against `truth`.
    """
    game, rng = small(name), random.Random(name)
    found: dict[Verdict, list[Deck]] = {Verdict.WINNABLE: [], Verdict.UNWINNABLE: []}
    while min(map(len, found.values())) < each:
        deck = shuffled(rng, game.ranks)
        verdict = search(GameSpace(game, game.initial(deck))).verdict
        if len(found[verdict]) < each:
            found[verdict].append(deck)
    return [deck for decks in found.values() for deck in decks]


def small(name: str) -> Game[Any]:
    base, options = SMALL[name]
    return get_game(base).with_options(options)
