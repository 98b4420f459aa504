"""The exact probability of winning a pairing game without decisions, over all shuffles.

The argument in short (docs/soundness.md has it in full). No rank is in two removable sets,
so what can be removed from a prefix of the deck depends only on how many cards of each rank
it holds, and never on the order of removals. Call what is left of a prefix after removing
all it can its *residue*. Play ends after the shortest prefix whose residue fills the slots,
or after the whole deck if there is none. So the deal is a walk over the counts dealt, and
the shuffles that end in each way are counted by dynamic programming, one card at a time.

States are merged, without loss: removable sets with the same pattern of counts and goals are
interchangeable; so are the ranks of a set that are needed in equal number for equal goals;
the ranks in no set are one pool; and cards that leave alone are left out of the walk, since
it goes the same way wherever they come. All arithmetic is on integers.
"""

from __future__ import annotations

import math
import shlex
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations_with_replacement, product
from typing import Final

from rules.cards import Card
from rules.errors import GameError
from rules.families.pairing import Pairing
from rules.game import Game
from rules.registry import get_game
from solver.families import support
from solver.progress import tell
from solver.verdict import named

MOST_STATES: Final = 3_000_000
"""States of the walk beyond which `odds` refuses: some minutes, a few hundred megabytes."""

_MOST_KINDS: Final = 200_000  # states of one class of sets


class OddsError(GameError):
    """There are no exact odds for this game, or their computation would be too large."""


@dataclass(frozen=True, repr=False)
class Odds:
    """Exact probabilities over all orders of the deck.

    ``wins``: shuffles that win, of ``shuffles`` in all. ``removed[k]``: shuffles after which
    exactly k cards have been removed when nothing more can be. ``states``: states of the
    walk that were counted.
    """

    game: Pairing
    shuffles: int
    wins: int
    removed: dict[int, int]
    states: int

    def __repr__(self) -> str:
        return named(self, self.game, f"winning {float(self.winning):.4%}", f"{self.states} states")

    @cached_property
    def winning(self) -> Fraction:
        return Fraction(self.wins, self.shuffles)

    @cached_property
    def no_move(self) -> Fraction:
        """The probability that not one card can ever be removed."""
        return Fraction(self.removed.get(0, 0), self.shuffles)

    @cached_property
    def mean_removed(self) -> Fraction:
        return sum(
            (Fraction(count * many, self.shuffles) for count, many in self.removed.items()),
            Fraction(0),
        )

    @cached_property
    def distribution(self) -> dict[int, Fraction]:
        """Cards removed at the end, with their probabilities; impossible numbers left out."""
        return {count: Fraction(many, self.shuffles) for count, many in self.removed.items()}


def odds(game: str | Game, *, most_states: int = MOST_STATES) -> Odds:
    """The exact odds of *game* (a name or a `Game`).

    Raises `OddsError` where there are none to be had, `rules.errors.GameError` for no game.

    >>> from rules import get_game
    >>> from fractions import Fraction
    >>> lone = get_game("block-ten").with_options({"ranks": "1", "slots": "3", "removable": "A"})
    >>> odds(lone).winning
    Fraction(1, 1)
    """
    game = get_game(game) if isinstance(game, str) else game
    refusal = why_not(game)
    if refusal is not None:
        raise OddsError(refusal)
    return support(game).odds(most_states)


def pairing_odds(game: Pairing, most_states: int) -> Odds:
    """The odds of a game without decisions, by a walk over counts."""
    return _Walk(game, most_states).run()


def why_not(game: Game) -> str | None:
    """The reason why *game* has no exact odds by this method, or None if it has."""
    reason = support(game).no_odds()
    if reason is None:
        return None
    return f"{game.name} has no exact odds ({reason}); survey it: {survey_command(game)}"


def survey_command(game: Game, deals: str = "1-10000") -> str:
    """The command that surveys *game*, options that differ from the registered ones included."""
    return command_on("survey", game, deals)


def command_on(command: str, game: Game, deals: str) -> str:
    """A *command* on *deals* of *game*, options that differ from the registered ones included."""
    from rules.registry import game_names, get_game

    base = get_game(game.name) if game.name in game_names() else None
    words = ["dealproof", command]
    if base is not None and base.family == game.family:
        words.append(game.name)
        usual = base.all_options()
        changed = {k: v for k, v in game.all_options().items() if usual[k] != v}
        words += [shlex.join(["-o", f"{k}={v}"]) for k, v in changed.items()]
    else:
        words.append("--rules FILE")
    return " ".join([*words, deals])


def cards_removed(game: Pairing, deck: Sequence[Card]) -> int:
    """Cards removed from *deck* when nothing more can be (games without decisions only)."""
    need = {rank: Counter(ranks) for ranks in game.removable for rank in ranks}
    held: Counter[int] = Counter()
    size = dealt = 0
    while size < game.slots and dealt < len(deck):
        rank = deck[dealt].rank
        held[rank] += 1
        size += 1
        dealt += 1
        wanted = need.get(rank)
        if wanted is not None and all(held[each] >= count for each, count in wanted.items()):
            held -= wanted
            size -= wanted.total()
    return dealt - size


@dataclass(frozen=True, slots=True)
class _Pattern:
    """One removable set, ranks forgotten: per rank the cards needed and whether it must go."""

    needs: tuple[tuple[int, bool], ...]

    def sizes(self, counts: tuple[int, ...]) -> tuple[int, bool]:
        """The residue of *counts* dealt of each rank, and whether nothing is left to do.

        Nothing is left to do when all cards that must go were dealt and none of them is in
        the residue.
        """
        times = min(count // need for count, (need, _) in zip(counts, self.needs, strict=True))
        left = [count - times * need for count, (need, _) in zip(counts, self.needs, strict=True)]
        clear = all(
            count == 4 and rest == 0
            for count, rest, (_, must) in zip(counts, left, self.needs, strict=True)
            if must
        )
        return sum(left), clear

    def canonical(self, counts: tuple[int, ...]) -> tuple[int, ...]:
        """*counts* sorted among ranks with equal needs and goals (``needs`` is sorted)."""
        return tuple(count for _, count in sorted(zip(self.needs, counts, strict=True)))


@dataclass(slots=True)
class _Class:
    """Interchangeable things (all sets of a pattern, or a pool): its states, numbered.

    ``steps[i]``: ``(j, ways)`` for one more card dealt in state i. ``residue[i]``: cards of
    the class left in slots. ``clear[i]``: nothing that must go is left in slots or stock.
    """

    steps: list[list[tuple[int, int]]]
    residue: list[int]
    clear: list[bool]


def _fixed(cards: int, must_go: bool) -> _Class:
    """*cards* cards in no set: every one that is dealt stays (and *must_go* is never met)."""
    return _Class(
        steps=[[(i + 1, cards - i)] if i < cards else [] for i in range(cards + 1)],
        residue=list(range(cards + 1)),
        clear=[not must_go] * (cards + 1),
    )


def _sets(pattern: _Pattern, many: int) -> _Class:
    """*many* removable sets of the same pattern: a state is the multiset of their states."""
    singles = sorted({pattern.canonical(counts) for counts in _counts(pattern)})
    number = {counts: i for i, counts in enumerate(singles)}
    sizes = [pattern.sizes(counts) for counts in singles]
    after: list[Counter[int]] = []
    for counts in singles:
        ways: Counter[int] = Counter()
        for place, count in enumerate(counts):
            if count < 4:
                more = (*counts[:place], count + 1, *counts[place + 1 :])
                ways[number[pattern.canonical(more)]] += 4 - count
        after.append(ways)
    if many == 1:
        return _Class(
            [list(ways.items()) for ways in after],
            [size for size, _ in sizes],
            [clear for _, clear in sizes],
        )
    if math.comb(len(singles) + many - 1, many) > _MOST_KINDS:
        raise OddsError(
            f"the odds would take too many states ({many} sets of one kind, "
            f"{len(pattern.needs)} ranks each)"
        )
    multisets = list(combinations_with_replacement(range(len(singles)), many))
    place_of = {multiset: i for i, multiset in enumerate(multisets)}
    steps = []
    for multiset in multisets:
        moves: Counter[int] = Counter()
        for single, copies in Counter(multiset).items():
            others = list(multiset)
            others.remove(single)
            for new, ways_one in after[single].items():
                moves[place_of[tuple(sorted([*others, new]))]] += copies * ways_one
        steps.append(list(moves.items()))
    return _Class(
        steps,
        [sum(sizes[single][0] for single in multiset) for multiset in multisets],
        [all(sizes[single][1] for single in multiset) for multiset in multisets],
    )


def _counts(pattern: _Pattern) -> Iterator[tuple[int, ...]]:
    """Counts of each rank, at least one for each canonical form."""
    groups = Counter(pattern.needs)
    if math.prod(math.comb(4 + size, size) for size in groups.values()) > _MOST_KINDS:
        raise OddsError(
            f"the odds would take too many states (a set of {len(pattern.needs)} ranks)"
        )
    parts = [combinations_with_replacement(range(5), groups[need]) for need in sorted(groups)]
    for picked in product(*parts):
        yield tuple(count for part in picked for count in part)


def _classes(game: Pairing) -> list[_Class]:
    """The classes of *game*: patterns of sets, and the cards in no set."""
    patterns: Counter[_Pattern] = Counter()
    for ranks in game.removable:
        if len(ranks) > 1:
            needs = sorted((need, rank in game.must_go) for rank, need in Counter(ranks).items())
            patterns[_Pattern(tuple(needs))] += 1
    used = {rank for ranks in game.removable for rank in ranks}
    fixed = [rank for rank in range(1, game.ranks + 1) if rank not in used]
    classes = [_sets(pattern, patterns[pattern]) for pattern in sorted(patterns, key=_needs)]
    if fixed:
        must = any(rank in game.must_go for rank in fixed)
        classes.append(_fixed(4 * len(fixed), must))
    return classes


def _needs(pattern: _Pattern) -> tuple[tuple[int, bool], ...]:
    return pattern.needs


class _Walk:
    """The walk: layer d holds, for each state after d cards, the ways to get there.

    Cards that leave alone never lie in a slot when the next card comes, so they are left
    out of the walk and spread over its ending afterwards (`_spread`).
    """

    def __init__(self, game: Pairing, most_states: int) -> None:
        self.game, self.most_states = game, most_states
        self.classes = _classes(game)
        alone = [ranks[0] for ranks in game.removable if len(ranks) == 1]
        self.alone = 4 * len(alone)
        self.alone_must_go = any(rank in game.must_go for rank in alone)

    def run(self) -> Odds:
        game = self.game
        size = game.deck_size - self.alone
        self.removed: Counter[int] = Counter()
        self.wins = states = 0
        # A state is one integer in mixed radix: its digits are the states of the classes.
        tables, base = [], 1
        for each in self.classes:
            many = len(each.residue)
            steps = [
                [((new - i) * base, ways) for new, ways in moves]
                for i, moves in enumerate(each.steps)
            ]
            tables.append((base, many, each.residue, each.clear, steps))
            base *= many
        layer: dict[int, int] = {0: 1}
        for dealt in range(size + 1):
            states += len(layer)
            tell("cards dealt", dealt, size)
            if states > self.most_states:
                raise OddsError(
                    f"the odds of {game.name} would take more than {self.most_states:,} states; "
                    f"survey it: {survey_command(game)}"
                )
            following: dict[int, int] = {}
            get = following.get
            ended: Counter[tuple[int, bool]] = Counter()
            for state, ways in layer.items():
                residue = 0
                clear = True
                moves = []
                for base, many, residues, clears, steps in tables:
                    digit = state // base % many
                    residue += residues[digit]
                    clear = clear and clears[digit]
                    moves.append(steps[digit])
                if residue >= game.slots or dealt == size:
                    ended[residue, clear] += ways
                    continue
                for step in moves:
                    for change, more in step:
                        after = state + change
                        following[after] = get(after, 0) + ways * more
            for (residue, clear), ways in ended.items():
                self._spread(dealt, residue, clear, ways)
            layer = following
        shuffles = math.factorial(game.deck_size)
        assert sum(self.removed.values()) == shuffles
        return Odds(game, shuffles, self.wins, dict(sorted(self.removed.items())), states)

    def _spread(self, dealt: int, residue: int, clear: bool, ways: int) -> None:
        """Count *ways* orders of *dealt* cards that end the walk, with all that come with them.

        If the slots are full the cards that leave alone and come before the last of the
        *dealt* cards are gone too; else all are. Their places are chosen freely.
        """
        alone, size = self.alone, self.game.deck_size
        left = size - alone - dealt
        ways *= math.factorial(left) * math.factorial(alone)
        if residue < self.game.slots:
            before = {alone: math.comb(size, alone)}
        else:
            before = {
                k: math.comb(dealt - 1 + k, k) * math.comb(left + alone - k, left)
                for k in range(alone + 1)
            }
        for k, places in before.items():
            self.removed[dealt - residue + k] += ways * places
            if clear and (k == alone or not self.alone_must_go):
                self.wins += ways * places
