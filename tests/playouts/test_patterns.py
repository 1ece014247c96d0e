"""The prior of Go: weights of moves by shapes, tactics and distances, out of a file."""

import numpy as np
import pytest

import montego as mg
from montego.errors import MontegoError
from montego.games import game
from montego.games.go import shapes, tactics
from montego.games.go.ladders import ladder_room
from montego.games.go.prior_features import prior_columns
from montego.playouts import HISTORY, Patterns, move_weights, new_trace
from montego.weights import Weights, save

GO = game("go(size=5)")


def played(*moves):
    position = GO.start()
    for move in moves:
        position.play(move)
    return position


@pytest.fixture(scope="module")
def prior(tmp_path_factory):
    """Weights drawn at random, with the shapes of some points of a position as the known ones."""
    position = played("C3", "B3")
    hashes = np.zeros((3, shapes.SHAPE_SIZES), np.uint64)
    for row, name in zip(hashes, ("C4", "B2", "D3"), strict=True):
        shapes.write_shapes(GO, position.state, GO.parse_move(name), row)
    known = np.unique(hashes[:, :4])
    chance = np.random.default_rng(1)
    groups = [group for column in prior_columns(known) for group in column.groups]
    gammas = [np.concatenate([[1.0], np.exp(chance.normal(size=group.size))]) for group in groups]
    path = tmp_path_factory.mktemp("weights") / "prior.npz"
    save(Weights("go", "prior", tuple(g.name for g in groups), tuple(gammas), extra={"shapes": known}), path)
    return str(path), known, [gamma.astype(np.float32) for gamma in gammas]


def digits(number, groups):
    """Yield the features that a number of a column of products stands for."""
    for _, size in groups:
        yield int(number) % (size + 1)
        number //= size + 1


def expected_weight(position, point, known, gammas):
    """Return the product of γ, feature by feature."""
    last, before_last = ([0, 0, *position.moves])[:-3:-1]
    room, work = ladder_room(GO), np.zeros(1, GO.state_dtype())
    numbers = [
        int(shapes.shape_number(GO, position.state, point, known)),
        *digits(tactics.tactics_number(GO, position.state, point, last, room, work), tactics.TACTICS),
        *digits(tactics.distances_number(position.state, point, last, before_last), tactics.DISTANCES),
    ]
    return float(np.prod([float(gamma[number]) for gamma, number in zip(gammas, numbers, strict=True)]))


def test_a_move_weighs_the_product_of_its_features(prior):
    path, known, gammas = prior
    position = played("C3", "B3")
    policy = Patterns(path)
    trace = new_trace(GO)
    trace[:HISTORY] = position.moves
    moves = position.legal_numbers().astype(np.int32)
    weights = np.zeros(len(moves))
    move_weights(policy, GO, policy.new_memory(GO), position.state, trace, HISTORY, moves, weights)
    for move, weight in zip(moves.tolist(), weights.tolist(), strict=True):
        assert weight == pytest.approx(expected_weight(position, move, known, gammas) if move else 1e-3)
    assert len(set(weights.tolist())) > 10


def test_the_prior_steers_a_search(prior):
    player = mg.player(mg.Uct(playouts=50, prior=Patterns(prior[0]), bias=5.0), GO, seed=1)
    player.choose(played("C3", "B3"))
    shares = [move.prior for move in player.analysis().moves]
    assert sum(shares) == pytest.approx(1)
    most = max(player.analysis().moves, key=lambda move: move.visits)
    assert most.prior > np.median(shares)


@pytest.mark.both_modes
def test_what_does_not_fit_is_refused(prior, tmp_path):
    with pytest.raises(MontegoError, match="patterns know the shapes of Go, Hex and Y; tictactoe has none"):
        Patterns(prior[0]).new_memory(game("tictactoe"))
    columns = GO.feature_columns()
    groups = [group for column in columns for group in column.groups]
    other = Weights("go", "playout", tuple(g.name for g in groups), tuple(np.ones(g.size + 1) for g in groups))
    save(other, tmp_path / "w.npz")
    with pytest.raises(MontegoError, match="has playout weights; prior weights are needed here"):
        Patterns(str(tmp_path / "w.npz")).new_memory(GO)


def test_rare_tactics_weigh_more_unless_they_are_switched_off(prior):
    """C1 is a snapback for Black, B7 the vital point of White's corner."""
    path, _, _ = prior
    board = game("go(size=7)")
    position = mg.Position.from_text(board, "...OX.. OOOOX.. XXXXX.. ....... .XXX... .XOOX.. OO..X..", to_move=0)
    moves = np.array(position.legal_numbers(), board.new_moves().dtype)
    found = []
    for policy in (Patterns(path), Patterns(path, tactics=False)):
        weights = np.zeros(len(moves))
        trace = new_trace(board)
        move_weights(policy, board, policy.new_memory(board), position.state, trace, HISTORY, moves, weights)
        found.append(dict(zip(map(board.move_name, moves.tolist()), weights.tolist(), strict=True)))
    ratios = {name: found[0][name] / found[1][name] for name in found[0] if found[1][name]}
    assert {name: round(ratio) for name, ratio in ratios.items() if ratio != 1.0} == {"C1": 20, "B7": 100}
