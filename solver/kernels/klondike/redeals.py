# mypy: disable-error-code="no-untyped-def, call-arg, unreachable, var-annotated"
"""The search of `solver.reductions.klondike.classes`, compiled, with its question at draw one.

Visits the positions that `solver.search.depth_first` visits in the space with the same
reductions, in the same order. `classes` and `preludes` must be among them.

The question of `solver.reductions.klondike.relaxed` is a search within the search. What it needs
(see `Question`) lies in arrays of its own, so that it, too, can stop at any position and go on.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rules.families.klondike import Klondike, KlondikeState
from rules.game import Game
from solver.families import support
from solver.kernels.bits import borrowed
from solver.kernels.driver import CHUNK, PATH, TABLE, Run, doubled
from solver.kernels.jit import compiled, piece
from solver.kernels.klondike.classes import WASTE_AT, Code, emit, is_won, unpack
from solver.kernels.klondike.preludes import FRAME, FRAMES, expand
from solver.kernels.registers import (
    AGAIN,
    BEST,
    BEST_DEPTH,
    DEAD_ENDS,
    DEPTH,
    EXHAUSTED,
    FILLED,
    FINISHED,
    FRAMES_FULL,
    NONE_LEFT_YET,
    PATH_FULL,
    POSITIONS,
    REGISTERS,
    SLICE,
    SP,
    TABLE_FULL,
    TRANSPOSITIONS,
    WON,
)
from solver.kernels.words import slot_of
from solver.reductions.klondike.classes import ClassesSpace, Layout, Position
from solver.reductions.klondike.relaxed import BUDGET, START_BUDGET
from solver.search.depth_first import Outcome, Table, search
from solver.verdict import NO_LIMITS, LimitName, Limits, Verdict

Array = NDArray[Any]

_SLICE: Final = 25_000  # positions

# More registers. STAGE: what is to be done with the position whose turn it is.
# FULL: which array `TABLE_FULL` is about. Those from Q_SP on belong to the question.
STAGE, FULL, Q_SP, Q_VISITED, Q_DEPTH, Q_BUDGET, Q_ANSWER, Q_KNOWN = range(REGISTERS, REGISTERS + 8)
_REGISTERS: Final = REGISTERS + 8

_ENTER, _ASK, _EXPAND = 0, 1, 2  # stages
TABLE_IS, KNOWN_IS, QUESTION_IS, OUT_IS = range(4)  # what is full
_LOST, _WON, _UNKNOWN, _NOT_YET, _FULL = range(5)  # answers

_LOST_BIT = 1 << 61  # in ``known``: of a position without the waste's end that is lost


class Question:
    """The arrays of the question at draw one.

    ``known``: a table of positions that are decided, with `_LOST_BIT` for the lost ones.
    ``table``, ``slots``: the positions visited by the question under way, and where they are.
    ``frames``, ``path``: as in `Run`.
    """

    def __init__(self, asked: bool) -> None:
        small = TABLE if asked else 1
        self.known = np.zeros(small, np.int64)
        self.table, self.slots = np.zeros(small, np.int64), np.zeros(small, np.int64)
        self.frames, self.path = np.zeros((4 * small, 2), np.int64), np.zeros(PATH, np.int64)

    @property
    def nbytes(self) -> int:
        arrays = (self.known, self.table, self.slots, self.frames, self.path)
        return sum(array.nbytes for array in arrays)

    def grow(self, visited: int) -> None:
        """Twice the room for the question under way."""
        self.frames, self.path = doubled(self.frames), doubled(self.path)
        new, self.slots = np.zeros(2 * len(self.table), np.int64), doubled(self.slots)
        move_visited(self.table, new, self.slots, visited)
        self.table = new


class ClassesSearch(Run):
    """One search from one state. *space*: with the reductions in force."""

    def __init__(self, space: ClassesSpace, limits: Limits) -> None:
        super().__init__(
            space.game,
            space.state,
            np.zeros(TABLE, np.int64),
            np.zeros((2 * TABLE, 2), np.int64),
            np.zeros(PATH, np.int64),
            limits,
        )
        self.space, self.code = space, Code(space.layout)
        self.asks = "relaxed" in space.names
        self.registers = np.zeros(_REGISTERS, np.int64)
        early = "early" in space.names
        self.words = self.code.array(early=early)
        self.easier = self.words
        if self.asks:
            self.easier = Code(space.layout.with_draw_one()).array(early=early)
        self.out = np.zeros(TABLE, np.int64)
        self.stack = np.zeros((FRAMES, FRAME), np.int64)
        self.question = Question(self.asks)
        self.frames[0, 0] = self.code.pack(space.start)
        self.registers[SP] = 1
        self.registers[BEST] = NONE_LEFT_YET
        self.registers[Q_BUDGET] = START_BUDGET

    @property
    def memory(self) -> int:
        return super().memory + self.question.nbytes + self.out.nbytes

    def step(self, budget: int) -> int:
        q = self.question
        return int(
            run_classes(
                self.words, self.easier, self.asks, self.table, self.frames, self.path, self.out,
                self.stack, q.known, q.table, q.slots, q.frames, q.path, self.registers,
                min(budget, _SLICE),
            )
        )  # fmt: skip

    def _grow_table(self) -> LimitName | None:
        full, q = self.registers[FULL], self.question
        if full == TABLE_IS:
            return super()._grow_table()
        if full == KNOWN_IS:
            if not self._allows(4 * q.known.nbytes):
                return "memory"
            new = np.zeros(4 * len(q.known), np.int64)
            move_known(q.known, new)
            q.known = new
        elif full == QUESTION_IS:
            if not self._allows(2 * q.nbytes):
                return "memory"
            q.grow(int(self.registers[Q_VISITED]))
        else:
            if not self._allows(2 * self.out.nbytes):
                return "memory"
            self.out = doubled(self.out)
        return None

    def move(self, new: Array, first: int) -> None:
        move_words(self.table, new, first, first + CHUNK)

    def key(self, row: Any) -> Position:
        return self.code.unpack(int(row))

    def outcome(self, limit: LimitName | None) -> Outcome:
        outcome = super().outcome(limit)
        if self.won:
            outcome.line = self.space.line_through(self.way()[1:])
            outcome.stats.seconds = self.clock.seconds
        return outcome


def solve(
    game: Game[Any], state: KlondikeState, reductions: tuple[str, ...], limits: Limits = NO_LIMITS
) -> Outcome:
    """Search *game* from *state* within *limits*, as `solver.search.depth_first.search` does.

    The line passes the same positions; between two of them the moves may come in another order.
    *reductions*: the names in force, ``classes`` and ``preludes`` among them. Positions that do
    not fit a word (few columns, many cards in the talon) are searched readably.
    """
    space = support(game).space(state, reductions)
    assert isinstance(space, ClassesSpace)
    if not fits(space.layout):
        return search(space, limits)
    run = ClassesSearch(space, limits)
    return run.outcome(run.go())


def decide(
    game: Game[Any], state: KlondikeState, reductions: tuple[str, ...], limits: Limits
) -> tuple[bool, bool, int]:
    """As `solve`, without the line: whether it is won, whether that is decided, the positions."""
    space = support(game).space(state, reductions)
    assert isinstance(space, ClassesSpace)
    if not fits(space.layout):
        outcome = search(space, limits)
        won = outcome.verdict is Verdict.WINNABLE
        return won, outcome.verdict is not Verdict.UNKNOWN, outcome.stats.positions
    run = ClassesSearch(space, limits)
    limit = run.go()
    return run.won, run.won or limit is None, run.positions


class DecidedClasses:
    """What is known of the positions of one layout, kept from search to search.

    The lost ones are in the table that a search begins with, and count as visited. What the
    question at draw one has decided is kept as well.
    """

    def __init__(
        self, game: Game[Any], start: KlondikeState, names: tuple[str, ...], lost: Collection[Any]
    ) -> None:
        assert isinstance(game, Klondike)
        self.space = support(game).spaces(start, names)
        self.fits, self.lost = fits(Layout(game, start)), lost
        self.table: Array | None = None
        self.filled = self.known_filled = 0
        self.known: Array | None = None

    def ask(self, state: KlondikeState, limits: Limits) -> tuple[Verdict, int, list[Hashable]]:
        """The verdict, the positions visited, and for a win the keys of the way to it."""
        space = self.space(state)
        assert isinstance(space, ClassesSpace)
        if not self.fits:
            visited = Table()
            outcome = search(space, limits, table=visited)
            return outcome.verdict, outcome.stats.positions, visited.open
        run = ClassesSearch(space, limits)
        self._tell(run)
        limit = run.go()
        way: list[Hashable] = run.way() if run.won else []
        verdict = Verdict.WINNABLE if way else Verdict.UNKNOWN if limit else Verdict.UNWINNABLE
        if verdict is Verdict.UNWINNABLE:
            self.table, self.filled = run.table, run.filled
        self.known, self.known_filled = run.question.known, int(run.registers[Q_KNOWN])
        return verdict, run.positions, way

    def _tell(self, run: ClassesSearch) -> None:
        """What is known, unless it would leave little room to search."""
        most = run.limits.memory
        if self.table is None and self.lost:
            rows = np.array([run.code.pack(position) for position in self.lost], np.int64)
            self.table = np.zeros(max(TABLE, 2 << len(rows).bit_length()), np.int64)
            move_words(rows, self.table, 0, len(rows))
            self.filled = len(rows)
        if self.table is not None and (most is None or 4 * self.table.nbytes < most):
            run.begin_with(self.table.copy(), self.filled)
        if self.known is not None and (most is None or 4 * self.known.nbytes < most):
            run.question.known = self.known
            run.registers[Q_KNOWN] = self.known_filled


def fits(layout: Layout) -> bool:
    """Whether the positions of *layout* are words."""
    return Code(layout).fits


# Compiled from here on ---------------------------------------------------------------------


@piece
def find_place(table, word):
    """The free slot for a position, or -1 if it is there already."""
    mask = table.shape[0] - 1
    i = slot_of(word, mask)
    while True:
        there = table[i]
        if there == word:
            return -1
        if there == 0:
            return i
        i = (i + 1) & mask


@compiled
def move_words(old, new, first, stop):
    """Enter the positions in slots ``first .. stop - 1`` into the table *new*."""
    for i in range(first, min(stop, old.shape[0])):
        if old[i] != 0:
            new[find_place(new, old[i])] = old[i]


@compiled
def move_visited(old, new, slots, visited):
    """Enter the first *visited* positions into *new*, and note where they are."""
    for k in range(visited):
        word = old[slots[k]]
        slots[k] = find_place(new, word)
        new[slots[k]] = word


@compiled
def move_known(old, new):
    """Enter all decided positions into *new*."""
    for i in range(old.shape[0]):
        if old[i] != 0:
            know(new, old[i] & ~_LOST_BIT, old[i] & _LOST_BIT)


@piece
def look_up(known, word):
    """Whether *word* is known to be lost, or won; else unknown."""
    mask = known.shape[0] - 1
    i = slot_of(word, mask)
    while known[i] != 0:
        if known[i] & ~_LOST_BIT == word:
            return _LOST if known[i] & _LOST_BIT else _WON
        i = (i + 1) & mask
    return _UNKNOWN


@piece
def know(known, word, lost):
    """Enter *word*, with the bit *lost* or 0; how many are new."""
    mask = known.shape[0] - 1
    i = slot_of(word, mask)
    while known[i] != 0:
        if known[i] & ~_LOST_BIT == word:
            return 0
        i = (i + 1) & mask
    known[i] = word | lost
    return 1


@piece
def ask(t, word, known, table, slots, frames, path, out, stack, registers):
    """What is known of *word* at draw one: an answer. `_NOT_YET`, `_FULL`: ask again, then on."""
    sp, visited = registers[Q_SP], registers[Q_VISITED]
    answer, depth = registers[Q_ANSWER], registers[Q_DEPTH]
    if sp == 0 and visited == 0:
        up, heads, loose, talon = unpack(t, word)
        emit(t, word, up, heads, loose, talon, out, np.int64(0))
        word = out[0]
        there = look_up(known, word)
        if there != _UNKNOWN:
            return there
        frames[0, 0], frames[0, 1] = word, 0
        sp, answer = 1, _NOT_YET
    stop = visited + _SLICE
    while answer == _NOT_YET:
        if sp == 0:
            answer = _LOST
            break
        if sp + out.shape[0] > frames.shape[0] or 2 * visited >= table.shape[0]:
            registers[FULL] = QUESTION_IS
            answer = _FULL
            break
        word, depth = frames[sp - 1, 0], frames[sp - 1, 1]
        if depth >= path.shape[0]:
            registers[FULL] = QUESTION_IS
            answer = _FULL
            break
        place = find_place(table, word)
        if place < 0:
            sp -= 1
            continue
        if visited >= registers[Q_BUDGET]:
            answer = _UNKNOWN
            break
        if visited >= stop:
            break
        path[depth] = word
        if is_won(t, word):
            table[place] = word
            slots[visited] = place
            visited += 1
            answer = _WON
            break
        n = expand(t, word, stack, out)
        if n > out.shape[0]:
            registers[FULL] = OUT_IS
            answer = _FULL
            break
        sp -= 1
        table[place] = word
        slots[visited] = place
        visited += 1
        for k in range(n - 1, -1, -1):
            if find_place(table, out[k]) >= 0:
                there = look_up(known, out[k])
                if there == _WON:
                    answer = _WON
                elif there == _UNKNOWN:
                    frames[sp, 0], frames[sp, 1] = out[k], depth + 1
                    sp += 1
    if answer in (_NOT_YET, _FULL):
        registers[Q_SP], registers[Q_VISITED], registers[Q_ANSWER] = sp, visited, _NOT_YET
        return answer
    more = visited if answer == _LOST else depth + 1 if answer == _WON else 0
    if 4 * (registers[Q_KNOWN] + more) > 3 * known.shape[0]:
        registers[FULL] = KNOWN_IS
        registers[Q_SP], registers[Q_VISITED], registers[Q_ANSWER] = sp, visited, answer
        registers[Q_DEPTH] = depth
        return _FULL
    if answer == _WON:
        for k in range(depth + 1):
            registers[Q_KNOWN] += know(known, path[k], 0)
    for k in range(visited):
        if answer == _LOST:
            registers[Q_KNOWN] += know(known, table[slots[k]], _LOST_BIT)
        table[slots[k]] = 0
    registers[Q_SP] = registers[Q_VISITED] = 0
    registers[Q_BUDGET] = BUDGET
    return answer


@compiled
def run_classes(
    t, easier, asks, table, frames, path, out, stack, known, q_table, q_slots, q_frames, q_path,
    registers, budget,
):  # fmt: skip
    """Search on for at most *budget* new positions; a code of `solver.kernels.registers`."""
    t, easier, out, stack = borrowed(t), borrowed(easier), borrowed(out), borrowed(stack)
    full = table.shape[0] * 5 // 8
    without_waste = (1 << t[WASTE_AT]) - 1
    sp = registers[SP]
    new = 0
    code = EXHAUSTED
    while sp > 0:
        if registers[FILLED] >= full:
            registers[FULL] = TABLE_IS
            code = TABLE_FULL
            break
        if sp + out.shape[0] > frames.shape[0]:
            code = FRAMES_FULL
            break
        word, depth = frames[sp - 1, 0], frames[sp - 1, 1]
        if depth >= path.shape[0]:
            code = PATH_FULL
            break
        if registers[STAGE] == _ENTER:
            place = find_place(table, word)
            if place < 0:
                registers[TRANSPOSITIONS] += 1
                sp -= 1
                continue
            if new >= budget:
                code = SLICE
                break
            new += 1
            table[place] = word
            registers[FILLED] += 1
            registers[DEPTH] = max(registers[DEPTH], depth)
            path[depth] = word
            if is_won(t, word):
                registers[WON] = 1
                registers[BEST_DEPTH] = depth
                code = FINISHED
                break
            registers[STAGE] = _ASK if asks else _EXPAND
        if registers[STAGE] == _ASK:
            answer = ask(
                easier, word & without_waste, known, q_table, q_slots, q_frames, q_path, out, stack,
                registers,
            )  # fmt: skip
            if answer == _NOT_YET:
                code = AGAIN
                break
            if answer == _FULL:
                code = TABLE_FULL
                break
            if answer == _LOST:
                registers[DEAD_ENDS] += 1
                registers[STAGE] = _ENTER
                sp -= 1
                continue
            registers[STAGE] = _EXPAND
        n = expand(t, word, stack, out)
        if n > out.shape[0]:
            registers[FULL] = OUT_IS
            code = TABLE_FULL
            break
        registers[STAGE] = _ENTER
        sp -= 1
        if n == 0:
            registers[DEAD_ENDS] += 1
        for k in range(n - 1, -1, -1):
            if find_place(table, out[k]) >= 0:
                frames[sp, 0], frames[sp, 1] = out[k], depth + 1
                sp += 1
            else:
                registers[TRANSPOSITIONS] += 1
    registers[SP] = sp
    registers[POSITIONS] += new
    return code
