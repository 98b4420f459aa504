"""The command line: ``dealproof``, or ``python -m solver.cli``.

`main` is the entry point and the one place where errors become messages and exit codes:
one line on stderr, never a traceback. Heavy modules are imported by the commands that use
them, so that ``dealproof --help`` answers at once, and even light ones only below `main`:
Ctrl-C is understood from its first line on.
"""

from __future__ import annotations

import sys

from solver.cli.codes import Exit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import FrameType

_interrupted = False
"""Whether Ctrl-C came, even if what it interrupted has made another error of it, or none."""


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command line and exit; see `run` for the exit codes.

    Ctrl-C ends it in one line, also where an import or a callback would swallow it. Once the
    exit code is certain, another Ctrl-C changes nothing. Before this is reached, while Python
    itself starts, an interrupt is Python's affair: it ends with a traceback of its own.
    """
    try:
        _listen()
        code = run(sys.argv[1:] if argv is None else argv)
        _be_deaf()
    except KeyboardInterrupt:
        code = _stopped()
    sys.exit(code)


def _listen() -> None:
    """Take note of Ctrl-C, and raise it again where Python could only complain about it."""
    import signal

    sys.unraisablehook = _raise_again
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _interrupt)


def _interrupt(number: int, frame: FrameType | None) -> None:
    global _interrupted
    _interrupted = True
    raise KeyboardInterrupt


def _raise_again(unraisable: sys.UnraisableHookArgs) -> None:
    """An interrupt that hit a callback or a destructor comes again, a moment later."""
    if not issubclass(unraisable.exc_type, KeyboardInterrupt):
        sys.__unraisablehook__(unraisable)
        return
    import signal
    import threading

    main = threading.main_thread().ident

    def interrupt() -> None:
        if hasattr(signal, "pthread_kill") and main is not None:
            signal.pthread_kill(main, signal.SIGINT)  # what it waits for is cut short, too
        else:
            signal.raise_signal(signal.SIGINT)

    threading.Timer(0.01, interrupt).start()


def _be_deaf() -> None:
    import signal

    if signal.getsignal(signal.SIGINT) is _interrupt:
        signal.signal(signal.SIGINT, signal.SIG_IGN)


def _stopped() -> int:
    """Say that we were interrupted; nothing can interrupt that."""
    while True:
        try:
            _be_deaf()
            break
        except KeyboardInterrupt:
            continue
    # Interrupted within an exec (as in dataclasses), CPython remembers to end itself by the
    # signal, although the exception was caught; the next exec makes it forget.
    exec("")
    return _fail("interrupted", Exit.INTERRUPTED)


def run(argv: Sequence[str]) -> int:
    """Run one command; the exit code.

    See `solver.cli.codes.Exit`.
    """
    _replace_closed_streams()
    try:
        code = _dispatch(list(argv))
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        return _stopped()
    except BrokenPipeError:
        return _hush()
    except MemoryError:
        return _fail("out of memory; a lower --memory stops the search in time", Exit.UNKNOWN)
    except Exception as error:
        if _interrupted:
            return _stopped()
        from solver.cli.errors import explain_error

        message = explain_error(error, argv)
        if message is None:
            raise
        return _fail(message, Exit.USAGE)


def _dispatch(argv: list[str]) -> int:
    import os

    import typer

    from solver.cli.app import command

    _tolerant(sys.stdout)
    _tolerant(sys.stderr)
    if "_DEALPROOF_COMPLETE" in os.environ:
        try:
            command().main(argv, prog_name="dealproof", complete_var="_DEALPROOF_COMPLETE")
        except (LookupError, ValueError):  # the shell's words are missing or make no sense
            return 2
    try:
        with command().make_context("dealproof", argv) as context:
            code = command().invoke(context)
    except typer.Exit as done:
        return done.exit_code
    except typer.Abort:
        raise KeyboardInterrupt from None
    return int(code) if isinstance(code, int) else 0


def _replace_closed_streams() -> None:
    """Stand in for streams that were closed before we started (``>&-``): Python has None."""
    import os

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
    line = one_line(message)
    try:  # as contextlib.suppress, which is not cheap to import
        print(f"dealproof: {line}", file=sys.stderr, flush=True)
    except OSError:
        return code
    return code


def one_line(message: str) -> str:
    """*message* fit for one line of a terminal: no control characters, and of bounded length."""
    line = " ".join(message.split())
    line = "".join(char if char.isprintable() else repr(char)[1:-1] for char in line)
    return line if len(line) <= 700 else f"{line[:500]} ... {line[-150:]}"


def _hush() -> int:
    """The reader is gone: keep the interpreter from complaining about it at exit."""
    _discard_stdout()
    return Exit.CLOSED_PIPE


def _discard_stdout() -> None:
    import contextlib
    import os

    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
