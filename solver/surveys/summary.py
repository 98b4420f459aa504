"""What a survey says: counts, intervals, distributions; from its file to plain values.

The summary is one JSON-able dictionary, of which tables, HTML and the results page are only
renderings. Everything but ``seconds`` is the same whoever did the work in whatever order.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from rules.game import Game
from solver.stats import clopper_pearson, quantile, wilson
from solver.surveys.store import ERROR, VERDICTS, Deals, Row, Settings, Store

HARDEST: Final = 10
COUNTED: Final = ("fewest_left", "removed", "dealt")
"""Columns with few different values, whose whole distribution is given."""

Summary = dict[str, Any]


def summarize(store: Store) -> Summary:
    """The summary of an open survey; see the module."""
    settings, connection = store.settings, store.connection
    counts = store.counts()
    summary: Summary = {
        "game": settings.game,
        "title": settings.title,
        "family": settings.family,
        "options": dict(settings.options),
        "deals": str(settings.deals),
        "total": len(settings.deals),
        "done": sum(counts.values()),
        "counts": counts,
        "winnability": winnability(
            counts["winnable"], counts["unwinnable"], counts["unknown"] + counts[ERROR]
        ),
        "limits": {
            "seconds": settings.seconds,
            "positions": settings.positions,
            "memory": settings.memory,
        },
        "limits_hit": _grouped(store, "limit_hit"),
        "reductions": list(settings.reductions),
        "engines": _grouped(store, "engine"),
        "versions": _grouped(store, "version"),
        "outcomes": _grouped(store, "outcome"),
    }
    for column in ("positions", "seconds"):
        values = [
            value
            for (value,) in connection.execute(
                f"SELECT {column} FROM deals WHERE {column} IS NOT NULL ORDER BY {column}"
            )
        ]
        summary[column] = spread(values)
    for column in COUNTED:
        found = connection.execute(
            f"SELECT {column}, COUNT(*) FROM deals WHERE {column} IS NOT NULL "
            f"GROUP BY {column} ORDER BY {column}"
        )
        summary[column] = counted(dict(found))
    summary["hardest"] = [
        {"deal": row.deal, "verdict": row.verdict, "positions": row.positions}
        for row in _hardest(store)
    ]
    summary["errors"] = [
        {"deal": row.deal, "note": row.note}
        for _, row in zip(range(HARDEST), store.rows(f"verdict = '{ERROR}'"), strict=False)
    ]
    return summary


def read_survey(path: str | Path) -> Summary:
    """The summary of the survey in the file *path*; raises `StoreError` if it is none."""
    with Store.read(Path(path)) as store:
        return summarize(store)


def game_of(summary: Summary) -> Game[Any]:
    """The game of a summary; raises a `DealproofError` if this version has none like it."""
    options = tuple(summary["options"].items())
    return Settings(
        summary["game"], summary["family"], summary["title"], options, Deals(()), None, None, None,
        "auto", (),
    ).make_game()  # fmt: skip


def winnability(won: int, lost: int, undecided: int) -> Summary:
    """The share of winnable deals with both 95 % intervals.

    Deals without a verdict (a limit, an error) bound it on both sides: the low ends take
    them as lost, the high ends as won. ``share`` is None while they leave it open.
    """
    total = won + lost + undecided
    best = won + undecided
    return {
        "won": won,
        "lost": lost,
        "undecided": undecided,
        "deals": total,
        "low": won / total if total else 0.0,
        "high": best / total if total else 1.0,
        "share": won / total if total and not undecided else None,
        "wilson": [wilson(won, total)[0], wilson(best, total)[1]],
        "clopper_pearson": [clopper_pearson(won, total)[0], clopper_pearson(best, total)[1]],
    }


def spread(ordered: list[float]) -> Summary | None:
    """Mean, quantiles and a histogram (four bins a decade) of *ordered* values."""
    if not ordered:
        return None
    return {
        "count": len(ordered),
        "mean": math.fsum(ordered) / len(ordered),
        "least": ordered[0],
        "median": quantile(ordered, 0.5),
        "p90": quantile(ordered, 0.9),
        "p99": quantile(ordered, 0.99),
        "most": ordered[-1],
        "histogram": histogram(ordered),
    }


def histogram(values: Iterable[float]) -> list[tuple[float, float, int]]:
    """``(low, high, count)`` for bins that grow by the fourth root of ten; zeros apart."""
    bins: dict[int | None, int] = {}
    for value in values:
        place = math.floor(math.log10(value) * 4 + 1e-9) if value > 0 else None
        bins[place] = bins.get(place, 0) + 1
    found: list[tuple[float, float, int]] = []
    if None in bins:
        found.append((0.0, 0.0, bins.pop(None)))
    if bins:
        places = [place for place in bins if place is not None]
        found += [
            (10 ** (place / 4), 10 ** ((place + 1) / 4), bins.get(place, 0))
            for place in range(min(places), max(places) + 1)
        ]
    return found


def counted(counts: dict[int, int]) -> Summary | None:
    """Mean and distribution of a column with few different values."""
    total = sum(counts.values())
    if not total:
        return None
    mean = sum(value * count for value, count in counts.items()) / total
    square = sum(value * value * count for value, count in counts.items()) / total
    return {
        "count": total,
        "mean": mean,
        "deviation": math.sqrt(max(0.0, square - mean * mean)),
        "distribution": {str(value): count for value, count in counts.items()},
    }


def _grouped(store: Store, column: str) -> dict[str, int]:
    return dict(
        store.connection.execute(
            f"SELECT {column}, COUNT(*) FROM deals WHERE {column} IS NOT NULL "
            f"GROUP BY {column} ORDER BY {column}"
        )
    )


def _hardest(store: Store) -> list[Row]:
    """The deals with the most positions."""
    rows = store.rows("positions IS NOT NULL", f"positions DESC, place LIMIT {HARDEST}")
    return list(rows)


__all__ = [
    "COUNTED",
    "VERDICTS",
    "Summary",
    "counted",
    "game_of",
    "spread",
    "summarize",
    "winnability",
]
