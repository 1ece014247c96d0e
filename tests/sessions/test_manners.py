"""When a player gives up: after enough of the game, and only if it stays hopeless."""

import pytest

import montego as mg
from montego.games import Position
from montego.players import PLAYERS
from montego.search import Analysis, MoveStatistics
from montego.sessions import PLAY_ON, Manners, Session, expects_win_rates
from montego.sessions.manners import expectation, gives_up
from tests.sessions.test_judge import FINISHED

pytestmark = pytest.mark.both_modes


def analysis(value, visits=1000, proven=None):
    others = MoveStatistics("B1", 2, visits // 2, value / 2)
    return Analysis("A1", 1, visits, 0.1, [MoveStatistics("A1", 1, visits, value, proven=proven), others])


def game_of(board=FINISHED):
    session = Session(mg.game("go(size=7)"))
    session.set_up(Position.from_text(session.game, board))
    return session


def resigns(values, session, manners):
    """Let Black note values at one move after the other, White passing; return at which it would give up."""
    given_up = []
    for value in values:
        expects = value if value is None else expectation(analysis(value))
        given_up.append(gives_up(session, session.position.facing(0), expects, manners))
        session.play(0, "pass", expects)
        session.play(1, "pass")
    return given_up


def test_an_expectation_is_the_better_of_the_move_and_the_mean():
    assert expectation(analysis(0.3)) == 0.3
    lucky = Analysis("A1", 1, 300, 0.1, [MoveStatistics("A1", 1, 100, 0.2), MoveStatistics("B1", 2, 200, 0.5)])
    assert expectation(lucky) == pytest.approx(0.4)
    assert expectation(analysis(0.3, visits=20)) is None  # too few visits to be believed
    assert expectation(analysis(0.3, visits=20, proven="loss")) == 0.0
    assert expectation(Analysis("A1", 1)) is None


def test_gives_up_only_when_it_stays_hopeless():
    assert resigns((0.01, 0.02, 0.04), game_of(), Manners()) == [False, False, True]
    assert resigns((0.01, 0.01, 0.2, 0.01, 0.01, 0.01), game_of(), Manners()) == [False] * 5 + [True]
    assert resigns((0.01, None, 0.01, 0.01), game_of(), Manners()) == [False] * 4
    empty = game_of(". " * 49)
    assert resigns([0.01] * 5, empty, Manners()) == [False] * 5  # too early


def test_never_gives_up_without_being_allowed_to():
    assert not any(resigns([0.0] * 5, game_of(), Manners(resign_below=0.0)))
    assert not any(resigns([0.0] * 5, game_of(), PLAY_ON))


@pytest.mark.parametrize("player", ["uct", "ucb", "flat", "plain_uct", "uct(reward=win_loss(scale=2))"])
def test_means_over_wins_are_win_rates(player):
    assert expects_win_rates(PLAYERS.build(player))


@pytest.mark.parametrize(
    "player",
    [
        *("random", 'gtp("gnugo --mode gtp")', "depth", "first_order", "higher_order", "micro_reduction"),
        *("uct(reward=score)", "flat(reward=sigmoid)", "plain_uct(reward=quality)", "uct(reward=phased)"),
    ],
)
def test_other_values_are_not_win_rates(player):
    assert not expects_win_rates(PLAYERS.build(player))


def test_moves_taken_back_no_longer_count():
    session = game_of()
    resigns((0.01, 0.01), session, Manners())
    assert gives_up(session, session.position.facing(0), 0.01, Manners())
    session.undo(2)
    assert not gives_up(session, session.position.facing(0), 0.01, Manners())
