"""Commands that prove: solve and explain."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from solver.cli.certificates import CertificateFile, write_certificate
from solver.cli.inputs import choose_game, take, take_one
from solver.cli.options import (
    After,
    DealName,
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
from solver.cli.output import Output, note, open_output
from solver.cli.terms import UsageError, parse_count, parse_limits
from solver.verdict import Result, Verdict

if TYPE_CHECKING:
    from solver.analysis.explanations import Explanation

PANEL = "Prove"
CODES = {Verdict.WINNABLE: 0, Verdict.UNWINNABLE: 1, Verdict.UNKNOWN: 3}


def register(app: typer.Typer) -> None:
    app.command(rich_help_panel=PANEL)(solve)
    app.command(rich_help_panel=PANEL)(explain)


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
            write_certificate(certificate, result, limits)
    return CODES[result.verdict] if givens.total == 1 else 0


def _show_one(out: Output, result: Result, label: str) -> None:
    from solver.show.text.lines import result_tree
    from solver.show.text.results import stats_text, verdict_text

    out.show(verdict_text(result, label))
    if result.line:
        out.show()
        out.show(result_tree(result, out.glyphs))
        out.show()
    out.show(stats_text(result, out.glyphs))


def explain(
    name: GameName = None,
    deal: DealName = None,
    rules: Rules = None,
    option: Settings = None,
    deck: DeckText = None,
    position: PositionFile = None,
    after: After = None,
    budget: Annotated[
        str,
        typer.Option(
            "--budget", metavar="N", rich_help_panel="Limits",
            help="Positions to visit for each of the other moves.",
        ),
    ] = "200000",
    full: Annotated[
        bool,
        typer.Option(
            "--full", metavar="", rich_help_panel="Output",
            help="Do not fold the steps at which no move does worse; give all the reasons.",
        ),
    ] = False,
    depth: Annotated[
        int,
        typer.Option(
            "--depth", metavar="N", min=0, max=999, rich_help_panel="Output",
            help="Moves of a continuation to show with each other move.",
        ),
    ] = 0,
    width: Annotated[
        int | None,
        typer.Option(
            "--width", metavar="N", min=0, max=999, rich_help_panel="Output",
            help="Other moves to show at each decision (default: all).",
        ),
    ] = None,
    plain: Annotated[
        bool,
        typer.Option(
            "--plain", metavar="", rich_help_panel="Output",
            help="A row for each move, without drawings and colours.",
        ),
    ] = False,
    html: Annotated[
        Path | None,
        typer.Option(
            "--html", metavar="FILE", rich_help_panel="Output",
            help="Write a page to step through, too (with - nothing but the page, to stdout).",
        ),
    ] = None,
    timeout: Timeout = None,
    max_positions: MaxPositions = None,
    memory: Memory = None,
    engine: Engine = "auto",
    reductions: Reductions = "all",
    as_json: Json = False,
    no_color: NoColor = False,
    output: OutputFile = None,
) -> int:  # fmt: skip
    """Show a line of play with the other moves at each step, or why the deal is lost.

    Moves marked ! are critical: every other one does worse; at ? some do. For a deal that
    cannot be won: facts that hold for every line, and the tries that come nearest. Exit
    codes as for solve.
    """
    limits = parse_limits(timeout, max_positions, memory)
    positions = parse_count(budget, "--budget")
    game, rest = choose_game([name, *(deal or ())], rules, option or ())
    given = take_one(game, rest, deck, position, after)
    as_page = html is not None and str(html) == "-"
    if as_page and as_json:
        raise UsageError("--html - and --json cannot both have stdout")
    from solver.analysis.explanations import explain as analyse

    with ExitStack() as files:
        out = files.enter_context(open_output(output, no_color=no_color))
        page = None if html is None else files.enter_context(open_output(html))
        found = analyse(
            game, given.what, limits=limits, budget=positions, engine=engine,
            reductions=reductions, depth=depth,
        )  # fmt: skip
        if page is not None:
            from solver.show.replays import replay_of
            from solver.show.web.replay_page import replay_html

            page.stream.write(replay_html(replay_of(found, given.label)))
        if as_page:
            pass
        elif as_json:
            from solver.show.json.records import explanation_record

            out.json(explanation_record(found, given.source))
        elif plain:
            from solver.show.text.explanations import plain_rows
            from solver.show.text.results import verdict_text

            out.stream.write(verdict_text(found.result, given.label).plain + "\n")
            out.stream.writelines(row + "\n" for row in plain_rows(found, most=width))
        else:
            _show_explanation(out, found, given.label, full, width)
    return CODES[found.result.verdict]


def _show_explanation(
    out: Output, found: Explanation, label: str, full: bool, most: int | None
) -> None:
    from solver.show.text.explanations import decisions_text, explanation_tree, reasons_text
    from solver.show.text.results import stats_text, verdict_text

    out.show(verdict_text(found.result, label))
    if found.reasons is not None:
        out.show()
        out.show(reasons_text(found.reasons, out.glyphs, full=full))
    out.show()
    out.show(explanation_tree(found, out.glyphs, width=out.width, full=full, most=most))
    decisions = decisions_text(found)
    if decisions is not None:
        out.show()
        out.show(decisions)
    out.show()
    out.show(stats_text(found.result, out.glyphs))
