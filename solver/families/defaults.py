"""`Support`: what the solver can do for a game of which it knows the rules alone."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from rules.cards import Card
from rules.game import Game

if TYPE_CHECKING:
    from rules.moves import Move
    from solver.analysis.reasons.facts import Reasons
    from solver.certify import ClosedSet
    from solver.kernels import Kernel, LostPositions, Player
    from solver.kernels.batch import Batch
    from solver.odds import Odds
    from solver.reductions import Reduction
    from solver.search.space import Space
    from solver.verdict import Limits, Result

G = TypeVar("G", bound=Game)
S = TypeVar("S", bound=tuple[Any, ...])


class Support(Generic[G, S]):
    """What there is for one game; a family's own class overrides what it has more for."""

    def __init__(self, game: G) -> None:
        self.game = game

    # Search ----------------------------------------------------------------------------

    def moves_needed(self, state: S) -> int:
        """A lower bound on the moves from *state* to a win.

        It never falls by more than one from a state to its successor;
        `solver.search.shortest` rests on that.
        """
        return 0

    def promise(self, state: S, moves: int) -> float:
        """A mere guess how near *state*, reached in so many moves, is to a win; less is nearer.

        It orders searches and can change no verdict.
        """
        return self.moves_needed(state)

    def is_acyclic(self, names: tuple[str, ...]) -> bool:
        """Whether no position can come back, by the options and the reductions *names* alone."""
        return False

    @classmethod
    def reductions(cls) -> tuple[Reduction, ...]:
        """The reductions of the family; `solver.reductions` asks each whether it applies."""
        return ()

    def space(self, state: S, names: tuple[str, ...]) -> Space:
        """The space to search from *state* under the reductions *names*."""
        from solver.search.space import GameSpace

        return GameSpace(self.game, state)

    def spaces(self, start: S, names: tuple[str, ...]) -> Callable[[S], Space]:
        """As `space`, for the states that can be reached from *start*: their keys agree."""
        return lambda state: self.space(state, names)

    # Compiled --------------------------------------------------------------------------

    def head_start(self, names: tuple[str, ...]) -> int | None:
        """Positions that take the readable search about as long as loading `kernel` does.

        None if there is no kernel for the reductions *names*.
        """
        return None

    def kernel(self, names: tuple[str, ...]) -> Kernel | None:
        """The compiled search under the reductions *names*, or None; see `head_start`."""
        return None

    def batch(self, names: tuple[str, ...], numbering: str) -> Batch | None:
        """The compiled search of many deals of a numbering at once, or None."""
        return None

    def keeps_lost(self, names: tuple[str, ...]) -> bool:
        """Whether there are `lost_positions` for the reductions *names*."""
        return False

    def lost_positions(
        self, start: S, names: tuple[str, ...], lost: Collection[Hashable]
    ) -> LostPositions:
        """A compiled search that remembers what it proves lost, and knows that *lost* is."""
        raise NotImplementedError

    def player(self) -> Player | None:
        """Compiled games of random and greedy play, or None."""
        return None

    # What is said of a deal ------------------------------------------------------------

    def reasons(
        self, state: S, limits: Limits, engine: str, best: tuple[Move, ...] | None = None
    ) -> Reasons:
        """Why *state*, which is proved lost, is lost: by default, what the search saw.

        *best*: where cards are counted, the line that is proved to leave fewest, if it is known.
        """
        from solver.analysis.reasons.plain import plain_reasons

        return plain_reasons(self.game, state, limits, engine)

    def closed_set(self, result: Result, limits: Limits) -> ClosedSet:
        """The set that proves *result*, which is lost: by default, all that can be reached."""
        from solver.certify import states_set

        return states_set(self.game, result.start, limits)

    # The game as a whole ---------------------------------------------------------------

    def no_odds(self) -> str | None:
        """Why there are no exact odds of the game, in a clause; None if there are."""
        if self.game.decision_free:
            return "they are worked out for no game of its family"
        return "the player decides"

    def odds(self, most_states: int) -> Odds:
        """The exact odds; not to be asked for where `no_odds` gives a reason."""
        raise NotImplementedError

    def cards_removed(self, deck: Sequence[Card]) -> int | None:
        """Cards removed from *deck* in the end, where every order of play comes to the same."""
        return None
