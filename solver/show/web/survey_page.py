"""A survey's report as one HTML page: tables and SVG charts, nothing from elsewhere.

Every text that comes from the survey (titles and options of a user's own game, notes of
errors) is escaped.
"""

from __future__ import annotations

import math
from html import escape
from typing import Any

from solver.show.glyphs import UNICODE
from solver.show.text.surveys import TITLES, Bar, bin_label, interval, label, percent, value
from solver.surveys.store import ERROR
from solver.surveys.summary import COUNTED, Summary

_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem;
       color: #1d2733; background: #fff; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; }
table { border-collapse: collapse; } th, td { padding: .15rem .8rem .15rem 0; text-align: right; }
th:first-child, td:first-child { text-align: left; } th { font-weight: 600; }
th, td { white-space: nowrap; vertical-align: top; }
td:first-child, td.note { white-space: normal; }
.wide { overflow-x: auto; } .wide + .wide { margin-top: .8rem; }
svg { display: block; width: 100%; min-width: 34rem; height: auto; }
svg text { font: 11px system-ui, sans-serif; fill: currentColor; }
.bar { fill: #2f7fb8; } .axis { stroke: currentColor; stroke-width: 1; opacity: .4; }
.quiet { color: #5b6875; }
@media (prefers-color-scheme: dark) {
  body { color: #e3e8ee; background: #14191f; } .quiet { color: #93a1b0; } .bar { fill: #5aa9e0; }
}
"""


def survey_page(summary: Summary) -> str:
    """The page for a summary (see `solver.surveys.summary`)."""
    title = f"{label(summary)}: {summary['done']:,} deals"
    parts = [
        "<!DOCTYPE html>",
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head><body>",
        f"<h1>{escape(title)}</h1>",
        f'<p class="quiet">{summary["done"]:,} of {summary["total"]:,} deals '
        f"({escape(summary['deals'])}); versions {escape(_tally(summary['versions']))}; "
        f"engines {escape(_tally(summary['engines']))}; reductions "
        f"{escape(', '.join(summary['reductions']) or 'none')}.</p>",
        "<h2>Verdicts</h2>",
        _verdicts(summary),
        _winnability(summary),
    ]
    spreads = [name for name in ("positions", "seconds") if summary[name] is not None]
    if spreads:
        parts += ["<h2>Effort</h2>", _spreads(summary, spreads)]
    for column in COUNTED:
        found = summary[column]
        if found is not None:
            bars = list(found["distribution"].items())
            parts.append(f"<h2>{TITLES[column].capitalize()} (mean {found['mean']:.3f})</h2>")
            parts.append(bar_chart(bars, TITLES[column]))
    for column in spreads:
        bars = [(bin_label(low, column), n) for low, _, n in summary[column]["histogram"]]
        parts.append(f"<h2>{TITLES[column].capitalize()}</h2>")
        parts.append(bar_chart(bars, f"{TITLES[column]}, from"))
    if summary["positions"] is not None:
        rows = [
            [row["deal"], f"{row['positions']:,}", row["verdict"]] for row in summary["hardest"]
        ]
        parts += ["<h2>Hardest deals</h2>", table(["deal", "positions", "verdict"], rows)]
    if summary["errors"]:
        rows = [[row["deal"], row["note"] or ""] for row in summary["errors"]]
        parts += ["<h2>Errors</h2>", table(["deal", "what happened"], rows, notes=True)]
    parts.append("</body></html>")
    return "\n".join(parts) + "\n"


def table(head: list[str], rows: list[list[str]], notes: bool = False) -> str:
    """An HTML table of texts, escaped. *notes*: the last column holds sentences."""
    lines = ['<div class="wide"><table>']
    if head:
        lines.append("<tr>" + "".join(f"<th>{escape(cell)}</th>" for cell in head) + "</tr>")
    for row in rows:
        cells = [f"<td>{escape(cell)}</td>" for cell in row]
        if notes:
            cells[-1] = cells[-1].replace("<td>", '<td class="note">', 1)
        lines.append("<tr>" + "".join(cells) + "</tr>")
    return "\n".join([*lines, "</table></div>"])


def bar_chart(bars: list[Bar], axis: str) -> str:
    """An SVG bar chart with a scale; each bar tells its figures when pointed at."""
    width, height, left, bottom = 760, 220, 56, 34
    total, top = sum(count for _, count in bars), max(count for _, count in bars)
    scale = _round_up(top)
    step = (width - left) / len(bars)
    every = math.ceil(len(bars) * 52 / (width - left))
    parts = [
        f'<div class="wide"><svg viewBox="0 0 {width} {height}" role="img" '
        f'aria-label="{escape(axis, quote=True)}">'
    ]
    for mark in (0, scale / 2, scale):
        y = height - bottom - (height - bottom - 12) * mark / scale
        parts.append(f'<line class="axis" x1="{left}" x2="{width}" y1="{y:.1f}" y2="{y:.1f}"/>')
        parts.append(
            f'<text x="{left - 6}" y="{y + 4:.1f}" text-anchor="end">{mark:,.4g}</text>'
            if mark < 10_000
            else f'<text x="{left - 6}" y="{y + 4:.1f}" text-anchor="end">{mark:,.0f}</text>'
        )
    for index, (name, count) in enumerate(bars):
        x, tall = left + index * step, (height - bottom - 12) * count / scale
        tall = max(tall, 1.0) if count else 0.0  # a few among thousands are still seen
        parts.append(
            f'<rect class="bar" x="{x + step * 0.08:.1f}" y="{height - bottom - tall:.1f}" '
            f'width="{step * 0.84:.1f}" height="{tall:.1f}"><title>{escape(str(name))}: {count:,} '
            f"({percent(count / total)})</title></rect>"
        )
        if index % every == 0:
            parts.append(
                f'<text x="{x + step / 2:.1f}" y="{height - bottom + 14}" '
                f'text-anchor="middle">{escape(str(name))}</text>'
            )
    middle = left + (width - left) / 2
    parts.append(
        f'<text x="{middle}" y="{height - 4}" text-anchor="middle">{escape(axis)}</text>'
        "</svg></div>"
    )
    return "\n".join(parts)


def _round_up(number: float) -> float:
    """The next of 1, 2, 3, 4, 6, 8, 10, 20, 30 ...: more than half of it is used."""
    power = 10 ** math.floor(math.log10(number))
    return float(next(step * power for step in (1, 2, 3, 4, 6, 8, 10) if step * power >= number))


def _tally(counts: dict[str, int]) -> str:
    return ", ".join(f"{name} ({count:,})" for name, count in counts.items()) or "none"


def _verdicts(summary: Summary) -> str:
    done = summary["done"]
    rows = [
        [verdict, f"{count:,}", percent(count / done) if done else ""]
        for verdict, count in summary["counts"].items()
        if count or verdict != ERROR
    ]
    for name, count in summary["limits_hit"].items():
        rows.append([f"{name} limit reached", f"{count:,}", ""])
    drawn = summary["outcomes"].get("drawn", 0)
    if drawn:
        rows.append(["drawn", f"{drawn:,}", ""])
    return table([], rows)


def _winnability(summary: Summary) -> str:
    found = summary["winnability"]
    if found["share"] is not None:
        rows = [["winnable", percent(found["share"])]]
    else:
        ends = (found["low"], found["high"])
        rows = [["winnable, undecided deals taken as lost or won", interval(ends, UNICODE)]]
    rows.append(["95 % interval (Wilson)", interval(found["wilson"], UNICODE)])
    rows.append(["95 % interval (Clopper–Pearson)", interval(found["clopper_pearson"], UNICODE)])
    return table([], rows)


def _spreads(summary: Summary, columns: list[str]) -> str:
    names = {"mean": "mean", "median": "median", "p90": "90 %", "p99": "99 %", "most": "most"}
    rows: list[list[Any]] = [
        [TITLES[column], *(value(summary[column][key], column) for key in names)]
        for column in columns
    ]
    return table(["", *names.values()], rows)
