"""Closed sets under the reductions of the klondike family, from their written definitions.

The definitions are in ``docs/certificates.md``, the arguments in ``docs/soundness.md``. Nothing
here comes from the search. All of it is in terms of the classes of `solver.proof.runs`; a
move's result is a class, found by playing the move by the rules in a state of the class.

A class is *covered* if it is in the set, or if ``safe`` is named and a safe foundation move
from it leads to a covered class. Of every class in the set it is demanded that it be not won,
and one of these:

* ``dead`` is named and the class is dead (`solver.proof.dead`);
* ``safe`` is named and a safe foundation move leads to a covered class;
* every move leads to a covered class, where, if ``deal`` is named, a deal may instead lead
  to a *put-off* class.

A deal may be put off unless there is an empty column and gaps fill from the waste. A class that
it leads to is put off if every play of the waste's top, every move that empties a column (if
gaps fill from stock or waste), leads to a covered class, and the next deal to a covered or
again a put-off one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import Any

from rules.cards import Card
from rules.families.klondike import NEXT_COLUMN, STOCK, WASTE, Klondike, KlondikeState
from rules.game import Game
from rules.moves import FOUNDATION, Move
from solver.proof.dead import is_dead
from solver.proof.errors import CertificateRefused
from solver.proof.runs import RunsRecords

REDUCTIONS = ("runs", "safe", "deal", "dead")

Watch = Callable[[int], None]
"""Told, now and then, the number of the position that is checked."""


def unwatched(number: int) -> None:
    """Nobody is told."""


@dataclass(frozen=True, slots=True)
class Way:
    """A move from a class: its card lay ``loose``, on a ``head``, was a ``base``, or in the waste.

    ``head``: it heads its column's face-up part, with cards face down under it; ``base``:
    with none.
    """

    move: Move
    after: KlondikeState
    lay: str

    @property
    def empties(self) -> bool:
        return self.lay == "base"


class RunsChecker:
    """Demands closure of a set of records; `check_all` returns how many moves it followed."""

    def __init__(
        self,
        game: Game[Any],
        start: Any,
        names: Collection[str],
        members: frozenset[bytes],
    ) -> None:
        if not isinstance(game, Klondike) or "runs" not in names:
            raise CertificateRefused(
                "the encoding runs is the reduction runs of the klondike family"
            )
        for name in names:
            if name not in REDUCTIONS:
                raise CertificateRefused(f"unknown reduction {name[:40]!r}")
        try:
            self.form = RunsRecords(game, start)
        except ValueError as error:
            raise CertificateRefused(str(error)) from None
        self.game, self.start, self.members = game, start, members
        self.safe, self.deal, self.dead = "safe" in names, "deal" in names, "dead" in names
        self.gaps_take = STOCK in game.fill or WASTE in game.fill
        self.moves = 0

    def check_start(self) -> None:
        """Raise `CertificateRefused` unless the start is covered."""
        if not self._covered(self.start):
            raise CertificateRefused("the start is not in the set")

    def check_all(self, records: Collection[bytes], watch: Watch = unwatched) -> int:
        """Check the start and every member; how many moves were followed."""
        self.check_start()
        for number, record in enumerate(records, 1):
            watch(number)
            try:
                states = self.form.layouts(record)
                if self.form.encode(states[0]) != record:
                    raise ValueError("it is not in its one form")
                fault = self._fault(states)
            except (ValueError, IndexError, KeyError, AssertionError) as error:
                raise CertificateRefused(f"position {number} is malformed: {error}") from None
            if fault is not None:
                raise CertificateRefused(f"position {number}{fault}")
        return self.moves

    def _fault(self, states: list[KlondikeState]) -> str | None:
        """What is wrong with a member, given by its layouts; None if nothing is."""
        state = states[0]
        if self.game.is_won(state):
            return " is a win"
        if self.dead and is_dead(self.game, state):
            return None
        ways = list(self._ways(states))
        if self.safe and any(self._covered(way.after) for way in ways if self._is_safe(state, way)):
            return None
        for way in ways:
            if self._covered(way.after):
                continue
            late = self.deal and way.move.kind == "deal" and self._may_wait(state)
            if not late or not self._put_off(way.after):
                return f": {way.move.bare} leads out of the set"
        return None

    def _covered(self, state: KlondikeState) -> bool:
        if self.form.encode(state) in self.members:
            return True
        if not self.safe:
            return False
        ways = self._ways(self._layouts(state))
        return any(self._covered(way.after) for way in ways if self._is_safe(state, way))

    def _may_wait(self, state: KlondikeState) -> bool:
        """Whether a deal from *state* only puts a card on the waste."""
        return not (WASTE in self.game.fill and any(not up for _, up in state.columns))

    def _put_off(self, state: KlondikeState) -> bool:
        """Whether everything that depends on the deal that led to *state* is covered."""
        while True:
            following = None
            for way in self._ways(self._layouts(state)):
                if way.move.kind == "deal":
                    following = way.after
                    continue
                depends = way.lay == "waste" or (way.empties and self.gaps_take)
                if depends and not self._covered(way.after):
                    return False
            if following is None or self._covered(following):
                return True
            state = following

    def _layouts(self, state: KlondikeState) -> list[KlondikeState]:
        return self.form.layouts(self.form.encode(state))

    def _ways(self, states: list[KlondikeState]) -> Iterator[Way]:
        """The moves of a class. The shifts of loose cards, which stay in it, are left out.

        A card goes up, onto a parent, or to a space in at most one way, as far as classes go.
        """
        seen = set()
        for state in states:
            where = {}
            for down, up in state.columns:
                if up:
                    where[up[0]] = "head" if down else "base"
                where.update(dict.fromkeys(up[1:], "loose"))
            for move, after in self.game.successors(state):
                card = move.cards[0] if move.cards else None
                kind = "on" if isinstance(move.target, Card) else move.target
                if (card, kind) in seen:
                    continue
                lay = "stock" if card is None else where.get(card, "waste")
                if lay == "loose" and kind == "on":
                    continue
                seen.add((card, kind))
                self.moves += 1
                yield Way(move, after, lay)

    def _is_safe(self, state: KlondikeState, way: Way) -> bool:
        """Whether *way* from a class with *state* is a safe foundation move.

        The card is wanted by nobody as a parent, and its going brings nothing from the
        stock or the waste to the tableau before its time.
        """
        if way.move.target != FOUNDATION or not _unwanted(state.foundations, way.move.cards[0]):
            return False
        fill, undealt = self.game.fill, len(state.stock)
        if way.lay == "waste":
            if WASTE not in fill:
                return True
            before = fill[: fill.index(WASTE)]
            if NEXT_COLUMN in fill and NEXT_COLUMN not in before:
                return False
            return STOCK in before or not undealt
        if way.lay == "loose":
            return True
        if NEXT_COLUMN in fill:
            return False
        if way.lay == "head":
            return True
        return undealt == 0 or (undealt == 1 and fill == (STOCK, WASTE))


def _unwanted(heights: tuple[int, ...], card: Card) -> bool:
    """Whether whatever could be put onto *card* can go to its foundation instead.

    It is an ace or a two; or both foundations of the other colour have its rank less one;
    or both have its rank less two, and the other one of its colour its rank less three.
    """
    rank = card.rank
    low = min(heights[0], heights[3]) if card.is_red else min(heights[1], heights[2])
    twin = heights[3 - card.suit]
    return rank <= 2 or low >= rank - 1 or (low >= rank - 2 and twin >= rank - 3)
