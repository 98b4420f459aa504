"""solve: prove whether deals can be won, and show the winning lines."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated

from rules.errors import DealproofError
from solver.cli.codes import Exit, exit_code
from solver.cli.inputs import Given, Givens
from solver.cli.options import (
    GAME,
    OUTPUT,
    SEARCH,
    DealsOptions,
    EngineOptions,
    LimitOptions,
    OutputOptions,
    opt,
)
from solver.cli.output import Output, note, replacing
from solver.cli.progress import Watch, watching
from solver.cli.terms import UsageError
from solver.solve import solve as prove
from solver.verdict import Limits, Result, Verdict

EXAMPLES = (
    "dealproof solve single-left 4",
    "dealproof solve block-ten 1-100",
    "dealproof solve single-left 4 --after 'TH>JC'",
    "dealproof solve decade 1-20 --json --output verdicts.json",
)

ADVICE = "; `dealproof survey` keeps verdicts in a file and goes on where it stopped"


def solve(
    source: DealsOptions,
    limits: LimitOptions,
    search: EngineOptions,
    output: OutputOptions,
    contest: Annotated[
        Path | None,
        opt(
            "--contest FILE",
            "ten-twenty-thirty only: value lists in the contest's form in, its output out.",
            GAME,
        ),
    ] = None,
    exhaustive: Annotated[
        bool, opt("--exhaustive", "Search even a game in which no choice matters.", SEARCH)
    ] = False,
    shortest: Annotated[
        bool,
        opt(
            "--shortest",
            "Look for a winning line of fewest moves, and prove it where possible.",
            SEARCH,
        ),
    ] = False,
    line: Annotated[
        bool,
        opt(
            "--line",
            "Only the winning line, its moves separated by blanks, as `verify` reads it.",
            OUTPUT,
        ),
    ] = False,
    certificate: Annotated[
        Path | None,
        opt(
            "--certificate FILE",
            "Write a proof of the verdict on one deal, for `dealproof check`.",
            OUTPUT,
        ),
    ] = None,
) -> int:
    """Prove whether deals can be won, and show the winning line.

    The exit code tells the verdict on one deal; for several it is 0 when all are done.
    """
    bounds = limits.limits
    if contest is not None:
        return _contest(contest, source, output, line)
    game, givens = source.take()
    if certificate is not None and givens.total != 1:
        raise UsageError(f"--certificate goes with one deal, not {givens.total:,}")

    def answer(given: Given) -> Result:
        return prove(
            game, given.what, limits=bounds, exhaustive=exhaustive, shortest=shortest,
            **search.choice,
        )  # fmt: skip

    with output.open() as out, watching(givens.total, ADVICE) as watch:
        if output.json or line:
            for given, result in _results(givens, answer, watch):
                if line:
                    out.write(" ".join(map(str, result.line or ())) + "\n")
                else:
                    from solver.show.json.deals import solved

                    out.json(solved(result, given.source))
        elif givens.total == 1:
            for given, result in _results(givens, answer, watch):
                _show_one(out, result, given.label)
        else:
            _show_many(out, _results(givens, answer, watch))
    if certificate is not None:
        if result.verdict is Verdict.UNKNOWN:
            note("no certificate is written: nothing is proved")
        else:
            _write_certificate(certificate, result, bounds)
    return exit_code(result.verdict) if givens.total == 1 else Exit.DONE


def _results(
    givens: Givens, answer: Callable[[Given], Result], watch: Watch
) -> Iterator[tuple[Given, Result]]:
    for given in givens.deals:
        watch.begin(given.label)
        result = answer(given)
        watch.finish(result.verdict)
        yield given, result


def _contest(path: Path, source: DealsOptions, output: OutputOptions, line: bool) -> int:
    game, rest = source.choose(*(source.deals or ()))
    if rest or source.deck or source.position or source.after:
        raise UsageError("--contest brings its own deals")
    if output.json or line:
        raise UsageError("--contest has an output form of its own, without --json or --line")
    from solver.cli.contest import run_contest

    return run_contest(game, path, output.output)


def _write_certificate(path: Path, result: Result, limits: Limits) -> None:
    """Write *result*'s certificate to *path*, beside it first and then moved into place."""
    from solver.certify import certify

    try:
        with watching() as watch:
            watch.begin("making the certificate")
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


def _show_many(out: Output, results: Iterator[tuple[Given, Result]]) -> None:
    """A row for each deal, and the totals, also of an interrupted run."""
    from solver.show.text.results import Tally, row_text

    tally = Tally()
    width = 12
    try:
        for given, result in results:
            tally.add(result)
            width = max(width, len(given.name))
            out.show(row_text(result, given.name, width), wrap=False)
    finally:
        if tally.verdicts:
            out.show(tally.text(), wrap=False)
