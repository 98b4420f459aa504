"""hint: what to play, every legal move with its verdict."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Annotated

from rules.decks import Deal
from rules.errors import DealproofError
from rules.game import Game
from rules.moves import Move, parse_line
from rules.position import Position
from rules.referee import replay
from solver.analysis.hints import Hint, hint_at
from solver.analysis.session import Session
from solver.cli.codes import exit_code
from solver.cli.inputs import Given
from solver.cli.options import (
    GAME,
    AnswerOptions,
    DealOptions,
    EngineOptions,
    OutputOptions,
    opt,
)
from solver.cli.output import Output, note
from solver.cli.progress import watching
from solver.cli.terms import UsageError

EXAMPLES = (
    "dealproof hint single-left 4",
    "dealproof hint single-left 4 --after 'TH>JC'",
    "dealproof hint decade 1 --timeout 2s --json",
)


def hint(
    source: DealOptions,
    limits: AnswerOptions,
    search: EngineOptions,
    output: OutputOptions,
    follow: Annotated[
        bool,
        opt(
            "--follow",
            "Then read moves from stdin, a line of them at a time (or undo), and give a hint "
            "after each. What was proved before is not proved again.",
            GAME,
        ),
    ] = False,
) -> int:
    """Say what to play: every legal move with its verdict, best first, and why.

    The exit code tells the verdict on the position asked about (with --follow: the last one).
    """
    if follow and "-" in (source.position, source.after, *(source.deal or ())):
        raise UsageError("--follow reads moves from stdin; nothing else can come from there")
    game, given = source.take()
    with output.open() as out:
        session = Session(game, given.state(game), **search.choice)
        places = _followed(game, given) if follow else iter((given,))
        for place in places:
            with watching() as watch:
                watch.begin(place.label)
                found = hint_at(
                    session, place.state(game), limits=limits.limits, budget=limits.positions
                )
            if output.json:
                from solver.show.json.analyses import hinted

                out.json(hinted(found, place.what, place.source))
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


def _followed(game: Game, given: Given) -> Iterator[Given]:
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
