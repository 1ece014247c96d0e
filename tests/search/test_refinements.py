"""What the refinements promise beyond equality with the plain search: threads, reuse, limits, other players."""

import threading

import numpy as np
import pytest

import montego as mg
from montego.playouts import HISTORY, PLAYOUTS, Sampler
from montego.rewards import REWARD, REWARDS, write_reward
from montego.rng import stream
from montego.search import Limits
from montego.search.records import BARRED

GO = "go(size=5, komi=2.5)"


def searched(spec, game_spec, moves=(), seed=1):
    """Return the player after it has chosen a move in the position after some moves."""
    game = mg.game(game_spec)
    position = game.start()
    for move in moves:
        position.play(move)
    player = mg.player(spec, game, seed=seed)
    player.choose(position)
    return player


# ------------------------------------------------------------------------------------------------------------- threads


@pytest.mark.parametrize("parallel", ["tree", "root"])
def test_threads_spend_the_budget_together(parallel):
    """Lost updates may take a few visits from the counts, but not many, and nothing from the budget."""
    player = searched(f"uct(playouts=4000, threads=3, parallel={parallel}, rave=silver)", GO)
    analysis = player.analysis()
    assert analysis.playouts == 4000
    assert 3000 <= sum(entry.visits for entry in analysis.moves) <= 4100
    assert all(entry.visits >= 0 for entry in analysis.moves)


def test_virtual_loss_changes_nothing_for_one_thread():
    games = [searched(f"uct(playouts=500, virtual_loss={loss})", GO).analysis().moves for loss in (0, 3)]
    assert games[0] == games[1]


def simulated(spec, count, game=GO, shared=True):
    """Return a search of several threads of which one has simulated alone, as if others wrote to the tree, or not."""
    game = mg.game(game)
    search = mg.PLAYERS.build(spec).search(game)
    search.record.shared = shared
    search.plant(game.start(), stream(3))
    search.simulate(game.start(), count, worker=0)
    return search


def test_virtual_losses_are_taken_back():
    """A single thread of a search that has virtual losses switched on ends with its true visits."""
    search = simulated("uct(rave=silver, threads=2, virtual_loss=5, expand=visits(4, least=1))", 300)
    assert int(search.trees[0].nodes[0].visits) == 300 == int(search.children()["visits"].sum())


def test_virtual_losses_expand_no_leaf_before_its_time():
    sizes = [simulated(f"uct(expand=visits(5), threads=2, virtual_loss={loss})", 300) for loss in (0, 9)]
    assert sizes[0].nodes_in_use() == sizes[1].nodes_in_use()


@pytest.mark.compiled
def test_amaf_of_busy_nodes_is_sampled_without_bias():
    """One simulation in four counts four times: about as many AMAF visits as without, and the same means.

    The same 20,000 simulations, as moves are chosen whatever their statistics. The standard error of a sampled count is
    1.4 %, of a mean 0.009; the bounds are five of them.
    """
    every, sampled = (
        simulated("uct(rave=silver, choice=boltzmann(k=0), depth=1, threads=2)", 20_000, "hex(size=4)", shared)
        for shared in (False, True)
    )
    counts = [search.children()["amaf_visits"].astype(float) for search in (every, sampled)]
    means = [search.children()["amaf_total"] / search.children()["amaf_visits"] for search in (every, sampled)]
    assert (counts[0] != counts[1]).any()
    assert np.abs(counts[1] / counts[0] - 1).max() < 0.07
    assert np.abs(means[1] - means[0]).max() < 0.05


def test_a_failing_thread_is_heard(monkeypatch):
    player = mg.player("uct(playouts=1000, threads=2)", "tictactoe", seed=1)

    def fail(*args, **kwargs):
        raise RuntimeError("lost a thread")

    monkeypatch.setattr(player._search, "simulate", fail)
    with pytest.raises(RuntimeError, match="lost a thread"):
        player.choose(mg.game("tictactoe").start())


# --------------------------------------------------------------------------------------------------------------- reuse


@pytest.mark.both_modes
@pytest.mark.parametrize("spec", ["uct(playouts=200, reuse=true)", "uct(playouts=200, reuse=true, bandit=tuned)"])
def test_the_tree_is_kept_for_the_next_move(spec):
    game = mg.game("tictactoe")
    player = mg.player(spec, game, seed=2)
    position = game.start()
    position.play(player.choose(position))
    reply = position.legal_moves()[0]
    search = player._search
    old = search.children(0)
    mine = next(i for i, child in enumerate(old) if int(child["move"]) == position.moves[-1])
    position.play(reply)
    children = search.children(int(search.trees[0].nodes[0].first_child) + mine)
    before = {int(child["move"]): int(child["visits"]) for child in children}
    assert before[position.moves[-1]] > 0
    search.plant(position, stream(1))
    assert int(search.trees[0].nodes[0].visits) == before[position.moves[-1]]
    player.choose(position)
    assert player.analysis().playouts == 200
    assert sum(entry.visits for entry in player.analysis().moves) > 200


@pytest.mark.both_modes
def test_another_game_starts_a_new_tree():
    player = mg.player("uct(playouts=100, reuse=true)", "tictactoe", seed=2)
    player.choose(mg.game("tictactoe").start().play("a1"))
    player.choose(mg.game("tictactoe").start().play("b2"))
    assert sum(entry.visits for entry in player.analysis().moves) == 100


@pytest.mark.both_modes
def test_a_kept_tree_obeys_the_history_of_the_game():
    """Black at A2 would repeat the board after the second move. The tree knows simple ko only, so the move is in it."""
    game = mg.game("go(size=2, komi=0.5)")
    search = mg.PLAYERS.build("uct(playouts=100, reuse=true, solver=false)").search(game)
    position = game.start()
    for move in ("A2", "B1", "B2", "pass", "A1"):
        position.play(move)
    search.run(position.copy(), stream(1))
    capture = search.children()["move"].tolist().index(game.parse_move("B1"))
    replies = search.children(int(search.trees[0].nodes[0].first_child) + capture)
    before = dict(zip(replies["move"].tolist(), replies["visits"].tolist(), strict=True))
    forbidden = game.parse_move("A2")
    assert before[forbidden] > 0
    position.play("B1")
    assert not position.is_legal("A2")
    analysis = search.run(position.copy(), stream(1))
    after = {int(child["move"]): child for child in search.children()}
    assert sum(int(child["visits"]) for child in after.values()) > 100  # the tree was kept
    assert [move for move, child in after.items() if child["status"] & BARRED] == [forbidden]
    assert int(after[forbidden]["visits"]) == before[forbidden]  # and is not searched any more
    assert {entry.move for entry in analysis.moves} <= set(position.legal_moves())
    assert analysis.moves[0].move == analysis.move


# -------------------------------------------------------------------------------------------------------------- limits


def test_a_watcher_sees_and_stops():
    seen = []

    def watch(look):
        seen.append(look())
        return len(seen) == 3

    for spec in ("uct(playouts=100000000)", "uct(playouts=100000000, threads=2)", "flat(playouts=100000000)"):
        seen.clear()
        player = mg.player(spec, GO, seed=1)
        player.choose(player.game.start(), Limits(watch=watch))
        assert 0 < seen[0].playouts <= seen[2].playouts <= player.analysis().playouts < 10**8


@pytest.mark.parametrize(
    "spec", ["uct(playouts=0, seconds=5)", "flat(playouts=0, seconds=5)", "ucb(seconds=5)", "depth(i=1)"]
)
def test_limits_replace_the_budget(spec):
    player = mg.player(spec, "tictactoe", seed=1)
    player.choose(player.game.start(), Limits(playouts=90, seconds=0))
    assert player.analysis().playouts == 90


def test_seconds_are_kept_by_every_search():
    """Without playouts to end them these searches would never return; benchmarks/search.py measures the time itself."""
    for spec in ("uct", "uct(threads=2)", "ucb", "flat", "depth"):
        name, _, rest = spec.partition("(")
        settings = mg.PLAYERS.build(f"{name}({rest.rstrip(')')}{', ' if rest else ''}playouts=0, seconds=0.05)")
        player = mg.Player(settings, mg.game(GO), 1)
        player.choose(player.game.start())
        assert player.analysis().playouts > 0


def test_an_endless_budget_is_refused():
    with pytest.raises(mg.SpecError, match="both 0"):
        mg.PLAYERS.build("uct(playouts=0)")


def test_searches_in_several_threads_do_not_disturb_each_other():
    expected = searched("uct(playouts=2000)", GO).analysis().moves
    found = []
    workers = [
        threading.Thread(target=lambda: found.append(searched("uct(playouts=2000)", GO).analysis().moves))
        for _ in range(3)
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert found == [expected] * 3


# -------------------------------------------------------------------------------------------------- what is found out


@pytest.mark.both_modes
def test_analysis_tells_bounds_owners_scores_and_effort():
    analysis = searched("uct(playouts=400, survey=1, solver=false)", "tictactoe", ["b2", "a1"]).analysis()
    for entry in analysis.moves:
        if entry.visits:
            assert 0 <= entry.lower <= entry.value <= entry.upper <= 1
    assert sum(analysis.score_histogram.values()) == 400
    assert set(analysis.score_histogram) <= {-1.0, 0.0, 1.0}
    assert len(analysis.ownership) == 9
    assert (analysis.ownership["b2"], analysis.ownership["a1"]) == (1.0, -1.0)
    assert analysis.playouts_per_second > 0
    assert analysis.greatest_depth >= analysis.mean_depth > 1
    assert analysis.memory == 40 * analysis.nodes
    assert analysis.as_dict()["moves"][0]["move"] == analysis.moves[0].move


def test_go_ownership_counts_surrounded_points():
    """Black's wall: nearly everything on its side is Black's in the end."""
    game = mg.game("go(size=5, komi=0.5)")
    board = "..X.O ..X.O ..X.O ..X.O ..X.O"
    position = mg.Position.from_text(game, board)
    player = mg.player("uct(playouts=800, survey=1)", game, seed=1)
    player.choose(position)
    owners = player.analysis().ownership
    assert owners["C3"] > 0.8
    assert owners["A3"] > 0.8


@pytest.mark.both_modes
def test_a_solved_position_ends_the_search_and_is_called_so():
    analysis = searched("uct(playouts=5000)", "tictactoe", ["a1", "a3", "b1", "b3"]).analysis()
    assert analysis.move == "c1"
    assert analysis.best().proven == "win"
    assert analysis.settled == "the result is proven"
    assert analysis.playouts < 5000


@pytest.mark.both_modes
def test_pruning_stops_when_one_move_is_left():
    analysis = searched(
        "flat(playouts=20000, prune=hard(rd=1, sigma=0.5, visits=20, every=10))", "tictactoe", ["a1", "a3", "b1", "b3"]
    ).analysis()
    assert analysis.move == "c1"
    assert analysis.settled in ("all moves but one are pruned", "the moves left are statistically equal")
    assert sum(entry.pruned for entry in analysis.moves) >= 1
    assert analysis.playouts < 20000


# ------------------------------------------------------------------------------------------------------- other players


@pytest.mark.both_modes
def test_flat_with_random_first_moves_and_amaf():
    analysis = searched("flat(playouts=600, first=random, amaf=true)", "tictactoe", ["b2"]).analysis()
    visits = [entry.visits for entry in analysis.moves]
    assert sum(visits) == 600
    assert len(set(visits)) > 1
    best = max(analysis.moves, key=lambda entry: entry.amaf_value)
    assert analysis.number == best.number
    assert all(entry.amaf_visits >= entry.visits for entry in analysis.moves)


@pytest.mark.both_modes
def test_depth_sees_what_flat_does_not():
    """Two plies deep the threat of a row is certain; a full tree to the end is perfect play."""
    position = mg.game("tictactoe").start()
    for move in ("b2", "a1", "b3"):
        position.play(move)
    player = mg.player("depth(i=2, playouts=3000)", "tictactoe", seed=1)
    assert player.choose(position) == "b1"
    for move in ("b1", "a3"):
        position.play(move)
    full = mg.player("depth(i=9, playouts=1)", "tictactoe", seed=1)
    full.choose(position)
    assert {entry.value for entry in full.analysis().moves} <= {0.0, 0.5, 1.0}


@pytest.mark.both_modes
@pytest.mark.parametrize("i", [1, 2, 9])
def test_depth_counts_the_length_of_games_from_the_root(i):
    """One move is left, and it wins: however deep the tree is, the game is one move long."""
    game = mg.game("tictactoe")
    position = game.start()
    for move in ("a1", "c1", "b2", "b3", "b1", "a2", "a3", "c2"):
        position.play(move)
    search = mg.PLAYERS.build(f"depth(i={i}, playouts=5, reward=quality(of=length))").search(game)
    for _ in range(2):  # a decision remembers nothing of the one before
        analysis = search.run(position, stream(1))
        wins = search.desk.wins
        assert analysis.move == "c3"
        assert wins.quality_mean.tolist() == [-1, 0]
        assert int(wins.won[0]) == 5 + (i > 1)


@pytest.mark.both_modes
def test_playouts_of_depth_see_the_moves_before_them():
    game = mg.game("tictactoe")
    search = mg.PLAYERS.build("depth(i=2, playouts=1)").search(game)
    search.run(game.start(), stream(1))
    assert search.desk.trace[:HISTORY].tolist() == [
        8,
        7,
    ]  # the last leaf: the last move, and the last answer to it
    search = mg.PLAYERS.build("depth(i=1, playouts=1)").search(game)
    search.run(game.start().play("b2"), stream(1))
    assert search.desk.trace[:HISTORY].tolist() == [4, 8]


def test_depth_refuses_a_tree_that_is_too_large():
    with pytest.raises(mg.MontegoError, match="use a smaller i"):
        searched("depth(i=5)", "hex(size=11)")


@pytest.mark.both_modes
def test_a_temperature_varies_the_move_played():
    moves = {
        searched("flat(playouts=90, final_choice=boltzmann(k=0))", "tictactoe", seed=seed).analysis().move
        for seed in range(30)
    }
    assert len(moves) >= 6  # uniform over nine: fewer than six of them in thirty draws happens once in 10^5 runs
    for seed in range(5):
        analysis = searched("flat(playouts=90, final_choice=boltzmann(k=1000000))", "tictactoe", seed=seed).analysis()
        assert analysis.best().value == max(entry.value for entry in analysis.moves)


# ------------------------------------------------------------------------------------------------------------- rewards


@pytest.mark.both_modes
@pytest.mark.parametrize(
    ("spec", "move", "kind", "constant"),
    [
        ("phased", 7, 0, 0.0),
        ("phased", 8, 2, 1.0),
        ("phased(k=0.5)", 8, 2, 0.5),
        ("phased(k=0.5)", 16, 2, 0.5),
        ("phased(k=0.5)", 17, 2, 0.4),
        ("until(5, sigmoid(0.1), win_loss)", 5, 2, 0.1),
        ("until(5, sigmoid(0.1), win_loss)", 6, 0, 0.0),
        ("ramp(0.2, 0.6, 10, 20)", 1, 2, 0.2),
        ("ramp(0.2, 0.6, 10, 20)", 15, 2, 0.4),
        ("ramp(0.2, 0.6, 10, 20)", 99, 2, 0.6),
    ],
)
def test_schedules_of_rewards(spec, move, kind, constant):
    rule = np.zeros(1, REWARD)[0]
    write_reward(rule, REWARDS.build(spec), mg.game("blokus_duo"), move)
    assert (rule.kind, rule.k) == (kind, pytest.approx(constant))


@pytest.mark.both_modes
def test_a_steep_sigmoid_does_not_overflow():
    assert searched("uct(playouts=60, reward=sigmoid(k=1000000))", "tictactoe").analysis().playouts == 60


@pytest.mark.both_modes
def test_the_scale_of_win_or_lose_divides_c():
    """A reward of twice the range with c orders moves as one of the range 1 with c / 2."""
    wide, narrow = (
        searched(f"uct(playouts=120, solver=false, {spec})", "tictactoe").analysis().moves
        for spec in ("c=1.4, reward=win_loss(scale=2)", "c=0.7")
    )
    assert wide == narrow


@pytest.mark.both_modes
@pytest.mark.parametrize("reward", ["score", "sigmoid", "quality", "until(move=0, after=sigmoid)"])
def test_the_solver_does_not_give_the_margin_away(reward):
    """Where more than winning counts, a proven win must not end the search: all playouts are used."""
    analysis = searched(f"uct(playouts=300, reward={reward})", "tictactoe", ["a1", "a3", "b1", "b3"]).analysis()
    assert analysis.playouts == 300
    assert {entry.proven for entry in analysis.moves} == {None}


@pytest.mark.both_modes
def test_proofs_of_a_kept_tree_are_forgotten_when_the_score_counts():
    game = mg.game("tictactoe")
    search = mg.PLAYERS.build("uct(playouts=400, reuse=true, reward=until(5, win_loss, score))").search(game)
    position = game.start()
    for move in ("a1", "a3", "b1", "c3"):
        position.play(move)
    search.run(position.copy(), stream(1))
    assert (search.children()["status"] & 3).any()
    position.play("b3")
    search.plant(position, stream(1))
    assert not (search.children()["status"] & 3).any()


# ------------------------------------------------------------------------------------------------------------ playouts


def test_cut_playouts_are_short_and_merciful():
    game = mg.game("go(size=9)")
    for policy, most in (("cut(moves=30)", 30), ("cut(mercy=15, every=10)", 150)):
        sampler = Sampler(game, game.start().state, stream(1), PLAYOUTS.build(policy))
        totals = sampler.run(200)
        assert int(totals.moves) <= 200 * most
    assert searched("uct(playouts=200, playout=cut(moves=20, mercy=10))", "go(size=9)").analysis().playouts == 200


@pytest.mark.both_modes
def test_a_cut_that_never_cuts_changes_nothing():
    plain = searched("uct(playouts=150)", "tictactoe").analysis()
    cut = searched("uct(playouts=150, playout=cut)", "tictactoe").analysis()
    assert plain.moves == cut.moves


# -------------------------------------------------------------------------------------------------------------- misfits


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("uct(threads=0)", "threads must be a whole number from 1 to 1024"),
        ("uct(prune=soft(rd=-1))", "rd must be a number from 0"),
        ("uct(prune=soft(sigma=nan))", "sigma must be a number"),
        ("uct(choice=boltzmann(k=-1))", "k must be a number from 0"),
        ("uct(bias=inf)", "unknown bias 'inf'"),
        ("uct(bias=-1)", "weight must be a number from 0"),
        ("uct(bias=true)", "bias must be one of off, progressive, puct"),
        ("uct(initial=values(count=-1))", "count must be a number from 0"),
        ("uct(amaf_weight=falling(near=nan))", "near must be a number from 0"),
        ("uct(stop=decided(every=0))", "every must be a whole number from 1"),
        ("uct(widen=progressive(growth=0.5))", "growth must be a number from 1 to 100"),
        ("uct(expand=transition(confidence=1.5))", "confidence must be a number from 0.5"),
        ("depth(i=0)", "i must be a whole number from 1 to 20"),
        ("flat(first=last)", "first must be one of equal, random"),
    ],
)
def test_bad_settings(spec, message):
    with pytest.raises(mg.SpecError, match=message):
        mg.PLAYERS.build(spec)


@pytest.mark.both_modes
@pytest.mark.parametrize("spec", ["uct(criticality=1)", "uct(criticality=1, rave=silver, survey=0)"])
def test_criticality_needs_amaf_statistics_and_a_survey(spec):
    with pytest.raises(mg.MontegoError, match="give rave=silver and survey=4"):
        mg.player(spec, "hex(size=4)")


@pytest.mark.both_modes
@pytest.mark.parametrize("spec", ["uct(playouts=50, bias=1)", "uct(playouts=50, widen=progressive(visits=2))"])
def test_weights_of_the_prior_reach_the_analysis(spec):
    """A policy without weights of its own gives every move the same; a search that does not use them reports none."""
    analysis = searched(spec, "tictactoe").analysis()
    assert [entry.prior for entry in analysis.moves] == pytest.approx([1 / 9] * 9)
    analysis = searched("uct(playouts=50)", "tictactoe").analysis()
    assert [entry.prior for entry in analysis.moves] == [None] * 9
