"""Each claim of `explain` is true of all that play can reach, and each sentence is understood."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from typing import Any

import pytest
from msgspec import to_builtins

from rules import Deal, Game, Position, get_game
from solver.analysis.explanations import explain
from solver.search.depth_first import search
from solver.search.space import GameSpace
from solver.show.json.analyses import explained
from solver.verdict import NO_LIMITS, Limits
from tests.solver.analysis.claims import SENTENCES, Truth, check, check_play
from tests.solver.brute import SMALL, shuffled

GAMES = SMALL | {
    "pairing in threes": (
        "ten-by-one",
        {"ranks": "5", "slots": "5", "removable": "A+2+3,4+4+4,5", "must_go": "A,2,3,4"},
    ),
    "pairing overlap": (
        "ten-by-one",
        {"ranks": "5", "slots": "5", "removable": "A+2,A+A,2+3,3+4+4,5+5", "must_go": "A,2"},
    ),
    "decade win at one": ("decade", {"ranks": "4", "sums": "5,10", "win_at": "1"}),
    "decade win at three": ("decade", {"ranks": "4", "sums": "5,10", "win_at": "3"}),
    "decade line returns": ("decade", {"ranks": "2", "sums": "5,6", "returns": "true"}),
    "decade returns free": (
        "decade",
        {"ranks": "2", "sums": "3,4", "stacks": "2", "returns": "true", "forced": "false"},
    ),
    "decade played": ("ten-twenty-thirty", {"ranks": "3", "stacks": "3", "sums": "4,5,6"}),
    "left three": ("single-left", {"ranks": "3", "columns": "3", "draw": "3"}),
    "left waste": ("single-left", {"ranks": "3", "columns": "4", "fill": "waste,stock"}),
    "left suit": ("single-left", {"ranks": "3", "columns": "4", "build": "suit"}),
    "klondike": ("klondike", {"ranks": "3", "columns": "4", "draw": "2"}),
    "klondike spaces": (
        "klondike",
        {"ranks": "3", "columns": "4", "passes": "1", "spaces": "any", "returns": "false"},
    ),
    "klondike next": ("trigon-left", {"ranks": "3", "columns": "4"}),
    "klondike two packs": (
        "double-klondike",
        {"ranks": "2", "columns": "5", "draw": "1", "passes": "1"},
    ),
    "yukon": ("yukon", {"ranks": "3", "columns": "4"}),
    "yukon in runs": ("yukon", {"ranks": "3", "columns": "4", "groups": "run"}),
}


def _places(name: str, each: int, most: int) -> Iterator[tuple[Game[Any], Deal | Position, Any]]:
    """*each* deals or positions of play from which at most *most* states can be reached."""
    base, options = GAMES[name]
    game, rng = get_game(base).with_options(options), random.Random(name)
    found = tries = 0
    while found < each and tries < 40 * each:
        tries += 1
        deck = shuffled(rng, game.ranks, game.packs)
        state, line = game.initial(deck), []
        for _ in range(rng.choice((0, 3, 6, 10, 15, 25))):
            ahead = list(game.successors(state))
            if not ahead:
                break
            move, state = rng.choice(ahead)
            line.append(move)
        if _small(game, state, most):
            found += 1
            deal = Deal.of(deck)
            yield (
                game,
                Position.after(game, deal, " ".join(map(str, line))) if line else deal,
                state,
            )
    assert found == each, f"{name}: the sample is too small"


def _small(game: Game[Any], state: Any, most: int) -> bool:
    """Whether at most *most* states can be reached; the search only chooses the sample."""
    space: Any = GameSpace(game, state)
    space.key, space.is_won, space.counts_cards = (lambda s: s), (lambda s: False), False
    return search(space, Limits(None, most, None)).complete


def _faults(name: str, each: int, most: int, used: set[str]) -> list[str]:
    faults = []
    for game, given, state in _places(name, each, most):
        truth = Truth(game, state)
        record = to_builtins(
            explained(explain(game, given, limits=NO_LIMITS, budget=None, depth=3))
        )
        claims = list(check_play(truth, record))
        if record["reasons"] is not None:
            claims += check(truth, record)
            for sentence in record["reasons"]["sentences"]:
                used |= {
                    pattern
                    for pattern, _ in SENTENCES[game.family]
                    if re.fullmatch(pattern, sentence)
                }
        faults += [f"{given.label}: {claim}" for holds, claim in claims if not holds]
    return faults


@pytest.mark.parametrize("name", GAMES)
def test_every_claim_is_true(name: str) -> None:
    assert _faults(name, 4, 200, set()) == []


@pytest.mark.slow
def test_every_claim_is_true_of_many_decks() -> None:
    """And every form of sentence has been met."""
    used: set[str] = set()
    for name in GAMES:
        assert _faults(name, 50, 1_000, used) == []
    assert used == {pattern for forms in SENTENCES.values() for pattern, _ in forms}
