"""Playouts with a temperature: values by all moves as first, draws by them, annealing."""

import numpy as np
import pytest

import montego as mg
from montego.playouts import HISTORY, Gobble, begin, learn, new_trace, next_move
from montego.rng import stream

GAME = "tictactoe"


def taught(policy, games):
    """Return a memory that has learned from games: (moves, reward for player 0)."""
    game = mg.game(GAME)
    memory = policy.new_memory(game)
    for moves, result in games:
        trace = new_trace(game)
        trace[HISTORY : HISTORY + len(moves)] = moves
        learn(policy, game, memory, trace, HISTORY, HISTORY + len(moves), 0, result)
    return memory


def draws(policy, memory, count=400):
    """Return how often each move is drawn at the start of a playout."""
    game = mg.game(GAME)
    state, trace, scratch, rng = game.start().state, new_trace(game), game.new_moves(), stream(3)
    begin(policy, game, memory, state, trace, HISTORY)
    moves = [int(next_move(policy, game, memory, state, rng, trace, HISTORY, scratch)) for _ in range(count)]
    return np.bincount(moves, minlength=9)


GAMES = [([4, 0, 8], 1.0), ([4, 8, 0], 0.5), ([0, 4, 2], 0.0)]


@pytest.mark.both_modes
def test_a_move_has_the_mean_reward_of_the_games_in_which_its_player_made_it_first():
    memory = taught(Gobble(), GAMES)
    means = memory.totals / np.maximum(memory.counts, 1)
    assert memory.counts[0].tolist() == [2, 0, 1, 0, 2, 0, 0, 0, 1]
    assert memory.counts[1].tolist() == [1, 0, 0, 0, 1, 0, 0, 0, 1]
    assert (means[0, 4], means[0, 0], means[0, 8]) == (0.75, 0.25, 1.0)
    assert (means[1, 0], means[1, 4], means[1, 8]) == (0.0, 1.0, 0.5)


@pytest.mark.both_modes
@pytest.mark.parametrize("k", [0.0, 2.0, 6.0])
def test_moves_are_drawn_by_boltzmann(k):
    """Pearson's χ² of 400 draws over nine moves: below 27.9 in 999.5 of 1,000 runs; the seed is fixed."""
    policy = Gobble(k=k)
    values = np.array([0.25, 0.5, 0.0, 0.5, 0.75, 0.5, 0.5, 0.5, 1.0])
    expected = np.exp(k * values) / np.exp(k * values).sum() * 400
    found = draws(policy, taught(policy, GAMES))
    assert ((found - expected) ** 2 / expected).sum() < 27.9


@pytest.mark.both_modes
@pytest.mark.parametrize("k", [0.5, 1.5, 12.0])
def test_moves_of_playouts_are_drawn_by_boltzmann_whether_one_by_one_or_from_a_list(k):
    """On a board with stones and an eye, A1, that is no playout move; a great K makes the list quicker.

    Pearson's χ² over 18 moves, the rarest together: below 43 in 999 of 1,000 runs; the seed is fixed.
    """
    game = mg.game("go(size=5)")
    position = game.start()
    for move in ["A2", "D4", "B1", "D3", "B2", "E3"]:
        position.play(move)
    policy, state, trace, scratch, rng = Gobble(k=k), position.state, new_trace(game), game.new_moves(), stream(4)
    memory = policy.new_memory(game)
    values = np.linspace(0.1, 0.9, game.move_limit())
    memory.counts[:], memory.totals[:] = 1.0, values
    begin(policy, game, memory, state, trace, HISTORY)
    assert (memory.draws[0] > 0) == (k < 12)
    moves = [int(next_move(policy, game, memory, state, rng, trace, HISTORY, scratch)) for _ in range(2000)]
    possible = [game.parse_move(name) for name in position.legal_moves() if name not in ("A1", "pass")]
    assert set(moves) <= set(possible)
    expected = np.exp(k * values[possible])
    expected *= 2000 / expected.sum()
    found, rare = np.bincount(moves, minlength=game.move_limit())[possible], expected < 5
    found, expected = (np.append(counts[~rare], counts[rare].sum()) for counts in (found, expected))
    assert ((found - expected) ** 2 / np.maximum(expected, 1)).sum() < 43


@pytest.mark.both_modes
def test_annealing_raises_k_with_the_playouts():
    for n, games, k in ((6, GAMES, 50.0), (3, GAMES, 100.0), (0, GAMES, 100.0)):
        policy = Gobble(k=100.0, n=n)
        memory = taught(policy, games)
        draws(policy, memory, 1)
        assert memory.weights[0, 4] == pytest.approx(np.exp(k * (0.75 - 1.0)))


@pytest.mark.both_modes
def test_hot_playouts_in_searches():
    game = mg.game(GAME)
    for spec in (
        "flat(playouts=90, first=random, amaf=true, playout=gobble(k=5))",
        "uct(playouts=60, playout=gobble(n=30))",
    ):
        search = mg.PLAYERS.build(spec).search(game)
        analysis = search.run(game.start(), stream(1))
        assert int(search.desks[0].memory.playouts[0]) == analysis.playouts
        search.run(game.start(), stream(1))
        assert int(search.desks[0].memory.playouts[0]) == analysis.playouts  # a decision remembers nothing of the last


@pytest.mark.both_modes
def test_switched_off_it_is_its_fallback():
    plain, off = (
        mg.PLAYERS.build(f"uct(playouts=50, playout={policy})")
        .search(mg.game(GAME))
        .run(mg.game(GAME).start(), stream(1))
        for policy in ("uniform", "gobble(p=0)")
    )
    assert plain.moves == off.moves
