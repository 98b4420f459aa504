"""rate: how hard deals are to win, with the figures behind it."""

from __future__ import annotations

from collections import Counter
from typing import Annotated

import typer

from solver.cli.codes import exit_code
from solver.cli.inputs import (
    choose_game,
    take,
)
from solver.cli.options import (
    After,
    Budget,
    DealNames,
    DeckText,
    Engine,
    GameName,
    Json,
    MaxPositions,
    Memory,
    NoColor,
    OutputFile,
    PositionFile,
    Reductions,
    Rules,
    Settings,
    Timeout,
)
from solver.cli.output import open_output
from solver.cli.terms import parse_count, parse_limits


def rate(
    name: GameName = None,
    deals: DealNames = None,
    rules: Rules = None,
    option: Settings = None,
    deck: DeckText = None,
    position: PositionFile = None,
    after: After = None,
    plays: Annotated[
        int,
        typer.Option("--plays", metavar="N", min=1, max=10_000_000, help="Games of each player."),
    ] = 1000,
    seed: Annotated[
        int,
        typer.Option(
            "--seed", metavar="N", min=0, max=(1 << 64) - 1,
            help="Seed of the games; the same seed gives the same figures.",
        ),
    ] = 0,
    timeout: Timeout = None,
    max_positions: MaxPositions = None,
    budget: Budget = "1000000",
    memory: Memory = None,
    engine: Engine = "auto",
    reductions: Reductions = "all",
    as_json: Json = False,
    no_color: NoColor = False,
    output: OutputFile = None,
) -> int:  # fmt: skip
    """Rate how hard deals are to win, from trivial to fiendish, with the figures behind it.

    The word goes by the guesswork: the bits of luck that one needs to win along the line found
    without looking ahead. One deal: exit codes as for solve. Several: 0 when done.
    """
    limits = parse_limits(timeout, max_positions, memory)
    positions = parse_count(budget, "--budget")
    game, rest = choose_game([name, *(deals or ())], rules, option or ())
    givens = take(game, rest, deck, position, after)
    from solver.analysis.ratings import rate as judge

    with open_output(output, no_color=no_color) as out:
        words: Counter[str] = Counter()
        for given in givens.deals:
            found = judge(
                game, given.what, limits=limits, budget=positions, plays=plays, seed=seed,
                engine=engine, reductions=reductions,
            )  # fmt: skip
            if as_json:
                from solver.show.json.analyses import rating_record

                out.json(rating_record(found, given.source))
                continue
            from solver.show.text.ratings import rating_row, rating_text

            if givens.total == 1:
                out.show(rating_text(found, given.label, out.glyphs))
            else:
                words[found.word or ""] += 1
                out.show(rating_row(found, given.name), wrap=False)
                out.stream.flush()
        if givens.total > 1 and not as_json:
            from solver.show.text.ratings import spread_text

            out.show(spread_text(words), wrap=False)
    return exit_code(found.result.verdict) if givens.total == 1 else 0
