"""Drawings: the same board as text and as SVG, with the last move, heat and labels."""

import math
from xml.etree import ElementTree

import pytest

from montego.errors import MontegoError
from montego.games import game
from montego.games.tools import drawing

pytestmark = pytest.mark.both_modes
SVG = "{http://www.w3.org/2000/svg}"


def position(*names):
    start = game("tictactoe").start()
    for name in names:
        start.play(name)
    return start


def parts(picture, kind):
    return [part for part in ElementTree.fromstring(picture).iter() if part.get("class") == kind]


def test_text():
    assert str(position()) == "3 . . .\n2 . . .\n1 . . .\n  a b c\nX to move"
    assert str(position("a3", "b2")) == "3 X . .\n2 .(O).\n1 . . .\n  a b c\nX to move"
    assert str(position("a3")).startswith("3(X). .")
    assert str(position("a1", "b1", "a2", "b2", "a3")).endswith("\nX+1")


def test_picture():
    picture = ElementTree.fromstring(position("a3", "b2", "c1").svg())
    assert picture.tag == f"{SVG}svg"
    assert len(picture.findall(f"{SVG}polygon")) == 9 + 3
    words = [part.text for part in picture.findall(f"{SVG}text")]
    assert words == ["3", "2", "1", "a", "b", "c"]


def test_stones_and_the_last_move():
    assert not parts(position().svg(), "last")
    picture = position("a3", "b2", "c1").svg()
    assert (len(parts(picture, "stone0")), len(parts(picture, "stone1"))) == (2, 1)
    (last,) = parts(picture, "last")
    assert (float(last.get("cx")), float(last.get("cy"))) == (2 * drawing.CELL, 2 * drawing.CELL)


def test_everything_drawn_lies_in_the_picture():
    picture = ElementTree.fromstring(position("a3", "c1").svg(heat={"a1": 1, "c3": 2}))
    left, top, width, height = (float(number) for number in picture.get("viewBox").split())
    for polygon in picture.iter(f"{SVG}polygon"):
        for corner in polygon.get("points").split():
            x, y = (float(number) for number in corner.split(","))
            assert left <= x <= left + width
            assert top <= y <= top + height


def test_heat():
    squares = parts(position("b2").svg(heat={"a1": -1.0, "a2": 0.0, "c3": 1.0}), "heat")
    assert [square.get("fill") for square in squares] == ["#3168bd", "#fafafa", "#c82828"]
    assert [square.find(f"{SVG}title").text for square in squares] == ["a1: -1", "a2: 0", "c3: 1"]
    (only,) = parts(position().svg(heat={"a1": 7}), "heat")
    assert only.get("fill") == "#fafafa"
    assert not parts(position().svg(heat={}), "heat")


def test_labels_are_escaped_and_readable_on_dark_stones():
    picture = ElementTree.fromstring(position("a3", "b2").svg(labels={"a3": "<1>", "b2": "&", "c1": 0.25}))
    labels = picture.findall(f"{SVG}text")[-3:]
    assert [label.text for label in labels] == ["<1>", "&", "0.25"]
    assert [label.get("fill") for label in labels] == ["#ffffff", "#000000", "#000000"]


@pytest.mark.parametrize(
    ("overlay", "complaint"),
    [
        ({"heat": {"a9": 1.0}}, "no point 'a9' in tictactoe; did you mean"),
        ({"labels": {"A9": "x"}}, "no point 'A9' in tictactoe; did you mean"),
        ({"labels": {4: "x"}}, "no point '4' in tictactoe"),
        ({"heat": {"a1": math.nan}}, "the heat of a1 must be a finite number, not nan"),
        ({"heat": {"a1": math.inf}}, "the heat of a1 must be a finite number, not inf"),
    ],
)
def test_bad_overlays(overlay, complaint):
    with pytest.raises(MontegoError) as problem:
        position().svg(**overlay)
    assert str(problem.value).startswith(complaint)


def test_notebooks_show_the_picture():
    shown = position("b2")
    assert shown._repr_svg_() == shown.svg()


def test_heat_and_labels_of_moves():
    """A move stands for all its points; where moves share a point the first one counts; a pass is left out."""
    duo = game("blokus_duo").start()
    picture = duo.svg(heat={"e10": 3.0, "d9,e9,e10": 2.0, "pass": 9.0}, labels={"d9,e9,e10": "V"})
    titles = {part[0].text for part in parts(picture, "heat")}
    assert titles == {"e10: 3", "d9: 2", "e9: 2"}
    assert picture.count(">V<") == 3
    assert position().svg(labels={"A1": "x"}) == position().svg(labels={"a1": "x"})
