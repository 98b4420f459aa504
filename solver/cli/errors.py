"""What went wrong, in one line: library errors, usage errors, the operating system's."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence


def explain_error(error: Exception, argv: Sequence[str]) -> str | None:
    """The message for *error*, or None if it is a bug and deserves its traceback."""
    import typer

    from rules.errors import DealproofError

    if isinstance(error, DealproofError):
        return str(error)
    if isinstance(error, typer.TyperException):
        return _usage(error, argv)
    if isinstance(error, OSError):
        what = (error.strerror or str(error)).lower()
        return f"{error.filename}: {what}" if error.filename is not None else what
    if isinstance(error, UnicodeError):
        return f"text that cannot be read or written: {error}"
    return None


def _usage(error: Exception, argv: Sequence[str]) -> str:
    format_message = getattr(error, "format_message", None)
    message = str(format_message() if format_message is not None else error).strip().rstrip(".")
    context = getattr(error, "ctx", None)
    path = getattr(context, "command_path", None) or "dealproof"
    option = getattr(error, "option_name", None)
    if option is not None and re.fullmatch(r"-\d", str(option)):
        given = next((word for word in argv if re.match(r"-\d", word)), option)
        return f"{given}: a deal number is 0 to 2^64-1; see `{path} --help`"
    unknown = re.match(r"No such command ['\"](.*?)['\"]", message)
    if unknown:
        from solver.cli.app import COMMANDS

        return f"no command {unknown[1]!r}; {_instead(unknown[1].lower(), COMMANDS)}"
    if option is not None and getattr(error, "possibilities", None) is not None:
        params = getattr(getattr(context, "command", None), "params", ())
        names = sorted(name for param in params for name in param.opts)
        near = difflib.get_close_matches(str(option), names, n=1)
        hint = f"did you mean {near[0]}?" if near else f"see `{path} --help`"
        return f"no option {option}; {hint}"
    needs = re.fullmatch(r"Option '(--html|--csv|--svg)' requires an argument", message)
    if needs:
        return f"{needs[1]} takes a file: {needs[1]} page.html, or {needs[1]} - for stdout"
    message = message[:1].lower() + message[1:]
    return f"{message}; see `{path} --help`"


def _instead(word: str, commands: Sequence[str]) -> str:
    """What was meant by a *word* that is no command; a game's name wants to be solved."""
    from rules.registry import game_names

    if word not in ("help", "version"):
        games = difflib.get_close_matches(word.replace(" ", "-"), game_names(), n=1, cutoff=0.8)
        if games:
            return f"did you mean `dealproof solve {games[0]}`?"
        near = difflib.get_close_matches(word, commands, n=1, cutoff=0.5)
        if near:
            return f"did you mean {near[0]}?"
        return "`dealproof --help` lists them"
    return f"did you mean `dealproof --{word}`?"
