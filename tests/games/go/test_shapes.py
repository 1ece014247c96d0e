"""Nested shapes: equal under all symmetries and exchange of colours, and different where they should be."""

import random

import numpy as np
import pytest

import montego.games as mg
from montego.games.go import shapes

SIZE = 9
GAME = mg.Go(size=SIZE)


def random_stones(seed):
    chance = random.Random(seed)
    return {name: chance.choice((0, 1)) for name in GAME.layout().names if chance.random() < 0.3}


def hashes(stones, name, to_move=0):
    out = np.zeros(shapes.SHAPE_SIZES, np.uint64)
    shapes.write_shapes(GAME, mg.Position(GAME, stones, to_move).state, GAME.parse_move(name), out)
    return out.tolist()


@pytest.mark.both_modes
def test_symmetric_positions_have_the_same_shapes():
    stones = {"C3": 0, "C4": 1, "E5": 0, "G2": 1, "H8": 0, "A9": 1}
    names = GAME.layout().names
    assert len(GAME.symmetries()) == 8
    for point in ("D4", "B2", "J1", "E1"):
        expected = hashes(stones, point)
        for symmetry in GAME.symmetries():
            image = dict(zip(names, (names[place] for place in symmetry.points), strict=True))
            assert hashes({image[name]: owner for name, owner in stones.items()}, image[point]) == expected


def test_the_colours_are_own_and_enemy():
    stones = {"C3": 0, "C4": 1, "E5": 0}
    exchanged = {name: 1 - owner for name, owner in stones.items()}
    assert hashes(stones, "D4", 0) == hashes(exchanged, "D4", 1)
    assert hashes(stones, "D4", 0) != hashes(stones, "D4", 1)


def test_a_stone_changes_the_shapes_that_reach_it_and_no_others():
    """Distances from E5: E6 2, F6 3, E7 4, F7 5, G7 6, E8 6, F8 7, G8 8, E9 8, H8 9, F9 9, G9 10, and J9 12."""
    empty = hashes({}, "E5")
    for name, distance in [("F6", 3), ("E7", 4), ("F7", 5), ("G7", 6), ("F8", 7), ("G8", 8), ("H8", 9), ("G9", 10)]:
        changed = [a != b for a, b in zip(hashes({name: 0}, "E5"), empty, strict=True)]
        assert changed == [radius >= distance for radius in shapes.RADII]
    assert hashes({"J9": 0}, "E5") == empty


def test_the_edge_is_part_of_a_shape():
    assert hashes({}, "E1")[0] != hashes({}, "E5")[0]
    assert hashes({}, "E2")[0] == hashes({}, "E5")[0]
    assert hashes({}, "E2")[1] != hashes({}, "E5")[1]
    assert hashes({}, "A1")[0] != hashes({}, "A5")[0]


def test_sizes_do_not_share_hashes():
    assert len(set(hashes({}, "E5"))) == shapes.SHAPE_SIZES


def test_the_largest_known_shape_is_found():
    stones = {"C3": 0, "E6": 1, "F7": 0}
    state = mg.Position(GAME, stones).state
    around = hashes(stones, "E5")
    other = hashes(stones, "B8")
    for size in range(shapes.SHAPE_SIZES + 1):
        known = np.sort(np.array([*around[:size], *other[:2]], np.uint64))
        number = shapes.shape_number(GAME, state, GAME.parse_move("E5"), known)
        expected = int(np.flatnonzero(known == np.uint64(around[size - 1]))[0]) + 1 if size else 0
        assert number == expected
