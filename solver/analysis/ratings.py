"""Rate: how hard a deal that can be won is to win.

The figures, each reproducible:

* *Guesswork*, in bits: how much luck one needs to win along the line found without looking
  ahead. At each decision of the line, with n different positions to move to of which k can
  still be won, a guess is right with the chance k / n; the guesswork is the sum of log2(n / k).
  The line is that of `solver.solve.solve`; another line gives another figure.
* *Random play*: the share of games won by a player who picks any legal move. *Greedy play*: by
  one who takes a move to a foundation if there is one, else one that turns up a card, else any
  other, and deals only when nothing else is left (Decade: the largest discard); ties at random.
  Both never look ahead. In Klondike a run that merely goes from one parent to the other does not
  count as a move (`solver.reductions.klondike.runs`); elsewhere a position does not come twice in a
  game. A game is given up after 1,000 moves. Seeded, with 95 % Wilson intervals.
* The decisions of the line by kind, and the positions that the proof visited.

The word goes by the guesswork (`WORDS`); ``dealproof rate GAME 1-1000 --json`` tells how the
words are spread over a thousand deals.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Any, Final, Literal

from rules.decks import Deal, Deck
from rules.game import Game, State
from rules.moves import FOUNDATION
from rules.position import Position
from rules.referee import replay
from rules.registry import get_game
from rules.words import plural
from solver.analysis.session import Fate, Session
from solver.analysis.steps import Asker, Kind, Step, count_kinds, weigh
from solver.families import support
from solver.progress import tell
from solver.solve import solve
from solver.stats import wilson
from solver.verdict import DEFAULT_LIMITS, Limits, Result, Verdict, named

Word = Literal["trivial", "easy", "fair", "hard", "fiendish"]
WORDS: Final[tuple[tuple[Word, float], ...]] = (
    ("trivial", 1.0), ("easy", 4.0), ("fair", 8.0), ("hard", 14.0), ("fiendish", 1e9),
)  # fmt: skip
"""Each word with the guesswork, in bits, below which it is used."""

MOST_MOVES: Final = 1_000
PLAYS: Final = 1_000
BUDGET: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Share:
    """Games won of those played, and the 95 % Wilson interval of the chance to win."""

    won: int
    plays: int
    low: float
    high: float

    @classmethod
    def of(cls, won: int, plays: int) -> Share:
        low, high = wilson(won, plays)
        return cls(won, plays, low, high)

    @property
    def value(self) -> float:
        return self.won / self.plays if self.plays else 0.0


@dataclass(frozen=True, slots=True, repr=False)
class Rating:
    """How hard a deal is; only ``result`` for one that cannot be won or is not decided.

    ``guesswork``: bits, None if some decision of the line was not decided. ``word``: None in
    the same cases. ``steps``: those of the line.
    """

    result: Result
    steps: tuple[Step, ...] = ()
    guesswork: float | None = None
    word: Word | None = None
    random: Share | None = None
    greedy: Share | None = None

    def __repr__(self) -> str:
        result, bits = self.result, self.guesswork
        guesses = "" if bits is None else f"{bits:.1f} bits of guesswork"
        proof = plural(result.stats.positions, "position")
        facts = (result.summary, self.word or "", guesses, proof)
        return named(self, result.game, *facts, given=result.given)

    @property
    def kinds(self) -> dict[Kind, int]:
        return count_kinds(self.steps)

    @property
    def decisions(self) -> int:
        """Moves of the line at which there was something to choose."""
        return sum(bool(step.choices) for step in self.steps)


def rate(
    game: str | Game,
    given: int | str | Deal | Deck | Position,
    *,
    limits: Limits = DEFAULT_LIMITS,
    budget: int | None = BUDGET,
    plays: int = PLAYS,
    seed: int = 0,
    engine: str = "auto",
    reductions: str = "all",
) -> Rating:
    """Rate *given*, a deal or position named as for `solve`.

    *limits*: for the proof, and its time again for the decisions. *budget*: positions for each
    move that is not played. *plays*: games of random and of greedy play, begun from *seed*.

    >>> rating = rate("decade", 3, plays=100)
    >>> rating.word, rating.guesswork, rating.random.won
    ('easy', 2.0, 24)
    """
    game = get_game(game) if isinstance(game, str) else game
    result = solve(game, given, limits=limits, engine=engine, reductions=reductions)
    if result.verdict is not Verdict.WINNABLE or result.line is None:
        return Rating(result)
    start = result.start
    line = result.line
    session = Session(game, start, engine=engine, reductions=reductions)
    session.note_line(start, line)
    moves, _ = replay(game, start, line)
    fates = [Fate(Verdict.WINNABLE, result.fewest_left, counted=game.counts_cards)] * (
        len(moves) + 1
    )
    steps = tuple(weigh(Asker(session, limits, budget), start, moves, fates))
    bits = guesswork(steps)
    return Rating(
        result, steps, bits, None if bits is None else word_for(bits),
        Share.of(play(game, start, plays, seed, greedy=False), plays),
        Share.of(play(game, start, plays, seed, greedy=True), plays),
    )  # fmt: skip


def guesswork(steps: Iterable[Step]) -> float | None:
    """The bits of luck that a line needs (see the module's docstring), None if not known."""
    bits = 0.0
    for step in steps:
        others = [other.fate for other in step.choices if not other.twin]
        if any(not fate.decided for fate in others):
            return None
        good = 1 + sum(fate.verdict is Verdict.WINNABLE for fate in others)
        bits += math.log2((1 + len(others)) / good)
    return round(bits, 6)


def word_for(bits: float) -> Word:
    """The word for a guesswork of so many bits."""
    return next(word for word, below in WORDS if bits < below)


# Play ------------------------------------------------------------------------------------


def play(game: Game, start: State, plays: int, seed: int, *, greedy: bool) -> int:
    """How many of *plays* games from *start* are won, at random or greedily."""
    compiled = support(game).player()
    if compiled is not None:
        return compiled(game, start, plays, seed, greedy, MOST_MOVES)
    if game.decision_free:
        return plays * _play_rules(game, start, SplitMix(seed), greedy)
    random = SplitMix(seed)
    won = 0
    for number in range(plays):
        tell("games played", number, plays)
        won += _play_rules(game, start, random, greedy)
    return won


def _play_rules(game: Game, state: State, random: SplitMix, greedy: bool) -> bool:
    """One game under the rules: whether it is won."""
    seen: set[Hashable] = {game.key(state)}
    for _ in range(MOST_MOVES):
        if game.is_won(state):
            return True
        ahead = [
            (move, after) for move, after in game.successors(state) if game.key(after) not in seen
        ]
        if not ahead:
            return False
        if greedy:
            ranks = [_eagerness(game, state, move, after) for move, after in ahead]
            best = min(ranks)
            ahead = [pair for pair, rank in zip(ahead, ranks, strict=True) if rank == best]
        state = ahead[random.below(len(ahead))][1]
        seen.add(game.key(state))
    return False


def _eagerness(game: Game, state: State, move: Any, after: State) -> int:
    """The order in which a greedy player takes moves, least first."""
    if move.kind in ("deal", "redeal"):
        return 3
    if move.kind == "remove":
        return -len(move.cards)
    if move.target == FOUNDATION:
        return 0
    return 1 if _face_down(game, after) < _face_down(game, state) else 2


def _face_down(game: Game, state: State) -> int:
    """Cards face down on the table, those of the stock not counted."""
    return sum(pile.face_down for pile in game.layout(state) if pile.role != "stock")


class SplitMix:
    """The generator of our own deal numbers, as a source of small random numbers."""

    def __init__(self, seed: int) -> None:
        self.state = seed & (1 << 64) - 1

    def below(self, bound: int) -> int:
        """A number from 0 to *bound* - 1."""
        mask = (1 << 64) - 1
        self.state = (self.state + 0x9E3779B97F4A7C15) & mask
        z = self.state
        z = ((z ^ z >> 30) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ z >> 27) * 0x94D049BB133111EB) & mask
        z ^= z >> 31
        return (z * bound) >> 64
