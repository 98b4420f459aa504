"""find: the next deals that are as wanted."""

from __future__ import annotations

from typing import Annotated

import typer

from solver.cli.inputs import choose_game, complete_words
from solver.cli.options import (
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
