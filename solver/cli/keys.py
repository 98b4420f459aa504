"""Keys from a terminal, one at a time, without Enter: POSIX and Windows.

Written here because the player waits for a key only so long: it plays on, and heeds a changed
window. (readchar blocks, also after a lone Esc, and takes a closed terminal for no key.)
"""

from __future__ import annotations

import os
import sys
import time
from types import TracebackType
from typing import Any, Final

_SEQUENCES: Final = {
    "[A": "up", "[B": "down", "[C": "right", "[D": "left",
    "OA": "up", "OB": "down", "OC": "right", "OD": "left",
    "[H": "home", "[F": "end", "OH": "home", "OF": "end",
    "[1~": "home", "[7~": "home", "[4~": "end", "[8~": "end",
    "[5~": "page up", "[6~": "page down",
}  # fmt: skip
_WINDOWS: Final = {
    "H": "up", "P": "down", "M": "right", "K": "left", "G": "home", "O": "end",
    "I": "page up", "Q": "page down",
}  # fmt: skip
_NAMES: Final = {"\r": "enter", "\n": "enter", "\x1b": "escape", "\x7f": "left", "\x08": "left"}


def split_keys(text: str) -> list[str]:
    """The keys that *text*, as a terminal sends it, stands for.

    >>> split_keys("\\x1b[C\\x1b[Fq \\x1b")
    ['right', 'end', 'q', ' ', 'escape']
    """
    keys = []
    while text:
        sequence = next((code for code in _SEQUENCES if text.startswith("\x1b" + code)), None)
        if sequence is not None:
            keys.append(_SEQUENCES[sequence])
            text = text[1 + len(sequence) :]
        elif text[0] == "\x1b" and text[1:2] in ("[", "O"):  # one that we do not know
            end = next((i for i, c in enumerate(text[2:], 2) if "@" <= c <= "~"), len(text) - 1)
            text = text[end + 1 :]
        else:
            keys.append(_NAMES.get(text[0], text[0]))
            text = text[1:]
    return keys


class Keys:
    """The keyboard while the block runs: characters come at once and are not echoed."""

    def __init__(self) -> None:
        self._saved: list[Any] | None = None
        self._waiting: list[str] = []

    def __enter__(self) -> Keys:
        if os.name != "nt":
            import termios
            import tty

            self._saved = termios.tcgetattr(sys.stdin)
            tty.setcbreak(sys.stdin)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:  # fmt: skip
        if self._saved is not None:
            import termios

            termios.tcsetattr(sys.stdin, termios.TCSADRAIN, self._saved)

    def read(self, timeout: float) -> str | None:
        """The next key, or None if none comes within *timeout* seconds.

        A closed terminal reads as ``q``.
        """
        if not self._waiting:
            text = self._windows(timeout) if os.name == "nt" else self._posix(timeout)
            self._waiting = split_keys(text)
        return self._waiting.pop(0) if self._waiting else None

    def _posix(self, timeout: float) -> str:
        import select

        if not select.select([sys.stdin], [], [], timeout)[0]:
            return ""
        data = os.read(sys.stdin.fileno(), 1024)
        return data.decode("utf-8", "replace") if data else "q"

    def _windows(self, timeout: float) -> str:
        import msvcrt

        getwch, kbhit = getattr(msvcrt, "getwch"), getattr(msvcrt, "kbhit")  # noqa: B009
        until = time.monotonic() + timeout
        while not kbhit():
            if time.monotonic() >= until:
                return ""
            time.sleep(0.02)
        char = str(getwch())
        if char in ("\x00", "\xe0"):
            name = _WINDOWS.get(str(getwch()))
            self._waiting += [name] if name else []
            return ""
        if char == "\x03":
            raise KeyboardInterrupt
        return char
