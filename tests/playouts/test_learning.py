"""Playouts that learn: what is stored, forgotten and played, on traces made by hand, and in searches."""

import json

import numpy as np
import pytest

import montego as mg
from montego.errors import MontegoError, SpecError
from montego.games import game, rules
from montego.players import PLAYERS
from montego.playouts import (
    HISTORY,
    PLAYOUTS,
    Uniform,
    learn,
    new_trace,
    next_move,
    notice,
    play_by_move,
    playout,
    prepare,
)
from montego.playouts.replies import NONE, new_replies, reply_to, store_reply
from montego.playouts.wls.contexts import context_key, lookup
from montego.rng import stream
from montego.search.records import NODE, STEP
from montego.spec import text

TICTACTOE = game("tictactoe")
Uct = PLAYERS["uct"]
POLICIES = ["lgr(1)", "lgr(2)", "lgrf(1)", "lgrf(2)", "wls", "wls(last2)", "wls(candidates=3)", "pool_rave"]
FIRST_WON, SECOND_WON, DRAWN = 1.0, 0.0, 0.5


def trace_of(this, moves):
    """Return a trace with moves after an empty history, and where they end."""
    trace = new_trace(this)
    trace[HISTORY : HISTORY + len(moves)] = moves
    return trace, HISTORY + len(moves)


def taught(policy, *games, this=TICTACTOE):
    """Return the memory of a policy after games (moves, result) that player 0 began."""
    memory = policy.new_memory(this)
    for moves, result in games:
        trace, end = trace_of(this, moves)
        learn(policy, this, memory, trace, HISTORY, end, 0, result)
    return memory


def replied(policy, memory, moves, seed=1, this=TICTACTOE):
    """Return what a policy plays after some moves."""
    position = this.start()
    for move in moves:
        position.play(move)
    trace, end = trace_of(this, moves)
    return int(next_move(policy, this, memory, position.state, stream(seed), trace, end, this.new_moves()))


def fallback_move(moves, seed=1, this=TICTACTOE):
    """Return what uniform playouts play after some moves."""
    return replied(Uniform(), Uniform().new_memory(this), moves, seed, this)


# ----------------------------------------------------------------------------------------------------- last good reply


def known(memory, player, last, before_last=-1, pairs=False):
    keys, cells = (memory.pair_keys, memory.pair_cells) if pairs else (memory.keys, memory.cells)
    return int(reply_to(keys, cells, player, last, before_last))


@pytest.mark.both_modes
@pytest.mark.parametrize("name", ["lgr", "lgrf"])
def test_the_replies_of_the_winner_are_stored(name):
    policy = PLAYOUTS.build(name)
    memory = taught(policy, ([4, 0, 8], FIRST_WON))
    assert (known(memory, 0, -1), known(memory, 0, 0)) == (4, 8)
    assert known(memory, 1, 4) == NONE
    memory = taught(policy, ([4, 0, 8], SECOND_WON))
    assert known(memory, 1, 4) == 0
    assert (known(memory, 0, -1), known(memory, 0, 0)) == (NONE, NONE)
    assert not taught(policy, ([4, 0, 8], DRAWN)).cells["move"].any()


@pytest.mark.both_modes
def test_a_later_reply_takes_the_place_of_an_earlier_one():
    memory = taught(PLAYOUTS.build("lgr"), ([4, 0, 8], FIRST_WON), ([4, 0, 6], FIRST_WON))
    assert known(memory, 0, 0) == 6


@pytest.mark.both_modes
def test_only_forgetting_drops_a_reply_and_only_the_one_that_lost():
    won, lost, lost_otherwise = ([4, 0, 8], FIRST_WON), ([4, 0, 8], SECOND_WON), ([4, 0, 6], SECOND_WON)
    assert known(taught(PLAYOUTS.build("lgr"), won, lost), 0, 0) == 8
    assert known(taught(PLAYOUTS.build("lgrf"), won, lost), 0, 0) == NONE
    assert known(taught(PLAYOUTS.build("lgrf"), won, lost_otherwise), 0, 0) == 8
    assert known(taught(PLAYOUTS.build("lgrf(2)"), won, lost), 0, 0, 4, pairs=True) == NONE


@pytest.mark.both_modes
def test_the_reply_to_two_moves_comes_before_the_reply_to_one():
    policy = PLAYOUTS.build("lgr(2)")
    memory = taught(policy, ([4, 0, 8], FIRST_WON), ([2, 0, 6], FIRST_WON))
    assert known(memory, 0, 0, 4, pairs=True) == 8
    assert known(memory, 0, 0) == 6
    assert replied(policy, memory, [4, 0]) == 8
    assert replied(policy, memory, [2, 0]) == 6
    assert replied(policy, memory, [5, 0]) == 6  # only the reply to one move is known
    assert replied(policy, memory, [8, 3, 4, 0]) == 6  # the reply to two is taken


@pytest.mark.both_modes
def test_a_reply_that_cannot_be_made_leaves_the_move_to_the_fallback():
    policy = PLAYOUTS.build("lgr")
    memory = taught(policy, ([4, 0, 8], FIRST_WON))
    for seed in range(5):
        assert replied(policy, memory, [4, 8, 2, 0], seed) == fallback_move([4, 8, 2, 0], seed)


@pytest.mark.both_modes
def test_a_reply_is_made_as_often_as_the_parameter_says():
    """Seeded; a correct policy would fail once in 10,000."""
    policy = PLAYOUTS.build("lgr(p=0.25)")
    memory = taught(policy, ([4, 0, 8], FIRST_WON))
    made = sum(replied(policy, memory, [4, 0], seed) == 8 for seed in range(400)) / 400
    expected = 0.25 + 0.75 / 7
    assert abs(made - expected) < 3.9 * np.sqrt(expected * (1 - expected) / 400)


@pytest.mark.both_modes
def test_an_own_eye_is_no_reply_and_a_pass_is_not_learnt():
    this = game("go(size=5)")
    policy = PLAYOUTS.build("lgr")
    corner, far = this.parse_move("A1"), this.parse_move("E5")
    memory = taught(policy, ([far, 0, corner, 0], FIRST_WON), this=this)
    assert known(memory, 0, 0) == corner
    assert known(taught(policy, ([far, 0], SECOND_WON), this=this), 1, far) == NONE
    stones = {"A2": 0, "B1": 0, "B2": 0, "D5": 1}
    position = mg.Position(this, stones, 0)
    trace, end = trace_of(this, [far, 0])
    move = next_move(policy, this, memory, position.state, stream(1), trace, end, this.new_moves())
    assert move != corner
    assert rules.is_legal(this, position.state, corner)
    assert not rules.is_playout_move(this, position.state, corner)
    position = mg.Position(this, {"D5": 1}, 0)
    assert next_move(policy, this, memory, position.state, stream(1), trace, end, this.new_moves()) == corner


@pytest.mark.both_modes
def test_tables_stay_within_their_memory_and_do_not_mix_up_keys():
    keys, cells = new_replies(13_730, 2, 0.01)
    assert keys.hashed
    assert cells.nbytes <= 10_000
    store_reply(keys, cells, 0, 7, 9, 42)
    assert reply_to(keys, cells, 0, 7, 9) == 42
    others = [(player, last, before) for player in (0, 1) for last in range(20) for before in range(20)]
    wrong = [key for key in others if key != (0, 7, 9) and reply_to(keys, cells, *key) != NONE]
    assert wrong == []


# ---------------------------------------------------------------------------------------------------- Win/Loss States


def fraction_of(policy, memory, player, last, move, before_last=-1, pattern=0):
    """Return the wins and visits that a table holds for a move."""
    context = context_key(memory.layout, player, last, before_last, pattern)
    states = mg.WinLossStates(policy.e, policy.z, policy.k, policy.threshold)
    return states.fraction(int(lookup(memory.layout, memory.rates, context, move)))


@pytest.mark.both_modes
def test_rates_are_counted_for_both_players():
    policy = PLAYOUTS.build("wls")
    memory = taught(policy, ([4, 0, 8], FIRST_WON), ([4, 0, 8], SECOND_WON), ([4, 0, 6], FIRST_WON), ([4, 0], DRAWN))
    assert fraction_of(policy, memory, 0, -1, 4) == (2, 3)
    assert fraction_of(policy, memory, 1, 4, 0) == (1, 3)
    assert fraction_of(policy, memory, 0, 0, 8) == (1, 2)
    assert fraction_of(policy, memory, 0, 0, 6) == (1, 1)
    assert fraction_of(policy, memory, 0, 0, 2) == (0, 0)
    memory = taught(PLAYOUTS.build("wls(last2)"), ([4, 0, 8], FIRST_WON))
    assert fraction_of(policy, memory, 0, 0, 8, before_last=4) == (1, 1)
    assert fraction_of(policy, memory, 0, 0, 8, before_last=3) == (0, 0)


@pytest.mark.both_modes
def test_the_best_rated_reply_above_the_threshold_is_made():
    policy = PLAYOUTS.build("wls")
    good, better = [([4, 0, 6], FIRST_WON)], [([4, 0, 8], FIRST_WON)] * 3
    assert replied(policy, taught(policy, *good), [4, 0]) == 6
    assert replied(policy, taught(policy, *good, *better), [4, 0]) == 8
    assert replied(policy, taught(policy, *better, *good), [4, 0]) == 8
    refuted = taught(policy, *good, *better, *[([4, 0, 8], SECOND_WON)] * 4, *good)
    assert replied(policy, refuted, [4, 0]) == 6
    for seed in range(5):
        half = taught(policy, *good, ([4, 0, 6], SECOND_WON))
        assert replied(policy, half, [4, 0], seed) == fallback_move([4, 0], seed)
        assert replied(policy, taught(policy, *better), [4, 8, 2, 0], seed) == fallback_move([4, 8, 2, 0], seed)


@pytest.mark.both_modes
def test_a_higher_threshold_asks_for_more():
    games = [([4, 0, 8], FIRST_WON)] * 2 + [([4, 0, 8], SECOND_WON)]
    low, high = PLAYOUTS.build("wls(threshold=(1,2))"), PLAYOUTS.build("wls(threshold=(3,4))")
    assert replied(low, taught(low, *games), [4, 0]) == 8
    assert {replied(high, taught(high, *games), [4, 0], seed) for seed in range(20)} != {8}


@pytest.mark.both_modes
def test_of_the_candidates_the_best_rated_is_made():
    policy = PLAYOUTS.build("wls(candidates=100, threshold=(21, 21))")
    lost = [([4, 0, move], SECOND_WON) for move in (1, 2, 3, 5, 6, 7)]
    assert {replied(policy, taught(policy, *lost), [4, 0], seed) for seed in range(5)} == {8}  # never seen: not bad
    won_and_lost = [*lost, ([4, 0, 8], SECOND_WON), *[([4, 0, 5], FIRST_WON)] * 3]
    assert replied(policy, taught(policy, *won_and_lost), [4, 0]) == 5


@pytest.mark.both_modes
def test_end_of_scale_1_is_last_good_reply_with_forgetting():
    """But for one thing: with rates a good reply stays when another one is good, too."""
    wls, lgrf = PLAYOUTS.build("wls(e=1)"), PLAYOUTS.build("lgrf")
    won, lost = ([4, 0, 8], FIRST_WON), ([4, 0, 8], SECOND_WON)
    for games in ([won], [won, lost], [won, lost, won]):
        played = [replied(policy, taught(policy, *games), [4, 0], seed) for policy in (wls, lgrf) for seed in range(5)]
        assert played[:5] == played[5:]


@pytest.mark.both_modes
def test_patterns_are_noted_in_the_tree_and_in_the_playout():
    this = game("hex(size=3)")
    policy = PLAYOUTS.build("wls(context=pattern)")
    memory = policy.new_memory(this)
    position, trace = this.start(), new_trace(this)
    for place, move in enumerate((4, 0), HISTORY):
        notice(policy, this, memory, position.state, trace, place, move)
        position.play(move)
        trace[place] = move
    end = playout(policy, this, memory, position.state, stream(1), trace, HISTORY + 2, this.new_moves())
    learn(policy, this, memory, trace, HISTORY, end, 0, FIRST_WON)
    replay, stones = this.start(), {}
    for place in range(HISTORY, end):
        move, player = int(trace[place]), (place - HISTORY) % 2
        ring = rules.pattern_class(this, replay.state, move) if not replay.over else None
        if ring is not None:
            assert int(memory.classes[place]) == int(ring)
            last = int(trace[place - 1])
            assert fraction_of(policy, memory, player, last, move, pattern=int(ring)) == (1 - player, 1)
            replay.play(move)
        stones[move] = player
    assert len(stones) == 9


@pytest.mark.both_modes
def test_go_classes_tell_captures_and_rescues():
    this = game("go(size=5)")

    def class_of(stones, move):
        return int(rules.pattern_class(this, mg.Position(this, stones, 0).state, this.parse_move(move)))

    assert class_of({}, "C3") == 0
    assert class_of({"C4": 0}, "C3") == 20
    assert class_of({"C4": 1, "B3": 1}, "C3") == 8
    assert class_of({"A1": 1, "A2": 0}, "B1") == 4 + 2
    assert class_of({"A1": 0, "A2": 1}, "B1") == 20 + 1
    assert class_of({}, "pass") == 0


# ------------------------------------------------------------------------------------------------------------- PoolRAVE


def pooled(policy, amaf):
    """Return the memory after a look at a path: the root, player 0 to move, with children of such AMAF means."""
    memory = policy.new_memory(TICTACTOE)
    nodes, path = np.zeros(20, NODE), np.zeros(3, STEP)
    nodes["visits"][0], nodes["first_child"][0], nodes["children"][0] = 1, 1, len(amaf)
    for place, (move, (total, amaf_visits)) in enumerate(amaf.items(), 1):
        nodes["move"][place], nodes["amaf_total"][place], nodes["amaf_visits"][place] = move, total, amaf_visits
    path["node"][1], path["mover"][0], path["mover"][1] = 1, 1, 0
    prepare(policy, TICTACTOE, memory, nodes, path, 1)
    return memory


@pytest.mark.both_modes
def test_the_pool_holds_the_best_moves_with_enough_rave_visits():
    """However often the node itself was visited."""
    policy = PLAYOUTS.build("pool_rave(n=2, p=1, min_visits=10)")
    amaf = {0: (1, 10), 1: (9, 10), 2: (0, 0), 3: (6, 10), 4: (8, 10), 5: (9, 9)}
    memory = pooled(policy, amaf)
    assert memory.sizes.tolist() == [2, 0]
    assert memory.pools[0].tolist() == [1, 4]
    assert pooled(policy, {0: (1, 9), 1: (9, 9)}).sizes.tolist() == [0, 0]
    assert {replied(policy, memory, [], seed) for seed in range(20)} == {1, 4}
    taken = {replied(policy, memory, [1, 8], seed) for seed in range(20)}
    assert 4 in taken
    assert 1 not in taken
    assert replied(policy, memory, [1]) in range(9)  # the other player has no pool


# ------------------------------------------------------------------------------------------- without anything learned


@pytest.mark.both_modes
@pytest.mark.parametrize(
    ("spec", "name"),
    [
        *(("tictactoe", name) for name in POLICIES if "candidates" not in name),  # of whom several are drawn
        *(("hex(size=3)", name) for name in ("lgrf(2)", "wls(pattern)")),
        *(("go(size=3)", name) for name in ("lgrf(2)", "wls(pattern)")),
    ],
)
def test_with_empty_tables_a_policy_is_its_fallback_move_for_move(spec, name):
    this, policy = game(spec), PLAYOUTS.build(name)
    memory, inner = policy.new_memory(this), Uniform().new_memory(this)
    for seed in range(3):
        traces = []
        for one, learned in ((policy, memory), (Uniform(), inner)):
            trace, state = new_trace(this), this.start().state
            end = play_by_move(one, this, learned, state, stream(seed), trace, HISTORY, this.new_moves())
            traces.append((trace[:end].tolist(), float(rules.score(this, state))))
        assert traces[0] == traces[1]


@pytest.mark.both_modes
@pytest.mark.parametrize("name", POLICIES)
def test_switched_off_a_policy_is_its_fallback_in_a_search(name):
    off = PLAYOUTS.build(name)._replace(p=0)
    analyses = []
    for policy in (off, Uniform()):
        found = Uct(playouts=40, rave="silver", playout=policy).search(TICTACTOE).run(TICTACTOE.start(), stream(5))
        analyses.append([(one.move, one.visits, one.value, one.amaf_visits) for one in found.moves])
    assert analyses[0] == analyses[1]


# ---------------------------------------------------------------------------------------------------------- in a search

SEARCHED = [
    *((name, "tictactoe") for name in POLICIES),
    ("wls(pattern, candidates=2)", "hex(size=3)"),
    ("lgrf(2, fallback=wls(fallback=pool_rave))", "tictactoe"),
    ("cut(moves=3, policy=lgrf)", "tictactoe"),
]


def searched(name, spec):
    """Return what two searches of one game with a policy find."""
    this = game(spec)
    search = Uct(playouts=60, rave="silver", playout=PLAYOUTS.build(name)).search(this)
    position, found = this.start(), []
    for move in range(2):
        analysis = search.run(position, stream(7, move))
        found.append([(one.move, one.visits, one.value, one.amaf_value) for one in analysis.moves])
        position.play(analysis.move)
    return json.loads(json.dumps(found))


@pytest.mark.compiled
def test_compiled_and_interpreted_searches_are_the_same(python):
    code = (
        "import json; from tests.playouts.test_learning import searched\n"
        f"print(json.dumps([searched(*one) for one in {SEARCHED!r}]))"
    )
    interpreted = json.loads(python(code, interpreted=True).stdout)
    assert [searched(*one) for one in SEARCHED] == interpreted


@pytest.mark.both_modes
@pytest.mark.parametrize("name", ["lgrf", "wls"])
def test_tables_are_kept_in_a_game_if_asked_for_and_cleared_for_another(name):
    for keep in (True, False):
        policy = PLAYOUTS.build(name)._replace(keep=keep)
        search = Uct(playouts=30, playout=policy).search(TICTACTOE)
        table = search.desks[0].memory.cells if name == "lgrf" else search.desks[0].memory.rates
        position = TICTACTOE.start()
        position.play("a1")
        search.run(position, stream(1))
        assert table.view(np.uint8).any()
        position.play("b2")
        search.plant(position, stream(1))
        assert bool(table.view(np.uint8).any()) == keep
        search.run(position, stream(1))
        search.plant(TICTACTOE.start(), stream(1))
        assert not table.view(np.uint8).any()


@pytest.mark.both_modes
def test_threads_of_a_tree_share_tables_but_not_pools():
    policy = PLAYOUTS.build("wls(fallback=lgrf(fallback=pool_rave))")
    search = Uct(playouts=10, rave="silver", playout=policy, threads=2).search(TICTACTOE)
    one, other = (desk.memory for desk in search.desks)
    assert one.rates is other.rates
    assert one.best is other.best
    assert one.classes is not other.classes
    assert one.inner.cells is other.inner.cells
    assert one.inner.inner.pools is not other.inner.inner.pools
    apart = Uct(playouts=10, rave="silver", playout=policy, threads=2, parallel="root").search(TICTACTOE)
    assert apart.desks[0].memory.rates is not apart.desks[1].memory.rates
    assert Uniform().shared_memory(TICTACTOE, Uniform().new_memory(TICTACTOE)).shape == (1,)
    Uniform().begin_decision(None, False)


@pytest.mark.compiled
def test_searches_on_several_threads_learn_and_end():
    policy = PLAYOUTS.build("lgrf(2, fallback=wls(fallback=pool_rave))")
    search = Uct(playouts=2000, rave="silver", playout=policy, threads=3).search(TICTACTOE)
    found = search.run(TICTACTOE.start(), stream(1))
    assert found.playouts >= 2000
    assert all(TICTACTOE.move_limit() >= cell >= 0 for cell in search.desks[0].memory.cells["move"])


# ---------------------------------------------------------------------------------------------------------- parameters


@pytest.mark.both_modes
def test_specs_are_read_and_printed_back():
    for name in (*POLICIES, "wls(context=pattern, threshold=(2, 3), e=12)", "lgrf(fallback=pool_rave(n=3))"):
        policy = PLAYOUTS.build(name)
        assert PLAYOUTS.build(text(policy)) == policy


@pytest.mark.both_modes
@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("wls(e=-1)", "e must be a whole number from 0"),
        ("wls(threshold=(22, 22))", "threshold must be"),
        ("wls(threshold=(3, 2))", "threshold must be"),
        ("wls(threshold=0.5)", "threshold must be"),
        ("wls(threshold=(1, 2, 3))", "threshold must be"),
        ("wls(k=-1)", "k must be a number from 0"),
        ("wls(z=0)", "z must be"),
        ("wls(context=last3)", "context must be one of last1, last2, pattern"),
        ("wls(candidates=0)", "candidates must be"),
        ("wls(memory=0)", "memory must be"),
        ("wls(fallback=nonsense)", "unknown playout policy 'nonsense'"),
        ("lgr(3)", "order must be a whole number from 1 to 2"),
        ("lgrf(p=2)", "p must be a number from 0 to 1"),
        ("pool_rave(n=0)", "n must be"),
        ("pool_rave(min_visits=0)", "min_visits must be"),
    ],
)
def test_bad_parameters_are_refused_in_one_line(spec, words):
    with pytest.raises(SpecError) as refusal:
        PLAYOUTS.build(spec)
    assert words in str(refusal.value)
    assert "\n" not in str(refusal.value)


@pytest.mark.both_modes
def test_misfits_are_refused():
    with pytest.raises(MontegoError, match="tictactoe has no pattern classes"):
        PLAYOUTS.build("wls(context=pattern)").new_memory(TICTACTOE)
    with pytest.raises(MontegoError, match="rave=silver"):
        Uct(playout="lgrf(fallback=pool_rave)").search(TICTACTOE)
    with pytest.raises(MontegoError, match="needs players who alternate"):
        PLAYOUTS.build("lgr").new_memory(_Irregular())


class _Irregular:
    alternates = False

    def __str__(self):
        return "irregular"
