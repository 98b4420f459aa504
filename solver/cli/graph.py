"""graph: all positions of a small deal."""

from __future__ import annotations

from typing import Annotated

from rules.words import brief, either
from solver.analysis import graphs
from solver.cli.codes import Exit
from solver.cli.inputs import complete_words
from solver.cli.options import LIMITS, OUTPUT, DealOptions, TextOptions, opt
from solver.cli.output import note
from solver.cli.progress import watching
from solver.cli.terms import UsageError

FORMATS = graphs.FORMATS
EXAMPLES = (
    "dealproof graph decade 1 -o ranks=3 -o sums=5,10",
    "dealproof graph decade 1 --fold --format dot --output decade.dot",
)


def graph(
    source: DealOptions,
    output: TextOptions,
    form: Annotated[
        str | None,
        opt(
            "--format FORMAT", f"Print the graph: {either(FORMATS)}. Without it: figures about it.",
            OUTPUT, complete=complete_words(*FORMATS),
        ),
    ] = None,
    fold: Annotated[
        bool, opt("--fold", "Make every chain without a decision one edge.", OUTPUT)
    ] = False,
    limit: Annotated[
        int,
        opt(
            "--limit N", "Most positions; a larger graph is refused, with exit code 3.", LIMITS,
            least=1, most=10**7,
        ),
    ] = graphs.LIMIT,
) -> int:  # fmt: skip
    """Draw up the graph of all positions of a small deal, and the gates that every win passes.

    Exit code 0 when done, 3 if there are more positions than the limit.
    """
    if form is not None and form not in FORMATS:
        raise UsageError(f"--format: {brief(form, 40)} is none of {', '.join(FORMATS)}")
    game, given = source.take()
    try:
        with watching() as watch:
            watch.begin(given.label)
            found = graphs.position_graph(game, given.state(game), limit=limit)
            if fold:
                found = graphs.fold(found)
    except graphs.GraphLimit as error:
        note(str(error))
        return Exit.UNKNOWN
    with output.open() as out:
        if form is not None:
            out.write(graphs.export(found, form))
        else:
            from solver.show.text.graphs import graph_text

            out.show(graph_text(found, given.label, out.glyphs))
    return Exit.DONE
