"""The features of Hex and Y: rings, answers to the last move, continuations of the own one."""

import numpy as np
import pytest

from montego.games import game
from montego.games.rules import move_features
from montego.games.tools.connection import features

pytestmark = pytest.mark.both_modes


def features_after(spec, *moves):
    """Return the numbers of every point that may be played, by its name."""
    board = game(spec)
    position = board.start()
    for move in moves:
        position.play(move)
    trace, tables = np.array([-1, -1, *position.moves]), board.feature_tables()
    found = {}
    for move in position.legal_numbers().tolist():
        values = np.full(3, 9999, np.uint16)
        move_features(board, tables, position.state, trace, len(trace), move, values)
        found[board.move_name(move)] = tuple(values.tolist())
    return found


def of_column(found, column, value):
    return {name for name, values in found.items() if values[column] == value}


def ring(*digits):
    """Return the number of the pattern of a ring."""
    return int(features.RING_NUMBERS[sum(digit << 2 * place for place, digit in enumerate(digits))])


def test_rings_are_numbered_up_to_turns_and_reflections():
    # Burnside: necklaces of six beads in four colours that may be turned over.
    assert features.RINGS == 430
    assert ring(1, 2, 0, 0, 0, 0) == ring(0, 0, 1, 2, 0, 0) == ring(2, 1, 0, 0, 0, 0)
    assert ring(1, 2, 0, 0, 0, 0) != ring(1, 0, 2, 0, 0, 0)
    assert sorted(set(features.RING_NUMBERS.tolist())) == list(range(1, 431))


def test_an_edge_of_hex_counts_as_stones_of_the_player_whose_it_is():
    first = features_after("hex(size=3)")
    assert first["b2"][features.RING] == ring(0, 0, 0, 0, 0, 0)
    assert first["b1"][features.RING] == ring(1, 1, 0, 0, 0, 0)  # Red connects top and bottom
    assert first["a2"][features.RING] == ring(0, 0, 0, 0, 2, 2)  # Blue connects left and right
    second = features_after("hex(size=3)", "c3")
    assert second["b1"][features.RING] == ring(2, 2, 0, 0, 0, 0)
    assert second["a2"][features.RING] == ring(0, 0, 0, 0, 1, 1)


def test_stones_are_own_or_the_enemys_and_edges_of_y_are_common():
    found = features_after("hex(size=5)", "c2", "d3")
    assert found["c3"][features.RING] == ring(1, 0, 2, 0, 0, 0)  # Red above, Blue to the right
    corner = features_after("y(size=3)")["a1"]
    assert corner[features.RING] == ring(0, 0, 3, 3, 3, 3)


def test_the_answer_that_saves_a_bridge():
    found = features_after("hex(size=5)", "c2", "a5", "b4", "b3")  # c2 and b4 are a bridge; Blue intrudes
    assert of_column(found, features.ANSWER, features.SAVES_BRIDGE) == {"c3"}
    assert of_column(found, features.ANSWER, features.TOUCHES) == {"b2", "a3", "a4"}
    assert of_column(found, features.ANSWER, features.AT_BRIDGE) == {"c1", "a2", "d2", "c4"}


def test_a_bridge_to_the_own_edge_is_saved_and_one_to_the_enemys_edge_is_none():
    found = features_after("hex(size=5)", "c2", "c1")
    assert of_column(found, features.ANSWER, features.SAVES_BRIDGE) == {"d1"}
    found = features_after("hex(size=5)", "b3", "a3")  # the left edge is Blue's
    assert of_column(found, features.ANSWER, features.SAVES_BRIDGE) == set()


def test_continuations_touch_the_own_last_move_or_make_a_bridge_with_it():
    found = features_after("hex(size=5)", "c3", "e5")
    assert of_column(found, features.CONTINUATION, features.JOINS) == {"c2", "d2", "d3", "c4", "b4", "b3"}
    assert of_column(found, features.CONTINUATION, features.MAKES_BRIDGE) == {"d1", "e2", "d4", "b5", "a4", "b2"}


def test_there_are_no_answers_before_the_first_moves_and_to_the_swap():
    for found in (features_after("hex(size=3)"), features_after("hex(size=3, swap=true)", "a1", "swap-pieces")):
        assert of_column(found, features.ANSWER, 0) == set(found)
    assert features_after("hex(size=3, swap=true)", "b2")["swap-pieces"] == (0, 0, 0)


@pytest.mark.parametrize("spec", ["hex(size=4)", "y(size=4)", "y(board=bent)"])
def test_rings_go_round_and_bridges_have_two_common_neighbours(spec):
    board = game(spec)
    tables = board.feature_tables()
    rings = tables.rings.tolist()
    for point, around in enumerate(rings):
        near = [other for other in around if other >= 0]
        assert len(near) == len(set(near))
        assert all(point in rings[other] for other in near)
        for place, across in enumerate(tables.bridges[point].tolist()):
            if across >= 0:
                pair = {around[place], around[(place + 1) % 6]}
                assert pair <= set(rings[point]) & set(rings[across])
                assert across not in near
