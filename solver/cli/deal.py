"""deal: a deal or a position, drawn."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from rules.cards import CARDS
from rules.position import Position
from solver.cli.options import OUTPUT, DealOptions, OutputOptions, opt
from solver.cli.output import open_output
from solver.cli.terms import UsageError

EXAMPLES = (
    "dealproof deal single-left 4",
    "dealproof deal single-left 4 --after 'TH>JC'",
    "dealproof deal single-left 4 --text --output table.txt",
    "dealproof deal single-left 4 --svg deal.svg",
)


def deal(
    source: DealOptions,
    output: OutputOptions,
    svg: Annotated[
        Path | None,
        opt(
            "--svg FILE",
            "Write a drawing, too (with - nothing but the drawing, to stdout).",
            OUTPUT,
        ),
    ] = None,
    text: Annotated[
        bool, opt("--text", "A text that --position reads back, instead of a drawing.", OUTPUT)
    ] = False,
) -> None:
    """Draw a deal or a position as it lies on the table; cards face down as <7H>."""
    game, given = source.take()
    state = given.state(game)
    alone = svg is not None and str(svg) == "-"
    if alone and output.json:
        raise UsageError("--svg - and --json cannot both have stdout")
    if text and output.json:
        raise UsageError("give --text or --json, not both")
    if svg is not None:
        from solver.show.web.svg import table_svg

        piles = game.layout(state)
        on_table = {card for pile in piles for card in pile.cards}
        removed = [card for card in CARDS[: game.deck_size] if card not in on_table]
        with open_output(svg) as file:
            file.write(table_svg(piles, removed))
    if alone:
        return
    with output.open() as out:
        if output.json:
            from solver.show.json.deals import laid_out

            out.json(laid_out(game, state, given.what, given.source))
            return
        if text:
            what = given.what
            out.write((what if isinstance(what, Position) else Position(game, state)).text())
            return
        from rich.text import Text

        from solver.show.text.board import board
        from solver.show.text.results import game_label

        out.show(Text(f"{game_label(game)}, {given.label}\n", style="bold"))
        out.show(board(game, state, out.glyphs, width=out.width), wrap=False)
