"""Random playouts of Go: published statistics, and the sampler's exact uniformity."""

import math

import numpy as np
import pytest
from scipy.stats import chisquare

import montego.games as mg
from montego.games import rules
from montego.playouts import Sampler
from montego.rng import stream

# Measured with an independent program (200,000 games on 9×9, 10,000 on 19×19), libego's published counts agree:
# mean length with its standard deviation, and the share of Black's wins by komi.
REFERENCE = {
    9: {"games": 200_000, "length": (111.077, 16.02), "black": {7.5: 0.4222, 6.5: 0.4472}},
    13: {"games": 20_000, "length": (219.481, 19.87), "black": {7.5: 0.4477}},
    19: {"games": 10_000, "length": (455.789, 27.38), "black": {7.5: 0.4675}},
}


@pytest.mark.parametrize(("size", "games"), [(9, 40_000), (13, 8_000), (19, 4_000)])
def test_playout_statistics(size, games):
    """Within 3 standard errors of the reference: a correct program fails one such test in 370 for a random seed."""
    reference = REFERENCE[size]
    both = 1 / games + 1 / reference["games"]
    for komi, black in reference["black"].items():
        game = mg.Go(size=size, komi=komi)
        totals = Sampler(game, game.start().state, stream(20, size)).run(games)
        mean, deviation = reference["length"]
        assert abs(totals.moves / games - mean) < 3 * deviation * math.sqrt(both)
        assert abs(totals.wins / games - black) < 3 * math.sqrt(black * (1 - black) * both)


@pytest.mark.parametrize("prefix", [0, 25, 70, 95])
def test_fast_sampler_is_uniform_over_the_playout_moves(prefix):
    """Chi-square at 0.1 %: a right sampler fails one of these four tests in 250 blindly chosen seeds."""
    game = mg.game("go(size=9)")
    rng = stream(3, prefix)
    state, scratch = game.new_state(), game.new_moves()
    rules.start(game, state)
    for _ in range(prefix):
        rules.play(game, state, rules.random_move(game, state, rng, scratch))
    moves = sorted(int(m) for m in scratch[: rules.playout_moves(game, state, scratch)])
    draws = [int(rules.random_move(game, state, rng, scratch)) for _ in range(200 * len(moves))]
    assert set(draws) <= set(moves)
    counts = [draws.count(move) for move in moves]
    assert len(moves) == 1 or chisquare(counts).pvalue > 0.001


@pytest.mark.both_modes
def test_playout_ends_with_two_passes_and_only_eyes_left():
    game = mg.game("go(size=5)")
    state, trace, scratch = game.new_state(), game.new_trace(), game.new_moves()
    rules.start(game, state)
    length = rules.random_playout(game, state, stream(1), trace, scratch)
    assert list(trace[length - 2 : length]) == [0, 0]
    assert rules.is_over(game, state)
    replay = game.start()
    for move in trace[:length]:
        replay.play(int(move)) if replay.is_legal(int(move)) else rules.play(game, replay.state, int(move))
    assert np.array_equal(replay.state.colour, state.colour)


def test_a_playout_that_would_go_on_for_ever_is_cut():
    game = mg.game("go(size=5)")
    assert len(game.new_trace()) == 3 * 25 + 20
