"""Charts: names and intervals are drawn, equal charts are equal files, CSV beside them."""

import math
import xml.etree.ElementTree as ET

import pytest

from montego.charts import Bar, BarChart, Chart, Curve, Panels, Series, Surface
from montego.errors import MontegoError

SVG = "{http://www.w3.org/2000/svg}"


def texts(svg):
    return {text.text for text in ET.fromstring(svg).iter(f"{SVG}text")}


@pytest.mark.both_modes
def test_a_chart_names_its_parts_and_is_the_same_every_time():
    points = [(1.0, -3.0), (10.0, 40.0)]
    series = [Series("1 & 2", points, dots=True, ends=[(-5.0, 1.0), (35.0, 41.0)]), Series("", [(1.0, 1.0)])]
    chart = Chart("a < $b", "x", "y", series, logarithmic=True, level=5.0)
    assert {"x", "y", "1 & 2"} <= texts(chart.svg())
    assert chart.svg() == chart.svg()
    assert chart.svg().startswith("<svg")
    assert chart.csv().splitlines()[:2] == ["series,x,y,low,high", "1 & 2,1.0,-3.0,-5.0,1.0"]


@pytest.mark.both_modes
@pytest.mark.parametrize("points", [[], [(0.0, float("nan"))], [(float("inf"), 1.0)]])
def test_a_chart_needs_finite_points(points):
    with pytest.raises(ValueError, match="finite"):
        Chart("", "", "", [Series("", points)]).svg()


@pytest.mark.both_modes
def test_bars():
    bars = [Bar("a & b", 10.0, -20.0, 40.0), Bar("x" * 99, 100.0, 50.0, math.inf), Bar("unknown", math.nan, 0.0, 1.0)]
    chart = BarChart("Elo", "difference", bars)
    assert {"Elo", "difference", "a & b", "x" * 39 + "…"} <= texts(chart.svg())
    assert len(chart.csv().splitlines()) == 4
    with pytest.raises(ValueError, match="finite"):
        BarChart("", "", [Bar("", math.nan, -math.inf, math.inf)]).svg()


@pytest.mark.both_modes
def test_without_matplotlib_one_line_says_what_to_install(monkeypatch):
    monkeypatch.setattr("montego.charts.can_draw", lambda: False)
    with pytest.raises(MontegoError, match=r"montego\[lab\]"):
        Chart("", "", "", [Series("", [(0.0, 1.0)])]).svg()


@pytest.mark.both_modes
def test_panels_of_curves_and_surfaces():
    ends = [(1.0, 3.0), (2.0, 4.0)]
    dots = Series("", [(1.5, 2.5)], line=False, dots=True, ends=[(2.0, 3.0)])
    curve = Curve("c & d", [(1.0, 2.0), (100.0, 3.0)], ends, 10.0, logarithmic=True, dots=dots)
    named = Curve("kind", [(0.0, 2.0), (1.0, 3.0)], ends, 0.0, names=["first", "second"])
    surface = Surface("map", [1, 10], [1, 2], [[0, 1], [1, 2]], [(2, 1.5)], (3, 1.5), ("x", "y"), (True, False))
    chart = Panels("all", "score, %", [curve, named], [surface])
    assert {"all", "score, %", "c & d", "first", "second", "map", "x", "y"} <= texts(chart.svg())
    assert chart.svg() == chart.svg()
    assert "first" in texts(Panels("one", "score", [named]).svg())
