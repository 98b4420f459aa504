"""What others have published, and how our surveys and exact odds agree with it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from benchmarks.results.kept import Kept
from rules.registry import get_game
from solver.stats import Agreement, agreement, share_error
from solver.surveys.summary import Summary


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
        return summary.game == game.name and summary.options == game.all_options()


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


def comparisons(kept: Kept, figures: Sequence[Figure] = PUBLISHED) -> Iterator[Comparison]:
    """The survey of *kept* against the exact odds, and both against the *figures* for its game.

    A difference between shares is measured in its standard error: that of the sample against
    exact odds, the pooled one between two samples.
    """
    sources = [("survey", *_surveyed(kept, what), what) for what in ("won", "no_move", "removed")]
    if kept.exact is not None:
        for _, value, deals, what in sources:
            if value is not None:
                truth = float(Fraction(getattr(kept.exact, what)))
                error = _error(kept, what, truth, deals)
                yield Comparison(
                    what, "survey", value, "exact odds", truth, agreement(value, truth, error)
                )
    for figure in figures:
        if not figure.is_of(kept):
            continue
        if kept.exact is not None:
            truth = float(Fraction(getattr(kept.exact, figure.what)))
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


def _surveyed(kept: Kept, what: str, near: float = 0.0) -> tuple[float | None, int]:
    """The survey's figure (None if it has none) and its number of deals.

    Deals without a verdict leave a span of shares; the one closest to *near* is taken.
    """
    if what == "won":
        found = kept.winnability
        return min(max(near, found.low), found.high), found.deals
    removed = kept.removed
    if removed is None:
        return None, 0
    if what == "removed":
        return removed.mean, removed.count
    return removed.distribution.get(0, 0) / removed.count, removed.count


def _error(kept: Kept, what: str, value: float, deals: int) -> float:
    """The standard error of a figure found in *deals* deals."""
    if what != "removed":
        return share_error(value, deals)
    source = kept.exact or kept.removed
    assert source is not None
    return source.deviation / math.sqrt(deals)
