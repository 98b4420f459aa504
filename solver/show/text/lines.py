"""Lines of play as rich trees: deals make the branches, chains of play fold into the leaves."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator

from rich.text import Text
from rich.tree import Tree

from rules.cards import Card
from rules.moves import FOUNDATION, Move
from solver.show.glyphs import UNICODE, Glyphs, card_style
from solver.verdict import Result, Verdict

GUIDE = "dim"


def move_text(move: Move, glyphs: Glyphs) -> Text:
    """A move in its text form (`Move.parse` reads it back), cards in their colours."""
    text = Text()
    if move.kind == "remove":
        _cards(text, move.cards, glyphs, "+")
    elif move.kind == "move":
        _cards(text, move.cards[:1], glyphs, "")
        text.append((f"@{move.at}" if move.at else "") + ">", style="dim")
        if isinstance(move.target, Card):
            _cards(text, (move.target,), glyphs, "")
        else:
            text.append(str(move.target), style="green" if move.target == FOUNDATION else "")
        if move.onto:
            text.append(f"@{move.onto}", style="dim")
    else:
        text.append(move.kind, style="cyan")
    if move.shown:
        text.append("=", style="dim")
        for index, card in enumerate(move.shown):
            text.append("," if index else "", style="dim")
            text.append(glyphs.card(card), style="dim red" if card.is_red else "dim")
    return text


def _cards(text: Text, cards: Iterable[Card], glyphs: Glyphs, joint: str) -> None:
    for index, card in enumerate(cards):
        text.append(joint if index else "", style="dim")
        text.append(glyphs.card(card), style=card_style(card))


def _kind(move: Move) -> str:
    """What moves of one chain have in common."""
    if move.kind in ("deal", "redeal"):
        return "deal"
    return "up" if move.target == FOUNDATION else move.kind


def chains(line: Iterable[Move]) -> Iterator[tuple[int, str, list[Move]]]:
    """*line* cut where the kind of move changes: ``(number of the first move, kind, moves)``."""
    start, kind, chain = 1, "", list[Move]()
    for number, move in enumerate(line, 1):
        if chain and _kind(move) != kind:
            yield start, kind, chain
            start, chain = number, []
        kind = _kind(move)
        chain.append(move)
    if chain:
        yield start, kind, chain


def chain_text(start: int, moves: list[Move], glyphs: Glyphs) -> Text:
    """The numbered moves of one chain in one paragraph; deals as the row of cards that come.

    After the waste was turned over the cards are known: deals are folded to the last one's.
    """
    text = Text.assemble((f"{start}", GUIDE))
    if len(moves) > 1 and all(move.kind in ("deal", "redeal") for move in moves):
        for kind, run in itertools.groupby(moves, key=lambda move: move.kind):
            _deals(text, kind, list(run), glyphs, known="redeal" in text.plain)
        return text
    for move in moves:
        text.append("  ")
        text.append_text(move_text(move, glyphs))
    return text


def _deals(text: Text, kind: str, moves: list[Move], glyphs: Glyphs, *, known: bool) -> None:
    """Moves of one *kind*, deals or redeals, one after another."""
    fold = known and kind == "deal" and len(moves) > 2
    text.append(f"  {kind}", style="cyan")
    if fold:
        text.append(f" {len(moves)} times, until", style="cyan")
    for move in moves[-1:] if fold else moves:
        text.append("  " if move.shown else "")
        _cards(text, move.shown, glyphs, ",")


def line_tree(
    line: tuple[Move, ...], glyphs: Glyphs = UNICODE, title: str = "line of play"
) -> Tree:
    """A line of play as a tree: a branch for each run of deals, below it what is played."""
    tree = Tree(Text(title, style="bold"), guide_style=GUIDE)
    branch = tree
    for start, kind, moves in chains(line):
        if kind == "deal":
            branch = tree.add(chain_text(start, moves, glyphs))
        elif kind == "remove" and branch is tree:
            for number, move in enumerate(moves, start):
                branch.add(chain_text(number, [move], glyphs))
        else:
            branch.add(chain_text(start, moves, glyphs))
    return tree


def result_tree(result: Result, glyphs: Glyphs = UNICODE) -> Tree:
    """The line of a result as a tree, under a title that says what it is."""
    assert result.line is not None
    if result.verdict is Verdict.WINNABLE:
        title = "a winning line"
    else:
        title = "the line that leaves fewest cards" if result.outcome is None else "the play"
    return line_tree(result.line, glyphs, title)
