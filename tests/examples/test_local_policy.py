"""The example policy: legal playouts by its weights, and the same weights for the tree."""

import importlib.util
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import montego as mg
from montego.playouts import HISTORY, new_trace, next_move
from montego.playouts.policy import begin, playout
from montego.rng import stream

FILE = Path(__file__).parents[2] / "examples" / "local_policy.py"
GAME = "hex(size=3)"


@pytest.fixture(scope="module", autouse=True)
def local():
    """Load the file as a user would, under its own name."""
    spec = importlib.util.spec_from_file_location("local_policy", FILE)
    module = sys.modules["local_policy"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.both_modes
def test_playouts_are_legal_and_repeatable(local):
    game, policy = mg.game(GAME), local.Local()
    traces = []
    for _ in range(2):
        memory, state, trace = policy.new_memory(game), game.start().state, new_trace(game)
        end = playout(policy, game, memory, state, stream(1), trace, HISTORY, game.new_moves())
        traces.append(trace[HISTORY:end].tolist())
    assert traces[0] == traces[1]
    position = game.start()
    for move in traces[0]:
        if not position.over:
            position.play(move)
    assert position.over


@pytest.mark.both_modes
def test_moves_are_drawn_in_proportion_to_their_weights(local):
    """2,000 draws after the move b2, seeded; each share within four standard errors, exceeded once in 1,700 tests."""
    game, policy = mg.game(GAME), local.Local(near=1.0, edge=0.0)
    position = game.start().play("b2")
    memory, trace, rng = policy.new_memory(game), new_trace(game), stream(1)
    trace[HISTORY - 1] = position.moves[-1]
    state = position.state
    begin(policy, game, memory, state, trace, HISTORY)
    count = 2000
    drawn = Counter(
        int(next_move(policy, game, memory, state, rng, trace, HISTORY, game.new_moves())) for _ in range(count)
    )
    weights = memory.weights[position.moves[-1]].copy()
    weights[position.moves[-1]] = 0.0
    for move, share in enumerate(weights / weights.sum()):
        assert abs(drawn[move] / count - share) <= 4 * np.sqrt(share * (1 - share) / count) + 1e-3  # few draws run out


@pytest.mark.both_modes
def test_weights_lead_the_tree(local):
    game = mg.game(GAME)
    position = game.start().play("a1")
    player = mg.player("uct(playouts=30, prior=local(near=2, edge=0), bias=1)", game, seed=1)
    player.choose(position)
    prior = {entry.move: entry.prior for entry in player.analysis().moves}
    assert prior["b1"] == pytest.approx(prior["a2"])
    assert prior["b1"] > 2 * prior["c3"]


def test_a_game_whose_moves_are_not_points_is_refused(local):
    with pytest.raises(mg.MontegoError, match="local needs a game whose moves are the points of its board"):
        local.Local().new_memory(mg.game("go(size=5)"))
