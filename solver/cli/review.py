"""review: a line of play with the verdict after each move."""

from __future__ import annotations

from typing import Annotated

import typer

from rules.errors import MoveError
from solver.cli.inputs import (
    choose_game,
    complete_game,
    read_moves,
    take_one,
)
from solver.cli.options import (
    AnswerTime,
    Budget,
    DeckText,
    Engine,
    Json,
    Memory,
    NoColor,
    OutputFile,
    PositionFile,
    Reductions,
    Rules,
    Settings,
)
from solver.cli.output import open_output
from solver.cli.terms import UsageError, parse_count, parse_limits

Reviewed = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="GAME DEAL LINE", show_default=False, autocompletion=complete_game,
        help="A game and a deal, then a line of play: its moves (quoted, for > means "
        "something to the shell), a file, or - for stdin. The JSON of `solve` is read too.",
    ),
]  # fmt: skip


def review(
    words: Reviewed = None,
    rules: Rules = None,
    option: Settings = None,
    deck: DeckText = None,
    position: PositionFile = None,
    timeout: AnswerTime = "60s",
    budget: Budget = "1000000",
    memory: Memory = None,
    engine: Engine = "auto",
    reductions: Reductions = "all",
    as_json: Json = False,
    no_color: NoColor = False,
    output: OutputFile = None,
) -> int:  # fmt: skip
    """Play a line through: the verdict after each move, and the move that lost the win.

    Exit code 0 if nothing was given away, 1 if something was, 3 if that is not known.
    """
    limits = parse_limits(timeout, None, memory)
    positions = parse_count(budget, "--budget")
    game, rest = choose_game(words or (), rules, option or ())
    deals = [] if deck is not None or position is not None else rest[:1]
    moves = rest[len(deals) :]
    if moves == ["-"] and ("-" in deals or str(position) == "-"):
        raise UsageError("the deal and the line cannot both come from stdin")
    given = take_one(game, deals, deck, position)
    line = read_moves(moves)
    if not line:
        raise MoveError("which line? its moves, a file, or - for stdin")
    from solver.analysis.reviews import review as go_through

    with open_output(output, no_color=no_color) as out:
        found = go_through(
            game, given.what, line, limits=limits, budget=positions, engine=engine,
            reductions=reductions,
        )  # fmt: skip
        if as_json:
            from solver.show.json.analyses import review_record

            out.json(review_record(found, given.source))
        else:
            from solver.show.text.reviews import review_text, review_tree

            out.show(review_text(found, given.label))
            out.show()
            out.show(review_tree(found, out.glyphs))
    if found.blunders or found.between:
        return 1
    return 0 if found.settled else 3
