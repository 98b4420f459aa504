"""solve: prove whether deals can be won, and show the winning lines."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rules.errors import DealproofError
from solver.cli.codes import exit_code
from solver.cli.inputs import choose_game, take
from solver.cli.options import (
    After,
    DealNames,
    DeckText,
    Engine,
    GameName,
    Json,
    MaxPositions,
    Memory,
    NoColor,
    OutputFile,
    PositionFile,
    Reductions,
    Rules,
    Settings,
    Timeout,
)
from solver.cli.output import Output, note, open_output, replacing
from solver.cli.terms import UsageError, parse_limits
from solver.verdict import Limits, Result, Verdict

CertificateFile = Annotated[
    Path | None,
    typer.Option(
        "--certificate", metavar="FILE", rich_help_panel="Output",
        help="Write a proof of the verdict on one deal, for `dealproof check`.",
    ),
]  # fmt: skip


def solve(
    name: GameName = None,
    deals: DealNames = None,
    rules: Rules = None,
    option: Settings = None,
    deck: DeckText = None,
    position: PositionFile = None,
    after: After = None,
    contest: Annotated[
        Path | None,
        typer.Option(
            "--contest", metavar="FILE", rich_help_panel="Game and deal",
            help="ten-twenty-thirty only: value lists in the contest's form in, its output out.",
        ),
    ] = None,
    timeout: Timeout = None,
    max_positions: MaxPositions = None,
    memory: Memory = None,
    engine: Engine = "auto",
    reductions: Reductions = "all",
    exhaustive: Annotated[
        bool,
        typer.Option(
            "--exhaustive", metavar="", rich_help_panel="Search",
            help="Search even a game in which no choice matters.",
        ),
    ] = False,
    shortest: Annotated[
        bool,
        typer.Option(
            "--shortest", metavar="", rich_help_panel="Search",
            help="Look for a winning line of fewest moves, and prove it where possible.",
        ),
    ] = False,
    line: Annotated[
        bool,
        typer.Option(
            "--line", metavar="", rich_help_panel="Output",
            help="Only the winning line, its moves apart by blanks, as `verify` reads it.",
        ),
    ] = False,
    certificate: CertificateFile = None,
    as_json: Json = False,
    no_color: NoColor = False,
    output: OutputFile = None,
) -> int:  # fmt: skip
    """Prove whether deals can be won, and show the winning line.

    One deal: exit code 0 winnable, 1 unwinnable, 3 unknown. Several: 0 when done.
    """
    limits = parse_limits(timeout, max_positions, memory)
    game, rest = choose_game([name, *(deals or ())], rules, option or ())
    if contest is not None:
        if rest or deck or position or after:
            raise UsageError("--contest brings its own deals")
        if as_json or line:
            raise UsageError("--contest has an output form of its own, without --json or --line")
        from solver.cli.contest import run_contest

        return run_contest(game, contest, output)
    givens = take(game, rest, deck, position, after)
    if certificate is not None and givens.total != 1:
        raise UsageError(f"--certificate goes with one deal, not {givens.total:,}")
    from dealproof import solve as prove

    with open_output(output, no_color=no_color) as out:
        results = (
            (
                given,
                prove(
                    game, given.what, limits=limits, engine=engine, reductions=reductions,
                    exhaustive=exhaustive, shortest=shortest,
                ),
            )
            for given in givens.deals
        )  # fmt: skip
        if as_json:
            from solver.show.json.records import result_record

            for given, result in results:
                out.json(result_record(result, given.source))
        elif line:
            for _, result in results:
                out.stream.write(" ".join(map(str, result.line or ())) + "\n")
                out.stream.flush()
        elif givens.total == 1:
            given, result = next(results)
            _show_one(out, result, given.label)
        else:
            from solver.show.text.results import Tally, row_text

            tally = Tally()
            width = 12
            for given, result in results:
                tally.add(result)
                width = max(width, len(given.name))
                out.show(row_text(result, given.name, width), wrap=False)
                out.stream.flush()
            out.show(tally.text(), wrap=False)
    if certificate is not None:
        if result.verdict is Verdict.UNKNOWN:
            note("no certificate is written: nothing is proved")
        else:
            _write_certificate(certificate, result, limits)
    return exit_code(result.verdict) if givens.total == 1 else 0


def _write_certificate(path: Path, result: Result, limits: Limits) -> None:
    """Write *result*'s certificate to *path*, beside it first and then moved into place."""
    from solver.certify import certify

    try:
        data = certify(result, limits=limits).to_bytes()
    except DealproofError as error:
        raise type(error)(f"no certificate: {error}") from None
    with replacing(path) as file:
        file.write_bytes(data)


def _show_one(out: Output, result: Result, label: str) -> None:
    from solver.show.text.lines import result_tree
    from solver.show.text.results import stats_text, verdict_text

    out.show(verdict_text(result, label))
    if result.line:
        out.show()
        out.show(result_tree(result, out.glyphs))
        out.show()
    out.show(stats_text(result, out.glyphs))
