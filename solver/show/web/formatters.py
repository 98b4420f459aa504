"""Notebooks: how IPython is told to draw our values, without loading what draws them.

`register` names the types and leaves them as they are, so that no lower layer has to know of
pictures. `solver.show.web.notebook` is loaded when the first value is shown.
"""

from __future__ import annotations

from typing import Any, Final

PICTURES: Final = (
    ("rules.cards", "Card"),
    ("rules.decks", "Deal"),
    ("rules.decks", "Deck"),
    ("rules.position", "Position"),
)
"""Types (module, name) that are shown as SVG."""

PAGES: Final = (
    ("rules.game", "Game"),
    ("solver.analysis.explanations", "Explanation"),
    ("solver.analysis.hints", "Hint"),
    ("solver.analysis.ratings", "Rating"),
    ("solver.analysis.reviews", "Review"),
    ("solver.odds", "Odds"),
    ("solver.surveys.run", "Progress"),
    ("solver.verdict", "Result"),
)
"""Types (module, name) that are shown as HTML, their subclasses too."""


def register(shell: Any) -> None:
    """Tell *shell*, an ``IPython.core.interactiveshell.InteractiveShell``, of our types."""
    formatters = shell.display_formatter.formatters
    for form, types, draw in (
        ("image/svg+xml", PICTURES, _svg),
        ("text/html", PAGES, _html),
    ):
        for module, name in types:
            formatters[form].for_type_by_name(module, name, draw)


def _svg(value: object) -> str | None:
    from solver.show.web.notebook import svg

    return svg(value)


def _html(value: object) -> str | None:
    from solver.show.web.notebook import html

    return html(value)
