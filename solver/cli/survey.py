"""survey: the verdicts of many deals, in a file, and the report on it."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rules.errors import DeckError
from solver.cli.inputs import choose_game
from solver.cli.options import (
    DealNames,
    Engine,
    GameName,
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
from solver.cli.output import note, open_output
from solver.cli.terms import UsageError, parse_count, parse_limits

if TYPE_CHECKING:
    from solver.surveys.run import Progress


Workers = Annotated[
    str | None,
    typer.Option(
        "--workers", "-w", metavar="N", rich_help_panel="Work",
        help="Worker processes.  Default: the cores it may use.",
    ),
]  # fmt: skip


def survey(
    name: GameName = None,
    deals: DealNames = None,
    rules: Rules = None,
    option: Settings = None,
    file: Annotated[
        Path | None,
        typer.Option(
            "--file", "-f", metavar="FILE.db", rich_help_panel="Work",
            help="Where the rows go.  Default: GAME.db.",
        ),
    ] = None,
    workers: Workers = None,
    cluster: Annotated[
        str | None,
        typer.Option(
            "--cluster", metavar="ADDRESS", rich_help_panel="Work",
            help="Send the work to a Dask scheduler, such as tcp://host:8786.",
        ),
    ] = None,
    retry_errors: Annotated[
        bool,
        typer.Option(
            "--retry-errors", metavar="", rich_help_panel="Work",
            help="Solve deals with an error row again.",
        ),
    ] = False,
    timeout: Timeout = None,
    max_positions: MaxPositions = None,
    memory: Memory = None,
    engine: Engine = "auto",
    reductions: Reductions = "all",
    report: Annotated[
        Path | None,
        typer.Option(
            "--report", metavar="FILE.db", rich_help_panel="Output",
            help="Solve nothing; report what the file holds.",
        ),
    ] = None,
    as_json: Json = False,
    as_csv: Annotated[
        bool, typer.Option("--csv", metavar="", rich_help_panel="Output", help="The rows as CSV."),
    ] = False,
    as_html: Annotated[
        bool,
        typer.Option(
            "--html", metavar="", rich_help_panel="Output", help="The report as one HTML page."
        ),
    ] = False,
    parquet: Annotated[
        Path | None,
        typer.Option(
            "--parquet", metavar="FILE", rich_help_panel="Output",
            help="Also write the rows to a Parquet file (extra: parquet).",
        ),
    ] = None,
    no_color: NoColor = False,
    output: OutputFile = None,
) -> int:  # fmt: skip
    """Solve many deals into a file, and report how many can be won.

    Started again, it goes on where it stopped. --memory is for all workers together.
    """
    if as_json + as_csv + as_html > 1:
        raise UsageError("give one of --json, --csv and --html")
    if report is not None:
        if name or deals or rules or option:
            raise UsageError("--report takes no game and no deals, they are in the file")
        path = report
    else:
        limits = parse_limits(timeout, max_positions, memory)
        processes = None if workers is None else parse_count(workers, "--workers")
        if processes is not None and processes > 1024:
            raise UsageError(f"--workers: {processes:,} is more than 1,024")
        game, rest = choose_game([name, *(deals or ())], rules, option or ())
        if not rest:
            raise DeckError("which deals? a range such as 1-10000")
        from solver.surveys.run import settings_for
        from solver.surveys.run import survey as run

        settings = settings_for(
            game, ",".join(rest), limits=limits, engine=engine, reductions=reductions
        )
        path = file if file is not None else Path(f"{game.name}.db")
        with _progress(len(settings.deals)) as watch:
            run(settings, path, workers=processes, cluster=cluster, retry=retry_errors, watch=watch)
    from solver.surveys.store import Store

    with Store.read(path) as store, open_output(output, no_color=no_color) as out:
        if parquet is not None:
            from solver.surveys.exports import write_parquet

            write_parquet(store, parquet)
            note(f"rows written to {parquet}")
        if as_csv:
            from solver.surveys.exports import write_csv

            write_csv(store, out.stream)
            return 0
        from solver.show.json.records import SCHEMA
        from solver.surveys.summary import summarize

        summary = summarize(store)
        if as_json:
            out.json({"schema": SCHEMA} | summary)
        elif as_html:
            from solver.show.web.survey_page import survey_page

            out.stream.write(survey_page(summary))
        else:
            from solver.show.text.surveys import survey_report

            out.show(survey_report(summary, out.glyphs, out.width))
    return 0


@contextlib.contextmanager
def _progress(total: int) -> Iterator[Callable[[Progress], None] | None]:
    """A progress bar on stderr, if that is a terminal: rate, time left, running estimate."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    from solver.stats import wilson

    columns = (
        BarColumn(bar_width=None), MofNCompleteColumn(), TextColumn("{task.fields[rate]}"),
        TimeElapsedColumn(), TimeRemainingColumn(), TextColumn("{task.fields[estimate]}"),
    )  # fmt: skip
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=total, rate="", estimate="")

        def watch(progress: Any) -> None:
            found = progress.found
            decided = found["winnable"] + found["unwinnable"]
            low, high = wilson(found["winnable"], decided)
            estimate = ""
            if decided:
                share = found["winnable"] / decided
                estimate = f"winnable {100 * share:.2f} % ± {50 * (high - low):.2f}"
            bar.update(
                task, completed=progress.done, rate=f"{progress.rate:,.1f}/s", estimate=estimate
            )

        yield watch
