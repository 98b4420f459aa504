"""The one table of what the solver can do for each family of games.

`support` gives what there is for a game: a `Support`, or the family's own class of it, with the
methods that the family has more for. Every default works, so that a new family needs no row
here: it is searched readably, without reductions, and explained by its line and its search.

A family's row imports what it names when it is asked, and nothing before. So every room may
ask the table, and no kernel is loaded that is not used.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from rules.game import Game
from solver.families.decade import DecadeSupport
from solver.families.defaults import Support
from solver.families.klondike import KlondikeSupport
from solver.families.pairing import PairingSupport

if TYPE_CHECKING:
    from solver.reductions import Reduction

__all__ = ["TABLE", "Support", "all_reductions", "support"]

TABLE: Final[dict[str, type[Support[Any, Any]]]] = {
    "pairing": PairingSupport,
    "decade": DecadeSupport,
    "klondike": KlondikeSupport,
}


def support(game: Game) -> Support[Any, Any]:
    """What the solver can do for *game*."""
    return TABLE.get(game.family, Support)(game)


def all_reductions() -> Iterator[Reduction]:
    """The reductions of all families, in the order in which they are applied and listed."""
    for family in TABLE.values():
        yield from family.reductions()
