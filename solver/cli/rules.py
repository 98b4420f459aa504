"""rules: how a game is played."""

from __future__ import annotations

from solver.cli.options import GameOptions, OutputOptions

EXAMPLES = ("dealproof rules single-left", "dealproof rules decade -o ranks=9")


def rules(source: GameOptions, output: OutputOptions) -> None:
    """Tell how a game is played: the ruling in force, in words, with its options."""
    game = source.only()
    with output.open() as out:
        if output.json:
            from solver.show.json.deals import ruled

            out.json(ruled(game))
            return
        from solver.show.text.games import ruling_text

        out.show(ruling_text(game, out.width, out.glyphs))
