"""Tactical classes of moves on small boards."""

import numpy as np
import pytest

import montego.games as mg
from montego.games.go import ladders, tactics


def classes(picture, move, last=None, ko_first=()):
    """Return the classes of a move of Black's (X) by name, without those that are 0 and without the line."""
    game = mg.Go(size=len(picture.split()))
    position = mg.Position.from_text(game, picture, to_move=len(ko_first) % 2)
    for name in ko_first:
        position.play(name)
    room, work = ladders.ladder_room(game), np.zeros(1, game.state_dtype())
    before = position.state.copy()
    point, previous = game.parse_move(move), game.parse_move(last) if last else 0
    number = int(tactics.tactics_number(game, position.state, point, previous, room, work))
    assert position.state == before
    found = {}
    for name, size in tactics.TACTICS:
        number, found[name] = divmod(number, size + 1)
    assert number == 0
    return {name: value for name, value in found.items() if value and name != "line"}


def line(move):
    game = mg.Go(size=9)
    room, work = ladders.ladder_room(game), np.zeros(1, game.state_dtype())
    number = int(tactics.tactics_number(game, game.start().state, game.parse_move(move), 0, room, work))
    return number // (5 * 5 * 4 * 4)


def test_lines_count_from_the_edge():
    assert [line(name) for name in ("A1", "E1", "B5", "C3", "D5", "E5", "J9")] == [1, 1, 2, 3, 4, 5, 1]


def test_a_quiet_move_has_no_class():
    assert classes("..... ..... ..X.. ..... .....", "D4") == {}


@pytest.mark.parametrize(
    ("picture", "move", "last", "expected"),
    [
        # Capture of a stone that would escape; that would not; that is the last move; that gives atari itself.
        ("..... ..X.. .XO.. ..X.. .....", "D3", None, {"capture": 3}),
        ("..... ..... ..... X.... O....", "B1", None, {"capture": 4}),
        ("..... ..X.. .XO.. ..X.. .....", "D3", "C3", {"capture": 2}),
        ("..... .OXO. .XO.. ..X.. .....", "D3", None, {"capture": 1}),
        # Extension of C3, which has the liberty D3: with room; by the last move C4 or not; in a ladder.
        ("..... ..O.. .OX.. ..O.. .....", "D3", "C4", {"extension": 1}),
        ("..... ..O.. .OX.. ..O.. .....", "D3", "A1", {"extension": 3}),
        ("..... ..O.. .OX.. ..OO. .....", "D3", "C4", {"extension": 2, "self-atari": 3}),
        ("..... ..O.. .OX.. ..OO. .....", "D3", None, {"extension": 4, "self-atari": 3}),
        # Self-atari of one stone, of more, and two liberties.
        (".O... ..... ..... ..... .....", "A5", None, {"self-atari": 1}),
        ("XO... .O... ..... ..... .....", "A4", None, {"extension": 4, "self-atari": 2}),
        ("..... ..... ..... ..... .....", "A1", None, {"self-atari": 3}),
        # Atari that catches by a ladder, and one that does not.
        ("....... ....... ....... ....... .XO.... ..XX... .......", "C4", None, {"atari": 1}),
        ("....... ....... ....... ....... .XO.... ..XX... .......", "D3", None, {"atari": 3}),
    ],
)
def test_classes(picture, move, last, expected):
    assert classes(picture, move, last) == expected


def test_an_atari_while_there_is_a_ko():
    """White takes the ko at C6: Black's atari at D1 is a threat."""
    picture = ".OX.... OX.X... .OX.... ....... ...X... ..XO... ......."
    assert classes(picture, "D1") == {"atari": 3, "self-atari": 3}
    assert classes(picture, "D1", "C6", ko_first=["C6"]) == {"atari": 2, "self-atari": 3}


def test_distances_to_the_last_two_moves():
    game = mg.Go(size=19)
    state = game.start().state

    def number(move, last, before):
        points = [game.parse_move(name) if name else 0 for name in (move, last, before)]
        return divmod(int(tactics.distances_number(state, *points)), tactics.MAX_DISTANCE + 1)[::-1]

    assert number("E5", None, None) == (0, 0)
    assert number("E5", "E6", "F6") == (1, 2)
    assert number("E5", "E5", "G5") == (1, 3)
    assert number("E5", "T19", "E8") == (tactics.MAX_DISTANCE, 5)
