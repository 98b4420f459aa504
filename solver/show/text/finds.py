"""What `find` finds, a line of text a deal."""

from __future__ import annotations

from rich.text import Text

from rules.words import plural
from solver.show.text.results import STYLES
from solver.surveys.find import Found
from solver.verdict import Verdict


def found_text(found: Found, name_width: int = 12) -> Text:
    """One deal in one line: ``50            winnable    48 cards removed``."""
    row = found.row
    text = Text(f"{row.deal:<{name_width}}  ")
    text.append(f"{row.verdict:<10}", style=STYLES[Verdict(row.verdict)])
    parts = []
    if row.positions is not None:
        parts.append(plural(row.positions, "position"))
    if row.fewest_left is not None and row.outcome is None:
        parts.append(f"{plural(row.fewest_left, 'card')} left at best")
    if row.removed is not None:
        parts.append(f"{plural(row.removed, 'card')} removed")
    if row.dealt is not None:
        parts.append(f"{row.outcome} after {plural(row.dealt, 'card')} dealt")
    if found.word is not None:
        parts.append(f"{found.word} ({found.guesswork:.1f} bits)")
    return text.append(f"  {'; '.join(parts)}")
