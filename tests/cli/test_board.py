"""Boards and graphs in a terminal: colours where there are some, plain text elsewhere."""

import io

import pytest
from rich.console import Console

from montego.cli.board import board_text
from montego.cli.graph import Rate, graph_svg, graph_text
from montego.games import game

pytestmark = pytest.mark.both_modes


def console(colours: bool) -> Console:
    file = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    return Console(file=file, force_terminal=colours, color_system="truecolor" if colours else None)


def drawn(spec: str, *moves: str, colours: bool = True):  # type: ignore[no-untyped-def]
    position = game(spec).start()
    for move in moves:
        position.play(move)
    return board_text(position, console(colours)), position


def colour_of(text, word: str) -> str:  # type: ignore[no-untyped-def]
    """Return the colour in which the first occurrence of a word is written."""
    at = text.plain.index(word)
    return str(next(span.style.color.name for span in text.spans if span.start <= at < span.end and span.style.color))


@pytest.mark.parametrize("spec", ["tictactoe", "go(size=9)", "hex(size=4)", "y(board=bent)", "blokus_duo"])
def test_without_colours_it_is_the_plain_drawing(spec: str) -> None:
    text, position = drawn(spec, colours=False)
    assert text.plain == str(position)


def test_stars_and_stones() -> None:
    text, position = drawn("go(size=9)", "D4", "F6")
    lines = text.plain.splitlines()
    assert lines[2].rstrip() == " 7  · · + · + · + · ·"
    assert lines[5].rstrip() == " 4  · · · ● · · · · ·"
    assert lines[3].rstrip() == " 6  · · · · ·(●)· · ·"
    assert colour_of(text, "●") == position.game.colours[1]  # F6 is above D4
    assert lines[-1] == "Black to move"


def test_the_sides_of_hex_have_the_colours_of_the_players() -> None:
    text, position = drawn("hex(size=3)")
    assert text.plain.splitlines()[:5] == ["  a b c", "1  · · · 1", " 2  · · · 2", "  3  · · · 3", "      a b c"]
    assert colour_of(text, "a") == position.game.colours[0]
    assert colour_of(text, "1") == position.game.colours[1]


def test_the_points_of_the_bent_board_are_named() -> None:
    text, position = drawn("y(board=bent)", "a1", "f1")
    words = text.plain.replace("(", " ").replace(")", " ").split()
    assert set(position.game.layout().names) - set(words) == {"a1", "f1"}
    assert words.count("●") == 2


def test_pieces_are_blocks() -> None:
    text, _ = drawn("blokus_duo", "X e10", "j5")
    rows = text.plain.splitlines()
    assert rows[5].startswith(" 9 · · ·       · ·")
    assert "▪▪" in rows[9]  # the newest piece is marked
    assert "+" in drawn("blokus_duo")[0].plain  # start points


def test_the_graph_in_characters() -> None:
    rates = [Rate(k, k / 20, (k / 20 - 0.05, k / 20 + 0.05), 1 if k == 7 else None) for k in range(1, 21)]
    lines = graph_text(rates, ("Black", "White"), width=60).plain.splitlines()
    assert lines[0] == "Black's win rate"
    assert lines[1].startswith(" 100% │")
    assert lines[1].endswith("●")
    assert lines[6].startswith("  50% │")
    assert "┄" in lines[6]
    assert lines[-2].index("!") == 7 + 6
    assert lines[-1].split() == ["1", "5", "10", "15", "20"]
    wide = [Rate(k, 0.5) for k in range(1, 301)]
    assert all(len(line) <= 80 for line in graph_text(wide, ("Black", "White"), width=80).plain.splitlines())
    assert graph_text([Rate(1, 0.25)], ("Black", "White")).plain.count("●") == 1


def test_the_graph_as_a_picture() -> None:
    picture = graph_svg([Rate(1, 0.5), Rate(2, 0.75, (0.7, 0.8), 0)], ("<Black>", "White"))
    assert picture.count('class="mistake"') == picture.count('class="curve"') == picture.count('class="band"') == 1
    assert "&lt;Black&gt;" in picture
