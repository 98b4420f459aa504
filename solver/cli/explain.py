"""explain: a line of play with the other moves at each step, or why the deal is lost."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

from solver.analysis.explanations import BUDGET, Explanation
from solver.analysis.explanations import explain as analyse
from solver.cli.codes import exit_code
from solver.cli.options import (
    LIMITS,
    OUTPUT,
    DealOptions,
    EngineOptions,
    LimitOptions,
    OutputOptions,
    opt,
)
from solver.cli.output import Output, open_output
from solver.cli.progress import watching
from solver.cli.terms import UsageError, count_text, parse_count

EXAMPLES = (
    "dealproof explain single-left 3",
    "dealproof explain decade 1 --after '4H+6C'",
    "dealproof explain single-left 4 --html page.html",
)


def explain(
    source: DealOptions,
    limits: LimitOptions,
    search: EngineOptions,
    output: OutputOptions,
    budget: Annotated[
        str, opt("--budget N", "Positions to visit for each of the other moves.", LIMITS)
    ] = count_text(BUDGET),
    full: Annotated[
        bool,
        opt(
            "--full",
            "Do not fold the steps at which no move does worse; give all the reasons.",
            OUTPUT,
        ),
    ] = False,
    depth: Annotated[
        int,
        opt(
            "--depth N", "Moves of a continuation to show with each other move.", OUTPUT,
            least=0, most=999,
        ),
    ] = 0,
    width: Annotated[
        int | None,
        opt(
            "--width N", "Other moves to show at each decision; without it, all.", OUTPUT,
            least=0, most=999,
        ),
    ] = None,
    plain: Annotated[
        bool, opt("--plain", "A row for each move, without drawings and colours.", OUTPUT)
    ] = False,
    html: Annotated[
        Path | None,
        opt(
            "--html FILE",
            "Write a page to step through, too (with - nothing but the page, to stdout).",
            OUTPUT,
        ),
    ] = None,
) -> int:  # fmt: skip
    """Show a line of play with the other moves at each step, or why the deal is lost.

    Moves marked ! are critical: every other one does worse; at ? some do. For a deal that
    cannot be won: facts that hold for every line, and the tries that come nearest. The exit
    code tells the verdict.
    """
    positions = parse_count(budget, "--budget")
    game, given = source.take()
    as_page = html is not None and str(html) == "-"
    if as_page and output.json:
        raise UsageError("--html - and --json cannot both have stdout")

    with ExitStack() as files:
        out = files.enter_context(output.open())
        page = None if html is None else files.enter_context(open_output(html))
        with watching() as watch:
            watch.begin(given.label)
            found = analyse(
                game, given.what, limits=limits.limits, budget=positions, depth=depth,
                **search.choice,
            )  # fmt: skip
        if page is not None:
            from solver.show.replays import replay_of
            from solver.show.web.replay_page import replay_html

            page.write(replay_html(replay_of(found, given.label)))
        if as_page:
            pass
        elif output.json:
            from solver.show.json.analyses import explained

            out.json(explained(found, given.source))
        elif plain:
            from solver.show.text.explanations import plain_rows
            from solver.show.text.results import verdict_text

            out.write(verdict_text(found.result, given.label).plain + "\n")
            out.write("".join(row + "\n" for row in plain_rows(found, most=width)))
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
