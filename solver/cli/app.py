"""The app: commands in groups by task, each command a module of its own."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from typing import Annotated, Any, Final

import typer

from solver.cli.bench import bench
from solver.cli.check import check
from solver.cli.codes import SUMMARY
from solver.cli.deal import deal
from solver.cli.explain import explain
from solver.cli.find import find
from solver.cli.games import games
from solver.cli.graph import graph
from solver.cli.hint import hint
from solver.cli.odds import odds
from solver.cli.rate import rate
from solver.cli.replay import replay
from solver.cli.results import results
from solver.cli.review import review
from solver.cli.rules import rules
from solver.cli.schema import schema
from solver.cli.solve import solve
from solver.cli.survey import survey
from solver.cli.verify import verify

PANELS: Final[dict[str, tuple[Callable[..., object], ...]]] = {
    "Look": (games, rules, deal, schema, replay),
    "Prove": (solve, explain),
    "Analyse": (hint, review, rate, graph),
    "Check": (verify, check),
    "Many deals": (survey, odds, find, results),
    "Measure": (bench,),
}
"""The commands by task, in the order of the help."""

app = typer.Typer(
    name="dealproof",
    no_args_is_help=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    help="Prove whether a deal of solitaire can be won, and show how.",
    epilog=SUMMARY,
)

START = """\
dealproof proves whether a deal of solitaire can be won, and shows how. Try

  dealproof games                     the games
  dealproof rules single-left         how one is played
  dealproof deal single-left 4        a deal as it lies on the table
  dealproof solve single-left 4       can it be won? how?
  dealproof solve block-ten 1-100     a hundred deals
  dealproof explain single-left 4     the other moves, and what becomes of them
  dealproof replay single-left 4      step through it, table by table
  dealproof --help                    all commands
"""


def _version(wanted: bool) -> None:
    if wanted:
        print(version_text())
        raise typer.Exit


def version_text() -> str:
    """Versions and engines in one line."""
    import platform
    from importlib.metadata import PackageNotFoundError, version

    from solver.version import version as own_version

    def of(name: str) -> str:
        try:
            return version(name)
        except PackageNotFoundError:
            return "not installed"

    python = f"{platform.python_implementation()} {platform.python_version()}"
    engines = f"engines: compiled (numba {of('numba')}), reference"
    return f"dealproof {own_version()} ({python}; {engines})"


@app.callback(invoke_without_command=True)
def _main(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option(
            "--version", "-V", metavar="", callback=_version, is_eager=True,
            help="Show the versions of dealproof, Python and the engines.",
        ),
    ] = False,
) -> None:  # fmt: skip
    if context.invoked_subcommand is None:
        sys.stdout.write(START)


for panel, commands in PANELS.items():
    for each in commands:
        app.command(rich_help_panel=panel)(each)


@functools.cache
def command() -> Any:
    """The click command made of the app."""
    made = typer.main.get_command(app)
    _tidy(made)
    return made


def _tidy(made: Any) -> None:
    """Help as it reads best: whole paragraphs, and names that tell without a type beside them.

    (typer breaks a docstring's lines where the source does, and writes ``<bool>`` and ``<str>``.)
    """
    if made.help:
        made.help = "\n\n".join(" ".join(part.split()) for part in made.help.split("\n\n"))
    for param in made.params:
        if param.param_type_name == "argument":
            param.display_type_rich = lambda ctx: ""
        elif param.metavar is None:
            param.metavar = ""
    plain = made.get_help_option

    def get_help_option(context: typer.Context) -> Any:
        option = plain(context)
        if option is not None:
            option.metavar = ""
        return option

    made.get_help_option = get_help_option
    for each in getattr(made, "commands", {}).values():
        _tidy(each)
