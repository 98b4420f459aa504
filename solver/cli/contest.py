"""``solve ten-twenty-thirty --contest FILE``: the contest's input in, its output out."""

from __future__ import annotations

import sys
from pathlib import Path

from rules.contest import contest_answer, play_contest, read_contest
from rules.deckfile import decode, read_bounded
from rules.errors import DeckError
from rules.game import Game
from rules.registry import get_game
from solver.cli.codes import Exit
from solver.cli.output import open_output
from solver.cli.terms import UsageError


def run_contest(game: Game, path: Path, output: Path | None) -> int:
    """Answer the contest input in *path* (``-``: stdin); nothing else is printed."""
    if game != get_game("ten-twenty-thirty"):
        raise UsageError("--contest is for ten-twenty-thirty as it stands")
    where = "stdin" if str(path) == "-" else str(path)
    if where == "stdin":
        data = read_bounded(sys.stdin.buffer, where)
    else:
        with open(path, "rb") as stream:
            data = read_bounded(stream, where)
    try:
        decks = read_contest(decode(data, where))
    except DeckError as error:
        raise DeckError(f"{where}: {error}") from None
    with open_output(output) as out:
        for deck in decks:
            out.write(contest_answer(*play_contest(deck, game)) + "\n")
    return Exit.DONE
