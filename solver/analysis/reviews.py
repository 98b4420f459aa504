"""Review: somebody's line of play, the verdict after each move, and where it went wrong.

A position that can be won has only positions that can be won before it on the line, and a
lost one only lost ones after it; where cards are counted the fewest that can be left never
falls along a line. So the fates of a line are found by bisection, with few proofs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from rules.decks import Deal, Deck
from rules.game import Game, State
from rules.moves import Move, parse_line
from rules.position import Position
from rules.referee import replay
from rules.registry import get_game
from rules.words import plural
from solver.analysis.hints import better
from solver.analysis.session import Fate, Session, is_worse
from solver.analysis.steps import Asker, Kind, Step, count_kinds, weigh
from solver.search.straighten import straighten
from solver.solve import as_given
from solver.verdict import DEFAULT_LIMITS, Limits, Verdict, named

BUDGET: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Blunder:
    """A move that gave something away. ``number``: 1 for the line's first move.

    ``better``: a move that would not have, and ``line``: how play could have gone on after it.
    """

    number: int
    step: Step
    better: Move
    line: tuple[Move, ...]


@dataclass(frozen=True, slots=True, repr=False)
class Review:
    """``fates``: of every position of the line, the first before any move.

    ``steps``: its moves, as far as they were weighed (see `review`). ``blunders``: moves that
    gave away the win, or cards where they are counted, in order; where the fates do not tell
    which move it was, ``between`` has the numbers of the last move before which the deal could
    be won and of the first one after which it could not.
    ``won``: whether the line wins. ``end``: the state it leads to.
    """

    game: Game
    given: Deal | Position
    line: tuple[Move, ...]
    fates: tuple[Fate, ...]
    steps: tuple[Step, ...]
    blunders: tuple[Blunder, ...]
    between: tuple[int, int] | None
    won: bool
    end: State

    def __repr__(self) -> str:
        first, last = (fate.verdict.value for fate in (self.fates[0], self.fates[-1]))
        fates = first if first == last else f"{first} at first, {last} at the end"
        counts = plural(len(self.line), "move"), plural(len(self.blunders), "blunder")
        return named(self, self.game, fates, *counts, given=self.given)

    @property
    def settled(self) -> bool:
        """Whether it is proved what, if anything, was given away, and where."""
        if self.game.counts_cards:
            return all(fate.fewest_left is not None for fate in self.fates)
        first, last = self.fates[0].verdict, self.fates[-1].verdict
        if first is Verdict.UNWINNABLE or last is Verdict.WINNABLE:
            return True
        return bool(self.blunders)

    @property
    def kinds(self) -> dict[Kind, int]:
        return count_kinds(self.steps)


def review(
    game: str | Game,
    given: int | str | Deal | Deck | Position,
    line: str | Sequence[Move],
    *,
    limits: Limits = DEFAULT_LIMITS,
    budget: int | None = BUDGET,
    engine: str = "auto",
    reductions: str = "all",
) -> Review:
    """Review *line*, moves or their text, from *given*, a deal or position as for `solve`.

    Raises `IllegalMove` for the first move that is not legal, and `DealproofError` for what
    names no game, deal or move.

    *limits*: the time is for the whole review; *budget*: positions for each question. Moves
    are weighed against the others as long as there was something to lose: while the deal
    could be won, or to the end where cards are counted.

    >>> found = review("decade-loop-three", 95, "3D+7S+JH")
    >>> [fate.verdict.value for fate in found.fates], str(found.blunders[0].better)
    (['winnable', 'unwinnable'], '3D+7S')
    """
    game = get_game(game) if isinstance(game, str) else game
    given = as_given(game, given)
    line = parse_line(line) if isinstance(line, str) else line
    start = given.state if isinstance(given, Position) else game.initial(given.deck)
    moves, states = replay(game, start, line)
    session = Session(game, start, engine=engine, reductions=reductions)
    asker = Asker(session, limits, budget)
    won = game.is_won(states[-1])
    if won:
        session.note_line(start, moves)
    fates = _along(game, asker, states)
    steps = []
    for step in weigh(asker, start, moves, fates):
        if step.before.verdict is Verdict.UNWINNABLE and step.before.fewest_left is None:
            break
        steps.append(step)
    blunders = tuple(
        _blunder(session, number, step, states[number - 1])
        for number, step in enumerate(steps, 1)
        if step.is_blunder
    )
    return Review(
        game, given, tuple(moves), tuple(fates), tuple(steps), blunders,
        None if blunders else _between(fates), won, states[-1],
    )  # fmt: skip


def _along(game: Game, asker: Asker, states: Sequence[Any]) -> list[Fate]:
    """The fates of the positions of a line, by bisection (see the module's docstring)."""
    fates: list[Fate | None] = [None] * len(states)

    def at(place: int) -> Fate:
        fate = fates[place]
        if fate is None:
            fate = fates[place] = asker.fate(states[place])
        return fate

    pending = [(0, len(states) - 1)]
    while pending:
        low, high = pending.pop()
        first, last = at(low), at(high)
        if high - low < 2:
            continue
        if _equal(first, last) or (
            not game.counts_cards
            and (last.verdict is Verdict.WINNABLE or first.verdict is Verdict.UNWINNABLE)
        ):
            value = last if last.verdict is Verdict.WINNABLE else first
            for place in range(low + 1, high):
                fates[place] = Fate(value.verdict, value.fewest_left, counted=game.counts_cards)
        else:
            middle = (low + high) // 2
            pending += [(middle, high), (low, middle)]
    return [at(place) for place in range(len(states))]


def _equal(first: Fate, last: Fate) -> bool:
    """Whether what lies between two positions of a line must have the same fate as both."""
    if not (first.decided and last.decided):
        return False
    return first.verdict is last.verdict and first.fewest_left == last.fewest_left


def _between(fates: Sequence[Fate]) -> tuple[int, int] | None:
    """The numbers of the moves among which the win was given away, if it was."""
    won = [place for place, fate in enumerate(fates) if fate.verdict is Verdict.WINNABLE]
    lost = [place for place, fate in enumerate(fates) if fate.verdict is Verdict.UNWINNABLE]
    if won and lost and won[-1] < lost[0]:
        return won[-1] + 1, lost[0]
    return None


def _blunder(session: Session, number: int, step: Step, state: State) -> Blunder:
    """The blunder, with the best of the other moves and what follows it.

    *state* is where a change in the fates begins, so it was asked about and has a line.
    """
    game = session.game
    best = min(step.others, key=lambda other: better(other.fate))
    if is_worse(step.before, best.fate) is False:
        move, after = game.play(state, best.move)
        line = session.line(after)
        if line is not None:
            return Blunder(number, step, move, straighten(game, after, line))
    line = session.line(state)
    assert line
    line = straighten(game, state, line)
    return Blunder(number, step, line[0], line[1:])
