"""Where results go: stdout or ``--output FILE``, in colours, widths and characters that fit."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import re
import shutil
import sys
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TextIO

from solver.cli import one_line, progress

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from solver.show.glyphs import Glyphs


def note(message: str) -> None:
    """A message for the user beside the results: one line on stderr."""
    progress.hide()
    print(f"dealproof: {one_line(message)}", file=sys.stderr, flush=True)


_FULL: Final = (errno.ENOSPC, errno.EFBIG, errno.EDQUOT, errno.EIO)
"""What a write fails with when there is no room, or a fault of the disk."""


class Output:
    """A stream for results, with a rich console over it that is made when first used."""

    def __init__(self, stream: TextIO, *, color: bool = True) -> None:
        self.stream = stream
        self.color = color

    @property
    def is_terminal(self) -> bool:
        return self.stream.isatty()

    @cached_property
    def width(self) -> int:
        """Columns: the terminal's, ``COLUMNS``, or 80; at least 20."""
        return max(20, shutil.get_terminal_size((80, 24)).columns)

    @cached_property
    def glyphs(self) -> Glyphs:
        from solver.show.glyphs import Glyphs

        return Glyphs.of(self.stream.encoding)

    @cached_property
    def console(self) -> Console:
        from rich.console import Console

        return Console(
            file=self.stream,
            width=self.width,
            color_system="auto" if self.color else None,
            highlight=False,
            markup=False,
            emoji=False,
        )

    def write(self, text: str) -> None:
        """Print *text* at once, as it is."""
        if self.is_terminal:
            progress.hide()
        self.stream.write(text)
        self.stream.flush()

    def show(self, renderable: RenderableType = "", *, wrap: bool = True) -> None:
        """Print *renderable* without blanks at the ends of lines.

        Without *wrap* a line stays one line, however long.
        """
        with self.console.capture() as captured:
            self.console.print(renderable, soft_wrap=not wrap)
        self.write(re.sub(r"[ ]+\n", "\n", captured.get()))

    def json(self, record: Any, *, indent: int | None = None) -> None:
        """Print one JSON document on a line of its own (or indented), in plain ASCII."""
        from msgspec import to_builtins

        self.write(json.dumps(to_builtins(record), indent=indent) + "\n")


@contextlib.contextmanager
def open_output(path: Path | None, *, no_color: bool = False) -> Iterator[Output]:
    """Results to stdout, or to a file written beside *path* and moved into place at the end.

    If anything goes wrong before the end, the old file stays as it was.
    """
    if path is None or str(path) == "-":
        yield Output(sys.stdout, color=not no_color)
        return
    with replacing(path) as file, open(file, "w", encoding="utf-8", newline="\n") as stream:
        yield Output(stream, color=False)


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A file beside *path* to write to; it takes *path*'s place at the end, on disk as a whole.

    If anything goes wrong before the end, it is removed and the old file stays as it was. A
    link stays a link, and a device or a pipe is written to as it is.
    """
    if path.is_dir():
        raise IsADirectoryError(21, "is a directory", str(path))
    if path.exists() and not path.is_file():
        yield path
        return
    given = str(path)
    # The name is known before there is such a file: an interrupt leaves nothing behind.
    name = path.parent / f".{path.name}.{os.urandom(6).hex()}.part"
    try:
        try:
            path = Path(os.path.realpath(path))
            name = path.parent / name.name
            name.touch(0o600, exist_ok=False)
        except OSError as error:
            raise type(error)(error.errno, error.strerror, given) from None
        try:
            yield name
        except OSError as error:
            if error.filename is None and error.errno in _FULL:
                raise type(error)(error.errno, error.strerror, given) from None
            raise
        with open(name, "rb+") as stream:
            os.fsync(stream.fileno())
        os.chmod(name, _mode(path))
        os.replace(name, path)
    except BaseException as error:
        with contextlib.suppress(OSError):
            os.unlink(name)
        if isinstance(error, KeyboardInterrupt):
            kept = f"{given} is as it was"
            raise KeyboardInterrupt("; ".join([*map(str, error.args), kept])) from None
        raise


def _mode(path: Path) -> int:
    """The permissions of the file that is replaced, or those that a new file gets."""
    try:
        return path.stat().st_mode & 0o777
    except OSError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask
