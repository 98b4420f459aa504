"""``relaxed`` (klondike family): what is lost when cards are dealt one at a time is lost.

**Why.** With unlimited passes, dealing one card at a time reaches every card that dealing k at a
time reaches, however many passes are left, and it can leave the same cards in the waste. So
whoever wins at draw k wins at draw one with unlimited passes, by the same moves with more deals
between them. If a position, without its p (see `solver.reductions.klondike.classes`), is lost
there, it is lost at every draw and with any number of passes.

**How.** Each position that the search enters is first asked about at draw one, in a search of
its own with the other reductions in force. If that closes without a win, all that it has visited
is lost at draw one, and is kept as such. If it meets a win, all on the way there can be won at
draw one; that is kept, too, so that the next question ends sooner. If it has visited `BUDGET`
positions (`START_BUDGET` for the first question, which decides many deals alone) it ends and
*nothing* is known; so it is if a limit of the whole search stops it.

Positions of these searches are not counted as positions of the search that asks.

**Holds** wherever `classes` does; with draw one and unlimited passes it would say nothing new.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from rules.families.klondike import UNLIMITED, KlondikeState
from rules.game import Game
from solver.reductions.klondike import classes
from solver.reductions.klondike.classes import Board, ClassesSpace, Layout, Position, Step
from solver.verdict import Clock

NAME: Final = "relaxed"
SUMMARY: Final = "what cannot be won when cards are dealt one at a time is not looked at"

BUDGET: Final = 20_000
START_BUDGET: Final = 1_000_000
_ENTRY: Final = 400  # bytes that a position takes in the memory of `DrawOne`


def applies(game: Game[Any]) -> bool:
    """As `classes`, unless every card of the talon can be had at any time."""
    return classes.applies(game) and (game.options["draw"], game.options["passes"]) != (1, None)


class DrawOne:
    """The same deal at draw one: asked about positions, it remembers what it has found.

    ``space``: that of draw one, a `ClassesSpace` under the other reductions. ``lost``: for every
    position that is decided, whether it is lost. ``clock``: of the search that asks.
    """

    def __init__(
        self, space: ClassesSpace, budget: int = BUDGET, first: int = START_BUDGET
    ) -> None:
        self.space, self.budget, self.next_budget = space, budget, first
        self.lost: dict[Position, bool] = {}
        self.clock: Clock | None = None
        self.visited = 0

    def is_lost(self, position: Position) -> bool:
        """Whether *position* is known, or found, to be lost at draw one.

        Raises `solver.verdict.LimitReached` if a limit of the search that asks is reached.
        """
        board = Board(self.space.layout, position._replace(at=0, passes=UNLIMITED))
        self.space.settle(board)
        start = board.position()
        if start not in self.lost:
            self._search(start)
        return self.lost.get(start, False)

    def _search(self, start: Position) -> None:
        space, budget = self.space, self.next_budget
        self.next_budget = self.budget
        seen: set[Position] = set()
        frames, path = [(start, 0)], [start]
        while frames:
            node, depth = frames.pop()
            if node in seen:
                continue
            if len(seen) >= budget:
                return
            self._look_at_clock()
            path[depth:] = [node]
            seen.add(node)
            won = space.is_won(node)
            after = [] if won else [position for _, position in space.successors(node)]
            for position in reversed(after):
                if position not in seen:
                    lost = self.lost.get(position)
                    won = won or lost is False
                    if lost is None:
                        frames.append((position, depth + 1))
            if won:
                self.lost.update(dict.fromkeys(path, False))
                return
        self.lost.update(dict.fromkeys(seen, True))

    def _look_at_clock(self) -> None:
        self.visited += 1
        if self.clock is not None and self.visited % 64 == 0:
            self.clock.check(None, _ENTRY * len(self.lost))


class RelaxedSpace(ClassesSpace):
    """A `ClassesSpace` in which positions that are lost at draw one have no successors."""

    def __init__(
        self,
        game: Game[Any],
        state: KlondikeState,
        names: tuple[str, ...],
        layout: Layout | None = None,
    ) -> None:
        super().__init__(game, state, names, layout)
        rest = tuple(name for name in names if name != NAME)
        easier = ClassesSpace(game, state, rest, self.layout.with_draw_one())
        self.draw_one = DrawOne(easier)

    def watch(self, clock: Clock) -> None:
        """Heed *clock* from now on."""
        self.draw_one.clock = clock

    def successors(self, node: Position) -> Iterator[tuple[Step, Position]]:
        if not self.draw_one.is_lost(node):
            yield from super().successors(node)
