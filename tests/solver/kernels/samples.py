"""Random small games, decks and states for the kernels' tests, by seed."""

from __future__ import annotations

import random
from typing import Any

from rules.cards import RANKS
from rules.decks import Deck
from rules.errors import OptionError
from rules.families.decade import Decade, DecadeState
from rules.families.pairing import Pairing, PairingState, show_rank_set
from rules.game import Game


def deck(rng: random.Random, ranks: int) -> Deck:
    return Deck.numbered(rng.randrange(1 << 64), ranks)


def pairing(rng: random.Random) -> tuple[Pairing, PairingState]:
    ranks = rng.randint(1, 6)
    letters = RANKS[:ranks]
    sets = {
        tuple(sorted(rng.choices(range(1, ranks + 1), k=rng.randint(1, 4))))
        for _ in range(rng.randint(1, 6))
    }
    must_go = letters if rng.random() < 0.5 else rng.sample(letters, rng.randint(1, ranks))
    game = Pairing(
        "random",
        {
            "slots": rng.randint(1, 9),
            "ranks": ranks,
            "removable": [show_rank_set(ranks) for ranks in sorted(sets)],
            "must_go": list(must_go),
        },
    )
    return game, game.initial(deck(rng, ranks))


def decade(rng: random.Random, **fixed: Any) -> tuple[Decade, DecadeState]:
    """A game with random options, some of them *fixed*, and its state after the opening."""
    while True:
        ranks = rng.randint(1, 5)
        several = rng.random() < 0.5
        small = rng.random() < 0.7
        forced = rng.random() < 0.6
        least = rng.randint(1, 3)
        options: dict[str, Any] = {
            "ranks": ranks,
            "sums": sorted(rng.sample(range(14 if small else 31), rng.randint(1, 4))),
            "group_min": least,
            "group_max": rng.choice(["none", least, least + 1, least + 2]),
            "loop": rng.random() < 0.5,
            "where": rng.choice(["anywhere", "top"]),
            "stacks": rng.randint(2, 4) if several else 1,
            "forced": forced,
            "opening": rng.choice(["none", 1, 2, 5, 9]),
            "returns": rng.random() < 0.2,
            "win_at": 0 if several else rng.choice([0, 0, 1, 3]),
            "values": [rng.randint(0 if rng.random() < 0.3 else 1, 7) for _ in range(13)]
            if small
            else [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10],
            "choice": "first" if forced and rng.random() < 0.15 else "free",
        }
        options.update(fixed)
        try:
            game = Decade("random", options)
        except OptionError:
            continue
        return game, game.initial(deck(rng, game.ranks))


def wander(rng: random.Random, game: Game[Any], state: Any, most: int) -> Any:
    """A state up to *most* random moves on."""
    for _ in range(rng.randint(0, most)):
        after = [step[1] for step in game.successors(state)]
        if not after:
            break
        state = rng.choice(after)
    return state
