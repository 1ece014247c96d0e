"""Maps over many playouts, against the same playouts counted by hand."""

import numpy as np
import pytest

import montego as mg
from montego.games.rules import final_owners, random_playout, score
from montego.playouts import playout_maps
from montego.rng import stream

pytestmark = pytest.mark.both_modes


def test_maps_are_those_of_the_playouts() -> None:
    position = mg.game("tictactoe").start().play("b2").play("a1")
    game, rng, playouts = position.game, stream(5), 150
    found = playout_maps(position, playouts, stream(5))
    first, owned, winning, wins = np.zeros(9), np.zeros((2, 9)), np.zeros(9), np.zeros(2)
    for _ in range(playouts):
        state, trace = position.copy().state, game.new_trace()
        random_playout(game, state, rng, trace, game.new_moves())
        first[trace[0]] += 1
        owner = np.full(9, -1, np.int8)
        final_owners(game, state, owner)
        result = score(game, state)
        for player in (0, 1):
            owned[player] += owner == player
        if result != 0:
            winner = 0 if result > 0 else 1
            wins[winner] += 1
            winning += owner == winner
    share, rates = owned / playouts, wins / playouts
    assert found.first_moves == {move: first[move] / playouts for move in np.flatnonzero(first)}
    assert np.allclose(found.ownership, share[0] - share[1])
    assert np.allclose(found.criticality, winning / playouts - share[0] * rates[0] - share[1] * rates[1])
    assert found.replies == {}


@pytest.mark.parametrize("policy", ["lgr", "lgr(order=2)", "wls"])
def test_replies_are_those_learned_by_the_search(policy: str) -> None:
    position = mg.game("tictactoe").start().play("b2").play("a1")
    player = mg.player(f"uct(playouts=200, playout={policy}, solver=false)", position.game, seed=2)
    assert player.playout_maps(position, 20).replies == {}
    player.choose(position)
    found = player.playout_maps(position, 20).replies
    assert found
    assert all(position.is_legal(move) for move in found)
    assert all(0 <= rate <= 1 for rate in found.values())


def test_a_tree_is_explored_node_by_node() -> None:
    position = mg.game("tictactoe").start()
    player = mg.player("uct(playouts=400, solver=false)", position.game, seed=1)
    assert player.explore([0, 99]) == []
    player.choose(position)
    moves = player.explore([])
    assert [entry.number for entry in moves][:1] == [player.analysis().number]
    assert [entry.visits for entry in moves] == sorted((entry.visits for entry in moves), reverse=True)
    below = player.explore([moves[0].number])
    assert 0 < sum(entry.visits for entry in below) <= moves[0].visits
    assert mg.player("random", position.game).explore([]) == []
