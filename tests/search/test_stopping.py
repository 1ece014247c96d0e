"""Decisions that end early because the move cannot change, and those that get more because it is unclear."""

import numpy as np
import pytest

import montego as mg
from montego.rng import stream
from montego.search import Limits
from montego.search.records import LOST, NODE, PRUNED
from montego.search.stopping import is_decided, is_unclear

GAME = "hex(size=4)"


def children(*rows):
    """Return root children with visits, total and status."""
    nodes = np.zeros(len(rows), NODE)
    for node, (visits, total, *status) in zip(nodes, rows, strict=True):
        node["visits"], node["total"], node["status"] = visits, total, sum(status)
    return nodes


def searched(spec, seed=1, moves=(), limits=None):
    game = mg.game(GAME)
    search = mg.PLAYERS.build(spec).search(game)
    position = game.start()
    for move in moves:
        position.play(move)
    return search.run(position, stream(seed), *([limits] if limits else []))


@pytest.mark.both_modes
@pytest.mark.parametrize(
    ("rows", "left", "decided"),
    [
        ([(60, 30), (40, 20)], 19, True),
        ([(60, 30), (40, 20)], 20, False),  # a tie in visits is decided by the means
        ([(60, 30), (59, 30, PRUNED), (10, 9)], 40, True),
        ([(60, 30, LOST), (59, 30), (58, 9)], 1, False),
        ([(3, 1)], 10**9, True),
    ],
)
def test_a_lead_that_cannot_be_caught_decides(rows, left, decided):
    assert is_decided(children(*rows), left) == decided


@pytest.mark.both_modes
def test_unclear_is_a_visited_move_that_is_not_the_best_valued():
    assert is_unclear(children((60, 24), (40, 30)))
    assert not is_unclear(children((60, 36), (40, 20)))
    assert not is_unclear(children((60, 36), (1, 1)))  # one lucky playout proves nothing


@pytest.mark.both_modes
def test_stopping_early_leaves_the_move_as_it_is():
    """The search is the same up to the point where it stops, which a seed repeats; so is the move in the end."""
    for seed in range(3):
        whole = searched("uct(playouts=320, c=0.2)", seed)
        early = searched("uct(playouts=320, c=0.2, stop=decided(every=16))", seed)
        again = searched("uct(playouts=320, c=0.2, stop=decided(every=16))", seed)
        assert early.move == whole.move
        assert early.moves == again.moves
        if early.playouts < 320:
            assert early.settled == "no other move can catch up"
            assert early.playouts % 16 == 0
            assert not early.cut_short


def test_threads_and_clocks_stop_early_too():
    for spec in ("playouts=20000, threads=2", "playouts=20000, threads=2, parallel=root", "playouts=0, seconds=2"):
        analysis = searched(f"uct({spec}, c=0.2, stop=decided, solver=false)", moves=["a1", "b2", "a2", "b3"])
        assert analysis.settled == "no other move can catch up"


@pytest.mark.both_modes
def test_a_forced_move_needs_no_thought():
    game = mg.game("tictactoe")
    position = game.start()
    for move in ("a1", "b2", "c3", "a2", "c2", "c1", "a3", "b3"):
        position.play(move)
    search = mg.PLAYERS.build("uct(playouts=100000, stop=decided, solver=false)").search(game)
    assert search.run(position, stream(1)).playouts == 64


@pytest.mark.both_modes
def test_an_unclear_search_goes_on_once():
    """With many seeds some searches end unclear: those, and only those, get half as much again."""
    counts = set()
    for seed in range(12):
        plain = searched("uct(playouts=40, rave=silver)", seed)
        more = searched("uct(playouts=40, rave=silver, extra=0.5)", seed)
        best = max(plain.moves, key=lambda entry: entry.lower or -1.0)
        assert more.playouts == (40 if best.visits == max(entry.visits for entry in plain.moves) else 60)
        counts.add(more.playouts)
    assert counts == {40, 60}


@pytest.mark.both_modes
def test_limits_from_outside_are_not_exceeded():
    for seed in range(12):
        analysis = searched("uct(playouts=9, rave=silver, extra=0.5)", seed, limits=Limits(playouts=40))
        assert analysis.playouts == 40


def test_a_stop_by_visits_needs_a_choice_by_visits():
    for spec in ("final=mean", "final_choice=boltzmann"):
        with pytest.raises(mg.MontegoError, match="give final=visits and final_choice=best, or stop=off"):
            mg.player(f"uct(stop=decided, {spec})", GAME, seed=1)
