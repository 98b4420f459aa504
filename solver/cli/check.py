"""Commands that check what others claim: verify."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from rules.errors import IllegalMove, MoveError
from rules.game import Game
from rules.move import Move, parse_line
from rules.referee import replay
from solver.cli.inputs import Given, choose_game, gather
from solver.cli.options import DeckText, Json, NoColor, OutputFile, Rules, Settings
from solver.cli.output import open_output
from solver.cli.terms import UsageError

PANEL = "Check"


def register(app: typer.Typer) -> None:
    app.command(rich_help_panel=PANEL)(verify)


Words = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="GAME DEAL LINE...", show_default=False,
        help="A game and a deal, then a line of play: its moves (quoted, for > means "
        "something to the shell), a file, or - for stdin. The JSON of `solve` is read too.",
    ),
]  # fmt: skip


def verify(
    words: Words = None,
    rules: Rules = None,
    option: Settings = None,
    deck: DeckText = None,
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
    game, rest = choose_game(words or (), rules, option or ())
    deals = [] if deck is not None else rest[:1]
    given = gather(game, deals, deck)
    if given.total != 1:
        raise UsageError(f"one deal is wanted here, not {given.total:,}")
    line = _read_line(rest[len(deals) :], deals)
    with open_output(output, no_color=no_color) as out:
        record, code = _judge(game, next(iter(given.deals)), line, win)
        if as_json:
            out.json(record)
        else:
            from solver.show.results import check_text

            out.show(check_text(game, record), wrap=False)
    return code


def _judge(
    game: Game[Any], given: Given, line: tuple[Move, ...], win: bool
) -> tuple[dict[str, Any], int]:
    from solver.show.records import check_record

    state = game.initial(given.deal.deck)
    try:
        _, states = replay(game, state, line)
    except IllegalMove as fault:
        return check_record(game, given.deal, line, fault=fault, label=given.label), 1
    record = check_record(game, given.deal, line, end=states[-1], label=given.label)
    return record, 1 if win and not record["won"] else 0


def _read_line(words: list[str], deals: list[str]) -> tuple[Move, ...]:
    """The moves in *words*: text, or the name of a file, or ``-``."""
    from rules.deckfile import decode, read_bounded

    text = " ".join(words)
    if words == ["-"]:
        if deals == ["-"]:
            raise UsageError("the deal and the line cannot both come from stdin")
        text = decode(read_bounded(sys.stdin.buffer, "stdin"), "stdin")
    elif len(words) == 1 and not _is_line(text) and Path(text).exists():
        with open(text, "rb") as stream:
            text = decode(read_bounded(stream, text), text)
    if text.lstrip().startswith("{"):
        text = _from_json(text)
    line = parse_line(text)
    if not line:
        raise MoveError("which line? its moves, a file, or - for stdin")
    return line


def _is_line(text: str) -> bool:
    try:
        return bool(parse_line(text))
    except MoveError:
        return False


def _from_json(text: str) -> str:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise MoveError(f"not one JSON object: {error}") from None
    moves = data.get("line")
    if not isinstance(moves, list) or not all(isinstance(move, str) for move in moves):
        raise MoveError("JSON without a `line` of moves")
    return " ".join(moves)
