"""Counting move sequences."""

import numpy as np
import pytest

from montego.games import game
from montego.games.tools.perft import perft


@pytest.mark.both_modes
def test_depth_zero_and_small_depths():
    tictactoe = game("tictactoe")
    assert [perft(tictactoe, tictactoe.start().state, depth) for depth in range(4)] == [1, 9, 72, 504]


def test_tictactoe_to_the_end():
    """A game that ends early counts no longer: 255,168 games in all, none of ten moves."""
    tictactoe = game("tictactoe")
    counts = [perft(tictactoe, tictactoe.start().state, depth) for depth in range(1, 11)]
    assert counts == [9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872, 0]


@pytest.mark.both_modes
def test_the_state_is_left_alone():
    position = game("tictactoe").start().play("b2")
    before = np.array(position.state)
    assert perft(position.game, position.state, 2) == 8 * 7
    assert before == np.array(position.state)


@pytest.mark.both_modes
def test_negative_depth():
    tictactoe = game("tictactoe")
    with pytest.raises(ValueError, match="from 0 to 1000, not -1"):
        perft(tictactoe, tictactoe.start().state, -1)
