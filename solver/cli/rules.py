"""rules: how a game is played."""

from __future__ import annotations

from solver.cli.inputs import choose_game
from solver.cli.options import (
    GameName,
    Json,
    NoColor,
    OutputFile,
    Rules,
    Settings,
)
from solver.cli.output import open_output
from solver.cli.terms import UsageError


def rules(
    name: GameName = None,
    rules: Rules = None,
    option: Settings = None,
    as_json: Json = False,
    no_color: NoColor = False,
    output: OutputFile = None,
) -> None:
    """Tell how a game is played: the ruling in force, in words, with its options."""
    from solver.show.json.records import game_record

    game, rest = choose_game([name], rules, option or ())
    if rest:
        raise UsageError(f"{rest[0]}: only a game is wanted here")
    with open_output(output, no_color=no_color) as out:
        if as_json:
            out.json(game_record(game) | {"ruling": list(game.ruling())})
            return
        from solver.show.text.games import ruling_text

        out.show(ruling_text(game, out.width, out.glyphs))
