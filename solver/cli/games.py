"""games: the list of games."""

from __future__ import annotations

from rules.game import all_games
from solver.cli.options import (
    Json,
    NoColor,
    OutputFile,
)
from solver.cli.output import open_output


def games(as_json: Json = False, no_color: NoColor = False, output: OutputFile = None) -> None:
    """List the games, with their families and options."""
    from solver.show.json.records import game_record

    with open_output(output, no_color=no_color) as out:
        if as_json:
            for game in all_games():
                out.json(game_record(game))
            return
        from solver.show.text.games import games_table

        out.show(games_table(list(all_games()), out.width))
