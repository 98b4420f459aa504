"""schema: the JSON Schema of what a command prints with --json."""

from __future__ import annotations

from typing import Annotated

from solver.cli.options import arg
from solver.cli.output import open_output
from solver.cli.terms import UsageError

EXAMPLES = ("dealproof schema solve",)


def _complete(incomplete: str) -> list[str]:
    from solver.show.json.schemas import schema_names

    return [name for name in schema_names() if name.startswith(incomplete)]


def schema(
    command: Annotated[
        str | None, arg("[COMMAND]", "A command with --json; all of them if left out.", _complete)
    ] = None,
) -> None:
    """Print the JSON Schema of what a command prints with --json."""
    from solver.show.json.schemas import schema, schema_names

    names = schema_names()
    if command is not None and command not in names:
        raise UsageError(f"no schema for {command!r} ({', '.join(names)})")
    with open_output(None) as out:
        if command is not None:
            out.json(schema(command), indent=2)
        else:
            out.json({name: schema(name) for name in names}, indent=2)
