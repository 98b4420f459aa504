"""Games in print: the table of them, and the ruling in force."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from rules.game import Game
from solver.show.glyphs import UNICODE, Glyphs


def games_table(games: Sequence[Game], width: int = 80) -> RenderableType:
    """Games by family: name, title, and the options that differ from the family's defaults."""
    parts: list[RenderableType] = []
    families: dict[str, list[Game]] = {}
    for game in games:
        families.setdefault(game.family, []).append(game)
    widest = max(len(game.name) for game in games)
    for family, members in families.items():
        head = Text.assemble((family, "bold"), (f"  {members[0].summary}", "dim"))
        parts.append(head)
        table = Table.grid(padding=(0, 2, 0, 0), expand=False)
        table.add_column(no_wrap=True, min_width=widest)
        table.add_column(overflow="fold")
        for game in members:
            about = Text(game.title)
            changed = [f"{key} = {value}" for key, value in game.changed_options().items()]
            if changed:
                about.append("\n" + ", ".join(changed), style="dim")
            table.add_row(Text(game.name, style="cyan"), about)
        parts += [Padding(table, (0, 0, 0, 2)), Text("")]
    parts.append(
        Text.assemble(
            ("dealproof rules GAME", "cyan"), " tells how one is played and lists its options."
        )
    )
    return Group(*parts)


def ruling_text(game: Game, width: int = 80, glyphs: Glyphs = UNICODE) -> RenderableType:
    """The ruling in force, a paragraph a point, then every option with what it allows."""
    parts: list[RenderableType] = [
        Text.assemble((game.title, "bold"), (f"  {game.name}, family {game.family}", "dim"))
    ]
    if game.source:
        parts.append(Text(game.source, style="dim italic"))
    for paragraph in game.ruling():
        parts += [Text(""), Text(paragraph)]
    parts += [Text(""), Text(f"Moves are written {game.notation}.")]
    parts += [Text(""), Text("Options (-o key=value)", style="bold")]
    changed = game.changed_options()
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for option in game.table:
        value = option.show(game.options[option.name])
        about = Text(value, style="bold" if option.name in changed else "")
        about.append(f"\n{option.help}: {option.allowed}", style="dim")
        if option.name in changed:
            about.append(f" (default {option.show(option.default)})", style="dim")
        table.add_row(Text(option.name, style="cyan"), about)
    parts.append(Padding(table, (0, 0, 0, 2)))
    return Group(*parts)
