"""Simulation balancing: Algorithm 1 step by step, the adaptive optimiser's unbiased direction, and both at work."""

import numpy as np
import pytest

from montego.errors import MontegoError
from montego.games import game
from montego.learning.balancing.positions import PositionSet
from montego.learning.balancing.trainer import ADAPTIVE, PAPER, Balancer, Settings, roots_of
from tests.learning.example_game import connect_four
from tests.learning.test_gradient import expected_outcome

THETA = np.array([0.8, 0.5, -0.4])


def exact_value(position, theta):
    """Return the exact mean outcome of playouts for the player to move."""
    gammas = [np.array([1.0, np.exp(one)]) for one in theta]
    return expected_outcome(position.game, position.state, position.to_move, gammas, position.moves)


def small_set(count=12):
    """Return late positions of a small Connect Four that matter, with the exact mean outcomes of playouts by THETA."""
    board = connect_four(4, 4)
    chance = np.random.default_rng(1)
    moves, values = [], []
    while len(moves) < count:
        position = board.start()
        while not position.over and len(position.moves) < 10:
            position.play(int(chance.choice(position.legal_numbers())))
        if not position.over and abs(exact_value(position, THETA) - exact_value(position, 0 * THETA)) > 0.08:
            moves.append(tuple(position.moves))
            values.append(exact_value(position, THETA))
    return PositionSet(board, tuple(moves), np.array(values))


SET = small_set()


def trained(settings, positions=SET, **kwargs):
    with Balancer(positions.game, settings, **kwargs) as balancer:
        *_, state = balancer.train(roots_of(positions))
        return balancer.result(state), state


def test_outcomes_from_0_to_1_with_the_right_baseline_are_signed_outcomes():
    signed = Settings(PAPER, iterations=2, value_playouts=20, gradient_playouts=30, rate=4.0)
    other = signed._replace(outcome="zero_one", baseline=0.5, rate=16.0)
    assert trained(signed)[0] == pytest.approx(trained(other)[0], rel=1e-9)
    assert trained(signed)[1].playouts == 2 * len(SET) * 50


@pytest.mark.parametrize("optimiser", [PAPER, ADAPTIVE])
def test_threads_and_interruptions_change_nothing(optimiser):
    settings = Settings(optimiser, iterations=4, value_playouts=9, gradient_playouts=11, playouts=6, batch=5)
    whole = trained(settings._replace(threads=1))[0]
    assert np.array_equal(whole, trained(settings._replace(threads=3))[0])
    with Balancer(SET.game, settings) as balancer:
        states = balancer.train(roots_of(SET))
        next(states)
        second = next(states)
    with Balancer(SET.game, settings) as balancer:
        *_, last = balancer.train(roots_of(SET), second)
        assert np.array_equal(balancer.result(last), whole)


# The mean of 3,000 estimates within 4.5 standard errors for each of three features: a wrong alarm in 50,000 seeds.
def test_the_adaptive_direction_is_without_bias():
    position = SET.position(0)
    root = roots_of(SET)[0]._replace(value=0.9)
    with Balancer(SET.game, Settings(ADAPTIVE, playouts=4)) as balancer:
        balancer.set_weights(THETA)
        found = np.array([balancer.improvement(root, (9, number)) for number in range(3000)])
    step = 1e-5
    slope = [
        (exact_value(position, THETA + step * unit) - exact_value(position, THETA - step * unit)) / (2 * step)
        for unit in np.eye(3)
    ]
    exact = (0.9 - exact_value(position, THETA)) * np.array(slope)
    assert np.abs(exact).max() > 0.02
    assert (np.abs(found.mean(axis=0) - exact) < 4.5 * found.std(axis=0) / np.sqrt(len(found)) + 1e-9).all()


# Mean squared errors fall to below a quarter; what is left by chance is far smaller.
@pytest.mark.parametrize("optimiser", [PAPER, ADAPTIVE])
def test_balancing_lowers_the_error(optimiser):
    settings = Settings(optimiser, iterations=25, value_playouts=40, gradient_playouts=40, rate=3.0, batch=4)
    roots = roots_of(SET)
    theta, _ = trained(settings)
    with Balancer(SET.game, settings) as balancer:
        before, after = balancer.error(np.zeros(3), roots, 2000), balancer.error(theta, roots, 2000)
    assert after < before / 4


def test_weights_to_start_from_must_fit():
    with pytest.raises(MontegoError, match="do not fit the features of connect_four"):
        Balancer(SET.game, Settings(), [np.ones(3)])
    for change, complaint in (
        ({"optimiser": "newton"}, "no optimiser 'newton'; paper or adaptive expected"),
        ({"outcome": "big"}, "outcomes are signed or zero_one"),
        ({"playouts": 1}, "at least 2 playouts"),
        ({"batch": 0}, "must be at least 1"),
    ):
        with pytest.raises(MontegoError, match=complaint):
            Balancer(SET.game, Settings(**change))
    with pytest.raises(MontegoError, match="tictactoe has no features"):
        Balancer(game("tictactoe"), Settings())
