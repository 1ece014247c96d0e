"""Tic-tac-toe against OpenSpiel, position by position, and against the known number of games."""

import pytest

from montego.games import game

THIS = game("tictactoe")
# Games and reachable positions, the empty board included: Wikipedia, "Tic-tac-toe", section Combinatorics.
GAMES_IN_ALL, POSITIONS_IN_ALL = 255_168, 5_478


@pytest.mark.compiled
def test_every_reachable_position_agrees_with_openspiel():
    pyspiel = pytest.importorskip("pyspiel")
    seen = set()
    todo = [(THIS.start(), pyspiel.load_game("tic_tac_toe").new_initial_state())]
    while todo:
        ours, theirs = todo.pop()
        if ours.key in seen:
            continue
        seen.add(ours.key)
        assert ours.over == theirs.is_terminal()
        if ours.over:
            assert ours.score() == theirs.returns()[0]
            assert {0: 1, 1: -1, -1: 0}[ours.winner] == theirs.returns()[0]
            assert len(ours.legal_numbers()) == 0
            continue
        assert ours.to_move == theirs.current_player()
        assert ours.legal_numbers().tolist() == theirs.legal_actions()
        for move in theirs.legal_actions():
            todo.append((ours.copy().play(move), theirs.child(move)))
    assert len(seen) == POSITIONS_IN_ALL


@pytest.mark.compiled
def test_number_of_games():
    known: dict[int, int] = {}

    def games_from(position):
        if position.over:
            return 1
        key = position.key
        if key not in known:
            known[key] = sum(games_from(position.copy().play(int(move))) for move in position.legal_numbers())
        return known[key]

    assert games_from(THIS.start()) == GAMES_IN_ALL


@pytest.mark.both_modes
@pytest.mark.parametrize(
    ("moves", "result"),
    [
        ("a1 b1 a2 b2 a3", "X+1"),
        ("b2 a1 c3 b1 a2 c1", "O+1"),
        ("a1 b1 c1 b2 a2 c2 b3 a3 c3", "draw"),
        ("a3 b3 b2 a2 c1", "X+1"),
    ],
)
def test_results(moves, result):
    position = THIS.start()
    for move in moves.split():
        assert position.result.endswith("to move")
        position.play(move)
    assert position.result == result


@pytest.mark.both_modes
def test_text_drawing():
    position = THIS.start().play("b2").play("c3")
    assert str(position) == "3 . .(O)\n2 . X .\n1 . . .\n  a b c\nX to move"
