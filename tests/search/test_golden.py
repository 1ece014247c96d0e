"""The trees of ``golden.json`` grow again, node by node."""

import json

import pytest

from tests.search.golden import CONFIGURATIONS, FILE, grow, label


@pytest.mark.both_modes
@pytest.mark.parametrize("configuration", CONFIGURATIONS, ids=lambda configuration: label(*configuration))
def test_the_stored_tree_grows_again(configuration):
    stored = json.loads(FILE.read_text(encoding="utf-8"))
    assert grow(*configuration) == stored[label(*configuration)]


@pytest.mark.both_modes
def test_nothing_else_is_stored():
    stored = json.loads(FILE.read_text(encoding="utf-8"))
    assert set(stored) == {label(*configuration) for configuration in CONFIGURATIONS}
