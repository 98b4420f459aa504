"""Surveys and exact odds as tables with histograms, for the terminal."""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from solver.odds import Odds
from solver.show.glyphs import Glyphs
from solver.show.json.records import SCHEMA
from solver.show.text.results import STYLES, duration, game_label
from solver.surveys.summary import Summary, game_of
from solver.verdict import Verdict

TITLES = {
    "fewest_left": "fewest cards left",
    "removed": "cards removed",
    "dealt": "cards dealt",
    "positions": "positions",
    "seconds": "time",
}
Bar = tuple[str, int]


def percent(share: float, digits: int = 3) -> str:
    return f"{100 * share:.{digits}f} %"


def interval(ends: Iterable[float], glyphs: Glyphs, digits: int = 3) -> str:
    low, high = ends
    return f"{100 * low:.{digits}f} {glyphs.dash} {percent(high, digits)}"


def value(number: float, column: str) -> str:
    """A value of a column: a time or a number, rounded for reading."""
    if column == "seconds":
        return short_time(number)
    return f"{number:,.0f}" if number >= 100 or number == int(number) else f"{number:,.2f}"


def short_time(seconds: float) -> str:
    """``1.8 us``, ``56 ms``, ``2.13 s``: readable over many powers of ten."""
    for factor, unit in ((1e6, "us"), (1e3, "ms")):
        if seconds * factor < 1000:
            scaled = seconds * factor
            return f"{scaled:.1f} {unit}" if scaled < 10 else f"{scaled:.0f} {unit}"
    return duration(seconds)


def bin_label(low: float, column: str) -> str:
    """The least value that a histogram's bin from *low* on can hold."""
    return value(low, column) if column == "seconds" else f"{math.ceil(low):,}"


def label(summary: Summary) -> str:
    """The game of a summary, with the options that differ from the registered game's."""
    return game_label(game_of(summary))


def survey_report(summary: Summary, glyphs: Glyphs, width: int) -> RenderableType:
    """The report of a survey (see `solver.surveys.summary`)."""
    parts: list[RenderableType] = [
        Text(
            f"{label(summary)}: {summary['done']:,} of {summary['total']:,} deals "
            f"({summary['deals']})",
            style="bold",
        ),
        _verdicts(summary),
        _winnability(summary, glyphs),
    ]
    columns = [name for name in ("positions", "seconds") if summary[name] is not None]
    if columns:
        parts.append(_spreads(summary, columns))
    for column in ("fewest_left", "removed", "dealt"):
        if summary[column] is not None:
            found = summary[column]
            title = f"{TITLES[column]}: mean {found['mean']:.3f}"
            bars = [(key, count) for key, count in found["distribution"].items()]
            parts.append(histogram(title, bars, glyphs, width))
    for column in columns:
        bars = [(bin_label(low, column), n) for low, _, n in summary[column]["histogram"]]
        parts.append(histogram(f"{TITLES[column]}, from", bars, glyphs, width))
    if summary["positions"] is not None:
        parts.append(_hardest(summary))
    parts += [
        Text(f"deal {error['deal']}: error: {error['note']}", style="bold yellow")
        for error in summary["errors"]
    ]
    spaced: list[RenderableType] = []
    for part in parts:
        spaced += [part, ""]
    return Group(*spaced[:-1])


def _verdicts(summary: Summary) -> Table:
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column()
    table.add_column(justify="right")
    table.add_column(justify="right")
    table.add_column()
    hit = ", ".join(f"{name} limit {count:,}" for name, count in summary["limits_hit"].items())
    drawn = summary["outcomes"].get("drawn", 0)
    outcomes = f"drawn {drawn:,}" if drawn else ""
    notes = {"unknown": hit, "unwinnable": outcomes}
    for verdict, count in summary["counts"].items():
        if count or verdict != "error":
            style = STYLES[Verdict(verdict)] if verdict in list(Verdict) else "bold yellow"
            table.add_row(
                Text(verdict, style=style if count else ""),
                f"{count:,}",
                percent(count / summary["done"]) if summary["done"] else "",
                notes.get(verdict, ""),
            )
    return table


def _winnability(summary: Summary, glyphs: Glyphs) -> Table:
    found = summary["winnability"]
    table = Table(box=None, show_header=False, pad_edge=False)
    if found["share"] is not None:
        table.add_row("winnable", percent(found["share"]))
    else:
        table.add_row("winnable, undecided deals taken as lost or won",
                      interval((found["low"], found["high"]), glyphs))  # fmt: skip
    table.add_row("95 % interval, Wilson", interval(found["wilson"], glyphs))
    table.add_row("95 % interval, Clopper-Pearson", interval(found["clopper_pearson"], glyphs))
    return table


def _spreads(summary: Summary, columns: list[str]) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("")
    names = {"mean": "mean", "median": "median", "p90": "90 %", "p99": "99 %", "most": "most"}
    for name in names.values():
        table.add_column(name, justify="right")
    for column in columns:
        table.add_row(TITLES[column], *(value(summary[column][key], column) for key in names))
    return table


def _hardest(summary: Summary) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("hardest deals")
    table.add_column("positions", justify="right")
    table.add_column("")
    for row in summary["hardest"][:5]:
        table.add_row(row["deal"], f"{row['positions']:,}", row["verdict"])
    return table


def histogram(title: str, bars: list[Bar], glyphs: Glyphs, width: int) -> RenderableType:
    """Bars to scale, each with its label, count and share; the longest fills the width."""
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(justify="right")
    table.add_column(justify="right")
    table.add_column(justify="right")
    table.add_column(justify="left", no_wrap=True)
    total, top = sum(count for _, count in bars), max(count for _, count in bars)
    labels = max(len(name) for name, _ in bars)
    room = max(8, width - labels - len(f"{top:,}") - 14)
    mark = "█" if glyphs.lines else "#"
    for name, count in bars:
        length = round(room * count / top)
        drawn = mark * length if length or not count else "▏" if glyphs.lines else "."
        table.add_row(name, f"{count:,}", percent(count / total, 2), Text(drawn, style="cyan"))
    return Group(Text(title), table)


def odds_report(odds: Odds, glyphs: Glyphs, width: int) -> RenderableType:
    """Exact odds: fractions, decimals and the distribution of cards removed."""
    head = Text(f"{game_label(odds.game)}: exact odds over all shuffles", style="bold")
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column()
    table.add_column(overflow="fold")
    for name, chance in (("winning", odds.winning), ("no move at all", odds.no_move)):
        table.add_row(name, chance_words(chance))
        table.add_row("", decimal(chance))
        table.add_row("", f"{chance.numerator}/{chance.denominator}")
    table.add_row("cards removed, mean", decimal(odds.mean_removed))
    removed = Table(box=None, pad_edge=False)
    removed.add_column("cards removed", justify="right")
    removed.add_column("probability", justify="right")
    removed.add_column("", no_wrap=True)
    distribution = odds.distribution
    top = float(max(distribution.values()))
    room = max(8, width - 34)
    mark = "█" if glyphs.lines else "#"
    for count, chance in distribution.items():
        bar = mark * round(room * float(chance) / top)
        removed.add_row(str(count), f"{float(chance):.9f}", Text(bar, style="cyan"))
    return Group(head, "", table, "", removed)


def chance_words(chance: Fraction) -> str:
    """``2.012 %, 1 in 50``."""
    if not chance:
        return "never"
    one_in = 1 / float(chance)
    return f"{percent(float(chance))}, 1 in {one_in:,.{0 if one_in >= 10 else 1}f}"


def decimal(number: Any, digits: int = 20) -> str:
    """A fraction in decimals, correctly rounded: ``0.03638171594929915549``."""
    scaled = round(number * 10**digits)
    whole, rest = divmod(scaled, 10**digits)
    return f"{whole}.{rest:0{digits}d}"


def odds_record(found: Odds) -> dict[str, Any]:
    """Exact odds as JSON: fractions as text, decimals as numbers."""
    return {
        "schema": SCHEMA,
        "game": found.game.name,
        "options": found.game.all_options(),
        "winning": str(found.winning),
        "winning_decimal": float(found.winning),
        "no_move": str(found.no_move),
        "no_move_decimal": float(found.no_move),
        "mean_removed": str(found.mean_removed),
        "mean_removed_decimal": float(found.mean_removed),
        "removed": {str(count): str(chance) for count, chance in found.distribution.items()},
        "removed_decimal": {
            str(count): float(chance) for count, chance in found.distribution.items()
        },
        "states": found.states,
    }
