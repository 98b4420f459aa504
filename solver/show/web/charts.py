"""Bar charts as SVG, over true numeric axes. A chart is a pure function that returns `str`."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

WIDTH: Final = 480
HEIGHT: Final = 250
_LEFT, _RIGHT, _TOP, _BOTTOM = 52, 12, 26, 46  # room for the axes and their names
STYLE: Final = """\
svg.chart text { font: 14px system-ui, sans-serif; fill: currentColor; }
svg.chart .bar { fill: #2f7fb8; } svg.chart .mark { stroke: #c2571a; stroke-width: 1.5; }
svg.chart .mark + text { fill: #b04d14; }
svg.chart .grid { stroke: currentColor; opacity: .18; }
svg.chart .axis { stroke: currentColor; opacity: .7; }
@media (prefers-color-scheme: dark) {
  svg.chart .bar { fill: #5aa9e0; } svg.chart .mark { stroke: #f0965a; }
  svg.chart .mark + text { fill: #f0965a; }
}
"""


@dataclass(frozen=True, slots=True)
class Bar:
    """*share* of the deals have a value from *low* to *high*; *about* says so in words."""

    low: float
    high: float
    share: float
    about: str


@dataclass(frozen=True, slots=True)
class Axis:
    """The axis of values: its *name*, and how a value on it is written.

    *logarithmic*: zeros stand apart then, on the left.
    """

    name: str
    logarithmic: bool = False
    label: Callable[[float], str] | None = None


def bar_chart(
    bars: Sequence[Bar],
    axis: Axis,
    *,
    mark: tuple[float, str] | None = None,
    alone: bool = False,
) -> str:
    """The chart; each bar tells its figures when pointed at.

    *mark*: a value to draw a line at, with its name. *alone*: as a file of its own, which
    brings its style and a white ground along; else `STYLE` has to be in the page.
    """
    scale = _Scale(bars, axis)
    step, most = steps(100 * max(bar.share for bar in bars), 4)
    name = f"{axis.name}, in per cent of the deals"
    head = ' xmlns="http://www.w3.org/2000/svg"' if alone else ""
    parts = [
        f'<svg{head} class="chart" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'aria-label="{escape(name, quote=True)}">'
    ]
    if alone:
        light = STYLE.partition("@media")[0]
        parts.append(f"<style>svg {{ color: #1d2733; background: #fff; }}\n{light}</style>")
    floor = HEIGHT - _BOTTOM

    def height(percent: float) -> float:
        return (floor - _TOP) * percent / most

    for index in range(round(most / step) + 1):
        y = floor - height(index * step)
        parts.append(_line("grid", _LEFT, y, WIDTH - _RIGHT, y))
        parts.append(_text(_LEFT - 6, y + 5, "end", f"{index * step:g}"))
    parts.append(_text(4, 14, "start", "% of the deals"))
    for bar in bars:
        left, right = scale.span(bar)
        gap = min(1.0, (right - left) / 8)
        tall = max(height(100 * bar.share), 1.0) if bar.share else 0.0  # a few are still seen
        parts.append(
            f'<rect class="bar" x="{left + gap:.1f}" y="{floor - tall:.1f}" '
            f'width="{right - left - 2 * gap:.1f}" height="{tall:.1f}">'
            f"<title>{escape(bar.about)}</title></rect>"
        )
    parts.append(_line("axis", _LEFT, floor, WIDTH - _RIGHT, floor))
    for value, label in scale.ticks():
        x = scale.place(value)
        parts.append(_line("axis", x, floor, x, floor + 5))
        at_edge = x > WIDTH - _RIGHT - 16
        parts.append(
            _text(WIDTH - 2 if at_edge else x, floor + 20, "end" if at_edge else "middle", label)
        )
    parts.append(_text((_LEFT + WIDTH - _RIGHT) / 2, HEIGHT - 7, "middle", axis.name))
    if mark is not None and scale.low <= mark[0] <= scale.high:
        x = scale.place(mark[0])
        anchor, shift = ("start", 5) if x < WIDTH / 2 else ("end", -5)
        parts.append(_line("mark", x, _TOP - 8, x, floor))
        parts.append(_text(x + shift, _TOP + 2, anchor, mark[1]))
    parts.append("</svg>")
    return "\n".join(parts)


class _Scale:
    """From values to places across the chart."""

    def __init__(self, bars: Sequence[Bar], axis: Axis) -> None:
        self.logarithmic = axis.logarithmic
        self.label = axis.label or short_number
        positive = [bar for bar in bars if bar.high > 0 or not axis.logarithmic]
        self.zeros = len(positive) < len(bars)
        self.low = min((bar.low for bar in positive), default=0.1)
        self.high = max((bar.high for bar in positive), default=1.0)
        self.left = _LEFT + (34 if self.zeros else 0)

    def place(self, value: float) -> float:
        if self.logarithmic and value <= 0:
            return _LEFT + 12
        low, high = self._measure(self.low), self._measure(self.high)
        return self.left + (WIDTH - _RIGHT - self.left) * (self._measure(value) - low) / (
            high - low
        )

    def span(self, bar: Bar) -> tuple[float, float]:
        if self.logarithmic and bar.high <= 0:
            middle = self.place(0)
            return middle - 9, middle + 9
        return self.place(bar.low), self.place(bar.high)

    def ticks(self) -> Iterator[tuple[float, str]]:
        if not self.logarithmic:
            step, _ = steps(self.high - self.low, 6, whole=True)
            for index in range(math.ceil(self.low / step), math.floor(self.high / step) + 1):
                yield index * step, f"{index * step:,g}"
            return
        if self.zeros:
            yield 0, "0"
        low, high = math.log10(self.low), math.log10(self.high)
        every = 1 + int(high - low) // 7
        marks = (1, 2, 5) if high - low < 2 else (1,)
        for power in range(math.floor(low), math.floor(high + 1e-9) + 1, every):
            for each in (mark * 10.0**power for mark in marks):
                if self.low * 0.999 <= each <= self.high * 1.001:
                    yield each, self.label(each)

    def _measure(self, value: float) -> float:
        return math.log10(value) if self.logarithmic else value


def short_number(value: float) -> str:
    """A round number as an axis has it: ``0.01``, ``500``, ``10k``, ``1M``."""
    for unit, size in (("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if value >= size * 0.999 and value > 9_999:
            return f"{value / size:g}{unit}"
    return f"{value:g}"


def steps(span: float, most: int, whole: bool = False) -> tuple[float, float]:
    """A step of 1, 2 or 5 times a power of ten that goes into *span* at most *most* times or so.

    And the least multiple of it that is no less than *span*.
    """
    rough = max(span, 1e-9) / most
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * each for each in (1, 2, 5, 10) if power * each >= rough * 0.999)
    if whole:
        step = max(1.0, step)
    return step, step * max(1, math.ceil(span / step - 1e-9))


def _line(kind: str, x1: float, y1: float, x2: float, y2: float) -> str:
    return f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def _text(x: float, y: float, anchor: str, text: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'
