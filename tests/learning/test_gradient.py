"""The gradient of playouts: against the derivative of the exact expectation, and one keeper against the other."""

import numpy as np
import pytest

from montego.games import game
from montego.games.rules import is_over, play, playout_moves, winner, write_features
from montego.learning.balancing import go as balancing_go
from montego.learning.balancing.gradient import add_playouts, add_score, by_group, new_desk, new_sums, set_strengths
from montego.playouts.policy import HISTORY, new_trace
from montego.playouts.softmax.keeping import begin_keeping, draw_weighted, keep_move, keeper_for, plain_keeper
from montego.rng import stream
from montego.weights import strengths
from tests.learning.example_game import connect_four


def random_gammas(columns, seed, spread=0.7):
    chance = np.random.default_rng(seed)
    groups = [group for column in columns for group in column.groups]
    gammas = [np.exp(spread * chance.normal(size=group.size + 1)) for group in groups]
    for gamma in gammas:
        gamma[0] = 1.0
    return gammas


def expected_outcome(board, state, player, gammas, moves=()):
    """Return the exact mean outcome for a player, by plain recursion over all moves."""
    if is_over(board, state):
        won = winner(board, state)
        return 0.0 if won < 0 else 1.0 if won == player else -1.0
    found = board.new_moves()
    found = found[: playout_moves(board, state, found)]
    values = np.zeros((len(found), 1), np.uint16)
    trace = np.array([-1, -1, *moves], np.int32)
    write_features(board, board.feature_tables(), state, trace, len(trace), found, values)
    weights = strengths(board.feature_columns(), gammas)[0][values[:, 0]]
    total = 0.0
    for move, weight in zip(found.tolist(), weights / weights.sum(), strict=True):
        after = np.array([state], board.state_dtype())[0]
        play(board, after, move)
        total += weight * expected_outcome(board, after, player, gammas, (*moves, move))
    return total


# 20,000 playouts; each of the three derivatives lies within 4.5 standard errors: a wrong alarm in 50,000 changes of the
# seed. The errors are about 0.01, the derivatives 0.05 to 0.3.
def test_the_gradient_is_the_derivative_of_the_exact_mean():
    board = connect_four(4, 4)
    columns = board.feature_columns()
    gammas = random_gammas(columns, 3)
    position = board.start()
    for move in (0, 1, 0, 1, 0, 2, 3, 0, 1):
        position.play(move)
    exact, step = [], 1e-5
    for place in range(len(gammas)):
        shifted = [[g.copy() for g in gammas] for _ in range(2)]
        shifted[0][place][1] *= np.exp(step)
        shifted[1][place][1] *= np.exp(-step)
        up, down = (expected_outcome(board, position.state, position.to_move, one, position.moves) for one in shifted)
        exact.append((up - down) / (2 * step))
    assert max(map(abs, exact)) > 0.03
    desk = new_desk(board, strengths(columns, gammas))
    desk.trace[:HISTORY] = position.moves[-HISTORY:]
    means = []
    for seed in range(20):
        rng = stream(seed)
        desk.rng.a, desk.rng.b, desk.rng.c, desk.rng.d = rng.a, rng.b, rng.c, rng.d
        sums = new_sums(columns)
        add_playouts(board, position.state, desk, 1000, sums, False, True)
        assert sums.outcomes[2] == 1000
        means.append([float(array[1]) / 1000 for array in by_group(columns, sums.products)])
        assert np.abs([array[1] / 1000 for array in by_group(columns, sums.scores)]).max() < 0.15  # mean score: 0
    errors = np.std(means, axis=0, ddof=1) / np.sqrt(len(means))
    assert (np.abs(np.mean(means, axis=0) - exact) < 4.5 * errors).all()


@pytest.mark.both_modes
@pytest.mark.parametrize("spec", ["go(size=4)", "go(size=3, height=5)"])
def test_the_scores_of_go_are_those_of_the_plain_keeper(spec):
    board = game(spec)
    columns = board.feature_columns()
    table = strengths(columns, random_gammas(columns, 5))
    quick = new_desk(board, table)
    plain = quick._replace(keeper=plain_keeper(board, table), score=np.zeros_like(quick.score))
    steps = 0
    for seed in range(3):
        state, trace, rng = board.start().state, new_trace(board), stream(seed)
        begin_keeping(quick.keeper, board, state, trace, HISTORY)
        end = HISTORY
        while end < len(trace) and not is_over(board, state):
            move = draw_weighted(quick.keeper, board, state, rng, trace, end, quick.scratch)
            add_score(quick.keeper, quick.room, board, state, trace, end, move, quick)
            add_score(plain.keeper, plain.room, board, state, trace, end, move, plain)
            if move == 0:  # the plain keeper knows no better than to list the pass as well
                assert np.abs(plain.score - quick.score).max() < 1e-6
            keep_move(quick.keeper, board, state, trace, end, move)
            end += 1
            steps += 1
        assert quick.score[0, 1:] == pytest.approx(plain.score[0, 1:], abs=1e-5)
        assert quick.score[1] == pytest.approx(plain.score[1], abs=1e-5)
    assert steps > 60


@pytest.mark.both_modes
def test_a_keeper_given_other_strengths_is_a_new_keeper():
    board = game("go(size=5)")
    columns = board.feature_columns()
    first, second = (strengths(columns, random_gammas(columns, seed, 3.0)) for seed in (1, 2))
    desk = new_desk(board, first)
    twin = new_desk(board, first, desk)
    set_strengths(desk.keeper, desk.room, second)
    expected = keeper_for(board, second)
    for keeper in (desk.keeper, twin.keeper):
        assert np.array_equal(keeper.pattern_weights, expected.pattern_weights)
        assert np.array_equal(keeper.set_weights, expected.set_weights)
    assert not np.array_equal(keeper_for(board, first).pattern_weights, expected.pattern_weights)
    assert isinstance(desk.room, balancing_go.GoRoom)
