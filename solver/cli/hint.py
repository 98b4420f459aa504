"""hint: what to play, every legal move with its verdict."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rules.decks import Deal
from rules.errors import DealproofError
from rules.game import Game
from rules.moves import Move, parse_line
from rules.position import Position
from rules.referee import replay
from solver.cli.codes import exit_code
from solver.cli.inputs import (
    Given,
    choose_game,
    take_one,
)
from solver.cli.options import (
    After,
    AnswerTime,
    Budget,
    DealName,
    DeckText,
    Engine,
    GameName,
    Json,
    Memory,
    NoColor,
    OutputFile,
    PositionFile,
    Reductions,
    Rules,
    Settings,
)
from solver.cli.output import Output, note, open_output
from solver.cli.terms import UsageError, parse_count, parse_limits

if TYPE_CHECKING:
    from solver.analysis.hints import Hint


def hint(
    name: GameName = None,
    deal: DealName = None,
    rules: Rules = None,
    option: Settings = None,
    deck: DeckText = None,
    position: PositionFile = None,
    after: After = None,
    follow: Annotated[
        bool,
        typer.Option(
            "--follow", metavar="", rich_help_panel="Game and deal",
            help="Then read moves from stdin, a line of them at a time (or undo), and give a "
            "hint after each. What was proved before is not proved again.",
        ),
    ] = False,
    timeout: AnswerTime = "10s",
    budget: Budget = "none",
    memory: Memory = None,
    engine: Engine = "auto",
    reductions: Reductions = "all",
    as_json: Json = False,
    no_color: NoColor = False,
    output: OutputFile = None,
) -> int:  # fmt: skip
    """Say what to play: every legal move with its verdict, best first, and why.

    Exit codes as for solve, for the position asked about (with --follow: the last one).
    """
    limits = parse_limits(timeout, None, memory)
    positions = parse_count(budget, "--budget")
    game, rest = choose_game([name, *(deal or ())], rules, option or ())
    if follow and ("-" in rest or str(position) == "-" or after == "-"):
        raise UsageError("--follow reads moves from stdin; nothing else can come from there")
    given = take_one(game, rest, deck, position, after)
    from solver.analysis.hints import hint_at
    from solver.analysis.session import Session

    with open_output(output, no_color=no_color) as out:
        session = Session(game, given.state(game), engine=engine, reductions=reductions)
        places = _followed(game, given) if follow else iter((given,))
        for place in places:
            found = hint_at(session, place.state(game), limits=limits, budget=positions)
            if as_json:
                from solver.show.json.analyses import hint_record

                out.json(hint_record(found, place.what, place.source))
            else:
                _show_hint(out, found, place.label)
    return exit_code(found.fate.verdict)


def _show_hint(out: Output, found: Hint, label: str) -> None:
    from solver.show.text.hints import hint_table, hint_text, work_text

    out.show(hint_text(found, label))
    if found.options:
        out.show()
        out.show(hint_table(found, out.glyphs))
    out.show()
    out.show(work_text(found.positions, found.seconds, out.glyphs))
    out.stream.flush()


def _followed(game: Game[Any], given: Given) -> Iterator[Given]:
    """*given*, and the positions after each line of moves on stdin; ``undo`` takes one back.

    A line that cannot be played is refused with a message, and the position stays.
    """
    yield given
    start = given.state(game)
    played: list[tuple[Move, ...]] = []
    for row in sys.stdin:
        text = row.strip()
        if text.lower() == "undo":
            if not played:
                note("nothing to undo")
                continue
            played.pop()
        else:
            try:
                moves = parse_line(text)
                if not moves:
                    continue
                replay(game, start, [move for line in played for move in line] + [*moves])
            except DealproofError as error:
                note(str(error))
                continue
            played.append(moves)
        line = [move for moves in played for move in moves]
        full, states = replay(game, start, line)
        what = given.what
        deal = what if isinstance(what, Deal) else what.deal
        before = what.moves if isinstance(what, Position) else ()
        yield Given(Position(game, states[-1], deal, (*before, *full)), given.source)
