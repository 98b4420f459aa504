"""bench: speed and work, and a comparison with a saved run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from solver.cli.inputs import complete_reductions, complete_words
from solver.cli.options import (
    SEARCH,
    GameOptions,
    LimitOptions,
    OutputOptions,
    arg,
    opt,
)
from solver.cli.output import Output, note, open_output
from solver.cli.terms import UsageError, either
from solver.verdict import ENGINES as SEARCHES

if TYPE_CHECKING:
    from rules.game import Game
    from solver.bench import Measure

ENGINES = (*SEARCHES[1:], "batch")
EXAMPLES = (
    "dealproof bench block-ten 1-100 --save before.json",
    "dealproof bench block-ten 1-100 --compare before.json",
)


def bench(
    source: GameOptions,
    limits: LimitOptions,
    output: OutputOptions,
    deals: Annotated[
        list[str] | None,
        arg("[DEALS]", "A range of deals (1-100); without it and a game, a standard set."),
    ] = None,
    engine: Annotated[
        list[str] | None,
        opt(
            "--engine ENGINE", f"{either(ENGINES)}; repeatable. Without it, all that the game has.",
            SEARCH, complete=complete_words(*ENGINES),
        ),
    ] = None,
    reductions: Annotated[
        str,
        opt(
            "--reductions NAMES", "all, none, or names separated by commas.", SEARCH,
            complete=complete_reductions,
        ),
    ] = "all",
    save: Annotated[
        Path | None, opt("--save FILE", "Save the run as a baseline (JSON).")
    ] = None,
    against: Annotated[
        Path | None,
        opt(
            "--compare FILE",
            "Compare with a saved run; exit code 1 if a count (never a time) has changed.",
        ),
    ] = None,
) -> int:  # fmt: skip
    """Measure speed and work: deals and positions a second, positions and time per deal.

    Engines take turns on each deal, so their ratios hold on a noisy machine.
    """
    from solver import bench as benches

    baseline = None if against is None else _read(against)
    cases = _cases(source, deals or [], engine or [], reductions)
    measures: list[Measure] = []
    with output.open() as out:
        for game, first, last, engines in cases:
            new = benches.measure(game, first, last, engines, limits.limits, reductions)
            measures += new
            if not output.json:
                from solver.show.text.benches import measure_table

                out.show(measure_table(new))
        document = benches.report(measures)
        if output.json:
            out.json(document, indent=2)
        if save is not None:
            with open_output(save) as file:
                file.write(json.dumps(document, indent=2) + "\n")
        return 0 if baseline is None else _compare(baseline, document, out, output.json)


def _cases(
    source: GameOptions, deals: list[str], engines: list[str], reductions: str
) -> list[tuple[Game[Any], int, int, tuple[str, ...]]]:
    from solver import bench as benches

    for name in engines:
        if name not in ENGINES:
            raise UsageError(f"--engine: {name!r} is not one of {', '.join(ENGINES)}")
    if source.game is None and source.rules is None:
        if source.changes:
            raise UsageError("--option: name a game to change its options")
        return [
            (game, first, last, tuple(e for e in all_of if not engines or e in engines))
            for game, first, last, all_of in benches.default_cases()
            if not engines or set(all_of) & set(engines)
        ]
    game, rest = source.choose(*deals)
    known = benches.default_cases([game.name])
    usual = known[0][3] if known else benches.searches(game, reductions)
    if not rest:
        first, last = (known[0][1], known[0][2]) if known else (1, 100)
    else:
        first, last = _range(rest)
    return [(game, first, last, tuple(engines) or usual)]


def _range(words: list[str]) -> tuple[int, int]:
    """One range of plain deal numbers; raises `UsageError` for anything else."""
    from rules.decks import count_deals

    text = ",".join(words)
    low, _, high = text.partition("-")
    if not (low.isdecimal() and (high or low).isdecimal()):
        raise UsageError(f"bench takes one range of plain deal numbers (1-100), not {text!r}")
    if count_deals(text) > 10_000_000:
        raise UsageError(f"{text}: at most 10,000,000 deals at a time")
    return int(low), int(high or low)


_MOST_BYTES = 16 << 20


def _read(path: Path) -> dict[str, Any]:
    with open(path, "rb") as stream:
        text = stream.read(_MOST_BYTES + 1)
    if len(text) > _MOST_BYTES:
        raise UsageError(f"{path}: too large for a saved benchmark")
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise UsageError(f"{path}: not a saved benchmark (JSON)") from None
    from solver.show.json.fits import misfit
    from solver.show.json.schemas import schema

    fault = misfit(schema("bench"), data)
    if fault is not None:
        raise UsageError(f"{path}: not a saved benchmark ({fault})")
    found: dict[str, Any] = data
    return found


def _compare(baseline: dict[str, Any], now: dict[str, Any], out: Output, as_json: bool) -> int:
    from solver.bench import compare

    changed, notes = compare(baseline, now)
    for line in changed:
        note(f"count changed: {line}")
    if not as_json:
        for line in notes:
            out.show(line, wrap=False)
        out.show("counts differ" if changed else "all counts are as in the baseline", wrap=False)
    return 1 if changed else 0
