"""A few thousand inputs of each kind with every run of the tests; ``make fuzz`` runs more."""

import pytest

from tests.fuzz.targets import SHARES, run

FEW = {
    "gtp": 2000,  # tests/protocols/test_gtp_fuzz.py sends 30,000 more
    "htp": 2000,
    "pentobi": 2500,
    "sgf": 2000,
    "specs": 3000,
    "saved": 2000,
    "toml": 2000,
    "ledgers": 2500,
    "weights": 2000,
}


@pytest.mark.parametrize("name", SHARES)
def test_nothing_is_found(name):
    assert run(name, 0, FEW[name]).found == []
