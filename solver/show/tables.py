"""Where everything lies on a drawn table: geometry only, in units of a hundredth of a card.

`lay` is the one place that knows how a game looks. The SVG of a board and the page both
draw what it returns, so a table looks the same in either. It goes by the piles' roles,
not by the game, and so serves any family.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from rules.cards import Card
from rules.game import Pile

CARD_W: Final = 100
CARD_H: Final = 140
EDGE: Final = 6  # round the table, so that shadows and rings are not cut off
CAPTION: Final = 30  # the strip under a pile that its caption is written in
STRIP: Final = 38  # what an overlapped card shows of itself, downwards
BACK_STRIP: Final = 17  # the same for a card that lies face down
INDEX: Final = 67  # what it shows sideways: rank and suit
TIGHT: Final = 58  # the same where room is short
ROW: Final = 152  # from one row of whole cards to the next
FAN: Final = 3  # waste cards that show


@dataclass(frozen=True, slots=True)
class Spot:
    """The place of a pile: what is drawn there when no card is, and its caption.

    ``count``: how many cards to say there are, or None where it can be seen.
    """

    role: str
    label: str
    x: int
    y: int
    width: int = CARD_W
    count: int | None = None
    gone: bool = False


@dataclass(frozen=True, slots=True)
class Placed:
    """A card: the index of its spot, its top left corner, its height in the pile."""

    card: Card
    spot: int
    x: int
    y: int
    level: int
    face_up: bool


@dataclass(frozen=True, slots=True)
class LaidTable:
    """A laid table. ``spots`` follow the piles; the removed cards' spot, if any, is last."""

    width: int
    height: int
    spots: tuple[Spot, ...]
    cards: tuple[Placed, ...]


def lay(
    piles: Sequence[Pile],
    removed: Sequence[Card] = (),
    *,
    narrow: bool = False,
    last: int = 0,
    discards: bool | None = None,
) -> LaidTable:
    """Lay the table for *piles*; *removed* cards lie top right, the *last* few fanned.

    *narrow*: for a phone held upright. *discards*: whether there is a place for removed
    cards (None: if there are any, or the piles are of a game that removes cards). Spots
    depend on the number and the roles of the piles and on *narrow* alone, so that nothing
    but cards ever moves from one frame of a replay to the next.
    """
    roles = {pile.role for pile in piles}
    if discards is None:
        discards = bool(removed) or not roles & {"column", "foundation"}
    across, gap = _across(piles, narrow)
    places = _places(piles, across, gap)
    width = 2 * EDGE + across * (CARD_W + gap) - gap
    if discards:
        piles = (*piles, Pile("waste", "removed", tuple(removed)))
        places = (*places, (width - EDGE - CARD_W, EDGE))
    spots, cards, height = [], [], 0
    for index, (pile, (x, y)) in enumerate(zip(piles, places, strict=True)):
        label = pile.label
        count = len(pile.cards) if pile.role in ("stock", "waste") else None
        if discards and index == len(piles) - 1:
            spots.append(Spot("removed", label, x, y, CARD_W, count))
            offsets = _fan_left(len(pile.cards), last, across)
        else:
            breadth = width - 2 * EDGE if pile.role == "stack" and _lines(piles) else CARD_W
            spots.append(Spot(pile.role, label, x, y, breadth, count, pile.gone))
            offsets = _offsets(pile, breadth, _lines(piles))
        bottom = y + CARD_H + (CAPTION if count is not None else 0)
        deep = pile.role == "stock"
        for place, (card, (dx, dy)) in enumerate(zip(pile.cards, offsets, strict=True)):
            level = len(pile.cards) - 1 - place if deep else place
            up = place >= pile.face_down
            cards.append(Placed(card, index, x + dx, y + dy, level, up))
            bottom = max(bottom, y + dy + CARD_H)
        height = max(height, bottom)
    return LaidTable(width, height + EDGE, tuple(spots), tuple(cards))


def _lines(piles: Sequence[Pile]) -> bool:
    """Whether the piles hold a single stack, which is laid out as a line."""
    return sum(pile.role == "stack" for pile in piles) == 1


def _across(piles: Sequence[Pile], narrow: bool) -> tuple[int, int]:
    """Card widths across the table, and the gap between them."""
    columns = sum(pile.role in ("column", "stack") for pile in piles)
    slots = sum(pile.role == "slot" for pile in piles)
    if slots:
        most = 5 if narrow else 7
        rows = -(-slots // most)
        return max(-(-slots // rows), 4), 10 if narrow else 16
    if _lines(piles):
        return (5, 10) if narrow else (8, 12)
    return max(columns, 7), 8 if narrow else 14


def _places(piles: Sequence[Pile], across: int, gap: int) -> tuple[tuple[int, int], ...]:
    """The corner of every pile: stock, waste and foundations on top, the rest below.

    Several foundations of one suit lie below each other.
    """
    step = CARD_W + gap
    below = EDGE + CARD_H + CAPTION + 8
    numbered = any(pile.role in ("column", "stack") for pile in piles) and not _lines(piles)
    below += 22 if numbered else 0
    packs = sum(pile.role == "foundation" for pile in piles) // 4
    below += max(0, packs - 1) * ROW
    apart = step if across > 9 else 0  # small cards on a phone leave less room for captions
    seen = dict.fromkeys(("slot", "column", "stack", "foundation", "stock", "waste"), 0)
    places = []
    for pile in piles:
        index = seen[pile.role]
        seen[pile.role] += 1
        if pile.role == "stock":
            place = (EDGE + apart // 3, EDGE)
        elif pile.role == "waste":
            place = (EDGE + step + apart, EDGE)
        elif pile.role == "foundation":
            suit, row = divmod(index, packs)
            place = (EDGE + (across - 4 + suit) * step, EDGE + row * ROW)
        else:
            row, column = divmod(index, across)
            place = (EDGE + column * step, below + row * ROW)
        places.append(place)
    return tuple(places)


def _offsets(pile: Pile, breadth: int, line: bool) -> Iterator[tuple[int, int]]:
    """Where each card of *pile* lies, from the pile's corner."""
    n = len(pile.cards)
    if pile.role == "waste":
        hidden = max(0, n - FAN)
        yield from ((max(0, place - hidden) * TIGHT, 0) for place in range(n))
    elif pile.role == "stack" and line:
        per_row = (breadth - CARD_W) // INDEX + 1
        for place in range(n):
            row, column = divmod(place, per_row)
            yield (column * INDEX, row * ROW)
    elif pile.role in ("column", "stack"):
        y = 0
        for place in range(n):
            yield (0, y)
            y += BACK_STRIP if place < pile.face_down else STRIP
    else:
        yield from ((0, 0) for _ in range(n))


def _fan_left(count: int, last: int, across: int) -> Iterator[tuple[int, int]]:
    """The removed cards: the *last* ones fanned out to the left, the rest beneath them."""
    room = (across - 1) * CARD_W - CARD_W - 20
    step = min(TIGHT, room // max(1, last - 1)) if last > 1 else 0
    for place in range(count):
        behind = min(count - 1 - place, max(0, last - 1))
        yield (-behind * step, 0)
