"""Priors of Hex and Y learnt from records: shapes that are harvested, decisions, and a file that a search can use."""

import numpy as np
import pytest

import montego as mg
from montego.games import game
from montego.games.rules import is_over, play
from montego.games.tools.connection.prior_features import COLUMNS, SHAPE, prior_tables, write_prior_features
from montego.learning.connection_prior import connection_decisions, harvest_shapes
from montego.learning.fitting import fit_records
from montego.learning.material import Wanted
from montego.learning.mm import Training
from montego.learning.plain import PlayedGame
from montego.playouts import Patterns

BOARD = game("hex(size=4)")


def random_game(seed):
    """Return the moves of a random game and the state before each of them."""
    state, moves, states = BOARD.start().state, [], []
    for move in np.random.default_rng(seed).permutation(16).tolist():
        if is_over(BOARD, state):
            break
        states.append(state.copy())
        moves.append(move)
        play(BOARD, state, move)
    return moves, states


def test_decisions_have_the_features_of_every_candidate():
    games = [random_game(seed) for seed in range(4)]
    records = [PlayedGame(BOARD, np.array(moves, np.int32)) for moves, _ in games]
    shapes = harvest_shapes(records, least=1)
    assert len(shapes) > 10
    assert (np.diff(shapes.astype(np.int64)) > 0).all()
    assert len(harvest_shapes(records, least=1, most=5)) == 5
    decisions = connection_decisions(records, shapes, threads=1)
    assert decisions.size == sum(len(moves) for moves, _ in games)
    tables, number = prior_tables(BOARD, shapes), 0
    for moves, states in games:
        for turn, state in enumerate(states):
            candidates = np.array(sorted(set(range(16)) - set(moves[:turn])), np.int32)
            values = np.zeros((len(candidates), COLUMNS), np.uint16)
            trace = np.array([-1, -1, *moves], np.int32)
            write_prior_features(BOARD, tables, state, trace, turn + 2, candidates, values)
            rows = slice(decisions.starts[number], decisions.starts[number + 1])
            np.testing.assert_array_equal(decisions.values[rows], values)
            assert candidates[decisions.winners[number]] == moves[turn]
            number += 1
    assert (decisions.won_values()[:, SHAPE] <= len(shapes)).all()  # every shape that was played is known


def test_a_search_uses_what_was_learnt_from_records(tmp_path):
    records = tmp_path / "games.sgfs"
    lines = []
    for seed in range(20):
        moves = "".join(f";{'BW'[n % 2]}[{BOARD.move_name(m)}]" for n, m in enumerate(random_game(seed)[0]))
        lines.append(f"(;GM[11]SZ[4]{moves})")
    records.write_text("\n".join(lines))
    out = tmp_path / "prior.npz"
    fitted = fit_records(BOARD, [records], out, Wanted(kind="prior", least=2, threads=1), Training(sweeps=2))
    assert fitted.problems == []
    assert fitted.weights.groups == ("shape", "answer", "distance", "continuation", "line")
    policy = Patterns(str(out))
    player = mg.player(mg.Uct(playouts=60, prior=policy, bias=1.0, playout=mg.Bridges()), BOARD, seed=1)
    position = BOARD.start()
    for move in ("b2", "c2"):
        position.play(move)
    player.choose(position)
    assert sum(move.prior for move in player.analysis().moves) == pytest.approx(1)
    assert len({round(move.prior, 6) for move in player.analysis().moves}) > 5
