"""Options and arguments that several commands share, declared once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from solver.cli.inputs import (
    complete_game,
    complete_option,
    complete_reductions,
    complete_words,
)

GameName = Annotated[
    str | None,
    typer.Argument(
        metavar="GAME", show_default=False, autocompletion=complete_game,
        help="A game (`dealproof games` lists them) or a .toml file.",
    ),
]  # fmt: skip
DealNames = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="DEALS", show_default=False,
        help="Numbers (7, ms:617, pysol:12345), ranges (1-100), files with one deck a line, "
        "or - for stdin.",
    ),
]  # fmt: skip
DealName = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="DEAL", show_default=False,
        help="A number (7, ms:617, pysol:12345), a file with a deck, or - for stdin.",
    ),
]  # fmt: skip
Rules = Annotated[
    Path | None,
    typer.Option(
        "--rules", metavar="FILE", rich_help_panel="Game and deal",
        help="A game of your own (TOML); GAME is then left out.",
    ),
]  # fmt: skip
Settings = Annotated[
    list[str] | None,
    typer.Option(
        "--option", "-o", metavar="KEY=VALUE", autocompletion=complete_option,
        rich_help_panel="Game and deal",
        help="Change an option of the game; repeatable. `dealproof rules GAME` lists them.",
    ),
]  # fmt: skip
DeckText = Annotated[
    str | None,
    typer.Option(
        "--deck", metavar="CARDS", rich_help_panel="Game and deal",
        help="A deck typed in, first dealt first, such as '4C 9S 10H ...'.",
    ),
]  # fmt: skip
PositionFile = Annotated[
    Path | None,
    typer.Option(
        "--position", metavar="FILE", rich_help_panel="Game and deal",
        help="A position as text (a pile a line) instead of a deal; - for stdin.",
    ),
]  # fmt: skip
After = Annotated[
    str | None,
    typer.Option(
        "--after", metavar="MOVES", rich_help_panel="Game and deal",
        help="Start after these moves: text, a file, or - for stdin.",
    ),
]  # fmt: skip
Timeout = Annotated[
    str | None,
    typer.Option(
        "--timeout", "-t", metavar="TIME", rich_help_panel="Limits",
        help="Time for each deal: 0.3, 90s, 2m, 1h, or none (default: 60s).",
    ),
]  # fmt: skip
AnswerTime = Annotated[
    str,
    typer.Option(
        "--timeout", "-t", metavar="TIME", rich_help_panel="Limits",
        help="Time for the whole answer: 0.3, 90s, 2m, 1h, or none.",
    ),
]  # fmt: skip
Budget = Annotated[
    str,
    typer.Option(
        "--budget", metavar="N", rich_help_panel="Limits",
        help="Positions to visit for each question, or none.",
    ),
]  # fmt: skip
MaxPositions = Annotated[
    str | None,
    typer.Option(
        "--max-positions", metavar="N", rich_help_panel="Limits",
        help="Positions to visit for each deal, or none (default: none).",
    ),
]  # fmt: skip
Memory = Annotated[
    str | None,
    typer.Option(
        "--memory", metavar="SIZE", rich_help_panel="Limits",
        help="Memory for the tables: 8G, 512M, or none (default: 4G).",
    ),
]  # fmt: skip
Engine = Annotated[
    str,
    typer.Option(
        "--engine", metavar="ENGINE", rich_help_panel="Search",
        autocompletion=complete_words("auto", "compiled", "reference"),
        help="auto, compiled or reference.",
    ),
]  # fmt: skip
Reductions = Annotated[
    str,
    typer.Option(
        "--reductions", metavar="NAMES", rich_help_panel="Search",
        autocompletion=complete_reductions,
        help="all, none, or names apart by commas; no choice changes a verdict.",
    ),
]  # fmt: skip
Json = Annotated[
    bool,
    typer.Option(
        "--json", metavar="", rich_help_panel="Output", help="JSON, and nothing else, on stdout."
    ),
]
NoColor = Annotated[
    bool,
    typer.Option(
        "--no-color", metavar="", rich_help_panel="Output", help="No colours (as NO_COLOR does)."
    ),
]
OutputFile = Annotated[
    Path | None,
    typer.Option(
        "--output", metavar="FILE", rich_help_panel="Output",
        help="Write to FILE; an old one is replaced only once all is done.",
    ),
]  # fmt: skip
