"""Commands that show what there is: games, rules, deals."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rules.cards import CARDS
from rules.game import all_games
from solver.cli.inputs import choose_game, take_one
from solver.cli.options import (
    After,
    DealName,
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

PANEL = "Look"


def register(app: typer.Typer) -> None:
    app.command(rich_help_panel=PANEL)(games)
    app.command(rich_help_panel=PANEL)(rules)
    app.command(rich_help_panel=PANEL)(deal)
    app.command(rich_help_panel=PANEL)(schema)


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


def deal(
    name: GameName = None,
    deal: DealName = None,
    rules: Rules = None,
    option: Settings = None,
    deck: DeckText = None,
    position: PositionFile = None,
    after: After = None,
    svg: Annotated[
        Path | None,
        typer.Option(
            "--svg", metavar="FILE", rich_help_panel="Output",
            help="Write a drawing, too (with - nothing but the drawing, to stdout).",
        ),
    ] = None,
    as_json: Json = False,
    no_color: NoColor = False,
    output: OutputFile = None,
) -> None:  # fmt: skip
    """Draw a deal or a position as it lies on the table; cards face down as <7H>."""
    game, rest = choose_game([name, *(deal or ())], rules, option or ())
    given = take_one(game, rest, deck, position, after)
    state = given.state(game)
    alone = svg is not None and str(svg) == "-"
    if alone and as_json:
        raise UsageError("--svg - and --json cannot both have stdout")
    if svg is not None:
        from solver.show.web.svg import table_svg

        piles = game.layout(state)
        on_table = {card for pile in piles for card in pile.cards}
        removed = [card for card in CARDS[: game.deck_size] if card not in on_table]
        with open_output(svg) as file:
            file.stream.write(table_svg(piles, removed))
    if alone:
        return
    with open_output(output, no_color=no_color) as out:
        if as_json:
            from solver.show.json.records import board_record

            out.json(board_record(game, state, given.what, given.source))
            return
        from rich.text import Text

        from solver.show.text.board import board
        from solver.show.text.results import game_label

        out.show(Text(f"{game_label(game)}, {given.label}\n", style="bold"))
        out.show(board(game, state, out.glyphs, width=out.width), wrap=False)


def _complete_schema(incomplete: str) -> list[str]:
    from solver.show.json.schemas import schema_names

    return [name for name in schema_names() if name.startswith(incomplete)]


def schema(
    command: Annotated[
        str | None,
        typer.Argument(
            metavar="COMMAND", show_default=False, autocompletion=_complete_schema,
            help="A command with --json; all of them if left out.",
        ),
    ] = None,
) -> None:  # fmt: skip
    """Print the JSON Schema of what a command prints with --json."""
    from solver.show.json.schemas import schema, schema_names

    names = schema_names()
    if command is not None and command not in names:
        raise UsageError(f"no schema for {command!r} ({', '.join(names)})")
    with open_output(None) as out:
        if command is not None:
            out.json(schema(command), indent=2)
        else:
            out.json({name: schema(name) for name in names}, indent=2)
