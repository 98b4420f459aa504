# mypy: disable-error-code="no-untyped-def, call-arg, unreachable, var-annotated"
"""The search of the klondike family's games of several packs, compiled: best first, begun anew.

One exhaustive search after the other's order would not end on deals of this size, so this search
looks for wins first. It goes through a list of *runs*, each a best-first search from the start
with weights of its own, up to a number of positions; what a run has seen is forgotten before the
next. The list is the same for every deal, so that a deal is always decided in the same way.

**What is proved.** A run that meets a win proves "winnable": the line is replayed by the rules.
A run that is *whole* looks at all moves, and enters every position once; if none is left to be
looked at before its positions are used up, it has visited all that can be reached, and that is a
proof of "unwinnable". Other runs are *lean*, leave moves out without any argument, and prove
nothing but wins. Every `_WHOLE_EACH`th run is whole, and runs grow without end; so a search that
nothing stops is decided.

**What a whole run leaves out.** Where no gap fills from stock or waste, dealing touches nothing
in the columns, and what happens there touches neither stock nor waste. So a deal can be put off
until a card of the waste is played, and those that come last win nothing: "deal so many times,
then play the top of the waste" is one step, and nothing else begins with a deal. (With passes
without end, after one that began at the first card the tops come again.) A column that is a run
and nothing else does not go to another space, where the order of columns means nothing.

**Layers.** A single queue stays where its guess is best, early in the stock. So positions
lie in layers, by how far the stock has been dealt; the best of each layer is taken in turn.

**Counts.** The reference search goes depth first, and once. So the two engines agree on verdicts
only, not on positions; here a position counts once in each run that enters it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rules.families.klondike import Klondike, KlondikeState
from rules.game import Game
from rules.moves import Move
from rules.referee import replay
from solver.kernels.bits import borrowed
from solver.kernels.jit import compiled, piece
from solver.kernels.klondike.packs import (
    APART,
    COLUMNS,
    DOWN,
    HIDDEN,
    LENGTH,
    PACKS,
    PASSES,
    PASSES_LEFT,
    RANKS,
    RETURNS,
    RUN,
    SEQUENCE,
    SIZE,
    SORTED,
    TALON_SIZE,
    UP,
    WASTE_END,
    WORDS,
    Layout,
    cards_up,
    copy,
    deal,
    fits,
    goes_up,
    in_talon,
    is_red,
    pack,
    settle,
    take,
    takes,
    unpack,
)
from solver.search.depth_first import Outcome
from solver.verdict import NO_LIMITS, Clock, LimitName, Limits, Verdict

Array = NDArray[Any]

_SLICE: Final = 20_000  # positions between looks at the clock
_FIRST: Final = 20_000  # positions of the first run, which decides what is small
_A_CARD: Final = 400  # positions of the next runs, for each card of the deck
_EACH_SIZE: Final = 48  # so many runs; then they are twice as large
_LONGER_EACH: Final = 6  # every so many runs one is four times as large ...
_WHOLE_EACH: Final = 24  # ... and every fourth of those is whole
_SEED: Final = 15

BUCKETS: Final = 1 << 11  # guesses told apart
LAYERS: Final = 256

# Registers. MOST: positions that may be entered. LAYER: whose turn it is. LAST: the last layer that
# is used. ENDED: a code, or `SEARCHING`. From NEXT on, by layer: the first bucket that may hold
# something.
COUNT, MOST, LAYER, LAST, ENDED, DEEPEST, AGAIN_MET, DEAD = range(8)
NEXT: Final = 8
REGISTERS: Final = NEXT + LAYERS
SEARCHING, NONE_LEFT, FULL, WON = range(4)

# What is kept of a position beside its row. QUEUED: the next one in its bucket.
# DEALT: the deals with which the step to it begins.
PARENT, QUEUED, DEPTH, DEALT = range(4)

# Weights, sixteenths of a card that is not up. AUTO: how far above the other colour's foundations
# a card may be that goes up without a choice; 0: none does. SKIP: tops of the waste
# that are offered at a time; 0: all of them.
DOWN_WEIGHT, BLOCKED_WEIGHT, ASIDE_WEIGHT, NOISE, SALT, LEAN, AUTO, SKIP, BY_UP, STEP = range(10)

_MIX = -7046029254386353131
_MIX_2 = -7723592293110705685


class Plan(NamedTuple):
    """One run: its weights (an array), whether it is whole, the positions that it may enter."""

    weights: Array
    whole: bool
    positions: int


def plans(cards: int) -> Iterator[Plan]:
    """The runs for a deck of so many *cards*, in their order, without end.

    Many short runs win more deals than a few long ones: what one misses another's weights find.
    """
    rng = random.Random(_SEED)
    yield Plan(_weights(24, 2, 32), True, _FIRST)
    size = _A_CARD * cards
    while True:
        for number in range(_EACH_SIZE):
            longer, whole = (number + 1) % _LONGER_EACH == 0, (number + 1) % _WHOLE_EACH == 0
            weights = _weights(
                rng.choice((8, 16, 24, 32)),
                rng.choice((0, 2, 4)),
                rng.choice((24, 32, 40, 48, 56)),
                noise=rng.choice((0, 1, 3)),
                salt=rng.getrandbits(32),
                auto=rng.choice((0, 1, 1, 2)),
                skip=rng.choice((0, 1, 2, 3, 5)),
                by_up=rng.random() < 0.5,
                step=rng.choice((1, 1, 2, 4)),
            )
            weights[LEAN] = not whole
            if whole:
                weights[AUTO] = weights[SKIP] = 0
            yield Plan(weights, whole, 4 * size if longer else size)
        size *= 2


def _weights(
    down: int, blocked: int, aside: int, *, noise: int = 0, salt: int = 0, auto: int = 0,
    skip: int = 0, by_up: bool = False, step: int = 1,
) -> Array:  # fmt: skip
    return np.array([down, blocked, aside, noise, salt, 0, auto, skip, by_up, step], np.int64)


class PacksSearch:
    """One search from one state: run after run."""

    def __init__(self, game: Klondike, state: KlondikeState, limits: Limits) -> None:
        self.game, self.state, self.limits = game, state, limits
        self.layout = Layout(game, state)
        self.start = self.layout.spread(state)
        self.scratch = np.zeros((2, SIZE), np.int64)
        self.row = np.zeros(int(self.layout.words[WORDS]), np.int64)
        self.registers = np.zeros(REGISTERS, np.int64)
        self.queues = np.zeros(LAYERS * BUCKETS, np.int32)
        self.positions = self.depth = self.transpositions = self.dead_ends = 0
        self.peak = 0
        self.clock = Clock(limits)
        self._room(0)

    def _room(self, positions: int) -> None:
        """Room for so many positions."""
        self.rows = np.empty((positions, len(self.row)), np.int64)
        self.links = np.empty((positions, 4), np.int32)
        slots = 1 << max(4, (2 * positions - 1).bit_length())
        self.index = np.zeros(slots, np.int32)

    @property
    def memory(self) -> int:
        return sum(array.nbytes for array in (self.rows, self.links, self.index, self.queues))

    def go(self) -> tuple[Verdict, LimitName | None]:
        """Run after run until the deal is decided or a limit is reached."""
        for plan in plans(self.game.deck_size):
            ended = self._run(plan)
            if isinstance(ended, str):
                return Verdict.UNKNOWN, ended
            if ended == WON:
                return Verdict.WINNABLE, None
            if ended == NONE_LEFT and plan.whole:
                return Verdict.UNWINNABLE, None
        raise AssertionError("there is always another plan")

    def _run(self, plan: Plan) -> int | LimitName:
        """How the run *plan* ended: a code, or the limit that stopped it."""
        limits = self.limits
        if len(self.rows) < plan.positions:
            a_position = 8 * len(self.row) + 16 + 4 * 4
            if limits.memory is not None and plan.positions * a_position >= limits.memory:
                return "memory"
            self._room(plan.positions)
            self.peak = max(self.peak, self.memory)
        self.index[:] = 0
        most = plan.positions
        if limits.positions is not None:
            most = min(most, limits.positions - self.positions)
        words = self.layout.words
        args = (words, *self.scratch, self.row, self.rows, self.links, self.index, self.queues,
                plan.weights, self.registers)  # fmt: skip
        begin(self.start, most, *args)
        r = self.registers
        limit: LimitName | None = None
        while r[ENDED] == SEARCHING and limit is None:
            limit = self.clock.hit(None, self.memory)
            if limit is None:
                run_packs(_SLICE, *args)
                self.clock.tell(self.positions + int(r[COUNT]), self.memory)
        self.positions += int(r[COUNT])
        self.depth = max(self.depth, int(r[DEEPEST]))
        self.transpositions += int(r[AGAIN_MET])
        self.dead_ends += int(r[DEAD])
        if limit is None and r[ENDED] == FULL and most < plan.positions:
            limit = "positions"
        return int(r[ENDED]) if limit is None else limit

    def line(self) -> tuple[Move, ...]:
        """The moves to the win that was met, replayed."""
        chain = []
        node = int(self.registers[COUNT]) - 1
        while node > 0:
            chain.append(node)
            node = int(self.links[node, PARENT])
        moves: list[Move] = []
        at = self.state
        for node in reversed(chain):
            for _ in range(int(self.links[node, DEALT])):
                move, at = self._follow(at, None)
                moves.append(move)
            key = self.game.key(self.layout.state(self.rows[node]))
            move, at = self._follow(at, key)
            moves.append(move)
        return tuple(replay(self.game, self.state, moves)[0])

    def _follow(self, state: KlondikeState, key: Any) -> tuple[Move, KlondikeState]:
        """The move from *state* to the position *key*; if that is None, the one that deals."""
        for move, after in self.game.successors(state):
            if move.kind in ("deal", "redeal") if key is None else self.game.key(after) == key:
                return move, after
        raise RuntimeError(f"{self.game.name}: the rules know no way from {state} to {key}")


def solve(
    game: Game[Any], state: KlondikeState, reductions: tuple[str, ...], limits: Limits = NO_LIMITS
) -> Outcome:
    """Search *game* from *state* within *limits*; see the module's docstring."""
    assert isinstance(game, Klondike)
    search = PacksSearch(game, state, limits)
    verdict, limit = search.go()
    outcome = Outcome(verdict, limit, complete=limit is None)
    stats = outcome.stats
    stats.positions, stats.depth = search.positions, search.depth
    stats.transpositions, stats.dead_ends = search.transpositions, search.dead_ends
    stats.memory = search.peak
    if verdict is Verdict.WINNABLE:
        outcome.line = search.line()
    stats.seconds = search.clock.seconds
    return outcome


# Compiled from here on ---------------------------------------------------------------------


@piece
def hash_of(row):
    h = np.int64(0)
    for k in range(row.shape[0]):
        h = (h ^ row[k]) * _MIX
        h ^= (h >> 29) & 0x7FFFFFFFF
    h *= _MIX_2
    return (h >> 24) & 0xFFFFFFFFFF


@piece
def guess(t, s, w, h):
    """How far *s* is from a win, a bucket: its features by their weights, and some noise.

    Cards not up, face down, aside (in waste and stock), and pairs in a column of which the
    lower card is covered by a higher one.
    """
    down, blocked = np.int64(0), np.int64(0)
    for c in range(t[COLUMNS]):
        hidden, n = s[DOWN + c], s[LENGTH + c]
        if n == 0:
            continue
        down += hidden
        first = HIDDEN + 16 * c
        head = s[RUN + 16 * c] >> 2
        for i in range(hidden):
            rank = t[first + i] >> 2
            blocked += max(0, head - max(head - n + 1, rank + 1) + 1)
            for j in range(i + 1, hidden):
                blocked += t[first + j] >> 2 > rank
    total = 16 * (4 * t[RANKS] * t[PACKS] - cards_up(t, s))
    total += w[DOWN_WEIGHT] * down + w[BLOCKED_WEIGHT] * blocked
    total += w[ASIDE_WEIGHT] * in_talon(t, s)
    total >>= 3
    if w[NOISE] > 0:
        x = (h ^ w[SALT]) * _MIX
        x ^= (x >> 31) & 0x1FFFFFFFF
        x *= _MIX_2
        total += 2 * (((x >> 40) & 0xFFFF) * w[NOISE] >> 16)
    return min(total, BUCKETS - 1)


@piece
def layer_of(t, s, w):
    """How far the stock has been dealt; with passes without end, the cards up or nothing."""
    if t[PASSES_LEFT] == 0:
        return cards_up(t, s) // w[STEP] if w[BY_UP] else np.int64(0)
    whole = t[PASSES_LEFT] * (t[TALON_SIZE] + 1)
    dealt = (t[PASSES_LEFT] - s[PASSES]) * (t[TALON_SIZE] + 1) + s[WASTE_END]
    return dealt // max(w[STEP], whole // LAYERS + 1)


@piece
def enter(t, s, parent, dealt, row, rows, links, index, queues, w, r):
    """Enter the settled position *s* unless it is there; whether the run has ended."""
    pack(t, s, row)
    h = hash_of(row)
    mask = index.shape[0] - 1
    i = h & mask
    while index[i] > 0:
        k = index[i] - 1
        same = True
        for j in range(row.shape[0]):
            if rows[k, j] != row[j]:
                same = False
                break
        if same:
            r[AGAIN_MET] += 1
            return False
        i = (i + 1) & mask
    n = r[COUNT]
    if n >= r[MOST]:
        r[ENDED] = FULL
        return True
    for j in range(row.shape[0]):
        rows[n, j] = row[j]
    depth = links[parent, DEPTH] + 1 + dealt if parent >= 0 else np.int64(0)
    links[n, PARENT], links[n, DEPTH], links[n, DEALT] = parent, depth, dealt
    index[i] = n + 1
    r[COUNT] = n + 1
    r[DEEPEST] = max(r[DEEPEST], depth)
    if cards_up(t, s) == 4 * t[PACKS] * t[RANKS]:
        r[ENDED] = WON
        return True
    layer = layer_of(t, s, w)
    bucket = guess(t, s, w, h)
    links[n, QUEUED] = queues[layer * BUCKETS + bucket]
    queues[layer * BUCKETS + bucket] = n
    r[NEXT + layer] = min(r[NEXT + layer], bucket)
    r[LAST] = max(r[LAST], layer)
    return False


@piece
def next_goal(t, s, card, first, spaces):
    """The next column from *first* on that takes *card*, or their number; *spaces*: or a space."""
    for c in range(first, t[COLUMNS]):
        n = s[LENGTH + c]
        if (n == 0 and spaces and takes(t, card)) or (
            n > 0 and fits(t, card, s[RUN + 16 * c + n - 1])
        ):
            return c
    return t[COLUMNS]


@piece
def lay(d, card, goal):
    """Put *card* onto column *goal*."""
    n = d[LENGTH + goal]
    d[RUN + 16 * goal + n] = card
    d[LENGTH + goal] = n + 1


@piece
def from_waste(t, s, d, parent, dealt, row, rows, links, index, queues, w, r):
    """Enter what comes of playing the top of the waste of *s*; whether the run has ended."""
    place = s[WASTE_END] - 1
    if place < 0:
        return False
    card = t[SEQUENCE + place]
    foundation = goes_up(t, s, card)
    if foundation >= 0:
        copy(s, d)
        d[UP + foundation] += 1
        take(t, d, place)
        settle(t, d)
        if enter(t, d, parent, dealt, row, rows, links, index, queues, w, r):
            return True
    spaces = True  # one is as good as another
    goal = next_goal(t, s, card, 0, spaces)
    while goal < t[COLUMNS]:
        copy(s, d)
        lay(d, card, goal)
        take(t, d, place)
        settle(t, d)
        if enter(t, d, parent, dealt, row, rows, links, index, queues, w, r):
            return True
        spaces = spaces and s[LENGTH + goal] > 0
        goal = next_goal(t, s, card, goal + 1, spaces)
    return False


@piece
def auto_up(t, s, d, most):
    """Put into *d* what comes of *s* by raising a low card; whether there is one.

    Low: no more than *most* above the lowest foundation of the other colour.
    """
    black, red = np.int64(99), np.int64(99)
    packs = t[PACKS]
    for k in range(packs):
        black = min(black, s[UP + k], s[UP + 3 * packs + k])
        red = min(red, s[UP + packs + k], s[UP + 2 * packs + k])
    for c in range(t[COLUMNS] + 1):
        if c < t[COLUMNS]:
            n = s[LENGTH + c]
            if n == 0:
                continue
            card = s[RUN + 16 * c + n - 1]
        elif s[WASTE_END] > 0:
            card = t[SEQUENCE + s[WASTE_END] - 1]
        else:
            break
        foundation = goes_up(t, s, card)
        if foundation >= 0 and (card >> 2) + 1 <= (black if is_red(card) else red) + most:
            copy(s, d)
            d[UP + foundation] += 1
            if c < t[COLUMNS]:
                d[LENGTH + c] -= 1
            else:
                take(t, d, s[WASTE_END] - 1)
            settle(t, d)
            return True
    return False


@piece
def expand(t, me, s, d, row, rows, links, index, queues, w, r):
    """Enter all that the moves from position *me* lead to."""
    columns = t[COLUMNS]
    unpack(t, rows[me], s)
    if w[AUTO] > 0 and auto_up(t, s, d, w[AUTO]):
        enter(t, d, me, 0, row, rows, links, index, queues, w, r)
        return
    for c in range(columns):
        n = s[LENGTH + c]
        if n == 0:
            continue
        foundation = goes_up(t, s, s[RUN + 16 * c + n - 1])
        if foundation >= 0:
            copy(s, d)
            d[UP + foundation] += 1
            d[LENGTH + c] = n - 1
            settle(t, d)
            if enter(t, d, me, 0, row, rows, links, index, queues, w, r):
                return
    for c in range(columns):
        n = s[LENGTH + c]
        for start in range(n):
            card = s[RUN + 16 * c + start]
            if w[LEAN] and start > 0 and goes_up(t, s, s[RUN + 16 * c + start - 1]) < 0:
                continue  # a run is parted only to raise the card that it leaves
            # A column that is one run gains nothing by a space. No card fits onto its own column.
            spaces = not (t[SORTED] and start == 0 and s[DOWN + c] == 0)
            goal = next_goal(t, s, card, 0, spaces)
            while goal < columns:
                copy(s, d)
                for i in range(start, n):
                    lay(d, s[RUN + 16 * c + i], goal)
                d[LENGTH + c] = start
                settle(t, d)
                if enter(t, d, me, 0, row, rows, links, index, queues, w, r):
                    return
                spaces = spaces and s[LENGTH + goal] > 0
                goal = next_goal(t, s, card, goal + 1, spaces)
    if from_waste(t, s, d, me, 0, row, rows, links, index, queues, w, r):
        return
    if t[RETURNS] and bring_back(t, me, s, d, row, rows, links, index, queues, w, r):
        return
    if not t[APART]:
        if deal(t, s):
            settle(t, s)
            enter(t, s, me, 0, row, rows, links, index, queues, w, r)
        return
    dealt, offered, anew = 0, 0, False
    while deal(t, s):
        dealt += 1
        if s[WASTE_END] == 0:
            if anew:
                return
            anew = s[PASSES] == 0  # UNLIMITED
            continue
        before = r[COUNT]
        if from_waste(t, s, d, me, dealt, row, rows, links, index, queues, w, r):
            return
        if r[COUNT] > before:
            offered += 1
            if offered == w[SKIP]:
                return


@piece
def bring_back(t, me, s, d, row, rows, links, index, queues, w, r):
    """Enter what comes of a foundation's top that comes back; whether the run has ended."""
    packs = t[PACKS]
    for foundation in range(4 * packs):
        height = s[UP + foundation]
        of_its_suit_last = (foundation + 1) % packs == 0
        if height == 0 or not (of_its_suit_last or s[UP + foundation + 1] < height):
            continue
        card = 4 * (height - 1) + foundation // packs
        spaces = True
        goal = next_goal(t, s, card, 0, spaces)
        while goal < t[COLUMNS]:
            copy(s, d)
            d[UP + foundation] -= 1
            lay(d, card, goal)
            settle(t, d)
            if enter(t, d, me, 0, row, rows, links, index, queues, w, r):
                return True
            spaces = spaces and s[LENGTH + goal] > 0
            goal = next_goal(t, s, card, goal + 1, spaces)
    return False


@compiled
def begin(start, most, t, s, d, row, rows, links, index, queues, w, r):
    """Enter the position *start* into a run of *most* positions."""
    queues[:] = -1
    r[:NEXT] = 0
    r[NEXT:] = BUCKETS
    r[MOST] = most
    enter(t, start, -1, 0, row, rows, links, index, queues, w, r)


@compiled
def run_packs(budget, t, s, d, row, rows, links, index, queues, w, r):
    """Search on for about *budget* positions, or until the run has ended (see ``ENDED``)."""
    t, s, d, row, rows = borrowed(t), borrowed(s), borrowed(d), borrowed(row), borrowed(rows)
    links, index, queues = borrowed(links), borrowed(index), borrowed(queues)
    w, r = borrowed(w), borrowed(r)
    stop = r[COUNT] + budget
    while r[ENDED] == SEARCHING and r[COUNT] < stop:
        layer, empty = r[LAYER], 0
        bucket = first_bucket(queues, r, layer)
        while bucket == BUCKETS and empty <= r[LAST]:
            empty += 1
            layer = layer + 1 if layer < r[LAST] else 0
            bucket = first_bucket(queues, r, layer)
        if bucket == BUCKETS:
            r[ENDED] = NONE_LEFT
            return
        me = np.int64(queues[layer * BUCKETS + bucket])
        queues[layer * BUCKETS + bucket] = links[me, QUEUED]
        r[LAYER] = layer + 1 if layer < r[LAST] else 0
        before = r[COUNT] + r[AGAIN_MET]
        expand(t, me, s, d, row, rows, links, index, queues, w, r)
        if r[COUNT] + r[AGAIN_MET] == before:
            r[DEAD] += 1


@piece
def first_bucket(queues, r, layer):
    """The best bucket of *layer* that holds something, or `BUCKETS`."""
    bucket = r[NEXT + layer]
    while bucket < BUCKETS and queues[layer * BUCKETS + bucket] < 0:
        bucket += 1
    r[NEXT + layer] = bucket
    return bucket
