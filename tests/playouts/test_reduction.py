"""The worth of points by micro-reduction, against the chances that the player ``micro_reduction`` computes."""

import numpy as np
import pytest

import montego as mg
from montego.errors import MontegoError
from montego.games.tools.connection import holds
from montego.playouts import HISTORY, Reduction, move_weights, new_trace
from montego.search.higher_order.micro_reduction import cells_of, chance_of

pytestmark = pytest.mark.both_modes

STEP = 1e-5


def weights_of(policy, position):
    game = position.game
    moves = np.array([game.parse_move(name) for name in position.legal_moves()])
    weights = np.zeros(len(moves))
    move_weights(policy, game, policy.new_memory(game), position.state, new_trace(game), HISTORY, moves, weights)
    return dict(zip(moves.tolist(), weights.tolist(), strict=True))


@pytest.mark.parametrize(
    ("spec", "moves"),
    [("hex(size=4, swap=false)", "b2 c3 a4"), ("y(size=5)", "b2 a1 c4"), ("y(board=bent)", "a1 b3")],
)
def test_weights_follow_the_change_of_the_chance_to_win(spec, moves):
    """Differences of the chance from both sides, by the code of the player, which never takes a derivative."""
    game = mg.game(spec)
    position = game.start()
    for move in moves.split():
        position.play(move)
    stones = position.state.stones
    weights = weights_of(Reduction(sharpness=1.0), position)
    count = max(weights) + 1
    chances = np.array([1.0 if holds(stones, 0, p) else 0.0 if holds(stones, 1, p) else 0.5 for p in range(count)])

    def chance(point, step):
        moved = chances.copy()
        moved[point] += step
        return chance_of(game, 0, moved, np.zeros(cells_of(game)))

    change = {point: chance(point, STEP) - chance(point, -STEP) for point in weights}
    greatest = max(change.values())
    assert weights == pytest.approx({point: value / greatest for point, value in change.items()}, abs=1e-5)


def test_a_sharper_prior_prefers_the_best_points_more():
    position = mg.game("y(size=5)").start()
    blunt, sharp = weights_of(Reduction(sharpness=1.0), position), weights_of(Reduction(sharpness=3.0), position)
    assert sharp == pytest.approx({point: weight**3 for point, weight in blunt.items()})
    assert set(weights_of(Reduction(sharpness=0.0), position).values()) == {1.0}


def test_the_swap_weighs_as_much_as_the_best_point():
    position = mg.game("hex(size=3, swap=true)").start().play("b2")
    weights = weights_of(Reduction(), position)
    assert weights[max(weights)] == 1.0
    assert len(weights) == 9


def test_other_games_are_refused():
    with pytest.raises(MontegoError, match="reduction knows hex and y; it knows nothing about go"):
        mg.player("uct(playouts=10, prior=reduction)", "go(size=5)")


def test_a_search_that_trusts_it_tries_the_best_point_most():
    game = mg.game("y(size=5)")
    weights = weights_of(Reduction(), game.start().play("a1"))
    spec = "uct(playouts=50, c=0, prior=reduction, initial=values(count=10000))"
    analysis = mg.analyse(game.start().play("a1"), spec, seed=1)
    assert analysis.number == max(weights, key=weights.get)
