"""Drawings: the same board as text and as SVG, with the last move, heat and labels."""

import itertools
import math
from xml.etree import ElementTree

import pytest

from montego.errors import MontegoError
from montego.games import game
from montego.games.tools import drawing, palette
from montego.games.tools.drawing import Heat

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
    assert len(picture.findall(f"{SVG}polygon")) == 9
    assert len(list(picture.iter(f"{SVG}circle"))) == 3 + 1  # round stones, and the mark on the last of them
    assert [cell.find(f"{SVG}title").text for cell in picture.findall(f"{SVG}polygon")][:4] == ["a3", "b3", "c3", "a2"]
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
    assert [square.get("fill") for square in squares] == [palette.PALETTE[0], palette.colour(0.5), palette.PALETTE[-1]]
    assert [square.find(f"{SVG}title").text for square in squares] == ["a1: -1", "a2: 0", "c3: 1"]
    (only,) = parts(position().svg(heat={"a1": 7}), "heat")
    assert only.get("fill") == palette.colour(0.5)
    assert not parts(position().svg(heat={}), "heat")
    assert not parts(position().svg(heat={}), "legend")


def test_the_palette_can_be_read_by_everybody():
    """Lightness falls steadily, so the order of the colours survives colour blindness; no player has such a colour."""
    light = [palette.lightness(palette.colour(k / 50)) for k in range(51)]
    assert all(a > b for a, b in itertools.pairwise(light))
    assert light[0] > 0.85
    assert light[-1] < 0.1
    for spec in ("tictactoe", "go", "hex", "y", "blokus_duo"):
        for colour in game(spec).colours:
            assert colour not in palette.PALETTE
    assert (round(palette.lightness("#ffffff"), 6), palette.lightness("#000000")) == (1, 0)


def test_the_legend_tells_the_scale():
    values = {"a1": 0.25, "a2": 0.5}
    (legend,) = parts(position().svg(Heat(values, "win rate", percent=True)), "legend")
    assert [word.text for word in legend.iter(f"{SVG}text")] == ["25%", "50%", "win rate"]
    (legend,) = parts(position().svg(Heat(values, "owner", -1.0, 1.0, ends=("O", "X"))), "legend")
    assert [word.text for word in legend.iter(f"{SVG}text")] == ["O", "X", "owner"]
    (legend,) = parts(game("go(size=5)").start().svg({"A1": -2.0, "B2": 6.0}), "legend")
    assert [word.text for word in legend.iter(f"{SVG}text")][:3] == ["−2", "6", "2"]


def test_what_is_visited_more_is_painted_more_strongly():
    heat = Heat({"a1": 1.0, "a2": 1.0, "a3": 0.0}, weights={"a1": 100, "a2": 25})
    strong, weak, none = (float(cell.get("fill-opacity")) for cell in parts(position().svg(heat), "heat"))
    assert strong > weak > none > 0
    assert parts(position().svg({"a1": 1.0}), "heat")[0].get("fill-opacity") == f"{strong:.2f}"


def test_crossings_get_discs_and_the_bent_board_names_its_points():
    bent = game("y(board=bent)").start().play("a1")
    picture = bent.svg({"a2": 1.0})
    assert parts(picture, "heat")[0].tag == f"{SVG}circle"
    words = [word.text for word in ElementTree.fromstring(picture).findall(f"{SVG}text")]
    assert set(words) == set(bent.game.layout().names) - {"a1"}


def test_pieces_are_outlined_and_start_points_marked():
    duo = game("blokus_duo").start()
    assert len(parts(duo.svg(), "dot")) == 2
    assert not parts(duo.svg(), "piece")
    duo.play("d9,e9,e10").play("j5")
    (outline,) = parts(duo.svg(), "piece")
    assert outline.get("d").count("M") == 8 + 4  # three squares in an angle have eight outer edges, one has four
    assert len(parts(duo.svg(), "stone0")) == 3


def test_labels_are_escaped_and_readable_on_dark_stones():
    picture = ElementTree.fromstring(position("a3", "b2").svg(labels={"a3": "<1>", "b2": "&", "c1": 0.25}))
    labels = picture.findall(f"{SVG}text")[-3:]
    assert [label.text for label in labels] == ["<1>", "&", "0.25"]
    assert [label.get("fill") for label in labels] == ["#ffffff", "#1c1c1c", "#1c1c1c"]
    assert [label.get("stroke") for label in labels] == ["#1c1c1c", "#ffffff", "#ffffff"]  # halos


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
