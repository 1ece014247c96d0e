"""What the tables of the lecture are judged by, on findings made by hand: each claim both ways."""

import pytest

from montego.lab import Conditions, Size, lecture
from tests.lab.made_up import found

HOW = Conditions(size=Size.DEFAULT)
pytestmark = pytest.mark.both_modes


def test_more_than_thirty_points_behind():
    near, far, middle = ([shift + step for step in range(12)] for shift in (-20.0, -60.0, -36.0))
    for margins, verdict in ((far, "agrees"), (near, "differs"), (middle, "not decided"), (far[:8], "not decided")):
        (row,), _ = lecture._behind([found("pruning", margins)], HOW)
        assert row.verdict == verdict
    (row,), _ = lecture._behind([found("pruning", far)], Conditions(size=Size.QUICK))
    assert row.verdict == "not judged"


def test_times_are_in_units_of_the_other_player_whichever_side_it_has():
    _, (listing,) = lecture._times([found("r_d = 4", [1.0] * 4, x=4, seconds=6.0)], HOW)
    assert listing.rows == [("r_d = 4", "6.0", 9.0)]


@pytest.mark.parametrize(("sign", "verdict"), [(1, "agrees"), (-1, "differs")])
def test_depth_two_is_worse_and_depth_one_thinks_too_well_of_the_board(monkeypatch, sign, verdict):
    import numpy as np

    values = {1: 7.0 * sign, 2: -16.0 * sign}
    monkeypatch.setattr(
        lecture, "_root_values",
        lambda i, playouts, runs, seed: values[i] * (playouts < 1_000_000) + np.linspace(-0.5, 0.5, max(1, runs)),
    )  # fmt: skip
    rows, _ = lecture._estimates([found("depth 2", [-20.0 * sign + step for step in range(12)])], HOW)
    assert [row.label for row in rows] == ["depth 1", "depth 2", "depth 2"]
    assert [row.verdict for row in rows] == [verdict] * 3
