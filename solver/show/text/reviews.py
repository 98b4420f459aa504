"""Reviews in print: what a line was worth after each move, and where it went wrong."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.text import Text
from rich.tree import Tree

from rules.words import plural
from solver.analysis.reviews import Blunder, Review
from solver.analysis.session import Fate
from solver.analysis.steps import KINDS, Kind
from solver.show.glyphs import UNICODE, Glyphs
from solver.show.text.hints import fate_words
from solver.show.text.lines import GUIDE, chain_text, chains, move_text
from solver.show.text.results import STYLES, game_label
from solver.verdict import Verdict

KIND_WORDS: dict[Kind, str] = {
    "forced": "forced (nothing else was legal, or all came to the same)",
    "free": "free (no move did worse)",
    "choice": "choices (some other moves did worse)",
    "critical": "critical (every other move did worse)",
    "unknown": "not decided within the budget",
}


def review_text(found: Review, label: str) -> Text:
    """The outcome in one line."""
    text = Text(f"{game_label(found.game)}, {label}: {plural(len(found.line), 'move')}; ")
    first, last = found.fates[0], found.fates[-1]
    if found.won:
        text.append("the line wins", style="bold green")
    elif found.blunders or found.between:
        text.append("it could be won at first, and not at the end" if not found.game.counts_cards
                    or first.verdict is not last.verdict else "cards were given away",
                    style="bold yellow")  # fmt: skip
    else:
        text.append(f"{_standing(found, last)} at the end", style=STYLES[last.verdict])
    return text


def _standing(found: Review, fate: Fate) -> str:
    if found.game.counts_cards and fate.fewest_left is not None:
        return f"{plural(fate.fewest_left, 'card')} left at best"
    return {
        Verdict.WINNABLE: "it can still be won",
        Verdict.UNWINNABLE: "it cannot be won",
        Verdict.UNKNOWN: "not decided",
    }[fate.verdict]


def review_tree(found: Review, glyphs: Glyphs = UNICODE) -> RenderableType:
    """The line in stretches of one verdict, blunders between them; then the counts."""
    tree = Tree(Text("the line, and its worth after each move", style="bold"), guide_style=GUIDE)
    blunders = {blunder.number: blunder for blunder in found.blunders}
    for first, last, fate in _stretches(found, set(blunders)):
        moves = list(found.line[first - 1 : last])
        style = STYLES[fate.verdict].removeprefix("bold ")
        span = f"{first}" if first == last else f"{first}{glyphs.dash}{last}"
        node = tree.add(Text(f"{span}  {_worth(found, fate)}", style=style))
        if first == last and first in blunders:
            _add_blunder(node, blunders[first], found, glyphs)
            continue
        for start, _, chain in chains(moves):
            node.add(chain_text(first + start - 1, chain, glyphs))
    return Group(tree, Text(""), *_counts(found))


def _worth(found: Review, fate: Fate) -> str:
    words = fate_words(found.game, fate)
    return {"wins": "can be won", "loses": "lost"}.get(words, words)


def _stretches(found: Review, alone: set[int]) -> Iterator[tuple[int, int, Fate]]:
    """``(first move, last move, fate after them)``; blunders stand alone."""
    start = 1
    fates = found.fates
    for number in range(1, len(fates)):
        following = number + 1
        if (
            following == len(fates)
            or number in alone
            or following in alone
            or (fates[number].verdict, fates[number].fewest_left)
            != (fates[following].verdict, fates[following].fewest_left)
        ):
            yield start, number, fates[number]
            start = following


def _add_blunder(node: Tree, blunder: Blunder, found: Review, glyphs: Glyphs) -> None:
    step = blunder.step
    text = Text(f"{blunder.number}  ", style=GUIDE)
    text.append_text(move_text(step.move, glyphs))
    before, after = (_worth(found, fate) for fate in (step.before, step.fate))
    text.append(f"  a blunder: {before} before it, {after} after it", style="bold red")
    node.add(text)
    text = Text("better  ", style="green")
    text.append_text(move_text(blunder.better, glyphs))
    branch = node.add(text)
    for start, _, chain in chains(blunder.line):
        branch.add(chain_text(blunder.number + start, chain, glyphs))


def _counts(found: Review) -> list[Text]:
    parts = []
    if found.between is not None:
        low, high = found.between
        parts.append(
            Text(f"the win was given away by one of the moves {low} to {high}", style="yellow")
        )
    hopeless = found.fates[0].verdict is Verdict.UNWINNABLE and not found.game.counts_cards
    if hopeless:
        parts.append(Text("the deal could not be won from the start: no move was to blame"))
    kinds = found.kinds
    if found.steps:
        counted = "weighed" if len(found.steps) < len(found.line) else "in all"
        parts.append(Text(f"{plural(len(found.steps), 'move')} {counted}:", style="bold"))
        parts += [Text(f"{kinds[kind]:>5}  {KIND_WORDS[kind]}") for kind in KINDS if kinds[kind]]
    return parts
