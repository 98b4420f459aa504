"""Reductions: what a search may leave out without changing a verdict. One module each.

A reduction has a name, a soundness argument (its module's docstring) and a condition on the
game's options under which the argument holds. `select` turns what the user asked for into
the names in force; `space_for` builds the space that a search with them walks through.
"""

from __future__ import annotations

import difflib
import functools
from collections.abc import Callable
from dataclasses import dataclass

from rules.errors import OptionError
from rules.game import Game, State
from solver.families import all_reductions, support
from solver.search.space import Space


@dataclass(frozen=True, slots=True)
class Reduction:
    """``applies``: whether the soundness argument holds for a game's options.

    ``requires``: reductions in whose terms this one is stated; they come with it.
    """

    name: str
    summary: str
    applies: Callable[[Game], bool]
    requires: tuple[str, ...] = ()


@functools.cache
def registry() -> dict[str, Reduction]:
    """The reductions of all families by name."""
    return {reduction.name: reduction for reduction in all_reductions()}


def available(game: Game) -> tuple[str, ...]:
    """The names of the reductions that hold for *game*, in the order of the registry."""
    return tuple(row.name for row in support(game).reductions() if row.applies(game))


def select(game: Game, wanted: str = "all") -> tuple[str, ...]:
    """The names in force for ``none``, ``all`` or a list ``a,b``; raises `OptionError`.

    A name that exists but does not hold for *game* is refused: leaving it out silently
    would report a search that was not the one asked for.
    """
    usable = available(game)
    if wanted == "all":
        return usable
    if wanted == "none":
        return ()
    names, known = set(), registry()
    for name in (part.strip() for part in wanted.split(",")):
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            hint = f"; did you mean {near[0]}?" if near else f" (none, all, {', '.join(known)})"
            raise OptionError(f"unknown reduction {name!r}{hint}")
        if name not in usable:
            raise OptionError(f"reduction {name} does not hold for {game.name} as it is set")
        names.add(name)
        names.update(known[name].requires)
    return tuple(name for name in known if name in names)


def space_for(game: Game, state: State, names: tuple[str, ...]) -> Space:
    """The space of *game* from *state* under the reductions *names* (see `select`)."""
    return support(game).space(state, names)
