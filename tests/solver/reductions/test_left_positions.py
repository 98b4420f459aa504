"""The reductions of the Left family, position by position.

The search under a set of reductions is sound if a position that can be won never loses its last
winning way by them. On small decks that is checked at *every* position that play can reach, not
at the start alone: its whole graph is made without reductions, what can be won is worked out
backwards, and for each such position the moves that are forced lead to one that can be won, it is
not called dead, and some successor that is left can be won. Conditions that no small deck misses
from its start are missed here.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
import pytest

from rules import replay
from rules.errors import OptionError
from rules.left import LeftState
from rules.move import parse_line
from solver.kernels.left import Code, expand
from solver.kernels.registers import MARGIN
from solver.reductions import safe
from solver.reductions.runs import Board, Position, RunsSpace
from solver.search import search
from solver.space import GameSpace
from solver.verdict import NO_LIMITS, Verdict
from tests.solver.kernels import samples
from tests.solver.reductions.test_left import FILLS, Case, read_case, small_game

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

    def __init__(self, game: Any, state: LeftState, most: int = MOST_POSITIONS) -> None:
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


# Mutants ---------------------------------------------------------------------------------


def _unwanted_by_two_ranks(board: Board, card: Any) -> bool:
    """As `safe.is_unwanted`, but without what the third case says of the own colour."""
    other = min(board.foundations[suit] for suit in ((0, 3) if card.is_red else (1, 2)))
    return card.rank <= 2 or other >= card.rank - 2


def _spare(cards: int) -> Callable[[tuple[str, ...]], int]:
    return lambda fill: cards


class Mutant(NamedTuple):
    """What is put in place of what; a position (deck and moves to it) that it gets wrong."""

    where: Any
    name: str
    instead: Any
    reduction: str
    deck: str
    moves: str


MUTANTS: dict[str, Mutant] = {
    "unwanted: the other card of its own colour": Mutant(
        safe,
        "is_unwanted",
        _unwanted_by_two_ranks,
        "safe",
        "s 4 3 W 4C 4H 2C 3H 4S 3D AS AC 4D AD 3S 2S 2D 3C 2H AH",
        "3D>4C deal AS>F deal AC>F deal deal deal deal 2S>F 3S>F 4S>F deal deal 2C>F deal AH>F "
        "2H>F 3H>F",
    ),
    "bases never go by themselves with next-column": Mutant(
        safe,
        "spare_stock",
        _spare(0),
        "safe",
        "wsn 6 5 W AS 4D AD 5H AH 4S 6H 5D 2S 4C 5C 3S 6D 2D 3D 2H 5S 6S AC 3H 3C 4H 6C 2C",
        "3D>4C deal deal AS>2D deal deal deal 5S>6D deal 3H>4S 2D>3C deal 4H>5S 3S>4H 2S>3D deal "
        "deal 2C>3H",
    ),
    "one card in the stock, not two": Mutant(
        safe,
        "spare_stock",
        _spare(2),
        "safe",
        "sw 3 2 W AD 2S 3D 2C AC 3C AH 3S AS 2D 2H 3H",
        "AD>F deal deal deal deal 2C>3D AS>F",
    ),
}  # fmt: skip


def reach(mutant: Mutant) -> tuple[Case, LeftState]:
    case = read_case(mutant.deck)
    return case, replay(case.game, case.state, parse_line(mutant.moves))[1][-1]


@pytest.mark.parametrize("label", MUTANTS)
def test_a_dropped_condition_is_noticed(label: str, monkeypatch: pytest.MonkeyPatch) -> None:
    mutant = MUTANTS[label]
    case, state = reach(mutant)
    names = ("runs", mutant.reduction)
    assert search(GameSpace(case.game, state)).verdict is Verdict.WINNABLE
    assert search(RunsSpace(case.game, state, names), NO_LIMITS).verdict is Verdict.WINNABLE
    monkeypatch.setattr(mutant.where, mutant.name, mutant.instead)
    assert search(RunsSpace(case.game, state, names), NO_LIMITS).verdict is Verdict.UNWINNABLE
