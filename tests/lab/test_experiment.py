"""Rows, verdicts and the registry of experiments."""

import json
import math

import pytest

from montego.errors import MontegoError
from montego.lab.experiment import Experiment as Experiment_, Experiments, Report, Row, difference_error, spread_error


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
        (Row("", "", math.nan, 3.0, error=1.0), "differs"),
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
    one = Experiment_("first", "a paper", "does it", lambda quick, seed: Report([Row("", "", seed, 5)]))
    experiments.add(one)
    assert experiments.names() == ["first"]
    report, seconds = experiments["first"].run(seed=5)
    assert report.agrees
    assert seconds >= 0
    with pytest.raises(MontegoError, match="unknown experiment 'frist'; did you mean 'first'"):
        experiments["frist"]
    with pytest.raises(MontegoError, match="already"):
        experiments.add(one)
