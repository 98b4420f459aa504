"""The pairing family (Ten By One, Block Ten, Tens): remove sets of ranks, slots refill.

A state is a `PairingState`. Suits never matter to what is legal; moves name cards all the
same, so that a line can be followed on a table.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Hashable, Iterator
from typing import ClassVar, NamedTuple

from rules.cards import RANKS, Card, parse_rank
from rules.game import Game, Pile
from rules.moves import Move
from rules.options import Option, integer, sequence

RankSet = tuple[int, ...]
_TIMES = re.compile(r"(.+?)\s*[x×*]\s*([1-4])")


class PairingState(NamedTuple):
    """``slots``: a card or None (empty, once the stock is used up). ``stock``: next first."""

    slots: tuple[Card | None, ...]
    stock: tuple[Card, ...]


def parse_rank_set(text: str) -> RankSet:
    """``A+9``, ``10``, ``J+J+J+J`` or ``Jx4`` as sorted ranks; raises ValueError."""
    times = _TIMES.fullmatch(text.strip())
    parts = [times[1]] * int(times[2]) if times else text.split("+")
    ranks = tuple(sorted(parse_rank(part) for part in parts))
    if max(Counter(ranks).values()) > 4:
        raise ValueError(f"{text}: a deck has four cards of a rank")
    return ranks


def show_rank_set(ranks: RankSet) -> str:
    """The inverse of `parse_rank_set`: ``A+9``, ``J+J+J+J``."""
    return "+".join(RANKS[rank - 1] for rank in ranks)


def _show_rank(rank: int) -> str:
    return RANKS[rank - 1]


_TENS = ("A+9", "2+8", "3+7", "4+6", "5+5")


class Pairing(Game[PairingState]):
    """Cards in slots; removable sets of ranks leave together; emptied slots refill."""

    family: ClassVar[str] = "pairing"
    summary: ClassVar[str] = "remove sets of ranks from a row of slots that refills itself"
    notation: ClassVar[str] = "9H+AS, or 9H+AS=4D,KC with the cards that come into the slots"
    table: ClassVar[tuple[Option, ...]] = (
        integer("slots", 10, 1, 52, "cards on show at a time"),
        sequence("removable", tuple(map(parse_rank_set, _TENS)),
                 "sets of ranks such as A+9, T or J+J+J+J (also Jx4), no set twice",
                 "what may be removed together", parse_rank_set, show_item=show_rank_set),
        sequence("must_go", tuple(range(1, 14)), "ranks", "what has to be removed to win",
                 parse_rank, show_item=_show_rank),
        integer("ranks", 13, 1, 13, "ranks in the deck (fewer make a small deck; sets with "
                "a rank that is not in it are left out)"),
    )  # fmt: skip

    def setup(self) -> None:
        self._ranks: int = self.options["ranks"]
        self.slots: int = self.options["slots"]
        listed: tuple[RankSet, ...] = self.options["removable"]
        wanted: tuple[int, ...] = self.options["must_go"]
        self.removable = tuple(ranks for ranks in listed if max(ranks) <= self._ranks)
        self.must_go = frozenset(rank for rank in wanted if rank <= self._ranks)

    @property
    def ranks(self) -> int:
        return self._ranks

    @property
    def decision_free(self) -> bool:
        """No rank in two sets: then no removal ever takes another one away."""
        uses = Counter(rank for ranks in self.removable for rank in set(ranks))
        return all(count == 1 for count in uses.values())

    def initial(self, deck: tuple[Card, ...]) -> PairingState:
        row: list[Card | None] = list(deck[: self.slots])
        row += [None] * (self.slots - len(row))
        return PairingState(tuple(row), tuple(deck[self.slots :]))

    def is_won(self, state: PairingState) -> bool:
        must_go = self.must_go
        return not any(card is not None and card.rank in must_go for card in state.slots) and (
            not any(card.rank in must_go for card in state.stock)
        )

    def key(self, state: PairingState) -> Hashable:
        """The ranks in the slots, sorted, and the length of the stock."""
        ranks = sorted(card.rank for card in state.slots if card is not None)
        return (tuple(ranks), len(state.stock))

    def successors(self, state: PairingState) -> Iterator[tuple[Move, PairingState]]:
        """Set by set as listed; for each, every choice of slots, leftmost slots first."""
        places: dict[int, list[int]] = {}
        for slot, card in enumerate(state.slots):
            if card is not None:
                places.setdefault(card.rank, []).append(slot)
        for ranks in self.removable:
            needs = Counter(ranks)
            choices = [
                itertools.combinations(places.get(rank, ()), count) for rank, count in needs.items()
            ]
            for picked in itertools.product(*choices):
                yield self._remove(state, tuple(itertools.chain.from_iterable(picked)))

    def _remove(self, state: PairingState, slots: tuple[int, ...]) -> tuple[Move, PairingState]:
        row = list(state.slots)
        cards = tuple(card for slot in slots if (card := row[slot]) is not None)
        drawn = state.stock[: len(slots)]
        for slot in slots:
            row[slot] = None
        for slot, card in zip(sorted(slots), drawn, strict=False):
            row[slot] = card
        return Move("remove", cards, None, drawn), PairingState(
            tuple(row), state.stock[len(drawn) :]
        )

    def normal(self, move: Move) -> Move:
        return move._replace(cards=tuple(sorted(move.cards)))

    def why_illegal(self, state: PairingState, move: Move) -> str:
        if move.kind != "remove":
            return "the only moves in this game remove cards, such as 9H+AS"
        if len(set(move.cards)) != len(move.cards):
            return "it names a card twice"
        for card in move.cards:
            if card not in state.slots:
                where = "still in the stock" if card in state.stock else "gone"
                return (
                    f"{card} is {where}"
                    if card.rank <= self._ranks
                    else f"{card} is not in this deck"
                )
        ranks = tuple(sorted(card.rank for card in move.cards))
        return f"{show_rank_set(ranks)} is not a removable set"

    def layout(self, state: PairingState) -> tuple[Pile, ...]:
        piles = [
            Pile("slot", str(number), () if card is None else (card,))
            for number, card in enumerate(state.slots, 1)
        ]
        return (*piles, Pile("stock", "stock", state.stock, len(state.stock)))

    def ruling(self) -> tuple[str, ...]:
        sets = ", ".join(map(show_rank_set, self.removable)) or "none"
        if len(self.must_go) == self._ranks:
            goal = "every card has"
        else:
            goal = f"every {', '.join(_show_rank(rank) for rank in sorted(self.must_go))} has"
        free = (
            "No rank belongs to two sets, so no removal ever takes away another: any order of "
            "play ends in the same place, and one playthrough decides the deal."
            if self.decision_free
            else "Some rank belongs to two sets, so the order of play matters."
        )
        size = 4 * self._ranks
        return (
            f"The first {min(self.slots, size)} cards go face up into {self.slots} slots, left to "
            f"right; the other {max(0, size - self.slots)} are the stock.",
            f"A move removes one of these sets of ranks, all in slots, suits regardless: {sets}. "
            "The emptied slots are refilled at once from the stock, the leftmost first, as far "
            "as it lasts. Removal is never forced, and there is no other move.",
            f"Won when {goal} left both the slots and the stock.",
            free,
        )
