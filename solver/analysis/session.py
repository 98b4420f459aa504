"""A session: what is known about the positions of one deal, kept from question to question.

What may be kept after a search, and why:

* A search that *ended by exhaustion* without a win proves every position it visited lost:
  each is reachable from where it began, and whatever can be reached from one was visited too.
* A search that *ended with a win* proves the positions on its path won. Of the others it
  proves nothing in general: one that was left behind may lead back to a position that was
  still open then and has been won since.
* Unless the space has no cycles. Then a position that the search has left is lost, whether
  the search ended with a win or at a limit: all that follows it was left before it, and no
  win was met there. Only the positions still open (on the stack) are undecided.

The argument is about one space: the positions of one deal under one list of reductions. A
lost position found under reductions has no winning line in that space; that the same is then
true under the rules is what the reductions' soundness arguments say. So a session holds the
reductions fixed. Where cards are counted a position has a number, not only a verdict, and
only the positions asked about are kept.

No question changes the answer to another: what is kept are proofs.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from rules.game import Game, State
from rules.moves import Move
from rules.referee import replay
from solver import reductions as _reductions
from solver.families import support
from solver.kernels import LostPositions, has_kernel, search_readably, warm
from solver.search.depth_first import Outcome, Table, search
from solver.search.follow import follow, line_through, step_to
from solver.search.playout import play_out
from solver.search.space import Space
from solver.solve import search_state
from solver.verdict import DEFAULT_LIMITS, Clock, Limits, Verdict

KEPT: Final = 4_000_000
"""Positions kept as lost, at most; beyond that nothing is forgotten, and nothing added."""


@dataclass(frozen=True, slots=True)
class Fate:
    """What becomes of a position under best play.

    ``fewest_left``: the fewest cards left, where cards are counted and it is proved.
    ``positions``: how many were visited for it when it was first asked (0: it was known).
    ``counted``: cards are counted, so that of two wins one may be worse.
    """

    verdict: Verdict
    fewest_left: int | None = None
    positions: int = 0
    counted: bool = False

    @property
    def decided(self) -> bool:
        return self.verdict is not Verdict.UNKNOWN


def is_worse(before: Fate, after: Fate) -> bool | None:
    """Whether a move from *before* to *after* gives something away; None if not known."""
    if before.fewest_left is not None and after.fewest_left is not None:
        return after.fewest_left > before.fewest_left
    if before.counted or after.counted:
        if before.verdict is Verdict.UNWINNABLE and before.fewest_left is None:
            return False  # proved: no line from here comes to an end that counts
        if after.verdict is Verdict.UNWINNABLE and before.verdict is Verdict.WINNABLE:
            return True
        return None
    if before.verdict is Verdict.UNWINNABLE and before.fewest_left is None:
        return None if after.fewest_left is not None else False
    if Verdict.UNKNOWN in (before.verdict, after.verdict):
        return None
    if before.verdict is after.verdict:
        return None if before.verdict is Verdict.UNWINNABLE else False
    return before.verdict is Verdict.WINNABLE


class Session:
    """Questions about the positions of one deal.

    *start*: a state from which those that will be asked about are reachable. *engine*,
    *reductions*: as for `solver.solve.solve`.
    """

    def __init__(
        self, game: Game, start: State, *, engine: str = "auto", reductions: str = "all"
    ) -> None:
        self.game, self.start, self.engine = game, start, engine
        self.names = _reductions.select(game, reductions)
        self.compiled = engine != "reference" and has_kernel(game, self.names)
        self.lost: set[Hashable] = set()
        self.won: dict[Hashable, Hashable | None] = {}
        """Positions won, each with the next one on a way to a win; None for wins."""
        self._fates: dict[Hashable, Fate] = {}
        self._lines: dict[Hashable, tuple[Any, tuple[Move, ...]]] = {}
        self._shares = not game.counts_cards and not game.decision_free
        self._taken: dict[Hashable, Any] = {}
        self._support = support(game)
        self._space: Callable[[Any], Space] = self._support.spaces(start, self.names)
        self._keeps_lost = self._support.keeps_lost(self.names)
        self._table: LostPositions | None = None

    def fate(self, state: State, limits: Limits = DEFAULT_LIMITS) -> Fate:
        """What becomes of *state*; ``UNKNOWN`` only if *limits* were reached."""
        key = self.game.key(state)
        fate = self._fates.get(key)
        if fate is None:
            fate = self._ask(state, limits)
            if fate.decided and not (self.game.counts_cards and fate.fewest_left is None):
                self._fates[key] = fate
        return fate

    def knows(self, state: State) -> bool:
        """Whether the fate of *state* has been asked for and answered."""
        return self.game.key(state) in self._fates

    def line(self, state: State, steps: int | None = None) -> tuple[Move, ...] | None:
        """A line from *state* to a win, or to the fewest cards where they are counted.

        *steps*: only so many of its first steps; a step may be several moves. None if no line
        is known, which says nothing about *state* unless `fate` was asked.
        """
        game = self.game
        if self._shares:
            if game.is_won(state):
                return ()
            space = self._space(state)
            key = space.key(space.start)
            if key in self.won:
                return space.line(self._steps(space, key, steps))
        found = self._lines.get(game.key(state))
        if found is None:
            return None
        begin, line = found
        if begin == state:
            return line[:steps]
        keys = [game.key(after) for after in replay(game, begin, line)[1][1:]]
        return line_through(game, state, keys[:steps])

    def _steps(self, space: Space, key: Hashable, most: int | None) -> list[Any]:
        """The first *most* steps of *space* from its start, the known win *key*, to the end."""
        way = itertools.islice(self._way(key), most)
        if space.key(space.start) is not space.start:
            return follow(space, way)
        steps = []  # a key is the node itself, and has one step for all
        for following in way:
            if key not in self._taken:
                self._taken[key] = step_to(space, key, following)[0]
            steps.append(self._taken[key])
            key = following
        return steps

    def distance(self, state: State) -> int | None:
        """Steps to a win on the way that is known from *state*; None if none is known.

        A step may be several moves. For ordering only.
        """
        if self._shares:
            space = self._space(state)
            key = space.key(space.start)
            if key in self.won:
                return sum(1 for _ in self._way(key))
        found = self._lines.get(self.game.key(state))
        return None if found is None else len(found[1])

    def note(self, state: State, fate: Fate, line: tuple[Move, ...] | None) -> None:
        """Keep a *fate* of *state* that was put together from others, and its line."""
        key = self.game.key(state)
        if fate.decided and not (self.game.counts_cards and fate.fewest_left is None):
            self._fates.setdefault(key, fate)
            if line is not None:
                self._lines.setdefault(key, (state, line))

    def note_line(self, state: State, line: Sequence[Move]) -> None:
        """Note that *line* from *state* wins: so do the positions on it.

        Where cards are counted nothing follows from it. Raises ValueError if it does not win.
        """
        game = self.game
        moves, states = replay(game, state, line)
        if not game.is_won(states[-1]):
            raise ValueError("the line does not win")
        if not self._shares:
            return
        for index, at in enumerate(states):
            key = game.key(at)
            self._fates.setdefault(key, Fate(Verdict.WINNABLE))
            self._lines.setdefault(key, (at, tuple(moves[index:])))

    # How questions are answered ---------------------------------------------------------

    def _ask(self, state: State, limits: Limits) -> Fate:
        game = self.game
        if game.decision_free:
            outcome, _ = play_out(game, state, limits)
        elif game.counts_cards:
            outcome, _ = search_state(game, state, self.names, limits, self.engine)
        elif game.is_won(state):
            return Fate(Verdict.WINNABLE)
        elif self._keeps_lost or not self.compiled:
            return self._ask_sharing(state, limits)
        else:
            outcome, _ = search_state(game, state, self.names, limits, self.engine)
            if outcome.verdict is Verdict.WINNABLE and outcome.line is not None:
                self.note_line(state, outcome.line)
        if outcome.line is not None and outcome.complete:
            self._lines.setdefault(game.key(state), (state, outcome.line))
        fewest = outcome.best_left if outcome.complete and game.counts_cards else None
        return Fate(outcome.verdict, fewest, outcome.stats.positions, game.counts_cards)

    def _ask_sharing(self, state: State, limits: Limits) -> Fate:
        space = _Known(self._space(state), self)
        start = space.key(space.start)
        if start in self.won:
            return Fate(Verdict.WINNABLE)
        if start in self.lost:
            return Fate(Verdict.UNWINNABLE)
        table = Table()
        outcome, rest = None, limits
        if self._table is None:
            outcome, rest = search_readably(
                self.game, self.names, limits, self.engine,
                lambda within: search(space, within, table=table),
            )  # fmt: skip
        if outcome is not None:
            self._learn(table, outcome)
            verdict, positions, way = outcome.verdict, outcome.stats.positions, table.open
        else:
            if self._table is None:
                warm(self.game, self.names)
                self._table = self._support.lost_positions(self.start, self.names, self.lost)
            verdict, positions, way = self._table.ask(state, rest)
        if verdict is Verdict.WINNABLE:
            for key, following in itertools.pairwise(way):
                self.won.setdefault(key, following)
            self.won.setdefault(way[-1], None)
        return Fate(verdict, None, positions)

    def _learn(self, table: Table, outcome: Outcome) -> None:
        """Keep the positions that the search which filled *table* has proved lost."""
        if len(self.lost) + len(table.keys) > KEPT:
            return
        if outcome.verdict is Verdict.UNWINNABLE:
            self.lost |= table.keys
        elif self._support.is_acyclic(self.names):
            self.lost |= table.keys.difference(table.open)

    def _way(self, key: Hashable) -> Iterator[Hashable]:
        """The keys from the known win *key* on to the end."""
        following = self.won[key]
        while following is not None:
            yield following
            following = self.won[following]


class _Known:
    """A space with what the session knows: lost positions left out, known wins as wins.

    Only lost ones where a compiled search keeps those: what is found must not depend on the engine.
    """

    counts_cards = False

    def __init__(self, space: Space, session: Session) -> None:
        self.space, self.session = space, session
        self.start = space.start
        self.key = space.key

    def watch(self, clock: Clock) -> None:
        if hasattr(self.space, "watch"):
            self.space.watch(clock)

    def successors(self, node: State) -> Iterator[tuple[Any, Any]]:
        lost, key = self.session.lost, self.space.key
        return (pair for pair in self.space.successors(node) if key(pair[1]) not in lost)

    def is_won(self, node: State) -> bool:
        session = self.session
        if self.space.is_won(node):
            return True
        return not session._keeps_lost and self.space.key(node) in session.won

    def cards_left(self, node: State) -> None:
        return None

    def line(self, steps: Sequence[Any]) -> tuple[Move, ...]:
        return ()  # asked for by `Session.line`, if at all


def scaled(limits: Limits, seconds_left: float | None, positions: int | None) -> Limits:
    """*limits* for one question among several: at most so much time, so many positions."""
    counts = [n for n in (limits.positions, positions) if n is not None]
    times = [t for t in (limits.seconds, seconds_left) if t is not None]
    return replace(
        limits,
        seconds=max(0.0, min(times)) if times else None,
        positions=min(counts) if counts else None,
    )
