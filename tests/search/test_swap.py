"""The swap of Hex: a search takes over an opening that is too good, and no other."""

import pytest

import montego as mg
from montego.games import game


@pytest.mark.parametrize(("opening", "swaps"), [("c3", True), ("a1", False)])
def test_a_search_swaps_a_good_opening_and_leaves_a_bad_one(opening, swaps):
    """Hex 5×5 is solved: c3 wins, a1 loses."""
    board = game("hex(size=5, swap=true)")
    position = board.start()
    position.play(opening)
    player = mg.player("uct(playouts=1000, rave=silver, playout=bridges)", board, seed=1)
    assert (player.choose(position) == "swap-pieces") == swaps
    assert player.analysis().number == (25 if swaps else position.game.parse_move(player.analysis().move))


def test_a_proven_win_is_played():
    board = game("hex(size=2, swap=true)")
    position = board.start()
    position.play("b1")  # wins for the first player, so the swap is a proven win
    player = mg.player("uct(playouts=300, rave=silver)", board, seed=1)
    assert player.choose(position) == "swap-pieces"


@pytest.mark.both_modes
def test_a_swap_is_decided_with_the_whole_budget_and_by_visits_on_request():
    """A lead in visits says nothing about it, so stop=decided must not end the decision; with visits it may."""
    board = game("hex(size=3, swap=true)")
    found = {}
    for swap in (True, False):
        position = board.start()
        position.play("a1")
        player = mg.player(
            f"uct(playouts=400, rave=silver, stop=decided, solver=false, swap_by_value={swap})", board, 1
        )
        found[swap] = player.choose(position), player.analysis().playouts, player.analysis().settled
        if swap:
            assert found[swap][1:] == (400, "")
    assert found[False][1] < 400
