"""A session's answers are brute force's, whatever was asked before; so are hints and reviews."""

from __future__ import annotations

import functools
import itertools
import random
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from dealproof import Limits, Verdict, solve
from rules import Deal, Game, IllegalMove, Move, Position, get_game, replay
from solver.analysis.hints import hint_at
from solver.analysis.reviews import review
from solver.analysis.session import Fate, Session, is_worse
from solver.families import support
from solver.reductions import space_for
from solver.search.depth_first import Table, search
from tests.solver.brute import SMALL, fates, mixed_decks, small

NONE = Limits(None, None, None)
Truth = dict[Any, tuple[bool, int | None]]
ENGINES = ("auto", "reference")


@functools.cache
def _cases(name: str, each: int = 3) -> tuple[tuple[Game[Any], Deal, Any, Truth], ...]:
    game = small(name)
    found = []
    for deck in mixed_decks(name, each):
        start = game.initial(deck)
        found.append((game, Deal.of(deck), start, fates(game, start)))
    return tuple(found)


def _agrees(game: Game[Any], fate: Fate, truth: tuple[bool, int | None]) -> bool:
    verdict = Verdict.WINNABLE if truth[0] else Verdict.UNWINNABLE
    return fate.verdict is verdict and fate.fewest_left == truth[1]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", SMALL)
def test_any_questions_in_any_order(name: str, engine: str) -> None:
    rng = random.Random(name)
    for game, _, start, truth in _cases(name):
        session = Session(game, start, engine=engine)
        for state in rng.sample(list(truth), min(60, len(truth))):
            if rng.random() < 0.4:  # a question that is broken off
                cut = session.fate(state, Limits(None, rng.randrange(1, 12), None))
                assert cut.verdict is Verdict.UNKNOWN or _agrees(
                    game, Fate(cut.verdict, cut.fewest_left or truth[state][1]), truth[state]
                )
            fate = session.fate(state, NONE)
            assert _agrees(game, fate, truth[state])
            line = session.line(state)
            if truth[state][0] and not game.counts_cards:
                assert line is not None
            if line is not None:
                end = replay(game, state, line)[1][-1]
                assert game.is_won(end) == truth[state][0]
                assert game.cards_left(end) == truth[state][1]


@pytest.mark.parametrize("names", ["none", "runs", "runs,safe", "runs,deal,dead", "all"])
@pytest.mark.parametrize("name", [name for name in SMALL if name in ("left", "left next")])
def test_under_every_reduction(name: str, names: str) -> None:
    rng = random.Random(names)
    for game, _, start, truth in _cases(name):
        for engine in ENGINES:
            session = Session(game, start, engine=engine, reductions=names)
            for state in rng.sample(list(truth), min(40, len(truth))):
                assert _agrees(game, session.fate(state, NONE), truth[state])


class _Graph:
    """A space given by its edges; ``W`` is the win."""

    counts_cards = False

    def __init__(self, edges: dict[str, str], start: str) -> None:
        self.edges, self.start = edges, start

    def successors(self, node: str) -> Iterator[tuple[str, str]]:
        return ((node + after, after) for after in self.edges.get(node, ""))

    def key(self, node: str) -> str:
        return node

    def is_won(self, node: str) -> bool:
        return node == "W"

    def cards_left(self, node: str) -> None:
        return None

    def line(self, steps: Sequence[str]) -> tuple[Move, ...]:
        return ()


def test_what_a_win_proves_of_the_rest_depends_on_cycles() -> None:
    """B is left behind without a win, and yet leads back to A, which is won after that."""
    cyclic = {"A": "BW", "B": "A"}
    table = Table()
    assert search(_Graph(cyclic, "A"), table=table).verdict is Verdict.WINNABLE
    assert table.open == ["A", "W"]
    assert table.keys - set(table.open) == {"B"}
    assert search(_Graph(cyclic, "B")).verdict is Verdict.WINNABLE
    table = Table()
    search(_Graph({"A": "BCW", "B": "C"}, "A"), table=table)
    for lost in table.keys.difference(table.open):
        assert search(_Graph({"A": "BCW", "B": "C"}, lost)).verdict is Verdict.UNWINNABLE


def test_only_spaces_without_cycles_are_called_so() -> None:
    left = get_game("single-left")
    assert support(left).is_acyclic(("runs",))
    assert not support(left).is_acyclic(())
    assert not support(get_game("single-left-next")).is_acyclic(("runs",))
    assert not support(get_game("ten-twenty-thirty")).is_acyclic(())
    assert support(get_game("decade")).is_acyclic(())


@pytest.mark.parametrize("names", ["runs", "runs,safe,deal,dead"])
def test_runs_without_next_column_never_come_back(names: str) -> None:
    for name in ("left", "left none"):
        for game, _, start, _ in _cases(name)[::3]:
            space = space_for(game, start, tuple(names.split(",")))
            assert _has_no_cycle(space.start, space.successors, space.key)


@pytest.mark.parametrize("name", SMALL)
def test_acyclic_means_acyclic(name: str) -> None:
    """Where `is_acyclic` says so under no reductions, no state of the rules comes back."""
    for game, _, start, _ in _cases(name):
        if support(game).is_acyclic(()):
            assert _has_no_cycle(start, game.successors, lambda state: state)


def _has_no_cycle(start: Any, successors: Any, key: Any) -> bool:
    done = set()
    ahead = {key(start)}
    stack = [(key(start), iter([after for _, after in successors(start)]))]
    while stack:
        here, rest = stack[-1]
        for after in rest:
            if key(after) in ahead:
                return False
            if key(after) not in done:
                ahead.add(key(after))
                stack.append((key(after), iter([node for _, node in successors(after)])))
                break
        else:
            ahead.discard(here)
            done.add(here)
            stack.pop()
    return True


def test_a_line_that_does_not_win_is_no_proof() -> None:
    game, _, start, _ = _cases("left")[0]
    with pytest.raises(ValueError, match="does not win"):
        Session(game, start).note_line(start, [])


def test_worse_is_said_only_of_what_is_known() -> None:
    won, lost, unknown = (Fate(verdict) for verdict in Verdict)
    assert is_worse(won, lost) is True
    assert is_worse(won, won) is False
    assert is_worse(lost, lost) is False
    assert is_worse(won, unknown) is None
    assert is_worse(unknown, lost) is None
    nine, seven = (Fate(Verdict.UNWINNABLE, left) for left in (9, 7))
    assert is_worse(seven, nine) is True
    assert is_worse(nine, nine) is False
    assert is_worse(nine, Fate(Verdict.UNKNOWN)) is None


# Hint ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SMALL)
def test_hints_are_true_and_best_first(name: str) -> None:
    rng = random.Random(name)
    for game, _, start, truth in _cases(name):
        session = Session(game, start)
        for state in rng.sample(list(truth), min(12, len(truth))):
            found = hint_at(session, state, limits=NONE, lines=2)
            moves = dict(game.successors(state))
            assert {option.move for option in found.options} == set(moves)
            assert found.fate.verdict is (
                Verdict.WINNABLE if truth[state][0] else Verdict.UNWINNABLE
            )
            assert found.fate.fewest_left == truth[state][1]
            order = [truth[moves[option.move]] for option in found.options]
            assert order == sorted(order, key=lambda pair: (not pair[0], pair[1] or 0))
            for option in found.options:
                after = moves[option.move]
                assert _agrees(game, option.fate, truth[after])
                if option.line is not None:
                    end = replay(game, after, option.line)[1][-1]
                    assert game.is_won(end) == truth[after][0]
                    assert game.cards_left(end) == truth[after][1]
                if option.same_as is not None:
                    assert game.key(after) == game.key(moves[option.same_as])


def test_hints_share_what_they_prove() -> None:
    """The second hint of a session visits fewer positions than it would alone."""
    game = get_game("single-left")
    start = game.initial(Deal.parse("4").deck)
    session = Session(game, start)
    first = hint_at(session, start, limits=NONE)
    after = game.play(start, first.options[0].move)[1]
    shared = hint_at(session, after, limits=NONE)
    alone = hint_at(Session(game, after), after, limits=NONE)
    assert [o.fate.verdict for o in shared.options] == [o.fate.verdict for o in alone.options]
    assert shared.positions * 10 < alone.positions


def test_a_budget_makes_a_hint_unknown_not_wrong() -> None:
    game = get_game("single-left")
    start = game.initial(Deal.parse("4").deck)
    found = hint_at(Session(game, start), start, limits=NONE, budget=5)
    assert {option.fate.verdict for option in found.options} == {Verdict.UNKNOWN}
    assert found.fate.verdict is Verdict.UNKNOWN
    assert all("not decided" in option.why for option in found.options)


# Review ----------------------------------------------------------------------------------


def _planted(name: str, rng: random.Random) -> tuple[Game[Any], Deal, list[Move], int, Truth]:
    """A line of best play with one move in it, whose number is given, that is not."""
    cases = _cases(name, 6)
    for _ in range(1000):
        game, deal, state, truth = rng.choice(cases)
        line, number = [], 0
        for _ in range(60):
            ahead = list(game.successors(state))
            if not ahead or (game.is_won(state) and not number):
                break
            good = [pair for pair in ahead if truth[pair[1]] == truth[state]]
            bad = [pair for pair in ahead if truth[pair[1]] != truth[state]]
            if not number and bad and (not good or rng.random() < 0.5):
                move, state = rng.choice(bad)
                number = len(line) + 1
            else:
                move, state = rng.choice(good or ahead)
            line.append(move)
        if number:
            return game, deal, line, number, truth
    raise AssertionError(f"no blunder is possible in these decks of {name}")


PLANTED = ("left", "decade free")


@pytest.mark.parametrize("name", PLANTED)
def test_planted_blunders_are_found(name: str) -> None:
    rng = random.Random(name)
    for _ in range(30):
        game, deal, line, number, truth = _planted(name, rng)
        found = review(game, deal, line, limits=NONE, budget=None)
        assert [blunder.number for blunder in found.blunders] == [number]
        assert found.between is None
        assert found.settled
        blunder = found.blunders[0]
        _, states = replay(game, game.initial(deal.deck), line)
        moves, ways = replay(game, states[number - 1], [blunder.better, *blunder.line])
        assert moves[0] == blunder.better
        assert (game.is_won(ways[-1]), game.cards_left(ways[-1])) == truth[states[number - 1]]
        for fate, state in zip(found.fates, states, strict=True):
            assert _agrees(game, fate, truth[state])


def _worth(game: Game[Any], state: Any) -> tuple[Verdict, int | None]:
    """What a session of its own, that knows nothing yet, says of *state*."""
    fate = Session(game, state).fate(state, Limits(None, 20_000, None))
    return fate.verdict, fate.fewest_left


@pytest.mark.parametrize(
    ("name", "deals", "each"),
    [("decade-loop", range(1, 200), 1), ("single-left", (2, 3, 4, 6, 13, 15, 21, 32), 3)],
)
def test_planted_blunders_are_found_in_full_deals(
    name: str, deals: Sequence[int], each: int
) -> None:
    game, rng = get_game(name), random.Random(name)
    total = 0
    for number in deals:
        deal = Deal.parse(str(number))
        solved = solve(game, deal)
        assert solved.line is not None
        _, states = replay(game, solved.start, solved.line)
        places = list(range(len(solved.line)))
        rng.shuffle(places)
        planted = 0
        for place in places:
            worth = _worth(game, states[place])
            if worth[0] is Verdict.UNKNOWN:
                continue
            wrong = [
                pair
                for pair in game.successors(states[place])
                if Verdict.UNKNOWN is not (found := _worth(game, pair[1]))[0] and found != worth
            ]
            if not wrong:
                continue
            move, state = rng.choice(wrong)
            line = [*solved.line[:place], move]
            while len(line) < place + 8 and (rest := game.legal_moves(state)):
                line.append(rng.choice(rest))
                state = game.play(state, line[-1])[1]
            found = review(game, deal, line, limits=NONE)
            assert found.blunders[0].number == place + 1
            assert len(found.blunders) == 1 or game.counts_cards
            better = [found.blunders[0].better, *found.blunders[0].line]
            end = replay(game, states[place], better)[1][-1]
            assert game.is_won(end) is (worth[0] is Verdict.WINNABLE)
            assert game.cards_left(end) == worth[1]
            planted += 1
            total += 1
            if total == 20:
                return
            if planted == each:
                break
    raise AssertionError("too few blunders are possible in these deals")


@pytest.mark.parametrize("name", SMALL)
def test_random_lines_are_reviewed_truly(name: str) -> None:
    rng = random.Random(name)
    for game, deal, start, truth in _cases(name):
        state, line = start, []
        for _ in range(rng.randrange(1, 25)):
            ahead = list(game.successors(state))
            if not ahead:
                break
            move, state = rng.choice(ahead)
            line.append(move)
        if not line:
            continue
        found = review(game, deal, line, limits=NONE, budget=None)
        moves, states = replay(game, start, line)
        for fate, at in zip(found.fates, states, strict=True):
            assert _agrees(game, fate, truth[at])
        worse = [
            number
            for number, (before, after) in enumerate(itertools.pairwise(states), 1)
            if truth[before] != truth[after]
        ]
        assert [blunder.number for blunder in found.blunders] == worse
        for step, before, after in zip(found.steps, states, states[1:], strict=False):
            assert step.kind == _kind(game, before, after, truth)
        assert len(found.steps) == len(line) or not truth[states[len(found.steps)]][0]
        assert found.line == tuple(moves)


def _kind(game: Game[Any], before: Any, after: Any, truth: Truth) -> str:
    """The kind of a decision, from the fates of the different positions that can follow."""
    following = {game.key(state): truth[state] for _, state in game.successors(before)}
    if set(following) == {game.key(after)}:
        return "forced"
    good = sum(value == truth[before] for value in following.values())
    if good == len(following):
        return "free"
    return "critical" if good == 1 else "choice"


def test_an_unlimited_review_of_an_illegal_line() -> None:
    game = get_game("single-left")
    with pytest.raises(IllegalMove, match="move 2"):
        review(game, Deal.parse("4"), [Move("deal"), Move.parse("KC>KD")])


def test_a_review_cut_short_says_between_which_moves() -> None:
    game = get_game("single-left")
    deal = Deal.parse("4")
    place = Position.after(game, deal, "TH>JC 4S>5D JC>QH")
    found = review(game, deal, place.moves, budget=5)
    assert not found.blunders
    assert not found.settled
    assert {fate.verdict for fate in found.fates} <= {Verdict.UNKNOWN, Verdict.UNWINNABLE}
