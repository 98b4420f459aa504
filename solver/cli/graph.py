"""graph: all positions of a small deal."""

from __future__ import annotations

from typing import Annotated

import typer

from solver.cli.inputs import (
    choose_game,
    complete_words,
    take_one,
)
from solver.cli.options import (
    After,
    DealName,
    DeckText,
    GameName,
    NoColor,
    OutputFile,
    PositionFile,
    Rules,
    Settings,
)
from solver.cli.output import note, open_output
from solver.cli.terms import UsageError


def graph(
    name: GameName = None,
    deal: DealName = None,
    rules: Rules = None,
    option: Settings = None,
    deck: DeckText = None,
    position: PositionFile = None,
    after: After = None,
    form: Annotated[
        str | None,
        typer.Option(
            "--format", metavar="FORMAT", rich_help_panel="Output",
            autocompletion=complete_words("graphml", "dot", "json"),
            help="Print the graph: graphml, dot or json (default: figures about it).",
        ),
    ] = None,
    fold: Annotated[
        bool,
        typer.Option(
            "--fold", metavar="", rich_help_panel="Output",
            help="Make every chain without a decision one edge.",
        ),
    ] = False,
    limit: Annotated[
        int,
        typer.Option(
            "--limit", metavar="N", min=1, max=10_000_000, rich_help_panel="Limits",
            help="Most positions; a larger graph is refused, with exit code 3.",
        ),
    ] = 20_000,
    no_color: NoColor = False,
    output: OutputFile = None,
) -> int:  # fmt: skip
    """Draw up the graph of all positions of a small deal, and the gates that every win passes.

    Exit code 0 when done, 3 if there are more positions than the limit.
    """
    game, rest = choose_game([name, *(deal or ())], rules, option or ())
    if form is not None and form not in ("graphml", "dot", "json"):
        raise UsageError(f"--format: {form[:40]!r} is none of graphml, dot, json")
    given = take_one(game, rest, deck, position, after)
    from solver.analysis import graphs

    try:
        found = graphs.position_graph(game, given.state(game), limit=limit)
    except graphs.GraphLimit as error:
        note(str(error))
        return 3
    if fold:
        found = graphs.fold(found)
    with open_output(output, no_color=no_color) as out:
        if form is not None:
            out.stream.write(graphs.export(found, form))
        else:
            from solver.show.text.graphs import graph_text

            out.show(graph_text(found, given.label, out.glyphs))
    return 0
