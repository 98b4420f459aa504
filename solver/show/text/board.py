"""A state drawn as it lies on the table, from `Game.layout`: one drawing for all families."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from rules.cards import SUITS, Card
from rules.game import Game, Pile, State
from solver.show.glyphs import UNICODE, Glyphs, card_style

Span = tuple[str, str]
Block = list[list[Span]]
"""Rows of (text, style); every row of a block is equally wide."""

_FACE_DOWN = "dim"
_LABEL = "dim"


def board(
    game: Game, state: State, glyphs: Glyphs = UNICODE, *, width: int = 80, stock: bool = True
) -> Text:
    """The layout of *state*, at most *width* columns wide; face-down cards as ``<7♥>``.

    *stock*: whether the cards of the stock, which the solver knows, are listed.
    """
    return board_of(game.layout(state), glyphs, width=width, stock=stock)


def board_of(
    piles: Sequence[Pile], glyphs: Glyphs = UNICODE, *, width: int = 80, stock: bool = True
) -> Text:
    """The same from the piles of a layout."""
    parts: list[Text] = []
    of = {role: [pile for pile in piles if pile.role == role] for role in _ROLES}
    if of["foundation"]:
        parts.append(_foundations(of["foundation"], glyphs, width))
    parts.extend(
        _fan("waste", pile.cards, 0, glyphs, width, note="top last") for pile in of["waste"]
    )
    if of["slot"]:
        parts.append(_bands([_face(pile, glyphs) for pile in of["slot"]], 1, width))
    if len(of["stack"]) == 1:
        parts.append(_line(of["stack"][0], glyphs, width))
    elif of["stack"]:
        parts.append(_columns(of["stack"], glyphs, width))
    if of["column"]:
        parts.append(_columns(of["column"], glyphs, width))
    for pile in of["stock"]:
        if stock:
            parts.append(
                _fan("stock", pile.cards, pile.face_down, glyphs, width, note="next first")
            )
        else:
            parts.append(Text.assemble(("stock ", _LABEL), str(len(pile.cards))))
    text = Text("\n\n").join(part for part in parts if part.plain)
    text.no_wrap = True
    return text


_ROLES = ("slot", "stack", "column", "foundation", "stock", "waste")


def _spans(rows: Sequence[Sequence[Span]]) -> Text:
    """Rows as one text, trailing blanks removed."""
    lines = []
    for row in rows:
        line = Text.assemble(*row)
        line.rstrip()
        lines.append(line)
    return Text("\n").join(lines)


def _card(card: Card, face_down: bool, glyphs: Glyphs) -> Span:
    """Four characters: `` Q♥ `` or ``<Q♥>``."""
    shown = glyphs.card(card)
    return (f"<{shown}>", _FACE_DOWN) if face_down else (f" {shown} ", card_style(card))


def _face(pile: Pile, glyphs: Glyphs, *, label: bool = True) -> Block:
    """A card in a frame, with the slot's number under it; only the frame if it is empty."""
    card = pile.cards[-1] if pile.cards else None
    style = "" if card is not None else "dim"
    if glyphs.lines:
        top, side, bottom = "╭──╮", "│", "╰──╯"
    else:
        top, side, bottom = "+--+", "|", "+--+"
    inner = (glyphs.card(card), card_style(card)) if card is not None else ("  ", "")
    rows: Block = [[(top, style)], [(side, style), inner, (side, style)], [(bottom, style)]]
    if label:
        rows.append([(f"{pile.label:^4}", _LABEL)])
    return rows


def _bands(blocks: list[Block], gap: int, width: int, *, indent: int = 0) -> Text:
    """Blocks of four columns side by side, in as many bands as *width* needs."""
    per_band = max(1, (width - indent + gap) // (4 + gap))
    rows: list[list[Span]] = []
    for first in range(0, len(blocks), per_band):
        band = blocks[first : first + per_band]
        for height in range(max(map(len, band))):
            row: list[Span] = [(" " * indent, "")]
            for block in band:
                row += block[height] if height < len(block) else [("    ", "")]
                row.append((" " * gap, ""))
            rows.append(row)
    return _spans(rows)


def _line(pile: Pile, glyphs: Glyphs, width: int) -> Text:
    if not pile.cards:
        return Text.assemble(("the line is empty", _LABEL))
    faces = [_face(Pile("slot", "", (card,)), glyphs, label=False) for card in pile.cards]
    return _bands(faces, 0, width)


def _columns(piles: Sequence[Pile], glyphs: Glyphs, width: int) -> Text:
    """Piles side by side, each from its oldest card down, under their numbers."""
    blocks: list[Block] = []
    for pile in piles:
        block: Block = [[(f"{pile.label:^4}", _LABEL)]]
        for place, card in enumerate(pile.cards):
            block.append([_card(card, place < pile.face_down, glyphs)])
        if not pile.cards:
            block.append([("gone" if pile.gone else " -- ", _LABEL)])
        blocks.append(block)
    gap = max(0, min(2, (width - 4 * len(blocks)) // max(1, len(blocks) - 1)))
    return _bands(blocks, gap, width)


def _foundations(piles: Sequence[Pile], glyphs: Glyphs, width: int) -> Text:
    text, room = Text.assemble(("foundations", _LABEL)), width - len("foundations")
    for pile in piles:
        suit = SUITS.index(pile.label)
        if room < 4:
            text.append("\n" + " " * len("foundations"))
            room = width - len("foundations")
        text.append("  ")
        room -= 4
        if pile.cards:
            text.append(glyphs.card(pile.cards[-1]), style=card_style(pile.cards[-1]))
        else:
            text.append(f"{glyphs.dash}{glyphs.suit(suit)}", style=_LABEL)
    return text


def _fan(
    label: str, cards: tuple[Card, ...], face_down: int, glyphs: Glyphs, width: int, *, note: str
) -> Text:
    """A pile as a row of cards after its name, wrapped under itself."""
    if not cards:
        return Text.assemble((f"{label} empty", _LABEL))
    head = f"{label} ({len(cards)}, {note}) " if len(cards) > 1 else f"{label} "
    indent = len(label) + 1
    rows: list[list[Span]] = [[(head, _LABEL)]]
    room = width - len(head)
    for place, card in enumerate(cards):
        text, style = _card(card, place < face_down, glyphs)
        text = text.strip()
        if room < len(text) and len(rows[-1]) > 1:
            rows.append([(" " * indent, "")])
            room = width - indent
        rows[-1] += [(text, style), (" ", "")]
        room -= len(text) + 1
    return _spans(rows)
