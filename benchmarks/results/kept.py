"""Kept summaries: what remains of a survey when its file is gone.

A survey's summary with the exact odds, where the game has them, and the machine that it was kept
on: a small JSON file in docs/results/, from which docs/results.md is written.
"""

from __future__ import annotations

import functools
import json
import math
import os
import platform
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Final

import msgspec
from msgspec import Meta

from rules.errors import DealproofError
from rules.game import Game
from rules.registry import all_games, get_game
from solver.odds import Odds, OddsError, odds, why_not
from solver.show.json.base import FractionText, Record
from solver.show.json.reading import read
from solver.surveys.pool import cores
from solver.surveys.store import Store
from solver.surveys.summary import Summary, summarize

KEPT: Final = 2
"""The version of the form of kept summaries."""


class ResultsError(DealproofError):
    """A survey whose summary cannot be kept, or a file that is no kept summary."""


class Exact(Record):
    """Exact odds: fractions as text."""

    won: FractionText
    no_move: FractionText
    removed: FractionText
    deviation: Annotated[float, Meta(ge=0)]
    distribution: dict[int, float]


class Machine(Record):
    """What a summary was made on."""

    cpu: str
    cores: int
    system: str
    python: str
    numba: str | None


class Kept(Summary, tag_field="kept", tag=KEPT):
    """A summary as it is kept."""

    exact: Exact | None
    machine: Machine


def keep(store: Store) -> Kept:
    """The summary of an open survey as it is kept.

    Raises `ResultsError` unless the deals done are the first ones of the list: with gaps, those
    that take long might be the ones that are missing.
    """
    summary = summarize(store)
    if not summary.done:
        raise ResultsError(f"{store.path}: no deal of it is done")
    if any(first < summary.done for first, _ in store.gaps()):
        raise ResultsError(
            f"{store.path}: {summary.done:,} of {summary.total:,} deals are done, with gaps "
            "between them; run the survey to its end"
        )
    found = {name: getattr(summary, name) for name in Summary.__struct_fields__}
    return Kept(**found, exact=exact(summary), machine=machine())


def text_of(kept: Kept) -> str:
    """The file of a kept summary."""
    return json.dumps(msgspec.to_builtins(kept), indent=1, ensure_ascii=False) + "\n"


def exact(summary: Summary) -> Exact | None:
    """The exact odds of the game of *summary*; None if it has none."""
    game = summary.made_game
    if why_not(game) is not None:
        return None
    try:
        found = _odds(game)
    except OddsError:  # too large
        return None
    mean = found.mean_removed
    square = sum(
        (count * count * chance for count, chance in found.distribution.items()), Fraction()
    )
    return Exact(
        won=str(found.winning),
        no_move=str(found.no_move),
        removed=str(mean),
        deviation=math.sqrt(float(square - mean * mean)),
        distribution={count: float(part) for count, part in found.distribution.items()},
    )


@functools.lru_cache(maxsize=64)
def _odds(game: Game) -> Odds:
    return odds(game)


def machine() -> Machine:
    """What this is running on."""
    return Machine(
        cpu=_cpu(),
        cores=cores(),
        system=platform.system(),
        python=f"{platform.python_implementation()} {platform.python_version()}",
        numba=_version_of("numba"),
    )


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


def read_kept(folder: Path, fresh: Mapping[str, Kept] | None = None) -> dict[str, Kept]:
    """All kept summaries in *folder* by their files' names without the ending.

    Those in *fresh* take the place of files of their names. Registered games come first, in
    their order; then games with changed options. Raises a `DealproofError` if a file there is
    no kept summary, and `OSError` if there is no such folder.
    """
    found = dict(fresh or {})
    if not found or folder.is_dir():
        for path in sorted(folder.iterdir()):
            if path.suffix == ".json" and path.stem not in found:
                found[path.stem] = _read(path)
    place = {game.name: index for index, game in enumerate(all_games())}

    def order(item: tuple[str, Kept]) -> tuple[bool, int, str]:
        summary = item[1]
        changed = summary.game not in place or (
            summary.options != get_game(summary.game).all_options()
        )
        return changed, place.get(summary.game, len(place)), json.dumps(summary.options)

    return dict(sorted(found.items(), key=order))


def _read(path: Path) -> Kept:
    kept = read(path, Kept, "a kept summary")
    try:
        _ = kept.made_game
    except DealproofError as error:
        raise ResultsError(f"{path}: {error}") from None
    counts = [kept.done, kept.winnability.deals]
    counts += [found.count for found in kept.distributions().values()]
    counts += [found.count for found in kept.spreads().values()]
    if not all(counts):
        raise ResultsError(f"{path}: not a kept summary (a count of deals is 0)")
    if not all(found.distribution for found in kept.distributions().values()):
        raise ResultsError(f"{path}: not a kept summary (a distribution is empty)")
    for spread in kept.spreads().values():
        if not spread.histogram or not all(
            0 < low < high or low == high == 0 for low, high, _ in spread.histogram
        ):
            raise ResultsError(f"{path}: not a kept summary (a histogram is out of order)")
    if kept.exact is not None:
        for fraction in (kept.exact.won, kept.exact.no_move, kept.exact.removed):
            if fraction.endswith("/0"):
                raise ResultsError(f"{path}: not a kept summary ({fraction} is no fraction)")
    return kept
