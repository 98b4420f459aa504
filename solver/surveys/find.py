"""`find`: the next deals that meet the conditions given, each verdict a proof.

A deal that hits a limit is neither taken nor silently passed over: it comes out too, marked,
so that whoever asked for the *next* deal knows what was not decided on the way.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from rules.decks import Deal, check_numbering, last_number
from rules.errors import OptionError
from rules.game import Game
from rules.registry import get_game
from rules.words import brief
from solver.analysis.ratings import WORDS, Word, rate
from solver.kernels.batch import Chunk
from solver.progress import tell
from solver.surveys.rows import rows_of
from solver.surveys.run import settings_for
from solver.surveys.store import Deals, Row, Settings
from solver.verdict import DEFAULT_LIMITS, Limits

AIM: Final = 0.1
"""Seconds that the deals solved together should take, so that Ctrl-C is soon heard."""

_MOST: Final = 10_000
_DECIDED: Final = ("winnable", "unwinnable")


@dataclass(frozen=True, slots=True)
class Wanted:
    """Conditions on a deal; what is None (or empty) is no condition.

    ``verdict``: ``winnable`` or ``unwinnable``. ``fewest_left``, ``positions``: least and most,
    both included. ``words``: ratings, of `solver.analysis.ratings.WORDS`.
    """

    verdict: str | None = None
    fewest_left: tuple[int, int] | None = None
    positions: tuple[int, int | None] | None = None
    words: frozenset[str] = frozenset()

    def check(self, game: Game) -> None:
        """Raise `OptionError` if no deal of *game* could ever meet the conditions."""
        if self == Wanted():
            raise OptionError("what is wanted? --winnable, --unwinnable, --fewest-left, ...")
        known = [word for word, _ in WORDS]
        for word in sorted(self.words):
            if word not in known:
                raise OptionError(f"--rating: {brief(word, 40)} is none of {', '.join(known)}")
        if self.words and self.verdict == "unwinnable":
            raise OptionError("--rating is for deals that can be won, not for --unwinnable")
        if self.fewest_left is not None and not (game.counts_cards and not game.decision_free):
            raise OptionError(f"--fewest-left: {game.name} is not played for fewest cards left")
        if self.fewest_left is not None and self.fewest_left[0] > game.deck_size:
            raise OptionError(f"--fewest-left: {game.name} has only {game.deck_size} cards")
        if self.positions is not None and game.decision_free:
            raise OptionError(
                f"positions: {game.name} is played out, not searched, so there are none to count"
            )

    def admits(self, row: Row) -> bool:
        """Whether a decided deal meets all conditions but the rating."""
        if self.verdict not in (None, row.verdict):
            return False
        if self.words and row.verdict != "winnable":
            return False
        if self.fewest_left is not None:
            low, high = self.fewest_left
            if row.fewest_left is None or not low <= row.fewest_left <= high:
                return False
        if self.positions is not None:
            least, most = self.positions
            if row.positions is None or row.positions < least:
                return False
            return most is None or row.positions <= most
        return True


@dataclass(frozen=True, slots=True, repr=False)
class Found:
    """A deal that meets the conditions, or one that may (``undecided``).

    ``word``, ``guesswork``: its rating, if one was asked for.
    """

    row: Row
    undecided: bool = False
    word: Word | None = None
    guesswork: float | None = None

    def __repr__(self) -> str:
        row = self.row
        left = "" if row.fewest_left is None else f", {row.fewest_left} left at best"
        word = "" if self.word is None else f", {self.word}"
        verdict = "undecided" if self.undecided else row.verdict
        work = "" if row.positions is None else f", {row.positions} positions"
        return f"<Found deal {row.deal}: {verdict}{left}{work}{word}>"


def find(
    game: str | Game,
    wanted: Wanted,
    numbering: str = "",
    first: int = 1,
    last: int | None = None,
    *,
    limits: Limits = DEFAULT_LIMITS,
    engine: str = "auto",
    reductions: str = "all",
) -> Iterator[Found]:
    """The deals from number *first* to *last* (default: the last there is) that are *wanted*.

    In order, as they are found. Raises `OptionError` for conditions that cannot be met.

    >>> from itertools import islice
    >>> [found.row.deal for found in islice(find("block-ten", Wanted("winnable")), 3)]
    ['50', '68', '206']
    """
    game = get_game(game) if isinstance(game, str) else game
    wanted.check(game)
    check_numbering(numbering, game.ranks, game.packs)
    looked_at = Deals(((numbering, first, first),))  # what follows is not counted beforehand
    settings = settings_for(game, looked_at, limits=limits, engine=engine, reductions=reductions)
    end = last_number(numbering) if last is None else last
    chunk = Chunk(0, numbering, first, max(0, end - first + 1))
    return _scan(game, wanted, chunk, settings, reductions)


def _scan(
    game: Game, wanted: Wanted, left: Chunk, settings: Settings, reductions: str
) -> Iterator[Found]:
    size = 1
    while left.size:
        part, left = left.split(min(size, left.size))
        start = time.perf_counter()
        for rows in rows_of(settings, part, settings.memory, first=True):
            for row in rows:
                deal = functools.partial(part.deal, row.place - part.place, game)
                found = _judged(game, wanted, row, deal, settings, reductions)
                if found is not None:
                    yield found
                tell("deals looked at", row.place + 1)
        taken = time.perf_counter() - start
        if taken < AIM:
            size = min(_MOST, 2 * size)
        elif taken > 2 * AIM:
            size = max(1, size // 2)


def _judged(
    game: Game,
    wanted: Wanted,
    row: Row,
    deal: Callable[[], Deal],
    settings: Settings,
    reductions: str,
) -> Found | None:
    if row.verdict not in _DECIDED:
        return Found(row, undecided=True)
    if not wanted.admits(row):
        return None
    if not wanted.words:
        return Found(row)
    rating = rate(
        game, deal(), limits=settings.limits, plays=0, engine=settings.engine,
        reductions=reductions,
    )  # fmt: skip
    if rating.word is None:
        return Found(row, undecided=True)
    if rating.word not in wanted.words:
        return None
    return Found(row, word=rating.word, guesswork=rating.guesswork)
