"""The reproduction of the Win/Loss States paper: simulations against plain Python and SciPy, and the experiments."""

import json
import math
import xml.etree.ElementTree as ET
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

import montego as mg
from montego.cli.main import run
from montego.lab import EXPERIMENTS
from montego.lab.win_loss_states import (
    CHANCES,
    TABLE_2,
    ExtendedArithmetic,
    _to_64_bits,
    linear_fit,
    same_automata_range,
)
from montego.playouts.wls.simulation import measure_estimates, measure_settling, rank_correlation, residual_deviation
from montego.rng import stream

WLS_EXPERIMENTS = ["wls-table-1", "wls-table-2", "wls-z", "wls-step-response", "wls-figure-1"]


# ---------------------------------------------------------------------------------------------------- the simulations


@pytest.mark.both_modes
def test_rank_correlation_is_spearmans():
    rng = np.random.default_rng(1)
    for digits in (0, 1, 8):
        estimates = np.round(rng.random(21), digits)
        wanted = stats.spearmanr(np.arange(21), estimates).statistic
        assert rank_correlation(estimates) == pytest.approx(wanted)
    assert rank_correlation(np.ones(5)) == 0


@pytest.mark.both_modes
def test_residual_deviation():
    assert residual_deviation(np.array([0.0, 0.5, 1.0]), np.array([0.1, 0.5, 0.8])) == pytest.approx(math.sqrt(0.025))


@pytest.mark.both_modes
def test_certain_wins_and_losses_are_estimated_exactly():
    wls = mg.WinLossStates(e=4)
    residuals, correlations = np.ones(3), np.zeros(3)
    proportion = wls.proportion(np.arange(len(wls)))
    measure_estimates(wls.steps, proportion, np.array([0.0, 1.0]), (3, 9), 3, stream(1), residuals, correlations)
    assert residuals.tolist() == [0.0] * 3
    assert correlations == pytest.approx(1.0)


@pytest.mark.both_modes
def test_settling_of_a_certain_step_is_counted_exactly():
    """From 0/e with nothing but wins: one jump back to column j, then wins until n/m is in the band."""
    wls = mg.WinLossStates(e=4, k=1.0)
    state, wanted = wls.state(0, 4), 0
    while abs(wls.proportion(state) - 1.0) > 0.1:
        state, wanted = int(wls.win[state]), wanted + 1
    times = np.zeros(2)
    proportion = wls.proportion(np.arange(len(wls)))
    measure_settling(wls.steps, proportion, wls.state(1, 4), 50, (0.0, 1.0), 0.1, stream(1), times)
    assert times.tolist() == [wanted] * 2


def test_both_modes_measure_the_same(python):
    code = """
import numpy as np, montego as mg
from montego.lab.win_loss_states import measure
from montego.rng import stream
print(*(number.hex() for number in measure(mg.WinLossStates(), (15, 40), 6, stream(3))))
"""
    assert python(code).stdout == python(code, interpreted=True).stdout


# ------------------------------------------------------------------------------------------------- what was found out


@pytest.mark.both_modes
def test_rounding_to_64_bits():
    assert _to_64_bits(Fraction(1, 2)) == Fraction(1, 2)
    assert _to_64_bits(Fraction(2**64 + 1)) == 2**64
    assert _to_64_bits(Fraction(2**64 + 3)) == 2**64 + 4
    third = _to_64_bits(Fraction(1, 3))
    assert 0 < abs(third - Fraction(1, 3)) <= Fraction(1, 2**66)


@pytest.mark.both_modes
@pytest.mark.skipif(np.finfo(np.longdouble).nmant != 63, reason="the machine has no 80-bit numbers to compare with")
def test_extended_arithmetic_is_that_of_the_machine():
    wide = np.longdouble
    for k in TABLE_2:
        wls = ExtendedArithmetic(k=k)
        slope = wide(str(k)) * wide(21)
        wanted = [21 - int(np.rint(slope * abs(wide(n) / wide(21) - wide(0.5)))) for n in range(22)]
        assert wls._jump_columns().tolist() == wanted


@pytest.mark.both_modes
def test_extended_arithmetic_matters_for_k_1_only():
    for k in TABLE_2:
        same = ExtendedArithmetic(k=k)._jump_columns().tolist() == mg.WinLossStates(k=k)._jump_columns().tolist()
        assert same == (k != 1.0)


def test_the_quartile_is_inside_the_range_of_equal_automata():
    low, high = same_automata_range(step=0.02)
    assert 0.45 < low < 0.67449 < high < 0.76


@pytest.mark.both_modes
def test_linear_fit_is_scipys():
    rng = np.random.default_rng(2)
    x = np.arange(25.0, 1001.0, 25.0)
    for noise in (1.0, 300.0, 3000.0):
        y = 2.5 * x - 50 + noise * rng.standard_normal(40)
        wanted, fit = stats.linregress(x, y), linear_fit(x, y)
        assert (fit.slope, fit.intercept) == pytest.approx((wanted.slope, wanted.intercept))
        assert fit.adjusted == pytest.approx(1 - (1 - wanted.rvalue**2) * 39 / 38)
        if wanted.pvalue > 0:  # an upper bound, and not a wild one where the fit is good
            assert fit.log10_p >= math.log10(wanted.pvalue) - 1e-9
            assert noise > 300 or fit.log10_p < math.log10(wanted.pvalue) + 1


# -------------------------------------------------------------------------------------------------------- experiments


def reproduce(capsys, *args):
    code = run(["reproduce", *args])
    return code, capsys.readouterr()


def test_every_experiment_is_listed(capsys):
    assert set(WLS_EXPERIMENTS) <= set(EXPERIMENTS.names())
    code, captured = reproduce(capsys)
    assert code == 0
    for experiment in EXPERIMENTS:
        assert f"{experiment.name}: {experiment.summary}" in captured.out
        assert experiment.paper in captured.out
    code, captured = reproduce(capsys, "--json")
    assert [entry["name"] for entry in json.loads(captured.out)] == EXPERIMENTS.names()


@pytest.mark.compiled
@pytest.mark.parametrize("name", ["wls-table-1", "wls-table-2", "wls-figure-1"])
def test_quick_tables_agree_with_the_paper(name, capsys):
    """Seeded; the allowance of 0.001 beside 3 standard errors makes a false alarm rarer than one in 370 a row."""
    code, captured = reproduce(capsys, name, "--quick", "--seed", "1", "--json")
    report = json.loads(captured.out)
    assert code == 0, captured.err
    assert report["verdict"] == "agrees"
    assert all(row["verdict"] == "agrees" for row in report["rows"] if not row["label"].startswith("K = 1.0"))
    if name == "wls-table-2":
        means = {row["label"]: row for row in report["rows"] if row["quantity"] == "SD_r"}
        assert set(means) == {*(f"K = {k}" for k in TABLE_2), "K = 1.0, 80-bit"}
        assert abs(means["K = 1.0"]["difference_in_standard_errors"]) > 5
        assert abs(means["K = 1.0, 80-bit"]["difference_in_standard_errors"]) < 4


@pytest.mark.slow
@pytest.mark.parametrize("name", ["wls-table-1", "wls-table-2", "wls-z"])
def test_full_experiments_agree_with_the_paper(name, capsys):
    code, captured = reproduce(capsys, name, "--seed", "1", "--json")
    assert code == 0
    assert json.loads(captured.out)["settings"]["repeats"] >= 5_000


@pytest.mark.slow
def test_the_full_step_response_is_linear_but_not_with_25_measures(capsys):
    code, captured = reproduce(capsys, "wls-step-response", "--seed", "1", "--json")
    rows = {(row["label"], row["quantity"]): row for row in json.loads(captured.out)["rows"]}
    assert rows["means of 1,000", "adjusted R²"]["ours"] >= 0.999
    assert rows["means of 25", "adjusted R²"]["verdict"] == "differs"
    assert code == 1


@pytest.mark.compiled
def test_the_same_seed_gives_the_same_figures(capsys):
    reports = []
    for seed in ("5", "5", "6"):
        _, captured = reproduce(capsys, "wls-table-1", "--quick", "--seed", seed, "--json")
        report = json.loads(captured.out)
        assert report.pop("seconds") >= 0
        reports.append(report)
    assert reports[0] == reports[1]
    assert reports[0]["rows"] != reports[2]["rows"]


def test_figures_and_data_are_written(tmp_path, capsys):
    out = tmp_path / "new" / "folder"
    code, captured = reproduce(capsys, "wls-figure-1", "--seed", "1", "--out", str(out))
    assert code == 0
    for name in ("wls-figure-1.svg", "wls-values.svg"):
        assert ET.parse(out / name).getroot().tag.endswith("svg")
    data = json.loads((out / "wls-figure-1.json").read_text(encoding="utf-8"))
    assert data["experiment"] == "wls-figure-1"
    assert "3 of 3 judged rows agree" in captured.out


@pytest.mark.compiled
def test_the_ties_are_explained(capsys):
    _, captured = reproduce(capsys, "wls-table-2", "--quick", "--seed", "1")
    text = " ".join(captured.out.split())
    assert "half a whole number for every n" in text
    assert "best K by SD_r" in text


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["wls-table-3"], "unknown experiment 'wls-table-3'; did you mean 'wls-table-"),
        (["nonsense"], f"unknown experiment 'nonsense'; known: {', '.join(EXPERIMENTS.names())}"),
        (["wls-table-1", "extra"], "unexpected extra argument"),
        (["wls-table-1", "--seed", "-1"], "invalid value for '--seed'"),
    ],
)
def test_bad_input(args, message, capsys):
    code, captured = reproduce(capsys, *args)
    assert code == 2
    assert captured.err.count("\n") == 1
    assert message in captured.err


def test_a_folder_that_cannot_be_made(tmp_path, capsys):
    (tmp_path / "file").write_text("", encoding="utf-8")
    code, captured = reproduce(capsys, "wls-figure-1", "--out", str(tmp_path / "file"))
    assert code == 2
    assert "cannot write to" in captured.err


def test_the_chances_are_the_papers():
    assert len(CHANCES) == 21
    assert CHANCES[[0, 1, 20]].tolist() == [0.0, 0.05, 1.0]
