"""The results page, Markdown made of kept summaries (see `solver.surveys.published`)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from solver.odds import survey_command
from solver.show.text.results import game_label
from solver.show.text.surveys import TITLES, decimal, percent, short_time
from solver.surveys.published import SOURCES, Comparison, ResultsError, comparisons
from solver.surveys.summary import Summary, game_of
from solver.verdict import DEFAULT_LIMITS

WHAT = {"won": "won", "no_move": "no move at all", "removed": "cards removed, mean"}

HEAD = """\
# Results

How often can these games be won? Written by `dealproof results` from the summaries in
[results](results); do not edit it. To add surveys to it, or to repeat one:

```sh
dealproof results FILE.db... --output docs/results.md
```

The deals are those of our own numbering, so anybody can look at each of them
(`dealproof solve GAME DEAL`). A deal counts as winnable if some line of play wins with every card
known; every verdict is a proof. Intervals are 95 % intervals for the share over all shuffles.
"""

AGREEMENT = """\
## Agreement

*z* is the difference in standard errors, less what the rounding of a published figure may account
for; *p* is the probability of one at least that large by chance. Figures agree unless *p* < 0.01;
among a hundred fair comparisons one is expected not to.
"""


OVERVIEW = ("game", "deals", "winnable", "Wilson", "Clopper–Pearson", "exact odds")
AGREEMENTS = ("game", "figure", "ours", "", "theirs", "", "z", "p", "within sampling error")


def results_page(kept: Mapping[str, Summary]) -> str:
    """The whole page, of summaries by their files' names.

    Raises `ResultsError` naming the file if what stands in one is not what it should be.
    """
    overview, agreement, sections = [], list[tuple[str, ...]](), []
    sources: set[str] = set()
    for name, each in kept.items():
        try:
            rows = list(comparisons(each))
            overview.append(_overview(each))
            agreement += [_agreement(each, row) for row in rows]
            sections.append(_section(each))
        except (KeyError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
            what = f"{type(error).__name__}: {error}"
            raise ResultsError(f"{name}: not a kept summary ({what})") from None
        sources |= {row.theirs for row in rows}
    parts = [HEAD, "## Winnability\n", _table(OVERVIEW, overview, range(1, 6))]
    if agreement:
        parts += [AGREEMENT, _table(AGREEMENTS, agreement, (3, 5, 6, 7))]
    if sources & set(SOURCES):
        parts.append("".join(f"* {key}: {SOURCES[key]}\n" for key in SOURCES if key in sources))
    return "\n".join([*parts, *sections])


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]], right: Iterable[int] = ()) -> str:
    rules = ["--:" if index in set(right) else "---" for index in range(len(heads))]
    lines = [heads, rules, *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _name(each: Summary) -> str:
    return _plain(game_label(game_of(each)))


def _plain(text: str) -> str:
    """*text* as Markdown shows it, without anything that would be markup."""
    text = re.sub(r"([\\`*\[\]|#])", r"\\\1", " ".join(text.split()))
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _overview(each: Summary) -> tuple[str, ...]:
    found = each["winnability"]
    return (
        _name(each),
        f"{each['done']:,}",
        _share(found),
        _ends(found["wilson"]),
        _ends(found["clopper_pearson"]),
        "" if each["exact"] is None else percent(float(Fraction(each["exact"]["won"])), 5),
    )


def _share(found: Summary) -> str:
    if found["share"] is not None:
        return percent(found["share"])
    return f"{_ends((found['low'], found['high']))} ({found['undecided']:,} undecided)"


def _ends(ends: Iterable[float]) -> str:
    low, high = ends
    return f"{100 * low:.3f} – {percent(high)}"


def _agreement(each: Summary, row: Comparison) -> tuple[str, ...]:
    z = f"{row.test.z:.2f}".replace("-0.00", "0.00")
    return (
        _name(each), WHAT[row.what], row.ours, _figure(row.value, row),
        row.theirs, _figure(row.other, row), z, f"{row.test.p:.3f}",
        "yes" if row.test.agrees else "**no**",
    )  # fmt: skip


def _figure(value: float, row: Comparison) -> str:
    return f"{value:.4f}" if row.what == "removed" else percent(value, 4)


def _section(each: Summary) -> str:
    lines = [f"## {_name(each)}\n", f"```sh\n{_command(each)}\n```\n"]
    done, total = each["done"], each["total"]
    if done < total:
        lines.append(f"The first {done:,} of {total:,} deals; the survey is not finished.\n")
    counts = ", ".join(
        f"{many:,} {name}" for name, many in each["counts"].items() if many or name != "error"
    )
    facts = [f"{done:,} deals: {counts}"]
    drawn = each["outcomes"].get("drawn")
    if drawn:
        facts[0] += f"; {drawn:,} of the unwinnable are drawn"
    for limit, many in each["limits_hit"].items():
        facts.append(f"{limit} limit reached: {many:,}")
    facts += _exact(each)
    for column in ("fewest_left", "removed", "dealt"):
        if (found := each[column]) is not None:
            over = "" if found["count"] == done else f" (over the {found['count']:,} that have it)"
            facts.append(f"{TITLES[column]}{over}: {_distribution(found)}")
    facts += _spreads(each)
    if each["hardest"]:
        facts.append("hardest deals met: " + ", ".join(map(_hard, each["hardest"][:5])))
    facts.append(_made(each))
    return "\n".join([*lines, "".join(f"* {fact}\n" for fact in facts)])


def _command(each: Summary) -> str:
    """The command that makes the survey anew."""
    limits, words = each["limits"], []
    for name, option, usual in (
        ("seconds", "--timeout", DEFAULT_LIMITS.seconds),
        ("positions", "--max-positions", DEFAULT_LIMITS.positions),
        ("memory", "--memory", DEFAULT_LIMITS.memory),
    ):
        if limits[name] != usual:
            words.append(f"{option} {'none' if limits[name] is None else limits[name]}")
    return " ".join([survey_command(game_of(each), each["deals"]), *words])


def _exact(each: Summary) -> list[str]:
    if each["exact"] is None:
        return []
    found = {key: Fraction(each["exact"][key]) for key in WHAT}
    return [
        f"exactly, over all shuffles: won {decimal(found['won'])} = {found['won']}; no move at all "
        f"{decimal(found['no_move'])} = {found['no_move']}; cards removed, mean "
        f"{decimal(found['removed'], 10)}"
    ]


def _distribution(found: Summary) -> str:
    """``mean 11.989; 0: 6.66 %, 2: 10.10 %, …``."""
    total = found["count"]
    shares = (f"{key}: {percent(many / total, 2)}" for key, many in found["distribution"].items())
    return f"mean {found['mean']:.4f}; {', '.join(shares)}"


def _spreads(each: Summary) -> list[str]:
    found = each["positions"]
    lines = []
    if found is not None:
        lines.append(
            "positions a deal: " + ", ".join(f"{key} {found[name]:,.0f}" for key, name in _POINTS)
        )
    found = each["seconds"]
    if found is not None:
        lines.append(
            "time a deal: " + ", ".join(f"{key} {short_time(found[name])}" for key, name in _POINTS)
        )
    return lines


_POINTS = (("mean", "mean"), ("median", "median"), ("99 %", "p99"), ("most", "most"))


def _hard(row: dict[str, Any]) -> str:
    return f"{row['deal']} ({row['verdict']}, {row['positions']:,} positions)"


def _made(each: Summary) -> str:
    by = each["machine"]
    versions = ", ".join(f"dealproof {_plain(name)}" for name in each["versions"])
    numba = f", numba {by['numba']}" if by["numba"] else ""
    cores = f"{by['cores']} core{'' if by['cores'] == 1 else 's'}"
    return (
        f"made with {versions}; summed up with {_plain(by['python'] + numba)} on "
        f"{_plain(by['system'])}, {_plain(by['cpu'])}, {cores}"
    )
