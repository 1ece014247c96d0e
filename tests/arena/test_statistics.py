"""Intervals and Elo against statsmodels, closed forms and simulated matches."""

import json
import math

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from montego.arena.statistics import (
    PRIOR_PAIRS,
    elo,
    expected_rate,
    pair_counts,
    pair_variance,
    signed,
    student,
    summarize,
    wilson,
)
from montego.errors import MontegoError

scores = st.sampled_from([0.0, 0.5, 1.0])
pair_lists = st.lists(st.tuples(scores, scores), max_size=30)
single_lists = st.lists(scores, max_size=10)


@pytest.mark.parametrize("n", [1, 2, 7, 40, 1000])
def test_wilson_is_that_of_statsmodels(n):
    for successes in {0, 1, n // 3, n // 2, n - 1, n}:
        assert wilson(successes, n) == pytest.approx(proportion_confint(successes, n, 0.05, "wilson"), abs=1e-12)
        assert wilson(successes, n, z=1.6448536269514722) == pytest.approx(
            proportion_confint(successes, n, 0.1, "wilson"), abs=1e-12
        )


def test_wilson_closed_forms():
    assert wilson(0, 0) == (0.0, 1.0)
    assert wilson(0, 10, z=2) == (0.0, pytest.approx(4 / 14))  # z² / (n + z²)
    assert wilson(10, 10, z=2) == (pytest.approx(10 / 14), 1.0)
    assert wilson(6, 12, z=2) == pytest.approx((0.25, 0.75))  # (1 ± z/√(n+z²)) / 2


@pytest.mark.parametrize(("successes", "n"), [(-1, 5), (6, 5), (math.nan, 5), (1, math.nan), (1, math.inf), (0, -1)])
def test_wilson_refuses_impossible_counts(successes, n):
    with pytest.raises(MontegoError, match="0 ≤ successes ≤ n"):
        wilson(successes, n)


@pytest.mark.parametrize("z", [0, -1, math.inf, math.nan])
def test_wilson_refuses_impossible_z(z):
    with pytest.raises(MontegoError, match="positive and finite"):
        wilson(1, 2, z)


def test_elo_known_values():
    assert elo(0.5) == 0
    assert elo(10 / 11) == pytest.approx(400)
    assert elo(0.64) == pytest.approx(99.95, abs=0.01)
    assert (elo(0), elo(1)) == (-math.inf, math.inf)
    assert expected_rate(-400) == pytest.approx(1 / 11)
    assert (expected_rate(-math.inf), expected_rate(math.inf)) == (0, 1)
    assert (expected_rate(-1e6), expected_rate(1e6)) == (0, 1)


@pytest.mark.parametrize("rate", [-0.1, 1.1, math.nan])
def test_elo_refuses_what_is_no_rate(rate):
    with pytest.raises(MontegoError, match="between 0 and 1"):
        elo(rate)


def test_expected_rate_refuses_nan():
    with pytest.raises(MontegoError, match="not nan"):
        expected_rate(math.nan)


@given(st.floats(-1500, 1500))
def test_elo_inverts_expected_rate(difference):
    assert elo(expected_rate(difference)) == pytest.approx(difference, abs=1e-6)
    assert expected_rate(-difference) == pytest.approx(1 - expected_rate(difference), abs=1e-15)


def test_summary_of_a_match_by_hand():
    pairs = [(1, 1), (1, 0), (1, 0), (0, 0), (0.5, 1), (0.5, 0.5), (0, 0.5), (1, 1)]
    summary = summarize(pairs, [1, 0, 0.5, 1], singles=[1, 0.5])
    assert (summary.games, summary.wins, summary.draws, summary.losses) == (18, 8, 5, 5)
    assert summary.rate == pytest.approx(10.5 / 18)
    assert summary.rate_interval == pytest.approx(proportion_confint(10.5, 18, 0.05, "wilson"))
    assert summary.pentanomial == (1, 1, 3, 1, 2)
    assert summary.singles == 2
    assert summary.elo == pytest.approx(400 * math.log10(10.5 / 7.5))
    assert summary.first_player_rate == 0.625
    assert summary.first_player_interval == pytest.approx(proportion_confint(2.5, 4, 0.05, "wilson"))


def test_design_effect_by_hand():
    # Ten pairs all 1-1: no variance between pairs, so what is left is the prior's 2 of 11 pairs.
    level = summarize([(1, 0)] * 10)
    assert level.design_effect == pytest.approx(PRIOR_PAIRS / (9 + PRIOR_PAIRS))
    # Ten pairs whose games repeat each other: the variance of a pair is twice that of two independent games.
    repeated = summarize([(1, 1), (0, 0)] * 5)
    assert repeated.design_effect == pytest.approx((10 * 2 + PRIOR_PAIRS) / (9 + PRIOR_PAIRS))
    # Single games without draws are independent games, but for the fitted mean.
    singles = summarize([], singles=[1, 0] * 500)
    assert singles.design_effect == pytest.approx(1, abs=0.003)


def test_elo_interval_tends_to_the_normal_one_of_the_pairs():
    pentanomial = [500, 1500, 4000, 2500, 1500]
    values = [(0, 0), (0, 0.5), (1, 0), (1, 0.5), (1, 1)]
    summary = summarize([value for value, count in zip(values, pentanomial) for _ in range(count)])
    pair_rates = np.repeat(np.arange(5) / 4, pentanomial)
    error = 1.959964 * pair_rates.std(ddof=1) / math.sqrt(len(pair_rates))
    expected = elo(pair_rates.mean() - error), elo(pair_rates.mean() + error)
    assert summary.elo_interval == pytest.approx(expected, abs=0.02)


@pytest.mark.parametrize("score", [0, 1])
def test_one_sided_results_have_one_infinite_end(score):
    summary = summarize([(score, score)] * 10)
    assert summary.rate == score
    assert abs(summary.elo) == math.inf
    finite, infinite = sorted(summary.elo_interval, key=abs)
    assert infinite == summary.elo
    assert abs(finite) == pytest.approx(elo(20 / (20 + 1.959964**2)), abs=1e-4)
    assert "∞" in str(summary)


def test_a_match_without_games():
    summary = summarize([])
    assert summary.games == 0
    assert math.isnan(summary.rate)
    assert summary.rate_interval == summary.first_player_interval == (0, 1)
    assert summary.elo_interval == (-math.inf, math.inf)
    assert str(summary) == "A: no games yet"
    assert summary.as_dict()["rate"] is None


def test_only_draws():
    summary = summarize([(0.5, 0.5)] * 50)
    low, high = summary.elo_interval
    assert summary.elo == 0
    assert -20 < low < 0 < high < 20


def test_json_is_strict():
    for summary in (summarize([]), summarize([(1, 1)]), summarize([(1, 0.5)], [1, 0])):
        text = json.dumps(summary.as_dict(), allow_nan=False)
        assert json.loads(text)["games"] == summary.games
    assert summarize([(1, 1)]).as_dict()["elo_interval"][1] is None
    assert summarize([(1, 1)]).as_dict()["pentanomial"] == [0, 0, 0, 0, 1]


def test_line_for_people():
    pairs = [(1, 0)] * 48 + [(1, 1)] * 37 + [(0, 0)] * 15
    summary = summarize(pairs)
    assert str(summary) == "A 61 % (54–67 %) of 200 games, Elo +78 (+28…+127)"
    assert summary.line("uct").startswith("uct 61 %")
    assert str(summarize([], singles=[0.5])) == "A 50 % (5–95 %) of 1 game (1 drawn), Elo 0 (-495…+495)"
    assert str(summarize([(1, 0)] * 20_000)).startswith("A 50.0 % (49.5–50.5 %) of 40000 games")


def test_a_match_that_is_not_all_won_does_not_show_100_percent():
    assert str(summarize([(1, 1)] * 99 + [(1, 0.5)])).startswith("A 99.8 % (98–100 %)")
    assert str(summarize([(0, 0)] * 4999 + [(0, 0.5)])).startswith("A 0.01 % (0.00–0.05 %)")
    assert str(summarize([(1, 1)] * 99)).startswith("A 100.0 % (98.1–100.0 %)")


def test_signed():
    assert [signed(value) for value in (78.4, -5.2, 0.3, -0.3, math.inf, -math.inf, math.nan)] == [
        "+78", "-5", "0", "0", "+∞", "-∞", "?",
    ]  # fmt: skip


@pytest.mark.parametrize("bad", [2, -1, 0.25, math.nan])
def test_bad_scores_are_refused(bad):
    for arguments in (
        {"pairs": [(1, bad)]},
        {"pairs": [], "singles": [bad]},
        {"pairs": [], "first_player_scores": [bad]},
    ):
        with pytest.raises(MontegoError, match=r"0, 0\.5 or 1"):
            summarize(**arguments)


def test_a_pair_of_three_is_refused():
    with pytest.raises(MontegoError, match="singles"):
        summarize([(1, 0, 1)])


@given(pair_lists, single_lists)
def test_swapping_the_players_mirrors_everything(pairs, singles):
    ours = summarize(pairs, singles=singles)
    theirs = summarize([(1 - first, 1 - second) for first, second in pairs], singles=[1 - score for score in singles])
    assert (ours.wins, ours.draws, ours.losses) == (theirs.losses, theirs.draws, theirs.wins)
    assert ours.pentanomial == theirs.pentanomial[::-1]
    assert ours.rate_interval == pytest.approx((1 - theirs.rate_interval[1], 1 - theirs.rate_interval[0]))
    assert ours.elo_interval == pytest.approx((-theirs.elo_interval[1], -theirs.elo_interval[0]))
    assert ours.design_effect == pytest.approx(theirs.design_effect)


@given(pair_lists, single_lists)
def test_the_order_within_and_of_pairs_is_nothing(pairs, singles):
    ours = summarize(pairs, singles=singles)
    other = summarize([(second, first) for first, second in reversed(pairs)], singles=singles[::-1])
    assert ours.elo_interval == pytest.approx(other.elo_interval)
    assert ours.pentanomial == other.pentanomial


@given(pair_lists.filter(len), single_lists)
def test_intervals_hold_their_estimates(pairs, singles):
    summary = summarize(pairs, singles=singles)
    assert 0 <= summary.rate_interval[0] <= summary.rate <= summary.rate_interval[1] <= 1
    assert summary.elo_interval[0] <= summary.elo <= summary.elo_interval[1]
    assert (summary.elo_interval[0] == -math.inf) == (summary.rate == 0)
    assert (summary.elo_interval[1] == math.inf) == (summary.rate == 1)
    assert 0 < summary.design_effect < 2.5
    assert summary.games == 2 * sum(summary.pentanomial) + summary.singles


@given(st.integers(1, 300), st.data())
def test_wilson_rises_with_successes_and_shrinks_with_trials(n, data):
    successes = data.draw(st.integers(0, n - 1))
    low, high = wilson(successes, n)
    more_low, more_high = wilson(successes + 1, n)
    assert low < more_low
    assert high < more_high
    double_low, double_high = wilson(2 * successes, 2 * n)
    assert double_high - double_low < high - low


def pentanomial_of(first, second, draws=0.0):
    """Return the distribution of pair scores of two independent games with these mean scores."""
    one, two = (np.array([1 - rate - draws / 2, draws, rate - draws / 2]) for rate in (first, second))
    return np.convolve(one, two)


# For 20,000 matches a coverage has a standard error of at most 0.002. The bounds are 0.01 (five of them) or more from
# what they give (0.934 to 0.979), so each check fails by chance less than once in a million; the seed makes it
# repeatable.
@pytest.mark.parametrize(
    ("distribution", "pairs", "least", "most"),
    [
        (pentanomial_of(0.5, 0.5), 50, 0.93, 0.97),
        (pentanomial_of(0.8, 0.8), 50, 0.93, 0.97),
        (pentanomial_of(0.9, 0.2), 50, 0.93, 0.98),  # colours decide: games of a pair have opposite results
        (pentanomial_of(0.6, 0.6, draws=0.6), 50, 0.93, 0.98),
        (pentanomial_of(0.55, 0.55, draws=0.86), 100, 0.93, 0.99),
        (np.array([0.4, 0, 0, 0, 0.6]), 100, 0.93, 0.97),  # the second game repeats the first
        (pentanomial_of(0.5, 0.5), 10, 0.92, 0.97),
        (pentanomial_of(0.9, 0.2), 10, 0.92, 1.0),
    ],
)
def test_elo_intervals_cover_the_truth(distribution, pairs, least, most):
    assert least < coverage(distribution, pairs, "elo_interval") < most


def test_wilson_over_games_covers_with_draws_and_colours_but_not_with_repeated_games():
    assert coverage(pentanomial_of(0.6, 0.6, draws=0.6), 50, "rate_interval") > 0.98  # wider than need be
    assert coverage(pentanomial_of(0.9, 0.2), 50, "rate_interval") > 0.98
    assert coverage(np.array([0.4, 0, 0, 0, 0.6]), 100, "rate_interval") < 0.9  # as the documentation warns


def coverage(distribution, pairs, interval):
    """Return how many of 20,000 simulated matches have the truth in their interval."""
    values = [(0, 0), (0.5, 0), (1, 0), (1, 0.5), (1, 1)]
    truth = float(distribution @ np.arange(5) / 4)
    matches = np.random.default_rng(4).multinomial(pairs, distribution, size=20_000)
    covered = 0
    for counts, times in zip(*np.unique(matches, axis=0, return_counts=True)):
        summary = summarize([value for value, count in zip(values, counts) for _ in range(count)])
        low, high = summary.as_dict()[interval]
        if interval == "elo_interval":
            low = 0 if low is None else expected_rate(low)
            high = 1 if high is None else expected_rate(high)
        covered += times * (low <= truth <= high)
    return covered / len(matches)


def test_pair_variance_is_that_of_numpy_once_pairs_are_many():
    counts = (100, 200, 400, 200, 150)
    rates = np.repeat(np.arange(5) / 4, counts)
    assert pair_variance(counts, rates.mean()) == pytest.approx(rates.var(ddof=1), rel=0.01)
    assert pair_variance((0, 0, 0, 0, 0), 0.5) == 0.125


def test_pair_counts():
    assert pair_counts([(0, 0), (0, 0.5), (1, 0), (0.5, 0.5), (1, 0.5), (1, 1), (1, 1)]) == (1, 1, 2, 1, 2)


@pytest.mark.both_modes
def test_students_quantiles_are_those_of_scipy():
    for freedom in (*range(1, 31), 100, 10_000):
        assert student(freedom) == pytest.approx(stats.t.ppf(0.975, freedom), abs=0.003)
    with pytest.raises(MontegoError, match="at least one degree of freedom"):
        student(0)
