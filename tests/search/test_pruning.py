"""Progressive pruning on statistics made by hand: what is inferior, equal, pruned for ever, and when it ends."""

import numpy as np
import pytest

from montego.search.pruning import PRUNINGS, prune_children
from montego.search.records import ALL_EQUAL, BARRED, ENOUGH, MOMENTS, NODE, ONE_LEFT, OPEN, PRUNED, START, Tree

N = 100


def tree(*moves, visits=N):
    """Return a tree of one ply: for each move the mean score, the standard error of the mean, and its status."""
    size = len(moves) + 1
    grown = Tree(np.zeros(size, NODE), np.zeros(size, MOMENTS), np.zeros(1, START))
    grown.nodes[0]["first_child"], grown.nodes[0]["children"] = 1, len(moves)
    grown.nodes[0]["visits"] = visits * len(moves)
    for place, (mean, error, *status) in enumerate(moves, 1):
        grown.nodes[place]["visits"], grown.nodes[place]["status"] = visits, sum(status)
        grown.moments[place]["score"] = mean * visits
        grown.moments[place]["score_squares"] = visits * (mean * mean + error * error * visits)
    return grown


def compared(rule, grown):
    """Return why the position is settled, and which moves are pruned."""
    record = np.zeros(1, PRUNINGS.record_type())[0]
    PRUNINGS.write(record, PRUNINGS.build(rule))
    settled = int(prune_children(record, grown, 0))
    return settled, [bool(status & PRUNED) for status in grown.nodes["status"][1:]]


@pytest.mark.both_modes
def test_inferior_moves_need_no_small_standard_error():
    """Means of 100 and 0 with an error of 4 each differ, whatever σ_e says; the literal reading keeps both."""
    assert compared("hard(rd=1, sigma=0.2, visits=50)", tree((100, 4), (0, 4))) == (ONE_LEFT, [False, True])
    assert compared("hard(rd=1, sigma=0.2, visits=50, literal=true)", tree((100, 4), (0, 4))) == (OPEN, [False, False])
    assert compared("hard(rd=1, sigma=5, visits=50, literal=true)", tree((100, 4), (0, 4))) == (ONE_LEFT, [False, True])


@pytest.mark.both_modes
def test_the_intervals_decide():
    assert compared("hard(rd=2, visits=50)", tree((10, 2), (1.9, 2), (2.1, 2)))[1] == [False, True, False]
    assert compared("hard(rd=2, visits=101)", tree((10, 2), (1.9, 2)))[1] == [False, False]  # too few playouts


@pytest.mark.both_modes
def test_equal_moves_end_the_search():
    assert compared("hard(rd=4, sigma=0.5, visits=50)", tree((10, 0.4), (9, 0.4))) == (ALL_EQUAL, [False, False])
    assert compared("hard(rd=4, sigma=0.3, visits=50)", tree((10, 0.4), (9, 0.4))) == (OPEN, [False, False])


@pytest.mark.both_modes
@pytest.mark.parametrize("rule", ["hard", "soft"])
def test_nothing_is_compared_with_a_pruned_move(rule):
    """A pruned move whose mean looks great now prunes nobody, so at least one move is always left."""
    _, pruned = compared(f"{rule}(rd=1, visits=50)", tree((50, 1, PRUNED), (10, 1), (2, 1)))
    assert pruned == [rule == "hard", False, True]


@pytest.mark.both_modes
def test_a_forbidden_move_is_left_alone():
    settled, pruned = compared("hard(rd=1, visits=50, most=100)", tree((50, 1, BARRED), (10, 5), (9, 5)))
    assert (settled, pruned) == (ENOUGH, [False, False, False])


@pytest.mark.both_modes
def test_the_cap_is_a_total():
    """Playouts of the position, pruned moves included, against so many for each legal move."""
    moves = ((10, 5), (9, 5), (-50, 1))
    assert compared("hard(rd=1, visits=50, most=101)", tree(*moves))[0] == OPEN
    assert compared("hard(rd=1, visits=50, most=100)", tree(*moves))[0] == ENOUGH


@pytest.mark.both_modes
def test_soft_pruning_takes_a_move_back():
    assert compared("soft(rd=1, visits=50)", tree((10, 3), (8, 3, PRUNED)))[1] == [False, False]
    assert compared("hard(rd=1, visits=50)", tree((10, 3), (8, 3, PRUNED)))[1] == [False, True]
