"""A million positions beside OpenSpiel, GNU Go and the naive versions; a few hundred with every run of the tests."""

import pytest

from tests.external import require_program
from tests.games.positions import SHARES, compare


@pytest.mark.compiled
@pytest.mark.parametrize("positions", [500, pytest.param(1_000_000, marks=pytest.mark.slow)])
def test_nobody_sees_a_position_otherwise(positions, capsys):
    require_program("gnugo")
    with capsys.disabled():
        found = compare(positions)
    assert set(found) == set(SHARES)
    assert sum(found.values()) >= positions
