"""survey: the verdicts of many deals, in a file, and the report on it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from rules.errors import DealproofError, DeckError
from solver.cli.codes import Exit
from solver.cli.options import (
    OUTPUT,
    SOME_DEALS,
    EngineOptions,
    GameOptions,
    LimitOptions,
    OutputOptions,
    arg,
    opt,
)
from solver.cli.output import note, open_output
from solver.cli.progress import watching
from solver.cli.terms import UsageError, parse_count

if TYPE_CHECKING:
    from solver.surveys.store import Settings

WORK = "Work"
MOST_WORKERS = 1024
EXAMPLES = (
    "dealproof survey block-ten 1-10000",
    "dealproof survey --report block-ten.db --html page.html",
    "dealproof survey --report block-ten.db --csv - > rows.csv",
)


def survey(
    source: GameOptions,
    limits: LimitOptions,
    search: EngineOptions,
    output: OutputOptions,
    deals: Annotated[list[str] | None, arg("DEALS...", SOME_DEALS)] = None,
    file: Annotated[
        Path | None, opt("--file -f FILE.db", "Where the rows go; without it, GAME.db.", WORK)
    ] = None,
    workers: Annotated[
        str | None,
        opt("--workers -w N", "Worker processes; without it, the cores it may use.", WORK),
    ] = None,
    cluster: Annotated[
        str | None,
        opt(
            "--cluster ADDRESS", "Send the work to a Dask scheduler, such as tcp://host:8786.", WORK
        ),
    ] = None,
    retry_errors: Annotated[
        bool, opt("--retry-errors", "Solve deals with an error row again.", WORK)
    ] = False,
    report: Annotated[
        Path | None,
        opt("--report FILE.db", "Solve nothing; report what the file holds.", OUTPUT),
    ] = None,
    csv: Annotated[
        Path | None,
        opt(
            "--csv FILE", "Write the rows as CSV, too (with - nothing but them, to stdout).", OUTPUT
        ),
    ] = None,
    html: Annotated[
        Path | None,
        opt(
            "--html FILE",
            "Write the report as a page, too (with - nothing but the page, to stdout).",
            OUTPUT,
        ),
    ] = None,
    parquet: Annotated[
        Path | None,
        opt("--parquet FILE", "Write the rows to a Parquet file, too (extra: parquet).", OUTPUT),
    ] = None,
) -> int:
    """Solve many deals into a file, and report how many can be won.

    Started again, it goes on where it stopped. --memory is for all workers together.
    """
    alone = [name for name, path in (("--csv", csv), ("--html", html)) if str(path) == "-"]
    alone += ["--json"] if output.json else []
    if len(alone) > 1:
        raise UsageError(f"{' and '.join(alone)} cannot both have stdout")
    if report is not None:
        if source.game or deals or source.rules or source.changes:
            raise UsageError("--report takes no game and no deals, they are in the file")
        path = report
    else:
        processes = None if workers is None else parse_count(workers, "--workers")
        if processes is not None and processes > MOST_WORKERS:
            raise UsageError(f"--workers: {processes:,} is more than {MOST_WORKERS:,}")
        game, rest = source.choose(*(deals or ()))
        if not rest:
            raise DeckError("which deals? a range such as 1-10000")
        from solver.surveys.run import settings_for

        settings = settings_for(game, ",".join(rest), limits=limits.limits, **search.choice)
        path = file if file is not None else Path(f"{game.name}.db")
        _run(settings, path, processes, cluster, retry_errors)
    from solver.surveys.store import Store

    with Store.read(path) as store, output.open() as out:
        if parquet is not None:
            from solver.surveys.exports import write_parquet

            write_parquet(store, parquet)
            note(f"rows written to {parquet}")
        if csv is not None:
            from solver.surveys.exports import write_csv

            with open_output(csv) as rows:
                write_csv(store, rows.stream)
        from solver.surveys.summary import summarize

        summary = summarize(store)
        if html is not None:
            from solver.show.web.survey_page import survey_page

            with open_output(html) as page:
                page.write(survey_page(summary))
        if output.json:
            from solver.show.json.surveys import surveyed

            out.json(surveyed(summary))
        elif not alone:
            from solver.show.text.surveys import survey_report

            out.show(survey_report(summary, out.glyphs, out.width))
    return Exit.DONE


def _run(
    settings: Settings, path: Path, workers: int | None, cluster: str | None, retry: bool
) -> None:
    """Make the survey, watched; an interrupt says what is kept."""
    from solver.surveys.run import survey as run
    from solver.surveys.store import Store

    total = len(settings.deals)
    try:
        with watching(total) as watch:
            run(settings, path, workers=workers, cluster=cluster, retry=retry, watch=watch.survey)
    except KeyboardInterrupt:
        if not path.exists():
            raise
        try:
            with Store.read(path) as store:
                done = sum(store.counts().values())
        except DealproofError:  # it came before the file was made
            raise KeyboardInterrupt from None
        raise KeyboardInterrupt(
            f"{done:,} of {total:,} deals are in {path}; the same command goes on from there"
        ) from None
