"""replay: a line of play, table by table."""

from __future__ import annotations

import os
import sys
from contextlib import nullcontext
from typing import TYPE_CHECKING, Annotated

import typer

from solver.cli.codes import exit_code
from solver.cli.inputs import choose_game, read_moves, take_one
from solver.cli.options import (
    After,
    DeckText,
    Engine,
    GameName,
    MaxPositions,
    Memory,
    NoColor,
    OutputFile,
    PositionFile,
    Reductions,
    Rules,
    Settings,
    Timeout,
)
from solver.cli.output import Output, open_output
from solver.cli.terms import UsageError, parse_count, parse_limits

if TYPE_CHECKING:
    from solver.show.replays import Replay


DealAndLine = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="DEAL [LINE]", show_default=False,
        help="A deal; then, to watch a line of your own, its moves (quoted) or a file.",
    ),
]  # fmt: skip


def replay(
    name: GameName = None,
    words: DealAndLine = None,
    rules: Rules = None,
    option: Settings = None,
    deck: DeckText = None,
    position: PositionFile = None,
    after: After = None,
    frame: Annotated[
        str | None,
        typer.Option(
            "--frame", metavar="N", rich_help_panel="Output",
            help="Print the table after N moves (or the last one: end), and nothing else.",
        ),
    ] = None,
    budget: Annotated[
        str,
        typer.Option(
            "--budget", metavar="N", rich_help_panel="Limits",
            help="Positions to visit for each of the other moves.",
        ),
    ] = "200000",
    timeout: Timeout = None,
    max_positions: MaxPositions = None,
    memory: Memory = None,
    engine: Engine = "auto",
    reductions: Reductions = "all",
    no_color: NoColor = False,
    output: OutputFile = None,
) -> int:  # fmt: skip
    """Watch a line of play: the solver's, or your own.

    In a terminal the keys step through it; elsewhere every table is printed. Exit codes as for
    solve; 0 for a line of your own.
    """
    limits = parse_limits(timeout, max_positions, memory)
    positions = parse_count(budget, "--budget")
    game, rest = choose_game([name, *(words or ())], rules, option or ())
    deals = [] if deck is not None or position is not None else rest[:1]
    moves = rest[len(deals) :]
    if moves == ["-"] and ("-" in deals or str(position) == "-"):
        raise UsageError("the deal and the line cannot both come from stdin")
    given = take_one(game, deals, deck, position, after)
    with open_output(output, no_color=no_color) as out:
        if moves:
            from solver.show.replays import replay_of_line

            found = replay_of_line(game, given.what, read_moves(moves), given.label)
        else:
            from solver.analysis.explanations import explain
            from solver.show.replays import replay_of

            with _patience(out):
                found = replay_of(
                    explain(
                        game, given.what, limits=limits, budget=positions, engine=engine,
                        reductions=reductions,
                    ),
                    given.label,
                )  # fmt: skip
        if frame is not None:
            _print(out, found, [_frame_number(frame, len(found.steps))])
        elif _can_step(out):
            _step(out, found)
        else:
            _print(out, found, range(len(found.frames)))
    return exit_code(found.verdict) if found.verdict is not None else 0


def _frame_number(text: str, last: int) -> int:
    if text.strip().lower() == "end":
        return last
    if not (text.isascii() and text.isdecimal() and len(text) <= 9 and int(text) <= last):
        raise UsageError(f"--frame: {text[:40]!r} is not a number from 0 to {last} (or end)")
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


def _patience(out: Output):  # type: ignore[no-untyped-def]
    """A sign of life on stderr while the solver works, if somebody is watching."""
    if not (_can_step(out) and sys.stderr.isatty()):
        return nullcontext()
    from rich.console import Console

    return Console(stderr=True, no_color=not out.color).status("proving ...")


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
