"""The trees of ``golden.txt`` grow again, node by node."""

import pytest

from tests.search.golden import CONFIGURATIONS, grow, label, stored


@pytest.mark.both_modes
@pytest.mark.parametrize("configuration", CONFIGURATIONS, ids=lambda configuration: label(*configuration))
def test_the_stored_tree_grows_again(configuration):
    tree = stored()[label(*configuration)]
    assert len(tree) > 10
    assert grow(*configuration) == tree


@pytest.mark.both_modes
def test_nothing_else_is_stored():
    assert list(stored()) == [label(*configuration) for configuration in CONFIGURATIONS]
