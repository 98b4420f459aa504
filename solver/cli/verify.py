"""verify: have the referee replay a line of play."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from rules.errors import IllegalMove
from rules.game import Game
from rules.moves import Move
from rules.referee import replay
from solver.cli.codes import Exit
from solver.cli.inputs import Given
from solver.cli.options import DealAndLineOptions, OutputOptions, opt

if TYPE_CHECKING:
    from solver.show.json.deals import Verified

EXAMPLES = (
    "dealproof verify tens 1 'AC+9D'",
    "dealproof solve single-left 4 --line | dealproof verify single-left 4 - --win",
)


def verify(
    source: DealAndLineOptions,
    output: OutputOptions,
    win: Annotated[
        bool, opt("--win", "Demand that the line wins, not only that it is legal.")
    ] = False,
) -> int:
    """Have the referee replay a line of play, and name the first illegal move.

    Exit code 0 if every move is legal, 1 if not.
    """
    game, given, line = source.take()
    with output.open() as out:
        record, code = _judge(game, given, line, win)
        if output.json:
            out.json(record)
        else:
            from solver.show.text.results import check_text

            out.show(check_text(game, record), wrap=False)
    return code


def _judge(game: Game, given: Given, line: tuple[Move, ...], win: bool) -> tuple[Verified, Exit]:
    from solver.show.json.deals import verified

    try:
        _, states = replay(game, given.state(game), line)
    except IllegalMove as fault:
        return verified(game, given.what, line, fault=fault, label=given.label), Exit.NO
    record = verified(game, given.what, line, end=states[-1], label=given.label)
    return record, Exit.NO if win and not record.won else Exit.DONE
