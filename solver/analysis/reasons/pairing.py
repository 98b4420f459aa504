"""Why a pairing deal is lost: where play ends, and how deep the partners lie.

Where no rank belongs to two removable sets every order of play ends in the same place (see
`rules.families.pairing`): with the same ranks in the slots and the same cards in the stock. Which
of the cards of a rank are left does depend on the order, so ranks are all that is spoken of.
Elsewhere all positions are looked at, and the end described is that of one line that leaves
fewest of the cards that must go.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from rules.cards import Card
from rules.families.pairing import Pairing, PairingState, show_rank_set
from rules.moves import Move
from rules.referee import replay
from rules.words import either, plural
from solver.analysis.reasons.facts import Reasons, rank_letter, rank_name, spelled
from solver.search.depth_first import search
from solver.search.follow import line_through
from solver.search.playout import play_on
from solver.search.space import GameSpace
from solver.search.straighten import straighten
from solver.verdict import Limits, Verdict


def pairing_reasons(game: Pairing, state: PairingState, limits: Limits) -> Reasons:
    """The reasons for *state*, which is lost."""
    if game.decision_free:
        line, end = play_on(game, state)
        first = (
            "Whatever is removed first, no move is left once" if line else "No move can be made:"
        )
        return Reasons((_ending(game, end, first), *_lacking(game, end)), _facts(game, end), line)
    space = _Watched(game, state)
    complete = search(space, limits).verdict is Verdict.UNWINNABLE
    line = space.best_line()
    line += play_on(game, replay(game, state, line)[1][-1])[0]  # to where no move is left
    line = straighten(game, state, line)
    end = replay(game, state, line)[1][-1]
    left = len(_must_go(game, end))
    if complete:
        first = (
            f"No line removes all that must go: at best {left} of those cards "
            f"{'is' if left == 1 else 'are'} left."
        )
    else:
        first = "The fewest that must be left were not found out within the limits."
    sentences = (
        first,
        _ending(game, end, f"The best line{'' if complete else ' found'} ends once"),
    )
    facts = _facts(game, end) | ({"fewest_that_must_go": left} if complete else {})
    return Reasons((*sentences, *_lacking(game, end)), facts, line, complete)


class _Watched(GameSpace):
    """The states of the rules, with the way to one that leaves fewest cards that must go."""

    def __init__(self, game: Pairing, state: PairingState) -> None:
        super().__init__(game, state)
        self.came: dict[Any, tuple[Any, Move, PairingState] | None] = {game.key(state): None}
        self.best, self.fewest = state, len(_must_go(game, state))
        self.successors = self._successors
        self.is_won = self._is_won

    def _successors(self, state: PairingState) -> Iterator[tuple[Move, Any]]:
        for move, after in self.game.successors(state):
            self.came.setdefault(self.game.key(after), (self.game.key(state), move, after))
            yield move, after

    def _is_won(self, state: PairingState) -> bool:
        assert isinstance(self.game, Pairing)
        count = len(_must_go(self.game, state))
        if count < self.fewest:
            self.best, self.fewest = state, count
        return self.game.is_won(state)

    def best_line(self) -> tuple[Move, ...]:
        keys = []
        key = self.game.key(self.best)
        while (link := self.came[key]) is not None:
            keys.append(key)
            key = link[0]
        return line_through(self.game, self.start, reversed(keys))


def _must_go(game: Pairing, state: PairingState) -> list[Card]:
    cards = [card for card in state.slots if card is not None] + list(state.stock)
    return [card for card in cards if card.rank in game.must_go]


@dataclass(frozen=True, slots=True)
class Lack:
    """What a removable set lacks of one rank, and the cards of that rank in the stock.

    ``held``: cards of the rank in the slots. ``places``: each card with its depth; 1 is the
    next card dealt.
    """

    rank: int
    count: int
    held: int
    places: tuple[tuple[Card, int], ...]


def lacks(game: Pairing, end: PairingState, rank: int) -> dict[str, tuple[Lack, ...]]:
    """What is lacking in the slots of each removable set with *rank*."""
    held = _held(end)
    return {
        show_rank_set(ranks): tuple(
            Lack(other, count - held[other], held[other], _places(end, other))
            for other, count in sorted(Counter(ranks).items())
            if held[other] < count
        )
        for ranks in game.removable
        if rank in ranks
    }


def _held(end: PairingState) -> Counter[int]:
    return Counter(card.rank for card in end.slots if card is not None)


def _places(end: PairingState, rank: int) -> tuple[tuple[Card, int], ...]:
    return tuple((card, depth) for depth, card in enumerate(end.stock, 1) if card.rank == rank)


def _ending(game: Pairing, end: PairingState, what: str) -> str:
    dealt = game.deck_size - len(end.stock)
    rest = plural(len(end.stock), "card")
    where = f"with {rest} still in the stock" if end.stock else "with the stock used up"
    dealt_words = f"{plural(dealt, 'card')} {'is' if dealt == 1 else 'are'} dealt"
    ranks = either((rank_letter(rank) for rank in sorted(_held(end).elements())), "and")
    return f"{what} {dealt_words}, {where}, and the slots hold {ranks}."


def _lacking(game: Pairing, end: PairingState) -> Iterator[str]:
    """For each rank in the slots a sentence on what it lacks, and where that lies."""
    for rank, held in sorted(_held(end).items()):
        many = {1: "The", 2: "Both"}.get(held, f"All {spelled(held)}")
        sets = [
            " and ".join(map(_lack, rows))
            for rows in dict.fromkeys(lacks(game, end, rank).values())
        ]
        if sets:
            need = "needs" if held == 1 else "need"
            yield f"{many} {rank_name(rank, held)} {need} {'; or '.join(sets)}."
        else:
            yield f"No set that can be removed has {_one(rank)} in it."


def _one(rank: int) -> str:
    name = rank_name(rank)
    return f"{'an' if name[0] in 'ae' else 'a'} {name}"


def _lack(row: Lack) -> str:
    """``two more jacks (J♣ is 6 deep in the stock)``."""
    name = rank_name(row.rank, row.count)
    if row.held:
        what = f"{spelled(row.count)} more {name}"
    elif row.count == 1:
        what = _one(row.rank)
    else:
        what = f"{spelled(row.count)} {name}"
    deep = either((f"{card.pretty} is {depth} deep" for card, depth in row.places), "and")
    return f"{what} ({deep or 'none is'} in the stock)"


def _facts(game: Pairing, end: PairingState) -> dict[str, Any]:
    held = _held(end)
    return {
        "ends_after": game.deck_size - len(end.stock),
        "ranks": [rank_letter(rank) for rank in sorted(held.elements())],
        "in_stock": len(end.stock),
        "must_go_left": len(_must_go(game, end)),
        "partners": [
            {
                "rank": rank_letter(rank),
                "held": held[rank],
                "sets": [
                    {
                        "set": name,
                        "lacks": [
                            {
                                "rank": rank_letter(row.rank),
                                "count": row.count,
                                "in_stock": [
                                    {"card": str(card), "depth": depth}
                                    for card, depth in row.places
                                ],
                            }
                            for row in rows
                        ],
                    }
                    for name, rows in lacks(game, end, rank).items()
                ],
            }
            for rank in sorted(held)
        ],
    }
