"""Explanations as rich trees: the line of play, and beside it the roads not taken."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.text import Text
from rich.tree import Tree

from rules.cards import SUITS, SYMBOLS
from rules.game import Game, State
from rules.moves import Move
from rules.words import plural
from solver.analysis.explanations import Explanation, Fate, Other, Reasons, Step, Try
from solver.analysis.steps import KINDS, Kind
from solver.show.glyphs import UNICODE, Glyphs
from solver.show.text.board import board
from solver.show.text.lines import GUIDE, chain_text, chains, move_text
from solver.show.text.results import STYLES
from solver.verdict import Result, Verdict

MARKS: dict[Kind, tuple[str, str]] = {
    "forced": ("", ""),
    "free": ("", ""),
    "choice": ("?", "yellow"),
    "critical": ("!", "bold magenta"),
    "unknown": ("?", "dim yellow"),
}
"""Per kind of decision: the mark behind the move, and its style."""


def explanation_tree(
    found: Explanation,
    glyphs: Glyphs = UNICODE,
    *,
    width: int = 80,
    full: bool = False,
    most: int | None = None,
) -> RenderableType:
    """The steps of the line by phases with the other moves under each, or the nearest tries.

    Steps at which no other move does worse are folded, unless *full*. *most*: other moves
    shown at a decision; the rest is counted. *width*: of the board, in columns.
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
    starts = {phase.first: phase.title for phase in found.phases}
    node = tree
    for first, steps in _folded(found.steps, full, set(starts)):
        if len(starts) > 1 and first in starts:
            node = tree.add(Text(starts[first], style="bold"))
        if len(steps) > 1 or not steps[0].choices:
            _add_folded(node, first, steps, glyphs)
            continue
        text = chain_text(first, [steps[0].move], glyphs)
        mark, style = MARKS[steps[0].kind]
        text.append(f" {mark}" if mark else "", style=style)
        _add_others(node.add(text), steps[0], game, glyphs, most)
    return tree


def _add_folded(node: Tree, first: int, steps: list[Step], glyphs: Glyphs) -> None:
    if any(step.choices for step in steps):
        last = first + len(steps) - 1
        span = f"{first}" if first == last else f"{first}{glyphs.dash}{last}"
        node = node.add(Text(f"{span}  no other move does worse", style="dim green"))
    for start, _, chain in chains([step.move for step in steps]):
        node.add(chain_text(first + start - 1, chain, glyphs))


def _folded(
    steps: tuple[Step, ...], full: bool, starts: set[int]
) -> Iterator[tuple[int, list[Step]]]:
    """The steps, neighbours together where no other move does worse (unless *full*).

    A new phase begins a new group.
    """
    kind, start, group = "", 1, list[Step]()
    for number, step in enumerate(steps, 1):
        now = step.kind if step.kind in ("forced", "free") else "choice"
        if full and step.choices:
            now = "choice"
        alone = now == "choice" or kind == "choice"
        if group and (alone or number in starts):
            yield start, group
            start, group = number, []
        kind = now
        group.append(step)
    if group:
        yield start, group


def _add_others(node: Tree, step: Step, game: Game, glyphs: Glyphs, most: int | None) -> None:
    """The other moves below *node*: those with one fate together, or each with its line."""
    others = sorted(step.choices, key=lambda other: _ORDER.index(other.fate.verdict))
    shown = others if most is None else others[:most]
    groups: dict[tuple[str, str], list[Other]] = {}
    for other in shown:
        if other.line:
            style, words = _words(other.fate, game)
            text = move_text(other.move, glyphs)
            text.append(f"  {words}{_work([other])}, say", style=style)
            for move in other.line:
                text.append(" ")
                text.append_text(move_text(move.bare, glyphs))
            node.add(text)
        else:
            groups.setdefault(_words(other.fate, game), []).append(other)
    for (style, words), members in groups.items():
        text = Text.assemble((f"{words}{_work(members)}:", style))
        for other in members:
            text.append("  ")
            text.append_text(move_text(other.move, glyphs))
        node.add(text)
    if len(others) > len(shown):
        node.add(Text(f"and {plural(len(others) - len(shown), 'more move')}", style="dim"))


def _work(others: list[Other]) -> str:
    """How many positions the proofs took, in brackets; nothing if they came for free."""
    positions = sum(other.fate.positions for other in others if not other.twin)
    return f" ({plural(positions, 'position')})" if positions else ""


_ORDER = (Verdict.UNWINNABLE, Verdict.WINNABLE, Verdict.UNKNOWN)


def _words(fate: Fate, game: Game) -> tuple[str, str]:
    style = STYLES[fate.verdict].removeprefix("bold ")
    if fate.fewest_left is not None and fate.verdict is not Verdict.WINNABLE:
        return style, f"{fate.fewest_left} left at best"
    words = {
        Verdict.WINNABLE: "wins too",
        Verdict.UNWINNABLE: "loses",
        Verdict.UNKNOWN: "not known within the budget",
    }
    return style, words[fate.verdict]


def decisions_text(found: Explanation) -> Text | None:
    """The decisions of the line counted in a sentence or two; None if it has none."""
    if not found.steps or not any(step.choices for step in found.steps):
        return None
    kinds = found.kinds
    words = {
        "forced": "forced",
        "free": "free",
        "choice": f"with worse moves ({MARKS['choice'][0]})",
        "critical": f"critical ({MARKS['critical'][0]}: every other move does worse)",
        "unknown": "not decided within the budget",
    }
    parts = [f"{kinds[kind]} {words[kind]}" for kind in KINDS if kinds[kind]]
    text = Text(f"{plural(len(found.steps), 'move')}: {', '.join(parts)}.")
    if found.sure_from == 1 and found.result.verdict is Verdict.UNWINNABLE:
        text.append(" No choice along this line changes the result.")
    elif found.sure_from == 1:
        text.append(" No other move does worse.")
    elif found.sure_from is not None and found.sure_from <= len(found.steps):
        text.append(f" From move {found.sure_from} on no other move does worse.")
    return text


def reasons_text(reasons: Reasons, glyphs: Glyphs = UNICODE, *, full: bool = False) -> Text:
    """Why the deal is lost, a sentence a line; the first few unless *full*."""
    sentences = reasons.sentences if full else reasons.sentences[:_SENTENCES]
    text = Text()
    for index, sentence in enumerate(sentences):
        text.append("\n" if index else "")
        text.append(sentence if glyphs.symbols else plain_suits(sentence))
    if len(reasons.sentences) > len(sentences):
        more = plural(len(reasons.sentences) - len(sentences), "more fact")
        text.append(f"\n({more}: --full)", style="dim")
    return text


_SENTENCES = 4


def plain_suits(text: str) -> str:
    """*text* with letters for the suits' symbols."""
    return text.translate(str.maketrans(SYMBOLS, SUITS))


def plain_rows(found: Explanation, *, most: int | None = None) -> Iterator[str]:
    """The explanation as plain rows: a move each, with its kind and the other moves."""
    starts = {phase.first: phase.title for phase in found.phases}
    game = found.result.game
    for number, step in enumerate(found.steps, 1):
        if len(starts) > 1 and number in starts:
            yield f"# {starts[number]}"
        parts = []
        others = sorted(step.choices, key=lambda other: _ORDER.index(other.fate.verdict))
        for other in others if most is None else others[:most]:
            words = _words(other.fate, game)[1]
            way = f" ({' '.join(str(move.bare) for move in other.line)})" if other.line else ""
            parts.append(f"{other.move} {words}{way}")
        if most is not None and len(others) > most:
            parts.append(f"{len(others) - most} more")
        yield f"{number:>4} {step.kind:<8} {step.move!s:<12} {'; '.join(parts)}".rstrip()
    for attempt in found.tries:
        yield f"try: {' '.join(map(str, attempt.line)) or '(no move)'}"
    if found.reasons is not None:
        yield from map(plain_suits, found.reasons.sentences)


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


def progress(game: Game, state: State) -> str:
    """How far play has come in *state*, in words."""
    piles = game.layout(state)
    raised = [pile for pile in piles if pile.role == "foundation"]
    if raised:
        up = sum(len(pile.cards) for pile in raised)
        return f"{up} of {game.deck_size} cards on the foundations"
    return f"{plural(sum(len(pile.cards) for pile in piles), 'card')} left"
