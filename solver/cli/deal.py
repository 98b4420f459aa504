"""deal: a deal or a position, drawn."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rules.cards import CARDS
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
