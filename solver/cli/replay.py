"""replay: a line of play, table by table."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Annotated

from rules.words import brief
from solver.analysis.explanations import BUDGET, explain
from solver.cli.codes import Exit, exit_code
from solver.cli.options import (
    LIMITS,
    OUTPUT,
    DealMaybeLineOptions,
    EngineOptions,
    LimitOptions,
    TextOptions,
    opt,
)
from solver.cli.output import Output
from solver.cli.progress import watching
from solver.cli.terms import UsageError, count_text, parse_count

if TYPE_CHECKING:
    from solver.show.replays import Replay

EXAMPLES = (
    "dealproof replay single-left 4",
    "dealproof replay decade 1 'QS+QD'",
    "dealproof replay block-ten 5 --frame end",
)


def replay(
    source: DealMaybeLineOptions,
    limits: LimitOptions,
    search: EngineOptions,
    output: TextOptions,
    frame: Annotated[
        str | None,
        opt(
            "--frame N", "Print the table after N moves (or the last one: end), and nothing else.",
            OUTPUT,
        ),
    ] = None,
    budget: Annotated[
        str, opt("--budget N", "Positions to visit for each of the other moves.", LIMITS)
    ] = count_text(BUDGET),
) -> int:  # fmt: skip
    """Watch a line of play: the solver's, or your own.

    In a terminal the keys step through it; elsewhere every table is printed. The exit code
    tells the verdict, and is 0 for a line of your own.
    """
    positions = parse_count(budget, "--budget")
    game, given, moves = source.take()
    with output.open() as out:
        if moves:
            from solver.show.replays import replay_of_line

            found = replay_of_line(game, given.what, moves, given.label)
        else:
            from solver.show.replays import replay_of

            with watching() as watch:
                watch.begin(given.label)
                explained = explain(
                    game, given.what, limits=limits.limits, budget=positions, **search.choice
                )
            found = replay_of(explained, given.label)
        if frame is not None:
            _print(out, found, [_frame_number(frame, len(found.steps))])
        elif _can_step(out):
            _step(out, found)
        else:
            _print(out, found, range(len(found.frames)))
    return exit_code(found.verdict) if found.verdict is not None else Exit.DONE


def _frame_number(text: str, last: int) -> int:
    if text.strip().lower() == "end":
        return last
    if not (text.isascii() and text.isdecimal() and len(text) <= 9 and int(text) <= last):
        raise UsageError(f"--frame: {brief(text, 40)} is not a number from 0 to {last} (or end)")
    return int(text)


def _print(out: Output, found: Replay, numbers: range | list[int]) -> None:
    """Frames one below the other; the title only with the first."""
    from solver.show.text.player import frame_text

    for index, number in enumerate(numbers):
        if index:
            out.show()
        text = frame_text(found, number, out.glyphs, width=out.width, title=index == 0)
        out.show(text, wrap=False)


def _can_step(out: Output) -> bool:
    return (
        out.is_terminal
        and out.stream is sys.stdout
        and sys.stdin.isatty()
        and os.environ.get("TERM") != "dumb"
    )


def _step(out: Output, found: Replay) -> None:
    """Show *found* in place, and let the keys step through it."""
    from rich.console import Console
    from rich.live import Live

    from solver.cli.keys import Keys
    from solver.show.text.player import Playhead, frame_text

    console = Console(color_system="auto" if out.color else None, highlight=False, emoji=False)
    head = Playhead(len(found.steps))
    with (
        Keys() as keys,
        Live(console=console, screen=True, auto_refresh=False, vertical_overflow="crop") as live,
    ):
        drawn = None
        while not head.done:
            width, height = console.size
            if drawn != (head.at, width, height):
                drawn = (head.at, width, height)
                text = frame_text(found, head.at, out.glyphs, width=width, height=height, keys=True)
                live.update(text, refresh=True)
            key = keys.read(head.wait or 0.5)
            if key is not None:
                head.press(key)
            elif head.playing:
                head.tick()
