"""A few thousand inputs of each kind with every run of the tests; ``make fuzz`` runs more."""

import pytest

from tests.fuzz.targets import SHARES, run

FEW = {"gtp": 2000, "htp": 2000, "pentobi": 150, "sgf": 2000, "specs": 3000, "saved": 2000, "toml": 1000, "ledgers": 150, "weights": 1000}  # fmt: skip


@pytest.mark.parametrize("name", SHARES)
def test_nothing_is_found(name):
    assert run(name, 0, FEW[name]) == []
