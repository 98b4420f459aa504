"""The results page, Markdown made of kept summaries, and its pictures."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from benchmarks.results.kept import Kept
from benchmarks.results.published import SOURCES, Comparison, comparisons
from rules.words import plural
from solver.odds import command_on
from solver.show.text.results import game_label
from solver.show.text.surveys import QUANTILES, TITLES, decimal, percent, short_time
from solver.show.web.survey_page import summary_charts
from solver.surveys.summary import Distribution, Winnability

WHAT = {"won": "won", "no_move": "no move at all", "removed": "cards removed, mean"}
PICTURED = ("fewest_left", "removed", "dealt", "positions")
"""The columns that are drawn. Times are not: they differ from run to run."""

HEAD = """\
# Results

How often can these games be won? `python -m benchmarks.results --write` makes this page and its
pictures from the summaries in [results](results), so do not edit it. To add a survey, or to
repeat one, run the command given with the game and then:

```sh
python -m benchmarks.results --write FILE.db
```

The deals are those of our own numbering, or of the one named with the game, so anybody can look at
each of them (`dealproof solve GAME DEAL`). A deal counts as winnable if some line of play wins it
when every card is known. Every verdict is a proof. The intervals are 95 % intervals for the share
over all shuffles.
"""

AGREEMENT = """\
## Agreement

*z* is the difference in standard errors, less what the rounding of a published figure can explain;
*p* is the probability that chance alone makes a difference as large. Figures agree unless
*p* < 0.01; of a hundred fair comparisons about one does not.
"""

OVERVIEW = ("game", "deals", "winnable", "Wilson", "Clopper–Pearson", "exact odds")
AGREEMENTS = ("game", "figure", "ours", "", "theirs", "", "z", "p", "within sampling error")


@dataclass(frozen=True, slots=True)
class Page:
    """``text``: Markdown. ``pictures``: SVG by file name, in the folder of the summaries."""

    text: str
    pictures: dict[str, str]


def results_page(kept: Mapping[str, Kept]) -> Page:
    """The whole page, of summaries by their names."""
    agreement = list[tuple[str, ...]]()
    sources: set[str] = set()
    pictures: dict[str, str] = {}
    sections = []
    for name, each in kept.items():
        rows = list(comparisons(each))
        agreement += [_agreement(each, row) for row in rows]
        sources |= {row.theirs for row in rows}
        drawn = {
            f"{name}-{column.replace('_', '-')}.svg": (column, chart)
            for column, chart in summary_charts(each, alone=True)
            if column in PICTURED
        }
        pictures |= {file: chart + "\n" for file, (_, chart) in drawn.items()}
        sections.append(_section(each, {file: column for file, (column, _) in drawn.items()}))
    parts = [HEAD, "## Winnability\n", _table(OVERVIEW, map(_overview, kept.values()), range(1, 6))]
    if agreement:
        parts += [AGREEMENT, _table(AGREEMENTS, agreement, (3, 5, 6, 7))]
    if sources & set(SOURCES):
        parts.append("".join(f"* {key}: {SOURCES[key]}\n" for key in SOURCES if key in sources))
    return Page("\n".join([*parts, *sections]), pictures)


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]], right: Iterable[int] = ()) -> str:
    rules = ["--:" if index in set(right) else "---" for index in range(len(heads))]
    lines = [heads, rules, *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _name(each: Kept) -> str:
    return _plain(game_label(each.made_game))


def _plain(text: str) -> str:
    """*text* as Markdown shows it, without anything that would be markup."""
    text = re.sub(r"([\\`*\[\]|#])", r"\\\1", " ".join(text.split()))
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _overview(each: Kept) -> tuple[str, ...]:
    found = each.winnability
    return (
        _name(each),
        f"{each.done:,}",
        _share(found),
        _ends(found.wilson),
        _ends(found.clopper_pearson),
        "" if each.exact is None else percent(float(Fraction(each.exact.won)), 5),
    )


def _share(found: Winnability) -> str:
    if found.share is not None:
        return percent(found.share)
    return f"{_ends((found.low, found.high))} ({found.undecided:,} undecided)"


def _ends(ends: Iterable[float]) -> str:
    low, high = ends
    return f"{100 * low:.3f} – {percent(high)}"


def _agreement(each: Kept, row: Comparison) -> tuple[str, ...]:
    z = f"{row.test.z:.2f}".replace("-0.00", "0.00")
    return (
        _name(each), WHAT[row.what], row.ours, _figure(row.value, row),
        row.theirs, _figure(row.other, row), z, f"{row.test.p:.3f}",
        "yes" if row.test.agrees else "**no**",
    )  # fmt: skip


def _figure(value: float, row: Comparison) -> str:
    return f"{value:.4f}" if row.what == "removed" else percent(value, 4)


def _section(each: Kept, pictures: Mapping[str, str]) -> str:
    lines = [f"## {_name(each)}\n", f"```sh\n{each.command}\n```\n"]
    if each.done < each.total:
        lines.append(
            f"The first {each.done:,} of {each.total:,} deals; the survey is not finished.\n"
        )
    lines.append("".join(f"* {fact}\n" for fact in _facts(each)))
    if pictures:
        drawn = (
            f'<img src="results/{file}" width="400" alt="{TITLES[column]}, a bar chart">\n'
            for file, column in pictures.items()
        )
        lines.append("".join(drawn))
    if each.hardest:
        lines.append("The hardest deals met:\n")
        lines.append(_table(("command", "verdict", "positions"), _hardest(each), (2,)))
    return "\n".join(lines)


def _facts(each: Kept) -> Iterator[str]:
    verdicts = ", ".join(
        f"{many:,} {name}" for name, many in each.counts.items() if many or name != "error"
    )
    drawn = each.outcomes.get("drawn")
    yield f"{each.done:,} deals: {verdicts}" + (
        f"; {drawn:,} of the unwinnable are drawn" if drawn else ""
    )
    for limit, many in each.limits_hit.items():
        yield f"{limit} limit reached: {plural(many, 'deal')}"
    if each.exact is not None:
        found = {key: Fraction(getattr(each.exact, key)) for key in WHAT}
        yield (
            f"exactly, over all shuffles: won {decimal(found['won'], 12)}, no move at all "
            f"{decimal(found['no_move'], 12)}, cards removed in the mean "
            f"{decimal(found['removed'], 10)} (`{command_on('odds', each.made_game, '').strip()}` "
            "gives the fractions)"
        )
    for column, counts in each.distributions().items():
        over = "" if counts.count == each.done else f" (of the {counts.count:,} that have it)"
        yield f"{TITLES[column]}{over}: mean {counts.mean:.4f}; quartiles {_quartiles(counts)}"
    for column, spread in each.spreads().items():
        if not spread.is_counted:
            continue
        written = [
            f"{name} "
            + (
                short_time(getattr(spread, key))
                if column == "seconds"
                else f"{getattr(spread, key):,.0f}"
            )
            for key, name in QUANTILES.items()
        ]
        yield f"{TITLES[column]} a deal: {', '.join(written)}"
    yield _made(each)


def _quartiles(found: Distribution) -> str:
    """The values below which a quarter, half and three quarters of the deals lie."""
    values = sorted(found.distribution.items())
    quartiles = []
    for part in (0.25, 0.5, 0.75):
        seen = 0
        for value, many in values:
            seen += many
            if seen >= math.ceil(part * found.count):
                quartiles.append(f"{value:,}")
                break
    return ", ".join(quartiles)


def _hardest(each: Kept) -> Iterator[tuple[str, ...]]:
    for row in each.hardest[:5]:
        command = command_on("explain", each.made_game, row.deal)
        yield f"`{_plain(command)}`", row.verdict, f"{row.positions:,}"


def _made(each: Kept) -> str:
    by = each.machine
    versions = ", ".join(f"dealproof {_plain(name)}" for name in each.versions)
    numba = f", numba {by.numba}" if by.numba else ""
    return (
        f"made with {versions}; summed up with {_plain(by.python + numba)} on "
        f"{_plain(by.system)}, {_plain(by.cpu)}, {plural(by.cores, 'core')}"
    )
