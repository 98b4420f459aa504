"""The command line: ``dealproof``, or ``python -m dealproof``.

`main` is the entry point and the one place where errors become messages and exit codes:
one line on stderr, never a traceback. Heavy modules are imported by the commands that use
them, so that ``dealproof --help`` answers at once.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Sequence

from solver.cli.codes import Exit


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command line and exit with a code of `Exit`."""
    sys.unraisablehook = _raise_again
    try:
        code = run(sys.argv[1:] if argv is None else argv)
    except KeyboardInterrupt as interrupt:
        code = _interrupted(interrupt)
    if code == Exit.INTERRUPTED:
        os._exit(code)  # at once, whatever threads are still at work
    sys.exit(code)


_lost = threading.Event()
"""Whether an interrupt came where Python can raise nothing, in a callback for one."""


def _raise_again(unraisable: sys.UnraisableHookArgs) -> None:
    """Repeat such an interrupt."""
    if issubclass(unraisable.exc_type, KeyboardInterrupt):
        _lost.set()
        threading.Timer(0.01, _interrupt_main).start()
    else:
        sys.__unraisablehook__(unraisable)


def _interrupt_main() -> None:
    if hasattr(signal, "pthread_kill"):
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)  # wakes a sleep, too
    else:
        signal.raise_signal(signal.SIGINT)


def run(argv: Sequence[str]) -> int:
    """Run one command; the exit code, see `Exit`."""
    _replace_closed_streams()
    try:
        code = _dispatch(list(argv))
        sys.stdout.flush()
        return code
    except KeyboardInterrupt as interrupt:
        return _interrupted(interrupt)
    except BrokenPipeError:
        return _closed_pipe()
    except MemoryError:
        return _fail("out of memory; a lower --memory stops the search in time", Exit.UNKNOWN)
    except Exception as error:
        cause: BaseException | None = error
        while cause is not None and not isinstance(cause, KeyboardInterrupt):
            cause = cause.__cause__ or cause.__context__
        if cause is not None or _lost.is_set():  # a library has made something else of it
            return _interrupted(cause)
        from solver.cli.errors import explain_error

        message = explain_error(error, argv)
        if message is None:
            raise
        return _fail(message, Exit.USAGE)


def _interrupted(interrupt: BaseException | None) -> int:
    """Say that we were interrupted, and what is kept if the command says so."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a second one has nothing left to stop
    said = str(interrupt or "")
    return _fail(f"interrupted; {said}" if said else "interrupted", Exit.INTERRUPTED)


def _dispatch(argv: list[str]) -> int:
    import typer

    from solver.cli.app import command

    _tolerant(sys.stdout)
    _tolerant(sys.stderr)
    if "_DEALPROOF_COMPLETE" in os.environ:
        try:
            command().main(argv, prog_name="dealproof", complete_var="_DEALPROOF_COMPLETE")
        except (LookupError, ValueError):  # the shell's words are missing or make no sense
            return Exit.USAGE
    try:  # typer's own `main` makes exit codes of interrupts and closed pipes
        with command().make_context("dealproof", argv) as context:
            code = command().invoke(context)
    except typer.Exit as done:
        return done.exit_code
    except typer.Abort:
        raise KeyboardInterrupt from None
    return int(code) if isinstance(code, int) else 0


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
        return _closed_pipe()
    except OSError:
        _discard_stdout()
    line = one_line(message)
    with contextlib.suppress(OSError):
        print(f"dealproof: {line}", file=sys.stderr, flush=True)
    return code


def one_line(message: str) -> str:
    """*message* fit for one line of a terminal: no control characters, and of bounded length."""
    line = " ".join(message.split())
    line = "".join(char if char.isprintable() else repr(char)[1:-1] for char in line)
    return line if len(line) <= 700 else f"{line[:500]} ... {line[-150:]}"


def _closed_pipe() -> int:
    """The reader is gone: keep the interpreter from complaining about it at exit."""
    _discard_stdout()
    return Exit.CLOSED_PIPE


def _discard_stdout() -> None:
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
