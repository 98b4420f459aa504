"""The reductions of the Klondike family, position by position.

The search under a set of reductions is sound if a position that can be won never loses its last
winning way by them. On small decks that is checked at *every* position that play can reach, not
at the start alone: its whole graph is made without reductions, what can be won is worked out
backwards, and for each such position the moves that are forced lead to one that can be won, it is
not called dead, and some successor that is left can be won.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from rules.errors import OptionError
from rules.families.klondike import KlondikeState
from solver.kernels.klondike.code import Code
from solver.kernels.klondike.successors import expand
from solver.kernels.registers import MARGIN
from solver.reductions.klondike.runs import Board, Position, RunsSpace
from tests.solver.kernels import samples
from tests.solver.reductions.test_klondike import FILLS, small_game

SETS = [
    ("runs", "safe"),
    ("runs", "deal"),
    ("runs", "dead"),
    ("runs", "safe", "deal", "dead"),
]
MOST_POSITIONS = 5_000
Words = tuple[int, int]


class Graph:
    """All positions of a small deal, without reductions, and which of them can be won."""

    def __init__(self, game: Any, state: KlondikeState, most: int = MOST_POSITIONS) -> None:
        self.plain = RunsSpace(game, state, ("runs",))
        self.code = Code(self.plain.layout)
        words, out = self.code.array(("runs",)), np.zeros((MARGIN, 2), np.int64)
        start = self.code.pack(self.plain.start)
        before: dict[Words, list[Words]] = {start: []}
        pending = [start]
        while pending and len(before) <= most:
            here = pending.pop()
            for row in out[: expand(words, *here, out)].tolist():
                after = row[0], row[1]
                if after not in before:
                    before[after] = []
                    pending.append(after)
                before[after].append(here)
        self.whole = not pending
        self.positions = list(before)
        won = [here for here in before if self.plain.is_won(self.code.unpack(*here))]
        self.won = set(won)
        while won:
            for here in before[won.pop()]:
                if here not in self.won:
                    self.won.add(here)
                    won.append(here)

    def can_be_won(self, position: Position) -> bool:
        return self.code.pack(position) in self.won

    def faults(self, names: tuple[str, ...], most: int) -> Iterator[Position]:
        """Positions that can be won, but not with the moves that *names* leave."""
        space = RunsSpace(self.plain.game, self.plain.state, names, self.plain.layout)
        found = [here for here in self.positions if here in self.won]
        for here in random.Random(len(found)).sample(found, min(most, len(found))):
            position = self.code.unpack(*here)
            board = Board(self.plain.layout, position)
            space._settle(board)
            settled = board.position()
            ahead = (after for _, after in space.successors(settled))
            if not self.can_be_won(settled) or (
                not space.is_won(settled) and not any(map(self.can_be_won, ahead))
            ):
                yield position


def graphs(seed: int, count: int) -> Iterator[Graph]:
    """Random small deals of all lists of fills, of which neither all nor nothing can be won."""
    rng = random.Random(seed)
    while count:
        ranks, columns = rng.choice((3, 4, 4, 5, 5, 6)), rng.choice((2, 3, 3, 4, 4, 5))
        try:
            game = small_game(rng.choice(FILLS), ranks, columns)
        except OptionError:  # more cards than the deck has
            continue
        graph = Graph(game, game.initial(samples.deck(rng, ranks)))
        if graph.whole and 0 < len(graph.won) < len(graph.positions):
            count -= 1
            yield graph


def assert_no_faults(seed: int, deals: int, positions: int) -> None:
    for graph in graphs(seed, deals):
        for names in SETS:
            for fault in graph.faults(names, positions):
                layout = graph.plain.layout
                pytest.fail(f"{','.join(names)} loses {fault} of {layout.fill} {layout.columns}")


def test_no_position_loses_its_last_win() -> None:
    assert_no_faults(seed=1, deals=12, positions=40)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 22))
def test_no_position_loses_its_last_win_at_length(seed: int) -> None:
    assert_no_faults(seed, deals=150, positions=1_000)
