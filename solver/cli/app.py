"""The app: the commands by task, each in the module of its name, and how their help reads."""

from __future__ import annotations

import dataclasses
import functools
import importlib
import inspect
import shutil
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Annotated, Any, Final, get_type_hints

import typer
from typer.core import TyperCommand, TyperGroup

from solver.cli.codes import SUMMARY
from solver.cli.options import LIMITS, OUTPUT, SEARCH
from solver.cli.terms import UsageError

if TYPE_CHECKING:
    from typer._click import Context, HelpFormatter

PANELS: Final = {
    "Look": ("games", "rules", "deal", "schema", "replay"),
    "Prove": ("solve", "explain"),
    "Analyse": ("hint", "review", "rate", "graph"),
    "Check": ("verify", "check"),
    "Many deals": ("survey", "odds", "find"),
    "Measure": ("bench",),
}
"""The commands by task. `solver.cli.NAME` holds the function NAME, and EXAMPLES of its use."""

COMMANDS: Final = tuple(name for names in PANELS.values() for name in names)

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


def flattened(function: Callable[..., Any]) -> Callable[..., Any]:
    """*function* as typer takes it: each field of a group of options is a parameter.

    Arguments stand in the order of the fields; the groups are put together for the call.
    """
    groups: dict[str, type[Any]] = {}
    flat: list[inspect.Parameter] = []

    def add(name: str, default: Any, annotation: Any) -> None:
        kind = inspect.Parameter.KEYWORD_ONLY
        flat.append(inspect.Parameter(name, kind, default=default, annotation=annotation))

    for param in inspect.signature(function, eval_str=True).parameters.values():
        if dataclasses.is_dataclass(param.annotation):
            cls: type[Any] = param.annotation  # type: ignore[assignment]
            groups[param.name] = cls
            hints = get_type_hints(cls, include_extras=True)
            for field in dataclasses.fields(cls):
                add(field.name, field.default, hints[field.name])
        else:
            add(param.name, param.default, param.annotation)

    def call(**values: Any) -> Any:
        made = {
            name: cls(**{field.name: values.pop(field.name) for field in dataclasses.fields(cls)})
            for name, cls in groups.items()
        }
        return function(**made, **values)

    call.__signature__ = inspect.Signature(flat)  # type: ignore[attr-defined]
    call.__annotations__ = {param.name: param.annotation for param in flat}
    call.__doc__ = function.__doc__
    return call


class Command(TyperCommand):
    """A command whose help has its options under headings, and examples."""

    examples: tuple[str, ...] = ()

    def collect_usage_pieces(self, ctx: Context) -> list[str]:
        arguments = (param for param in self.params if param.param_type_name == "argument")
        return ["[OPTIONS]", *(str(param.metavar) for param in arguments)]

    def parse_args(self, ctx: Context, args: list[str]) -> list[str]:
        left = super().parse_args(ctx, args)
        for param in self.params:  # `--html --output x.html`: FILE was forgotten
            value = str(ctx.params.get(param.name or ""))
            if "FILE" in str(param.metavar) and value.startswith("-") and value != "-":
                raise UsageError(
                    f"{param.opts[0]} takes a file, and {value} is none (- is stdout, "
                    f"./{value} a file of that name)"
                )
        return left

    def format_options(self, ctx: Context, formatter: HelpFormatter) -> None:
        with formatter.section("Examples"):
            for example in self.examples:  # never wrapped: a line is there to be copied
                formatter.write(f"{'':{formatter.current_indent}}{example}\n")
        _write_options(self.get_params(ctx), formatter)


class Commands(TyperGroup):
    """All commands, each imported when it is asked for."""

    def list_commands(self, ctx: Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: Context, cmd_name: str) -> TyperCommand | None:
        return command_named(cmd_name) if cmd_name in COMMANDS else None

    def format_options(self, ctx: Context, formatter: HelpFormatter) -> None:
        for panel, names in PANELS.items():
            with formatter.section(panel):
                width = max(map(len, COMMANDS))
                formatter.write_dl(
                    [(f"{name:{width}}", _first_sentence(command_named(name))) for name in names]
                )
        _write_options(self.get_params(ctx), formatter)


def _first_sentence(command: TyperCommand) -> str:
    return " ".join(str(command.help).partition("\n\n")[0].split())


def _write_options(params: Iterable[Any], formatter: HelpFormatter) -> None:
    panels: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
    for param in params:
        if param.param_type_name == "argument":
            panels["Arguments"].append((param.metavar, param.help))
            continue
        names = ", ".join(sorted(param.opts, key=len))
        panel = param.rich_help_panel or "Options"
        panels[panel].append((f"{names} {param.metavar or ''}".strip(), _help(param)))
    for panel in sorted(panels, key=lambda panel: ORDER.get(panel, 1)):
        with formatter.section(panel):
            formatter.write_dl(panels[panel], col_max=24)


ORDER: Final = {"Arguments": 0, LIMITS: 2, SEARCH: 3, OUTPUT: 4, "Options": 5}
"""Where the headings stand that are not a command's own."""


def _help(param: Any) -> str:
    """The help of an option, with what goes without it."""
    usual = param.default
    if usual is None or usual is False or callable(usual):
        return str(param.help)
    return f"{param.help} [default: {usual}]"


@functools.cache
def command_named(name: str) -> TyperCommand:
    """The command *name*, made of the function in the module of that name."""
    module = importlib.import_module(f"solver.cli.{name}")
    app = typer.Typer(add_completion=False, rich_markup_mode=None)
    app.command(name, cls=Command, context_settings=SETTINGS)(flattened(getattr(module, name)))
    made = typer.main.get_command(app)
    assert isinstance(made, Command)
    made.examples = module.EXAMPLES
    return made


SETTINGS: Final = {
    "help_option_names": ["-h", "--help"],
    "terminal_width": min(80, max(20, shutil.get_terminal_size((80, 24)).columns)),
}

app = typer.Typer(
    name="dealproof",
    cls=Commands,
    no_args_is_help=False,
    context_settings=SETTINGS,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    help="Prove whether a deal of solitaire can be won, and show how.",
    epilog=SUMMARY,
)


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


@functools.cache
def command() -> TyperGroup:
    """The whole command line."""
    made = typer.main.get_command(app)
    assert isinstance(made, TyperGroup)
    return made
