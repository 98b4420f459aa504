"""The encoding ``runs`` (left family): what lies on which parent is left out.

Written from its definition, independently of the search. Call a face-up card *anchored* if
it heads its column's face-up part, else *loose*: it then lies on a parent, a card of the next
rank and the other colour, and there are two of those. Two states are in one class if they have
the same foundations, the same cards face down in each column, the same anchored cards (in
columns without face-down cards in any order, unless gaps fill from the next column), the same
waste and the same stock: they differ only in which parents the loose cards lie on.

A record has two bytes of foundation heights (four bits each, C D H S), a byte for each
column, with the number of cards face down, a byte for each column, with its anchored card's
number plus one if nothing there is face down (else 0, as for an empty column), a byte with the
number of cards dealt from the stock, and a bit for each card of the stock, next dealt first,
lowest bit first, that tells whether it lies in the waste. "The stock" here is the waste and
the stock of the start together.

`layouts` gives two states of a class such that each parent that is uncovered in any state
of the class is uncovered in one of them: a class of two children with two parents in
view has its only loose child on the one in the first and on the other in the second.
Whether a move is possible depends on one parent being uncovered, or on none, so all moves that any
state of the class has (but for the children's shifts) are moves of these two.
"""

from __future__ import annotations

from collections.abc import Sequence

from rules.cards import CARDS, Card
from rules.families.klondike import NEXT_COLUMN, Column, Klondike, KlondikeState


class RunsRecords:
    """The encoding for *game* from *start*; ValueError where its conditions do not hold."""

    def __init__(self, game: Klondike, start: KlondikeState) -> None:
        fixed = {
            "decks": 1, "layout": "triangle", "build": "alternate", "groups": "run", "draw": 1,
            "passes": 1, "returns": False, "spaces": "kings",
        }  # fmt: skip
        for name, value in fixed.items():
            if game.options[name] != value:
                raise ValueError(f"runs needs {name} = {str(value).lower()}")
        self.game = game
        self.ordered = NEXT_COLUMN in game.fill
        self.columns = tuple(down + up[:1] for down, up in start.columns)
        self.stock = start.waste + start.stock
        self.place = {card: place for place, card in enumerate(self.stock)}
        self.waste_bytes = -(-len(self.stock) // 8)
        self.width = 3 + 2 * len(self.columns) + self.waste_bytes

    def encode(self, state: KlondikeState) -> bytes:
        waste = 0
        for card in state.waste:
            bit = 1 << self.place[card]
            if bit <= waste:
                raise ValueError("the waste is not in the order of the stock")
            waste |= bit
        return self.record(
            state.foundations,
            [len(down) for down, _ in state.columns],
            [0 if down or not up else up[0] + 1 for down, up in state.columns],
            len(self.stock) - len(state.stock),
            waste,
        )

    def record(
        self,
        foundations: Sequence[int],
        downs: Sequence[int],
        bases: Sequence[int],
        dealt: int,
        waste: int,
    ) -> bytes:
        """The record of these parts; *bases* (0 or a card's number plus one) are put in order."""
        if not self.ordered:
            free = iter(sorted(filter(None, bases)))
            bases = [0 if down else next(free, 0) for down in downs]
        c, d, h, s = foundations
        head = bytes([c << 4 | d, h << 4 | s, *downs, *bases, dealt])
        return head + waste.to_bytes(self.waste_bytes, "little")

    def layouts(self, record: bytes) -> list[KlondikeState]:
        """One or two states of the class; ValueError if there are none."""
        count = len(self.columns)
        if len(record) != self.width:
            raise ValueError("it has the wrong length")
        ranks = self.game.ranks
        foundations = (record[0] >> 4, record[0] & 15, record[1] >> 4, record[1] & 15)
        downs, bases = record[2 : 2 + count], record[2 + count : 2 + 2 * count]
        dealt = record[2 + 2 * count]
        waste_bits = int.from_bytes(record[3 + 2 * count :], "little")
        if max(foundations) > ranks or dealt > len(self.stock) or waste_bits >> dealt:
            raise ValueError("a number is out of range")
        stock = self.stock[dealt:]
        waste = tuple(card for i, card in enumerate(self.stock) if waste_bits >> i & 1)
        hidden: list[tuple[Card, ...]] = []
        anchors: list[Card | None] = []
        for dealt_here, down, base in zip(self.columns, downs, bases, strict=True):
            if down >= max(1, len(dealt_here)) or (down and base) or base > 4 * ranks:
                raise ValueError("a column is out of range")
            hidden.append(dealt_here[:down])
            anchors.append(dealt_here[down] if down else CARDS[base - 1] if base else None)
        return self._build(foundations, hidden, anchors, waste, stock)

    def _build(
        self,
        foundations: tuple[int, ...],
        hidden: list[tuple[Card, ...]],
        anchors: list[Card | None],
        waste: tuple[Card, ...],
        stock: tuple[Card, ...],
    ) -> list[KlondikeState]:
        heads = [card for card in anchors if card is not None]
        elsewhere = [card for pile in (*hidden, heads, waste, stock) for card in pile]
        ranks = self.game.ranks
        up = [Card.of(r, s) for s, height in enumerate(foundations) for r in range(1, height + 1)]
        placed = set(elsewhere) | set(up)
        if len(placed) != len(elsewhere) + len(up):
            raise ValueError("a card lies in two places")
        loose = {card for card in CARDS[: 4 * ranks] if card not in placed}
        in_view = loose.union(heads)
        on: tuple[dict[Card, Card], dict[Card, Card]] = ({}, {})
        two = False
        for rank in range(1, ranks + 1):
            for suits in ((0, 3), (1, 2)):
                lying = [card for s in suits if (card := Card.of(rank, s)) in loose]
                if not lying:
                    continue
                if rank == ranks:
                    raise ValueError("a card of the highest rank lies on nothing")
                under = [p for s in _OTHER[suits] if (p := Card.of(rank + 1, s)) in in_view]
                if len(under) < len(lying):
                    raise ValueError("a loose card has no parent")
                two = two or len(under) > len(lying)
                on[0].update(zip(under, lying, strict=False))
                on[1].update(zip(reversed(under), lying, strict=False))
        states = []
        for lies in on if two else on[:1]:
            columns: list[Column] = []
            for down, anchor in zip(hidden, anchors, strict=True):
                run: list[Card] = []
                here = anchor
                while here is not None:
                    run.append(here)
                    here = lies.get(here)
                columns.append((down, tuple(run)))
            states.append(KlondikeState(foundations, tuple(columns), waste, stock, 1))
        return states


_OTHER = {(0, 3): (1, 2), (1, 2): (0, 3)}
