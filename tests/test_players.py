"""Players: chosen by spec, repeatable by seed, and better than chance where they should be."""

import pytest

import montego as mg
from montego.lab import sigmoid
from montego.players import PLAYERS
from montego.spec import text

TICTACTOE = "tictactoe"


def position_after(*moves: str) -> mg.Position:
    position = mg.game(TICTACTOE).start()
    for move in moves:
        position.play(move)
    return position


def play_game(first: mg.Player, second: mg.Player) -> mg.Position:
    position = first.game.start()
    while not position.over:
        position.play((first, second)[position.to_move].choose_number(position))
    return position


@pytest.mark.both_modes
@pytest.mark.parametrize(
    "name",
    [name for name in PLAYERS.names() if name not in ("gtp", "micro_reduction")],  # tests of their own: not this game
)
def test_every_player_finishes_a_game_and_explains_itself(name: str) -> None:
    player = mg.player(name, TICTACTOE, seed=3)
    position = play_game(player, player)
    assert position.winner in (-1, 0, 1)
    analysis = player.analysis()
    assert analysis.move == position.last_move
    assert analysis.number == position.moves[-1]
    assert str(player) == text(PLAYERS.build(name))


@pytest.mark.both_modes
def test_plain_uct_is_the_player_of_the_sigmoid_paper() -> None:
    """By name and as the laboratory spells it out, the same search and the same moves."""
    position = position_after("b2")
    for reward in ("win_loss", "sigmoid(k=0.3)"):
        named = mg.player(f"plain_uct(playouts=60, reward={reward})", TICTACTOE, seed=2)
        written = mg.player(sigmoid.UCT.format(n=60, reward=reward), TICTACTOE, seed=2)
        assert named.settings.search(named.game).settings == written.settings
        assert named.choose(position) == written.choose(position)
        assert named.analysis().moves == written.analysis().moves


@pytest.mark.both_modes
@pytest.mark.parametrize("spec", ["random", "flat(playouts=50)"])
def test_equal_seeds_give_equal_games(spec: str) -> None:
    games = [
        play_game(mg.player(spec, TICTACTOE, seed=seed), mg.player(spec, TICTACTOE, seed=seed + 100)).history
        for seed in (1, 1, 2, 3, 4)
    ]
    assert games[0] == games[1]
    assert any(game != games[0] for game in games[2:])


@pytest.mark.both_modes
def test_a_choice_depends_on_the_position_only() -> None:
    player = mg.player("flat(playouts=30)", TICTACTOE, seed=5)
    start, later = position_after(), position_after("b2", "a1")
    first = player.choose(start)
    player.choose(later)
    assert player.choose(start) == first
    assert start == position_after()


@pytest.mark.both_modes
def test_a_seed_is_drawn_when_none_is_given() -> None:
    player = mg.player("random", TICTACTOE)
    assert mg.player("random", TICTACTOE, seed=player.seed).choose(position_after()) == player.choose(position_after())


@pytest.mark.both_modes
@pytest.mark.parametrize(
    ("moves", "answer"),
    [
        (["a1", "a3", "b1", "b3"], "c1"),  # X wins at once, rather than block
        (["b2", "a1", "b3"], "b1"),  # O must block
        (["a1", "a3", "b1", "b3", "a2"], "c3"),  # O wins at once
    ],
)
def test_flat_wins_and_blocks(moves: list[str], answer: str) -> None:
    player = mg.player("flat(playouts=200)", TICTACTOE, seed=1)
    assert player.choose(position_after(*moves)) == answer
    best = player.analysis().best()
    assert best is not None
    assert best.value == max(entry.value for entry in player.analysis().moves if entry.value is not None)


@pytest.mark.both_modes
def test_flat_gives_every_move_equal_playouts() -> None:
    player = mg.player("flat(playouts=100)", TICTACTOE, seed=1)
    player.choose(position_after("b2"))
    analysis = player.analysis()
    assert [entry.visits for entry in analysis.moves] == [12] * 8
    assert analysis.playouts == 96
    assert {entry.move for entry in analysis.moves} == set(position_after("b2").legal_moves())
    assert all(entry.value is not None and 0 <= entry.value <= 1 for entry in analysis.moves)


@pytest.mark.both_modes
def test_a_winning_move_is_worth_one_for_either_player() -> None:
    for moves in (["a1", "a3", "b1", "b3"], ["a1", "a3", "b1", "b3", "a2"]):
        player = mg.player("flat(playouts=30)", TICTACTOE, seed=1)
        player.choose(position_after(*moves))
        best = player.analysis().best()
        assert best is not None
        assert best.value == 1.0


def test_flat_beats_random() -> None:
    """40 games as second player. A fair coin would win 30 or more of them once in 900 runs, and the seed is fixed."""
    wins = 0
    for seed in range(40):
        position = play_game(mg.player("random", TICTACTOE, seed), mg.player("flat(playouts=60)", TICTACTOE, seed))
        wins += position.winner == 1
    assert wins >= 30


@pytest.mark.both_modes
@pytest.mark.parametrize(
    "name", ["uct", "ucb", "flat", "plain_uct", "depth", "first_order", "second_order", "higher_order"]
)
def test_seconds_alone_are_not_cut_short_by_a_default_of_playouts(name):
    usual = mg.PLAYERS.build(name)
    assert usual.playouts >= 1000
    timed = mg.PLAYERS.build(f"{name}(seconds=2)")
    assert timed.playouts == 0
    assert mg.PLAYERS.build(text(timed)) == timed
    both = mg.PLAYERS.build(f"{name}(seconds=2, playouts={usual.playouts})")
    assert both.playouts == usual.playouts
    assert mg.PLAYERS.build(text(both)) == both


@pytest.mark.both_modes
@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("flatt", "did you mean 'flat'"),
        ("flat(playouts=0)", "playouts and seconds are both 0"),
        ("flat(playouts=x)", "playouts must be a whole number"),
        ("flat(playoutss=5)", "did you mean 'playouts'"),
        ("random(1)", "^random: .*values"),
    ],
)
def test_bad_specs_are_refused_in_one_line(spec: str, message: str) -> None:
    with pytest.raises(mg.SpecError, match=message) as caught:
        mg.player(spec, TICTACTOE)
    assert "\n" not in str(caught.value)


@pytest.mark.both_modes
def test_misuse_is_refused() -> None:
    player = mg.player("random", TICTACTOE, seed=1)
    with pytest.raises(mg.MontegoError, match="no analysis yet"):
        player.analysis()
    with pytest.raises(mg.IllegalMove, match="the game is over"):
        player.choose(position_after("a1", "a3", "b1", "b3", "c1"))
    with pytest.raises(mg.MontegoError, match="at least 0, not -1"):
        mg.player("random", TICTACTOE, seed=-1)


@pytest.mark.both_modes
def test_settings_and_keywords_describe_a_player_too() -> None:
    uct = PLAYERS["uct"]
    for player in (
        mg.player("uct(playouts=500)", TICTACTOE),
        mg.player(uct(playouts=500), TICTACTOE),
        mg.player("uct", TICTACTOE, playouts=500),
        mg.player("uct(7)", TICTACTOE, playouts=500),
        mg.player("uct(playouts=7)", TICTACTOE, playouts=500),
        mg.player(uct(playouts=7), mg.game(TICTACTOE), playouts=500),
    ):
        assert player.settings == uct(playouts=500)
    assert str(mg.player("flat", TICTACTOE, playouts=50, first="random")) == "flat(playouts=50, first=random)"


@pytest.mark.both_modes
@pytest.mark.parametrize("given", ["uct(playouts=9)", PLAYERS.build("uct(playouts=9)")])
def test_keywords_mean_the_same_as_in_the_spec(given: object) -> None:
    """Parameters that follow from others do so again: RAVE sets c to 0."""
    player = mg.player(given, TICTACTOE, rave="silver(b=0.1)", bandit="tuned")
    assert player.settings == PLAYERS.build("uct(playouts=9, rave=silver(b=0.1), bandit=tuned)")
    assert player.settings.c == 0
    assert mg.player("uct(c=1)", TICTACTOE, rave="silver").settings.c == 1


@pytest.mark.both_modes
@pytest.mark.parametrize(
    ("given", "parameters", "message"),
    [
        ("uct", {"playoutss": 5}, "^uct: unknown parameter 'playoutss'; did you mean 'playouts'"),
        ("uct", {"playouts": -5}, "^uct: playouts must be a whole number of at least 0, not -5"),
        ("utc", {"playouts": 5}, "^unknown player 'utc'; did you mean 'uct'"),
        ("uct(playouts=5, 7)", {"seconds": 5}, "key=value"),
        ("random(1)", {"playouts": 5}, "^random: "),
        ("uct(1, playouts=2)", {"seconds": 5}, "'playouts' is given twice"),
        (PLAYERS["uct"], {}, "a player is a spec such as"),
        (None, {}, "a player is a spec such as"),
        (mg.game(TICTACTOE), {}, "a player is a spec such as"),
    ],
)
def test_bad_players_are_refused_in_one_line(given: object, parameters: dict[str, object], message: str) -> None:
    with pytest.raises(mg.MontegoError, match=message) as caught:
        mg.player(given, TICTACTOE, **parameters)
    assert "\n" not in str(caught.value)
