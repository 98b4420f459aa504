"""bench: speed and work, and a comparison with a saved run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from solver.cli.inputs import choose_game, complete_game, complete_words
from solver.cli.options import (
    Json,
    MaxPositions,
    Memory,
    NoColor,
    OutputFile,
    Reductions,
    Rules,
    Settings,
    Timeout,
)
from solver.cli.output import Output, note, open_output
from solver.cli.terms import UsageError, parse_limits

if TYPE_CHECKING:
    from rules.game import Game
    from solver.bench import Measure


def bench(
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[GAME [DEALS]]", show_default=False, autocompletion=complete_game,
            help="A game and a range of its deals (1-100); without them, a standard set.",
        ),
    ] = None,
    rules: Rules = None,
    option: Settings = None,
    engine: Annotated[
        list[str] | None,
        typer.Option(
            "--engine", metavar="ENGINE", rich_help_panel="Search",
            autocompletion=complete_words("compiled", "reference", "batch"),
            help="compiled, reference or batch; repeatable (default: all that the game has).",
        ),
    ] = None,
    timeout: Timeout = None,
    max_positions: MaxPositions = None,
    memory: Memory = None,
    reductions: Reductions = "all",
    save: Annotated[
        Path | None,
        typer.Option("--save", metavar="FILE", help="Save the run as a baseline (JSON)."),
    ] = None,
    against: Annotated[
        Path | None,
        typer.Option(
            "--compare", metavar="FILE",
            help="Compare with a saved run; exit code 1 if a count (never a time) has changed.",
        ),
    ] = None,
    as_json: Json = False,
    no_color: NoColor = False,
    output: OutputFile = None,
) -> int:  # fmt: skip
    """Measure speed and work: deals and positions a second, positions and time per deal.

    Engines take turns on each deal, so their ratios hold on a noisy machine.
    """
    from solver import bench as benches

    limits = parse_limits(timeout, max_positions, memory)
    baseline = None if against is None else _read(against)
    cases = _cases(words or [], rules, option or [], engine or [])
    measures: list[Measure] = []
    with open_output(output, no_color=no_color) as out:
        for game, first, last, engines in cases:
            new = benches.measure(game, first, last, engines, limits, reductions)
            measures += new
            if not as_json:
                from solver.show.text.benches import measure_table

                out.show(measure_table(new))
                out.stream.flush()
        document = benches.report(measures)
        if as_json:
            out.json(document, indent=2)
        if save is not None:
            with open_output(save) as file:
                file.stream.write(json.dumps(document, indent=2) + "\n")
        return 0 if baseline is None else _compare(baseline, document, out, as_json)


def _cases(
    words: list[str], rules: Path | None, option: list[str], engines: list[str]
) -> list[tuple[Game[Any], int, int, tuple[str, ...]]]:
    from solver import bench as benches

    for name in engines:
        if name not in benches.ENGINES:
            raise UsageError(f"--engine: {name!r} is not one of {', '.join(benches.ENGINES)}")
    if not words and rules is None:
        if option:
            raise UsageError("--option: name a game to change its options")
        return [
            (game, first, last, tuple(e for e in all_of if not engines or e in engines))
            for game, first, last, all_of in benches.default_cases()
            if not engines or set(all_of) & set(engines)
        ]
    game, rest = choose_game(words, rules, option)
    known = benches.default_cases([game.name])
    usual = known[0][3] if known else ("compiled", "reference")
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
