"""The compiled shuffle is the numbering of `rules.decks`."""

from __future__ import annotations

import random

import pytest

from rules.decks import Deck
from solver.kernels.shuffle import numbered

EDGES = (0, 1, 2**32 - 1, 2**32, 2**63 - 1, 2**63, 2**64 - 1)


@pytest.mark.parametrize("ranks", range(1, 14))
def test_numbered_is_the_rules_numbering(ranks: int) -> None:
    rng = random.Random(ranks)
    for number in (*EDGES, *(rng.randrange(1 << 64) for _ in range(200))):
        assert tuple(numbered(number, ranks)) == tuple(map(int, Deck.numbered(number, ranks)))
