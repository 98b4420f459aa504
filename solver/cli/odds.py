"""odds: the exact probability of winning."""

from __future__ import annotations

from solver.cli.options import GameOptions, OutputOptions
from solver.cli.progress import watching

EXAMPLES = ("dealproof odds block-ten", "dealproof odds ten-by-one --json")


def odds(source: GameOptions, output: OutputOptions) -> None:
    """The exact probability of winning, for pairing games in which no choice matters.

    Over all shuffles, as a fraction; with how many cards are removed in the end.
    """
    game = source.only()
    from solver.odds import odds as exact

    with watching() as watch:
        watch.begin(game.title)
        found = exact(game)
    with output.open() as out:
        if output.json:
            from solver.show.json.surveys import exact_odds

            out.json(exact_odds(found))
            return
        from solver.show.text.surveys import odds_report

        out.show(odds_report(found, out.glyphs, out.width))
