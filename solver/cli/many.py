"""Commands about many deals: survey, odds, find, results."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rules.errors import DeckError
from solver.cli.inputs import choose_game, complete_words
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

PANEL = "Many deals"

Workers = Annotated[
    str | None,
    typer.Option(
        "--workers", "-w", metavar="N", rich_help_panel="Work",
        help="Worker processes.  Default: the cores it may use.",
    ),
]  # fmt: skip


def register(app: typer.Typer) -> None:
    app.command(rich_help_panel=PANEL)(survey)
    app.command(rich_help_panel=PANEL)(odds)
    app.command(rich_help_panel=PANEL)(find)
    app.command(rich_help_panel=PANEL)(results)


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


def odds(
    name: GameName = None,
    rules: Rules = None,
    option: Settings = None,
    as_json: Json = False,
    no_color: NoColor = False,
    output: OutputFile = None,
) -> None:
    """The exact probability of winning, for pairing games in which no choice matters.

    Over all shuffles, as a fraction; with how many cards are removed in the end.
    """
    game, rest = choose_game([name], rules, option or ())
    if rest:
        raise UsageError(f"{rest[0]}: only a game is wanted here")
    from solver.odds import odds as exact

    found = exact(game)
    with open_output(output, no_color=no_color) as out:
        if as_json:
            from solver.show.text.surveys import odds_record

            out.json(odds_record(found))
            return
        from solver.show.text.surveys import odds_report

        out.show(odds_report(found, out.glyphs, out.width))


def find(
    name: GameName = None,
    rules: Rules = None,
    option: Settings = None,
    winnable: Annotated[
        bool, typer.Option("--winnable", metavar="", rich_help_panel="Wanted", help="Can be won."),
    ] = False,
    unwinnable: Annotated[
        bool,
        typer.Option(
            "--unwinnable", metavar="", rich_help_panel="Wanted", help="Cannot be won, proved."
        ),
    ] = False,
    fewest_left: Annotated[
        str | None,
        typer.Option(
            "--fewest-left", metavar="N", rich_help_panel="Wanted",
            help="Fewest cards that any line leaves: 10, or 8-12.",
        ),
    ] = None,
    at_least: Annotated[
        str | None,
        typer.Option(
            "--positions-at-least", metavar="N", rich_help_panel="Wanted",
            help="Positions that the proof visits, at least.",
        ),
    ] = None,
    at_most: Annotated[
        str | None,
        typer.Option(
            "--positions-at-most", metavar="N", rich_help_panel="Wanted",
            help="Positions that the proof visits, at most.",
        ),
    ] = None,
    rating: Annotated[
        str | None,
        typer.Option(
            "--rating", metavar="WORDS", rich_help_panel="Wanted",
            autocompletion=complete_words("trivial", "easy", "fair", "hard", "fiendish"),
            help="How hard it is to win: trivial, easy, fair, hard, fiendish; several with "
            "commas (see `dealproof rate`).",
        ),
    ] = None,
    first: Annotated[
        str,
        typer.Option(
            "--from", metavar="DEAL", rich_help_panel="Where to look",
            help="The first deal to look at: 1000, ms:1, pysol:1.",
        ),
    ] = "1",
    last: Annotated[
        str | None,
        typer.Option(
            "--to", metavar="N", rich_help_panel="Where to look",
            help="The last number to look at (default: the last there is).",
        ),
    ] = None,
    wanted_many: Annotated[
        str,
        typer.Option(
            "--count", metavar="N", rich_help_panel="Where to look", help="Deals to find."
        ),
    ] = "1",
    timeout: Timeout = None,
    max_positions: MaxPositions = None,
    memory: Memory = None,
    engine: Engine = "auto",
    reductions: Reductions = "all",
    as_json: Json = False,
    no_color: NoColor = False,
    output: OutputFile = None,
) -> int:  # fmt: skip
    """Find the next deals that are as wanted: certainly winnable, hard, nearly won...

    Every verdict is a proof. A deal that hits a limit is passed over, and named on stderr.
    """
    game, rest = choose_game([name], rules, option or ())
    if rest:
        raise UsageError(f"{rest[0]}: only a game is wanted here; say where to look with --from")
    if winnable and unwinnable:
        raise UsageError("give one of --winnable and --unwinnable")
    limits = parse_limits(timeout, max_positions, memory)
    numbering, number, end = _where(first, last)
    many = parse_count(wanted_many, "--count")
    from solver.surveys.find import Wanted
    from solver.surveys.find import find as search

    wanted = Wanted(
        "winnable" if winnable else "unwinnable" if unwinnable else None,
        None if fewest_left is None else _span(fewest_left),
        _positions(at_least, at_most),
        frozenset(filter(None, (rating or "").replace(" ", "").lower().split(","))),
    )
    if rating is not None and not wanted.words:
        raise UsageError("--rating: which words? hard, or hard,fiendish")
    found = search(
        game, wanted, numbering, number, end, limits=limits, engine=engine, reductions=reductions
    )
    from solver.show.text.finds import found_record, found_text

    passed = list[str]()
    left = many
    with open_output(output, no_color=no_color) as out:
        for each in found:
            if each.undecided:
                passed.append(each.row.deal)
                continue
            if as_json:
                out.json(found_record(game, each))
            else:
                out.show(found_text(each), wrap=False)
                out.stream.flush()
            if left is not None:
                left -= 1
                if not left:
                    break
    if passed:
        names = ", ".join(passed[:10]) + (", ..." if len(passed) > 10 else "")
        note(f"not decided within the limits, and passed over: {names} ({len(passed):,} in all)")
    if many is not None and left:
        note(f"{many - left:,} of {many:,} found; there are no more deals to look at")
    return 0


def _where(first: str, last: str | None) -> tuple[str, int, int | None]:
    """Numbering, first and last number to look at."""
    from rules.decks import deal_ranges, last_number

    ranges = deal_ranges(first)
    numbering, number, high = ranges[0]
    if len(ranges) > 1 or high != number:
        raise UsageError(f"--from takes one deal number, not {first[:40]!r}")
    if last is None:
        return numbering, number, None
    text = last.strip().removeprefix(numbering)
    if not (text.isascii() and text.isdecimal() and len(text) <= 21):
        raise UsageError(f"--to: {last[:40]!r} is not a number")
    if not number <= int(text) <= last_number(numbering):
        raise UsageError(
            f"--to: {text} is not between --from ({number}) and {last_number(numbering)}"
        )
    return numbering, number, int(text)


def _span(text: str) -> tuple[int, int]:
    low, dash, high = (part.strip() for part in text.partition("-"))
    if not all(part.isascii() and part.isdecimal() and len(part) < 4
               for part in ([low, high] if dash else [low])):  # fmt: skip
        raise UsageError(f"--fewest-left: {text[:40]!r} is not a number of cards (10, or 8-12)")
    span = int(low), int(high if dash else low)
    if span[0] > span[1]:
        raise UsageError(f"--fewest-left: {text}: the first number is the greater one")
    return span


def _positions(least: str | None, most: str | None) -> tuple[int, int | None] | None:
    if least is None and most is None:
        return None
    low = None if least is None else parse_count(least, "--positions-at-least")
    high = None if most is None else parse_count(most, "--positions-at-most")
    if high is not None and (low or 0) > high:
        raise UsageError("--positions-at-least is more than --positions-at-most")
    return low or 0, high


def results(
    files: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="[FILE.db...]", show_default=False,
            help="Surveys whose summaries are to be kept as well.",
        ),
    ] = None,
    folder: Annotated[
        Path,
        typer.Option("--kept", metavar="FOLDER", help="Where the kept summaries are."),
    ] = Path("docs/results"),
    output: OutputFile = None,
) -> None:  # fmt: skip
    """Write the results page (Markdown) from the summaries of surveys that are kept.

    With surveys, their summaries are kept first, each under its file's name. One whose deals
    are not done without gaps is left out, and named.
    """
    import json

    from solver.surveys.published import ResultsError, keep, read_kept
    from solver.surveys.store import Store

    fresh = []
    for path in files or ():
        with Store.read(path) as store:
            try:
                fresh.append((folder / f"{path.stem}.json", keep(store)))
            except ResultsError as error:
                note(f"{error}; left out")
    if fresh:
        folder.mkdir(parents=True, exist_ok=True)
    for place, summary in fresh:
        with open_output(place) as out:
            out.stream.write(json.dumps(summary, indent=1, ensure_ascii=False) + "\n")
    kept = read_kept(folder)
    if not kept:
        raise ResultsError(f"{folder}: no summaries are kept there; give surveys (FILE.db...)")
    from solver.show.json.fits import misfit
    from solver.show.json.schemas import schema
    from solver.show.text.results_page import results_page

    for name, summary in kept.items():
        fault = misfit(schema("results"), summary)
        if fault is not None:
            raise ResultsError(f"{name}: not a kept summary ({fault})")
    page = results_page(kept)
    with open_output(output) as out:
        out.stream.write(page)
