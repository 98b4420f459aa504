"""What it means that a kernel and the reference agree."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rules.game import Game
from solver import reductions
from solver.search.depth_first import Outcome, search
from solver.verdict import NO_LIMITS, Limits, Stats

Solve = Callable[[Game[Any], Any, tuple[str, ...], Limits], Outcome]
ALL = ("positions", "transpositions", "depth", "dead_ends")


def assert_agree(
    solve: Solve,
    game: Game[Any],
    state: Any,
    names: tuple[str, ...] = (),
    limits: Limits = NO_LIMITS,
    counts: tuple[str, ...] = ALL,
) -> Outcome:
    """Search both ways; the same verdict, limit, line, cards left and counts. The kernel's."""
    mine = solve(game, state, names, limits)
    reference = search(reductions.space_for(game, state, names), limits)
    where = f"{dict(game.options)} {state} {names} {limits}"
    assert summary(mine, counts) == summary(reference, counts), where
    return mine


def summary(outcome: Outcome, counts: tuple[str, ...] = ALL) -> tuple[Any, ...]:
    stats: Stats = outcome.stats
    return (
        outcome.verdict,
        outcome.limit,
        outcome.line,
        outcome.best_left,
        outcome.complete,
        *(getattr(stats, name) for name in counts),
    )
