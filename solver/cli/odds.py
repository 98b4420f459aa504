"""odds: the exact probability of winning."""

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


def odds(
    name: GameName = None,
    rules: Rules = None,
    option: Settings = None,
    as_json: Json = False,
    no_color: NoColor = False,
    output: OutputFile = None,
) -> None:
    """The exact probability of winning, for pairing games in which no choice matters.

    Over all shuffles, as a fraction; with how many cards are removed in the end.
    """
    game, rest = choose_game([name], rules, option or ())
    if rest:
        raise UsageError(f"{rest[0]}: only a game is wanted here")
    from solver.odds import odds as exact

    found = exact(game)
    with open_output(output, no_color=no_color) as out:
        if as_json:
            from solver.show.text.surveys import odds_record

            out.json(odds_record(found))
            return
        from solver.show.text.surveys import odds_report

        out.show(odds_report(found, out.glyphs, out.width))
