"""The decade family, compiled: searches from any state, and surveys of numbered deals.

Two kernels share the work: `solver.kernels.decade.one_stack` (one stack, nothing returns: a
position is one word) and `solver.kernels.decade.stacks` (all the rest). Both visit the positions
that `solver.search.depth_first` visits under the same reductions, in the same order.

**The stack theorem** (used in both kernels to look for fewer groups, never to leave out a
position). Let discards be forced. Call a stack *settled* if all its cards but the newest
hold no straight group. Then, with ``where = anywhere`` as with ``where = top``:

1. In a settled stack every group holds the newest card. A group that wraps round does by
   definition; a straight group that does not would lie among the other cards.
2. A discard leaves a settled stack settled. By 1. the group is a run at the top, or such a
   run and one at the bottom; so what is left is a run of consecutive cards of the old stack
   without its newest, in which there is no straight group; still less without its own newest.
3. If all stacks are settled, a deal leaves them so. A card is dealt only when no group may
   be discarded from any stack, which by 1. means that there is none at all; so the stack
   that is dealt to holds no straight group but those with the new card.

So once all stacks are settled they stay so, ``anywhere`` and ``top`` have the same
successors, and only groups with the newest card need be looked for. Under ``anywhere`` the
first deal settles everything, whatever lay there before: it was made because there was no
group. Under ``top`` the rule itself allows no other groups. Hence the two are the same game
from the opening on if the opening is settled (stacks of at most one card always are), and
under ``anywhere`` the search for other groups is needed before the first deal only. Values
and sums are never negative; nothing else about them is used.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rules.cards import CARDS
from rules.families.decade import Decade, DecadeState
from rules.game import Game
from solver.kernels import registers, words
from solver.kernels.decade import one_stack as line
from solver.kernels.decade import stacks
from solver.kernels.decided import Decided
from solver.kernels.driver import CHUNK, PATH, TABLE, Run
from solver.reductions.decade import floor, newest
from solver.search.depth_first import Outcome
from solver.verdict import NO_LIMITS, Limits, Verdict

Array = NDArray[Any]

_FRAMES: Final = 3 * registers.MARGIN // 2
_SURVEY_TABLE: Final = 1 << 12
_LARGEST_SURVEY_TABLE: Final = 1 << 18
_SURVEY_BUDGET: Final = 1 << 18
_UNDONE: Final = 255


class Parameters:
    """A game's options as the arrays that the kernels take.

    ``classes[rank - 1]``: the class of a rank's value, from 1, equal exactly where values
    are. ``values[class]``: the class's value. ``is_sum[total]`` up to the largest sum.
    """

    def __init__(self, game: Decade) -> None:
        self.game = game
        ranked = game.values[: game.ranks]
        distinct = sorted(set(ranked))
        self.classes = np.array([distinct.index(value) + 1 for value in ranked], np.int64)
        self.values = np.zeros(16, np.int64)
        self.values[1 : 1 + len(distinct)] = distinct
        self.is_sum = np.zeros(max(game.sums) + 1, np.uint8)
        self.is_sum[list(game.sums)] = 1
        self.one_line = game.stacks == 1 and not game.returns

    def array(self, cards: int, opening: int, settled: bool) -> Array:
        """The parameter array; *opening* and *settled* mean what each kernel says."""
        game = self.game
        g = np.zeros(line.PARAMETERS, np.int64)
        g[line.CARDS], g[line.OPENING], g[line.NEWEST] = cards, opening, settled
        g[line.LEAST], g[line.MOST] = game.group_min, game.group_max
        g[line.LOOP], g[line.TOP], g[line.FORCED] = game.loop, game.top_only, game.forced
        g[line.LARGEST], g[line.WIN_AT] = max(game.sums), game.win_at
        g[line.FIRST], g[line.STACKS], g[line.RETURNS] = game.first_only, game.stacks, game.returns
        return g

    def class_of(self, card: int) -> int:
        return int(self.classes[card >> 2])


def is_settled(game: Decade, state: DecadeState) -> bool:
    """Whether all cards but the newest of each stack hold no straight group."""
    for stack in state.stacks:
        values = [game.value(card) for card in (stack or ())[:-1]]
        for start in range(len(values)):
            for end in range(start + game.group_min, min(len(values), start + game.group_max) + 1):
                if sum(values[start:end]) in game.sums:
                    return False
    return True


class _LineSearch(Run):
    def __init__(
        self, game: Decade, state: DecadeState, names: tuple[str, ...], limits: Limits
    ) -> None:
        super().__init__(
            game,
            state,
            np.zeros(TABLE, np.int64),
            np.zeros((_FRAMES, 2), np.int64),
            np.zeros(PATH, np.int64),
            limits,
        )
        p = Parameters(game)
        on_table = state.stacks[0] or ()
        cards = on_table + state.stock
        self.g = p.array(len(cards), len(on_table), newest.NAME in names)
        if floor.NAME in names:
            self.g[line.FLOOR] = floor.floor(game, cards)
        self.classes = np.array([p.class_of(card) for card in cards], np.int64)
        self.card_values = p.values[self.classes]
        self.following = np.zeros((len(cards) + 1, line.CLASSES), np.int64)
        self.is_sum = p.is_sum
        self.scratch = np.zeros((2, 64), np.int64)
        line.prepare(self.classes, self.following)
        line.start_line(self.g, self.frames, self.registers, 1)

    def step(self, budget: int) -> int:
        return int(
            line.run_line(
                self.g, self.is_sum, self.card_values, self.classes, self.following, self.table,
                self.frames, self.path, self.best_path, self.scratch, self.registers, budget,
            )
        )  # fmt: skip

    def move(self, new: Array, first: int) -> None:
        words.move_words(self.table, new, first, first + CHUNK, 1 << words.EPOCH_SHIFT)

    def key(self, row: Any) -> Hashable:
        word = int(row)
        values = [int(self.card_values[i]) for i in range(52) if word >> i & 1]
        return ((tuple(values),), len(self.classes) - (word >> 52), 0)


class _StacksSearch(Run):
    def __init__(self, game: Decade, state: DecadeState, limits: Limits) -> None:
        p = Parameters(game)
        on_table = sum(len(stack or ()) for stack in state.stacks)
        width = stacks.width_of(on_table + len(state.stock), game.stacks)
        super().__init__(
            game,
            state,
            np.zeros((TABLE, width), np.int64),
            np.zeros((_FRAMES, width + 1), np.int64),
            np.zeros((PATH, width), np.int64),
            limits,
        )
        self.returns, self.stacks = game.returns, game.stacks
        self.g = p.array(0, len(state.stock), is_settled(game, state))
        self.values, self.is_sum = p.values, p.is_sum
        self.classes = np.array([p.class_of(card) for card in state.stock], np.int64)
        self.cards = np.zeros((game.stacks, 64), np.int64)
        self.scratch = np.zeros((4, 64), np.int64)
        self.steps = np.zeros((registers.MARGIN, 5), np.int64)
        sizes = self.scratch[0]
        for index, stack in enumerate(state.stacks):
            sizes[index] = -1 if stack is None else len(stack)
            for place, card in enumerate(stack or ()):
                self.cards[index, place] = p.class_of(card)
        stacks.start_stacks(
            self.g, self.classes, self.frames, self.registers, 1, self.cards, sizes,
            state.turn, len(state.stock), self.steps,
        )  # fmt: skip

    def step(self, budget: int) -> int:
        return int(
            stacks.run_stacks(
                self.g, self.is_sum, self.values, self.classes, self.table, self.frames,
                self.path, self.best_path, self.cards, self.scratch, self.steps, self.registers,
                budget,
            )
        )  # fmt: skip

    def move(self, new: Array, first: int) -> None:
        stacks.move_rows(self.table, new, first, first + CHUNK, 1)

    def key(self, row: Any) -> Hashable:
        nibbles = [int(word) >> 4 * k & 15 for word in row for k in range(16)]
        turn, stock = nibbles[2], nibbles[3] | nibbles[4] << 4
        at = stacks.HEAD
        piles: list[tuple[int, ...] | None] = []
        for _ in range(self.stacks):
            start = at
            while nibbles[at] < stacks.LIVES:
                at += 1
            pile = tuple(int(self.values[c]) for c in nibbles[start:at])
            piles.append(pile if nibbles[at] == stacks.LIVES else None)
            at += 1
        if not self.returns:
            return (tuple(piles), stock, turn)
        return (tuple(piles), tuple(int(self.values[c]) for c in nibbles[at : at + stock]), turn)


def solve(
    game: Game, state: DecadeState, reductions: tuple[str, ...], limits: Limits = NO_LIMITS
) -> Outcome:
    """Search *game* from *state* within *limits*, as `solver.search.depth_first.search` does.

    *reductions*: the names in force; see `solver.reductions`.
    """
    assert isinstance(game, Decade)
    run: Run
    if game.stacks == 1 and not game.returns:
        run = _LineSearch(game, state, reductions, limits)
    else:
        run = _StacksSearch(game, state, limits)
    return run.outcome(run.go())


def survey_own(
    game: Decade,
    first: int,
    count: int,
    reductions: tuple[str, ...] = (),
    limits: Limits = NO_LIMITS,
) -> Decided:
    """Decide deals ``first .. first + count - 1`` of our own numbering, shuffle included.

    *limits* bound each deal that outgrows the tables kept between deals; it is then searched
    anew by `solve`. Control returns to Python several times a second.
    """
    p = Parameters(game)
    cards = game.deck_size
    opening = min(game.opening, cards)
    won = np.zeros(count, np.bool_)
    left = np.zeros(count, np.uint8)
    positions = np.zeros(count, np.int64)
    decided = np.ones(count, np.bool_)
    scalars = np.zeros(registers.REGISTERS, np.int64)
    one_line = p.one_line
    width = 1 if one_line else stacks.width_of(cards, game.stacks)
    shape = (_SURVEY_TABLE,) if one_line else (_SURVEY_TABLE, width)
    table = np.zeros(shape, np.int64)
    frames = np.zeros((8 * registers.MARGIN, width + 1), np.int64)
    path = np.zeros((PATH, *shape[1:]), np.int64)
    best_path = np.zeros_like(path)
    scratch = np.zeros((4, 64), np.int64)
    rows = np.zeros((game.stacks, 64), np.int64)
    steps = np.zeros((registers.MARGIN, 5), np.int64)
    rank_values = np.array(game.values[: game.ranks], np.int64)
    if one_line:
        g = p.array(cards, opening, newest.NAME in reductions)
        if floor.NAME in reductions:
            g[line.FLOOR] = floor.floor(game, CARDS[:cards])
    else:
        g = p.array(cards, cards - opening, opening <= game.stacks)
    done = 0
    while done < count:
        rest = (left[done:], won[done:], positions[done:])
        number = np.uint64(first + done)
        if one_line:
            new = line.survey_line(
                number, count - done, g, p.is_sum, rank_values, p.classes, table, frames, path,
                best_path, scratch, scalars, _SURVEY_BUDGET, *rest,
            )  # fmt: skip
        else:
            new = stacks.survey_stacks(
                number, count - done, opening, g, p.is_sum, p.values, p.classes, table, frames,
                path, best_path, rows, scratch, steps, scalars, _SURVEY_BUDGET, *rest,
            )  # fmt: skip
        again = np.flatnonzero(left[done : done + new] == _UNDONE) + done
        for k in again:
            _again(game, first, int(k), reductions, limits, won, left, positions, decided)
        done += int(new)
        if len(again) > new // 100 and table.shape[0] < _LARGEST_SURVEY_TABLE:
            table = np.zeros((4 * table.shape[0], *shape[1:]), np.int64)
    return Decided(won, decided, left, positions)


def _again(
    game: Decade,
    first: int,
    k: int,
    reductions: tuple[str, ...],
    limits: Limits,
    won: Array,
    left: Array,
    positions: Array,
    decided: Array,
) -> None:
    from rules.decks import Deck

    state = game.initial(Deck.numbered(first + k, game.ranks))
    outcome = solve(game, state, reductions, limits)
    won[k] = outcome.verdict is Verdict.WINNABLE
    left[k] = _UNDONE if outcome.best_left is None else outcome.best_left
    positions[k] = outcome.stats.positions
    decided[k] = outcome.complete
