"""Who is said to have won for certain wins with best play, whoever is to move, and by answering intrusions alone."""

import numpy as np
import pytest

import montego as mg
from montego.games import Position
from montego.games.tools.connection.certain import certain_pairs
from tests.games.naive_connection import board_of
from tests.games.test_connection_prior import Solver, positions_of


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("spec", "least"),
    [("hex(size=3)", 1000), ("hex(size=4)", 10), ("hex(size=5)", 10), ("y(size=6)", 10), ('y(board="bent")', 10)],
)
def test_a_certain_winner_wins_with_best_play_of_both(spec: str, least: int) -> None:
    """On all positions of Hex 3×3 and on drawn ones with seven empty points, either player to move."""
    game = mg.game(spec)
    solver, seen = Solver(game), 0
    for stones in positions_of(game, solver):
        owners = [next((k for k in range(2) if stones[k] >> point & 1), -1) for point in range(solver.points)]
        for player in range(2):
            if certain_pairs(game, owners, player) is not None:
                seen += 1
                assert not solver.can_win(*stones, 1 - player)
    assert seen >= least


@pytest.mark.both_modes
@pytest.mark.parametrize(
    "spec", ["hex(size=5)", "hex(size=11)", "y(size=9)", 'y(board="bent")', "hex(size=7, swap=true)"]
)
def test_a_certain_winner_need_only_answer_in_the_pair(spec: str) -> None:
    """On larger boards nobody can look at everything, so random opponents try, moving first; 40 games a board."""
    game, chance, seen = mg.game(spec), np.random.default_rng(1), 0
    board = board_of(game)
    for _ in range(40):
        position = game.start()
        while not position.over and game.certain_winner(position) is None:
            position.play(str(chance.choice(position.legal_moves())))
        if position.over:
            continue
        seen += 1
        winner = game.certain_winner(position)
        assert winner is not None
        owners = position.owners().tolist()
        pairs = certain_pairs(game, owners, winner)
        assert pairs is not None
        assert len({point for pair in pairs for point in pair}) == 2 * len(pairs)  # no point serves two pairs
        answer = dict(pairs) | {second: first for first, second in pairs}
        for point in chance.permutation(np.flatnonzero(np.array(owners) < 0)).tolist():
            if owners[point] < 0:
                owners[point] = 1 - winner
                reply = answer.get(point, -1)
                if reply >= 0:
                    owners[reply] = winner
        assert board.winners(owners) == [winner]
    assert seen > 20


@pytest.mark.both_modes
def test_two_chains_on_one_side_are_not_joined_by_it() -> None:
    """A side of Y is no stone: the chains in the corners touch two sides each, and stay apart."""
    position = Position.from_text(mg.game("y(size=5)"), "X  . .  . . .  X . . X  X . . . X")
    assert position.game.certain_winner(position) is None


@pytest.mark.both_modes
def test_nothing_is_certain_before_the_swap() -> None:
    plain, swapping = mg.game("hex(size=3)"), mg.game("hex(size=3, swap=true)")
    assert plain.certain_winner(plain.start().play("b2")) == 0
    assert swapping.certain_winner(swapping.start().play("b2")) is None
    assert swapping.certain_winner(swapping.start().play("b2").play("a1")) == 0


@pytest.mark.both_modes
def test_a_finished_game_has_a_certain_winner_and_other_games_do_not_say() -> None:
    position = Position.from_text(mg.game("y(size=3)"), "X  X .  X . .")
    assert position.over
    assert position.game.certain_winner(position) == 0
    assert mg.game("tictactoe").certain_winner(mg.game("tictactoe").start()) is None
