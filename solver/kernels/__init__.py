"""Compiled twins of the families' search, behind one small interface.

A kernel proves what the reference search proves, visiting the same positions under the
same reductions. Nothing here imports numba until a kernel is asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rules.game import Game
from solver.search import Outcome
from solver.verdict import Limits

Kernel = Callable[[Game[Any], Any, tuple[str, ...], Limits], Outcome]
"""``kernel(game, state, reductions, limits)``: search from *state*, as `search` does."""


def find_kernel(game: Game[Any], reductions: tuple[str, ...]) -> Kernel | None:
    """The kernel that can search *game* under *reductions*, or None."""
    if game.family == "pairing":
        from solver.kernels import pairing

        return pairing.solve
    if game.family == "decade":
        from solver.kernels import decade

        return decade.solve
    if game.family == "left" and "runs" in reductions:
        from solver.kernels import left

        return left.solve
    return None
