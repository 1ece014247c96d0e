"""The commands that set the clocks, and the time that a move gets."""

import pytest

from montego.sessions import Kind, TimeControl, mind as mind_module
from tests.protocols.talk import Talk

pytestmark = pytest.mark.both_modes


@pytest.mark.parametrize(
    ("line", "control"),
    [
        ("time_settings 600 30 5", TimeControl(Kind.CANADIAN, 600, 30, 5)),
        ("time_settings 600 0 0", TimeControl(Kind.ABSOLUTE, 600)),
        ("time_settings 0 30 0", TimeControl()),
        ("kgs-time_settings none", TimeControl()),
        ("kgs-time_settings absolute 90", TimeControl(Kind.ABSOLUTE, 90)),
        ("kgs-time_settings byoyomi 90 10 5", TimeControl(Kind.BYOYOMI, 90, 10, 5)),
        ("kgs-time_settings canadian 90 300 25", TimeControl(Kind.CANADIAN, 90, 300, 25)),
    ],
)
def test_settings(line, control):
    talk = Talk()
    talk.ok(line)
    assert talk.session.clock.control == control


def test_a_search_gets_the_seconds_of_the_clock(monkeypatch):
    """The engine asks its player for the seconds that the time manager gives, and its clock runs by what was used."""
    talk, now, asked = Talk(), [100.0], []
    monkeypatch.setattr(mind_module.time, "monotonic", lambda: now[0])
    player = talk.mind.player(talk.session.game)
    choose = player.choose_number

    def slow(position, limits):
        asked.append(limits.seconds)
        now[0] += 7
        return choose(position, limits)

    monkeypatch.setattr(player, "choose_number", slow)
    monkeypatch.setattr(talk.mind, "close", lambda: None)  # the end of input would make another player
    talk.ok("genmove b")
    talk.ok("time_settings 60 0 0")
    talk.ok("genmove w")
    assert talk.session.clock.left[1].seconds == 53
    talk.ok("genmove w")
    talk.ok("time_left w 0 0")
    talk.ok("genmove w")
    assert asked[0] is None
    assert 0 < asked[2] < asked[1] < 60
    assert asked[3] == 0.001
    assert talk.session.clock.left[0].seconds == 60
