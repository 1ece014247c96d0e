"""Charts: round ticks, everything inside the frame, names escaped."""

import math
import xml.etree.ElementTree as ET

import pytest

from montego.charts import Bar, Series, bar_chart, chart, round_ticks, tick_text

SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.both_modes
@pytest.mark.parametrize(
    ("low", "high", "ticks"),
    [
        (0, 1, ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]),
        (25, 1000, ["0", "200", "400", "600", "800", "1,000"]),
        (0, 13, ["0.0", "2.5", "5.0", "7.5", "10.0", "12.5", "15.0"]),
        (-0.03, 0.02, ["−0.03", "−0.02", "−0.01", "0.00", "0.01", "0.02"]),
        (5, 5, ["2", "3", "4", "5", "6", "7", "8"]),
    ],
)
def test_ticks(low, high, ticks):
    numbers = round_ticks(low, high)
    assert numbers[0] <= low + 1e-9
    assert numbers[-1] >= high - 1e-9
    assert [tick_text(number, numbers) for number in numbers] == ticks


@pytest.mark.both_modes
def test_a_chart_holds_its_points_and_names():
    points = [(0.0, -3.0), (10.0, 40.0), (7.0, 12.5)]
    root = ET.fromstring(chart("a < b", "x", "y", [Series("1 & 2", points, dots=True), Series("", [(1.0, 1.0)])]))
    width, height = float(root.get("width")), float(root.get("height"))
    texts = [text.text for text in root.iter(f"{SVG}text")]
    assert {"a < b", "x", "y", "1 & 2"} <= set(texts)
    dots = [(float(dot.get("cx")), float(dot.get("cy"))) for dot in root.iter(f"{SVG}circle")]
    assert len(dots) == len(points) + 1  # and one in the legend
    assert all(0 < x < width and 0 < y < height for x, y in dots)


@pytest.mark.both_modes
@pytest.mark.parametrize("points", [[], [(0.0, float("nan"))], [(float("inf"), 1.0)]])
def test_a_chart_needs_finite_points(points):
    with pytest.raises(ValueError, match="finite"):
        chart("", "", "", [Series("", points)])


@pytest.mark.both_modes
def test_bars_lie_inside_the_picture_and_an_infinite_end_reaches_its_edge():
    bars = [Bar("a & b", 10.0, -20.0, 40.0), Bar("x" * 99, 100.0, 50.0, math.inf), Bar("unknown", math.nan, 0.0, 1.0)]
    root = ET.fromstring(bar_chart("Elo", "difference", bars))
    width, height = float(root.get("width")), float(root.get("height"))
    texts = [text.text for text in root.iter(f"{SVG}text")]
    assert {"Elo", "difference", "a & b", "x" * 39 + "…"} <= set(texts)
    dots = [(float(dot.get("cx")), float(dot.get("cy"))) for dot in root.iter(f"{SVG}circle")]
    assert len(dots) == 2
    assert dots[0][0] < dots[1][0]
    lines = [line for line in root.iter(f"{SVG}line") if line.get("y1") == line.get("y2")]
    ends = {float(line.get("y1")): (float(line.get("x1")), float(line.get("x2"))) for line in lines}
    assert all(0 < end < width for pair in ends.values() for end in pair)
    assert all(0 < at < height for at in ends)
    assert ends[dots[1][1]][1] == max(end for _, end in ends.values())
    with pytest.raises(ValueError, match="finite"):
        bar_chart("", "", [Bar("", math.nan, -math.inf, math.inf)])
