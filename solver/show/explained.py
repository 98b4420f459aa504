"""Explanations as rich trees: the line of play, and beside it the roads not taken."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text
from rich.tree import Tree

from rules.game import Game
from rules.move import Move
from solver.explain import Explanation, Fate, Other, Step, Try
from solver.show.board import board
from solver.show.glyphs import UNICODE, Glyphs
from solver.show.lines import GUIDE, chain_text, chains, move_text
from solver.show.results import STYLES, count
from solver.verdict import Result, Verdict


def explanation_tree(
    found: Explanation, glyphs: Glyphs = UNICODE, *, width: int = 80, full: bool = False
) -> RenderableType:
    """The steps of the line with the other moves under each, or the nearest tries.

    Steps at which no other move does worse are folded, unless *full*.
    """
    if found.tries:
        return _tries(found, glyphs, width)
    game, won = found.result.game, found.result.verdict is Verdict.WINNABLE
    title = "a winning line, and what the other moves lead to"
    if not won:
        title = "the line that leaves fewest cards, and what the other moves lead to"
    if all(not step.others for step in found.steps):
        title = "the line of play (nothing is chosen)"
    tree = Tree(Text(title, style="bold"), guide_style=GUIDE)
    for first, steps in _folded(found.steps, found.result, full):
        moves = [step.move for step in steps]
        free = any(map(_choices, steps))
        if len(steps) > 1 or not free:
            node = tree
            if free:
                last = first + len(steps) - 1
                span = f"{first}{glyphs.dash}{last}"
                node = tree.add(Text(f"{span}  the other moves do as well", style="dim green"))
            for start, _, chain in chains(moves):
                node.add(chain_text(first + start - 1, chain, glyphs))
            continue
        branch = tree.add(chain_text(first, moves, glyphs))
        for style, label, others in _by_fate(_choices(steps[0]), game):
            branch.add(_others(label, style, others, glyphs))
    return tree


def _folded(
    steps: tuple[Step, ...], result: Result, full: bool
) -> Iterator[tuple[int, list[Step]]]:
    """The steps, neighbours together where no other move does worse (unless *full*)."""
    kind, start, group = "", 1, list[Step]()
    for number, step in enumerate(steps, 1):
        others = _choices(step)
        if not others:
            now = "forced"
        elif not full and all(_as_good(other.fate, result) for other in others):
            now = "free"
        else:
            now = "choice"
        if group and (now == "choice" or kind == "choice" or (full and now != kind)):
            yield start, group
            start, group = number, []
        kind = now
        group.append(step)
    if group:
        yield start, group


def _as_good(fate: Fate, result: Result) -> bool:
    """Whether *fate* is as good as the line's own."""
    if result.verdict is Verdict.WINNABLE:
        return fate.verdict is Verdict.WINNABLE
    return fate.fewest_left is not None and fate.fewest_left == result.fewest_left


def _choices(step: Step) -> list[Other]:
    """The other moves that lead elsewhere than the one taken."""
    return [other for other in step.others if not other.same]


def _others(label: str, style: str, moves: list[Move], glyphs: Glyphs) -> Text:
    text = Text.assemble((f"{label}:", style))
    for move in moves:
        text.append("  ")
        text.append_text(move_text(move, glyphs))
    return text


def _by_fate(others: list[Other], game: Game[Any]) -> list[tuple[str, str, list[Move]]]:
    """The moves gathered by what becomes of them: style, words, moves."""
    groups: dict[tuple[str, str], list[Move]] = {}
    for other in others:
        groups.setdefault(_words(other.fate, game), []).append(other.move)
    order = [STYLES[verdict].removeprefix("bold ") for verdict in _WORST_FIRST]
    ranked = sorted(groups, key=lambda group: order.index(group[0]))
    return [(style, label, groups[style, label]) for style, label in ranked]


_WORST_FIRST = (Verdict.UNWINNABLE, Verdict.WINNABLE, Verdict.UNKNOWN)


def _words(fate: Fate, game: Game[Any]) -> tuple[str, str]:
    style = STYLES[fate.verdict].removeprefix("bold ")
    if fate.fewest_left is not None and fate.verdict is not Verdict.WINNABLE:
        return style, f"{fate.fewest_left} left at best"
    words = {
        Verdict.WINNABLE: "wins too",
        Verdict.UNWINNABLE: "loses",
        Verdict.UNKNOWN: "not known within the budget",
    }
    return style, words[fate.verdict]


def _tries(found: Explanation, glyphs: Glyphs, width: int) -> RenderableType:
    game = found.result.game
    if game.decision_free:
        title = "how it goes (no choice matters)"
    elif len(found.tries) == 1:
        title = "the try that comes nearest"
    else:
        title = f"the {len(found.tries)} tries that come nearest"
    tree = Tree(Text(title, style="bold"), guide_style=GUIDE)
    _add_tries(tree, 0, list(found.tries), glyphs, found.result)
    nearest = found.tries[0]
    head = Text("\nthe table at the end of it" if len(found.tries) == 1
                else "\nthe table at the end of the first", style="bold")  # fmt: skip
    return Group(tree, head, Text(""), board(game, nearest.end, glyphs, width=width))


def _add_tries(tree: Tree, depth: int, tries: list[Try], glyphs: Glyphs, result: Result) -> None:
    """Tries below *tree* that agree in their first *depth* moves: what they share, then parts."""
    shared = depth
    lines = [attempt.line for attempt in tries]
    while all(len(line) > shared for line in lines) and (
        len({line[shared] for line in lines}) == 1
    ):
        shared += 1
    if shared > depth:
        for start, _, chain in chains(lines[0][depth:shared]):
            node = tree.add(chain_text(depth + start, chain, glyphs))
        tree = node
    parts: dict[Move | None, list[Try]] = {}
    for attempt in tries:
        key = attempt.line[shared] if len(attempt.line) > shared else None
        parts.setdefault(key, []).append(attempt)
    for key, group in parts.items():
        if key is None:
            tree.add(_ending(group[0], result))
        else:
            _add_tries(tree, shared, group, glyphs, result)


def _ending(attempt: Try, result: Result) -> Text:
    if attempt.stuck:
        words = "no move is left"
    elif result.verdict is Verdict.UNWINNABLE:
        words = "no win from here"
    else:
        words = "looked no further"
    return Text(f"{words}; {progress(result.game, attempt.end)}", style="yellow")


def progress(game: Game[Any], state: Any) -> str:
    """How far play has come in *state*, in words."""
    piles = game.layout(state)
    raised = [pile for pile in piles if pile.role == "foundation"]
    if raised:
        up = sum(len(pile.cards) for pile in raised)
        return f"{up} of {game.deck_size} cards on the foundations"
    return f"{count(sum(len(pile.cards) for pile in piles), 'card')} left"
