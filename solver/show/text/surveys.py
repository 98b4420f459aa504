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
from solver.show.text.results import STYLES, duration, game_label
from solver.surveys.store import ERROR
from solver.surveys.summary import Spread, Summary
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


def interval(ends: Iterable[float], dash: str, digits: int = 3) -> str:
    """``45.015 - 46.968 %``, with the *dash* given."""
    low, high = ends
    return f"{100 * low:.{digits}f} {dash} {percent(high, digits)}"


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
    return game_label(summary.made_game)


def survey_report(summary: Summary, glyphs: Glyphs, width: int) -> RenderableType:
    """The report of a survey (see `solver.surveys.summary`)."""
    parts: list[RenderableType] = [
        Text(
            f"{label(summary)}: {summary.done:,} of {summary.total:,} deals ({summary.deals})",
            style="bold",
        ),
        _verdicts(summary),
        _winnability(summary, glyphs),
    ]
    spreads = summary.spreads()
    if spreads:
        parts.append(_spreads(spreads))
    for column, found in summary.distributions().items():
        title = f"{TITLES[column]}: mean {found.mean:.3f}"
        bars = [(f"{value:,}", count) for value, count in found.distribution.items()]
        parts.append(histogram(title, bars, glyphs, width))
    for column, spread in spreads.items():
        bars = [(bin_label(low, column), n) for low, _, n in spread.histogram]
        parts.append(histogram(f"{TITLES[column]}, from", bars, glyphs, width))
    if summary.hardest:
        parts.append(_hardest(summary))
    parts += [
        Text(f"deal {error.deal}: error: {error.note}", style="bold yellow")
        for error in summary.errors
    ]
    spaced: list[RenderableType] = []
    for part in parts:
        spaced += [part, ""]
    return Group(*spaced[:-1])


def verdict_rows(summary: Summary) -> list[tuple[str, str, str, str]]:
    """Verdict, deals, their share, and what else is to be said of them."""
    hit = ", ".join(f"{name} limit {count:,}" for name, count in summary.limits_hit.items())
    drawn = summary.outcomes.get("drawn", 0)
    notes = {"unknown": hit, "unwinnable": f"drawn {drawn:,}" if drawn else ""}
    return [
        (
            verdict,
            f"{count:,}",
            percent(count / summary.done) if summary.done else "",
            notes.get(verdict, ""),
        )
        for verdict, count in summary.counts.items()
        if count or verdict != ERROR
    ]


def share_rows(summary: Summary, dash: str) -> list[tuple[str, str]]:
    """The share of winnable deals with its 95 % intervals."""
    found = summary.winnability
    if found.share is not None:
        rows = [("winnable", percent(found.share))]
    else:
        ends = interval((found.low, found.high), dash)
        rows = [("winnable, undecided deals taken as lost or won", ends)]
    return [
        *rows,
        ("95 % interval, Wilson", interval(found.wilson, dash)),
        (f"95 % interval, Clopper{dash}Pearson", interval(found.clopper_pearson, dash)),
    ]


QUANTILES = {"mean": "mean", "median": "median", "p90": "90 %", "p99": "99 %", "max": "most"}
"""The figures of a spread, and what they are called in print."""


def _verdicts(summary: Summary) -> Table:
    table = Table(box=None, show_header=False, pad_edge=False)
    for right in (False, True, True, False):
        table.add_column(justify="right" if right else "left")
    for verdict, count, *rest in verdict_rows(summary):
        style = STYLES[Verdict(verdict)] if verdict in list(Verdict) else "bold yellow"
        table.add_row(Text(verdict, style=style if count != "0" else ""), count, *rest)
    return table


def _winnability(summary: Summary, glyphs: Glyphs) -> Table:
    table = Table(box=None, show_header=False, pad_edge=False)
    for row in share_rows(summary, glyphs.dash):
        table.add_row(*row)
    return table


def _spreads(spreads: dict[str, Spread]) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("")
    for name in QUANTILES.values():
        table.add_column(name, justify="right")
    for column, found in spreads.items():
        table.add_row(TITLES[column], *(value(getattr(found, key), column) for key in QUANTILES))
    return table


def _hardest(summary: Summary) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("hardest deals")
    table.add_column("positions", justify="right")
    table.add_column("")
    for row in summary.hardest[:5]:
        table.add_row(row.deal, f"{row.positions:,}", row.verdict)
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
