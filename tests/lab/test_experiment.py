"""Rows, verdicts and the registry of experiments."""

import json
import math

import pytest
from scipy import stats

from montego.errors import MontegoError
from montego.lab.experiment import Conditions, Experiment as Experiment_, Experiments, Report, Size
from montego.lab.rows import Row, chi_square_tail, difference_error, spread_error


@pytest.mark.both_modes
@pytest.mark.parametrize(
    ("row", "verdict"),
    [
        (Row("", "", 1.0, 1.02, error=0.01), "agrees"),
        (Row("", "", 1.0, 1.04, error=0.01), "differs"),
        (Row("", "", 1.0, 1.04, error=0.01, allowance=0.02), "agrees"),
        (Row("", "", 1.0, 0.96, error=0.01), "differs"),
        (Row("", "", 3, 3), "agrees"),
        (Row("", "", 3, 4), "differs"),
        (Row("", "", 3, 4, judged=False), "not judged"),
        (Row("", "", 3), "not judged"),
        (Row("", "", 3, 4, holds=True), "agrees"),
        (Row("", "", 3, 3, holds=False), "differs"),
        (Row("", "", math.nan, 3.0, error=1.0), "not decided"),
        (Row("", "", 56.0, 56.0, error=1.5, null=50.0, own_error=1.5, games=1000), "agrees"),
        (Row("", "", 52.0, 56.0, error=4.0, null=50.0, own_error=4.0, games=150), "not decided"),
        (Row("", "", 50.5, 56.0, error=2.0, null=50.0, own_error=1.2, games=1700), "differs"),
        (Row("", "", 44.0, 56.0, error=3.0, null=50.0, own_error=3.0, games=280), "differs"),
        (Row("", "", 0.5, claim=1, null=0.0, own_error=0.2, games=10), "agrees"),
        (Row("", "", 0.3, claim=1, null=0.0, own_error=0.2, games=10), "not decided"),
        (Row("", "", -0.5, claim=1, null=0.0, own_error=0.2, games=10), "not decided"),
        (Row("", "", -0.7, claim=1, null=0.0, own_error=0.2, games=10), "differs"),
        (Row("", "", -35.0, claim=-1, null=-30.0, own_error=2.0, games=10), "agrees"),
        (Row("", "", -35.0, claim=-1, null=-30.0, own_error=2.0, games=8, least_games=10), "not decided"),
        (Row("", "", 9.0, claim=1, null=0.0, own_error=math.nan), "not decided"),
    ],
)
def test_verdicts(row, verdict):
    assert row.verdict == verdict
    json.dumps({**row.data(), "difference": 0, "difference_in_standard_errors": 0}, allow_nan=False)


@pytest.mark.both_modes
def test_differences_in_standard_errors():
    row = Row("a", "b", 0.5, 0.4, error=0.05)
    assert row.difference == pytest.approx(0.1)
    assert row.deviation == pytest.approx(2.0)
    assert Row("a", "b", 0.5).difference is None
    assert Row("a", "b", 1, 2).deviation is None
    assert difference_error(3.0, 9, 4.0, 16) == pytest.approx(math.sqrt(2))
    assert spread_error(3.0, 9, 4.0, 16) == pytest.approx(1.0)


@pytest.mark.both_modes
def test_a_report_agrees_if_no_judged_row_differs():
    good, bad = Row("", "", 1, 1), Row("", "", 1, 2)
    assert Report([good, Row("", "", 1)]).agrees
    assert not Report([good, bad]).agrees
    assert Report([good, Row("", "", 1, 2, judged=False)]).agrees


@pytest.mark.both_modes
def test_the_registry():
    experiments = Experiments()
    one = Experiment_("first", "a paper", "does it", lambda how: Report([Row("", "", how.seed, 5)]))
    experiments.add(one)
    assert experiments.names() == ["first"]
    report, seconds = experiments["first"].run(Conditions(seed=5))
    assert report.agrees
    assert seconds >= 0
    with pytest.raises(MontegoError, match="unknown experiment 'frist'; did you mean 'first'"):
        experiments["frist"]
    with pytest.raises(MontegoError, match="already"):
        experiments.add(one)


@pytest.mark.both_modes
def test_the_number_of_games_that_could_decide():
    """56 % against 50 % is three standard errors of 0.5 / √n at n = 625."""
    row = Row("", "", 51.0, 56.0, error=5.0, null=50.0, own_error=5.0, games=100)
    assert row.wanted_games == 625
    assert row.data()["games_to_decide"] == 625


@pytest.mark.both_modes
def test_a_claim_without_a_number_is_decided_by_what_is_seen_so_far():
    """One standard error becomes three with nine times the games."""
    assert Row("", "", 2.0, claim=1, null=0.0, own_error=2.0, games=100).wanted_games == 900


@pytest.mark.both_modes
@pytest.mark.parametrize("freedom", [1, 2, 5, 8, 31])
def test_chi_square_is_scipys(freedom):
    for value in (0.0, 0.5, 3.0, 20.0, 90.0):
        assert chi_square_tail(value, freedom) == pytest.approx(stats.chi2.sf(value, freedom), rel=1e-9)


@pytest.mark.both_modes
def test_a_table_may_differ_although_each_row_agrees():
    rows = [Row(str(n), "won, %", 52.8, 50.0, error=1.0) for n in range(8)]
    assert {row.verdict for row in rows} == {"agrees"}
    assert Report(rows).verdict == "differs"
    assert Report(rows[:1]).verdict == "agrees"
    following = [Row(str(n), "won, %", 52.8, 50.0, error=1.0, derived=True) for n in range(8)]
    assert Report(following).verdict == "agrees"  # they say nothing that other rows do not


@pytest.mark.both_modes
def test_sizes():
    assert [Conditions(size=size).of(1, 2, 3) for size in Size] == [1, 2, 3]
