"""Positions: what a person may do wrong, and what can go wrong with a stored game."""

import json
import pickle

import numpy as np
import pytest

from montego.errors import IllegalMove, MontegoError, SpecError, StateError
from montego.games import GAMES, Position, game
from montego.games.tools.conformance import state_bytes

pytestmark = pytest.mark.both_modes


def played(*names):
    position = game("tictactoe").start()
    for name in names:
        position.play(name)
    return position


# --------------------------------------------------------------------------------------------------------------- moves


@pytest.mark.parametrize(
    ("move", "complaint"),
    [
        ("b2", "illegal move b2 for O"),
        (4, "illegal move b2 for O"),
        ("z9", "no move 'z9' in tictactoe"),
        ("", "no move '' in tictactoe; moves go from a3 to c1"),
        ("b22", "no move 'b22' in tictactoe; did you mean 'b2'?"),
        ("a3\nb2", "no move"),
        (9, "no move number 9 in tictactoe; numbers go from 0 to 8"),
        (-1, "no move number -1 in tictactoe; numbers go from 0 to 8"),
        (10**30, "no move number 1000"),
        (1.0, "a move is a name or a whole number, not 1.0"),
        (None, "a move is a name or a whole number, not None"),
        (["a1"], "a move is a name or a whole number, not ['a1']"),
    ],
)
def test_a_bad_move_is_refused_and_changes_nothing(move, complaint):
    position = played("b2")
    before, moves = state_bytes(position.state), list(position.moves)
    with pytest.raises(IllegalMove) as problem:
        position.play(move)
    assert str(problem.value).startswith(complaint)
    assert "\n" not in str(problem.value)
    assert state_bytes(position.state) == before
    assert position.moves == moves
    assert not position.is_legal(move)


def test_a_move_after_the_end_is_refused():
    position = played("a1", "b1", "a2", "b2", "a3")
    before = state_bytes(position.state)
    for move in ("c3", "a1", 2):
        with pytest.raises(IllegalMove, match=r"the game is over \(X\+1\); undo or start a new one"):
            position.play(move)
    assert state_bytes(position.state) == before
    assert position.undo().play("c3").legal_moves() == ["a3", "b3", "c2", "c1"]


def test_moves_are_names_in_any_case_or_numbers():
    assert played(" B2 ", "A3") == played(4, 0) == played(np.int32(4), np.int64(0)) == played("b2", "a3")


def test_undo_to_the_start_and_not_beyond():
    position = played("b2", "a3").undo().undo()
    assert position == game("tictactoe").start()
    assert position.last_move is None
    with pytest.raises(IllegalMove, match="nothing to undo"):
        position.undo()


def test_questions():
    position = played("b2", "a3")
    assert (position.to_move, position.over, position.winner, position.score()) == (0, False, None, 0.0)
    assert position.history == ["b2", "a3"]
    assert position.last_move == "a3"
    assert position.owners().tolist() == [1, -1, -1, -1, 0, -1, -1, -1, -1]
    assert position.result == "X to move"
    assert repr(position) == "<tictactoe, 2 moves, X to move>"


def test_unknown_games_and_parameters():
    for spec in ("tictactoee", "tictactoe(size=3)", "tictactoe(", ""):
        with pytest.raises(SpecError):
            game(spec)
    assert "tictactoe" in GAMES.names()


def test_a_game_without_set_up_says_so():
    with pytest.raises(IllegalMove, match="tictactoe has no positions set up by hand"):
        Position(game("tictactoe"), {"a1": 0})
    with pytest.raises(IllegalMove, match="tictactoe has no positions set up by hand"):
        Position(game("tictactoe"), to_move=1)


# --------------------------------------------------------------------------------------------- comparison and storage


def test_equal_positions_by_different_orders():
    a, b = played("a1", "b1", "c3"), played("c3", "b1", "a1")
    assert a == b
    assert hash(a) == hash(b)
    assert a.moves != b.moves
    assert a != played("a1", "b1")
    assert a != "a1"
    assert len({a, b, played()}) == 2


def test_copies_are_independent():
    position = played("b2")
    twin = position.copy()
    twin.play("a1")
    assert position.history == ["b2"]
    assert position.legal_moves() != twin.legal_moves()
    twin.undo()
    assert twin == position


def test_storage():
    for position in (played(), played("b2"), played("a1", "b1", "a2", "b2", "a3")):
        line = position.dumps()
        assert "\n" not in line
        for again in (Position.loads(line), pickle.loads(pickle.dumps(position))):
            assert again == position
            assert again.moves == position.moves
            assert state_bytes(again.state) == state_bytes(position.state)


def _with(**changes):
    return json.dumps(json.loads(played("b2", "a3").dumps()) | changes)


def _without(name):
    record = json.loads(played("b2", "a3").dumps())
    del record[name]
    return json.dumps(record)


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        (played("b2", "a3").dumps()[:-5], "expected {"),
        (played("b2", "a3").dumps() + "x", "expected {"),
        ("", "expected {"),
        ("null", "expected {"),
        ("[]", "expected {"),
        ("7", "expected {"),
        ('"text"', "expected {"),
        ("[" * 100_000, "expected {"),
        ("{}", "expected {"),
        (None, "expected {"),
        (_without("montego"), "expected {"),
        (_without("game"), "expected {"),
        (_without("moves"), "expected {"),
        (_without("key"), "expected {"),
        (_with(montego=2), "saved in format 2; format 1 expected"),
        (_with(game="chess"), "unknown game 'chess'"),
        (_with(game="tictactoe(size=3)"), "unknown parameter 'size'"),
        (_with(game=7), "a game is named by a spec"),
        (_with(moves=["b2"]), "do not lead to the recorded key"),
        (_with(moves=["b2", "a1"]), "do not lead to the recorded key"),
        (_with(moves=["b2", "b2"]), "illegal move b2 for O"),
        (_with(moves=["b2", "x9"]), "no move 'x9'"),
        (_with(moves=["b2", None]), "no move 'None'"),
        (_with(moves=7), "expected {"),
        (_with(key="0" * 16), "do not lead to the recorded key"),
        (_with(key=None), "do not lead to the recorded key"),
        (_with(setup={"stones": {"a1": 0}, "to_move": 0}), "no positions set up by hand"),
        (_with(setup={"stones": {"a1": 0}}), "expected {"),
        (_with(setup=[1]), "expected {"),
    ],
)
def test_a_damaged_game_is_refused_in_one_line(line, complaint):
    with pytest.raises(StateError) as problem:
        Position.loads(line)
    assert complaint in str(problem.value)
    assert "\n" not in str(problem.value)
    assert isinstance(problem.value, MontegoError)
