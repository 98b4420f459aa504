"""Why a deal can be won or not: a line of play beside the roads not taken, or the reasons.

`explain` walks along a winning line (where cards are counted: along the line that leaves
the fewest) and asks of every other legal move what becomes of it, within a budget. For a
deal that cannot be won it gives the reasons (`solver.analysis.reasons`) and the tries that come
nearest; that they fail is proved by the verdict, not by the tries.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from rules.decks import Deal, Deck
from rules.game import Game, State
from rules.moves import FOUNDATION, Move
from rules.position import Position
from rules.referee import replay
from rules.registry import get_game
from solver.analysis.reasons import Reasons, why_lost
from solver.analysis.session import Fate, Session
from solver.analysis.steps import Asker, Kind, Other, Step, count_kinds, weigh
from solver.families import support
from solver.search.best_first import Link, unchain
from solver.search.playout import play_on, play_out
from solver.solve import as_given, solve
from solver.verdict import DEFAULT_LIMITS, Clock, Limits, Result, Verdict, named

__all__ = ["Explanation", "Fate", "Other", "Phase", "Reasons", "Step", "Try", "explain"]

BUDGET: Final = 200_000
_QUICK: Final = 5_000  # positions spent on the tries
_BEAM: Final = 100


@dataclass(frozen=True, slots=True)
class Try:
    """A line that comes near to a win, the state at its end, and what is needed from there.

    ``needed``: the family's lower bound on the moves from there. ``stuck``: no move is left.
    """

    line: tuple[Move, ...]
    end: State
    needed: int
    stuck: bool


@dataclass(frozen=True, slots=True)
class Phase:
    """A stretch of the line: the number of its first move (from 1), and what it begins with."""

    first: int
    title: str


@dataclass(frozen=True, slots=True, repr=False)
class Explanation:
    """``steps`` along the result's line; ``tries`` where there is no line, nearest first.

    ``phases``: the line cut where something ends for good. ``reasons``: why the deal is lost;
    None if it is not. ``session``: what was found out about the positions beside the line.
    """

    result: Result
    steps: tuple[Step, ...] = ()
    tries: tuple[Try, ...] = ()
    phases: tuple[Phase, ...] = ()
    reasons: Reasons | None = None
    session: Session | None = field(default=None, repr=False, compare=False)

    def __repr__(self) -> str:
        kinds = [f"{count} {kind}" for kind, count in self.kinds.items() if count]
        return named(self, self.result.game, self.result.summary, *kinds, given=self.result.given)

    @property
    def kinds(self) -> dict[Kind, int]:
        """How many decisions of each kind the line holds."""
        return count_kinds(self.steps)

    @property
    def sure_from(self) -> int | None:
        """The number of the first move from which on no other move does worse, if known."""
        kinds = [step.kind for step in self.steps]
        if not self.steps or "unknown" in kinds:
            return None
        risky = [number for number, kind in enumerate(kinds, 1) if kind in ("choice", "critical")]
        return risky[-1] + 1 if risky else 1


def explain(
    game: str | Game,
    given: int | str | Deal | Deck | Position,
    *,
    limits: Limits = DEFAULT_LIMITS,
    budget: int | None = BUDGET,
    engine: str = "auto",
    reductions: str = "all",
    depth: int = 0,
) -> Explanation:
    """Explain a deal or a position, named as for `solver.solve`.

    *limits* hold for the proof; its time once more for the other moves, and once more for the
    reasons. *budget*: positions for each other move; beyond it, or when time is up, its fate is
    ``UNKNOWN``. *depth*: moves of a continuation for each other move that is known to do well.

    Raises `rules.errors.DealproofError` for anything that names no game, deal or option.

    >>> explain("block-ten", 5).result.verdict
    <Verdict.UNWINNABLE: 'unwinnable'>
    """
    game = get_game(game) if isinstance(game, str) else game
    given = as_given(game, given)
    result = solve(game, given, limits=limits, engine=engine, reductions=reductions)
    state = result.start
    lost = result.verdict is Verdict.UNWINNABLE
    best = result.line if result.limit is None else None
    reasons = why_lost(game, state, limits=limits, engine=engine, best=best) if lost else None
    if result.line is None:
        tries = _tries(game, state, limits)
        if reasons is not None and reasons.best_line is not None and not game.decision_free:
            tries = _with_best(game, state, reasons.best_line, tries)
        return Explanation(result, tries=tries, reasons=reasons)
    session = Session(game, state, engine=engine, reductions=reductions)
    if result.verdict is Verdict.WINNABLE:
        session.note_line(state, result.line)
    moves, states = replay(game, state, result.line)
    # Best play stays as good as it begins.
    fate = Fate(result.verdict, result.fewest_left, counted=game.counts_cards)
    fates = [fate] * len(states)
    asker = Asker(session, limits, budget)
    steps = tuple(weigh(asker, state, moves, fates, depth=depth))
    return Explanation(result, steps, (), phases(game, moves, states), reasons, session)


def phases(game: Game, moves: Sequence[Move], states: Sequence[Any]) -> tuple[Phase, ...]:
    """Where on a line the stock runs out, the last card turns up, and only foundations follow."""
    marks: dict[int, str] = {}

    def first(holds: Callable[[Any], bool]) -> int:
        return next((place for place, state in enumerate(states) if holds(state)), 0)

    again = game.options.get("passes", 1) != 1  # then the waste becomes the stock once more
    roles = ("stock", "waste") if again else ("stock",)

    def stocked(state: State) -> bool:
        return any(pile.role in roles and pile.cards for pile in game.layout(state))

    def covered(state: State) -> bool:
        return any(pile.role != "stock" and pile.face_down for pile in game.layout(state))

    if not (game.counts_cards and game.options.get("returns")):
        marks[first(lambda state: not stocked(state))] = "the stock is used up"
    turned = first(lambda state: not covered(state))
    marks[turned] = (
        f"{marks[turned]}, everything is face up" if turned in marks else "everything is face up"
    )
    rest = len(moves)
    while rest and moves[rest - 1].target == FOUNDATION:
        rest -= 1
    if len(moves) - rest > 3:
        marks.setdefault(rest, "the rest goes up")
    marks = {place: title for place, title in marks.items() if 0 < place < len(moves)}
    return (
        Phase(1, "from the start"),
        *(Phase(place + 1, title) for place, title in sorted(marks.items())),
    )


def _with_best(
    game: Game, state: State, line: tuple[Move, ...], tries: tuple[Try, ...]
) -> tuple[Try, ...]:
    """*tries* after the line that is proved to get furthest, those that get less far left out."""
    end = replay(game, state, line)[1][-1]
    needed = support(game).moves_needed(end)
    best = Try(line, end, needed, next(game.successors(end), None) is None)
    keys = {game.key(end)}
    return (best, *(other for other in tries if game.key(other.end) not in keys
                    and other.needed <= needed))[:3]  # fmt: skip


def _tries(game: Game, state: State, limits: Limits, most: int = 3) -> tuple[Try, ...]:
    """The *most* lines whose ends need fewest moves; each end position once."""
    hopes = support(game)
    needed = hopes.moves_needed
    if game.decision_free:
        outcome, _ = play_out(game, state, limits)
        line = outcome.line if outcome.line is not None else play_on(game, state)[0]
        end = replay(game, state, line)[1][-1]
        return (Try(line, end, needed(end), True),)
    clock, guess = Clock(limits), hopes.promise
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
