"""The sequential test: its ratio against direct maximisation, its error rates and lengths by simulation."""

import json
import math

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy.optimize import minimize

from montego.arena.sequential import PAIR_RATES, PSEUDO_COUNT, Gsprt, log_likelihood_ratio
from montego.arena.statistics import expected_rate
from montego.errors import MontegoError

counts = st.lists(st.integers(0, 200), min_size=5, max_size=5)
PAIRS = [(0, 0), (0.5, 0), (1, 0), (1, 0.5), (1, 1)]


def best_log_likelihood(observed, mean):
    """Maximise Σ n log p over distributions with this mean, by a general optimiser."""
    observed = np.asarray(observed, dtype=float) + PSEUDO_COUNT
    weights = observed / observed.sum()
    # From the distribution nearest to the data that has the mean: a mixture with all mass at one end.
    end = 4 if weights @ PAIR_RATES < mean else 0
    share = (mean - weights @ PAIR_RATES) / (PAIR_RATES[end] - weights @ PAIR_RATES)
    start = (1 - share) * weights
    start[end] += share
    found = minimize(
        lambda p: -(weights * np.log(p)).sum(),
        start,
        jac=lambda p: -weights / p,
        bounds=[(1e-12, 1)] * 5,
        constraints=[
            {"type": "eq", "fun": lambda p: p.sum() - 1, "jac": lambda _: np.ones(5)},
            {"type": "eq", "fun": lambda p: p @ PAIR_RATES - mean, "jac": lambda _: PAIR_RATES},
        ],
        method="SLSQP",
        options={"ftol": 1e-14, "maxiter": 500},
    )
    assert found.success, found
    return -found.fun * observed.sum()


@pytest.mark.parametrize(
    "observed", [[20, 30, 100, 40, 25], [5, 9, 12, 30, 44], [60, 4, 8, 3, 20], [1, 2, 3, 2, 1], [10, 10, 10, 10, 10]]
)
@pytest.mark.parametrize(("elo0", "elo1"), [(0, 10), (0, 100), (-50, 50), (100, 300)])
def test_the_ratio_is_that_of_the_two_best_distributions(observed, elo0, elo1):
    direct = best_log_likelihood(observed, expected_rate(elo1)) - best_log_likelihood(observed, expected_rate(elo0))
    assert log_likelihood_ratio(np.array(observed), elo0, elo1) == pytest.approx(direct, abs=1e-4)


def test_the_ratio_of_decided_pairs_is_that_of_a_binomial():
    # If pairs end 0 or 2 only, a mean fixes the distribution: the ratio is that of independent trials.
    observed = np.array([37, 0, 0, 0, 63])
    rate0, rate1 = expected_rate(20), expected_rate(120)
    direct = 63 * math.log(rate1 / rate0) + 37 * math.log((1 - rate1) / (1 - rate0))
    assert log_likelihood_ratio(observed, 20, 120) == pytest.approx(direct, abs=0.05)


def test_the_ratio_for_close_hypotheses_is_that_of_a_normal_mean():
    observed = np.array([500, 1500, 4000, 2500, 1500])
    mean = observed @ PAIR_RATES / observed.sum()
    variance = observed @ (PAIR_RATES - mean) ** 2 / observed.sum()
    elo0, elo1 = 30, 34
    rate0, rate1 = expected_rate(elo0), expected_rate(elo1)
    normal = observed.sum() * (rate1 - rate0) * (2 * mean - rate0 - rate1) / (2 * variance)
    assert log_likelihood_ratio(observed, elo0, elo1) == pytest.approx(normal, rel=0.03)


@given(st.lists(counts, min_size=1, max_size=5), st.floats(-300, 300), st.floats(0.1, 300))
def test_many_ratios_at_once_are_each_alone(rows, elo0, width):
    together = log_likelihood_ratio(np.array(rows), elo0, elo0 + width)
    assert together == pytest.approx(
        [log_likelihood_ratio(np.array(row), elo0, elo0 + width) for row in rows], abs=1e-9
    )
    assert np.isfinite(together).all()


@given(counts, st.floats(-300, 300), st.floats(0.1, 300))
def test_swapping_the_players_turns_the_ratio_round(observed, elo0, width):
    ours = log_likelihood_ratio(np.array(observed), elo0, elo0 + width)
    theirs = log_likelihood_ratio(np.array(observed[::-1]), -elo0 - width, -elo0)
    assert ours == pytest.approx(-theirs, abs=1e-6)


@given(counts, st.floats(-200, 200), st.floats(5, 200), st.integers(0, 3))
def test_a_better_pair_raises_the_ratio(observed, elo0, width, worse):
    lower, higher = np.array(observed), np.array(observed)
    lower[worse] += 1
    higher[worse + 1] += 1
    difference = log_likelihood_ratio(higher, elo0, elo0 + width) - log_likelihood_ratio(lower, elo0, elo0 + width)
    assert difference > 0


@settings(max_examples=50)
@given(st.lists(st.sampled_from(PAIRS), max_size=60), st.floats(-100, 100), st.floats(20, 200))
def test_the_verdict_is_frozen_at_the_crossing(pairs, elo0, width):
    test = Gsprt(elo0, elo0 + width)
    frozen = None
    for number, (first, second) in enumerate(pairs, 1):
        verdict = test.add_pair(first, second)
        assert verdict == test.verdict
        if frozen:
            assert (test.verdict, test.llr, test.pairs) == frozen
            assert test.late_pairs == number - test.pairs
        elif verdict:
            frozen = verdict, test.llr, test.pairs
            assert test.pairs == number
        assert (test.verdict == "H1") == (test.llr >= test.upper)
        assert (test.verdict == "H0") == (test.llr <= test.lower)


@pytest.mark.parametrize(("elo0", "elo1"), [(-2000, 2000), (1990, 2000), (0, 1e-3)])
def test_extreme_hypotheses_and_counts_have_finite_ratios(elo0, elo1):
    rows = np.array(
        [[0, 0, 0, 0, 10**9], [10**9, 0, 0, 0, 0], [0, 10**9, 0, 0, 0], [1, 0, 0, 0, 10**9], [0, 0, 0, 0, 0]]
    )
    ratios = log_likelihood_ratio(rows, elo0, elo1)
    assert np.isfinite(ratios).all()
    assert ratios[0] > 0 > ratios[1]
    for row, ratio in zip(rows, ratios):
        assert -log_likelihood_ratio(row[::-1], -elo1, -elo0) == pytest.approx(ratio, rel=1e-6, abs=1e-6)


def test_bounds_are_walds():
    test = Gsprt(0, 50, alpha=0.05, beta=0.1)
    assert test.upper == pytest.approx(math.log(0.9 / 0.05))
    assert test.lower == pytest.approx(math.log(0.1 / 0.95))
    assert (test.llr, test.verdict, test.pairs) == (0, None, 0)


def pairs_until_verdict(pair, elo0=0, elo1=50):
    test = Gsprt(elo0, elo1)
    while test.add_pair(*pair) is None:
        assert test.pairs < 1000
    return test.pairs, test.verdict


def test_equal_pairs_do_not_decide_at_once():
    # No variance at all: each pair can raise the ratio by no more than the log-ratio of the two rates.
    assert pairs_until_verdict((1, 1)) == (math.ceil(math.log(19) / math.log(expected_rate(50) / 0.5)), "H1")
    assert pairs_until_verdict((0, 0))[1] == "H0"
    assert pairs_until_verdict((1, 0)) == (pytest.approx(20, abs=2), "H0")
    assert pairs_until_verdict((0.5, 0.5)) == pairs_until_verdict((1, 0))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"elo0": 50}, "less than"),
        ({"elo0": 60}, "less than"),
        ({"elo0": math.nan}, "elo0 must be a number between -2000 and 2000"),
        ({"elo1": math.nan}, "elo1 must be a number"),
        ({"elo1": math.inf}, "elo1 must be a number"),
        ({"alpha": 0}, r"alpha must lie between 0 and 0\.5"),
        ({"alpha": 0.5}, "alpha"),
        ({"beta": math.nan}, "beta"),
        ({"beta": -0.1}, "beta"),
        ({"beta": 1}, "beta"),
    ],
)
def test_parameters_are_checked(changes, message):
    with pytest.raises(MontegoError, match=message):
        Gsprt(**({"elo0": 0, "elo1": 50} | changes))


def test_a_bad_pair_changes_nothing():
    test = Gsprt(0, 50)
    test.add_pair(1, 0)
    before = test.as_dict()
    with pytest.raises(MontegoError, match=r"0, 0\.5 or 1"):
        test.add_pair(1, 0.3)
    assert test.as_dict() == before


def test_texts():
    test = Gsprt(0, 50)
    assert str(test) == "LLR +0.00 (-2.94…+2.94) after 0 pairs, H0 Elo +0, H1 Elo +50: undecided"
    for _ in range(30):
        test.add_pair(1, 1)
    assert str(test).endswith("after 23 pairs, H0 Elo +0, H1 Elo +50: H1 accepted")
    assert json.loads(json.dumps(test.as_dict(), allow_nan=False))["late_pairs"] == 7


def distribution(kind, rate):
    """Return probabilities of the five pair scores with this mean."""
    if kind == "repeated":
        return np.array([1 - rate, 0, 0, 0, rate])
    draws = 0.5 if kind == "draws" else 0.0
    tilt = 0.35 if kind == "colours" else 0.0
    one, two = (np.array([1 - mean - draws / 2, draws, mean - draws / 2]) for mean in (rate + tilt, rate - tilt))
    return np.convolve(one, two)


def simulate(test, probabilities, seed, matches=2000):
    """Return the shares of matches that end with H1, and their mean number of pairs."""
    rng = np.random.default_rng(seed)
    observed = np.zeros((matches, 5))
    running = np.arange(matches)
    accepted, pairs = 0, 0
    while len(running):
        pairs += len(running)
        drawn = rng.choice(5, size=len(running), p=probabilities)
        observed[running, drawn] += 1
        ratio = log_likelihood_ratio(observed[running], test.elo0, test.elo1)
        accepted += int((ratio >= test.upper).sum())
        running = running[(ratio > test.lower) & (ratio < test.upper)]
    return accepted / matches, pairs / matches


# With a true error rate of 0.05, the share among 2,000 matches has a standard error of 0.0049. The bound of 0.05 + 3.3
# standard errors fails by chance in one of 2,000 such checks at worst; the seeds make the outcome repeatable.
SLACK = 3.3 * math.sqrt(0.05 * 0.95 / 2000)


@pytest.mark.parametrize("kind", ["independent", "draws", "colours", "repeated"])
def test_error_rates_and_lengths_on_2000_matches_each(kind):
    test = Gsprt(0, 60, alpha=0.05, beta=0.05)
    under_h0 = distribution(kind, expected_rate(0))
    under_h1 = distribution(kind, expected_rate(60))
    false_h1, pairs_h0 = simulate(test, under_h0, seed=1)
    true_h1, pairs_h1 = simulate(test, under_h1, seed=2)
    assert 0.01 < false_h1 <= 0.05 + SLACK
    assert 0.01 < 1 - true_h1 <= 0.05 + SLACK
    # Wald's formula leaves out the overshoot at the end and so is a little low; a fifth allows for it and for chance
    # (the mean length has a standard error of 1.5 %).
    for elo, pairs, probabilities in ((0, pairs_h0, under_h0), (60, pairs_h1, under_h1)):
        variance = float(probabilities @ (PAIR_RATES - probabilities @ PAIR_RATES) ** 2)
        assert pairs == pytest.approx(test.expected_pairs(elo, variance), rel=0.2)


def test_error_rates_with_unequal_bounds():
    test = Gsprt(-20, 60, alpha=0.02, beta=0.1)
    false_h1, _ = simulate(test, distribution("draws", expected_rate(-20)), seed=3)
    true_h1, _ = simulate(test, distribution("draws", expected_rate(60)), seed=4)
    assert false_h1 <= 0.02 + 3.3 * math.sqrt(0.02 * 0.98 / 2000)
    assert 1 - true_h1 <= 0.1 + 3.3 * math.sqrt(0.1 * 0.9 / 2000)


def test_between_the_hypotheses_the_test_takes_longest_and_errs_as_predicted():
    test = Gsprt(0, 60)
    middle = distribution("independent", expected_rate(30))
    share, pairs = simulate(test, middle, seed=5)
    assert share == pytest.approx(test.probability_h1(30), abs=4 * math.sqrt(0.25 / 2000))
    assert pairs == pytest.approx(test.expected_pairs(30, 0.125), rel=0.2)


def test_the_simulated_test_is_the_one_that_is_used():
    rng = np.random.default_rng(6)
    for _ in range(20):
        test = Gsprt(0, 80)
        while test.add_pair(*PAIRS[rng.choice(5, p=distribution("draws", 0.55))]) is None:
            pass
        assert test.llr == log_likelihood_ratio(np.array(test.pentanomial), 0, 80)
        assert test.verdict == ("H1" if test.llr > 0 else "H0")


def test_walds_formulas():
    test = Gsprt(0, 50, alpha=0.03, beta=0.2)
    assert test.probability_h1(0) == pytest.approx(0.03)
    assert test.probability_h1(50) == pytest.approx(0.8)
    assert test.probability_h1(2000) == pytest.approx(1)
    assert test.probability_h1(-2000) == pytest.approx(0, abs=1e-9)
    far = Gsprt(0, 0.5)
    assert (far.probability_h1(2000), far.probability_h1(-2000)) == (1, 0)
    lengths = [Gsprt(0, 50).expected_pairs(elo, 0.1) for elo in (-100, 0, 25, 50, 100)]
    assert max(lengths) == lengths[2]
    # Continuous across the middle, where the formula is a limit.
    middle = 400 * math.log10((r := (0.5 + expected_rate(50)) / 2) / (1 - r))
    around = [Gsprt(0, 50).expected_pairs(middle + shift, 0.1) for shift in (-0.01, 0, 0.01)]
    assert around == pytest.approx([around[1]] * 3, rel=1e-4)
    assert Gsprt(0, 50).expected_pairs(0) == pytest.approx(Gsprt(0, 50).expected_pairs(0, 0.125), rel=0.01)
    with pytest.raises(MontegoError, match="variance"):
        Gsprt(0, 50).expected_pairs(0, 0.3)
