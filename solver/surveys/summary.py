"""What a survey says: counts, intervals, distributions; from its file to plain values.

The summary is one typed record, of which tables, HTML and the results page are only
renderings. Everything but ``seconds`` is the same whoever did the work in whatever order.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Final

from msgspec import Meta, Struct, structs

from rules.game import Game
from solver.odds import survey_command
from solver.stats import Count, Quantiles, clopper_pearson, wilson
from solver.surveys.store import ERROR, Row, RowVerdict, Store, surveyed_game
from solver.verdict import DEFAULT_LIMITS, LimitName

HARDEST: Final = 10
COUNTED: Final = ("fewest_left", "removed", "dealt")
"""Columns with few different values, whose whole distribution is given."""
MEASURED: Final = ("positions", "seconds")
"""Columns with many different values, given by their quantiles and a histogram."""

_Proportion = Annotated[float, Meta(ge=0, le=1)]
_Amount = Annotated[float, Meta(ge=0)]
_Ends = tuple[_Proportion, _Proportion]
_Deal = Annotated[str, Meta(max_length=40)]
_Tally = dict[str, Count]


class _Part(Struct, kw_only=True):
    """A part of a summary."""


class Winnability(_Part):
    """The share of winnable deals with both 95 % intervals.

    Deals without a verdict (a limit, an error) bound it on both sides: the low ends take
    them as lost, the high ends as won. ``share`` is null while they leave it open.
    """

    won: Count
    lost: Count
    undecided: Count
    deals: Count
    low: _Proportion
    high: _Proportion
    share: _Proportion | None
    wilson: _Ends
    clopper_pearson: _Ends


class SurveyLimits(_Part):
    """The limits on each deal; ``memory``: bytes, for all workers together."""

    seconds: _Amount | None
    positions: Count | None
    memory: Count | None


class Spread(Quantiles):
    """How the values of a column are spread."""

    count: Count
    min: _Amount
    histogram: list[tuple[_Amount, _Amount, Count]]

    @property
    def is_counted(self) -> bool:
        """Whether there is more to it than zeros."""
        return self.max > 0


class Distribution(_Part):
    """How often each value of a column occurs."""

    count: Count
    mean: _Amount
    deviation: _Amount
    distribution: dict[Count, Count]


class HardDeal(_Part):
    """A deal whose proof took many positions."""

    deal: _Deal
    verdict: RowVerdict
    positions: Count


class FailedDeal(_Part):
    """A deal whose worker died over it or that broke the solver."""

    deal: _Deal
    note: str | None


class Summary(_Part):
    """What a survey's file holds."""

    game: Annotated[str, Meta(description="the game's name")]
    title: Annotated[str, Meta(description="the game's name in words")]
    family: Annotated[str, Meta(description="the family of games")]
    options: Annotated[dict[str, str], Meta(description="every option of the game, as text")]
    deals: Annotated[str, Meta(description="the deals of the survey, as ranges")]
    total: Annotated[Count, Meta(description="deals of the survey")]
    done: Annotated[Count, Meta(description="deals with a row in the file")]
    counts: Annotated[dict[RowVerdict, Count], Meta(description="deals by verdict")]
    winnability: Annotated[Winnability, Meta(description="the share of winnable deals")]
    limits: Annotated[SurveyLimits, Meta(description="the limits on each deal")]
    limits_hit: Annotated[
        dict[LimitName, Count], Meta(description="deals by the limit that was reached")
    ]
    reductions: Annotated[
        list[str], Meta(description="the reductions in force, which change no verdict")
    ]
    engines: Annotated[_Tally, Meta(description="deals by engine")]
    versions: Annotated[_Tally, Meta(description="deals by the version of dealproof")]
    outcomes: Annotated[
        _Tally, Meta(description="deals by outcome, for games that are played, not searched")
    ]
    positions: Annotated[Spread | None, Meta(description="positions visited, deal by deal")]
    seconds: Annotated[Spread | None, Meta(description="time taken, deal by deal")]
    fewest_left: Annotated[
        Distribution | None, Meta(description="the fewest cards that any line leaves")
    ]
    removed: Annotated[
        Distribution | None, Meta(description="cards removed when nothing more can be")
    ]
    dealt: Annotated[Distribution | None, Meta(description="cards dealt when the game ended")]
    hardest: Annotated[
        list[HardDeal], Meta(description="the deals whose proofs took the most positions")
    ]
    errors: Annotated[
        list[FailedDeal], Meta(description="the first deals that could not be solved")
    ]

    @property
    def made_game(self) -> Game:
        """The game; raises a `DealproofError` if this version has none like it."""
        return surveyed_game(self.game, self.family, self.title, self.options)

    @property
    def command(self) -> str:
        """The command that makes the survey anew."""
        limits, words = self.limits, []
        for value, option, usual in (
            (limits.seconds, "--timeout", DEFAULT_LIMITS.seconds),
            (limits.positions, "--max-positions", DEFAULT_LIMITS.positions),
            (limits.memory, "--memory", DEFAULT_LIMITS.memory),
        ):
            if value != usual:
                text = f"{value:g}" if isinstance(value, float) else value
                words.append(f"{option} {'none' if value is None else text}")
        return " ".join([survey_command(self.made_game, self.deals), *words])

    def distributions(self) -> dict[str, Distribution]:
        """The columns of `COUNTED` that there are."""
        found = {name: getattr(self, name) for name in COUNTED}
        return {name: each for name, each in found.items() if each is not None}

    def spreads(self) -> dict[str, Spread]:
        """The columns of `MEASURED` that there are."""
        found = {name: getattr(self, name) for name in MEASURED}
        return {name: each for name, each in found.items() if each is not None}


def summarize(store: Store) -> Summary:
    """The summary of an open survey; see the module."""
    settings = store.settings
    counts = store.counts()
    return Summary(
        game=settings.game,
        title=settings.title,
        family=settings.family,
        options=dict(settings.options),
        deals=str(settings.deals),
        total=len(settings.deals),
        done=sum(counts.values()),
        counts=counts,
        winnability=winnability(
            counts["winnable"], counts["unwinnable"], counts["unknown"] + counts[ERROR]
        ),
        limits=SurveyLimits(
            seconds=settings.seconds, positions=settings.positions, memory=settings.memory
        ),
        limits_hit=store.tally("limit_hit"),
        reductions=list(settings.reductions),
        engines=store.tally("engine"),
        versions=store.tally("version"),
        outcomes=store.tally("outcome"),
        positions=spread(store.values("positions")),
        seconds=spread(store.values("seconds")),
        fewest_left=counted(store.tally("fewest_left")),
        removed=counted(store.tally("removed")),
        dealt=counted(store.tally("dealt")),
        hardest=[
            HardDeal(deal=row.deal, verdict=row.verdict, positions=row.positions or 0)
            for row in _hardest(store)
        ],
        errors=[
            FailedDeal(deal=row.deal, note=row.note)
            for _, row in zip(range(HARDEST), store.rows(f"verdict = '{ERROR}'"), strict=False)
        ],
    )


def read_survey(path: str | Path) -> Summary:
    """The summary of the survey in the file *path*; raises `StoreError` if it is none."""
    with Store.read(Path(path)) as store:
        return summarize(store)


def winnability(won: int, lost: int, undecided: int) -> Winnability:
    total = won + lost + undecided
    best = won + undecided
    return Winnability(
        won=won,
        lost=lost,
        undecided=undecided,
        deals=total,
        low=won / total if total else 0.0,
        high=best / total if total else 1.0,
        share=won / total if total and not undecided else None,
        wilson=(wilson(won, total)[0], wilson(best, total)[1]),
        clopper_pearson=(clopper_pearson(won, total)[0], clopper_pearson(best, total)[1]),
    )


def spread(ordered: list[float]) -> Spread | None:
    """Mean, quantiles and a histogram (four bins a decade) of *ordered* values."""
    if not ordered:
        return None
    return Spread(
        **structs.asdict(Quantiles.of(ordered)),
        count=len(ordered),
        min=ordered[0],
        histogram=histogram(ordered),
    )


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


def counted(counts: dict[int, int]) -> Distribution | None:
    """Mean and distribution of a column with few different values."""
    total = sum(counts.values())
    if not total:
        return None
    mean = sum(value * count for value, count in counts.items()) / total
    square = sum(value * value * count for value, count in counts.items()) / total
    return Distribution(
        count=total,
        mean=mean,
        deviation=math.sqrt(max(0.0, square - mean * mean)),
        distribution=counts,
    )


def _hardest(store: Store) -> list[Row]:
    """The deals with the most positions."""
    return list(store.rows("positions IS NOT NULL", f"positions DESC, place LIMIT {HARDEST}"))
