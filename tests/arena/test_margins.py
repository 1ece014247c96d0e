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


@pytest.mark.both_modes
def test_pairs_that_are_all_alike_are_not_certainty():
    alike = [game(pair, first, 1.0 if first == 0 else -1.0) for pair in range(3) for first in (0, 1)]
    assert margins(alike, 0).line() == "mean score +1.0, variance 0.0, mean length 10.0 moves, of 6 games"
    opposite = [game(pair, first, 3.3) for pair in range(3) for first in (0, 1)]  # each side wins once in every pair
    assert math.isnan(margins(opposite, 0).error)
