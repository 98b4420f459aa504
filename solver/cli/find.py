"""find: the next deals that meet given conditions."""

from __future__ import annotations

from typing import Annotated

from rules.words import brief
from solver.analysis.ratings import WORDS
from solver.cli.codes import Exit
from solver.cli.inputs import complete_words
from solver.cli.options import EngineOptions, GameOptions, LimitOptions, OutputOptions, opt
from solver.cli.output import note
from solver.cli.progress import watching
from solver.cli.terms import UsageError, parse_count

WANTED = "Wanted"
WHERE = "Where to look"
RATINGS = tuple(word for word, _ in WORDS)
EXAMPLES = (
    "dealproof find single-left --winnable --count 3",
    "dealproof find single-left --rating hard,fiendish --from 1000",
    "dealproof find decade --fewest-left 0-2",
)


def find(
    source: GameOptions,
    limits: LimitOptions,
    search: EngineOptions,
    output: OutputOptions,
    winnable: Annotated[bool, opt("--winnable", "Can be won.", WANTED)] = False,
    unwinnable: Annotated[bool, opt("--unwinnable", "Cannot be won, proved.", WANTED)] = False,
    fewest_left: Annotated[
        str | None,
        opt("--fewest-left N", "Fewest cards that any line leaves: 10, or 8-12.", WANTED),
    ] = None,
    at_least: Annotated[
        str | None,
        opt("--positions-at-least N", "Positions that the proof visits, at least.", WANTED),
    ] = None,
    at_most: Annotated[
        str | None,
        opt("--positions-at-most N", "Positions that the proof visits, at most.", WANTED),
    ] = None,
    rating: Annotated[
        str | None,
        opt(
            "--rating WORDS",
            f"How hard it is to win: {', '.join(RATINGS)}; several separated by commas (see "
            "`dealproof rate`).",
            WANTED,
            complete=complete_words(*RATINGS),
        ),
    ] = None,
    first: Annotated[
        str, opt("--from DEAL", "The first deal to look at: 1000, ms:1, pysol:1.", WHERE)
    ] = "1",
    last: Annotated[
        str | None,
        opt("--to N", "The last number to look at; without it, the last there is.", WHERE),
    ] = None,
    wanted_many: Annotated[str, opt("--count N", "Deals to find.", WHERE)] = "1",
) -> int:
    """Find the next deals of a kind: certainly winnable, hard, nearly won...

    Every verdict is a proof. A deal that hits a limit is passed over, and named on stderr.
    """
    game = source.only("; say where to look with --from")
    if winnable and unwinnable:
        raise UsageError("give one of --winnable and --unwinnable")
    numbering, number, end = _where(first, last)
    many = parse_count(wanted_many, "--count")
    from solver.surveys.find import Wanted
    from solver.surveys.find import find as look

    wanted = Wanted(
        "winnable" if winnable else "unwinnable" if unwinnable else None,
        None if fewest_left is None else _span(fewest_left),
        _positions(at_least, at_most),
        frozenset(filter(None, (rating or "").replace(" ", "").lower().split(","))),
    )
    if rating is not None and not wanted.words:
        raise UsageError("--rating: which words? hard, or hard,fiendish")
    found = look(game, wanted, numbering, number, end, limits=limits.limits, **search.choice)
    from solver.show.json.surveys import found_deal
    from solver.show.text.finds import found_text

    passed, left = list[str](), many
    try:
        with output.open() as out, watching(None) as watch:
            watch.begin(game.title)
            for each in found:
                if each.undecided:
                    passed.append(each.row.deal)
                    continue
                watch.finish("found")
                if output.json:
                    out.json(found_deal(game, each))
                else:
                    out.show(found_text(each), wrap=False)
                if left is not None:
                    left -= 1
                    if not left:
                        break
    except KeyboardInterrupt:
        raise KeyboardInterrupt(f"go on with --from {numbering}{number + watch.worked}") from None
    finally:
        if passed:
            many_passed = f"{len(passed):,} in all"
            names = ", ".join(passed[:10]) + (", ..." if len(passed) > 10 else "")
            note(f"not decided within the limits, and passed over: {names} ({many_passed})")
    if many is not None and left:
        note(f"{many - left:,} of {many:,} found; there are no more deals to look at")
    return Exit.DONE


def _where(first: str, last: str | None) -> tuple[str, int, int | None]:
    """Numbering, first and last number to look at."""
    from rules.decks import deal_ranges, last_number

    ranges = deal_ranges(first)
    numbering, number, high = ranges[0]
    if len(ranges) > 1 or high != number:
        raise UsageError(f"--from takes one deal number, not {brief(first, 40)}")
    if last is None:
        return numbering, number, None
    text = last.strip().removeprefix(numbering)
    if not (text.isascii() and text.isdecimal() and len(text) <= 21):
        raise UsageError(f"--to: {brief(last, 40)} is not a number")
    if not number <= int(text) <= last_number(numbering):
        raise UsageError(
            f"--to: {text} is not between --from ({number}) and {last_number(numbering)}"
        )
    return numbering, number, int(text)


def _span(text: str) -> tuple[int, int]:
    low, dash, high = (part.strip() for part in text.partition("-"))
    if not all(part.isascii() and part.isdecimal() and len(part) < 4
               for part in ([low, high] if dash else [low])):  # fmt: skip
        raise UsageError(f"--fewest-left: {brief(text, 40)} is not a number of cards (10, or 8-12)")
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
