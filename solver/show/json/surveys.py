"""What `survey`, `find`, `odds`, `bench` and `check` print with ``--json``."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta, structs

from rules.game import Game
from solver.analysis.ratings import Word
from solver.bench import Measure, ratios
from solver.odds import Odds
from solver.proof.certificate import Certificate
from solver.proof.checker import Checked
from solver.show.json.base import (
    SCHEMA,
    Amount,
    CardsDealt,
    Count,
    DealName,
    Document,
    FewestLeft,
    FractionText,
    OfGame,
    Options,
    Outcome,
    Proportion,
    Proved,
    Record,
    of_game,
    rounded,
)
from solver.stats import Quantiles
from solver.surveys.find import Found
from solver.surveys.summary import Summary

Engine = Annotated[str, Meta(pattern="^(compiled|reference|batch)$")]


class Surveyed(Summary, tag_field="schema", tag=SCHEMA):
    """What a survey's file holds."""


class FoundDeal(OfGame):
    """A deal that is as wanted; one object a line."""

    deal: Annotated[DealName, Meta(description="the deal's number with its numbering")]
    verdict: Annotated[Proved, Meta(description="winnable or unwinnable, both proved")]
    fewest_left: FewestLeft
    outcome: Outcome
    dealt: CardsDealt
    removed: Annotated[Count | None, Meta(description="cards removed when nothing more can be")]
    positions: Annotated[Count | None, Meta(description="positions visited")]
    engine: Annotated[str, Meta(description="what decided it")]
    version: Annotated[str, Meta(description="the version of dealproof that decided it")]
    word: Annotated[
        Word | None, Meta(description="how hard the deal is to win, where that was asked")
    ]
    guesswork: Annotated[
        Amount | None,
        Meta(description="bits of luck needed to win along the line without looking ahead"),
    ]


class ExactOdds(OfGame):
    """Exact odds, as fractions and as decimals."""

    winning: Annotated[FractionText, Meta(description="the probability of winning, a fraction")]
    winning_decimal: Annotated[Proportion, Meta(description="the same as a decimal")]
    no_move: Annotated[
        FractionText,
        Meta(description="the probability that no card can ever be removed, a fraction"),
    ]
    no_move_decimal: Annotated[Proportion, Meta(description="the same as a decimal")]
    mean_removed: Annotated[
        FractionText, Meta(description="the expected number of cards removed, a fraction")
    ]
    mean_removed_decimal: Annotated[Amount, Meta(description="the same as a decimal")]
    removed: Annotated[
        dict[Count, FractionText],
        Meta(description="the probability of each number of cards removed, as fractions"),
    ]
    removed_decimal: Annotated[dict[Count, Proportion], Meta(description="the same as decimals")]
    states: Annotated[Count, Meta(description="states that were counted")]


class BenchCounts(Record):
    """Counts that are the same on every machine.

    ``digest``: of every deal's verdict and positions.
    """

    winnable: Count
    unwinnable: Count
    unknown: Count
    positions: Count
    digest: Annotated[str, Meta(pattern="^[0-9a-f]{16}$")]


class Measured(Record):
    """One engine on a range of deals of one game; rates are per second of wall-clock time."""

    name: str
    game: str
    options: Options
    engine: Engine
    deals: Count
    counts: BenchCounts
    seconds: Amount
    deals_per_second: Amount | None
    positions_per_second: Amount | None
    positions_per_deal: Quantiles
    seconds_per_deal: Quantiles | None
    memory: Count


class Faster(Record):
    """How many times as many deals a second as the slowest engine."""

    game: str
    engine: Engine
    against: Engine
    ratio: Amount


class Benched(Document):
    """A run of measurements; what --save writes and --compare reads."""

    python: Annotated[str, Meta(description="the version of Python")]
    machine: Annotated[str, Meta(description="the kind of processor")]
    measures: Annotated[
        list[Measured], Meta(description="what was measured of each engine on each game")
    ]
    ratios: Annotated[
        list[Faster],
        Meta(description="how many times as many deals a second as the slowest engine"),
    ]


class CheckedCertificate(Document):
    """The checker's word on a certificate; one object a line."""

    file: Annotated[str, Meta(description="the file's name")]
    accepted: Annotated[
        bool, Meta(description="whether everything that the certificate claims is proved")
    ]
    reason: Annotated[str | None, Meta(description="why the certificate was refused")]
    game: Annotated[str | None, Meta(description="the game's name")]
    title: Annotated[str | None, Meta(description="the game's name in words")]
    options: Annotated[Options | None, Meta(description="every option of the game, as text")]
    given: Annotated[str | None, Meta(description="what the certificate is about, in words")]
    verdict: Annotated[Proved | None, Meta(description="winnable or unwinnable, as claimed")]
    fewest_left: FewestLeft
    reductions: Annotated[
        list[str] | None, Meta(description="the reductions that the certificate names")
    ]
    positions: Annotated[Count | None, Meta(description="positions checked")]
    moves: Annotated[Count | None, Meta(description="moves checked")]
    seconds: Annotated[Amount | None, Meta(description="time taken")]


def surveyed(summary: Summary) -> Surveyed:
    return Surveyed(**{key: getattr(summary, key) for key in Summary.__struct_fields__})


def found_deal(game: Game, found: Found) -> FoundDeal:
    """``word`` and ``guesswork`` are null unless a rating was asked for."""
    row = found.row
    assert row.verdict in ("winnable", "unwinnable")
    return FoundDeal(
        **of_game(game),
        deal=row.deal,
        verdict=row.verdict,
        fewest_left=row.fewest_left,
        outcome=row.outcome,
        dealt=row.dealt,
        removed=row.removed,
        positions=row.positions,
        engine=row.engine or "",
        version=row.version,
        word=found.word,
        guesswork=found.guesswork,
    )


def exact_odds(found: Odds) -> ExactOdds:
    return ExactOdds(
        **of_game(found.game),
        winning=str(found.winning),
        winning_decimal=float(found.winning),
        no_move=str(found.no_move),
        no_move_decimal=float(found.no_move),
        mean_removed=str(found.mean_removed),
        mean_removed_decimal=float(found.mean_removed),
        removed={count: str(chance) for count, chance in found.distribution.items()},
        removed_decimal={count: float(chance) for count, chance in found.distribution.items()},
        states=found.states,
    )


def measured(measure: Measure) -> Measured:
    total, seconds = sum(measure.positions), measure.seconds
    return Measured(
        name=measure.name,
        **of_game(measure.game),
        engine=measure.engine,
        deals=measure.deals,
        counts=BenchCounts(
            winnable=measure.winnable,
            unwinnable=measure.unwinnable,
            unknown=measure.unknown,
            positions=total,
            digest=measure.digest,
        ),
        seconds=seconds,
        deals_per_second=measure.deals / seconds if seconds else None,
        positions_per_second=total / seconds if seconds else None,
        positions_per_deal=Quantiles.of(measure.positions),
        seconds_per_deal=Quantiles.of(measure.times) if measure.times else None,
        memory=measure.memory,
    )


def benched(measures: Sequence[Measure]) -> Benched:
    return Benched(
        python=platform.python_version(),
        machine=platform.machine(),
        measures=[measured(each) for each in measures],
        ratios=[
            Faster(game=each.game, engine=each.engine, against=each.against, ratio=each.ratio)
            for each in ratios(measures)
        ],
    )


def changes(baseline: Benched, now: Benched) -> tuple[list[str], list[str]]:
    """What changed since *baseline*: differences in counts, and notes on speed.

    Measurements that only one has are noted. Speed is only ever a note.
    """
    before = {each.name: each for each in baseline.measures}
    changed, notes = [], []
    for each in now.measures:
        old = before.pop(each.name, None)
        if old is None:
            notes.append(f"{each.name}: not in the baseline")
            continue
        theirs = structs.asdict(old.counts)
        for key, value in structs.asdict(each.counts).items():
            if theirs[key] != value:
                changed.append(f"{each.name}: {key} {theirs[key]} -> {value}")
        if old.seconds and each.seconds:
            notes.append(f"{each.name}: {old.seconds / each.seconds:.2f} times the speed")
    notes.extend(f"{name}: only in the baseline" for name in before)
    return changed, notes


def checked(
    path: Path,
    certificate: Certificate | None,
    title: str | None,
    done: Checked | None,
    reason: str | None,
) -> CheckedCertificate:
    """*certificate*: None if the file is none; *done*: None if it was refused, for *reason*."""
    return CheckedCertificate(
        file=str(path),
        accepted=done is not None,
        reason=reason,
        title=title,
        **_claimed(certificate),
        positions=done.positions if done else None,
        moves=done.moves if done else None,
        seconds=rounded(done.seconds) if done else None,
    )


def _claimed(certificate: Certificate | None) -> dict[str, Any]:
    if certificate is None:
        keys = ("game", "options", "given", "verdict", "fewest_left", "reductions")
        return dict.fromkeys(keys)
    return {
        **of_game(certificate.game),
        "given": certificate.given.label,
        "verdict": certificate.verdict,
        "fewest_left": certificate.fewest_left,
        "reductions": list(certificate.reductions),
    }
