"""games: the list of games."""

from __future__ import annotations

from rules.registry import all_games
from solver.cli.options import OutputOptions

EXAMPLES = ("dealproof games",)


def games(output: OutputOptions) -> None:
    """List the games, with their families and options."""
    with output.open() as out:
        if output.json:
            from solver.show.json.deals import listed

            for game in all_games():
                out.json(listed(game))
            return
        from solver.show.text.games import games_table

        out.show(games_table(list(all_games()), out.width))
