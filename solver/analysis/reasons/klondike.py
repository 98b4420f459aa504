"""Why a deal of the klondike family is lost: what no line of play brings about.

**The facts.** Over all lines of play: the highest that each foundation gets, and the most
cards that lie on the foundations at one time; for each column the fewest cards that stay face
down; the cards of stock and waste that ever leave them (for a column or a foundation).

**Why a reduced search tells them.** Call a position *ahead* of another if each of its
foundations is at least as high, each column has at most as many cards face down, and every
card that has left stock and waste there has left them here. All facts are maxima with
respect to this order, so it is enough that for every line under the rules the reduced search
has a position ahead of its end.

* ``runs`` leaves out nothing of the kind: its positions say all of this exactly, and every
  layout that play can reach has its position in the space.
* ``deal`` changes the order of moves, and leaves out deals at the end of a line. Moves that
  commute lead to the same position in either order; a dealt card is still in the waste.
* ``safe``. Its argument turns a line A from a position with a safe move x into a line B that
  begins with x and keeps up with A: after each move of A the position of B is ahead of A's.
  (Where B's gap has taken a card v of the waste in the place of x, v has left the waste in
  B and not yet in A.) It does not ask that A wins. If A never plays x, then B is longer by
  one move; still the argument can be repeated from the position after x, since there fewer
  cards are off the foundations, and where no move is forced A gets shorter.
* ``dead`` cuts off positions that are lost, and with them what could still be reached from
  there. So it is not used here.

All of this is compared with brute force in ``tests/solver/analysis/test_reasons.py``.

**The knot.** For each suit some card is the first that never goes up. If it is face down for
ever, the card that lies on it at best never leaves its column's face-down cards; if it is in
the stock, it never leaves the waste; else it is never free while its foundation waits for it.

**What a card needs.** A card that never moves has no legal move in any position: so wherever it
could be moved from its place, nothing that it needs is there. That is what "at the right time"
means; it is said only of a card that does lie open in some line. The top of the waste does: a
card of the stock if one card is dealt at a time (deal until it comes), a card of the waste that
has nothing on it, or whose cover leaves. Where several are dealt at a time or the waste is turned
over, the positions tell; they are not reduced then.

**Holds** for one pack: equal cards of several packs cannot be told apart, and then only the number
of cards on the foundations is given. What a card in a column needs is left out where face-up
cards need not be a run and do not move together.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from typing import Any

from rules.cards import SUITS, SYMBOLS, Card
from rules.families.klondike import NEXT_COLUMN, STOCK, WASTE, Klondike, KlondikeState
from rules.moves import Move
from rules.words import either, plural
from solver import reductions as _reductions
from solver.analysis.reasons.facts import Reasons, listed
from solver.kernels import search_readably
from solver.reductions.klondike import runs
from solver.search.depth_first import search
from solver.search.space import Space
from solver.search.straighten import straighten
from solver.verdict import Limits, Verdict

PLAIN = 30_000
"""Positions looked at, at most, where none is left out: some seconds."""


@dataclass(slots=True)
class Reach:
    """How far play gets, over all positions looked at.

    ``highest``: per suit. ``most_up``: cards on the foundations at one time. ``down``: fewest
    cards face down per column. ``left``: cards that have left stock and waste. ``over``: for a card
    that was in the waste what lay on it there, None for nothing; kept where no position is
    left out.
    """

    highest: list[int]
    most_up: int
    down: list[int]
    left: set[Card]
    over: dict[Card, set[Card | None]] = field(default_factory=dict)

    @classmethod
    def of(cls, state: KlondikeState) -> Reach:
        down = [len(hidden) for hidden, _ in state.columns]
        return cls(list(state.foundations), sum(state.foundations), down, set())

    def see(self, foundations: Iterable[int], down: Iterable[int], left: Iterable[Card]) -> None:
        heights = list(foundations)
        self.highest = [max(pair) for pair in zip(self.highest, heights, strict=True)]
        self.most_up = max(self.most_up, sum(heights))
        self.down = [min(pair) for pair in zip(self.down, down, strict=True)]
        self.left.update(left)


def reach(
    game: Klondike, state: KlondikeState, limits: Limits, engine: str = "auto"
) -> tuple[Reach, bool, tuple[Move, ...] | None]:
    """How far play gets from *state*, whether that is all, and the line that gets furthest.

    *state* must be lost: after a win nothing more is looked at.
    """
    names: tuple[str, ...] = ()
    if runs.one_pass(game):
        names = tuple(name for name in _reductions.available(game) if name != "dead")
    else:  # the argument above speaks of these reductions alone
        engine = "reference"  # which takes note of what lies on what
        most = PLAIN if limits.positions is None else min(PLAIN, limits.positions)
        limits = replace(limits, positions=most)
    space = _Watched(_reductions.space_for(game, state, names), game, state)
    outcome, rest = search_readably(
        game, names, limits, engine, lambda within: search(space, within)
    )
    if outcome is None:
        return _reach_compiled(game, state, names, rest)
    steps = space.best_steps
    line = None if steps is None else space.space.line(steps)
    return space.found, outcome.verdict is Verdict.UNWINNABLE, line


class _Watched:
    """A space that takes note of every position visited, and of the way to the best."""

    counts_cards = False

    def __init__(self, space: Space, game: Klondike, state: KlondikeState) -> None:
        self.space, self.start, self.key = space, space.start, space.key
        self.found = Reach.of(state)
        self.cards = state.waste + state.stock
        self.came: dict[Hashable, tuple[Hashable, Any] | None] = {space.key(space.start): None}
        self.best: Hashable = space.key(space.start)

    def successors(self, node: Any) -> Iterator[tuple[Any, Any]]:
        here = self.key(node)
        for step, after in self.space.successors(node):
            self.came.setdefault(self.key(after), (here, step))
            yield step, after

    def is_won(self, node: Any) -> bool:
        if isinstance(node, KlondikeState):
            down = [len(hidden) for hidden, _ in node.columns]
            stays = {*node.waste, *node.stock}
            for card, cover in zip_longest(node.waste, node.waste[1:]):
                self.found.over.setdefault(card, set()).add(cover)
        else:
            down = list(node.down)
            stays = {*node.waste, *self.space.layout.stock[node.dealt :]}  # type: ignore[attr-defined]
        before = self.found.most_up
        self.found.see(node.foundations, down, [c for c in self.cards if c not in stays])
        if self.found.most_up > before:
            self.best = self.key(node)
        return self.space.is_won(node)

    def cards_left(self, node: Any) -> None:
        return None

    def line(self, steps: Any) -> tuple[Move, ...]:
        return self.space.line(steps)

    @property
    def best_steps(self) -> list[Any] | None:
        """The steps to the position with most cards up: those by which it was first seen."""
        steps = []
        link = self.came[self.best]
        while link is not None:
            steps.append(link[1])
            link = self.came[link[0]]
        steps.reverse()
        return steps


def _reach_compiled(
    game: Klondike, state: KlondikeState, names: tuple[str, ...], limits: Limits
) -> tuple[Reach, bool, tuple[Move, ...] | None]:
    from solver.kernels.klondike.queries import farthest, line_to

    seen = farthest(game, state, names, limits)
    found = Reach.of(state)
    found.see(seen.highest, seen.down, seen.gone)
    found.most_up = seen.most_up
    line = line_to(game, state, names, seen.heights, limits) if seen.complete else None
    return found, seen.complete, line


def klondike_reasons(
    game: Klondike, state: KlondikeState, limits: Limits, engine: str = "auto"
) -> Reasons:
    """The reasons for *state*, which is lost."""
    found, complete, line = reach(game, state, limits, engine)
    if not complete:
        return Reasons(
            ("What holds for every line of play was not found out within the limits.",),
            {}, line, False,
        )  # fmt: skip
    line = None if line is None else straighten(game, state, line)
    size = game.deck_size
    most = f"At best {found.most_up} of {size} cards are on the foundations at one time."
    if not applies(game):
        return Reasons((most,), {"most_up": found.most_up}, line)
    knots = _knots(game, state, found)
    turned = [
        card
        for (down, _), least in zip(state.columns, found.down, strict=True)
        for card in down[:least]
    ]
    buried = [card for card in state.waste + state.stock if card not in found.left]
    sentences = [knots[0][1]] if knots else []
    sentences += [most, _heights(found.highest)]
    if turned:
        sentences.append(f"Never turned up: {listed(turned, ', ')}.")
    if buried:
        sentences.append(f"Never out of the stock and the waste: {listed(buried, ', ')}.")
    sentences += [sentence for _, sentence in knots[1:]]
    after = [card for card in state.waste + state.stock if card in found.left]
    deepest = after[-1] if after else None
    facts = {
        "highest": {SUITS[suit]: height for suit, height in enumerate(found.highest)},
        "most_up": found.most_up,
        "never_up": [str(card) for card in _never_up(game, found)],
        "never_turned_up": [str(card) for card in turned],
        "never_leave_the_waste": [str(card) for card in buried],
        "deepest_played": None
        if deepest is None
        else {"card": str(deepest), "depth": (state.waste + state.stock).index(deepest) + 1},
        "knots": [{"card": str(card), "sentence": sentence} for card, sentence in knots],
    }
    return Reasons(tuple(sentences), facts, line)


def applies(game: Klondike) -> bool:
    """One pack: a card is named by its rank and suit."""
    return game.packs == 1


def _heights(highest: list[int]) -> str:
    if not any(highest):
        return "No card ever goes up."
    tops = [Card.of(height, suit) for suit, height in enumerate(highest) if height]
    none = [SYMBOLS[suit] for suit, height in enumerate(highest) if not height]
    never = f"; no {either(none)} goes up" if none else ""
    told = either((top.pretty for top in tops), "and")
    return f"Over all lines the foundations get up to {told}{never}."


def _never_up(game: Klondike, found: Reach) -> list[Card]:
    return [
        Card.of(rank, suit)
        for suit, height in enumerate(found.highest)
        for rank in range(height + 1, game.ranks + 1)
    ]


def _knots(game: Klondike, state: KlondikeState, found: Reach) -> list[tuple[Card, str]]:
    """Per suit the first card that never goes up, and why; the plainest reason first."""
    knots = []
    for suit, height in enumerate(found.highest):
        if height < game.ranks:
            card = Card.of(height + 1, suit)
            rank, sentence = _knot(game, state, found, card)
            knots.append((rank, card.rank, suit, card, sentence))
    knots.sort(key=lambda knot: knot[:3])
    return [(card, sentence) for _, _, _, card, sentence in knots]


def _knot(game: Klondike, state: KlondikeState, found: Reach, card: Card) -> tuple[int, str]:
    name = card.pretty
    for number, ((down, up), least) in enumerate(zip(state.columns, found.down, strict=True), 1):
        if card in down[:least]:
            over = (down + up[:1])[least]
            between = _between(least - down.index(card) - 1)
            needs = ""
            if game.only_runs or game.any_group:
                needs = f": it needs {_needs(game, state, found, over, number)}"
            return 0, (
                f"No line frees {name}: it lies under {over.pretty} in column {number}{between}, "
                f"and {over.pretty} can never move{needs}."
            )
    if card in state.waste + state.stock and card not in found.left:
        return 1, f"No line plays {name}: {_kept(game, state, found, card)}."
    if card.rank == 1:
        return 2, f"{name} comes into play, but is never free."
    before = Card.of(card.rank - 1, card.suit).pretty
    return 2, f"{name} comes into play, but in no line is it free once {before} is up."


def _between(cards: int) -> str:
    return f", with {plural(cards, 'card')} between them" if cards else ""


def _kept(game: Klondike, state: KlondikeState, found: Reach, card: Card) -> str:
    """Why *card* never leaves the stock and the waste."""
    place = "it lies in the waste"
    if card in state.stock:
        place = f"it is number {state.stock.index(card) + 1} of the stock"
    if not runs.one_pass(game):
        over = found.over.get(card, set())
        if None not in over:
            covers = [cover for cover in over if cover is not None]
            if len(covers) > 1:
                why = "other cards always lie on it"
            else:
                stays = "" if covers[0] in found.left else ", which never leaves,"
                why = f"{covers[0].pretty}{stays} always lies on it"
            return f"{place}, and is never the top of the waste, where {why}"
    elif card in state.waste:
        # One pass: the waste is a stack, and what lies lowest on it of those that stay is bare.
        index = state.waste.index(card)
        upper = next(
            (at for at, cover in enumerate(state.waste[index + 1 :], index) if cover in found.left),
            len(state.waste) - 1,
        )
        if upper > index:
            over_it = state.waste[upper]
            return (
                f"it lies in the waste under {over_it.pretty}{_between(upper - index - 1)}, and "
                f"{over_it.pretty} can never move: it needs {_needs(game, state, found, over_it)}"
            )
    return f"{place}, and can never leave it: it needs {_needs(game, state, found, card)}"


def _needs(
    game: Klondike, state: KlondikeState, found: Reach, card: Card, column: int | None = None
) -> str:
    """What *card* needs to move, and what bars each of its ways.

    *column*: that on whose face-down cards it lies; None for the top of the waste.
    """
    barred: dict[str, list[str]] = {}
    for parent in _parents(game, state, card):
        barred.setdefault(_bar(state, found, parent), []).append(parent.pretty)
    ways = []
    for bar, names in barred.items():
        several = bar if len(names) == 1 else bar.replace("is ", "are ").replace("leaves", "leave")
        ways.append(f"{either(names)} to lie on, which {several}")
    fills = column is None and {STOCK, WASTE} & {*game.fill}
    if fills or game.takes(card):
        what = "a gap to fill" if fills else "an empty column"
        ways.append(f"{what}, and none comes at the right time")
    if column is not None and column > 1 and NEXT_COLUMN in game.fill:
        ways.append(f"a gap in column {column - 1} that it fills, and none comes at the right time")
    if card.rank == 1:
        ways.append("to be free, which it never is")
    else:
        below = Card.of(card.rank - 1, card.suit)
        ways.append(
            f"{below.pretty} on its foundation, which never gets there"
            if found.highest[card.suit] < below.rank
            else f"to be free when {below.pretty} is up, which it never is"
        )
    if len(ways) < 3:
        return ", or ".join(ways)
    return "; ".join([*ways[:-1], f"or {ways[-1]}"])


def _parents(game: Klondike, state: KlondikeState, card: Card) -> list[Card]:
    """The cards that *card* may be put on, but for those that are out of play."""
    parents = [parent for parent in game.fresh if game.fits(card, parent)]
    return [
        parent for parent in parents if game.returns or state.foundations[parent.suit] < parent.rank
    ]


def _bar(state: KlondikeState, found: Reach, card: Card) -> str:
    """Why *card* can never be lain on at the right time."""
    for (down, _), least in zip(state.columns, found.down, strict=True):
        if card in down[:least]:
            return "is never turned up"
    if card in state.waste + state.stock and card not in found.left:
        return "never leaves the stock or the waste"
    return "is never free at the right time"
