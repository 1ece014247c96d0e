"""Ownership maps agree with playing the same playouts one by one, and with what is plain to see."""

import numpy as np
import pytest

import montego as mg
from montego.games.rules import final_owners, random_playout
from montego.playouts.ownership import ownership
from montego.rng import stream

GAMES = ["tictactoe", "go(size=5)", "hex(size=4)", "y(size=4)"]


@pytest.mark.both_modes
@pytest.mark.parametrize("spec", GAMES)
def test_mean_of_single_playouts(spec):
    game = mg.game(spec)
    state, rng = game.start().state, stream(3)
    expected = np.zeros(len(game.layout().names))
    for _ in range(20):
        work = np.array([state], game.state_dtype())[0]
        random_playout(game, work, rng, game.new_trace(), game.new_moves())
        owner = np.full(len(expected), -1, np.int8)
        final_owners(game, work, owner)
        expected += (owner == 0).astype(int) - (owner == 1).astype(int)
    assert ownership(game, state, 20, stream(3)) == pytest.approx(expected / 20)


@pytest.mark.both_modes
def test_groups_with_two_eyes_are_never_taken():
    position = mg.Position.from_text(
        mg.game("go(size=5)"),
        """. X O . .
           X X O O O
           . X O . O
           X X O O O
           . X O . O""",
    )
    owner = ownership(position.game, position.state, 50, stream(1)).reshape(5, 5)
    assert (owner[:, 0:2] == 1).all()
    assert (owner[:, 2:] == -1).all()


@pytest.mark.both_modes
def test_a_finished_game_is_counted_as_it_stands():
    position = mg.game("go(size=5)").start().play("C3").play("pass").play("pass")
    assert (ownership(position.game, position.state, 3, stream(1)) == 1).all()


def test_values_stay_between_minus_one_and_one_and_follow_the_stones():
    game = mg.game("go(size=9)")
    position = mg.Position(game, {f"{column}{row}": 0 for column in "CDEFG" for row in (4, 5)}, 1)
    owner = ownership(game, position.state, 2000, stream(2))
    assert -1 <= owner.min() <= owner.max() <= 1
    assert owner.mean() > 0.2
    assert ownership(game, game.start().state, 2000, stream(2)).mean() == pytest.approx(0, abs=0.15)
