"""The compiled tree search: equal to the plain one, right where the answer is known, within its limits."""

import time

import numpy as np
import pytest

import montego as mg
from montego.rng import stream
from montego.search.tree import NODE
from tests.search.reference import Node, ReferenceSearch, beta, mixed

SILVER = {"rave": ("silver", 0.02), "c": 0.0, "first_play": 1.0}

CASES = {
    "uct": {"expand": 2},
    "uct(expand=all_ends)": {},
    "uct(c=1.4142135623730951, depth=1, expand=all_ends)": {"c": 2**0.5, "depth": 1},
    "uct(c=0.3, first_play=1.1, expand=all_ends)": {"c": 0.3, "first_play": 1.1},
    "uct(rave=silver(b=0.02), c=0, first_play=1, expand=all_ends)": SILVER,
    "uct(rave=silver(b=0.3), c=0.4, expand=all_ends)": {"rave": ("silver", 0.3), "c": 0.4},
    "uct(rave=amaf, c=0, first_play=1, expand=all_ends)": {"rave": ("amaf",), "c": 0.0, "first_play": 1.0},
    "uct(rave=linear(n=50), c=0.2, expand=all_ends)": {"rave": ("linear", 50.0), "c": 0.2},
    "uct(rave=weights(initial=0.9, final=60), c=0.1, expand=all_ends)": {"rave": ("weights", 0.9, 60.0), "c": 0.1},
    "uct(expand=visits(2))": {"expand": 2},
    "uct(expand=visits(7), rave=silver, c=0, first_play=1)": {**SILVER, "expand": 7},
    "uct(reward=sigmoid(k=0.3), expand=all_ends)": {"reward": ("sigmoid", 0.3)},
    "uct(reward=score, expand=all_ends)": {"reward": ("score", None)},
}
GAMES = ["tictactoe", "hex(size=3)", "go(size=3, komi=2.5)", "y(size=3)"]


@pytest.mark.both_modes
@pytest.mark.parametrize("spec", list(CASES))
@pytest.mark.parametrize("game_spec", GAMES)
def test_visits_equal_those_of_the_plain_search(game_spec, spec):
    """Move for move: the same simulations, hence the same counts; sums may differ in the last bits."""
    game = mg.game(game_spec)
    options = dict(CASES[spec])
    if options.get("reward", ("",))[0] == "score":
        options["reward"] = ("score", game.max_score())
    position = game.start().play(game.start().legal_moves()[-1])
    simulations = 80
    plain = ReferenceSearch(game, position, stream(5), **options)
    for _ in range(simulations):
        plain.simulate()
    search = mg.PLAYERS.build(spec).search(game)
    search.plant(position)
    search.simulate(position, stream(5), simulations)
    for node, twin in ((0, plain.root), *zip(range(1, 200), plain.root.children, strict=False)):
        children = search.children(node)
        assert children["move"].tolist() == [child.move for child in twin.children]
        assert children["visits"].tolist() == [child.visits for child in twin.children]
        assert children["amaf_visits"].tolist() == [child.amaf_visits for child in twin.children]
        assert np.allclose(children["total"], [child.total for child in twin.children], rtol=1e-9)


@pytest.mark.both_modes
@pytest.mark.parametrize(
    "rave", [("amaf",), ("linear", 40.0), ("silver", 0.1), ("silver", 0.0), ("weights", 0.8, 30.0)]
)
def test_the_mixed_mean_is_that_of_the_papers(rave):
    chance = np.random.default_rng(2)
    for visits, amaf_visits in chance.integers(0, 100, (50, 2)):
        child = Node()
        child.visits, child.amaf_visits = int(visits), int(amaf_visits) + 1
        child.total, child.amaf_total = visits * chance.random(), (amaf_visits + 1) * chance.random()
        share = beta(rave, child.visits, child.amaf_visits)
        mean = child.total / child.visits if visits else 0.0
        assert mixed(rave, child) == pytest.approx((1 - share) * mean + share * child.amaf_total / child.amaf_visits)


def test_a_node_takes_forty_bytes():
    assert NODE.itemsize == 40


@pytest.mark.parametrize("seed", range(3))
def test_perfect_tic_tac_toe(seed):
    """Two perfect players draw."""
    game = mg.game("tictactoe")
    player = mg.player("uct(playouts=20000)", game, seed=seed)
    position = game.start()
    while not position.over:
        position.play(player.choose(position))
    assert position.winner == -1


# Solved by exhaustive search (reference counts of the project): the openings with which the first player wins.
HEX_WINS = {3: {"c1", "a2", "b2", "c2", "a3"}, 4: {"d1", "c2", "b3", "a4"}}


@pytest.mark.parametrize("spec", ["uct(playouts=100000, c=1)", "uct(playouts=100000, c=0.5, rave=silver)"])
def test_hex_openings(spec):
    """On 3×3 and 4×4 it opens with a winning move; on 3×3 it also refutes every losing one, against itself."""
    for size, wins in HEX_WINS.items():
        game = mg.Hex(size=size)
        assert mg.player(spec, game, seed=1).choose(game.start()) in wins
    game = mg.Hex(size=3)
    player = mg.player(spec, game, seed=1)
    for opening in set(game.start().legal_moves()) - HEX_WINS[3]:
        position = game.start().play(opening)
        while not position.over:
            position.play(player.choose(position))
        assert position.winner == 1, opening


def test_a_full_tree_goes_on_searching():
    game = mg.game("go(size=9)")
    player = mg.player("uct(playouts=40000, memory=1)", game, seed=1)
    player.choose(game.start())
    analysis = player.analysis()
    assert analysis.playouts == 40000
    assert analysis.nodes <= 10**6 // 40


def test_seconds_are_kept():
    """No assertion on a time but that the search stops long before its playouts would be done."""
    game = mg.game("tictactoe")
    player = mg.player("uct(playouts=0, seconds=0.1)", game, seed=1)
    player.choose(game.start())
    began = time.perf_counter()
    player.choose(game.start())
    assert player.analysis().playouts > 0
    assert time.perf_counter() - began < 60


def test_the_same_seed_gives_the_same_tree():
    game = mg.game("hex(size=5)")
    results = []
    for _ in range(2):
        player = mg.player("uct(playouts=3000, rave=silver)", game, seed=9)
        player.choose(game.start())
        results.append(player.analysis().moves)
    assert results[0] == results[1]


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("uct(c=-1)", "c must be a number from 0 to 100, not -1"),
        ("uct(c=nan)", "c must be a number"),
        ("uct(playouts=-5)", "playouts must be a whole number of at least 0"),
        ("uct(rave=silver(b=-1))", "b must be a number from 0 to 10"),
        ("uct(rave=slver)", "did you mean 'silver'"),
        ("uct(expand=visits(0))", "n must be a whole number from 1"),
        ("uct(reward=sigmoid(k=0))", "k must be a number"),
        ("uct(final=best)", "final must be one of mean, visits, lcb"),
    ],
)
def test_bad_settings(spec, message):
    with pytest.raises(mg.MontegoError, match=message):
        mg.PLAYERS.build(spec)


def test_an_interrupted_search_answers_with_what_it_has(monkeypatch):
    game = mg.game("tictactoe")
    player = mg.player("uct(playouts=100000)", game, seed=1)
    search = player._search
    simulate, calls = search.simulate, []

    def interrupted(*args):
        simulate(*args)
        calls.append(1)
        if len(calls) == 3:
            raise KeyboardInterrupt

    monkeypatch.setattr(search, "simulate", interrupted)
    assert player.choose(game.start()) in game.start().legal_moves()
    assert 0 < player.analysis().playouts < 100000
