"""Signs of life: what long work says of itself while it runs, to whoever listens.

A listener is set for a block with `listening`; searches and analyses then tell it how far
they are, every so often. It changes nothing of what they find. Nobody listening costs one
look at a variable. A listener is heard in the thread that it was set in.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol


class Listener(Protocol):
    """Takes note; called often, so it must be quick."""

    def search(self, positions: int, memory: int, seconds: float, limit: float | None) -> None:
        """A search has visited so many positions, its tables take *memory* bytes.

        *seconds* have passed; *limit*: the seconds that it may take.
        """

    def work(self, what: str, done: int, total: int | None = None) -> None:
        """*done* of *total* (None: not known) of *what* are done: ``moves``, ``games``."""

    def say(self, text: str) -> None:
        """What goes on until a search is heard of: ``compiling the search``."""


_listener: ContextVar[Listener | None] = ContextVar("listener", default=None)


def listener() -> Listener | None:
    """Who listens, to be asked for once before a loop."""
    return _listener.get()


def tell(what: str, done: int, total: int | None = None) -> None:
    """Tell the listener, if there is one, of work that is no search."""
    heard = _listener.get()
    if heard is not None:
        heard.work(what, done, total)


def say(text: str) -> bool:
    """Tell the listener what goes on until the next search; whether there is one."""
    heard = _listener.get()
    if heard is not None:
        heard.say(text)
    return heard is not None


@contextmanager
def listening(to: Listener) -> Iterator[None]:
    """*to* hears of all work in the block."""
    token = _listener.set(to)
    try:
        yield
    finally:
        _listener.reset(token)
