"""Knowledge for the tree: a policy with ``move_weights`` and a memory of its own as the prior of a search."""

from typing import Annotated, Any, NamedTuple

import numpy as np
import pytest

import montego as mg
from montego.kernels import borrowing, implements, index
from montego.playouts import Policy, move_weights
from montego.rng import stream
from montego.search import Uct
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
        return np.append(np.exp(-self.steep * distance), 0.0)

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


@pytest.mark.both_modes
@pytest.mark.parametrize(
    "spec",
    [
        "uct(playouts=150, c=0.3, bias=4, prior=central_of_the_tests(steep=0.7))",
        "uct(playouts=150, rave=silver, widen=progressive(visits=4), prior=central_of_the_tests(steep=0))",
    ],
)
def test_the_plain_twin_agrees(spec):
    game = mg.game("hex(size=3)")
    settings = mg.PLAYERS.build(spec)
    plain = ReferenceSearch(game, game.start(), stream(5), settings)
    search = settings.search(game)
    search.plant(game.start(), stream(5))
    for _ in range(80):
        plain.simulate()
    search.simulate(game.start(), 80)
    assert [(int(c["move"]), int(c["visits"])) for c in search.children()] == [
        (child.move, child.visits) for child in plain.root.children
    ]


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
