"""explain: a line of play with the other moves at each step, or why the deal is lost."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from solver.cli.codes import exit_code
from solver.cli.inputs import choose_game, take_one
from solver.cli.options import (
    After,
    DealName,
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
from solver.cli.output import Output, open_output
from solver.cli.terms import UsageError, parse_count, parse_limits

if TYPE_CHECKING:
    from solver.analysis.explanations import Explanation


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
    return exit_code(found.result.verdict)


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
