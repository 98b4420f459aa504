"""Compiled twins of the families' search, behind one small interface.

A kernel proves what the reference search proves, visiting the same positions under the
same reductions. Nothing here imports numba until a kernel is asked for.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from typing import Any

from rules.decks import Deck
from rules.game import Game
from solver.progress import say
from solver.search.depth_first import Outcome
from solver.verdict import Limits

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
    if game.family == "left" and "runs" in reductions:
        from solver.kernels.klondike import search as left

        return left.solve
    return None


@functools.cache
def warm(game: Game[Any], reductions: tuple[str, ...]) -> None:
    """Compile, or load, the kernel of *game*, so that no search's time limit pays for it."""
    kernel = find_kernel(game, reductions)
    if kernel is not None:
        start = game.initial(Deck.numbered(0, game.ranks, game.packs))
        kernel(game, start, reductions, Limits(None, 1, None))


@functools.cache
def tell_compiling() -> None:
    """Say once, to who listens or on a terminal, what the user is waiting for."""
    what = "compiling the search for this family of games (some seconds, once on this machine)"
    if not say(what) and sys.stderr is not None and sys.stderr.isatty():
        print(f"dealproof: {what}", file=sys.stderr)
