"""Benchmarks as rich tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.table import Table

from solver.show.text.surveys import QUANTILES, short_time

if TYPE_CHECKING:
    from solver.bench import Measure


def measure_table(measures: Sequence[Measure]) -> Table:
    """One game's measurements: a column an engine, a row a figure."""
    from solver.bench import ratios
    from solver.show.json.surveys import measured

    first = measures[0]
    table = Table(
        title=f"{first.game.name}, deals {first.first}-{first.last}", title_justify="left"
    )
    table.add_column("")
    for item in measures:
        table.add_column(item.engine, justify="right")
    records = [measured(item) for item in measures]
    faster = {each.engine: each.ratio for each in ratios(measures)}

    def row(label: str, cells: Sequence[str]) -> None:
        table.add_row(label, *cells)

    row("winnable / unwinnable", [f"{m.winnable:,} / {m.unwinnable:,}" for m in measures])
    row("unknown at the limit", [f"{m.unknown:,}" for m in measures])
    row("deals a second", [_number(r.deals_per_second) for r in records])
    row("positions a second", [_number(r.positions_per_second or None) for r in records])
    counted = [r.positions_per_deal if r.counts.positions else None for r in records]
    for key, label in QUANTILES.items():
        cells = [_number(None if each is None else getattr(each, key)) for each in counted]
        row(f"positions per deal, {label}", cells)
    timed = [r.seconds_per_deal for r in records]
    for key, label in QUANTILES.items():
        cells = ["-" if each is None else short_time(getattr(each, key)) for each in timed]
        row(f"time per deal, {label}", cells)
    row("largest tables", [_bytes(m.memory) for m in measures])
    row(
        "times as fast as the slowest",
        [f"{faster[m.engine]:,.1f}" if m.engine in faster else "1" for m in measures],
    )
    return table


def _number(value: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:,.0f}" if value >= 100 else f"{value:,.1f}"


def _bytes(count: int) -> str:
    if not count:
        return "-"
    return f"{count / 2**20:,.1f} MiB" if count >= 2**20 else f"{count / 2**10:,.0f} KiB"
