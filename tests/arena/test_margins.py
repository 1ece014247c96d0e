"""Mean score, its variance and the length of games."""

import math

import pytest

from montego.arena.game import FORFEIT, PLAYED, FinishedGame, Task
from montego.arena.margins import margins


def game(pair, first, score, moves=10, reason=PLAYED):
    task = Task(2 * pair + first, pair, (first, 1 - first), "go(size=9)", ("", ""), (0, 0))
    return FinishedGame(task, ("pass",) * moves, score, float(score > 0), "", reason)


@pytest.mark.both_modes
def test_margins_are_the_first_players_and_pairs_are_one_observation():
    games = [game(0, 0, 5.0), game(0, 1, -3.0, 20), game(1, 0, -2.0), game(1, 1, 4.0), game(2, 0, 9.0, 3, FORFEIT)]
    found = margins(games, 0)  # scores 5, 3, -2, -4; the forfeit does not count
    assert (found.games, found.mean, found.length) == (4, 0.5, 12.5)
    assert found.variance == pytest.approx((4.5**2 + 2.5**2 + 2.5**2 + 4.5**2) / 3)
    assert found.error == pytest.approx(math.sqrt((7**2 + 7**2) * 2 / 1) / 4)
    assert margins(games, 1).mean == -0.5
    assert found.interval[1] - 0.5 == pytest.approx(12.7062 * found.error)  # two pairs: one degree of freedom


@pytest.mark.both_modes
def test_nothing_is_known_without_scored_games():
    found = margins([game(0, 0, 1.0, reason=FORFEIT)], 0)
    assert found.line() == ""
    assert found.as_dict() == {
        "games": 0,
        "mean": None,
        "error": None,
        "interval": [None, None],
        "variance": None,
        "length": None,
    }
