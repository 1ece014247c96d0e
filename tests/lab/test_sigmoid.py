"""What the figures of the sigmoid paper are judged by, on findings made by hand: each claim both ways."""

import pytest

from montego.lab import EXPERIMENTS, Conditions, Size
from montego.lab.matches import Measure
from montego.lab.sigmoid import _best_and_ends, _calmer, _margins, _trends, _when_won, _won, _won_and_lost
from tests.lab.made_up import found

HOW = Conditions(size=Size.DEFAULT)
QUICK = Conditions(size=Size.QUICK)
pytestmark = pytest.mark.both_modes


def verdicts(judged):
    rows, _ = judged
    return {row.label: row.verdict for row in rows}


def games(won, of, by=5.0):
    """Return margins of so many games, won and lost by as much."""
    return [by] * won + [-by] * (of - won)


def test_the_final_score_is_judged_at_the_places_that_the_text_names():
    few = [found("", games(30, 100), x=1_000, series="Normal"), found("", games(70, 100), x=1_000, series="UCB")]
    assert verdicts(_won(few, HOW)) == {"Normal, 1,000": "agrees", "UCB, 1,000": "agrees"}
    other = [found("", games(70, 100), x=1_000, series="Normal"), found("", games(30, 100), x=1_000, series="UCB")]
    assert verdicts(_won(other, HOW)) == {"Normal, 1,000": "differs", "UCB, 1,000": "differs"}
    even = [found("", games(50, 100), x=1_000, series="Normal"), found("", games(70, 100), x=10_000, series="UCB")]
    assert verdicts(_won(even, HOW)) == {"Normal, 1,000": "not decided"}
    assert verdicts(_won(few, QUICK)) == {}


def test_trends_go_the_way_of_the_paper():
    claims = _trends(Measure.RATE, {"UCB": 1, "UCT": -1})
    rising = [(1_000, 30), (10_000, 50), (100_000, 70)]
    up = [found("", games(won, 100), x=x, series=name) for name in ("UCB", "UCT") for x, won in rising]
    assert verdicts(claims(up, HOW)) == {"UCB": "agrees", "UCT": "differs"}
    assert verdicts(claims(up[:1], HOW)) == {}  # one budget has no trend


@pytest.mark.parametrize(("budget", "calm", "wild"), [(1_000, "agrees", "differs"), (1_000_000, "differs", "agrees")])
def test_the_variance_of_ucb_is_less_except_at_a_million_playouts(budget, calm, wild):
    narrow, wide = games(100, 200, by=2.0), games(100, 200, by=9.0)
    for ucb, uct, verdict in ((narrow, wide, calm), (wide, narrow, wild)):
        both = [found("", ucb, x=budget, series="UCB"), found("", uct, x=budget, series="UCT")]
        assert list(verdicts(_calmer(both, HOW)).values()) == [verdict]


def test_margins_are_those_of_the_first_player_whichever_side_it_has():
    won, lost = _margins(found("", [7.0, 6.0, -3.0, -2.0, 0.0]))
    assert (won, lost) == ([7.0, 6.0], [3.0, 2.0])


def test_it_wins_by_more_than_it_loses_by():
    big_wins = found("k = 0.3", [9.0, 10.0, 11.0, 10.0, -2.0, -3.0, -2.0, -3.0], x=0.3)
    big_losses = found("k = 0.3", [2.0, 3.0, 2.0, 3.0, -9.0, -10.0, -11.0, -10.0], x=0.3)
    assert verdicts(_when_won([big_wins], HOW)) == {"k = 0.3": "agrees"}
    assert verdicts(_when_won([big_losses], HOW)) == {"k = 0.3": "differs"}
    assert verdicts(_when_won([big_wins], QUICK)) == {}
    assert _when_won([big_wins], HOW)[1][0].rows == [("k = 0.3", "10.0", "2.5", "4 – 4")]
    chart = _won_and_lost([big_wins, found("final score", [1.0, -1.0])])
    assert [one.points for one in chart.series] == [[(0.3, 10.0)], [(0.3, 2.5)]]


def test_the_larger_k_of_the_middle_game_is_better():
    weak, strong = games(30, 100), games(70, 100)
    for low, high, verdict in ((weak, strong, "agrees"), (strong, weak, "differs")):
        both = [found("", low, x=0.5), found("", high, x=1.0)]
        assert list(verdicts(_best_and_ends(both, HOW)).values()) == [verdict]
    assert verdicts(_best_and_ends([found("", weak, x=0.5)], HOW)) == {}


@pytest.mark.compiled
def test_the_size_of_the_game_is_that_of_its_choices():
    """A game of Blokus Duo by random moves has about 10^53 as the product of its choices (shared estimate)."""
    report, _ = EXPERIMENTS["sigmoid-tree-size"].run(Conditions(size=Size.QUICK, seed=1))
    assert 50 < report.rows[0].ours < 56
