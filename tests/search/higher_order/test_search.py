"""The players by first-, second- and higher-order statistics: budgets, games, parameters, patterns kept."""

import numpy as np
import pytest

import montego as mg
from montego.errors import MontegoError, SpecError
from montego.rng import stream
from montego.search import Limits

PLAYERS = ["first_order", "second_order", "higher_order"]
QUICK = {
    "first_order": "first_order(playouts=100)",
    "second_order": "second_order(playouts=100)",
    "higher_order": "higher_order(playouts=200, every=64, seen=5)",
}


@pytest.mark.both_modes
@pytest.mark.parametrize("name", PLAYERS)
@pytest.mark.parametrize("game_spec", ["tictactoe", "y(size=3)", "hex(size=3, swap=true)", "go(size=3, komi=2.5)"])
def test_whole_games(name, game_spec):
    game = mg.game(game_spec)
    few = "playouts=40, every=16, seen=2, batch=8" if name == "higher_order" else "playouts=20"
    player = mg.player(f"{name}({few})", game, seed=4)
    position = game.start()
    while not position.over:
        position.play(player.choose(position))
    assert position.winner in (-1, 0, 1)


@pytest.mark.both_modes
@pytest.mark.parametrize("name", PLAYERS)
def test_the_same_seed_gives_the_same_analysis(name):
    game = mg.game("hex(size=3)")
    found = []
    for seed in (1, 1, 2):
        player = mg.player(QUICK[name], game, seed=seed)
        player.choose(game.start())
        found.append([(entry.visits, entry.value, entry.amaf_value) for entry in player.analysis().moves])
    assert found[0] == found[1]
    assert found[0] != found[2]


@pytest.mark.both_modes
@pytest.mark.parametrize("name", PLAYERS)
def test_a_winning_move_is_found(name):
    """Black needs one stone that connects all sides; a whole playout with it is always won."""
    position = mg.game("y(size=3)").start()
    for move in ("b2", "a1", "b3", "a2"):
        position.play(move)
    player = mg.player(QUICK[name], position.game, seed=1)
    after = position.copy().play(player.choose(position))
    assert after.winner == 0


@pytest.mark.parametrize("name", PLAYERS)
def test_exactly_the_playouts_of_the_budget(name):
    game = mg.game("y(size=4)")
    for playouts in (1, 63, 64, 65, 1000):
        player = mg.player(f"{name}(playouts={playouts})", game, seed=1)
        player.choose(game.start())
        assert player.analysis().playouts == playouts
    player.choose_number(game.start(), Limits(playouts=17))
    assert player.analysis().playouts == 17


@pytest.mark.parametrize("name", PLAYERS)
def test_seconds_and_watchers(name):
    game = mg.game("y(size=8)")
    player = mg.player(f"{name}(playouts=0, seconds=0.2)", game, seed=1)
    player.choose(game.start())
    assert player.analysis().playouts > 0
    looks = []

    def stop_at_third(look):
        looks.append(look().playouts)
        return len(looks) == 3

    player.choose_number(game.start(), Limits(playouts=0, seconds=0, watch=stop_at_third))
    assert len(looks) == 3


def test_better_than_chance():
    """10 of 10 against random moves: a player of 80 % would do that once in 10."""
    game = mg.game("y(size=6)")
    for name in PLAYERS:
        for seed in range(10):
            players = [mg.player(f"{name}(playouts=300)", game, seed=seed), mg.player("random", game, seed=seed)]
            position = game.start()
            while not position.over:
                position.play(players[(position.to_move + seed) % 2].choose(position))
            assert position.winner == seed % 2


@pytest.mark.both_modes
def test_the_answer_to_a_threat_is_learnt():
    """White can cut at one of two points: a second-order player sees the pair by its h(m0 | {m1})."""
    game = mg.game("hex(size=3)")
    search = mg.PLAYERS.build("second_order(playouts=2000)").search(game)
    position = game.start().play("a1").play("b2")
    search.run(position, stream(2))
    table, bench = search.table, search.bench
    top, bottom = (int(bench.slots[game.parse_move(name)]) for name in ("c1", "c2"))
    # Blue has b2; once Red has one of the two links to the right side, the other is worth more to Blue than before.
    after = table.wins[table.singles[0, top], 1, bottom] / table.made[table.singles[0, top], 1, bottom]
    other = [
        table.wins[table.singles[0, top], 1, s] / max(1, table.made[table.singles[0, top], 1, s]) for s in range(7)
    ]
    assert after >= max(value for s, value in enumerate(other) if s not in (top,)) - 0.1


@pytest.mark.both_modes
def test_patterns_are_kept_between_moves():
    game = mg.game("y(size=4)")
    search = mg.PLAYERS.build("higher_order(playouts=300, every=50, seen=5, relevance=0.001, reuse=true)").search(game)
    position = game.start()
    first = search.run(position, stream(1))
    before = {frozenset(pattern.moves): number for number, pattern in enumerate(search.patterns())}
    old = search.table
    old_moves = search.bench.moves.tolist()
    answer = first.principal_variation[1]
    position.play(first.move).play(answer)
    made = {(0, first.number), (1, position.moves[-1])}
    search.prepare(position, stream(2))
    kept = [frozenset(pattern.moves) for pattern in search.patterns()]
    assert len(kept) > 1
    taken = {move for _, move in made}
    for number, moves in enumerate(kept):
        assert not {move for _, move in moves} & taken
        sources = [full for full in before if full - made == moves]
        source = before[max(sources, key=len)]
        assert search.table.seen[number] == old.seen[source]
        slots = [old_moves.index(move) for move in search.bench.moves]
        assert np.array_equal(search.table.made[number], old.made[source][:, slots])
    search.run(position, stream(2))
    search.prepare(game.start(), stream(2))  # not a later position
    assert len(search.patterns()) == 1


@pytest.mark.both_modes
def test_micro_reduction_as_prior():
    game = mg.game("y(size=4)")
    search = mg.PLAYERS.build("first_order(playouts=1, prior=1000)").search(game)
    found = search.run(game.start(), stream(1))
    assert found.move == mg.player("micro_reduction", game, seed=1).choose(game.start())
    assert abs(search.table.seen[0] - 1001) < 1e-9


@pytest.mark.both_modes
def test_ownership_and_principal_variation():
    game = mg.game("y(size=4)")
    player = mg.player("higher_order(playouts=200)", game, seed=1)
    position = game.start().play("b3").play("a1")
    player.choose(position)
    analysis = player.analysis()
    owners = position.owners()
    assert list(analysis.ownership) == list(game.layout().names)
    found = np.array(list(analysis.ownership.values()))
    assert (found[owners == 0] == 1).all()
    assert (found[owners == 1] == -1).all()
    assert np.abs(found[owners < 0]).max() < 1
    assert len(analysis.principal_variation) == 2
    assert len(set(analysis.principal_variation)) == 2
    assert 0 <= analysis.best().value <= 1


@pytest.mark.both_modes
@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("first_order(playouts=0)", "playouts and seconds are both 0"),
        ("second_order(playouts=-1)", "playouts must be a whole number of at least 0"),
        ("higher_order(order=0)", "order must be a whole number from 1 to 64"),
        ("higher_order(noise=-1)", "noise must be a number from 0 to 100"),
        ("higher_order(batch=65)", "batch must be a whole number from 1 to 64"),
        ("higher_order(copy=2)", "copy must be a number from 0 to 1"),
        ("higher_order(criterion=luck)", "criterion must be one of information, weighted, gain"),
        ("higher_order(final=last)", "final must be one of first, minmax"),
        ("higher_order(selected=true, noise=0)", "give noise or optimism above 0"),
        ("higher_order(seen=0)", "seen must be a number from 1 to"),
        ("micro_reduction(depth=2)", "unknown parameter 'depth'"),
    ],
)
def test_bad_parameters(spec, message):
    with pytest.raises(SpecError, match=message):
        mg.player(spec, "y(size=3)")


@pytest.mark.both_modes
def test_games_that_do_not_fit():
    with pytest.raises(MontegoError, match="placements, up to 1024 of them; blokus_duo has 13,"):
        mg.player("higher_order", "blokus_duo")
    with pytest.raises(MontegoError, match="leave prior out"):
        mg.player("first_order(prior=10)", "tictactoe")
