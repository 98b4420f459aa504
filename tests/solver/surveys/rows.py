"""Rows of surveys for tests: made without any other process, and compared without their times."""

from __future__ import annotations

from typing import Any

from solver.surveys.rows import rows_of
from solver.surveys.store import TIMELESS, Row, Settings


def made_here(settings: Settings) -> list[Row]:
    """The rows of all deals as this process makes them, in their order."""
    return [
        row
        for chunk in settings.deals.pieces(0, len(settings.deals))
        for part in rows_of(settings, chunk, settings.memory)
        for row in part
    ]


def without_time(row: Row) -> tuple[Any, ...]:
    """All of *row* but its seconds."""
    return tuple(getattr(row, name) for name in TIMELESS)
