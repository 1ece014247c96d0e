"""Knowledge for the tree: a policy with ``move_weights`` and a memory of its own as the prior of a search."""

from typing import Annotated, Any, NamedTuple

import numpy as np
import pytest

import montego as mg
from montego.kernels import borrowing, implements, index
from montego.playouts import Policy, move_values, move_weights
from montego.rng import stream
from montego.search import Uct
from montego.search.choice import best_child
from montego.search.rave import OFF
from montego.search.records import NODE, START
from montego.spec import Param
from tests.search.reference import ReferenceSearch


class _Parameters(NamedTuple):
    steep: Annotated[float, Param("how much a line nearer to the centre counts", 0, 10)] = 1.0
    next: Annotated[float, Param("what the point after the last move counts", 0, 10)] = 0.0


class Central(_Parameters, Policy, name="central_of_the_tests"):
    """Likes the centre of the board, and a move next in number to the last one; counts its decisions in its memory."""

    def new_memory(self, game: Any) -> Any:
        xy = np.array(game.layout().xy)
        distance = np.abs(xy - xy.mean(axis=0)).max(axis=1)
        different = 1 + 0.01 * np.arange(len(xy))  # a search need not take equal ones in the order of their numbers
        return np.append(np.exp(-self.steep * distance) * different, 0.0)

    def shared_memory(self, game: Any, memory: Any) -> Any:
        return memory

    def begin_decision(self, memory: Any, same_game: bool) -> None:
        memory[-1] = memory[-1] + 1 if same_game else 1


@implements(move_weights, Central)
@borrowing
def _move_weights(policy, game, memory, state, trace, end, moves, weights):
    for i in range(len(moves)):
        weights[index(i)] = memory[index(moves[index(i)])]
        if moves[index(i)] == trace[index(end - 1)] + 1:
            weights[index(i)] += policy.next


class _None(NamedTuple):
    """No parameters."""


class Rules(_None, Policy, name="rules_of_the_tests"):
    """A prior made of rules: the first point is bad, the point after the last move is good."""


@implements(move_values, Rules)
@borrowing
def _move_values(policy, game, memory, state, trace, end, moves, opinions):
    for i in range(len(moves)):
        opinions[0, index(i)] = 0.5
        opinions[1, index(i)] = 2.0
        if moves[index(i)] == 0:
            opinions[0, index(i)] = 0.0
            opinions[1, index(i)] = 10.0
        elif moves[index(i)] == trace[index(end - 1)] + 1:
            opinions[0, index(i)] = 1.0
            opinions[1, index(i)] = 15.0


def analysed(spec, game="hex(size=5)", moves=()):
    position = mg.game(game).start()
    for move in moves:
        position.play(move)
    player = mg.player(spec, game, seed=1)
    player.choose(position)
    return player.analysis()


@pytest.mark.both_modes
def test_shares_of_the_prior_are_the_policys_weights():
    analysis = analysed("uct(playouts=30, prior=central_of_the_tests(steep=2, next=5), bias=1)", moves=["a1"])
    prior = {entry.move: entry.prior for entry in analysis.moves}
    names = mg.game("hex(size=5)").layout().names
    weights = dict(zip(names, Central(2.0, 5.0).new_memory(mg.game("hex(size=5)"))[:-1], strict=True))
    weights["b1"] += 5.0
    del weights["a1"]
    assert prior == pytest.approx({move: weight / sum(weights.values()) for move, weight in weights.items()}, rel=1e-6)


@pytest.mark.both_modes
def test_without_bias_and_widening_nobody_asks_the_prior():
    analysis = analysed("uct(playouts=30, prior=central_of_the_tests)")
    assert {entry.prior for entry in analysis.moves} == {None}


def visits(analysis):
    return {entry.move: entry.visits for entry in analysis.moves}


@pytest.mark.both_modes
def test_bias_and_widening_lead_the_search_to_the_policys_moves():
    corner = "uct(playouts=200, c=0.1, first_play=0.6, prior=central_of_the_tests(steep=0, next=5), bias="
    assert visits(analysed(f"{corner}30)"))["a1"] > 5 * visits(analysed(f"{corner}1e-9)"))["a1"]
    widened = visits(analysed("uct(playouts=60, prior=central_of_the_tests(steep=2), widen=progressive(visits=40))"))
    tried = {move for move, count in widened.items() if count}
    assert "c3" in tried
    assert len(tried) < 6
    assert {"a1", "e5"}.isdisjoint(tried)


CENTRAL, RULES = "central_of_the_tests(steep=0.7, next=2)", "rules_of_the_tests"
TWINS = [
    (CENTRAL, "c=0.3, bias=4"),
    (CENTRAL, "c=0.3, bias=root(3)"),
    (CENTRAL, "c=0, first_play=0.5, bias=puct(2)"),
    (CENTRAL, "c=0, initial=relative, bias=puct_log, first_play=0"),
    (CENTRAL, "rave=silver, bias=root, initial=values(count=0, even_amaf=8), first_play=0.35"),
    (CENTRAL, "initial=values(count=20, even=3)"),
    (RULES, "initial=values"),
    (RULES, "rave=silver, initial=values(count=5, amaf=5), first_play=1, amaf_weight=falling"),
    (CENTRAL, "rave=silver, widen=progressive(visits=4)"),
    (CENTRAL, "c=0.2, initial=relative(count=2, amaf=4), rave=weights, widen=progressive(visits=2), bias=1"),
    (RULES, "bandit=tuned, c=1, initial=values(count=2), bias=1"),
    (RULES, "choice=boltzmann(k=5), initial=values, expand=visits(4, least=1)"),
    (CENTRAL, "c=0.3, prune=soft(rd=1, sigma=0.5, visits=4, every=8), initial=relative"),
]


@pytest.mark.both_modes
@pytest.mark.parametrize(("prior", "spec"), TWINS)
def test_the_plain_twin_agrees(prior, spec):
    game = mg.game("hex(size=3)")
    settings = mg.PLAYERS.build(f"uct(prior={prior}, {spec})")
    plain = ReferenceSearch(game, game.start(), stream(5), settings)
    search = settings.search(game)
    search.plant(game.start(), stream(5))
    for _ in range(80):
        plain.simulate()
    search.simulate(game.start(), 80)
    twins = {child.move: child for child in plain.root.children}  # a search may put its children into another order
    below = [(1 + place, twins[int(child["move"])]) for place, child in enumerate(search.children(0))]
    for node, twin in ((0, plain.root), *below):
        assert sorted(tuple(c.tolist()) for c in search.children(node)[["move", "visits", "amaf_visits"]]) == sorted(
            (child.move, child.visits, child.amaf_visits) for child in twin.children
        )


@pytest.mark.both_modes
@pytest.mark.parametrize("more", ["", ", reuse=true", ", first_play=0.4, expand=visits(1)"])
def test_the_likeliest_untried_child_stands_in_for_all_untried_ones(more):
    """Looking at all children leads to the same choice, at the root and below it, at any time."""
    game = mg.game("hex(size=4)")
    search = mg.PLAYERS.build(f"uct(c=0.3, initial=relative, bias=puct_log, prior={CENTRAL}{more})").search(game)
    position = game.start()
    search.plant(position, stream(1))
    assert search.record.by_prior
    most = 0
    for step in range(60):
        search.simulate(position, 1)
        tree = search.trees[0]
        parent = int(tree.nodes[0]["first_child"]) + step % 3
        for number in (0, parent):
            node = tree.nodes[number]
            if node["first_child"] == 0:
                continue
            chosen = best_child(search.record, tree, number, OFF)
            search.record.by_prior = 0
            wanted = best_child(search.record, tree, number, OFF)
            search.record.by_prior = 1
            assert chosen == wanted
            first = int(node["first_child"])
            opened = int(tree.starts[number]["opened"])
            visits = tree.nodes["visits"][first : first + int(node["children"])]
            assert not visits[opened:].any()
            most = max(most, opened)
    assert 1 < most < len(search.children(0))


@pytest.mark.both_modes
def test_the_prior_has_a_memory_of_its_own_and_learns_of_decisions():
    game = mg.game("hex(size=4)")
    search = Uct(playouts=20, prior=Central(), bias=1, threads=2).search(game)
    position = game.start()
    search.run(position, stream(1))
    memory = search.desks[0].prior_memory
    assert search.desks[1].prior_memory is memory
    assert search.desks[0].memory is not memory
    assert memory[-1] >= 1
    search.run(position.play("a1"), stream(2))
    assert search.desks[0].prior_memory is memory
    assert memory[-1] == 3  # both threads tell of both decisions; the first one, in another game, sets it to 1


@pytest.mark.both_modes
def test_a_prior_without_values_states_1_with_the_root_of_its_share():
    opinions = np.array([[0.0, 0.0], [0.64, 0.36]])
    game = mg.game("hex(size=3)")
    move_values(Central(), game, Central().new_memory(game), None, None, 0, np.array([3, 4]), opinions)
    assert opinions[0].tolist() == [1.0, 1.0]
    assert opinions[1] == pytest.approx([0.8, 0.6])


@pytest.mark.both_modes
@pytest.mark.parametrize("more", ["", ", rave=silver, reuse=true", ", threads=2"])
def test_virtual_simulations_are_never_counted_as_real_ones(more):
    """Sums, visits, budget and a kept tree know only real simulations, whatever the prior says."""
    game = mg.game("hex(size=3)")
    search = mg.PLAYERS.build(f"uct(playouts=60, prior={RULES}, initial=values(count=9, amaf=9){more})").search(game)
    position = game.start()
    analysis = search.run(position.copy(), stream(1))
    assert analysis.playouts == 60
    assert sum(entry.visits for entry in analysis.moves) <= 60
    for entry in analysis.moves:
        assert entry.value is None if entry.visits == 0 else 0 <= entry.value <= 1
    assert analysis.memory == analysis.nodes * (NODE.itemsize + START.itemsize)
    position.play(analysis.number)
    kept = next(i for i, child in enumerate(search.children()) if int(child["move"]) == analysis.number)
    first = int(search.trees[0].nodes[0].first_child) + kept
    before = search.children(first).copy()

    def starts(parent):
        child = int(search.trees[0].nodes[parent].first_child)
        return search.trees[0].starts[child : child + len(before)].tolist()

    starts_before = starts(first)
    search.plant(position, stream(2))
    if "reuse" in more:
        assert search.children()["visits"].tolist() == before["visits"].tolist()
        assert starts(0) == starts_before


@pytest.mark.both_modes
def test_rules_lead_the_search():
    """A move that the rules call lost is hardly tried, one that they call won at once."""
    found = visits(
        analysed(f"uct(playouts=40, c=0.1, prior={RULES}, initial=values(count=3))", game="hex(size=3)", moves=["a3"])
    )
    assert found["a1"] == 0
    assert max(found, key=found.get) == "b3"


@pytest.mark.both_modes
@pytest.mark.parametrize(("spec", "same"), [("bias=0", "bias=off"), ("bias=3", "bias=progressive(weight=3)")])
def test_a_number_is_a_progressive_bias(spec, same):
    one, other = (analysed(f"uct(playouts=40, prior={CENTRAL}, {bias})", "hex(size=3)").moves for bias in (spec, same))
    assert [(entry.move, entry.visits) for entry in one] == [(entry.move, entry.visits) for entry in other]
