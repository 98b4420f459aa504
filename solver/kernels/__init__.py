"""Compiled twins of the families' search, behind one small interface.

A kernel proves what the reference search proves, visiting the same positions under the
same reductions (`solver.kernels.klondike.packs_search` agrees on verdicts alone, and has no head
start). Nothing here imports numba until a kernel is asked for.
"""

from __future__ import annotations

import functools
import logging
import sys
from collections import Counter
from collections.abc import Callable, Hashable
from dataclasses import replace
from typing import Any, Final, Protocol

from rules.decks import Deck
from rules.game import Game, State
from solver.families import support
from solver.progress import say
from solver.search.depth_first import Outcome
from solver.verdict import Limits, Verdict, uncounted

Kernel = Callable[[Game, Any, tuple[str, ...], Limits], Outcome]
"""``kernel(game, state, reductions, limits)``: search from *state*, as `search` does."""

Player = Callable[[Game, Any, int, int, bool, int], int]
"""``player(game, state, plays, seed, greedy, most)``: the games won of so many, each given up
after *most* moves; see `solver.analysis.ratings`."""


class LostPositions(Protocol):
    """A compiled search from the states of one deal, which keeps what it has proved lost."""

    def ask(self, state: State, limits: Limits) -> tuple[Verdict, int, list[Hashable]]:
        """The verdict, the positions visited, and for a win the keys of the way to it."""


def find_kernel(game: Game, reductions: tuple[str, ...]) -> Kernel | None:
    """The kernel that can search *game* under *reductions*, or None."""
    return support(game).kernel(reductions)


_spent: Final = Counter[str]()  # by family: positions searched readably in this process


def has_kernel(game: Game, reductions: tuple[str, ...]) -> bool:
    """Whether `find_kernel` would find one; numba is not loaded for the answer."""
    return support(game).head_start(reductions) is not None


def head_start_left(game: Game, reductions: tuple[str, ...]) -> int:
    """Positions that are still to be searched readably in this process before a kernel pays."""
    head_start = support(game).head_start(reductions)
    if head_start is None or (game.family, reductions) in _loaded:
        return 0
    return max(0, head_start - _spent[game.family])


def search_readably(
    game: Game,
    reductions: tuple[str, ...],
    limits: Limits,
    engine: str,
    look: Callable[[Limits], Outcome],
) -> tuple[Outcome | None, Limits]:
    """What the readable *look* finds if it is to be used, or None; and what is left of *limits*.

    For ``auto`` that is as long as loading the kernel would take (the family's `head_start`):
    after that the kernel has to start again. Both visit the same positions in the same order,
    so nothing but time depends on this. A process waits so long only once.
    """
    if engine == "reference" or not has_kernel(game, reductions):
        return look(limits), limits
    first = head_start_left(game, reductions)
    if engine == "compiled" or first <= 0:
        return None, limits
    most = limits.positions
    outcome = look(replace(limits, positions=first if most is None else min(first, most)))
    _spent[game.family] += outcome.stats.positions
    if outcome.limit == "memory" or (
        outcome.limit == "positions" and (most is None or most > first)
    ):  # the kernel's table is smaller, too
        return None, limits.less(outcome.stats.seconds)
    return outcome, limits


_loaded: set[tuple[str, tuple[str, ...]]] = set()


@functools.cache
def warm(game: Game, reductions: tuple[str, ...]) -> None:
    """Compile, or load, the kernel of *game*, so that no search's time limit pays for it."""
    with uncounted():
        kernel = find_kernel(game, reductions)
        if kernel is not None:
            start = game.initial(Deck.numbered(0, game.ranks, game.packs))
            kernel(game, start, reductions, Limits(None, 1, None))
            _loaded.add((game.family, reductions))


@functools.cache
def tell_compiling(what: str, seconds: int, kept: bool) -> None:
    """Say once what the user is waiting for, and about how long: to who listens, or on a terminal.

    It is logged, too (as information, by the logger ``dealproof``). *kept*: for later runs.
    """
    later = "later runs skip this" if kept else "in every run: no place to keep it"
    text = f"compiling {what} (about {seconds} s; {later})"
    log = logging.getLogger("dealproof")
    log.info(text)
    terminal = sys.stderr is not None and sys.stderr.isatty()
    if not say(text) and terminal and not log.isEnabledFor(logging.INFO):
        print(f"dealproof: {text}", file=sys.stderr)
