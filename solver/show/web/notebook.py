"""Values as notebooks show them: pictures of cards and tables, results with board and line.

IPython calls `html` and `svg` (see `solver.show.web.formatters`). What is written is what the
command line prints, in HTML; every text is escaped. Colours are legible on light and on dark
pages alike, whatever the notebook calls its themes; only the felt follows the system's.
"""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import Any, Final

from rich.console import Console, Group, RenderableType
from rich.style import Style

from rules.cards import Card
from rules.decks import Deal, Deck
from rules.game import Game, State
from rules.position import Position
from rules.words import plural
from solver.analysis.explanations import Explanation
from solver.analysis.hints import Hint
from solver.analysis.ratings import Rating
from solver.analysis.reviews import Review
from solver.odds import Odds
from solver.show.glyphs import UNICODE
from solver.show.replays import replay_of, replay_of_line
from solver.show.text.results import detail, game_label, stats_text
from solver.show.web.replay_page import BADGES, replay_html
from solver.show.web.svg import card_svg, deck_svg, table_svg
from solver.surveys.run import Progress
from solver.verdict import Result

WIDTH: Final = 96
"""Columns of what is printed."""

_SCALE: Final = 0.6
_HEIGHT: Final = 720  # pixels of a replay

_STYLE: Final = """
.dealproof-out{font-variant-numeric:tabular-nums;line-height:1.45}
.dealproof-out p{margin:.3em 0}
.dealproof-out svg{display:block;max-width:100%;height:auto;margin:.5em 0}
.dealproof-out pre{margin:.4em 0;padding:0;background:none;border:0;color:inherit;overflow:auto;
font:.86em/1.35 ui-monospace,"DejaVu Sans Mono",Menlo,Consolas,monospace}
.dealproof-out summary{cursor:pointer;font-weight:600}
.dealproof-out iframe{width:100%;border:1px solid rgb(128 128 128/.4);border-radius:8px}
.dealproof-badge{display:inline-block;padding:0 .7em;border-radius:1em;color:#fff;font-weight:600}
.dealproof-badge.winnable{background:#17703f}.dealproof-badge.unwinnable{background:#b3261e}
.dealproof-badge.unknown{background:#7a5600}
.dealproof-red{color:#d8434e}.dealproof-green{color:#2a9358}.dealproof-yellow{color:#a5791a}
.dealproof-cyan{color:#2a8ca0}.dealproof-dim{opacity:.68}.dealproof-bold{font-weight:700}
"""


# What IPython calls -----------------------------------------------------------------------


def svg(value: object) -> str | None:
    """A card, a deck, a deal or a position as a picture; None for anything else."""
    if isinstance(value, Card):
        return card_svg(value, scale=_SCALE)
    if isinstance(value, Deal):
        value = value.deck
    if isinstance(value, Deck):
        return deck_svg(value, scale=_SCALE)
    if isinstance(value, Position):
        return table_svg(value.game.layout(value.state), scale=_SCALE)
    return None


def html(value: object) -> str | None:
    """A result of any kind, or a game; None for anything else."""
    write = next((write for kind, write in _WRITERS.items() if isinstance(value, kind)), None)
    if write is None:
        return None
    return f'<div class="dealproof-out"><style>{_STYLE}</style>{"".join(write(value))}</div>'


# One kind of value each ----------------------------------------------------------------------


def _result(found: Result) -> list[str]:
    parts = [_head(found), _table(found.game, found.start)]
    if found.line:
        from solver.show.text.lines import result_tree

        parts.append(printed(result_tree(found, UNICODE)))
    return [*parts, printed(stats_text(found, UNICODE))]


def _explanation(found: Explanation) -> list[str]:
    """The replay page in a frame of its own; its script reaches nothing outside."""
    page = replay_html(replay_of(found))
    name = f"{game_label(found.result.game)}, {found.result.given.label}"
    return [_head(found.result), _frame(page, name)]


def _review(found: Review) -> list[str]:
    from solver.show.text.reviews import review_text, review_tree

    label = found.given.label
    page = replay_html(replay_of_line(found.game, found.given, found.line))
    return [
        printed(Group(review_text(found, label), "", review_tree(found))),
        f"<details><summary>step through it</summary>{_frame(page, label)}</details>",
    ]


def _hint(found: Hint) -> list[str]:
    from solver.show.text.hints import hint_table, hint_text, work_text

    table = _table(found.game, found.state)
    work = work_text(found.positions, found.seconds)
    head = hint_text(found, "what to play")
    return [printed(head), table, printed(Group(hint_table(found), "", work))]


def _rating(found: Rating) -> list[str]:
    from solver.show.text.ratings import rating_text

    result = found.result
    table = _table(result.game, result.start)
    return [table, printed(rating_text(found, result.given.label))]


def _odds(found: Odds) -> list[str]:
    from solver.show.text.surveys import odds_report

    return [printed(odds_report(found, UNICODE, WIDTH))]


def _progress(found: Progress) -> list[str]:
    counts = ", ".join(f"{many:,} {name}" for name, many in found.found.items() if many)
    head = f"{found.done:,} of {plural(found.total, 'deal')}: {counts or 'none yet'}"
    return [f"<p>{escape(head)}</p>"]


def _game(found: Game) -> list[str]:
    rows = "".join(
        f"<tr><td><code>{escape(name)}</code></td><td>{escape(text)}</td></tr>"
        for name, text in found.changed_options().items()
    )
    ruling = "".join(f"<p>{escape(paragraph)}</p>" for paragraph in found.ruling())
    head = f"<p><b>{escape(found.title)}</b> <code>{escape(found.name)}</code></p>"
    return [head, ruling, f"<table>{rows}</table>" if rows else ""]


_WRITERS: Final[dict[type, Callable[[Any], list[str]]]] = {
    Result: _result, Explanation: _explanation, Review: _review, Hint: _hint, Rating: _rating,
    Odds: _odds, Progress: _progress, Game: _game,
}  # fmt: skip


# Pieces --------------------------------------------------------------------------------------


def _head(found: Result) -> str:
    return (
        f"<p><b>{escape(game_label(found.game))}</b>, {escape(found.given.label)} "
        f'<span class="dealproof-badge {found.verdict.value}">{BADGES[found.verdict]}</span> '
        f"{escape(detail(found))}</p>"
    )


def _table(game: Game, state: State) -> str:
    return table_svg(game.layout(state), scale=_SCALE)


def _frame(page: str, name: str) -> str:
    return (
        f'<iframe sandbox="allow-scripts" title="{escape(name)}" height="{_HEIGHT}" '
        f'srcdoc="{escape(page)}"></iframe>'
    )


def printed(what: RenderableType, width: int = WIDTH) -> str:
    """What rich would print *width* columns wide, as HTML with the classes of `_STYLE`."""
    console = Console(width=width, color_system=None, legacy_windows=False, force_jupyter=False)
    lines = []
    for segments in console.render_lines(what, pad=False):
        spans = [_span(segment.text, segment.style) for segment in segments]
        lines.append("".join(spans).rstrip())
    return f"<pre>{chr(10).join(lines)}</pre>"


def _span(text: str, style: Style | None) -> str:
    names = []
    if style is not None:
        names += [name for name in ("bold", "dim") if getattr(style, name)]
        if style.color is not None:
            names.append(style.color.name)
    shown = escape(text)
    if not names:
        return shown
    return f'<span class="{" ".join(f"dealproof-{name}" for name in names)}">{shown}</span>'
