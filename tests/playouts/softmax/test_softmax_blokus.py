"""Softmax playouts of Blokus Duo: weights by orientation equal those of single moves, moves are drawn by them."""

import numpy as np
import pytest
from scipy import stats

import montego as mg
from montego.errors import MontegoError
from montego.games import game
from montego.games.blokus.features import GROUPS, MOST_SQUARES, find_local
from montego.games.blokus.pieces import ORIENTATION_OF, PASS
from montego.games.rules import is_over, legal_moves, play
from montego.playouts import HISTORY, Softmax, new_trace
from montego.playouts.policy import advance, begin, move_weights, next_move
from montego.playouts.softmax import blokus
from montego.playouts.softmax.blokus import BlokusKeeper, PlacementKeeper
from montego.playouts.softmax.keeping import plain_keeper, write_weights
from montego.rng import stream
from montego.weights import Weights, load, save

DUO = game("blokus_duo")
LEAST_SIZES = (5, 4, 3, 1)


def gammas(seed, quick=True, graded=True):
    """Return weights drawn at random, for the groups that the quick keeper knows or for all."""
    chance = np.random.default_rng(seed)
    found = {}
    for group in GROUPS:
        known = group.name in ("piece", "size by stage", "local value")
        found[group.name] = (
            np.exp(chance.normal(size=group.size + 1)) if known or not quick else np.ones(group.size + 1)
        )
        found[group.name][0] = 1.0
    if graded:
        for stage, least in enumerate(LEAST_SIZES):
            found["size by stage"][MOST_SQUARES * stage + 1 : MOST_SQUARES * stage + least] = 0.0
    return found


def policy_of(weights, path):
    names = tuple(group.name for group in GROUPS)
    save(Weights("blokus_duo", "playout", names, tuple(weights[name] for name in names)), path)
    return Softmax(str(path))


def scratch_weights(policy, state, trace, end):
    """Return the weight of each legal move, worked out from its features alone by the plain keeper."""
    moves = DUO.new_moves()
    moves = moves[: legal_moves(DUO, state, moves)]
    weights = np.zeros(len(moves))
    plain = plain_keeper(DUO, load(str(policy.weights)).strengths(DUO.feature_columns()))
    write_weights(plain, DUO, state, trace, end, moves, weights)
    return dict(zip(moves.tolist(), weights.tolist(), strict=True))


def weights_by_orientation(policy, memory, state, trace, end):
    """Return the whole weight of each orientation, as a draw uses it."""
    player = int(state.player)
    pieces = blokus.weigh_pieces(memory, state, player)
    is_local = find_local(state, player, trace, end, memory.desk.local)
    if is_local:
        blokus.note_local(memory.desk, state, player)
    blokus.weigh_orientations(memory, state, player, pieces, is_local)
    blokus.forget_local(memory.desk)
    found = int(memory.work[0].found)
    shares = np.diff(memory.desk.sums[:found], prepend=0.0)
    return dict(zip(memory.work[0].orientation[:found].tolist(), shares.tolist(), strict=True))


@pytest.mark.both_modes
@pytest.mark.parametrize(("seed", "graded"), [(1, True), (2, True), (3, False)])
def test_weights_by_orientation_equal_those_of_single_moves(seed, graded, tmp_path):
    policy = policy_of(gammas(seed, graded=graded), tmp_path / "weights.npz")
    memory, state, trace, rng = policy.new_memory(DUO), DUO.start().state, new_trace(DUO), stream(seed)
    assert isinstance(memory, BlokusKeeper)
    end, local_turns = HISTORY, 0
    begin(policy, DUO, memory, state, trace, end)
    while not is_over(DUO, state):
        wanted = scratch_weights(policy, state, trace, end)
        if PASS not in wanted:
            of_orientation = {}
            for move, weight in wanted.items():
                orientation = int(ORIENTATION_OF[move])
                of_orientation[orientation] = of_orientation.get(orientation, 0.0) + weight
            found = weights_by_orientation(policy, memory, state, trace, end)
            local_turns += bool(memory.desk.local.any())
            assert found == pytest.approx({key: weight for key, weight in of_orientation.items() if weight > 0.0})
            assert not memory.desk.value.any()
        move = next_move(policy, DUO, memory, state, rng, trace, end, DUO.new_moves())
        assert move in wanted
        advance(policy, DUO, memory, state, trace, end, move)
        end += 1
    assert end > HISTORY + 20
    assert local_turns > 5


# Four positions at a level of 1e-4 each: a wrong alarm in one of 2,500 changes of the seeds.
def test_moves_are_drawn_in_proportion_to_their_weights(tmp_path):
    policy = policy_of(gammas(5), tmp_path / "weights.npz")
    memory, draws = policy.new_memory(DUO), 4000
    for seed, length in ((1, 3), (2, 10), (3, 16), (4, 22)):
        state, trace, rng = DUO.start().state, new_trace(DUO), stream(seed)
        end = HISTORY
        begin(policy, DUO, memory, state, trace, end)
        while end < HISTORY + length and not is_over(DUO, state):
            move = next_move(policy, DUO, memory, state, rng, trace, end, DUO.new_moves())
            advance(policy, DUO, memory, state, trace, end, move)
            end += 1
        weights = scratch_weights(policy, state, trace, end)
        drawn = [int(next_move(policy, DUO, memory, state, rng, trace, end, DUO.new_moves())) for _ in range(draws)]
        expected = np.array(list(weights.values())) / sum(weights.values()) * draws
        counts = np.array([drawn.count(move) for move in weights])
        assert counts.sum() == draws
        assert not counts[expected == 0].any()
        rare = expected < 5
        pooled = [*zip(counts[~rare], expected[~rare]), (counts[rare].sum(), expected[rare].sum())]
        observed, wanted = np.array([pair for pair in pooled if pair[1] > 0]).T
        if len(wanted) > 1:
            assert stats.chisquare(observed, wanted * observed.sum() / wanted.sum()).pvalue > 1e-4


@pytest.mark.both_modes
@pytest.mark.parametrize("quick", [True, False])
def test_weights_for_the_tree_are_those_of_the_plain_keeper(quick, tmp_path):
    policy = policy_of(gammas(1, quick=quick), tmp_path / "weights.npz")
    memory, state, trace, rng = policy.new_memory(DUO), DUO.start().state, new_trace(DUO), stream(1)
    assert isinstance(memory, BlokusKeeper if quick else PlacementKeeper)
    end = HISTORY
    while not is_over(DUO, state):
        wanted = scratch_weights(policy, state, trace, end)
        moves, weights = np.array(list(wanted), np.int32), np.zeros(len(wanted))
        move_weights(policy, DUO, memory, state, trace, end, moves, weights)
        assert weights.tolist() == pytest.approx(list(wanted.values()))
        begin(policy, DUO, memory, state, trace, end)
        trace[end] = next_move(policy, DUO, memory, state, rng, trace, end, DUO.new_moves())
        play(DUO, state, int(trace[end]))
        end += 1
    assert end > HISTORY + 20


def test_every_rule_can_be_switched_off(tmp_path):
    path = str(policy_of(gammas(1), tmp_path / "weights.npz").weights)
    trace, state = new_trace(DUO), DUO.start().state
    with_rule = scratch_weights(Softmax(path), state, trace, HISTORY)
    assert min(with_rule.values()) == 0.0
    free = Softmax(path, without="size by stage, piece")
    moves, weights = np.array(list(with_rule), np.int32), np.zeros(len(with_rule))
    move_weights(free, DUO, free.new_memory(DUO), state, trace, HISTORY, moves, weights)
    assert (weights == 1.0).all()
    with pytest.raises(
        MontegoError, match=r"no features 'size' in blokus_duo; it has piece, size by stage, local value"
    ):
        Softmax(path, without="size").new_memory(DUO)


def test_pieces_without_weight_are_left_out_of_the_tree(tmp_path):
    path = str(policy_of(gammas(1), tmp_path / "weights.npz").weights)
    spec = 'uct(playouts=20, bias=1, prior=softmax("{}"{}))'
    sizes = []
    for without in ("", ', without="size by stage"'):
        player = mg.player(spec.format(path, without), DUO, seed=1)
        player.choose(DUO.start())
        sizes.append({len(DUO.points_of(move.number)) for move in player.analysis().moves})
    assert sizes == [{5}, {1, 2, 3, 4, 5}]


@pytest.mark.both_modes
def test_weights_that_come_with_montego_let_small_pieces_wait():
    for name, kind in (
        ("blokus_duo-playout", BlokusKeeper),
        ("blokus_duo-prior", PlacementKeeper),
        ("blokus_duo-tree", PlacementKeeper),  # older, kept so that the matches it was played in can be repeated
    ):
        memory = Softmax(name).new_memory(DUO)
        assert isinstance(memory, kind)
        knowledge = memory.knowledge if kind is BlokusKeeper else memory
        for stage, least in enumerate(LEAST_SIZES):
            assert (knowledge.of_size[stage, 1:least] == 0.0).all()
            assert (knowledge.of_size[stage, least:] > 0.0).all()
        assert load(name).about["data"]
