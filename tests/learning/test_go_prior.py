"""Decisions with the features of the tree's prior, against a plain loop over the positions."""

from collections import Counter

import numpy as np
import pytest

import montego.games as mg
from montego.errors import MontegoError
from montego.games import rules
from montego.games.go import ladders, shapes, tactics
from montego.games.go.prior_features import prior_columns
from montego.learning.go_prior import harvest_shapes, prior_decisions
from montego.learning.mm import Training, train
from montego.learning.records import PASS
from tests.learning.test_go import random_record

RECORDS = [random_record(seed, 5, 30) for seed in range(4)]


def positions(record):
    """Yield the state before each move that can be learnt from, the move, and the two before it."""
    game = mg.Go(size=record.width, height=record.height)
    state, moves = game.new_state(), game.new_moves()
    rules.start(game, state)
    last = before_last = 0
    for place in record.places.tolist():
        move = game.point_numbers()[place] if place != PASS else 0
        if move and move in moves[: rules.playout_moves(game, state, moves)].tolist():
            yield game, state, move, last, before_last
        before_last, last = last, move
        rules.play(game, state, move)


def test_the_shapes_harvested_are_those_played_often_enough():
    counts: Counter[int] = Counter()
    for record in RECORDS:
        for game, state, move, _, _ in positions(record):
            hashes = np.zeros(shapes.SHAPE_SIZES, np.uint64)
            shapes.write_shapes(game, state, move, hashes)
            counts.update(hashes.tolist())
    for least in (1, 2, 3):
        assert harvest_shapes(RECORDS, least).tolist() == sorted(h for h, count in counts.items() if count >= least)
    with pytest.raises(MontegoError, match="at least once"):
        harvest_shapes(RECORDS, 0)


def test_decisions_are_those_of_a_plain_loop():
    known = harvest_shapes(RECORDS, 2)
    decisions = prior_decisions(RECORDS, known)
    decisions.check(prior_columns(known))
    number = 0
    for record in RECORDS:
        for game, state, move, last, before_last in positions(record):
            room, work = ladders.ladder_room(game), np.zeros(1, game.state_dtype())
            candidates = game.new_moves()
            rows = slice(decisions.starts[number], decisions.starts[number + 1])
            expected = [
                [
                    int(shapes.shape_number(game, state, point, known)),
                    int(tactics.tactics_number(game, state, point, last, room, work)),
                    int(tactics.distances_number(state, point, last, before_last)),
                ]
                for point in candidates[: rules.playout_moves(game, state, candidates)].tolist()
            ]
            assert decisions.values[rows].tolist() == expected
            points = candidates[: len(expected)].tolist()
            assert decisions.winners[number] == points.index(move)
            number += 1
    assert number == decisions.size > 80


def test_weights_can_be_trained():
    known = harvest_shapes(RECORDS, 2)
    columns = prior_columns(known)
    fit = train(prior_decisions(RECORDS, known), columns, Training(sweeps=5))
    assert [len(gamma) for gamma in fit.gammas] == [len(known) + 1, 5, 5, 4, 4, 6, 18, 18]
    assert fit.objectives[-1] > fit.objectives[0]
