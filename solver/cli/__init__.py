"""The command line: ``dealproof``, or ``python -m solver.cli``.

`main` is the entry point and the one place where errors become messages and exit codes:
one line on stderr, never a traceback. Heavy modules are imported by the commands that use
them, so that ``dealproof --help`` answers at once.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Sequence

INTERRUPTED = 130
CLOSED_PIPE = 141


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command line and exit; see `run` for the exit codes."""
    sys.exit(run(sys.argv[1:] if argv is None else argv))


def run(argv: Sequence[str]) -> int:
    """Run one command; the exit code.

    0 done, winnable, valid; 1 unwinnable, invalid; 2 usage or bad input; 3 unknown (a limit
    was reached); 130 interrupted; 141 the reader of the output went away.
    """
    from solver.cli.errors import explain_error

    _replace_closed_streams()
    try:
        code = _dispatch(list(argv))
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        return _fail("interrupted", INTERRUPTED)
    except BrokenPipeError:
        return _hush()
    except MemoryError:
        return _fail("out of memory; a lower --memory stops the search in time", 3)
    except Exception as error:
        message = explain_error(error, argv)
        if message is None:
            raise
        return _fail(message, 2)


def _dispatch(argv: list[str]) -> int:
    import typer

    from solver.cli.app import command

    _tolerant(sys.stdout)
    _tolerant(sys.stderr)
    if "_DEALPROOF_COMPLETE" in os.environ:
        command().main(argv, prog_name="dealproof", complete_var="_DEALPROOF_COMPLETE")
    try:
        with command().make_context("dealproof", argv) as context:
            code = command().invoke(context)
    except typer.Exit as done:
        return done.exit_code
    except typer.Abort:
        raise KeyboardInterrupt from None
    return code if isinstance(code, int) else 0


def _replace_closed_streams() -> None:
    """Stand in for streams that were closed before we started (``>&-``): Python has None."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115


def _tolerant(stream: object) -> None:
    """Let a character that the stream's encoding lacks be escaped instead of failing."""
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="backslashreplace")


def _fail(message: str, code: int) -> int:
    """Say *message* in one line on stderr, after what is already on stdout."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        return _hush()
    except OSError:
        _discard_stdout()
    line = " ".join(message.split())
    with contextlib.suppress(OSError):
        print(f"dealproof: {line}", file=sys.stderr, flush=True)
    return code


def _hush() -> int:
    """The reader is gone: keep the interpreter from complaining about it at exit."""
    _discard_stdout()
    return CLOSED_PIPE


def _discard_stdout() -> None:
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
