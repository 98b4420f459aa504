"""A sign of life on stderr, while something lasts: drawn on a terminal, erased at the end.

`watching` opens it for a command. What works tells it how far it is (`solver.progress`); a
thread draws that once nothing has been printed for half a second. `hide` takes it off the
screen before something is printed beside it.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from solver.progress import listening
from solver.stats import wilson

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.live import Live

    from solver.surveys.run import Progress

PATIENCE: Final = 0.5
"""Seconds of silence before anything is drawn."""


class Watch:
    """What is known of the work under way, and its picture.

    ``total``: deals in all, None where that is not known. ``deal``: the one that is worked
    on; ``last``: the last that was finished. ``found``: how often each verdict was found.
    """

    def __init__(self, total: int | None = 1) -> None:
        self.total, self.done, self.before = total, 0, 0
        self.deal = self.last = ""
        self.found: dict[str, int] = {}
        self.began = time.perf_counter()
        self._search: tuple[int, int, float, float | None] | None = None
        self._work: tuple[str, int, int | None] | None = None
        self._said: str | None = None

    # What the work tells ------------------------------------------------------------------

    def search(self, positions: int, memory: int, seconds: float, limit: float | None) -> None:
        self._search = positions, memory, seconds, limit
        self._said = None

    def work(self, what: str, done: int, total: int | None = None) -> None:
        if self._work is None or self._work[0] != what:
            self._search = None  # it was part of what came before
        self._work = what, done, total

    def say(self, text: str) -> None:
        self._said = text

    @property
    def worked(self) -> int:
        """How much of the work at hand is done, where that is counted."""
        return 0 if self._work is None else self._work[1]

    def begin(self, deal: str) -> None:
        """The next deal is *deal*."""
        self.deal = deal
        self._search = self._work = None

    def finish(self, verdict: str) -> None:
        """It has been dealt with, and came out as *verdict*."""
        self.done += 1
        self.last = self.deal
        self.found[verdict] = self.found.get(verdict, 0) + 1

    def survey(self, progress: Progress) -> None:
        """How far a survey is (as `solver.surveys.run.survey` tells it)."""
        if not self.found:
            self.before = progress.done - progress.fresh
        self.done = progress.done
        self.found = {str(verdict): count for verdict, count in progress.found.items()}

    # How it looks -------------------------------------------------------------------------

    def lines(self) -> list[str]:
        """The picture in words: the deals so far, if there are several, then the one at hand."""
        lines = []
        if self.total != 1 and self.found:
            lines.append(self._verdicts())
        parts = [self.deal] if self.deal else []
        if self._work is not None:
            what, done, total = self._work
            parts.append(f"{done:,} of {total:,} {what}" if total else f"{done:,} {what}")
        if self._said is not None or self._search is None:
            parts += [f"{time.perf_counter() - self.began:.0f} s", *filter(None, [self._said])]
        else:
            positions, memory, seconds, limit = self._search
            parts.append(f"{positions:,} positions")
            if seconds > 0:
                parts.append(f"{positions / seconds:,.0f}/s")
            parts.append(f"table {memory / (1 << 20):,.0f} MB")
            parts.append(f"{seconds:.0f} s" + (f" of {limit:.3g} s" if limit is not None else ""))
        return [*lines, ", ".join(parts)]

    def _verdicts(self) -> str:
        text = ", ".join(f"{many:,} {verdict}" for verdict, many in self.found.items() if many)
        won = self.found.get("winnable", 0)
        decided = won + self.found.get("unwinnable", 0)
        if decided >= 100:
            low, high = wilson(won, decided)
            text += f" ({100 * won / decided:.2f} % ± {50 * (high - low):.2f} can be won)"
        return text

    def picture(self) -> RenderableType:
        from rich.console import Group
        from rich.progress_bar import ProgressBar
        from rich.table import Table
        from rich.text import Text

        texts = [Text(line, no_wrap=True, overflow="ellipsis") for line in self.lines()]
        if self.total is None or self.total < 2:
            return Group(*texts)
        seconds = max(1e-9, time.perf_counter() - self.began)
        rate = (self.done - self.before) / seconds
        left = f", {_clock((self.total - self.done) / rate)} left" if rate else ""
        head = Table.grid(padding=(0, 1), expand=True)
        head.add_column(ratio=1)
        head.add_column(no_wrap=True)
        head.add_row(
            ProgressBar(self.total, self.done),
            f"{self.done:,}/{self.total:,}, {rate:,.1f}/s, {_clock(seconds)}{left}",
        )
        return Group(head, *texts)


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


class _Screen:
    """Draws a watch on stderr from a thread of its own, whenever all is quiet."""

    def __init__(self, watch: Watch) -> None:
        self.watch = watch
        self.lock = threading.Lock()
        self.quiet_since = time.perf_counter()
        self.live: Live | None = None
        self.over = threading.Event()
        self.thread = threading.Thread(target=self._run, daemon=True)

    def _run(self) -> None:
        while not self.over.wait(PATIENCE / 5):
            with self.lock:
                quiet = time.perf_counter() - self.quiet_since >= PATIENCE
                if self.live is None and quiet and not self.over.is_set():
                    self.live = self._live()
                    self.live.start()

    def _live(self) -> Live:
        from rich.console import Console
        from rich.live import Live

        return Live(
            get_renderable=self.watch.picture, console=Console(stderr=True), transient=True,
            refresh_per_second=8, redirect_stdout=False, redirect_stderr=False,
        )  # fmt: skip

    def hide(self) -> None:
        """Leave the screen to something else."""
        with self.lock:
            self.quiet_since = time.perf_counter()
            live, self.live = self.live, None
            if live is not None:
                live.stop()


_screen: _Screen | None = None


def hide() -> None:
    """Take the sign of life, if one is drawn, off the screen: something is to be printed."""
    if _screen is not None:
        _screen.hide()


@contextlib.contextmanager
def watching(total: int | None = 1, advice: str = "") -> Iterator[Watch]:
    """A watch on the work in the block, drawn where somebody is looking.

    An interrupt of work on several deals says how far it came, and gives the *advice*.
    """
    watch = Watch(total)
    try:
        with _drawn(watch), listening(watch):
            yield watch
    except KeyboardInterrupt as interrupt:
        if interrupt.args or total is None or total < 2:
            raise
        up_to = f", up to {watch.last}" if watch.done else ""
        raise KeyboardInterrupt(f"{watch.done:,} of {total:,} are done{up_to}{advice}") from None


@contextlib.contextmanager
def _drawn(watch: Watch) -> Iterator[None]:
    global _screen
    if _screen is not None or not (sys.stderr.isatty() and os.environ.get("TERM") != "dumb"):
        yield
        return
    _screen = screen = _Screen(watch)
    screen.thread.start()
    try:
        yield
    finally:
        _screen = None
        screen.over.set()
        screen.hide()
