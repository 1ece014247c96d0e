"""What is kept of a tree when a move was made or the tree is full, and the children that come only when asked for."""

import numpy as np
import pytest

import montego as mg
from montego.rng import stream
from montego.search.keeping import keep_most
from montego.search.records import CHOSEN_FROM, FULL_FOR_GOOD, MORE, ROOT
from tests.search.test_prior import CENTRAL

SPECS = [
    "rave=silver",
    "c=0.3, expand=visits(4, least=1)",
    f"c=0.3, initial=relative, bias=puct_log, expand=visits(1), prior={CENTRAL}",
    "c=0.3, bandit=tuned",
]


def searched(spec, simulations, game="hex(size=4)", capacity=None, seed=1, **derived):
    """Return a search of the first position after some simulations, with room for so many nodes."""
    game = mg.game(game)
    search = mg.PLAYERS.build(f"uct(playouts=1, {spec})").search(game)
    if capacity is not None:
        search.capacity = capacity
        search.trees = [search._new_tree()]
    for name, value in derived.items():
        setattr(search.record, name, value)
    search.plant(game.start(), stream(seed))
    search.simulate(game.start(), simulations)
    return search


def nested(tree, number=ROOT):
    """Return a node and what is below it, with everything but its place."""
    node = tree.nodes[number]
    fields = [float(node[name]) for name in node.dtype.names if name != "first_child"]
    if len(tree.starts) > 1:
        fields += [float(value) for value in tree.starts[number]]
    if len(tree.moments) > 1:
        fields += [float(value) for value in tree.moments[number]]
    first = int(node["first_child"])
    children = range(first, first + int(node["children"])) if first else ()
    return tuple(fields), int(node["visits"]), [nested(tree, child) for child in children]


def size(tree):
    return 1 + sum(map(size, tree[2]))


def shape(tree):
    """Return what a cut leaves as it is: visits, and the same of the children."""
    return tree[1], [shape(child) for child in tree[2]]


def pruned(tree, least, *, is_root=True):
    """Return the shape of a tree without the children of nodes with too few visits."""
    _, visits, children = tree
    stays = is_root or visits >= least
    return visits, [pruned(child, least, is_root=False) for child in children] if stays else []


def nodes_of(shape):
    return 1 + sum(map(nodes_of, shape[1]))


@pytest.mark.both_modes
@pytest.mark.parametrize("spec", SPECS)
def test_a_subtree_becomes_the_tree(spec):
    search = searched(spec, 300)
    tree = search.trees[0]
    number = 1 + int(np.argmax(search.children()["visits"]))
    wanted = nested(tree, number)
    assert len(wanted[2]) > 1
    assert keep_most(tree, number, search.capacity, 20) == size(wanted)
    assert nested(tree) == wanted


@pytest.mark.both_modes
@pytest.mark.parametrize("spec", SPECS)
def test_the_most_visited_part_that_there_is_room_for_is_kept(spec):
    search = searched(spec, 300)
    tree = search.trees[0]
    whole = nested(tree)
    room = size(whole)
    cuts = 0
    while room > 20:
        least = next(2**k for k in range(32) if nodes_of(pruned(whole, 2**k)) <= room)
        used = keep_most(tree, ROOT, room, 20)
        assert shape(nested(tree)) == pruned(whole, least)
        assert used == size(nested(tree)) <= room
        leaves = [node for node in tree.nodes[1:used] if node["first_child"] == 0]
        assert not any(int(node["status"]) & (CHOSEN_FROM | MORE) for node in leaves)
        cuts += least > 1
        room = used * 2 // 3
    assert cuts > 1


@pytest.mark.both_modes
def test_nothing_happens_without_room_for_the_children_of_the_root():
    search = searched("rave=silver", 100)
    before = nested(search.trees[0])
    assert keep_most(search.trees[0], ROOT, len(search.children()), 20) == 0
    assert nested(search.trees[0]) == before


def is_sound(search):
    """Whether no node has fewer visits than its children have together, and all links lead to used places."""
    for desk in search.desks:
        assert desk.counters.next_node <= desk.counters.end_of_nodes <= search.capacity

    def check(node):
        assert sum(child[1] for child in node[2]) <= node[1]
        for child in node[2]:
            check(child)

    check(nested(search.trees[0]))
    return True


@pytest.mark.both_modes
@pytest.mark.parametrize("spec", SPECS)
def test_a_small_tree_is_cut_back_and_grows_on(spec):
    small, large = searched(spec, 600, capacity=100), searched(spec, 600)
    assert small.simulations() == large.simulations() == 600
    assert is_sound(small)
    assert small.nodes_in_use() <= 100 < large.nodes_in_use()
    assert small.desks[0].counters.room != FULL_FOR_GOOD
    assert shape(nested(searched(spec, 600, capacity=100).trees[0])) == shape(nested(small.trees[0]))
    assert small.desks[0].counters.deepest > 2


@pytest.mark.both_modes
def test_simulations_are_the_same_in_whatever_portions_they_come():
    portions = searched("rave=silver", 0, capacity=100)
    for count in (1, 2, 97, 300, 200):
        portions.simulate(mg.game("hex(size=4)").start(), count)
    assert nested(portions.trees[0]) == nested(searched("rave=silver", 600, capacity=100).trees[0])


@pytest.mark.both_modes
def test_a_tree_that_cannot_be_cut_is_searched_as_it_is():
    search = searched("rave=silver", 200, capacity=25)  # the root and its 16 children are more than half
    assert search.desks[0].counters.room == FULL_FOR_GOOD
    assert search.simulations() == 200
    assert search.nodes_in_use() == 17


def test_a_won_game_is_proven_with_little_room():
    """Tic-tac-toe after two moves has trees of thousands of nodes; proofs stay when what is below them is dropped."""
    game = mg.game("tictactoe")
    position = game.start()
    for move in ("a1", "b1"):
        position.play(move)
    search = mg.PLAYERS.build("uct(playouts=20000, c=0.4)").search(game)
    search.capacity = 150
    search.trees = [search._new_tree()]
    assert search.run(position, stream(1)).settled == "the result is proven"


@pytest.mark.compiled
@pytest.mark.parametrize("parallel", ["tree", "root"])
def test_threads_cut_their_trees_back(parallel):
    game = mg.game("hex(size=5)")
    search = mg.PLAYERS.build(f"uct(playouts=20000, rave=silver, threads=4, parallel={parallel})").search(game)
    search.capacity = 1000
    search.trees = [search._new_tree() for _ in search.trees]
    analysis = search.run(game.start(), stream(1))
    assert analysis.playouts == 20_000
    assert sum(move.visits for move in analysis.moves) == pytest.approx(20_000, rel=0.01)  # a few updates may be lost
    assert all(desk.counters.room != FULL_FOR_GOOD for desk in search.desks)
    assert analysis.greatest_depth > 3


# ------------------------------------------------------------------------------ children that come when asked for

LAZY = f"c=0.3, first_play=0.4, initial=relative(count=0), bias=puct_log, expand=visits(1), prior={CENTRAL}"


def tried(tree):
    """Return the visits of every node below a root, by moves, of the children that have any."""
    move = int(tree[0][4])
    return move, tree[1], sorted(tried(child) for child in tree[2] if child[1])


@pytest.mark.both_modes
def test_a_few_children_at_first_lead_to_the_same_search_as_all():
    few, all_at_once = searched(LAZY, 400, at_first=2), searched(LAZY, 400, at_first=100)
    assert few.record.by_prior
    assert tried(nested(few.trees[0])) == tried(nested(all_at_once.trees[0]))
    assert few.nodes_in_use() < all_at_once.nodes_in_use() / 2
    statuses = few.trees[0].nodes[1 : few.nodes_in_use()]["status"]
    children = few.trees[0].nodes[1 : few.nodes_in_use()]["children"]
    assert ((statuses & MORE != 0) & (children == 8)).any()  # some have been given more, and not yet all


def test_nothing_is_proven_of_a_node_before_it_has_all_children():
    """Both searches solve 3×3 Hex with the same proof, whatever children were there at first."""
    for at_first in (1, 100):
        search = searched(LAZY, 3000, game="hex(size=3)", at_first=at_first)
        assert int(search.trees[0].nodes[ROOT]["status"]) & 3 == 1  # lost for the player who did not move


@pytest.mark.both_modes
def test_a_kept_root_is_given_all_its_children():
    game = mg.game("hex(size=4)")
    search = mg.PLAYERS.build(f"uct(playouts=200, {LAZY}, reuse=true)").search(game)
    search.record.at_first = 2
    position = game.start()
    for _ in range(3):
        position.play(search.run(position, stream(1)).move)
        analysis = search.run(position, stream(2))
        assert sorted(entry.move for entry in analysis.moves) == sorted(position.legal_moves())
        assert analysis.playouts == 200 < sum(entry.visits for entry in analysis.moves)
