"""Fewest cards: stop as soon as a line leaves no more than arithmetic says must be left.

*Holds for* Decade with one stack and no returns.

*What is left out.* The rest of the search, once a line was found that leaves exactly as many
cards as the lower bound below: its *floor*. (Without this reduction the floor is 0.)

*Why it is sound.* Let the position that the search begins at hold n cards, on the table and in
the stock together, of total value T, and let a line leave m cards, total t, with the stock used
up. Everything else was discarded in groups.

1. Each group totals one of the ``sums``, so d = gcd(sums) divides T − t (for d = 0, T = t).
2. If every group has exactly k cards, k divides n − m.
3. The m cards are a selection from the n cards at hand.

The floor is the least m ≥ 0 for which some m of the n cards meet 1. and 2. No line leaves
fewer, so a line that leaves the floor settles ``fewest_left``. It settles the verdict too: with
one stack a position is won exactly if the stock is used up and at most ``win_at`` cards are
left; if the floor is at most ``win_at`` the line found is a win, and if it is more, no line is.

*Why the conditions.* With several stacks a win may leave cards in the stock, which breaks
1. and 2. With returns discarded cards come back. Where sizes vary, 2. says nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any, Final

from rules.families.decade import Decade
from rules.game import Game

NAME: Final = "floor"
SUMMARY: Final = "stop when no fewer cards can be left, by remainders"


def applies(game: Game) -> bool:
    """Whether the argument holds for *game*."""
    return isinstance(game, Decade) and game.stacks == 1 and not game.returns


def floor(game: Decade, cards: Iterable[Any]) -> int:
    """The fewest of *cards* (all that are on the table and in the stock) any line leaves."""
    size = game.group_min if game.group_min == game.group_max else 1
    return least_left([game.value(card) for card in cards], math.gcd(*game.sums), size)


def least_left(values: Sequence[int], divisor: int, size: int) -> int:
    """Least m for which *size* divides n − m and *divisor* divides what the others total.

    ``reached[m]``: a bit for each total (modulo *divisor*, if it is not 0) that m cards have.
    """
    modulus = divisor or sum(values) + 1
    target = 1 << sum(values) % modulus
    every = (1 << modulus) - 1
    reached = [1] + [0] * len(values)
    for count, value in enumerate(values, 1):
        shift = value % modulus
        for m in range(count, 0, -1):
            bits = reached[m - 1] << shift
            reached[m] |= (bits | bits >> modulus) & every
    return next(
        m for m in range(len(values) + 1) if (len(values) - m) % size == 0 and reached[m] & target
    )
