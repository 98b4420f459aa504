"""Commands that show what there is: games, rules, deals."""

from __future__ import annotations

import typer

from rules.game import all_games
from solver.cli.inputs import choose_game, take_one
from solver.cli.options import (
    After,
    DeckText,
    GameOnly,
    Json,
    NoColor,
    OneDeal,
    OutputFile,
    PositionFile,
    Rules,
    Settings,
)
from solver.cli.output import open_output
from solver.cli.terms import UsageError

PANEL = "Look"


def register(app: typer.Typer) -> None:
    app.command(rich_help_panel=PANEL)(games)
    app.command(rich_help_panel=PANEL)(rules)
    app.command(rich_help_panel=PANEL)(deal)


def games(as_json: Json = False, no_color: NoColor = False, output: OutputFile = None) -> None:
    """List the games, with their families and options."""
    from solver.show.records import game_record

    with open_output(output, no_color=no_color) as out:
        if as_json:
            for game in all_games():
                out.json(game_record(game))
            return
        from solver.show.games import games_table

        out.show(games_table(list(all_games()), out.width))


def rules(
    words: GameOnly = None,
    rules: Rules = None,
    option: Settings = None,
    as_json: Json = False,
    no_color: NoColor = False,
    output: OutputFile = None,
) -> None:
    """Tell how a game is played: the ruling in force, in words, with its options."""
    from solver.show.records import game_record

    game, rest = choose_game(words or (), rules, option or ())
    if rest:
        raise UsageError(f"{rest[0]}: only a game is wanted here")
    with open_output(output, no_color=no_color) as out:
        if as_json:
            out.json(game_record(game) | {"ruling": list(game.ruling())})
            return
        from solver.show.games import ruling_text

        out.show(ruling_text(game, out.width, out.glyphs))


def deal(
    words: OneDeal = None,
    rules: Rules = None,
    option: Settings = None,
    deck: DeckText = None,
    position: PositionFile = None,
    after: After = None,
    as_json: Json = False,
    no_color: NoColor = False,
    output: OutputFile = None,
) -> None:
    """Draw a deal or a position as it lies on the table; cards face down as <7H>."""
    game, rest = choose_game(words or (), rules, option or ())
    given = take_one(game, rest, deck, position, after)
    state = given.state(game)
    with open_output(output, no_color=no_color) as out:
        if as_json:
            from solver.show.records import board_record

            out.json(board_record(game, state, given.what, given.source))
            return
        from rich.text import Text

        from solver.show.board import board
        from solver.show.results import game_label

        out.show(Text(f"{game_label(game)}, {given.label}\n", style="bold"))
        out.show(board(game, state, out.glyphs, width=out.width), wrap=False)
