"""Cards and tables as SVG: pure functions from values to text.

The cards are our own drawing: ranks are strokes and suits are outlines, so nothing depends
on fonts, and rank and suit stand side by side in the top left corner, where an overlapped
card still shows them. Colours are CSS variables (see `STYLE`); dark and light differ in
nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Final

from rules.cards import CARDS, SUIT_NAMES, SUITS, Card
from rules.game import Pile
from solver.show.tables import (
    CAPTION,
    CARD_H,
    CARD_W,
    EDGE,
    INDEX,
    ROW,
    LaidTable,
    Placed,
    Spot,
    lay,
)

LIGHT: Final = {
    "--felt": "#3d7c5f", "--felt-line": "#7fb197", "--card": "#ffffff", "--edge": "#a8b0aa",
    "--black": "#191d1b", "--red": "#c4122f", "--back": "#2c5a8c", "--back-line": "#8db4da",
    "--note": "#eef6f1",
}  # fmt: skip
DARK: Final = {
    "--felt": "#173026", "--felt-line": "#3f6654", "--card": "#e9e7df", "--edge": "#0d1512",
    "--black": "#1a1f1c", "--red": "#ad0f29", "--back": "#23466b", "--back-line": "#5d87b1",
    "--note": "#b9cbc1",
}  # fmt: skip


def _rules(colours: dict[str, str]) -> str:
    return "".join(f"{name}:{value};" for name, value in colours.items())


STYLE: Final = (
    f".dealproof{{{_rules(LIGHT)}}}"
    f"@media (prefers-color-scheme:dark){{.dealproof{{{_rules(DARK)}}}}}"
)
"""The colours of what is in an element of class ``dealproof``, and of nothing else on its page."""

# Shapes ----------------------------------------------------------------------------------

_RANK_STROKES: Final = (
    "M1 28 10.5 0 20 28M4.4 18.5H16.6",
    "M1.5 8.2A8.7 8.4 0 1 1 17.4 13.6L1 28H20",
    "M2.2 4.8A8 7 0 1 1 9.6 13.3A9 7.4 0 1 1 .8 22.6",
    "M15 28V0L.5 20.4H20.5",
    "M18 0H4.2L2.6 12.4A9.2 8.9 0 1 1 1 23.2",
    "M15.6 0C7 4.6 1.2 11 1.2 19M1.2 19A9.3 9 0 1 0 19.8 19A9.3 9 0 1 0 1.2 19",
    "M.5 0H20L7.4 28",
    "M10.4 13.4A8 6.7 0 1 0 10.4 0A8 6.7 0 1 0 10.4 13.4A9.6 7.3 0 1 0 10.4 28"
    "A9.6 7.3 0 1 0 10.4 13.4",
    "M5.4 28C14 23.4 19.8 17 19.8 9M19.8 9A9.3 9 0 1 0 1.2 9A9.3 9 0 1 0 19.8 9",
    "M0 5.6 5.6 0V28M20.4 0A7.4 7.4 0 0 0 13 7.4V20.6A7.4 7.4 0 0 0 27.8 20.6V7.4"
    "A7.4 7.4 0 0 0 20.4 0",
    "M6.5 0H16.5V19.4A7.8 8.6 0 0 1 .9 20.6",
    "M10.5 0A9.9 10 0 0 0 .6 10V18A9.9 10 0 0 0 20.4 18V10A9.9 10 0 0 0 10.5 0M12.4 20.4 20.4 29.4",
    "M2 0V28M19 0 2 17.6M8.2 11.4 20 28",
)
_RANK_WIDTH: Final = (21,) * 9 + (28, 17.5, 21, 21)

# The outline of each suit, in a box of 100 by 100.
_SUIT_PATHS: Final = (
    "M50 4A21.5 21.5 0 0 1 66.5 39.6A21.5 21.5 0 1 1 54.5 69C55.5 82 59 90 68 96H32"
    "C41 90 44.5 82 45.5 69A21.5 21.5 0 1 1 33.5 39.6A21.5 21.5 0 0 1 50 4Z",
    "M50 0C60 19 74 36 92 50C74 64 60 81 50 100C40 81 26 64 8 50C26 36 40 19 50 0Z",
    "M50 95C20 69 4 51 4 30C4 14 15 5 27.5 5C38 5 46 11.5 50 22.500C54 11.5 62 5 72.5 5"
    "C85 5 96 14 96 30C96 51 80 69 50 95Z",
    "M50 2C78 29 96 45 96 64C96 77.5 86.5 85.5 76 85.500C66 85.5 58 80 54 72"
    "C55 83 59 91 67 97H33C41 91 45 83 46 72C42 80 34 85.5 24 85.500C13.5 85.5 4 77.5 4 64"
    "C4 45 22 29 50 2Z",
)

_CROWNS: Final = {
    # A hat with a feather, a coronet, a crown: 60 wide, 40 high.
    11: "M14 30C14 16 20 10 30 10C40 10 46 16 46 30ZM0 36C10 31 50 31 60 36C56 41 44 42 30 42"
    "C16 42 4 41 0 36ZM40 14C40 2 50-7 64-9C65 2 58 13 47 17Z",
    12: "M6 40 2 15 17 26 30 7 43 26 58 15 54 40ZM2 11A4 4 0 1 1 2.01 11ZM30 3A4 4 0 1 1 30.01 3Z"
    "M58 11A4 4 0 1 1 58.01 11Z",
    13: "M5 40V12L17 22 27 9.500V3.500H22V-1.500H27V-6H33V-1.500H38V3.500H33V9.500L43 22 55 12V40Z",
}


def _suit(suit: int, x: float, y: float, size: float) -> str:
    scale = f"{size / 100:g}"
    return f'<path transform="translate({x:g} {y:g})scale({scale})" d="{_SUIT_PATHS[suit]}"/>'


def face(card: Card) -> str:
    """The inside of a card's face: 100 by 140 units, no outer element."""
    colour = "var(--red)" if card.is_red else "var(--black)"
    rank = card.rank
    after = 8 + _RANK_WIDTH[rank - 1] + (4 if rank == 10 else 5)
    index = (
        f'<path transform="translate(8 7.5)" d="{_RANK_STROKES[rank - 1]}" fill="none" '
        f'stroke="{colour}" stroke-width="4.6" stroke-linecap="round" stroke-linejoin="round"/>'
        + _suit(card.suit, after, 9.5, 24)
    )
    if rank > 10:
        body = (
            f'<path transform="translate(20 55)" d="{_CROWNS[rank]}"/>'
            f'<path d="M22 98.500H78" stroke="{colour}" stroke-width="3"/>'
            + _suit(card.suit, 35, 104, 30)
        )
    else:
        size = 66 if rank == 1 else 56
        body = _suit(card.suit, 50 - size / 2, 92 - size / 2, size)
    return f'{_sheet()}<g fill="{colour}">{index}{body}</g>'


def _sheet() -> str:
    return (
        '<rect x=".75" y=".75" width="98.5" height="138.5" rx="9" fill="var(--card)" '
        'stroke="var(--edge)" stroke-width="1.5"/>'
    )


def back() -> str:
    """The inside of a card's back: 100 by 140 units."""
    lattice = "".join(f"M{x} 10 {x + 20} 40 {x} 70 {x + 20} 100 {x} 130" for x in range(10, 90, 20))
    lattice += "".join(
        f"M{x + 20} 10 {x} 40 {x + 20} 70 {x} 100 {x + 20} 130" for x in range(10, 90, 20)
    )
    return (
        f"{_sheet()}"
        '<rect x="6" y="6" width="88" height="128" rx="5" fill="var(--back)"/>'
        f'<path d="{lattice}" fill="none" stroke="var(--back-line)" stroke-width="1.6"/>'
        '<rect x="10" y="10" width="80" height="120" rx="2" fill="none" '
        'stroke="var(--back-line)" stroke-width="1.6"/>'
    )


def empty(spot: Spot) -> str:
    """The outline of an empty place at *spot*, in the table's units."""
    x, y, width = spot.x, spot.y, spot.width
    dashes = ' stroke-dasharray="7 6"' if spot.gone else ""
    outline = (
        f'<rect x="{x + 1.5:g}" y="{y + 1.5:g}" width="{width - 3}" height="{CARD_H - 3}" rx="9" '
        f'fill="none" stroke="var(--felt-line)" stroke-width="2"{dashes}/>'
    )
    if spot.role == "foundation" and spot.label in SUITS:
        inner = _suit(SUITS.index(spot.label), x + 30, y + 50, 40)
        outline += f'<g fill="var(--felt-line)">{inner}</g>'
    if spot.gone:
        outline += (
            f'<path d="M{x + 30} {y + 72}l14 15 27-32" fill="none" stroke="var(--note)" '
            'stroke-width="7" stroke-linecap="round" stroke-linejoin="round"/>'
        )
    return outline


# Whole drawings --------------------------------------------------------------------------


def symbols(cards: Iterable[Card] = CARDS) -> str:
    """One ``<symbol>`` per card (``f0`` .. ``f51`` by number), and ``b`` for the back."""
    box = f'viewBox="0 0 {CARD_W} {CARD_H}"'
    faces = "".join(f'<symbol id="f{int(card)}" {box}>{face(card)}</symbol>' for card in cards)
    return f'{faces}<symbol id="b" {box}>{back()}</symbol>'


def card_svg(card: Card | None, *, scale: float = 1.0) -> str:
    """One card as a document of its own; None is a back."""
    inside = back() if card is None else face(card)
    title = "face-down card" if card is None else card.name
    return _document(CARD_W, CARD_H, title, inside, scale)


def table_svg(
    piles: Sequence[Pile],
    removed: Sequence[Card] = (),
    *,
    narrow: bool = False,
    scale: float = 1.0,
) -> str:
    """A whole table as a document of its own, with dark and light colours."""
    table = lay(piles, removed, narrow=narrow)
    return _document(table.width, table.height, describe(table), draw(table), scale)


def deck_svg(cards: Sequence[Card], *, scale: float = 1.0) -> str:
    """Cards in rows of thirteen, each over the one before, the first at the top left."""
    rows, across = max(1, -(-len(cards) // 13)), min(13, max(1, len(cards)))
    width = 2 * EDGE + CARD_W + (across - 1) * INDEX
    height = 2 * EDGE + CARD_H + (rows - 1) * ROW
    parts = [_felt(width, height)]
    for place, card in enumerate(cards):
        row, column = divmod(place, 13)
        x, y = EDGE + column * INDEX, EDGE + row * ROW
        parts.append(f'<g transform="translate({x} {y})">{face(card)}</g>')
    title = ", ".join(card.name for card in cards) or "no cards"
    return _document(width, height, title, "".join(parts), scale)


def draw(table: LaidTable) -> str:
    """The inside of a table's drawing: places, cards, captions, on a felt."""
    parts = [_felt(table.width, table.height)]
    parts += [empty(spot) for spot in table.spots]
    hidden = f'<g id="dealproof-back">{back()}</g>'
    if any(not placed.face_up for placed in table.cards):
        parts.append(f"<defs>{hidden}</defs>")
    drawn: dict[tuple[int, int], Placed] = {}  # the last one drawn at a corner hides the others
    for placed in sorted(table.cards, key=lambda placed: (placed.spot, placed.level)):
        drawn.pop((placed.x, placed.y), None)
        drawn[placed.x, placed.y] = placed
    for placed in drawn.values():
        inside = face(placed.card) if placed.face_up else '<use href="#dealproof-back"/>'
        parts.append(f'<g transform="translate({placed.x} {placed.y})">{inside}</g>')
    parts += [_caption(spot) for spot in table.spots]
    return "".join(parts)


def _felt(width: int, height: int) -> str:
    return f'<rect width="{width}" height="{height}" rx="14" fill="var(--felt)"/>'


def caption(spot: Spot) -> str:
    """What is written at a place: ``stock 24``, a column's number, or nothing."""
    if spot.count is not None:
        return f"{spot.label} {spot.count}"
    return spot.label if spot.role in ("column", "stack") and spot.width == CARD_W else ""


def _caption(spot: Spot) -> str:
    text = caption(spot)
    if not text:
        return ""
    x = spot.x + spot.width / 2
    y = spot.y + CARD_H + CAPTION - 9 if spot.count is not None else spot.y - 7
    return (
        f'<text x="{x:g}" y="{y:g}" text-anchor="middle" font-size="18" '
        f'font-family="system-ui,sans-serif" fill="var(--note)">{escape(text)}</text>'
    )


def spot_name(spot: Spot) -> str:
    """What to call a place: ``column 3``, ``foundation of hearts``, ``stock``."""
    if spot.role == "foundation" and spot.label in SUITS:
        return f"foundation of {SUIT_NAMES[SUITS.index(spot.label)]}"
    if spot.role in ("slot", "column", "stack") and spot.label.isdecimal():
        return f"{spot.role} {spot.label}"
    return spot.label


def describe(table: LaidTable) -> str:
    """The table in words, a pile a sentence."""
    sentences = []
    for index, spot in enumerate(table.spots):
        held = [placed for placed in table.cards if placed.spot == index]
        held.sort(key=lambda placed: placed.level)
        name = spot_name(spot)
        if spot.gone:
            sentences.append(f"{name}: eliminated.")
            continue
        seen = [placed.card.name for placed in held if placed.face_up]
        down = len(held) - len(seen)
        words = [f"{down} face down"] if down else []
        words += seen[-1:] if spot.role in ("foundation", "removed") else seen
        sentences.append(f"{name}: {', '.join(words) or 'empty'}.")
    return " ".join(sentence[0].upper() + sentence[1:] for sentence in sentences)


def _document(width: int, height: int, title: str, inside: str, scale: float = 1.0) -> str:
    """*scale* sets the size in pixels; the units inside stay what they are."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="dealproof" '
        f'viewBox="0 0 {width} {height}" width="{width * scale:g}" height="{height * scale:g}" '
        f'role="img"><title>{escape(title)}</title><style>{STYLE}</style>{inside}</svg>\n'
    )
