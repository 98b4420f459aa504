"""Reductions: what a search may leave out without changing a verdict. One module each.

A reduction has a name, a soundness argument (its module's docstring) and a condition on the
game's options under which the argument holds. `select` turns what the user asked for into
the names in force; `space_for` builds the space that a search with them walks through.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from rules.errors import OptionError
from rules.families.decade import Decade
from rules.game import Game
from solver.reductions.decade import floor, newest
from solver.reductions.klondike import dead, deal, runs, safe
from solver.search.space import GameSpace, Space


@dataclass(frozen=True, slots=True)
class Reduction:
    """``applies``: whether the soundness argument holds for a game's options.

    ``requires``: reductions in whose terms this one is stated; they come with it.
    """

    name: str
    family: str
    summary: str
    applies: Callable[[Game[Any]], bool]
    requires: tuple[str, ...] = ()


def _register(*rows: Reduction) -> dict[str, Reduction]:
    return {row.name: row for row in rows}


REGISTRY: Final[dict[str, Reduction]] = _register(
    Reduction(newest.NAME, "decade", newest.SUMMARY, newest.applies),
    Reduction(floor.NAME, "decade", floor.SUMMARY, floor.applies),
    Reduction(runs.NAME, "klondike", runs.SUMMARY, runs.applies),
    Reduction(safe.NAME, "klondike", safe.SUMMARY, runs.applies, (runs.NAME,)),
    Reduction(deal.NAME, "klondike", deal.SUMMARY, runs.applies, (runs.NAME,)),
    Reduction(dead.NAME, "klondike", dead.SUMMARY, runs.applies, (runs.NAME,)),
)


def available(game: Game[Any]) -> tuple[str, ...]:
    """The names of the reductions that hold for *game*, in the order of the registry."""
    return tuple(
        name
        for name, reduction in REGISTRY.items()
        if reduction.family == game.family and reduction.applies(game)
    )


def select(game: Game[Any], wanted: str = "all") -> tuple[str, ...]:
    """The names in force for ``none``, ``all`` or a list ``a,b``; raises `OptionError`.

    A name that exists but does not hold for *game* is refused: leaving it out silently
    would report a search that was not the one asked for.
    """
    usable = available(game)
    if wanted == "all":
        return usable
    if wanted == "none":
        return ()
    names = set()
    for name in (part.strip() for part in wanted.split(",")):
        if name not in REGISTRY:
            near = difflib.get_close_matches(name, REGISTRY, n=1)
            hint = f"; did you mean {near[0]}?" if near else f" (none, all, {', '.join(REGISTRY)})"
            raise OptionError(f"unknown reduction {name!r}{hint}")
        if name not in usable:
            raise OptionError(f"reduction {name} does not hold for {game.name} as it is set")
        names.add(name)
        names.update(REGISTRY[name].requires)
    return tuple(name for name in REGISTRY if name in names)


def space_for(game: Game[Any], state: Any, names: tuple[str, ...]) -> Space:
    """The space of *game* from *state* under the reductions *names* (see `select`)."""
    if names and isinstance(game, Decade):
        from solver.reductions.decade.space import DecadeSpace

        return DecadeSpace(game, state, names)
    if runs.NAME in names:
        return runs.RunsSpace(game, state, names)
    return GameSpace(game, state)
