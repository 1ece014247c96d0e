"""A player with manners: what it decides in a session, and that it changes nothing there."""

from typing import Any, NamedTuple

import pytest

import montego as mg
from montego.errors import Resignation
from montego.games import Position
from montego.players import PLAYERS
from montego.search import NO_LIMITS, Analysis, Limits
from montego.sessions import PLAY_ON, Kind, Manners, Mind, Session, TimeControl
from tests.sessions.test_judge import FINISHED

UCT = "uct(playouts=1000, rave=silver, c=0, first_play=1, memory=5)"


class Scripted(NamedTuple):
    """A player that does what the test wants, and notes what it is asked."""

    resigns: bool = False
    meddles: bool = False
    asked: list[Any] = []  # a test gives its own

    def search(self, game: mg.Game) -> "Scripted":
        return self

    def run(self, position: Position, rng: Any, limits: Limits = NO_LIMITS) -> Analysis:
        self.asked.append(limits.seconds)
        if self.resigns:
            raise Resignation("enough", "its last words")
        move = int(position.legal_numbers()[0])
        if self.meddles:
            position.play(move)
        return Analysis(position.game.move_name(move), move, playouts=3)


def finished(komi=0.5):
    session = Session(mg.game(f"go(size=7, komi={komi})"))
    session.set_up(Position.from_text(session.game, FINISHED.replace(". O . X", ". . . X"), to_move=1))
    return session


def name_of(session, decision):
    return "resign" if decision.move is None else session.game.move_name(decision.move)


def test_the_same_player_chooses_the_same_moves_as_without_a_session():
    session, position = Session(mg.game("go(size=5)")), mg.game("go(size=5)").start()
    mind, player = Mind(PLAYERS.build(UCT), 7, PLAY_ON), mg.player(UCT, "go(size=5)", seed=7)
    mind.warm(session.game)  # must not leave anything behind
    for _ in range(4):
        session.carry_out(mind.choose(session))
        position.play(player.choose(position))
    assert [step.move for step in session.steps] == position.moves


def test_a_warm_up_leaves_no_tree_behind():
    spec = "uct(playouts=50, reuse=true, memory=1)"
    mind, player = Mind(PLAYERS.build(spec), 7), mg.player(spec, "go(size=5)", seed=7)
    session = Session(mg.game("go(size=5)"))
    mind.warm(session.game)
    mind.choose(session)
    player.choose(session.position)
    assert [e.visits for e in mind.last.moves] == [e.visits for e in player.analysis().moves]


@pytest.mark.both_modes
def test_a_player_that_meddles_changes_nothing_and_what_it_used_is_counted():
    session, asked = Session(mg.game("tictactoe")), []
    mind = Mind(Scripted(meddles=True, asked=asked), 1)
    decision = mind.choose(session)
    assert session.position.stones() == {}
    assert mind.playouts == 3
    assert mind.seconds >= decision.seconds > 0


@pytest.mark.both_modes
def test_another_programs_resignation_is_a_decision():
    session = Session(mg.game("tictactoe"))
    decision = Mind(Scripted(resigns=True, asked=[]), 1, PLAY_ON).choose(session)
    assert (decision.player, decision.move, decision.detail) == (0, None, "its last words")
    assert not session.over
    session.carry_out(decision)
    assert session.result == "O+resign"


@pytest.mark.both_modes
def test_the_clock_replaces_the_seconds_of_a_move():
    session, asked = Session(mg.game("tictactoe")), []
    mind = Mind(Scripted(asked=asked), 1)
    mind.choose(session, limits=Limits(seconds=3.0))
    session.clock.set(TimeControl(Kind.BYOYOMI, 0, 10, 1))
    mind.choose(session, limits=Limits(seconds=3.0))
    mind.choose(session, manners=Manners(lag=5.0))
    assert asked[0] == 3.0
    assert 9 < asked[1] < 10
    assert 4 < asked[2] < 5


def test_passes_early_only_with_manners():
    session = finished()
    session.play(1, "pass")
    mind = Mind(PLAYERS.build(UCT), 1)
    assert name_of(session, mind.choose(session)) == "pass"
    asked: list[Any] = []
    Mind(Scripted(asked=asked), 1, PLAY_ON).choose(session)
    assert asked, "a player without manners must look for a move"
    asked.clear()
    Mind(Scripted(asked=asked), 1).choose(session)
    assert not asked, "the pass wins: there is nothing to look for"


def test_a_player_of_one_game_is_not_asked_about_another():
    mind = Mind(PLAYERS.build("random"), 1)
    for spec in ("hex(size=3)", "y(size=3)", "hex(size=3)"):  # equal tuples, different games
        session = Session(mg.game(spec))
        session.carry_out(mind.choose(session))
        assert len(session.steps) == 1


@pytest.mark.both_modes
def test_only_win_rates_make_a_player_give_up(monkeypatch):
    monkeypatch.setattr("montego.sessions.mind.gives_up", lambda *_: True)
    for player, resigns in (("uct(playouts=20)", True), ("uct(playouts=20, reward=score)", False), ("random", False)):
        session = Session(mg.game("tictactoe"))
        assert (Mind(PLAYERS.build(player), 1).choose(session).move is None) == resigns
