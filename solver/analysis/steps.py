"""A line of play beside the roads not taken: what every other move would have led to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from rules.game import Game, State
from rules.moves import Move
from rules.referee import replay
from solver.analysis.session import Fate, Session, is_worse, scaled
from solver.progress import tell
from solver.verdict import Clock, Limits, Verdict

Kind = Literal["forced", "free", "choice", "critical", "unknown"]
KINDS: Final[tuple[Kind, ...]] = ("forced", "free", "choice", "critical", "unknown")


@dataclass(frozen=True, slots=True)
class Other:
    """A legal move that the line does not take, and what becomes of the position after it.

    ``same``: it leads to a position equal to the one that the line's move leads to.
    ``twin``: an earlier one of the other moves leads to an equal position.
    ``line``: how play can go on from there, for a few moves, where that was asked for.
    """

    move: Move
    fate: Fate
    same: bool = False
    twin: bool = False
    line: tuple[Move, ...] = ()


@dataclass(frozen=True, slots=True)
class Step:
    """A move of a line, the other legal moves in their order, and the fates around it.

    ``before``: of the position that it is played in. ``fate``: of the one that it leads to.
    """

    move: Move
    others: tuple[Other, ...]
    before: Fate
    fate: Fate

    @property
    def choices(self) -> tuple[Other, ...]:
        """The other moves that lead elsewhere."""
        return tuple(other for other in self.others if not other.same)

    @property
    def is_blunder(self) -> bool:
        """Whether it is proved to give away a win, or cards where they are counted."""
        return is_worse(self.before, self.fate) is True

    @property
    def kind(self) -> Kind:
        """What kind of decision it was.

        ``forced``: every legal move leads to an equal position. ``free``: no move does worse
        than the best. ``critical``: all but one of them do worse (moves that lead to equal
        positions count as one). ``choice``: some do, some do not. ``unknown``: not decided.
        """
        if not self.choices:
            return "forced"
        worse = [is_worse(self.before, other.fate) for other in self.choices if not other.twin]
        worse.append(is_worse(self.before, self.fate))
        if None in worse:
            return "unknown"
        if not any(worse):
            return "free"
        return "critical" if worse.count(False) == 1 else "choice"


def count_kinds(steps: Sequence[Step]) -> dict[Kind, int]:
    """How many steps there are of each kind, in the order of `KINDS`."""
    return {kind: sum(step.kind == kind for step in steps) for kind in KINDS}


@dataclass(slots=True)
class Asker:
    """Asks a session many questions, within a time for all of them and a budget for each.

    ``limits.seconds`` counts from the first question on. ``budget``: positions for each.
    """

    session: Session
    limits: Limits
    budget: int | None
    clock: Clock | None = None

    def fate(self, state: State) -> Fate:
        if self.clock is None:
            self.clock = Clock(self.limits)
        left = None
        if self.limits.seconds is not None:
            left = self.limits.seconds - self.clock.seconds
            if left <= 0 and not self.session.knows(state):
                return Fate(Verdict.UNKNOWN)
        return self.session.fate(state, scaled(self.limits, left, self.budget))


def weigh(
    asker: Asker, start: State, line: Sequence[Move], fates: Sequence[Fate], *, depth: int = 0
) -> Iterator[Step]:
    """The steps of *line* from *start*, with the fate of every other legal move.

    *fates*: those of the positions of the line, one more than its moves. *depth*: moves of a
    continuation to give with each other move that does no worse.
    """
    session = asker.session
    game: Game = session.game
    moves, states = replay(game, start, line)
    for index, (move, before, after) in enumerate(zip(moves, states, states[1:], strict=False)):
        tell("moves weighed", index, len(moves))
        played, wanted = game.key(after), game.normal(move.bare)
        others: list[Other] = []
        seen = {played}
        for other, leads_to in game.successors(before):
            if game.normal(other.bare) == wanted:
                continue
            key = game.key(leads_to)
            same, twin = key == played, key != played and key in seen
            seen.add(key)
            fate = fates[index + 1] if same else _after(asker, fates[index], leads_to)
            way = (session.line(leads_to) or ())[:depth] if depth and not same else ()
            others.append(Other(other, fate, same, twin, way))
        yield Step(move, tuple(others), fates[index], fates[index + 1])


def _after(asker: Asker, before: Fate, state: State) -> Fate:
    """The fate of *state*, which a move from a position with the fate *before* leads to."""
    if before.verdict is Verdict.UNWINNABLE and before.fewest_left is None:
        return Fate(Verdict.UNWINNABLE)  # no move wins where no line wins
    return asker.fate(state)
