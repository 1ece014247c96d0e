"""The example player: it finds the best moves of small games and refuses large ones."""

import importlib.util
import sys
from pathlib import Path

import pytest

import montego as mg

FILE = Path(__file__).parents[2] / "examples" / "perfect_player.py"


@pytest.fixture(scope="module", autouse=True)
def perfect():
    """Load the file as a user would, under its own name."""
    spec = importlib.util.spec_from_file_location("perfect_player", FILE)
    module = sys.modules["perfect_player"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_only_the_centre_holds_the_draw_against_a_corner():
    game = mg.game("tictactoe")
    player = mg.player("perfect", game, seed=1)
    assert player.choose(game.start().play("a1")) == "b2"
    proofs = {entry.move: entry.proven for entry in player.analysis().moves}
    assert {move for move, proof in proofs.items() if proof == "draw"} == {"b2"}
    assert set(proofs.values()) == {"draw", "loss"}


def test_it_never_loses_and_mostly_beats_a_random_player():
    game, wins = mg.game("tictactoe"), 0
    perfect = mg.player("perfect", game, seed=1)
    for seed in range(10):
        players = [perfect, mg.player("random", game, seed=seed)]
        side = seed % 2
        position = game.start()
        while not position.over:
            position.play(players[position.to_move ^ side].choose(position))
        assert position.winner in (-1, side)
        wins += position.winner == side
    assert wins >= 5


@pytest.mark.both_modes
def test_the_same_seed_gives_the_same_move():
    position = mg.game("tictactoe").start()
    for name in ("a1", "b2", "c3"):
        position.play(name)  # now the four edges draw and the two corners lose
    moves = [[mg.player("perfect", "tictactoe", seed=seed).choose(position) for seed in range(5)] for _ in range(2)]
    assert moves[0] == moves[1]
    assert len(set(moves[0])) > 1
    assert set(moves[0]) <= {"a2", "b1", "b3", "c2"}


def test_a_large_game_is_refused():
    with pytest.raises(mg.MontegoError, match="more than 10 positions; perfect is for small games"):
        mg.player("perfect(positions=10)", "tictactoe", seed=1).choose(mg.game("tictactoe").start())
