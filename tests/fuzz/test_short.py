"""A few thousand inputs of each kind with every run of the tests; ``make fuzz`` runs more."""

import pytest

from tests.fuzz.targets import SHARES, run

FEW = {
    "gtp": 2000,  # tests/protocols/test_gtp_fuzz.py sends 30,000 more
    "htp": 2000,
    "pentobi": 200,
    "sgf": 1500,
    "specs": 3000,
    "saved": 2000,
    "toml": 1000,
    "ledgers": 200,
    "weights": 1000,
}


@pytest.mark.parametrize("name", SHARES)
def test_nothing_is_found(name):
    assert run(name, 0, FEW[name]) == []
