"""Why a deal can be won, or how near one comes: a line of play beside the roads not taken.

`explain` walks along a winning line (where cards are counted: along the line that leaves
the fewest) and asks of every other legal move what becomes of it, within a budget. For a
deal that cannot be won it shows the tries that come nearest, found by a beam search; that
they fail is proved by the verdict, not by the tries.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace
from typing import Any, Final

from rules.decks import Deal
from rules.game import Game
from rules.move import Move
from rules.position import Position
from rules.referee import replay
from solver import reductions as _reductions
from solver.api import count_dealt, search_state, solve
from solver.best_first import Link, best_first, unchain
from solver.estimate import moves_needed, promise
from solver.playout import play_out
from solver.verdict import DEFAULT_LIMITS, Clock, Limits, Result, Verdict

_QUICK: Final = 5_000  # positions spent on a shorter line, and on the tries
_BEAM: Final = 100


@dataclass(frozen=True, slots=True)
class Fate:
    """What becomes of a position: its verdict, and the fewest cards left where counted."""

    verdict: Verdict
    fewest_left: int | None = None


@dataclass(frozen=True, slots=True)
class Other:
    """A legal move that the line does not take. ``same``: it leads to an equal position."""

    move: Move
    fate: Fate
    same: bool = False


@dataclass(frozen=True, slots=True)
class Step:
    """A move of the line, and the other legal moves in their order."""

    move: Move
    others: tuple[Other, ...]


@dataclass(frozen=True, slots=True)
class Try:
    """A line that comes near to a win, the state at its end, and what is needed from there.

    ``needed``: the lower bound of `solver.estimate.moves_needed`. ``stuck``: no move is left.
    """

    line: tuple[Move, ...]
    end: Any
    needed: int
    stuck: bool


@dataclass(frozen=True, slots=True)
class Explanation:
    """``steps`` along the result's line; ``tries`` where there is no line, nearest first."""

    result: Result
    steps: tuple[Step, ...] = ()
    tries: tuple[Try, ...] = ()


def explain(
    game: Game[Any],
    given: Deal | Position,
    *,
    limits: Limits = DEFAULT_LIMITS,
    budget: int | None = 2_000,
    engine: str = "auto",
    reductions: str = "all",
) -> Explanation:
    """Explain a deal or a position.

    *limits* hold for the proof, and its time once more for the rest. *budget*: positions for
    each other move; beyond it, or when time is up, its fate is ``UNKNOWN``.
    """
    result = solve(game, given, limits=limits, engine=engine, reductions=reductions)
    state = result.start
    if result.line is None:
        return Explanation(result, tries=_tries(game, state, limits))
    if result.verdict is Verdict.WINNABLE and not game.decision_free:
        found = best_first(game, state, replace(limits, positions=_QUICK)).line
        if found is not None and len(found) < len(result.line):
            result = replace(result, line=found, dealt=count_dealt(game, state, found))
    assert result.line is not None
    names = _reductions.select(game, reductions)
    fates = _Fates(game, names, limits, budget, engine)
    moves, states = replay(game, state, result.line)
    if result.verdict is Verdict.WINNABLE:
        fates.win(states)
    steps = []
    for move, before, after in zip(moves, states, states[1:], strict=False):
        played, wanted = game.key(after), game.normal(move.bare)
        others = []
        for other, leads_to in game.successors(before):
            if game.normal(other.bare) == wanted:
                continue
            same = game.key(leads_to) == played
            others.append(Other(other, fates.of(leads_to), same))
        steps.append(Step(move, tuple(others)))
    return Explanation(result, tuple(steps))


class _Fates:
    """The fates of positions, each asked for once; wins found on the way are remembered."""

    def __init__(
        self,
        game: Game[Any],
        names: tuple[str, ...],
        limits: Limits,
        budget: int | None,
        engine: str,
    ) -> None:
        self.game, self.names, self.engine = game, names, engine
        self.limits = replace(limits, positions=budget)
        self.clock = Clock(limits)
        self.known: dict[Hashable, Fate] = {}

    def win(self, states: list[Any]) -> None:
        """Note that *states*, on a line that wins, can be won (where nothing is counted)."""
        if not self.game.counts_cards:
            for state in states:
                self.known[self.game.key(state)] = Fate(Verdict.WINNABLE)

    def of(self, state: Any) -> Fate:
        key = self.game.key(state)
        if key not in self.known:
            self.known[key] = self._ask(state)
        return self.known[key]

    def _ask(self, state: Any) -> Fate:
        limits = self.limits
        if limits.seconds is not None:
            left = limits.seconds - self.clock.seconds
            if left <= 0:
                return Fate(Verdict.UNKNOWN)
            limits = replace(limits, seconds=left)
        outcome, _ = search_state(self.game, state, self.names, limits, self.engine)
        if outcome.verdict is Verdict.WINNABLE and outcome.line is not None:
            self.win(replay(self.game, state, outcome.line)[1])
        fewest = outcome.best_left if outcome.complete and self.game.counts_cards else None
        return Fate(outcome.verdict, fewest)


def _tries(game: Game[Any], state: Any, limits: Limits, most: int = 3) -> tuple[Try, ...]:
    """The *most* lines whose ends need fewest moves; each end position once."""
    needed = moves_needed(game)
    if game.decision_free:
        outcome, _ = play_out(game, state, limits)
        line = outcome.line if outcome.line is not None else _play_on(game, state)
        end = replay(game, state, line)[1][-1]
        return (Try(line, end, needed(end), True),)
    clock, guess = Clock(limits), promise(game)
    seen: set[Hashable] = {game.key(state)}
    beam: list[tuple[Any, Link]] = [(state, None)]
    ends: list[tuple[int, int, int, Any, Link, bool]] = []
    depth = serial = 0
    while beam and len(seen) < _QUICK and clock.hit(0, 0) is None:
        depth += 1
        ahead: list[tuple[float, int, Any, Link]] = []
        for node, link in beam:
            stuck = True
            for move, after in game.successors(node):
                stuck = False
                key = game.key(after)
                if key not in seen:
                    seen.add(key)
                    serial += 1
                    ahead.append((guess(after, depth), serial, after, (link, move)))
            ends.append((needed(node), depth, len(ends), node, link, stuck))
        ahead.sort(key=lambda entry: entry[:2])
        beam = [(node, link) for _, _, node, link in ahead[:_BEAM]]
    ends.sort(key=lambda entry: entry[:3])
    best = ends[0][0]
    return tuple(
        Try(tuple(replay(game, state, unchain(link))[0]), node, score, stuck)
        for score, _, _, node, link, stuck in ends[:most]
        if score <= best + 1
    )


def _play_on(game: Game[Any], state: Any) -> tuple[Move, ...]:
    """The first legal move again and again, until there is none or a position comes back."""
    line: list[Move] = []
    seen: set[Hashable] = set()
    while (key := game.key(state)) not in seen:
        seen.add(key)
        step = next(game.successors(state), None)
        if step is None:
            break
        line.append(step[0])
        state = step[1]
    return tuple(line)
