"""The time manager with a clock that the test sets: it uses its time, and never loses on time."""

import random

import pytest

import montego as mg
from montego.sessions.clock import Clock, Kind, Remaining, TimeControl, after_move, moves_to_come, seconds_for_move

pytestmark = pytest.mark.both_modes


def test_without_a_clock_there_is_no_limit():
    assert seconds_for_move(TimeControl(), Remaining(0, 0), 30) is None


def test_moves_to_come_fall_with_the_board():
    position = mg.game("go(size=9)").start()
    first = moves_to_come(position)
    assert 25 <= first <= 32
    for column in "ABCDEFGHJ":
        for row in (1, 3, 5, 7):
            position = position if position.over else position.play(f"{column}{row}")
    assert 8 <= moves_to_come(position) < first
    assert moves_to_come(mg.game("go(size=19)").start()) > 100
    assert moves_to_come(mg.game("tictactoe").start()) <= 5.5


@pytest.mark.parametrize(
    ("control", "left", "low", "high"),
    [
        (TimeControl(Kind.ABSOLUTE, 300), Remaining(300, 0), 5, 15),
        (TimeControl(Kind.ABSOLUTE, 300), Remaining(1, 0), 0.0005, 0.05),
        (TimeControl(Kind.ABSOLUTE, 300), Remaining(0, 0), 0.0005, 0.002),
        (TimeControl(Kind.BYOYOMI, 0, 10, 5), Remaining(10, 5), 8, 9.95),
        (TimeControl(Kind.BYOYOMI, 0, 10, 1), Remaining(3, 1), 2, 2.9),
        (TimeControl(Kind.BYOYOMI, 0, 1, 1), Remaining(1, 1), 0.5, 0.95),
        (TimeControl(Kind.BYOYOMI, 60, 10, 1), Remaining(60, 0), 8, 10),
        (TimeControl(Kind.BYOYOMI, 600, 10, 1), Remaining(600, 0), 15, 40),
        (TimeControl(Kind.CANADIAN, 0, 100, 10), Remaining(100, 10), 7, 9.95),
        (TimeControl(Kind.CANADIAN, 0, 100, 10), Remaining(5, 1), 4, 4.9),
        (TimeControl(Kind.CANADIAN, 30, 100, 10), Remaining(1, 0), 7, 10),
    ],
)
def test_seconds_for_a_move(control, left, low, high):
    assert low <= seconds_for_move(control, left, 28) <= high


CONTROLS = [
    TimeControl(Kind.ABSOLUTE, 300),
    TimeControl(Kind.ABSOLUTE, 30),
    TimeControl(Kind.ABSOLUTE, 5),
    TimeControl(Kind.BYOYOMI, 60, 5, 3),
    TimeControl(Kind.BYOYOMI, 0, 1, 1),
    TimeControl(Kind.CANADIAN, 60, 30, 10),
    TimeControl(Kind.CANADIAN, 0, 10, 5),
]


@pytest.mark.parametrize("control", CONTROLS)
@pytest.mark.parametrize("moves", [30, 120, 400])
def test_never_loses_on_time(control, moves):
    """Play games of any length in which every move costs a lag of up to 10 ms beyond what was allowed."""
    chance = random.Random(moves)
    left, spent = control.start(), 0.0
    for done in range(moves):
        seconds = seconds_for_move(control, left, max(8, 28 - done * 0.4))
        used = seconds + chance.uniform(0, 0.01)
        available = left.seconds + (control.period if left.count == 0 and control.kind is not Kind.ABSOLUTE else 0)
        assert used < available, (done, left)
        left, spent = after_move(control, left, used), spent + used
    if control.kind is Kind.ABSOLUTE and control.main >= 30:
        assert spent > 0.5 * control.main  # a clock is there to be used


def test_absolute_time_lasts_through_the_longest_game():
    control, left = TimeControl(Kind.ABSOLUTE, 10), Remaining(10, 0)
    for _ in range(250):
        seconds = seconds_for_move(control, left, 8)  # always on the point of ending
        assert seconds + 0.005 < left.seconds
        left = after_move(control, left, seconds + 0.005)


def test_clocks_run_without_being_told():
    clock = Clock()
    clock.set(TimeControl(Kind.CANADIAN, 10, 20, 2))
    clock.spend(0, 4)
    assert clock.left[0] == Remaining(6, 0)
    clock.spend(0, 8)  # two seconds into the first period, with its first stone
    assert clock.left[0] == Remaining(18, 1)
    clock.spend(0, 5)
    assert clock.left[0] == Remaining(20, 2)
    assert clock.left[1] == Remaining(10, 0)
    clock.set(TimeControl(Kind.BYOYOMI, 1, 5, 3))
    clock.spend(0, 2)
    assert clock.left[0] == Remaining(5, 3)
    clock.spend(0, 6)
    assert clock.left[0] == Remaining(5, 2)
    clock.report(0, 2, 1)
    assert clock.left[0] == Remaining(2, 1)
    clock.restart()
    assert clock.left[0] == Remaining(1, 0)
