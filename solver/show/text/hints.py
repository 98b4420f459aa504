"""Hints in print: the legal moves in a table, best first."""

from __future__ import annotations

from rich.table import Table
from rich.text import Text

from rules.game import Game
from rules.words import plural
from solver.analysis.hints import Hint, Option
from solver.analysis.session import Fate
from solver.show.glyphs import UNICODE, Glyphs
from solver.show.text.lines import move_text
from solver.show.text.results import STYLES, duration, game_label
from solver.verdict import Verdict

WORDS = {
    Verdict.WINNABLE: "wins",
    Verdict.UNWINNABLE: "loses",
    Verdict.UNKNOWN: "not known",
}


def fate_words(game: Game, fate: Fate) -> str:
    """What becomes of a position: ``wins``, ``loses``, ``9 left``, ``not known``."""
    if game.counts_cards and fate.verdict is not Verdict.WINNABLE:
        return "not known" if fate.fewest_left is None else f"{fate.fewest_left} left"
    return WORDS[fate.verdict]


def hint_text(found: Hint, label: str) -> Text:
    """The position's verdict in one line."""
    text = Text(f"{game_label(found.game)}, {label}: ")
    text.append(found.fate.verdict.value, style=STYLES[found.fate.verdict])
    if found.fate.fewest_left is not None and found.fate.verdict is not Verdict.WINNABLE:
        text.append(f" ({plural(found.fate.fewest_left, 'card')} left at best)")
    if not found.options:
        text.append("; no move is left")
    return text


def hint_table(found: Hint, glyphs: Glyphs = UNICODE) -> Table:
    """The options, best first: number, move, verdict, why."""
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(justify="right", style="dim")
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for number, option in enumerate(found.options, 1):
        style = STYLES[option.fate.verdict].removeprefix("bold ")
        verdict = Text(fate_words(found.game, option.fate), style=style)
        table.add_row(str(number), move_text(option.move, glyphs), verdict, _why(option, glyphs))
    return table


def _why(option: Option, glyphs: Glyphs, most: int = 3) -> Text:
    text = Text(option.why.removeprefix(f"{WORDS[Verdict.WINNABLE]} "))  # said beside it
    if option.line:
        text.append(": ")
        for move in option.line[:most]:
            text.append_text(move_text(move.bare, glyphs))
            text.append(" ")
        text.rstrip()
        text.append(" ..." if len(option.line) > most else "")
    return text


def work_text(positions: int, seconds: float, glyphs: Glyphs = UNICODE) -> Text:
    """``1,234 positions · 0.051 s``."""
    return Text(f"{plural(positions, 'position')} {glyphs.dot} {duration(seconds)}", style="dim")
