"""Softmax playouts: weights kept from move to move equal those from scratch, and moves are drawn by them."""

import pickle

import numpy as np
import pytest
from scipy import stats

import montego as mg
from montego.errors import MontegoError
from montego.games import game
from montego.games.rules import is_over, playout_moves
from montego.kernels import INTERPRETED
from montego.playouts import HISTORY, PLAYOUTS, Cut, Lgrf, PoolRave, Softmax, Wls, new_trace
from montego.playouts.policy import advance, begin, move_weights, next_move, playout
from montego.playouts.softmax.keeping import PlainKeeper, write_weights
from montego.playouts.softmax.sums import MOST_WEIGHT, exact
from montego.rng import stream
from montego.search.rave import Silver
from montego.spec import text
from montego.weights import Weights, save


def random_weights(spec, path, seed=1, spread=1.0):
    """Write weights drawn at random for the playout features of a game, and return the name of the file."""
    chosen = game(spec)
    groups = [group for column in chosen.feature_columns() for group in column.groups]
    chance = np.random.default_rng(seed)
    gammas = [np.exp(spread * chance.normal(size=group.size + 1)) for group in groups]
    for gamma in gammas:
        gamma[0] = 1.0
    save(Weights(chosen.spec_name, "playout", tuple(group.name for group in groups), tuple(gammas)), path)
    return str(path)


@pytest.fixture(scope="module")
def go_weights(tmp_path_factory):
    return random_weights("go", tmp_path_factory.mktemp("weights") / "go.npz")


def scratch_weights(policy, board, state, trace, end):
    """Return the weight of each playout move, worked out from its features alone."""
    moves = board.new_moves()
    moves = moves[: playout_moves(board, state, moves)]
    weights = np.zeros(len(moves))
    move_weights(policy, board, policy.new_memory(board), state, trace, end, moves, weights)
    return dict(zip(moves.tolist(), weights.tolist(), strict=True))


@pytest.mark.both_modes
@pytest.mark.parametrize(("spec", "games"), [("go(size=5)", 3), ("go(size=3, height=7)", 3)])
def test_kept_weights_of_go_equal_those_from_scratch_after_any_moves(spec, games, go_weights):
    board, policy = game(spec), Softmax(go_weights)
    memory, fresh = policy.new_memory(board), policy.new_memory(board)
    captures = 0
    for seed in range(games):
        state, trace, rng = board.start().state, new_trace(board), stream(seed)
        end = HISTORY
        begin(policy, board, memory, state, trace, end)
        while end < len(trace) and not is_over(board, state):
            begin(policy, board, fresh, state, trace, end)
            for name in ("total", "row", "weight"):
                assert (memory.board[name] == fresh.board[name]).all(), (name, end)
            colour = int(state.turn) - 1
            playable = {int(p) for p in np.flatnonzero(memory.board.weight[:, colour])} - {int(state.ko)}
            moves = board.new_moves()
            assert playable == set(moves[: playout_moves(board, state, moves)].tolist()) - {0}
            stones = np.count_nonzero((state.colour == 1) | (state.colour == 2))
            move = next_move(policy, board, memory, state, rng, trace, end, moves)
            advance(policy, board, memory, state, trace, end, move)
            captures += np.count_nonzero((state.colour == 1) | (state.colour == 2)) < stones + (move != 0)
            end += 1
        assert is_over(board, state)
    assert captures > 10


@pytest.mark.both_modes
def test_a_power_makes_the_best_moves_surer(go_weights):
    board = game("go(size=5)")
    state, trace = board.start().state, new_trace(board)
    plain, none, squared = (
        scratch_weights(Softmax(go_weights, power=power), board, state, trace, HISTORY) for power in (1, 0, 2)
    )
    assert len(set(plain.values())) > 1
    assert set(none.values()) == {1.0}
    assert list(squared.values()) == pytest.approx([weight**2 for weight in plain.values()], rel=1e-6)


def test_weights_that_are_too_great_keep_their_proportions():
    assert (exact(np.array([0.0, 1.0, 2.5])) == [0.0, 1.0, 2.5]).all()
    small, middle, great = exact(np.array([2.0, 1e3, 1e6]))
    assert great < MOST_WEIGHT
    assert [great / small, great / middle] == pytest.approx([5e5, 1e3], rel=1e-5)
    assert exact(np.array([1e-30, 1e30]))[0] > 0.0  # what can be played stays so


@pytest.fixture(scope="module")
def connection_weights(tmp_path_factory):
    folder = tmp_path_factory.mktemp("weights")
    return {name: random_weights(name, folder / f"{name}.npz") for name in ("hex", "y")}


def plain_memory(policy, board):
    """Return the keeper that weighs every move from scratch, with the weights of a policy."""
    strengths = policy.new_memory(board).strengths
    values = np.zeros((board.most_legal_moves(), len(board.feature_columns())), np.uint16)
    return PlainKeeper(strengths, board.feature_tables(), values, np.zeros(board.most_legal_moves()))


# Five positions for each board at a level of 1e-4 each: a wrong alarm in one of 670 changes of the seeds.
@pytest.mark.both_modes
@pytest.mark.parametrize("spec", ["hex(size=4)", "y(size=4)", "y(board=bent)"])
def test_kept_weights_of_connection_games_equal_those_from_scratch_and_decide_the_draws(spec, connection_weights):
    board = game(spec)
    policy = Softmax(connection_weights[board.spec_name])
    memory, plain = policy.new_memory(board), plain_memory(policy, board)
    state, trace, rng = board.start().state, new_trace(board), stream(1)
    begin(policy, board, memory, state, trace, HISTORY)
    points = len(board.layout().names)
    for end in range(HISTORY, HISTORY + points):
        player = int(state.to_move)
        moves = np.flatnonzero(memory.board.weight[:, player]).astype(np.int32)
        assert len(moves) == points - (end - HISTORY)
        assert memory.board.total[player] == memory.board.weight[:, player].sum() == memory.board.row[:, player].sum()
        if (end - HISTORY) * 5 % points < 5 and len(moves) > 1:
            weights = np.zeros(len(moves))
            write_weights(plain, board, state, trace, end, moves, weights)
            size = 200 if INTERPRETED else 4000
            drawn = [int(next_move(policy, board, memory, state, rng, trace, end, moves)) for _ in range(size)]
            counts = np.array([drawn.count(move) for move in moves.tolist()])
            expected = weights / weights.sum() * size
            common = expected >= 5
            observed = np.append(counts[common], counts[~common].sum())
            wanted = np.append(expected[common], expected[~common].sum())
            assert observed.sum() == size
            used = wanted > 0
            if used.sum() > 1:
                assert stats.chisquare(observed[used], wanted[used]).pvalue > 1e-4
        advance(policy, board, memory, state, trace, end, int(moves[0]) if end % 2 else int(moves[-1]))
    assert is_over(board, state)
    assert memory.board.total.tolist() == [0, 0]


# Six positions at a level of 1e-4 each: a wrong alarm in one of 1,600 changes of the seeds.
def test_moves_of_go_are_drawn_in_proportion_to_their_weights(go_weights):
    board, policy = game("go(size=5)"), Softmax(go_weights)
    memory = policy.new_memory(board)
    for seed, length in ((1, 0), (2, 6), (3, 12), (4, 20), (5, 30), (6, 40)):
        state, trace, rng = board.start().state, new_trace(board), stream(seed)
        end = HISTORY
        begin(policy, board, memory, state, trace, end)
        while end < HISTORY + length and not is_over(board, state):
            move = next_move(policy, board, memory, state, rng, trace, end, board.new_moves())
            advance(policy, board, memory, state, trace, end, move)
            end += 1
        weights = scratch_weights(policy, board, state, trace, end)
        drawn = [int(next_move(policy, board, memory, state, rng, trace, end, board.new_moves())) for _ in range(4000)]
        expected = np.array([weights[move] for move in weights]) / sum(weights.values()) * len(drawn)
        counts = np.array([drawn.count(move) for move in weights])
        assert counts.sum() == len(drawn)
        rare = expected < 5
        pooled = [*zip(counts[~rare], expected[~rare]), (counts[rare].sum(), expected[rare].sum())]
        observed, wanted = np.array([pair for pair in pooled if pair[1] > 0]).T
        if len(wanted) > 1:
            assert stats.chisquare(observed, wanted * observed.sum() / wanted.sum()).pvalue > 1e-4


def test_softmax_works_inside_every_other_policy(go_weights):
    learners = Wls(fallback=Lgrf(fallback=Cut(mercy=20, policy=Softmax(go_weights))))
    settings = mg.Uct(playouts=200, rave=Silver(), playout=PoolRave(fallback=learners), threads=2)
    board = game("go(size=5)")
    assert mg.player(settings, board, seed=1).choose(board.start()) in board.start().legal_moves()


def test_softmax_plays_in_other_searches_and_with_threads(go_weights):
    board = game("go(size=5)")
    for spec in ("uct(playouts=400, threads=2{})", "depth(i=1, playouts=200{})"):
        player = mg.player(spec.format(f', playout=softmax("{go_weights}")'), board, seed=1)
        assert player.choose(board.start()) in board.start().legal_moves()


@pytest.mark.both_modes
def test_a_game_without_features_is_refused_in_one_line(go_weights):
    with pytest.raises(MontegoError, match=r"has weights for go, not for tictactoe"):
        Softmax(go_weights).new_memory(game("tictactoe"))
    with pytest.raises(MontegoError, match=r"no playout weights for tictactoe come with Montego"):
        Softmax().new_memory(game("tictactoe"))


@pytest.mark.both_modes
def test_the_file_of_weights_survives_spec_and_pickle(go_weights):
    policy = Softmax(go_weights)
    assert text(policy) == f'softmax(weights="{go_weights}")'
    assert PLAYOUTS.build(text(policy)) == policy
    assert pickle.loads(pickle.dumps(policy)) == policy
    assert Softmax() != policy
    assert text(Softmax()) == "softmax"


@pytest.mark.both_modes
def test_a_playout_reaches_the_end_of_the_game(go_weights):
    board, policy = game("go(size=5)"), Softmax(go_weights)
    state, trace = board.start().state, new_trace(board)
    end = playout(policy, board, policy.new_memory(board), state, stream(1), trace, HISTORY, board.new_moves())
    assert is_over(board, state)
    assert trace[end - 1] == 0
