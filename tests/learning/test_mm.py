"""Minorisation–maximisation against direct maximisers, and its independence of chunks, threads and interruptions."""

import choix
import numpy as np
import pytest
from scipy.optimize import minimize

from montego.errors import MontegoError
from montego.games.features import Column, Group
from montego.learning.decisions import Decisions, decisions_of, joined
from montego.learning.evaluation import evaluate
from montego.learning.mm import Fit, Training, train, untrained

# Three groups in two columns: a colour of five, and two yes-or-no features as a set of bits.
COLUMNS = (Column.of_group(Group("colour", 5)), Column.of_bits(["near", "big"]))
CLOSE = Training(tolerance=1e-14, sweeps=4000)


def random_choices(seed, number, longest=9):
    """Return decisions by a random model as lists: candidates and the chosen one."""
    chance = np.random.default_rng(seed)
    true = strengths_by_hand([np.exp(chance.normal(size=size)) for size in (6, 2, 2)])
    choices = []
    for _ in range(number):
        teams = chance.integers((6, 4), size=(chance.integers(2, longest), 2)).tolist()
        weights = np.array([true(*team) for team in teams])
        choices.append((teams, int(chance.choice(len(teams), p=weights / weights.sum()))))
    return choices


def strengths_by_hand(gammas):
    """Return the strength of a team as a function of its numbers, without the code under test; feature 0 has γ = 1."""
    colour, near, big = gammas

    def strength(value, bits):
        return (colour[value] if value else 1) * (near[1] if bits & 1 else 1) * (big[1] if bits & 2 else 1)

    return strength


def objective(choices, gammas, prior):
    """Return the mean log-posterior by plain summation."""
    strength = strengths_by_hand(gammas)
    total = sum(np.log(strength(*teams[won]) / sum(strength(*team) for team in teams)) for teams, won in choices)
    for gamma in gammas:
        total += prior * np.sum(np.log(gamma[1:] / (1 + gamma[1:]) ** 2))
    return total / len(choices)


def unpacked(theta):
    """Return the γ of the three groups from seven logarithms."""
    gamma = np.exp(theta)
    return [np.array([1, *gamma[:5]]), np.array([1, gamma[5]]), np.array([1, gamma[6]])]


@pytest.mark.both_modes
@pytest.mark.parametrize(("seed", "prior"), [(1, 1.0), (2, 1.0), (3, 0.3)])
def test_the_result_is_that_of_a_direct_maximiser(seed, prior):
    choices = random_choices(seed, 40)
    fit = train(decisions_of(choices), COLUMNS, CLOSE._replace(prior=prior))
    direct = minimize(lambda theta: -objective(choices, unpacked(theta), prior), np.zeros(7), method="BFGS", tol=1e-9)
    for found, expected in zip(fit.gammas, unpacked(direct.x), strict=True):
        assert found == pytest.approx(expected, rel=1e-4)
    assert fit.converged
    assert fit.objectives[-1] == pytest.approx(-direct.fun, abs=1e-9)


def test_every_sweep_raises_the_objective_and_the_first_is_that_of_equal_weights():
    choices = random_choices(4, 200)
    fit = train(decisions_of(choices), COLUMNS, Training(sweeps=30, tolerance=0))
    assert fit.objectives[0] == pytest.approx(objective(choices, unpacked(np.zeros(7)), 1.0))
    assert (np.diff(fit.objectives) > 0).all()


def test_teams_of_one_member_are_a_bradley_terry_model():
    """The maximum of the likelihood, as choix finds it; the scale of the strengths is free."""
    chance = np.random.default_rng(5)
    items = 6
    games = [chance.permutation(items)[:3].tolist() for _ in range(400)]
    choices = [([[item + 1] for item in game], int(np.argmin(game))) if chance.random() < 0.5 else
               ([[item + 1] for item in game], 0) for game in games]  # fmt: skip
    data = [(teams[won][0] - 1, [t[0] - 1 for k, t in enumerate(teams) if k != won]) for teams, won in choices]
    fit = train(decisions_of(choices), [Column.of_group(Group("item", items))], CLOSE._replace(prior=1e-9))
    expected = choix.mm_top1(items, data, max_iter=20000)
    found = np.log(fit.gammas[0][1:])
    assert found - found.mean() == pytest.approx(expected - expected.mean(), abs=1e-5)


def test_a_feature_that_never_occurs_keeps_its_weight_and_one_that_never_wins_becomes_small():
    fit = train(decisions_of([([[1], [2]], 0)] * 50), [Column.of_group(Group("item", 3))], CLOSE)
    assert fit.gammas[0][3] == 1
    assert fit.gammas[0][1] > 5 > 0.2 > fit.gammas[0][2] > 0


def test_without_a_prior_a_feature_that_never_wins_gets_0():
    column = Column.of_group(Group("item", 2))
    fit = train(decisions_of([([[0], [1]], 0)] * 5), [column], Training(prior=0, sweeps=50))
    assert fit.gammas[0].tolist() == [1, 0, 1]


def test_merged_candidates_count_as_often_as_they_occur():
    """Two equal candidates against one: three decisions are one third each, whatever the rows."""
    merged = decisions_of([([[1], [1], [2]], 2)])
    assert merged.counts.tolist() == [2, 1]
    assert merged.candidates == 3
    separate = Decisions(
        np.array([[1], [1], [2]], np.uint16), np.ones(3, np.uint16), np.array([0, 3]), np.array([2], np.uint16)
    )
    column = [Column.of_group(Group("item", 2))]
    one, two = train(merged, column, CLOSE), train(separate, column, CLOSE)
    assert one.gammas[0] == pytest.approx(two.gammas[0])


def test_threads_change_nothing_and_chunks_nothing_but_rounding():
    decisions = decisions_of(random_choices(6, 500))
    base = train(decisions, COLUMNS, Training(sweeps=20, threads=1, chunk=64))
    for threads in (2, 5):
        other = train(decisions, COLUMNS, Training(sweeps=20, threads=threads, chunk=64))
        assert all(np.array_equal(a, b) for a, b in zip(base.gammas, other.gammas, strict=True))
        assert other.objectives == base.objectives
    for chunk in (1, 7, 100000):
        other = train(decisions, COLUMNS, Training(sweeps=20, chunk=chunk))
        assert all(a == pytest.approx(b, rel=1e-12) for a, b in zip(base.gammas, other.gammas, strict=True))


class Interrupted(Exception):
    pass


@pytest.mark.parametrize("stop", [1, 4, 9])
def test_interrupted_training_goes_on_as_if_nothing_had_happened(stop):
    decisions = decisions_of(random_choices(7, 300))
    settings = Training(sweeps=60, tolerance=1e-9)
    whole = train(decisions, COLUMNS, settings)
    seen: list[Fit] = []

    def watch(fit):
        seen.append(fit)
        if fit.sweeps == stop:
            raise Interrupted

    with pytest.raises(Interrupted):
        train(decisions, COLUMNS, settings, progress=watch)
    assert [fit.sweeps for fit in seen] == list(range(1, stop + 1))
    resumed = train(decisions, COLUMNS, settings, start=seen[-1])
    assert whole.converged
    assert resumed.sweeps == whole.sweeps
    assert resumed.objectives == whole.objectives
    assert all(np.array_equal(a, b) for a, b in zip(whole.gammas, resumed.gammas, strict=True))
    assert train(decisions, COLUMNS, settings, start=whole) == whole


def test_rare_groups_are_trained_on_the_decisions_where_they_occur():
    """A group in one decision of twenty gives the same weights as if every decision were visited."""
    chance = np.random.default_rng(8)
    choices = [
        ([[int(chance.integers(1, 6)), int(chance.random() < 0.01)] for _ in range(5)], int(chance.integers(5)))
        for _ in range(200)
    ]
    fit = train(decisions_of(choices), COLUMNS, CLOSE)
    direct = minimize(lambda theta: -objective(choices, unpacked(theta), 1.0), np.zeros(7), method="BFGS", tol=1e-9)
    assert fit.gammas[1] == pytest.approx(unpacked(direct.x)[1], rel=1e-3)


def test_decisions_joined_are_trained_like_one():
    choices = random_choices(9, 90)
    parts = [decisions_of(choices[:20]), decisions_of(choices[20:21]), decisions_of(choices[21:])]
    whole = decisions_of(choices)
    for array, other in zip(joined(parts, 2), whole, strict=True):
        assert np.array_equal(array, other)
    assert joined([], 2).size == 0
    for array, other in zip(whole.first(20), parts[0], strict=True):
        assert np.array_equal(array, other)


@pytest.mark.both_modes
def test_evaluation_shares_ties_and_counts_every_candidate():
    columns = [Column.of_group(Group("item", 3))]
    decisions = decisions_of([([[1], [2], [2], [2], [3]], 1), ([[1], [3]], 0), ([[3], [1]], 0)])
    found = evaluate(decisions, columns, [np.array([1, 4.0, 2.0, 1.0])])
    assert found.decisions == 3
    assert found.top1 == pytest.approx((0 + 1 + 0) / 3)
    assert found.top[1] == pytest.approx((1 / 3 + 1 + 1) / 3)  # three candidates share the places 2 to 4
    assert found.top[2] == pytest.approx((2 / 3 + 1 + 1) / 3)
    assert found.top5 == 1
    assert found.log_likelihood == pytest.approx(np.mean(np.log([2 / 11, 4 / 5, 1 / 5])))


def test_bad_input_is_refused_in_one_line():
    decisions = decisions_of(random_choices(10, 5))
    with pytest.raises(MontegoError, match="columns; 1 expected"):
        train(decisions, COLUMNS[:1])
    with pytest.raises(MontegoError, match="values go to 3"):
        train(decisions, [Column.of_group(Group("colour", 3)), COLUMNS[1]])
    with pytest.raises(MontegoError, match="no decisions"):
        train(joined([], 2), COLUMNS)
    with pytest.raises(MontegoError, match="do not fit"):
        train(decisions, COLUMNS, start=untrained(COLUMNS[:1]))
    with pytest.raises(MontegoError, match="damaged weights"):
        train(decisions, COLUMNS, start=Fit((np.full(6, np.nan), np.ones(2), np.ones(2))))
    with pytest.raises(MontegoError, match="not among its candidates"):
        train(decisions._replace(winners=decisions.winners + np.uint16(99)), COLUMNS)
