"""The reductions of the Klondike family against plain search, and without their conditions.

``fixtures/klondike/small-decks.txt`` holds small decks for every list of fills, about as many lost
as winnable: decks one or two swaps away from a lost one. Their verdicts come from a brute
force over layouts that shares no code with this project; the slow test repeats it with ours.
Each mutant drops one condition of a soundness argument; the same comparison must catch it.
"""

from __future__ import annotations

import functools
import itertools
import random
import threading
from collections import Counter
from collections.abc import Callable
from itertools import permutations
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from rules import Deck, get_game, replay
from rules.cards import Card
from rules.families.klondike import SOURCES, Klondike
from rules.moves import parse_line
from solver import reductions
from solver.kernels.klondike import search as kernel
from solver.kernels.registers import SP
from solver.reductions.klondike import dead, deal, safe
from solver.reductions.klondike.runs import Board, Layout, Position, RunsSpace
from solver.search.depth_first import Outcome, search
from solver.search.space import GameSpace
from solver.verdict import NO_LIMITS, Limits, Verdict
from tests.solver.kernels import samples
from tests.solver.kernels.agreement import assert_agree

FIXTURE = Path(__file__).parents[3] / "fixtures" / "klondike" / "small-decks.txt"
FILLS = [fill for size in range(4) for fill in permutations(SOURCES, size)]
SETS = [
    ("runs",),
    ("runs", "safe"),
    ("runs", "deal"),
    ("runs", "dead"),
    ("runs", "safe", "deal"),
    ("runs", "safe", "deal", "dead"),
]


class Case(NamedTuple):
    game: Klondike
    deck: Deck
    verdict: Verdict

    @property
    def state(self) -> Any:
        return self.game.initial(self.deck)


@functools.cache
def small_game(fill: tuple[str, ...], ranks: int, columns: int) -> Klondike:
    changes = {"fill": ",".join(fill) or "none", "ranks": str(ranks), "columns": str(columns)}
    game = get_game("single-left").with_options(changes)
    assert isinstance(game, Klondike)
    return game


def read_case(line: str) -> Case:
    """``fill ranks columns W|L cards``; a fill is its sources' first letters, or ``-``."""
    letters, ranks, columns, verdict, cards = line.split(maxsplit=4)
    fill = tuple(next(s for s in SOURCES if s[0] == letter) for letter in letters.strip("-"))
    return Case(
        small_game(fill, int(ranks), int(columns)),
        Deck.of([Card.parse(text) for text in cards.split()], int(ranks)),
        Verdict.WINNABLE if verdict == "W" else Verdict.UNWINNABLE,
    )


@functools.cache
def cases() -> tuple[Case, ...]:
    lines = FIXTURE.read_text(encoding="ascii").splitlines()
    return tuple(read_case(line) for line in lines if not line.startswith("#"))


def test_the_small_decks_are_mixed_for_every_list_of_fills() -> None:
    met = Counter((case.game.fill, case.verdict) for case in cases())
    assert {fill for fill, _ in met} == set(FILLS)
    assert min(met.values()) >= 15


@pytest.mark.parametrize("names", SETS, ids=",".join)
def test_reduced_search_decides_small_decks_as_brute_force(names: tuple[str, ...]) -> None:
    for case in cases():
        outcome = kernel.solve(case.game, case.state, names)
        assert outcome.verdict is case.verdict, case
        if outcome.line is not None:
            assert case.game.is_won(replay(case.game, case.state, outcome.line)[1][-1])


@pytest.mark.slow
def test_plain_search_confirms_the_small_decks() -> None:
    for case in cases():
        assert search(GameSpace(case.game, case.state)).verdict is case.verdict, case


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_reduced_search_decides_random_small_decks_as_plain_search(seed: int) -> None:
    """Ten times 500 decks, every list of fills among them, every set of reductions on each.

    Nearly every small deck can be won from its start; so most are looked at some moves on.
    """
    rng = random.Random(1000 + seed)
    met: Counter[Verdict] = Counter()
    while met.total() < 500:
        game = small_game(rng.choice(FILLS), *rng.choice([(3, 2), (3, 3), (4, 2), (4, 3), (4, 4)]))
        state = samples.wander(rng, game, game.initial(samples.deck(rng, game.ranks)), 60)
        truth = search(GameSpace(game, state), Limits(None, 50_000, None)).verdict
        if truth is Verdict.UNKNOWN:
            continue
        met[truth] += 1
        for names in SETS:
            outcome = kernel.solve(game, state, names)
            assert outcome.verdict is truth, (game, state, names)
    assert min(met[Verdict.WINNABLE], met[Verdict.UNWINNABLE]) > 100


def _random_states(seed: int, count: int) -> list[tuple[Klondike, Any]]:
    rng = random.Random(seed)
    shapes = [(2, 1), (2, 2), (3, 2), (3, 4), (4, 3), (4, 4), (5, 4), (5, 5), (13, 7), (13, 2),
              (13, 1), (13, 9)]  # fmt: skip
    found = []
    for _ in range(count):
        game = small_game(rng.choice(FILLS), *rng.choice(shapes))
        state = game.initial(samples.deck(rng, game.ranks))
        if rng.random() < 0.4:
            state = samples.wander(rng, game, state, 25)
        found.append((game, state))
    return found


@pytest.mark.parametrize("names", SETS, ids=",".join)
def test_the_kernel_visits_what_the_reference_visits(names: tuple[str, ...]) -> None:
    for game, state in _random_states(len(names), 60):
        assert_agree(kernel.solve, game, state, names, Limits(None, 150, None))


def test_the_kernel_visits_what_the_reference_visits_on_small_decks() -> None:
    for case in cases()[::3]:
        assert_agree(kernel.solve, case.game, case.state, SETS[-1], Limits(None, 300, None))


@pytest.mark.slow
@pytest.mark.parametrize("names", SETS, ids=",".join)
def test_the_kernel_visits_what_the_reference_visits_at_length(names: tuple[str, ...]) -> None:
    for game, state in _random_states(100 + len(names), 1000):
        assert_agree(kernel.solve, game, state, names, Limits(None, 500, None))


def test_positions_survive_packing() -> None:
    for game, state in _random_states(7, 60):
        space = RunsSpace(game, state, ("runs",))
        code = kernel.Code(space.layout)
        at = space.start
        for _ in range(40):
            word0, word1 = code.pack(at)
            assert 0 <= word0 < 1 << 63
            assert 0 < word1 < 1 << 63
            assert code.unpack(word0, word1) == at
            after = [node for _, node in space.successors(at)]
            if not after:
                break
            at = after[len(after) // 2]


def test_a_later_state_is_a_position_of_its_deal() -> None:
    rng = random.Random(8)
    for game, state in _random_states(8, 40):
        layout = Layout(game, state)
        later = samples.wander(rng, game, state, 30)
        position = layout.compress(later)
        assert position.foundations == later.foundations
        assert position.waste == later.waste
        board = Board(layout, position)
        assert board.in_view == {card for _, up in later.columns for card in up}


def test_what_an_exhausted_search_visited_is_closed() -> None:
    case = next(c for c in cases() if c.verdict is Verdict.UNWINNABLE and c.game.ranks == 5)
    run = kernel.RunsSearch(case.game, case.state, ("runs", "safe", "deal"))
    assert run.go() is None
    visited = set(run.visited())
    assert run.space.start in visited
    for node in visited:
        assert not run.space.is_won(node)
        assert {after for _, after in run.space.successors(node)} <= visited


def test_what_a_search_is_not_done_with() -> None:
    """Frames of positions visited before (depth -1) hide no open position, and open none."""
    game = get_game("single-left")
    names = reductions.select(game)
    for most in (1, 2, 7, 30, 100, 333):
        run = kernel.RunsSearch(game, _deal(1), names, Limits(None, most, None))
        assert run.go() == "positions"
        still = [tuple(row) for row in run.open_rows()]
        assert run.key(still[0]) == run.space.start
        for before, after in itertools.pairwise(map(run.key, still)):
            assert after in {node for _, node in run.space.successors(before)}
        pending = {tuple(row[:2]) for row in run.frames[: run.registers[SP]] if row[2] >= 0}
        ahead = {run.code.pack(node) for _, node in run.space.successors(run.key(still[-1]))}
        assert pending & ahead  # something that follows the last one is still to be looked at
        run.frames[run.registers[SP], 2] = -1
        run.registers[SP] += 1
        assert [tuple(row) for row in run.open_rows()] == still


FIRST_TWENTY = "L W W W L W W L L L W L W L W L L L W L"
POSITIONS_OF_TWENTY = 175_700
SINGLE_LEFT = get_game("single-left")


def _deal(number: int) -> Any:
    return SINGLE_LEFT.initial(Deck.numbered(number))


def test_the_first_twenty_deals() -> None:
    names = reductions.select(SINGLE_LEFT)
    found = [kernel.solve(SINGLE_LEFT, _deal(number), names) for number in range(1, 21)]
    assert " ".join("W" if o.verdict is Verdict.WINNABLE else "L" for o in found) == FIRST_TWENTY
    assert sum(outcome.stats.positions for outcome in found) == POSITIONS_OF_TWENTY


@pytest.mark.parametrize(
    ("limits", "limit"),
    [
        (Limits(None, 1000, None), "positions"),
        (Limits(0.0, None, None), "time"),
        (Limits(None, None, 1 << 20), "memory"),
    ],
)
def test_a_limit_leaves_the_deal_undecided(limits: Limits, limit: str) -> None:
    outcome = kernel.solve(SINGLE_LEFT, _deal(145), reductions.select(SINGLE_LEFT), limits)
    assert (outcome.verdict, outcome.limit, outcome.complete) == (Verdict.UNKNOWN, limit, False)
    assert limits.positions is None or outcome.stats.positions == limits.positions
    assert limits.memory is None or outcome.stats.memory < limits.memory


def test_time_limits_are_obeyed_in_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """A second passes at each look at the clock, in each thread for itself."""
    kernel.solve(SINGLE_LEFT, _deal(1), ("runs",))
    looks = threading.local()

    def tick() -> float:
        looks.number = getattr(looks, "number", 0) + 1
        return float(looks.number)

    monkeypatch.setattr("solver.verdict.time.perf_counter", tick)
    found: list[Outcome] = []

    def work() -> None:
        found.append(kernel.solve(SINGLE_LEFT, _deal(145), ("runs",), Limits(3.0, None, None)))

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [outcome.limit for outcome in found] == ["time"] * 2
    one, other = (outcome.stats.positions for outcome in found)
    assert 0 < one == other <= 2 * kernel._SLICE


# Mutants ---------------------------------------------------------------------------------


def _decides(game: Klondike, state: Any, names: tuple[str, ...]) -> Verdict:
    return search(RunsSpace(game, state, names), NO_LIMITS).verdict


def _without_bases(_: RunsSpace, node: Position) -> Any:
    return node._replace(bases=())


def _wanted_soon(board: Board, card: Card) -> bool:
    other = min(board.foundations[suit] for suit in ((0, 3) if card.is_red else (1, 2)))
    return other >= card.rank - 3


def _unwanted_by_two_ranks(board: Board, card: Card) -> bool:
    """As `safe.is_unwanted`, but without what the third case says of the own colour."""
    other = min(board.foundations[suit] for suit in ((0, 3) if card.is_red else (1, 2)))
    return card.rank <= 2 or other >= card.rank - 2


def _always(value: Any) -> Callable[..., Any]:
    return lambda *_: value


def _one_more(method: Callable[[Any], int]) -> Callable[[Any], int]:
    return lambda self: method(self) + 1


def _easier(**changed: Any) -> Callable[..., None]:
    begin = dead._Easier.__init__

    def instead(self: Any, board: Board) -> None:
        begin(self, board)
        for name, value in changed.items():
            setattr(self, name, value)

    return instead


class Mutant(NamedTuple):
    """What is put in place of what; a small deck (as in the fixture) that it gets wrong.

    Where no deck is known that it gets wrong from the start: at the state after *moves*, of which
    the deck's verdict holds as well.
    """

    where: Any
    name: str
    instead: Any
    reduction: str
    deck: str
    moves: str = ""


EASIER = dead._Easier
MUTANTS: dict[str, Mutant] = {
    "bases are told apart": Mutant(
        RunsSpace,
        "key",
        _without_bases,
        "runs",
        "w 3 4 W 2H 3D 3C AH 2D 3S 2C 2S AD 3H AC AS",
    ),
    "only unwanted cards": Mutant(
        safe,
        "is_unwanted",
        _always(True),
        "safe",
        "- 3 3 W 3D 2D AH 2S 3C 2H AC 2C 3H AS AD 3S",
    ),
    "unwanted by two ranks, not three": Mutant(
        safe,
        "is_unwanted",
        _wanted_soon,
        "safe",
        "s 3 3 W 3C 2H AD 3D 2D 3H 2C AS AH 2S 3S AC",
    ),
    "bases wait for the stock": Mutant(
        safe,
        "spare_stock",
        _always(99),
        "safe",
        "sw 4 4 W 2S 2H AD 3D 4H AH 3S 4S 2D 3H AC AS 4D 2C 4C 3C",
    ),
    "bases wait for the stock, waste first": Mutant(
        safe,
        "spare_stock",
        _always(99),
        "safe",
        "ws 3 3 W 2C AH AD 3D 2D AC 2H 3S 3H AS 2S 3C",
    ),
    "a last card in the stock, stock alone": Mutant(
        safe,
        "spare_stock",
        _always(1),
        "safe",
        "s 5 5 W 2H AS AD 3H 3D 5D 5C 4S 3S 4D 2S 5H AH 3C 4H 2C 5S AC 2D 4C",
    ),
    "a last card in the stock, waste first": Mutant(
        safe,
        "spare_stock",
        _always(1),
        "safe",
        "ws 6 6 W AH AC 4H 4D 2D 5D 5S 3C AS 3H AD 6S 4S 3D 2S 6C 4C 6H 3S 5H 2C 2H 5C 6D",
    ),
    "moves that empty a column depend on deals": Mutant(
        deal,
        "_emptying",
        _always(()),
        "deal",
        "ws 3 3 W 2C AH AD 3D 2D AC 2H 3S 3H AS 2S 3C",
    ),
    "as many stuck cards as emptied columns": Mutant(
        EASIER,
        "_stuck_before_waste",
        _one_more(EASIER._stuck_before_waste),
        "dead",
        "ws 4 3 W 4S AS 2H 4C AC 2S 3C 2D AH 2C 4D 3D AD 4H 3H 3S",
    ),
    "the stock counts only if it fills first": Mutant(
        EASIER,
        "__init__",
        _easier(stock_first=True),
        "dead",
        "ws 5 3 W 3S AS 5H 2C 2D 5S 3C 2S 3D 5D 2H AC AD 4S 5C 4D AH 4H 3H 4C",
    ),
    "a space takes one column, not two": Mutant(
        EASIER,
        "_stuck_before_space",
        _one_more(EASIER._stuck_before_space),
        "dead",
        "sw 3 3 W 3D AC 2H 2S AS 3S 2C AH 3C AD 3H 2D",
    ),
    "cards of the stock come into view in gaps": Mutant(
        EASIER,
        "__init__",
        _easier(fillers=set()),
        "dead",
        "sw 3 4 W AC 3C AS 2S 2H 3D 2D AD AH 3H 3S 2C",
    ),
    "loose cards go up": Mutant(
        EASIER,
        "_is_up",
        _always(False),
        "dead",
        "sw 3 3 W 3D AC 2H 2S AS 3S 2C AH 3C AD 3H 2D",
    ),
    "kings leave the waste for spaces": Mutant(
        EASIER,
        "_goes_to_space",
        _always(False),
        "dead",
        "- 3 3 W 3H AS AC 3S 3D 2S AD 2C AH 3C 2H 2D",
    ),
    "next columns move by themselves": Mutant(
        EASIER,
        "__init__",
        _easier(ordered=False),
        "dead",
        "wns 3 3 W 3D 2C 2H 3H AS 3S AH AC 2D 2S AD 3C",
    ),
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
        _always(0),
        "safe",
        "wsn 6 5 W AS 4D AD 5H AH 4S 6H 5D 2S 4C 5C 3S 6D 2D 3D 2H 5S 6S AC 3H 3C 4H 6C 2C",
        "3D>4C deal deal AS>2D deal deal deal 5S>6D deal 3H>4S 2D>3C deal 4H>5S 3S>4H 2S>3D deal "
        "deal 2C>3H",
    ),
    "one card in the stock, not two": Mutant(
        safe,
        "spare_stock",
        _always(2),
        "safe",
        "sw 3 2 W AD 2S 3D 2C AC 3C AH 3S AS 2D 2H 3H",
        "AD>F deal deal deal deal 2C>3D AS>F",
    ),
}


@pytest.mark.parametrize("label", MUTANTS)
def test_a_dropped_condition_is_noticed(label: str, monkeypatch: pytest.MonkeyPatch) -> None:
    mutant = MUTANTS[label]
    case = read_case(mutant.deck)
    names = ("runs",) if mutant.reduction == "runs" else ("runs", mutant.reduction)
    wrong = {Verdict.WINNABLE: Verdict.UNWINNABLE, Verdict.UNWINNABLE: Verdict.WINNABLE}
    state = replay(case.game, case.state, parse_line(mutant.moves))[1][-1]
    assert search(GameSpace(case.game, state)).verdict is case.verdict
    assert _decides(case.game, state, names) is case.verdict
    monkeypatch.setattr(mutant.where, mutant.name, mutant.instead)
    assert _decides(case.game, state, names) is wrong[case.verdict]
