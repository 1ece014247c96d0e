"""Nothing that a user may write makes a kernel write outside its arrays, and no counter turns negative."""

import json
import tracemalloc

import numpy as np
import pytest

import montego as mg
from montego.errors import MontegoError, StateError
from montego.games import Position
from montego.players import Player
from montego.rng import stream
from montego.search import records
from montego.search.findings import root_children
from montego.search.higher_order import HigherOrder
from montego.search.tree_search import TreeSearch


@pytest.mark.both_modes  # interpreted arrays know their bounds
@pytest.mark.parametrize(
    "parameters", [{"order": 1, "replay": 2}, {"patterns": 1, "replay": 1000}, {"replay": 3}, {"replay": 100_000}]
)
def test_batches_are_kept_where_there_is_room_for_them(parameters):
    """An array of one batch was written as if it had ``replay`` of them: a double free, later."""
    game = mg.game("hex(size=3)")
    settings = HigherOrder(playouts=256, every=64, seen=2, **parameters)
    search = settings.search(game)
    search.run(game.start(), stream(1))
    kept = int(search.bench.settings.replay)
    assert kept in (0, settings.replay)
    assert len(search.bench.old_made) == len(search.bench.old_outcome) == max(1, kept)
    assert len(search.table.made) >= search.bench.settings.most_patterns


SAVED = {"montego": 1, "game": "go(size=9)", "moves": ["A1", "B2", "C3", "pass"], "key": "x"}


@pytest.mark.parametrize("to_move", [2, -1, 1.0, 0.5, True, None, "1", [1], {}, 10**30])
def test_a_saved_game_names_an_existing_player(to_move):
    """``to_move`` 2 was a crash: it went into the state as it was."""
    source = json.dumps(SAVED | {"setup": {"stones": {"E5": 0}, "to_move": to_move}})
    with pytest.raises(StateError, match="the player to move must be 0 or 1"):
        Position.loads(source)


@pytest.mark.parametrize("owner", [3, -1, 1.0, True, None, "0", [0], 10**30])
@pytest.mark.parametrize("game", ["go(size=9)", "hex(size=5)", "y(size=5)"])
def test_a_saved_game_has_stones_of_existing_players(game, owner):
    source = json.dumps(SAVED | {"game": game, "moves": [], "setup": {"stones": {"B2": owner}, "to_move": 1}})
    with pytest.raises(StateError, match="must belong to player 0 or 1"):
        Position.loads(source)


@pytest.mark.parametrize("setup", ["x", 7, [1], {"stones": {}}, {"to_move": 0}, {"stones": [1], "to_move": 0}])
def test_a_saved_game_has_a_setup_of_the_right_form(setup):
    with pytest.raises(StateError, match="damaged position"):
        Position.loads(json.dumps(SAVED | {"setup": setup}))


# ------------------------------------------------------------------------------------------------------------ counters


def planted(**parameters):
    game = mg.game("tictactoe")
    search = TreeSearch(game, mg.Uct(memory=1, **parameters))
    position = game.start()
    search.plant(position, stream(1))
    return search, position


@pytest.mark.parametrize("rave", ["off", "silver"])
def test_visits_stop_before_their_edge(rave):
    """Starts three visits before the last one that is counted."""
    search, position = planted(solver=False, rave=rave)
    search.simulate(position, 50)
    nodes = search.trees[0].nodes
    nodes[0].visits = records.MOST_VISITS - 3
    for child in search.children():
        child["visits"] = child["amaf_visits"] = records.MOST_VISITS - 3
    assert not search.simulate(position, 1000)
    assert nodes[0].visits == records.MOST_VISITS
    assert search.simulations() == 53
    assert (search.children()["visits"] >= records.MOST_VISITS - 3).all()
    assert (search.children()["amaf_visits"] >= records.MOST_VISITS - 3).all()
    assert records.MOST_VISITS + records.AMAF_EVERY * 1024 + 1024 * 1000 < 2**31


def test_weighted_amaf_visits_stop_before_their_edge():
    """A visit may count as thousands of units."""
    search, position = planted(solver=False, rave="silver", amaf_weight="falling(near=100, far=100)")
    search.simulate(position, 50)
    search.children()["amaf_visits"] = records.MOST_UNITS - 1
    search.simulate(position, 500)
    assert (search.children()["amaf_visits"] >= records.MOST_UNITS - 1).all()
    assert (search.children()["amaf_visits"] < records.MOST_UNITS + 10**6).all()


def test_a_search_says_that_its_counters_are_full():
    game = mg.game("tictactoe")
    player = Player(mg.Uct(playouts=500, memory=1, solver=False, reuse=True), game, 1)
    player.choose(game.start())
    player._search.trees[0].nodes[0].visits = records.MOST_VISITS
    player.choose(game.start())
    assert player.analysis().settled == "the counters of the tree are full"
    assert player.analysis().playouts == 0


def test_the_sum_of_several_trees_has_room():
    search, position = planted(solver=False, threads=2, parallel="root")
    for worker in (0, 1):
        search.simulate(position, 20, worker)
        search.children(0, worker)["visits"] = records.MOST_VISITS
    assert (root_children(search)["visits"] == 2 * records.MOST_VISITS).all()


def test_a_tree_has_no_more_nodes_than_links_can_name(monkeypatch):
    asked = []
    monkeypatch.setattr(TreeSearch, "_new_tree", lambda search: asked.append(search.capacity) or _small(search))
    for memory in (86_000, 10**6):
        TreeSearch(mg.game("tictactoe"), mg.Uct(memory=memory))
    assert asked == [min(86_000 * 10**6 // records.NODE.itemsize, 2**31 - 1), 2**31 - 1]


def _small(search):
    return records.Tree(*(np.empty(1, kind) for kind in (records.NODE, records.MOMENTS, records.START)))


def test_memory_that_the_machine_has_not_is_refused_in_one_line(monkeypatch):
    def no_memory(*shape, **options):
        raise MemoryError

    search = TreeSearch(mg.game("tictactoe"), mg.Uct(memory=1))
    search.settings = mg.Uct(memory=100_000)
    monkeypatch.setattr("montego.search.tree_search.np.empty", no_memory)
    with pytest.raises(MontegoError, match="cannot give 100,000 MB to a tree: use a smaller memory"):
        search._new_tree()


@pytest.mark.compiled
def test_a_tree_of_fixed_depth_is_refused_before_it_takes_memory():
    """``depth(i=3)`` on 19×19 took 3.7 GB to find out that it is too much."""
    game = mg.game("go(size=19)")
    player = Player(mg.Depth(i=3), game, 1)
    tracemalloc.start()
    try:
        with pytest.raises(MontegoError, match="use a smaller i"):
            player.choose(game.start())
        assert tracemalloc.get_traced_memory()[1] < 100e6
    finally:
        tracemalloc.stop()
