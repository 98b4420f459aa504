"""The record of surveys: their kept summaries, and how they agree with what others found.

A kept summary is a survey's summary (`solver.surveys.summary`) with the exact odds, where the game
has them, and the machine that it was kept on: a small JSON file, from which docs/results.md is
written. The databases need not be kept.
"""

from __future__ import annotations

import functools
import json
import math
import os
import platform
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

from rules.errors import DealproofError
from rules.registry import all_games, get_game
from solver.odds import OddsError, odds, why_not
from solver.stats import Agreement, agreement, share_error
from solver.surveys.pool import cores
from solver.surveys.store import Store
from solver.surveys.summary import Summary, game_of, summarize

KEPT: Final = 1
"""The version of the form of kept summaries."""


class ResultsError(DealproofError):
    """A survey whose summary cannot be kept, or a file that is no kept summary."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure that somebody else has published.

    ``what``: ``won`` or ``no_move`` (shares of the deals), or ``removed`` (a mean number of
    cards). ``rounding``: half a unit of the last place given; 0 for a count.
    """

    game: str
    changes: tuple[tuple[str, str], ...]
    what: str
    value: float
    rounding: float
    deals: int
    source: str

    def is_of(self, summary: Summary) -> bool:
        game = get_game(self.game).with_options(dict(self.changes))
        return bool(summary["game"] == game.name and summary["options"] == game.all_options())


SOURCES: Final = {
    "Politaire": "Jan Wolter, [Experimental Analysis of Several Simple Pair Removal "
    "Games](https://politaire.com/article/simplepairs.html)",
    "Masten": "page on Ten-Twenty-Thirty",
}
_MASTENS_FORM: Final = (
    ("loop", "true"), ("where", "top"), ("group_min", "3"), ("group_max", "3"),
    ("forced", "false"), ("win_at", "1"),
)  # fmt: skip

PUBLISHED: Final = (
    Figure("block-ten", (), "won", 0.0367, 0.00005, 1_000_000, "Politaire"),
    Figure("block-ten", (), "removed", 12.0, 0.05, 1_000_000, "Politaire"),
    Figure("block-ten", (), "no_move", 0.0665, 0.00005, 1_000_000, "Politaire"),
    Figure("tens", (), "won", 0.0913, 0.00005, 1_000_000, "Politaire"),
    Figure("tens", (), "removed", 14.7, 0.05, 1_000_000, "Politaire"),
    Figure("tens", (), "no_move", 0.0226, 0.00005, 1_000_000, "Politaire"),
    Figure("decade", _MASTENS_FORM, "won", 0.984315, 0.0, 1_000_000, "Masten"),
)


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two figures for one thing and the test of their agreement.

    ``ours`` and ``theirs`` say where each is from; ``value`` is ours, ``other`` theirs.
    """

    what: str
    ours: str
    value: float
    theirs: str
    other: float
    test: Agreement


def keep(store: Store) -> Summary:
    """The summary of an open survey as it is kept.

    Raises `ResultsError` unless the deals done are the first ones of the list: with gaps, those
    that take long might be the ones that are missing.
    """
    summary = summarize(store)
    if not summary["done"]:
        raise ResultsError(f"{store.path}: no deal of it is done")
    if any(first < summary["done"] for first, _ in store.gaps()):
        raise ResultsError(
            f"{store.path}: {summary['done']:,} of {summary['total']:,} deals are done, with gaps "
            "between them; run the survey to its end"
        )
    return {"kept": KEPT} | summary | {"exact": exact(summary), "machine": machine()}


def exact(summary: Summary) -> dict[str, Any] | None:
    """The exact odds of the game of *summary*: fractions as text; None if it has none."""
    game = game_of(summary)
    if why_not(game) is not None:
        return None
    try:
        found = _odds(game)
    except OddsError:  # too large
        return None
    mean = found.mean_removed
    square = sum(count * count * chance for count, chance in found.distribution.items())
    return {
        "won": str(found.winning),
        "no_move": str(found.no_move),
        "removed": str(mean),
        "deviation": math.sqrt(float(square - mean * mean)),
        "distribution": {str(count): float(part) for count, part in found.distribution.items()},
    }


_odds = functools.lru_cache(maxsize=64)(odds)


def machine() -> dict[str, Any]:
    """What this is running on."""
    return {
        "cpu": _cpu(),
        "cores": cores(),
        "system": platform.system(),
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "numba": _version_of("numba"),
    }


def _cpu() -> str:
    name = ""
    if os.path.exists("/proc/cpuinfo"):
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as lines:
            name = next((ln.partition(":")[2] for ln in lines if ln.startswith("model name")), "")
    return " ".join((name or platform.processor() or platform.machine() or "unknown").split())


def _version_of(name: str) -> str | None:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(name)
    except PackageNotFoundError:
        return None


def read_kept(folder: Path) -> dict[str, Summary]:
    """All kept summaries in *folder* by their files' names.

    Registered games come first, in their order; then games with changed options.

    Raises `ResultsError` if a file there is none, and `OSError` if there is no such folder.
    """
    names = [name for name in sorted(os.listdir(folder)) if name.endswith(".json")]
    found = {str(folder / name): _read(folder / name) for name in names}
    place = {game.name: index for index, game in enumerate(all_games())}

    def order(item: tuple[str, Summary]) -> tuple[bool, int, str]:
        summary = item[1]
        changed = summary["game"] not in place or (
            summary["options"] != get_game(summary["game"]).all_options()
        )
        return changed, place.get(summary["game"], len(place)), json.dumps(summary["options"])

    return dict(sorted(found.items(), key=order))


_NEEDED: Final = (
    "game", "title", "family", "options", "deals", "total", "done", "counts", "winnability",
    "limits", "limits_hit", "outcomes", "versions", "positions", "seconds", "fewest_left",
    "removed", "dealt", "hardest", "exact", "machine",
)  # fmt: skip


MOST_BYTES: Final = 4 << 20
"""The largest file that is looked into; kept summaries have some ten thousand bytes."""


def _read(path: Path) -> Summary:
    with path.open("rb") as file:
        content = file.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise ResultsError(f"{path}: not a kept summary (over {MOST_BYTES:,} bytes)")
    try:
        data = json.loads(content.decode("utf-8"))
        json.dumps(data, ensure_ascii=False).encode("utf-8")  # no half of a surrogate pair
    except (ValueError, RecursionError):
        raise ResultsError(f"{path}: not a kept summary (no JSON)") from None
    if not isinstance(data, dict) or data.get("kept") != KEPT:
        raise ResultsError(f"{path}: not a kept summary of this version's form")
    missing = [key for key in _NEEDED if key not in data]
    if missing:
        raise ResultsError(f"{path}: not a kept summary (without {missing[0]!r})")
    for key in ("game", "title"):
        if not isinstance(data[key], str):
            raise ResultsError(f"{path}: not a kept summary (its {key} is no text)")
    try:
        game_of(data)
    except (DealproofError, TypeError, AttributeError) as error:
        raise ResultsError(f"{path}: {error}") from None
    return data


def comparisons(kept: Summary, figures: Sequence[Figure] = PUBLISHED) -> Iterator[Comparison]:
    """The survey of *kept* against the exact odds, and both against the *figures* for its game.

    A difference between shares is measured in its standard error: that of the sample against
    exact odds, the pooled one between two samples.
    """
    sources = [("survey", *_surveyed(kept, what), what) for what in ("won", "no_move", "removed")]
    if kept["exact"] is not None:
        for _, value, deals, what in sources:
            if value is not None:
                truth = float(Fraction(kept["exact"][what]))
                error = _error(kept, what, truth, deals)
                yield Comparison(
                    what, "survey", value, "exact odds", truth, agreement(value, truth, error)
                )
    for figure in figures:
        if not figure.is_of(kept):
            continue
        if kept["exact"] is not None:
            truth = float(Fraction(kept["exact"][figure.what]))
            error = _error(kept, figure.what, truth, figure.deals)
            yield Comparison(
                figure.what, "exact odds", truth, figure.source, figure.value,
                agreement(truth, figure.value, error, figure.rounding),
            )  # fmt: skip
        value, deals = _surveyed(kept, figure.what, near=figure.value)
        if value is not None:
            both = (value * deals + figure.value * figure.deals) / (deals + figure.deals)
            error = math.hypot(
                _error(kept, figure.what, both, deals),
                _error(kept, figure.what, both, figure.deals),
            )
            yield Comparison(
                figure.what, "survey", value, figure.source, figure.value,
                agreement(value, figure.value, error, figure.rounding),
            )  # fmt: skip


def _surveyed(kept: Summary, what: str, near: float = 0.0) -> tuple[float | None, int]:
    """The survey's figure (None if it has none) and its number of deals.

    Deals without a verdict leave a span of shares; the one closest to *near* is taken.
    """
    if what == "won":
        found = kept["winnability"]
        return min(max(near, found["low"]), found["high"]), found["deals"]
    removed = kept["removed"]
    if removed is None:
        return None, 0
    if what == "removed":
        return removed["mean"], removed["count"]
    return removed["distribution"].get("0", 0) / removed["count"], removed["count"]


def _error(kept: Summary, what: str, value: float, deals: int) -> float:
    """The standard error of a figure found in *deals* deals."""
    if what != "removed":
        return share_error(value, deals)
    source = kept["exact"] if kept["exact"] is not None else kept["removed"]
    return float(source["deviation"]) / math.sqrt(deals)
