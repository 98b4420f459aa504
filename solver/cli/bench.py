"""bench: speed and work, and a comparison with a saved run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from rules.words import either
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
from solver.cli.terms import UsageError
from solver.verdict import ENGINES as SEARCHES

if TYPE_CHECKING:
    from rules.game import Game
    from solver.bench import Measure
    from solver.show.json.surveys import Benched

ENGINES = (*SEARCHES[1:], "batch")
MOST_DEALS = 10_000_000
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
        from solver.show.json.surveys import benched

        document = benched(measures)
        if output.json:
            out.json(document, indent=2)
        if save is not None:
            with open_output(save) as file:
                file.json(document, indent=2)
        return 0 if baseline is None else _compare(baseline, document, out, output.json)


def _cases(
    source: GameOptions, deals: list[str], engines: list[str], reductions: str
) -> list[tuple[Game, int, int, tuple[str, ...]]]:
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
    if count_deals(text) > MOST_DEALS:
        raise UsageError(f"{text}: at most {MOST_DEALS:,} deals at a time")
    return int(low), int(high or low)


def _read(path: Path) -> Benched:
    from solver.show.json.reading import read
    from solver.show.json.surveys import Benched

    return read(path, Benched, "a saved benchmark")


def _compare(baseline: Benched, now: Benched, out: Output, as_json: bool) -> int:
    from solver.show.json.surveys import changes

    changed, notes = changes(baseline, now)
    for line in changed:
        note(f"count changed: {line}")
    if not as_json:
        for line in notes:
            out.show(line, wrap=False)
        out.show("counts differ" if changed else "all counts are as in the baseline", wrap=False)
    return 1 if changed else 0
