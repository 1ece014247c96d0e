"""A game in progress: steps and undo, moves of either side, resignation, clocks."""

import pytest

import montego as mg
from montego.errors import IllegalMove
from montego.sessions import Decision, Kind, Remaining, Session, TimeControl

pytestmark = pytest.mark.both_modes


def go(size=5):
    return Session(mg.game(f"go(size={size})"))


def test_steps_and_undo():
    session = go()
    for player, move in ((0, "A1"), (0, "B2"), (1, "C3")):
        session.play(player, move)
    assert session.position.stones() == {"A1": 0, "B2": 0, "C3": 1}
    assert session.history == ["A1", "B2", "C3"]
    assert [step.player for step in session.steps] == [0, 0, 1]
    session.undo(2)
    assert session.position.stones() == {"A1": 0}
    with pytest.raises(IllegalMove, match="cannot undo 2 moves; the game has 1"):
        session.undo(2)
    assert len(session.steps) == 1


def test_a_refused_move_changes_nothing():
    session = go()
    session.play(0, "A1")
    for player, move in ((1, "A1"), (0, "A1"), (1, "Z9")):
        with pytest.raises(IllegalMove):
            session.play(player, move)
    assert len(session.steps) == 1
    assert session.history == ["A1"]
    assert session.position.stones() == {"A1": 0}


def test_a_pass_is_known_by_its_player():
    session = go()
    session.play(0, "pass")
    assert session.last_pass_by(0)
    assert not session.last_pass_by(1)
    session.play(1, "A1")
    assert not session.last_pass_by(1)
    assert not go().last_pass_by(0)


def test_resignation_ends_the_game_until_it_is_taken_up_again():
    session = go()
    session.play(0, "C3")
    session.carry_out(Decision(1, None))
    assert session.over
    assert session.result == "Black+resign"
    session.undo()
    assert not session.over
    session.carry_out(Decision(0, None))
    assert session.result == "White+resign"
    session.play(0, "C3")
    assert not session.over
    session.carry_out(Decision(1, None))
    session.restart()
    assert not session.over


def test_a_loaded_position_can_be_undone_move_by_move():
    position = mg.game("tictactoe").start().play("b2").play("a1")
    session = Session(mg.game("go(size=5)"))
    session.load(position)
    assert session.game == position.game
    assert session.history == ["b2", "a1"]
    session.undo(2)
    assert session.position.stones() == {}


def test_handicap_stones_are_not_steps():
    session = go(9)
    session.place_handicap(["C3", "G7"])
    assert (session.handicap, session.position.to_move, session.steps) == (2, 1, [])
    session.play(1, "E5")
    session.restart()
    assert (session.handicap, session.position.to_move) == (0, 0)
    assert session.position.stones() == {}


def test_a_decision_runs_on_its_players_clock():
    session = go()
    session.clock.set(TimeControl(Kind.ABSOLUTE, 60))
    session.carry_out(Decision(0, session.game.parse_move("C3"), 0.4, seconds=7))
    session.carry_out(Decision(1, None, seconds=5))
    assert session.clock.left == [Remaining(53, 0), Remaining(55, 0)]
    assert session.steps[0].expects == 0.4
    session.restart()
    assert session.clock.left == [Remaining(60, 0)] * 2


def test_other_rules_hold_for_the_moves_that_can_be_undone():
    session = go()
    session.play(0, "C3")
    session.set_rules(session.game.with_rules(komi=0.5))
    assert session.position.score() == 24.5
    session.undo()
    assert session.game.with_rules(komi=7.5) == mg.game("go(size=5)")
