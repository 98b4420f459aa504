"""A survey's report as one HTML page: tables and SVG charts, nothing from elsewhere.

Every text that comes from the survey (titles and options of a user's own game, notes of
errors) is escaped.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from html import escape
from itertools import pairwise

from rules.words import plural
from solver.odds import command_on
from solver.show.text.surveys import (
    QUANTILES,
    TITLES,
    interval,
    label,
    percent,
    share_rows,
    value,
    verdict_rows,
)
from solver.show.web import charts
from solver.show.web.charts import Axis, Bar, bar_chart
from solver.surveys.summary import Distribution, Spread, Summary

_DASH = "–"
_STYLE = """\
body { font: 17px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 1.5rem auto;
       padding: 0 1rem; color: #1d2733; background: #fff; }
h1 { font-size: 1.7rem; line-height: 1.25; margin: 0 0 .5rem; }
h2 { font-size: 1.2rem; margin: 2rem 0 .5rem; } p { margin: .5rem 0; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .2rem 1rem .2rem 0; text-align: right; vertical-align: top; }
th:first-child, td:first-child, td.note { text-align: left; } th { font-weight: 600; }
td:not(:first-child):not(.note) { white-space: nowrap; }
.wide { overflow-x: auto; }
ol { padding-left: 2rem; } li { margin: .35rem 0; } .game { margin: 0; }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr));
          gap: 1rem 2rem; }
figure { margin: 0; } figcaption { font-weight: 600; }
svg.chart { display: block; width: 100%; max-width: 40rem; height: auto; }
code { font: .88em ui-monospace, monospace; background: #eef2f6; border-radius: .2rem;
       padding: .15rem .35rem; user-select: all; overflow-wrap: anywhere; }
.quiet { color: #5b6875; font-size: .94rem; overflow-wrap: anywhere; }
@media (max-width: 36rem) { th, td { padding-right: .6rem; } body { font-size: 16px; } }
@media (prefers-color-scheme: dark) {
  body { color: #e3e8ee; background: #14191f; } .quiet { color: #93a1b0; }
  code { background: #232b34; }
}
"""
_AXES = {
    "fewest_left": Axis("fewest cards left"),
    "removed": Axis("cards removed"),
    "dealt": Axis("cards dealt"),
    "positions": Axis("positions visited", logarithmic=True),
    "seconds": Axis("time", logarithmic=True, label=lambda value: _time(value)),
}
_MOST_BARS = 60


def survey_page(summary: Summary) -> str:
    """The page for a summary (see `solver.surveys.summary`)."""
    name = label(summary)
    parts = [
        "<!DOCTYPE html>",
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(f'{name}: {summary.done:,} deals')}</title>",
        f"<style>{_STYLE}{charts.STYLE}</style></head><body>",
        f'<p class="game">{escape(name)}</p>',
        f"<h1>{_whole(headline(summary))}</h1>",
        *(f"<p>{_whole(line)}</p>" for line in _about(summary)),
        "<h2>Verdicts</h2>",
        _table([], verdict_rows(summary)),
        "<h2>Share of winnable deals</h2>",
        _table([], share_rows(summary, _DASH)),
        "<h2>Deal by deal</h2>",
        '<div class="charts">',
        *(_figure(TITLES[column], chart) for column, chart in summary_charts(summary)),
        "</div>",
    ]
    spreads = summary.spreads()
    if spreads:
        rows = [
            [name, *(_value(getattr(found, key), column) for column, found in spreads.items())]
            for key, name in QUANTILES.items()
        ]
        parts += [
            "<h2>Effort per deal</h2>",
            _table(["", *(TITLES[column] for column in spreads)], rows),
        ]
    if summary.hardest:
        parts += [
            "<h2>Hardest deals</h2>",
            "<p>Click a command to mark it. Each tells why its deal can or cannot be won.</p>",
            _hardest(summary),
        ]
    if summary.errors:
        failed = [[error.deal, error.note or ""] for error in summary.errors]
        parts += ["<h2>Errors</h2>", _table(["deal", "what happened"], failed, notes=True)]
    parts += [
        "<h2>How it was made</h2>",
        f"<p><code>{escape(summary.command)}</code></p>",
        f'<p class="quiet">{escape(_made(summary))}</p>',
        "</body></html>",
    ]
    return "\n".join(parts) + "\n"


def headline(summary: Summary) -> str:
    """What the survey found, in a sentence: ``45.99 % of the deals can be won``."""
    found = summary.winnability
    if not summary.done:
        return "No deal is solved yet"
    if found.share is not None:
        return f"{percent(found.share, 2)} of the deals can be won"
    return f"{interval((found.low, found.high), 'to', 2)} of the deals can be won"


def _about(summary: Summary) -> Iterator[str]:
    """How far the headline can be trusted."""
    found = summary.winnability
    if summary.done < summary.total:
        yield f"{summary.done:,} of {summary.total:,} deals are done so far."
    if not summary.done:
        return
    if found.undecided:
        yield (
            f"{found.deals - found.undecided:,} of {plural(found.deals, 'deal')} have a proved "
            f"verdict; for the other {found.undecided:,} a limit was reached or an error came up."
        )
    else:
        yield f"All {found.deals:,} verdicts are proved." if found.deals > 1 else "It is proved."
    yield (
        "For the share over all shuffles the 95 % interval is "
        f"{interval(found.wilson, 'to', 2)} (Wilson)."
    )


def summary_charts(summary: Summary, *, alone: bool = False) -> Iterator[tuple[str, str]]:
    """A chart for each column that has one, by the column's name."""
    for column, counts in summary.distributions().items():
        mark = (counts.mean, f"mean {counts.mean:.1f}")
        bars = list(_distribution_bars(counts))
        yield column, bar_chart(bars, _AXES[column], mark=mark, alone=alone)
    for column, spread in summary.spreads().items():
        if spread.is_counted:
            mark = (spread.median, f"median {_value(spread.median, column)}")
            bars = list(_spread_bars(spread, column))
            yield column, bar_chart(bars, _AXES[column], mark=mark, alone=alone)


def _distribution_bars(found: Distribution) -> Iterator[Bar]:
    """A bar round each value, as wide as the values lie apart; of many values, round several."""
    values = sorted(found.distribution)
    span = values[-1] - values[0]
    wide = min((after - before for before, after in pairwise(values)), default=1)
    if span / wide > _MOST_BARS:
        step, _ = charts.steps(span, _MOST_BARS // 2, whole=True)
        binned = Counter[int]()
        for each, count in found.distribution.items():
            binned[each // int(step)] += count
        for place, count in sorted(binned.items()):
            low, high = int(step) * place, int(step) * (place + 1)
            yield _bar(low - 0.5, high - 0.5, f"{low:,} to {high - 1:,}", count, found.count)
        return
    wide = min(wide, max(1, span // 25))
    for each in values:
        count = found.distribution[each]
        yield _bar(each - wide / 2, each + wide / 2, f"{each:,}", count, found.count)


def _spread_bars(found: Spread, column: str) -> Iterator[Bar]:
    for low, high, count in found.histogram:
        ends = f"{_value(low, column)} to {_value(high, column)}" if high else "0"
        yield _bar(low, high, ends, count, found.count)


def _bar(low: float, high: float, ends: str, count: int, total: int) -> Bar:
    share = count / total
    return Bar(low, high, share, f"{ends}: {plural(count, 'deal')}, {percent(share, 2)}")


def _value(number: float, column: str) -> str:
    return _time(number) if column == "seconds" else value(number, column)


def _time(seconds: float) -> str:
    """``20 µs``, ``0.5 ms``, ``3 min``: three digits at most."""
    for size, unit in ((60.0, "min"), (1.0, "s"), (1e-3, "ms")):
        if seconds >= size * 0.999:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-6:.3g} µs"


def _whole(text: str) -> str:
    """*text* escaped, and no line broken before ``%``."""
    return escape(text).replace(" %", "&nbsp;%")


def _figure(title: str, chart: str) -> str:
    caption = title[:1].upper() + title[1:]
    return f"<figure><figcaption>{escape(caption)}</figcaption>\n{chart}</figure>"


def _hardest(summary: Summary) -> str:
    game = summary.made_game
    rows = [
        f"<li><code>{escape(command_on('explain', game, row.deal))}</code> "
        f'<span class="quiet">{row.verdict}, {plural(row.positions, "position")}</span></li>'
        for row in summary.hardest
    ]
    return "\n".join(["<ol>", *rows, "</ol>"])


def _table(head: Sequence[str], rows: Sequence[Sequence[str]], *, notes: bool = False) -> str:
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


def _made(summary: Summary) -> str:
    reductions = ", ".join(summary.reductions) or "none"
    return (
        f"Deals {summary.deals}; dealproof {_tally(summary.versions)}; engine "
        f"{_tally(summary.engines)}; reductions: {reductions}."
    )


def _tally(counts: dict[str, int]) -> str:
    """``0.1.0``, or with several ``0.1.0 (10), 0.2.0 (3)``."""
    if len(counts) == 1:
        return next(iter(counts))
    return ", ".join(f"{name} ({count:,})" for name, count in counts.items()) or "none"
