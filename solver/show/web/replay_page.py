"""The replay of a line as one self-contained page: no network, no other files.

The table is laid out here (`solver.show.tables`); the page gets the places of the cards in
the first frame, and per step the cards that change place, for a wide and for a narrow
screen. Its script only moves 52 drawings about. The move list, the verdicts and the
explanation are plain HTML, there to be read without a script as well.
"""

from __future__ import annotations

import functools
import itertools
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from html import escape
from importlib import resources
from typing import Any, Final

from rules.game import Pile
from rules.words import plural
from solver.show.replays import Alternative, Branch, Replay, Step, card_label, removed_along
from solver.show.tables import CARD_H, CARD_W, LaidTable, Spot, lay
from solver.show.web import svg
from solver.verdict import Verdict

CLASSES: Final = {Verdict.WINNABLE: "w", Verdict.UNWINNABLE: "l", Verdict.UNKNOWN: "u"}
BADGES: Final = {
    Verdict.WINNABLE: "✓ Winnable",
    Verdict.UNWINNABLE: "✗ Unwinnable",
    Verdict.UNKNOWN: "? Unknown",
}

_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"
_SUIT: Final = re.compile("[♣♦♥♠]")
_TEXT_FORM: Final = "\ufe0e"  # asks for the symbol as text, not as a picture


def replay_html(replay: Replay) -> str:
    """The page. Everything in *replay* is escaped, so names may be anything."""
    head = f"{replay.title} · {replay.deal}"
    return (
        '<!doctype html>\n<html lang="en" data-theme="light">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}; img-src data:">\n'
        f'<link rel="icon" href="data:,">\n<title>{escape(head)}</title>\n'
        f"<style>{_colours()}{_file('replay.css')}</style>\n</head>\n<body>\n"
        f'<svg width="0" height="0" style="position:absolute" aria-hidden="true">'
        f"{svg.symbols(sorted(_cards(replay)))}</svg>\n"
        f'<div class="page">\n{_header(replay)}\n<main class="grid">\n{_board(replay)}\n'
        f'{_moves(replay)}\n</main>\n<div class="more">\n{_more(replay)}\n</div>\n</div>\n'
        f'<script type="application/json" id="data">{_json(_data(replay))}</script>\n'
        f"<script>{_file('replay.js')}</script>\n</body>\n</html>\n"
    )


@functools.cache
def _file(name: str) -> str:
    page = resources.files("solver.show").joinpath("web", "page")
    return page.joinpath(name).read_text(encoding="utf-8")


def _colours() -> str:
    light = "".join(f"{name}:{value};" for name, value in svg.LIGHT.items())
    dark = "".join(f"{name}:{value};" for name, value in svg.DARK.items())
    return f":root{{{light}}}:root[data-theme=dark]{{{dark}}}"


def _json(value: Any) -> str:
    """JSON that is safe inside a script element: no ``<``, ``>`` or ``&`` in it."""
    text = json.dumps(value, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _cards(replay: Replay) -> set[Any]:
    on_table = {card for pile in replay.frames[0] for card in pile.cards}
    return on_table.union(replay.removed_before)


# The table in numbers --------------------------------------------------------------------


def _data(replay: Replay) -> dict[str, Any]:
    """What the script needs; its layout is described where it is unfolded, in the script."""
    wide, narrow = (list(tables(replay, narrow=flag)) for flag in (False, True))
    cards: list[_Cards] = []
    for both in zip(wide, narrow, strict=True):
        cards.append(_places(*both, cards[-1] if cards else {}))
    notes = list(map(_notes, wide))
    branches = []
    for place, branch in _branches(replay):
        wider, narrower = (list(tables(replay, place, branch, narrow=n)) for n in (False, True))
        at_cards, at_notes = cards[place], notes[place]
        steps = []
        for step, *pair in zip(branch.steps, wider, narrower, strict=True):
            now, noted = _places(pair[0], pair[1], at_cards), _notes(pair[0])
            changed = [_changes(at_cards, now), _changes(at_notes, noted)]
            steps.append([*changed, _rich(step.label), step.words])
            at_cards, at_notes = now, noted
        branches.append([place, steps, branch.joins])
        wide += wider
        narrow += narrower
    return {
        "tables": [_ground(wide), _ground(narrow)],
        "branches": branches,
        "spots": [
            [spot.role, spot.label, svg.spot_name(spot), int(bool(svg.caption(spot)))]
            for spot in wide[0].spots
        ],
        "cards": _changes({}, cards[0]),
        "notes": _changes({}, notes[0]),
        "steps": [
            [_changes(cards[i], cards[i + 1]), _changes(notes[i], notes[i + 1])]
            for i in range(len(replay.steps))
        ],
    }


def _branches(replay: Replay) -> Iterator[tuple[int, Branch]]:
    """The branches in their order, each with the number of the frame that it leaves."""
    for place, step in enumerate(replay.steps):
        for item in step.alternatives:
            if item.branch is not None:
                yield place, item.branch


def tables(
    replay: Replay, place: int = 0, branch: Branch | None = None, *, narrow: bool = False
) -> Iterator[LaidTable]:
    """The laid table of every frame; with *branch* those of its frames, off frame *place*."""
    removed = replay.removed
    discards = any(removed)
    frames: Sequence[Sequence[Pile]] = replay.frames
    last = before = 0
    if branch is not None:
        start = replay.frames[place]
        frames, before = branch.frames, len(removed[place])
        removed = tuple(removed_along(removed[place], start, frames, branch.steps))
        discards = discards or any(removed)
    for piles, gone in zip(frames, removed, strict=True):
        if len(gone) > before:
            last = len(gone) - before
        before = len(gone)
        yield lay(piles, gone, narrow=narrow, last=last, discards=discards)


def _notes(table: LaidTable) -> dict[int, tuple[int, int]]:
    return {
        i: (-1 if spot.count is None else spot.count, int(spot.gone))
        for i, spot in enumerate(table.spots)
    }


_Cards = dict[int, tuple[int, ...]]


def _places(wide: LaidTable, narrow: LaidTable, before: _Cards) -> _Cards:
    """Where each card lies, by its number; equal ones of other packs have numbers from 52 on.

    Of equal cards those that lie as they did *before* keep their numbers, then those that are
    in the same pile.
    """
    lies: dict[int, list[tuple[int, ...]]] = {}
    for w, n in zip(wide.cards, narrow.cards, strict=True):
        place = (w.spot, 2 * w.level + w.face_up, w.x, w.y, n.x, n.y)
        lies.setdefault(int(w.card), []).append(place)
    found: _Cards = {}
    for card, places in lies.items():
        free = [card + 52 * pack for pack in range(len(places))]
        for much in (6, 1, 0):
            for number in tuple(free):
                was = before.get(number, ())[:much]
                same = next((each for each in places if each[:much] == was), None)
                if same is not None:
                    found[number] = same
                    places.remove(same)
                    free.remove(number)
    return found


def _changes(before: dict[int, Any], after: dict[int, Any]) -> list[int]:
    """What is new in *after*, flat: each key followed by its values."""
    return [
        number
        for key, values in after.items()
        if before.get(key) != values
        for number in (key, *values)
    ]


def _ground(tables: Sequence[LaidTable]) -> list[Any]:
    """Width, height, the places' outlines, and where the places' captions stand."""
    height = max(table.height for table in tables)
    first = tables[0]
    outlines = "".join(
        f'<g data-spot="{index}"><g class="there">{svg.empty(replace(spot, gone=False))}</g>'
        f'<g class="gone">{svg.empty(replace(spot, gone=True))}</g></g>'
        for index, spot in enumerate(first.spots)
    )
    places = [number for spot in first.spots for number in _caption_at(spot)]
    return [first.width, height, outlines, places]


def _caption_at(spot: Spot) -> tuple[float, int]:
    x = spot.x + CARD_W if spot.role == "removed" else spot.x + spot.width / 2
    return x, spot.y + CARD_H + 6 if spot.count is not None else spot.y - 24


# The text --------------------------------------------------------------------------------


def _header(replay: Replay) -> str:
    verdict = replay.verdict
    badge = ""
    if verdict is not None:
        badge = f'<span class="badge {verdict.value}">{BADGES[verdict]}</span>'
    return (
        f"<header><h1>{escape(replay.title)} <span>{escape(replay.deal)}</span></h1>"
        '<button class="theme" id="theme" type="button">Dark</button>'
        f'<p class="lead">{badge}{_rich(replay.headline)}</p></header>'
    )


def _board(replay: Replay) -> str:
    last = len(replay.steps)
    icon = '<svg viewBox="0 0 24 24" aria-hidden="true"><path {0}d="{1}"/></svg>'
    buttons = (
        ("first", "", "To the deal (Home)", "M5 4h3v16H5zM20 4v16L9 12z"),
        ("back", "", "Back one move (left arrow)", "M18 3.5v17L4 12z"),
        ("play", ' class="play"', "Play", "M6 3.5v17l14-8.5z"),
        ("forward", "", "Forward one move (right arrow)", "M6 3.5v17L20 12z"),
        ("end", "", "To the end (End)", "M16 4h3v16h-3zM4 4v16l11-8z"),
    )
    drawn = "".join(
        f'<button type="button" id="{name}"{extra} aria-label="{label}" title="{label}">'
        + icon.format('id="icon" ' if name == "play" else "", path)
        + "</button>"
        for name, extra, label, path in buttons
    )
    speeds = (("1600", "½×"), ("800", "1×"), ("400", "2×"), ("150", "5×"))
    choices = "".join(
        f'<option value="{value}"{" selected" if label == "1×" else ""}>{label}</option>'
        for value, label in speeds
    )
    won = replay.verdict is Verdict.WINNABLE
    banner = f'<div class="banner" id="banner" hidden>✓ {_rich(replay.headline)}</div>'
    banner = banner if won else ""
    return (
        '<section class="board" aria-label="The table">'
        '<div class="stage" id="stage"><div class="felt" id="felt" aria-hidden="true">'
        '<svg class="spots" id="spots"></svg>'
        f"{banner}</div></div>"
        f'<div class="controls" role="group" aria-label="Step through the line">{drawn}'
        f'<input type="range" id="slider" min="0" max="{last}" value="0" aria-label="Move">'
        f'<span class="count" id="count">0 / {last}</span>'
        f'<select id="speed" aria-label="Speed">{choices}</select></div>'
        '<p class="sr" id="live" aria-live="polite"></p>'
        '<div class="now"><p id="caption"></p><p id="trial" hidden><span></span> '
        '<button type="button" id="return">Back to the line</button></p>'
        f'<div id="ending" hidden>{_rich(replay.headline)}</div><div id="choices"></div></div>'
        "</section>"
    )


def _moves(replay: Replay) -> str:
    titles = {phase.first: phase.title for phase in replay.phases}
    branches = itertools.count()
    rows = [
        '<ol><li><button data-i="0"><span class="n">0</span>'
        '<span class="m">the deal</span></button></li>'
    ]
    for index, step in enumerate(replay.steps):
        if index in titles:
            start = f' start="{index + 1}"'
            rows.append(f"</ol><h3>{escape(titles[index])}</h3><ol{start}>")
        rows.append(_row(index + 1, step, branches))
    rows.append("</ol>")
    decisions = any(step.alternatives for step in replay.steps)
    toggle = '<label{}><input type="checkbox" id="all">Show every choice</label>'
    return (
        '<section class="side" aria-label="Moves"><div class="head"><h2>Moves</h2>'
        f"{toggle.format('' if decisions else ' hidden')}</div>"
        f'<div class="list" id="list">{"".join(rows)}</div></section>'
    )


def _row(number: int, step: Step, branches: Iterator[int]) -> str:
    shown = " ".join(map(card_label, step.shown))
    extra = f" <small>shows {_rich(shown)}</small>" if shown else ""
    only = ' <span class="only">only move</span>' if step.critical else ""
    listed = "".join(_alternative(item, number, branches) for item in step.alternatives)
    choices = f'<ul class="alts">{listed}</ul>' if listed else ""
    return (
        f'<li>{choices}<button data-i="{number}" aria-label="{escape(step.words)}">'
        f'<span class="n">{number}</span><span class="m">{_rich(step.label)}{extra}{only}</span>'
        f"</button></li>"
    )


def _alternative(item: Alternative, number: int, branches: Iterator[int]) -> str:
    """An alternative to move *number*: signs and spoken verdicts are added by its class."""
    notes = [] if item.left is None else [f"leaves {item.left}"]
    if item.positions is not None:
        notes.append(plural(item.positions, "position"))
    small = f"<small>{' · '.join(notes)}</small>" if notes else ""
    played = " p" if item.played else ""
    leads = f' data-go="{number}"' if item.played else ""
    leads = f' data-branch="{next(branches)}"' if item.branch is not None else leads
    return (
        f'<li class="{CLASSES[item.verdict]}{played}"{leads}><button type="button" class="try">'
        f"<q>{_rich(item.label)}</q>{small}</button></li>"
    )


def _more(replay: Replay) -> str:
    parts = []
    if replay.explanation:
        lost = replay.verdict is Verdict.UNWINNABLE
        title = "Why it cannot be won" if lost else "About this deal"
        text = "".join(f"<p>{_rich(paragraph)}</p>" for paragraph in replay.explanation)
        parts.append(f"<section><h2>{title}</h2>{text}</section>")
    parts.append(
        '<p class="keys"><kbd>←</kbd> <kbd>→</kbd> step, <kbd>Home</kbd> <kbd>End</kbd> go to '
        "the ends, <kbd>space</kbd> plays. ✓ wins, ✗ loses, ? was not decided. Click another move "
        "to try it; <kbd>Esc</kbd> goes back to the line.</p>"
    )
    parts.append(
        '<details id="table"><summary>The table in words</summary><ul id="words"></ul></details>'
    )
    line = " ".join(step.text for step in replay.steps)
    parts.append(
        f'<details><summary>The line in notation</summary><p class="line">{escape(line)}</p>'
        "</details>"
    )
    if replay.ruling:
        text = "".join(f"<p>{_rich(paragraph)}</p>" for paragraph in replay.ruling)
        rows = "".join(
            f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in replay.options
        )
        options = f"<dl>{rows}</dl>" if rows else ""
        parts.append(f"<details><summary>The rules in force</summary>{text}{options}</details>")
    return "\n".join(parts)


def _rich(text: str) -> str:
    """*text* escaped, its suit symbols kept as text and the red ones red."""

    def paint(match: re.Match[str]) -> str:
        symbol = match[0] + _TEXT_FORM
        return f'<span class="r">{symbol}</span>' if match[0] in "♦♥" else symbol

    return _SUIT.sub(paint, escape(text))
