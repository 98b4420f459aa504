"""verify: have the referee replay a line of play."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from rules.errors import IllegalMove, MoveError
from rules.game import Game
from rules.moves import Move
from rules.referee import replay
from solver.cli.inputs import Given, choose_game, read_moves, take_one
from solver.cli.options import (
    DeckText,
    GameName,
    Json,
    NoColor,
    OutputFile,
    PositionFile,
    Rules,
    Settings,
)
from solver.cli.output import open_output
from solver.cli.terms import UsageError

DealAndLine = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="DEAL LINE", show_default=False,
        help="A deal, then a line of play: its moves (quoted, for > means something to the "
        "shell), a file, or - for stdin. The JSON of `solve` is read too.",
    ),
]  # fmt: skip


def verify(
    name: GameName = None,
    words: DealAndLine = None,
    rules: Rules = None,
    option: Settings = None,
    deck: DeckText = None,
    position: PositionFile = None,
    win: Annotated[
        bool,
        typer.Option(
            "--win", metavar="", help="Demand that the line wins, not only that it is legal."
        ),
    ] = False,
    as_json: Json = False,
    no_color: NoColor = False,
    output: OutputFile = None,
) -> int:
    """Have the referee replay a line of play, and name the first illegal move.

    Exit code 0 if every move is legal, 1 if not.
    """
    game, rest = choose_game([name, *(words or ())], rules, option or ())
    deals = [] if deck is not None or position is not None else rest[:1]
    moves = rest[len(deals) :]
    if moves == ["-"] and ("-" in deals or str(position) == "-"):
        raise UsageError("the deal and the line cannot both come from stdin")
    given = take_one(game, deals, deck, position)
    line = read_moves(moves)
    if not line:
        raise MoveError("which line? its moves, a file, or - for stdin")
    with open_output(output, no_color=no_color) as out:
        record, code = _judge(game, given, line, win)
        if as_json:
            out.json(record)
        else:
            from solver.show.text.results import check_text

            out.show(check_text(game, record), wrap=False)
    return code


def _judge(
    game: Game[Any], given: Given, line: tuple[Move, ...], win: bool
) -> tuple[dict[str, Any], int]:
    from solver.show.json.records import check_record

    try:
        _, states = replay(game, given.state(game), line)
    except IllegalMove as fault:
        return check_record(game, given.what, line, fault=fault, label=given.label), 1
    record = check_record(game, given.what, line, end=states[-1], label=given.label)
    return record, 1 if win and not record["won"] else 0
