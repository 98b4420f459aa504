"""Charts: bars stand where their values are, on an axis that tells them."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from solver.show.web.charts import Axis, Bar, bar_chart, short_number, steps


def drawn(chart: str) -> tuple[list[tuple[float, float]], dict[str, float]]:
    """Left and right end of each bar, and the place of each label of the lower axis."""
    root = ElementTree.fromstring(chart)
    bars = [
        (float(each.attrib["x"]), float(each.attrib["x"]) + float(each.attrib["width"]))
        for each in root.iter("rect")
    ]
    floor = max(
        float(each.attrib["y1"]) for each in root.iter("line") if "axis" in each.attrib["class"]
    )
    labels = {
        each.text or "": float(each.attrib["x"])
        for each in root.iter("text")
        if float(each.attrib["y"]) == floor + 20
    }
    return bars, labels


def test_bars_of_a_distribution_stand_over_their_values() -> None:
    values = (0, 1, 5, 6, 20)
    bars, labels = drawn(
        bar_chart([Bar(v - 0.5, v + 0.5, 0.2, str(v)) for v in values], Axis("cards left"))
    )
    unit = (labels["15"] - labels["0"]) / 15
    for value, (left, right) in zip(values, bars, strict=True):
        assert (left + right) / 2 == pytest.approx(labels["0"] + value * unit, abs=0.2)


def test_a_logarithmic_axis_gives_each_power_of_ten_the_same_room() -> None:
    parts = [Bar(0, 0, 0.1, "0"), Bar(1, 10, 0.4, ""), Bar(10, 1000, 0.5, "")]
    bars, labels = drawn(bar_chart(parts, Axis("positions", logarithmic=True)))
    assert list(labels)[:5] == ["0", "1", "10", "100", "1000"]
    assert labels["10"] - labels["1"] == pytest.approx(labels["100"] - labels["10"], abs=0.2)
    assert bars[0][1] < bars[1][0]
    assert bars[2][0] == pytest.approx(labels["10"], abs=1.1)
    assert bars[2][1] - bars[2][0] == pytest.approx(2 * (labels["10"] - labels["1"]), abs=2.5)


def test_both_axes_have_names_and_what_is_said_is_escaped() -> None:
    chart = bar_chart([Bar(0, 1, 1.0, "<0>")], Axis("a & b"), mark=(0.5, "mean <1>"), alone=True)
    words = re.sub(r"<[^>]*>", " ", chart)
    assert "% of the deals" in words
    assert "a &amp; b" in words
    assert "mean &lt;1&gt;" in words
    ElementTree.fromstring(chart)


def test_steps_are_round_and_reach_the_end() -> None:
    for span in (0.003, 0.7, 1, 6, 34, 99.9, 100, 1e6):
        step, most = steps(span, 5)
        assert float(f"{step:e}".partition("e")[0]) in (1, 2, 5)
        assert span <= most * (1 + 1e-9)
        assert most / step <= 6
    assert [short_number(n) for n in (0.01, 500, 9999, 1e4, 5e6)] == [
        "0.01", "500", "9999", "10k", "5M",
    ]  # fmt: skip
