"""Real games against GNU Go, refereed by the arena, and its opinion of the score beside ours."""

import collections
import json

import pytest

import montego as mg
from montego import sgf
from montego.arena.game import Task, play_game
from montego.cli.main import run
from montego.games import Position, rules
from montego.opponents import Gtp
from montego.rng import stream
from tests.external import require_program

LEVEL_0 = "--mode gtp --chinese-rules --level 0"


def gnugo_command(options=LEVEL_0):
    return f"{require_program('gnugo')} {options}"


def signed(score):
    """Return a score such as B+3.5 from Black's perspective."""
    return 0.0 if score == "0" else (1 if score[0] == "B" else -1) * float(score[2:])


def without(position, dead):
    """Return the score of a position when some stones are taken off."""
    names = position.game.layout().names
    stones = {name: int(o) for name, o in zip(names, position.owners(), strict=True) if o >= 0 and name not in dead}
    return Position(position.game, stones, position.to_move).score()


@pytest.mark.parametrize(
    ("size", "opponent", "side"),
    [
        (9, "random", 0),
        (9, "uct(playouts=100)", 0),
        (9, "uct(playouts=100)", 1),
        (19, "random", 1),  # half a minute, nearly all of it GNU Go's
        pytest.param(19, "uct(playouts=50)", 0, marks=pytest.mark.slow),
    ],
)
def test_complete_games_refereed_by_the_arena(size, opponent, side):
    """Every move is legal by our rules, the game ends by two passes, and GNU Go agrees with our score."""
    game = mg.Go(size=size)
    gnugo = f'gtp("{gnugo_command()}", seconds=60)'
    specs = (gnugo, opponent) if side == 0 else (opponent, gnugo)
    record = play_game(Task(0, 0, (0, 1), str(game), specs, (1, 2), ()))
    assert (record.reason, record.detail) == ("played", "")
    assert record.moves[-2:] == ("pass", "pass")
    assert signed(record.opinions[side]) == record.score
    assert (record.points == 1) == (record.score > 0)


def test_a_match_by_the_command_line(tmp_path, capsys):
    """Both colours, a ledger, its games as SGF that reads back to the recorded result."""
    gnugo = f'gtp("{gnugo_command()}")'
    ledger = tmp_path / "match.db"
    arguments = ["--game", "go(size=5)", "--player", gnugo, "--player", "random", "--games", "2", "--seed", "1"]
    assert run(["match", *arguments, "--ledger", str(ledger), "--workers", "1", "--json"]) == 0
    capsys.readouterr()
    assert run(["results", str(ledger), "--sgf", str(tmp_path / "games"), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["games"] == 2
    files = sorted((tmp_path / "games").iterdir())
    assert len(files) == 2
    for file in files:
        record = sgf.read(file.read_bytes())
        assert record.position.over
        assert record.winner == record.position.winner
        assert any(name.startswith("gtp(") for name in record.players)


def compare_scores(size, games):
    """Play random games to their end and compare the area score with GNU Go's; return counts by outcome.

    GNU Go takes off what it believes dead. A score that is ours after taking off the same stones is explained; any
    other difference fails.
    """
    game = mg.Go(size=size, komi=7.5, superko=False)
    search = Gtp(gnugo_command("--mode gtp --chinese-rules --level 1")).search(game)
    outcomes = collections.Counter()
    try:
        for seed in range(games):
            state, trace = game.start().state, game.new_trace()
            length = rules.random_playout(game, state, stream(seed), trace, game.new_moves())
            if not rules.is_over(game, state):
                outcomes["cut off"] += 1
                continue
            position = game.start()
            for move in trace[:length]:
                position.play(int(move))
            theirs = signed(search.opinion(position))
            if theirs == position.score():
                outcomes["equal"] += 1
                continue
            dead = search.engine.ask("final_status_list dead", 60).split()
            assert dead, f"game {seed}: {theirs} and {position.score()}\n{position}"
            assert theirs == without(position, dead), f"game {seed}: {theirs}, dead {dead}\n{position}"
            outcomes["stones believed dead"] += 1
    finally:
        search.close()
    return outcomes


@pytest.mark.parametrize(
    ("size", "games"),
    [
        (9, 40),
        (7, 250),
        pytest.param(9, 300, marks=pytest.mark.slow),
        pytest.param(13, 60, marks=pytest.mark.slow),
        pytest.param(19, 20, marks=pytest.mark.slow),
    ],
)
def test_gnugo_agrees_on_the_score_of_finished_games(size, games):
    outcomes = compare_scores(size, games)
    print(f"{size}×{size}: {dict(outcomes)}")
    assert outcomes["equal"] + outcomes["stones believed dead"] + outcomes["cut off"] == games
    assert outcomes["equal"] >= 0.9 * games


def test_dead_stones_explain_a_difference():
    """Without cleaning up GNU Go passes early: all stones on the board count here, and it takes the dead ones off."""
    game = mg.Go(size=9)
    search = Gtp(gnugo_command(), cleanup=False).search(game)
    other = mg.player("random", game, seed=2)
    position = game.start()
    try:
        while not position.over:
            choice = search.run(position, stream(1)).number if position.to_move == 0 else other.choose_number(position)
            position.play(choice)
        theirs = signed(search.opinion(position))
        dead = search.engine.ask("final_status_list dead", 60).split()
        assert dead
        assert theirs != position.score()
        assert theirs == without(position, dead)
    finally:
        search.close()


def test_gnugo_follows_a_game_that_jumps():
    """Handicap, set-up stones, undo and other games in turn: GNU Go's board is always ours."""
    search = Gtp(gnugo_command()).search(mg.Go(size=9, komi=0.5))
    game = search.game
    trial = [
        game.start().play("E5").play("C3"),
        game.start().play("E5").play("C3").play("G7").play("pass"),
        game.start().play("D4"),
        Position(game, {"E5": 0, "C3": 1, "C4": 0}, 1),
        Position(game, {"E5": 0, "C4": 0}, 1),
        game.start(),
    ]
    try:
        for position in trial:
            search.run(position, stream(1))
            search.engine.ask("undo", 10)
            for player, colour in enumerate(("black", "white")):
                ours = {n for n, o in zip(game.layout().names, position.owners(), strict=True) if o == player}
                assert set(search.engine.ask(f"list_stones {colour}", 10).split()) == ours
            search._moves.pop()
    finally:
        search.close()
