"""Why a pairing deal is lost: where the slots lock, and how deep the partners lie.

Where no rank belongs to two removable sets every order of play ends in the same place (see
`rules.families.pairing`), so what is said of that end holds for every line. Elsewhere all positions
are looked at, and the end described is one that leaves fewest of the cards that must go.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from rules.cards import Card
from rules.families.pairing import Pairing, PairingState
from rules.moves import Move
from solver.analysis.reasons.facts import Reasons, either, listed, plural, rank_letter, rank_name
from solver.search.depth_first import search
from solver.search.playout import play_on
from solver.search.space import GameSpace
from solver.verdict import Limits, Verdict


def pairing_reasons(game: Pairing, state: PairingState, limits: Limits) -> Reasons:
    """The reasons for *state*, which is lost."""
    if game.decision_free:
        line, end = play_on(game, state)
        return Reasons(tuple(_sentences(game, end, True)), _facts(game, end), line)
    space = _Watched(game, state)
    outcome = search(space, limits)
    line, end = space.best_line()
    complete = outcome.verdict is Verdict.UNWINNABLE
    facts = _facts(game, end) | ({"fewest_that_must_go": space.fewest} if complete else {})
    return Reasons(tuple(_sentences(game, end, False, complete)), facts, line, complete)


class _Watched(GameSpace):
    """The states of the rules, with the way to one that leaves fewest cards that must go."""

    def __init__(self, game: Pairing, state: PairingState) -> None:
        super().__init__(game, state)
        self.came: dict[Any, tuple[Any, Move, PairingState] | None] = {game.key(state): None}
        self.best, self.fewest = state, len(_must_go(game, state))
        self.successors = self._successors
        self.is_won = self._is_won

    def _successors(self, state: Any) -> Iterator[tuple[Move, Any]]:
        for move, after in self.game.successors(state):
            self.came.setdefault(self.game.key(after), (self.game.key(state), move, after))
            yield move, after

    def _is_won(self, state: Any) -> bool:
        assert isinstance(self.game, Pairing)
        count = len(_must_go(self.game, state))
        if count < self.fewest:
            self.best, self.fewest = state, count
        return self.game.is_won(state)

    def best_line(self) -> tuple[tuple[Move, ...], PairingState]:
        keys = []
        key = self.game.key(self.best)
        while (link := self.came[key]) is not None:
            keys.append(key)
            key = link[0]
        moves, state = [], self.start
        for key in reversed(keys):
            move, state = next(
                pair for pair in self.game.successors(state) if self.game.key(pair[1]) == key
            )
            moves.append(move)
        return tuple(moves), state


def _must_go(game: Pairing, state: PairingState) -> list[Card]:
    cards = [card for card in state.slots if card is not None] + list(state.stock)
    return [card for card in cards if card.rank in game.must_go]


def wanted(game: Pairing, state: PairingState) -> dict[int, tuple[tuple[int, int], ...]]:
    """Per rank in the locked slots: the ranks it lacks in each of its sets, with how many."""
    held = Counter(card.rank for card in state.slots if card is not None)
    lacks: dict[int, list[tuple[int, int]]] = {}
    for rank in sorted(held):
        lacks[rank] = []
        for ranks in game.removable:
            if rank in ranks:
                for other, count in sorted(Counter(ranks).items()):
                    if held[other] < count:
                        lacks[rank].append((other, count - held[other]))
    return {rank: tuple(dict.fromkeys(rows)) for rank, rows in lacks.items()}


def depths(state: PairingState, rank: int) -> list[tuple[Card, int]]:
    """The cards of *rank* in the stock, each with its depth: 1 is the next card dealt."""
    return [(card, depth) for depth, card in enumerate(state.stock, 1) if card.rank == rank]


def _sentences(
    game: Pairing, end: PairingState, every_line: bool, complete: bool = True
) -> Iterator[str]:
    dealt = game.deck_size - len(end.stock)
    held = sorted(card for card in end.slots if card is not None)
    rest = plural(len(end.stock), "card")
    where = f"with {rest} still in the stock" if end.stock else "with the stock used up"
    if every_line:
        yield (
            f"Whatever is removed first, the slots lock once {dealt} cards are dealt, {where}: "
            f"{listed(held) or 'they are empty'}."
        )
    else:
        how = "The line that comes nearest" if complete else "The nearest line found"
        yield (
            f"{how} locks once {dealt} cards are dealt, {where}: {listed(held)}; "
            f"{plural(len(_must_go(game, end)), 'card')} that must go remain."
        )
    for rank, rows in wanted(game, end).items():
        cards = [card for card in held if card.rank == rank]
        yield _lack(game, end, cards, rows)


def _lack(
    game: Pairing, end: PairingState, cards: list[Card], rows: tuple[tuple[int, int], ...]
) -> str:
    """What the slots' *cards* of one rank lack, and where that lies."""
    need = "needs" if len(cards) == 1 else "need"
    if not rows:
        return f"{listed(cards)} cannot be removed by the rules."
    parts = []
    for rank, count in rows:
        what = rank_name(rank) if count == 1 else f"{count} more of rank {rank_letter(rank)}"
        places = depths(end, rank)
        if places:
            deep = either((f"{card.pretty} is {depth} deep" for card, depth in places), "and")
            parts.append(f"{what} ({deep} in the stock)")
        else:
            parts.append(f"{what} (none is in the stock)")
    return f"{listed(cards)} {need} {either(parts)}."


def _facts(game: Pairing, end: PairingState) -> dict[str, Any]:
    return {
        "locks_after": game.deck_size - len(end.stock),
        "slots": [None if card is None else str(card) for card in end.slots],
        "in_stock": len(end.stock),
        "must_go_left": len(_must_go(game, end)),
        "partners": [
            {
                "rank": rank_letter(rank),
                "lacks": [
                    {
                        "rank": rank_letter(other),
                        "count": count,
                        "in_stock": [
                            {"card": str(card), "depth": depth}
                            for card, depth in depths(end, other)
                        ],
                    }
                    for other, count in rows
                ],
            }
            for rank, rows in wanted(game, end).items()
        ],
    }
