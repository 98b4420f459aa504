"""A replay in the terminal: each frame as text that fits the window, and where play stands.

`frame_text` is pure; the command line prints what it returns, or shows it in place and
steps with the keys that `Playhead` knows.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rich.console import Console
from rich.text import Text

from rules.cards import SUITS, SYMBOLS
from rules.moves import Move
from solver.show.glyphs import UNICODE, Glyphs
from solver.show.replays import Replay, Step
from solver.show.text.board import board_of
from solver.show.text.lines import move_text
from solver.show.text.results import STYLES
from solver.verdict import Verdict

PACES = (2.0, 1.0, 0.5, 0.2, 0.08)
"""Seconds from frame to frame, slowest first."""

_FATES = (
    (Verdict.WINNABLE, "win"),
    (Verdict.UNWINNABLE, "lose"),
    (Verdict.UNKNOWN, "undecided"),
)


@dataclass(slots=True)
class Playhead:
    """Where a replay stands: frame ``at`` of 0..``last``, playing by itself or not."""

    last: int
    at: int = 0
    playing: bool = False
    pace: int = 2
    done: bool = False

    @property
    def wait(self) -> float | None:
        """Seconds until the next frame comes by itself; None if it does not."""
        return PACES[self.pace] if self.playing else None

    def tick(self) -> None:
        """The wait is over."""
        self.at = min(self.last, self.at + 1)
        self.playing = self.playing and self.at < self.last

    def press(self, key: str) -> None:
        """What *key* does; see `HELP`. Other keys do nothing."""
        steps = {"right": 1, "left": -1, "page down": 10, "page up": -10}
        steps |= {"l": 1, "h": -1, "n": 1, "p": -1, "enter": 1, "down": 1, "up": -1}
        if key in steps:
            self._go(self.at + steps[key])
        elif key in ("home", "g", "0"):
            self._go(0)
        elif key in ("end", "G", "$"):
            self._go(self.last)
        elif key == " ":
            self.playing = not self.playing
            if self.playing and self.at == self.last:
                self.at = 0
        elif key in ("+", "="):
            self.pace = min(len(PACES) - 1, self.pace + 1)
        elif key == "-":
            self.pace = max(0, self.pace - 1)
        elif key in ("q", "Q", "escape"):
            self.done = True

    def _go(self, place: int) -> None:
        self.playing = False
        self.at = max(0, min(self.last, place))


HELP = "arrows step, Home and End, space plays, + and - pace, q quits"
SHORT_HELP = "arrows, Home, End, space, +-, q"


def frame_text(
    replay: Replay,
    at: int,
    glyphs: Glyphs = UNICODE,
    *,
    width: int = 80,
    height: int | None = None,
    title: bool = True,
    keys: bool = False,
) -> Text:
    """Frame *at* as text: what it is, the table, the move that led to it, the choice there.

    With *height* it has as many lines at most: first the list of the stock goes, then the
    space between the parts, then the lower end of the table. *title*: whether the game, the
    deal and the verdict are named. *keys*: tell how to step.
    """
    head = _wrapped([_title(replay, glyphs)], width) if title else []
    foot = _wrapped(_caption(replay, at, glyphs), width)
    if keys:
        foot += _wrapped([Text(HELP if width > len(HELP) else SHORT_HELP, style="dim")], width)
    piles = replay.frames[at]
    lines: list[Text] = []
    for stock, gap in ((True, True), (False, True), (False, False)):
        table = board_of(piles, glyphs, width=width, stock=stock).split("\n", allow_blank=True)
        if gap:
            lines = [*head, *([Text()] if head else []), *table, Text(), *foot]
        else:
            lines = [line for line in (*head, *table, *foot) if line.plain.strip()]
        if height is None or len(lines) <= height:
            break
    if height is not None and len(lines) > height:
        room = max(0, height - len(foot) - 1)
        lines = [*lines[:room], Text("…" if glyphs.lines else "...", style="dim"), *foot][:height]
    return Text("\n", no_wrap=True).join(lines)


def _title(replay: Replay, glyphs: Glyphs) -> Text:
    text = Text(f"{replay.title}, {replay.deal}: ", style="bold")
    style = "not bold" if replay.verdict is None else STYLES[replay.verdict]
    text.append(_plain(replay.headline, glyphs), style=style)
    return text


def _caption(replay: Replay, at: int, glyphs: Glyphs) -> list[Text]:
    """The move that led to frame *at*, and what can be played in it."""
    last = len(replay.steps)
    text = Text(f"{at}/{last}  ", style="bold")
    if at:
        text.append_text(move_text(Move.parse(replay.steps[at - 1].text), glyphs))
    else:
        text.append("the deal")
    if at == last or not replay.steps[at].alternatives:
        return [text]
    step = replay.steps[at]
    following = Text.assemble(("next: ", "bold"), move_text(Move.parse(step.text), glyphs))
    if step.critical:
        following.append("  the only move", style="bold yellow")
    return [text, following, *_choices(step, glyphs)]


def _choices(step: Step, glyphs: Glyphs) -> Iterable[Text]:
    """The other moves, gathered by what becomes of them."""
    others = [item for item in step.alternatives if not item.played]
    for verdict, word in _FATES:
        found = [item for item in others if item.verdict is verdict]
        if found:
            text = Text(f"others that {word}:" if word != "undecided" else "undecided:")
            text.stylize(STYLES[verdict])
            for item in found:
                text.append("  ", style="not bold default")
                text.append_text(move_text(Move.parse(item.text), glyphs))
                if item.left is not None:
                    text.append(f" (leaves {item.left})", style="not bold default")
            yield text


def _plain(text: str, glyphs: Glyphs) -> str:
    """*text* with letters for the suits' symbols where the output lacks them."""
    return text if glyphs.symbols else text.translate(str.maketrans(SYMBOLS, SUITS))


def _wrapped(texts: Iterable[Text], width: int) -> list[Text]:
    console = Console(width=width)
    return [line for text in texts for line in text.wrap(console, width)]
