"""The compiled tree search: equal to the plain one, right where the answer is known, within its limits."""

import math

import numpy as np
import pytest

import montego as mg
from montego.rng import stream
from montego.search.choice import best_by_ucb1
from montego.search.rave import RAVES, mixed_mean, mixing_constants
from montego.search.records import BARRED, NODE, PRUNED
from montego.search.settings import kernel_settings
from tests.search.reference import ReferenceSearch, mixed

CASES = [
    "uct",
    "uct(expand=all_ends)",
    "uct(c=1.4142135623730951, depth=1, expand=all_ends)",
    "uct(c=0.3, first_play=1.1, expand=all_ends, solver=false)",
    "uct(bandit=tuned, c=1)",
    "uct(rave=silver(b=0.02), c=0, first_play=1, expand=all_ends)",
    "uct(rave=silver(b=0.3), c=0.4, expand=all_ends, solver=false)",
    "uct(rave=amaf, c=0, first_play=1, expand=all_ends)",
    "uct(rave=linear(n=50), c=0.2, expand=all_ends)",
    "uct(rave=weights(initial=0.9, final=60), c=0.1, expand=all_ends)",
    "uct(expand=visits(7), rave=silver, c=0, first_play=1)",
    "uct(expand=visits(6, least=1), c=0.5)",
    "uct(expand=visits(5, least=2), rave=silver, c=0.2, solver=false)",
    "uct(expand=transition(confidence=0.6, early=2, n=9))",
    "uct(expand=transition(confidence=0.9), rave=silver, c=0)",
    "uct(reward=sigmoid(k=0.3), expand=all_ends)",
    "uct(reward=score, expand=all_ends)",
    "uct(reward=quality(a=0.5, k=2), expand=all_ends)",
    "uct(reward=quality(of=length), c=0.3)",
    "uct(prune=hard(rd=0.5, sigma=1, visits=4, every=8))",
    "uct(prune=soft(rd=0.3, sigma=2, visits=3, every=5), c=0.4)",
    "uct(prune=soft(rd=1, sigma=0.3, visits=5, every=10), rave=silver, depth=1)",
    "uct(choice=proportional)",
    "uct(choice=boltzmann(k=4), rave=silver, first_play=1)",
    "uct(choice=annealed(k=20, n=50))",
    "uct(rave=silver, amaf_weight=falling, c=0.1, first_play=1)",
    "uct(rave=weights, amaf_weight=falling(near=3, far=1), c=0, first_play=0.6)",
    "uct(rave=silver, amaf_weight=falling(within=3), choice=boltzmann(k=4), first_play=1)",
    "uct(rave=silver, rave_rest=3)",
    "uct(rave=silver, criticality=2, survey=3, c=0.1, first_play=1)",
    "uct(rave=silver, criticality=5, survey=1, amaf_weight=falling, initial=values(count=2, amaf=3))",
    "uct(rave=silver, rave_rest=4, choice=proportional, first_play=0.5)",
    "uct(rave=silver, c=0.5, counted=true)",
    "uct(bias=2, c=0.4)",
    "uct(widen=progressive(visits=3, growth=1.3, first=2))",
    "uct(widen=progressive(visits=6, growth=1, first=1), rave=silver, c=0.1, bias=1)",
]
GAMES = ["tictactoe", "hex(size=3)", "go(size=3, komi=2.5)", "y(size=3)"]
ELSEWHERE = [
    ("hex(size=4)", "uct(rave=silver, c=0.1, final=lcb, solver=false)"),
    ("hex(size=4)", "uct(prune=hard(rd=1, sigma=0.2, visits=10, every=20, most=20), final=mean)"),
    ("hex(size=4)", "uct(rave=silver, rave_rest=5, final=amaf)"),
    ("go(size=4, komi=3.5)", "uct(reward=phased(k=0.3, scale=2), c=0.8, final=mean)"),
    ("go(size=4, komi=3.5)", "uct(reward=until(1, ramp(0.1, 0.9, 1, 9), score), rave=silver, amaf_weight=falling)"),
    ("go(size=4, komi=3.5)", "uct(reward=until(2, ramp(0.1, 0.9, 1, 9), score), expand=all_ends)"),
    ("go(size=3, komi=2.5)", "uct(playout=cut(moves=5))"),
    ("go(size=3, komi=2.5)", "uct(playout=cut(mercy=4, every=3), rave=silver)"),
    ("tictactoe", "uct(final=mean)"),
    ("tictactoe", "uct(final=lcb, prune=soft(rd=0.3, sigma=2, visits=3, every=5, literal=true))"),
]


@pytest.mark.both_modes
@pytest.mark.parametrize(("game_spec", "spec"), ELSEWHERE)
def test_the_plain_search_plays_the_same_move(game_spec, spec):
    """Final choice, schedules of rewards, stopping rules, playouts cut short, larger boards: 200 simulations, alike."""
    game = mg.game(game_spec)
    position = game.start().play(game.start().legal_moves()[-1])
    settings = mg.PLAYERS.build(spec)._replace(playouts=200)
    plain = ReferenceSearch(game, position, stream(5), settings)
    for _ in range(200):
        plain.simulate()
    analysis = settings.search(game).run(position, stream(5))
    assert {entry.number: (entry.visits, entry.amaf_visits) for entry in analysis.moves} == {
        child.move: (child.visits, round(child.amaf_visits / plain.unit)) for child in plain.root.children
    }
    assert analysis.playouts == plain.root.visits
    assert analysis.number in plain.best_moves()


@pytest.mark.both_modes
@pytest.mark.parametrize("spec", list(CASES))
@pytest.mark.parametrize("game_spec", GAMES)
def test_visits_equal_those_of_the_plain_search(game_spec, spec):
    """Move for move: the same simulations, hence the same counts; sums may differ in the last bits."""
    game = mg.game(game_spec)
    position = game.start().play(game.start().legal_moves()[-1])
    simulations = 80
    settings = mg.PLAYERS.build(spec)
    plain = ReferenceSearch(game, position, stream(5), settings)
    for _ in range(simulations):
        plain.simulate()
    search = settings.search(game)
    search.plant(position, stream(5))
    search.simulate(position, simulations)
    for node, twin in ((0, plain.root), *zip(range(1, 200), plain.root.children, strict=False)):
        children = search.children(node)
        assert children["move"].tolist() == [child.move for child in twin.children]
        assert children["visits"].tolist() == [child.visits for child in twin.children]
        assert children["amaf_visits"].tolist() == [child.amaf_visits for child in twin.children]
        assert np.allclose(children["total"], [child.total for child in twin.children], rtol=1e-9)
        assert (children["status"] & 3).tolist() == [child.proof for child in twin.children]
        assert ((children["status"] & PRUNED) > 0).tolist() == [child.pruned for child in twin.children]


def beta(rave, visits, amaf_visits):
    """Return the share of the AMAF mean by the papers' formulas."""
    name = rave.spec_name
    if name == "amaf" or visits == 0:
        return 1.0
    if name == "linear":
        return 1 - min(1.0, visits / rave.n)
    if name == "silver":
        return amaf_visits / (visits + amaf_visits + 4 * rave.b**2 * visits * amaf_visits)
    weight = rave.initial / (1 / amaf_visits + rave.initial / rave.final)
    return weight / (visits + weight)


@pytest.mark.both_modes
@pytest.mark.parametrize(
    "spec", ["amaf", "linear(n=40)", "silver(b=0.1)", "silver(b=0)", "weights(initial=0.8, final=30)"]
)
def test_the_mixed_mean_is_that_of_the_papers(spec):
    rave = RAVES.build(spec)
    chance = np.random.default_rng(2)
    record = np.zeros(1, RAVES.record_type())[0]
    RAVES.write(record, rave)
    for visits, amaf_visits in chance.integers(0, 100, (50, 2)).astype(float) + [0.0, 1.0]:
        total, amaf_total = visits * chance.random(), amaf_visits * chance.random()
        share = beta(rave, visits, amaf_visits)
        expected = (1 - share) * (total / visits if visits else 0.0) + share * amaf_total / amaf_visits
        known = (visits, total, amaf_visits, amaf_total)
        assert mixed(rave, *known) == pytest.approx(expected)
        assert mixed_mean(record.kind, *mixing_constants(record), *known) == pytest.approx(expected)


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
@pytest.mark.parametrize("size", HEX_WINS)
def test_hex_openings(size, spec):
    """The first move wins, and so does every answer to a losing one: against itself the game keeps its winner."""
    game = mg.Hex(size=size)
    player = mg.player(spec, game, seed=1)
    assert player.choose(game.start()) in HEX_WINS[size]
    for opening in game.start().legal_moves():
        position = game.start().play(opening)
        while not position.over:
            position.play(player.choose(position))
        assert position.winner == (0 if opening in HEX_WINS[size] else 1), opening


def test_a_full_tree_goes_on_searching():
    game = mg.game("go(size=9)")
    player = mg.player("uct(playouts=40000, memory=1)", game, seed=1)
    player.choose(game.start())
    analysis = player.analysis()
    assert analysis.playouts == 40000
    assert analysis.nodes <= 10**6 // 40


def test_seconds_are_kept():
    """Without playouts to end it the search would never return."""
    game = mg.game("tictactoe")
    player = mg.player("uct(playouts=0, seconds=0.1)", game, seed=1)
    player.choose(game.start())
    assert player.analysis().playouts > 0


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


@pytest.mark.both_modes
@pytest.mark.parametrize("c", [0.0, 1e-9, 0.2, 2**0.5, 100.0])
@pytest.mark.parametrize("first_play", [0.0, 0.5, 1e6])
def test_ucb1_chooses_the_child_of_the_formula_without_working_it_out_for_each(c, first_play):
    game = mg.game("tictactoe")
    settings = kernel_settings(game, mg.Uct(playouts=1, c=c, first_play=first_play))
    chance = np.random.default_rng(int(c) + int(first_play))
    for _ in range(60):
        nodes = np.zeros(40, NODE)
        nodes["visits"] = chance.integers(0 if chance.random() < 0.3 else 1, 10 ** chance.integers(1, 8), 40)
        nodes["total"] = nodes["visits"] * chance.choice([0, 0.25, 0.3, 0.5, 1], 40)
        nodes["total"][:3] = nodes["total"][5:8]
        nodes["status"][chance.integers(0, 40, 5)] = BARRED
        log_visits = math.log(max(1, nodes["visits"].sum()))
        best, best_value = 0, -math.inf
        for number, node in enumerate(nodes):
            mean = node["total"] / node["visits"] if node["visits"] else first_play
            value = mean + c * math.sqrt(log_visits / max(node["visits"], 1))
            if value > best_value and not node["status"]:
                best, best_value = number, value
        assert best_by_ucb1(settings, nodes, 0, 40, log_visits) == best
