"""Compiled twins of the families' search, behind one small interface.

A kernel proves what the reference search proves, visiting the same positions under the
same reductions. Nothing here imports numba until a kernel is asked for.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from rules.decks import Deck
from rules.game import Game
from solver.progress import say
from solver.search.depth_first import Outcome
from solver.verdict import Limits, uncounted

Kernel = Callable[[Game[Any], Any, tuple[str, ...], Limits], Outcome]
"""``kernel(game, state, reductions, limits)``: search from *state*, as `search` does."""


def find_kernel(game: Game[Any], reductions: tuple[str, ...]) -> Kernel | None:
    """The kernel that can search *game* under *reductions*, or None."""
    if game.family == "pairing":
        from solver.kernels import pairing

        return pairing.solve
    if game.family == "decade":
        from solver.kernels.decade import searches as decade

        return decade.solve
    if game.family == "klondike" and "runs" in reductions:
        from solver.kernels.klondike import search as left

        return left.solve
    return None


HEAD_START: Final = {"klondike": 1_500, "decade": 10_000, "pairing": 10_000}
"""By family: positions that take the readable search about as long as loading the kernel does."""

_spent = dict.fromkeys(HEAD_START, 0)  # positions searched readably in this process


def has_kernel(game: Game[Any], reductions: tuple[str, ...]) -> bool:
    """Whether `find_kernel` would find one; numba is not loaded for the answer."""
    return game.family in HEAD_START and (game.family != "klondike" or "runs" in reductions)


def search_readably(
    game: Game[Any],
    reductions: tuple[str, ...],
    limits: Limits,
    engine: str,
    look: Callable[[Limits], Outcome],
) -> tuple[Outcome | None, Limits]:
    """What the readable *look* finds if it is to be used, or None; and what is left of *limits*.

    For ``auto`` that is as long as loading the kernel would take (`HEAD_START`): after that the
    kernel has to start again. Both visit the same positions in the same order, so nothing but
    time depends on this. A process waits so long only once.
    """
    if engine == "reference" or not has_kernel(game, reductions):
        return look(limits), limits
    family = game.family
    first = HEAD_START[family] - _spent[family]
    if engine == "compiled" or first <= 0 or (family, reductions) in _loaded:
        return None, limits
    most = limits.positions
    outcome = look(replace(limits, positions=first if most is None else min(first, most)))
    _spent[family] += outcome.stats.positions
    if outcome.limit == "memory" or (
        outcome.limit == "positions" and (most is None or most > first)
    ):  # the kernel's table is smaller, too
        return None, limits.less(outcome.stats.seconds)
    return outcome, limits


_loaded: set[tuple[str, tuple[str, ...]]] = set()


@functools.cache
def warm(game: Game[Any], reductions: tuple[str, ...]) -> None:
    """Compile, or load, the kernel of *game*, so that no search's time limit pays for it."""
    with uncounted():
        kernel = find_kernel(game, reductions)
        if kernel is not None:
            start = game.initial(Deck.numbered(0, game.ranks, game.packs))
            kernel(game, start, reductions, Limits(None, 1, None))
            _loaded.add((game.family, reductions))


@functools.cache
def tell_compiling() -> None:
    """Say once, to who listens or on a terminal, what the user is waiting for."""
    what = "compiling the search for this family of games (some seconds, once on this machine)"
    if not say(what) and sys.stderr is not None and sys.stderr.isatty():
        print(f"dealproof: {what}", file=sys.stderr)
