"""One game: repeatable, refereed by our rules, and ended whatever a player does."""

import sys
from pathlib import Path
from typing import Any

import pytest

import montego as mg
from montego.arena.game import Task, play_game, warm_up
from montego.errors import MontegoError

pytestmark = pytest.mark.both_modes


def task(*specs: str, game: str = "tictactoe", seed: int = 1, opening: str = "", max_moves: int = 0) -> Task:
    return Task(0, 0, (0, 1), game, (specs[0], specs[1]), (seed, seed + 1), tuple(opening.split()), max_moves)


def test_a_game_is_a_function_of_its_task() -> None:
    games = [play_game(task("random", "flat(playouts=30)", seed=seed)) for seed in (1, 1, 2)]
    assert games[0].moves == games[1].moves
    assert games[0].moves != games[2].moves


def test_the_record_is_that_of_the_position() -> None:
    game = play_game(task("random", "flat(playouts=90)", opening="b2 a1"))
    position = mg.game("tictactoe").start()
    for move in game.moves:
        position.play(move)
    assert game.moves[:2] == ("b2", "a1")
    assert position.over
    assert (game.score, game.result, game.reason) == (position.score(), position.result, "played")
    assert game.points == (position.score() + 1) / 2
    assert game.playouts[0] == 0 < game.playouts[1] <= 90 * 4
    assert min(game.seconds) > 0
    assert game.version.startswith(mg.__version__)
    assert game.finished


@pytest.mark.parametrize(
    ("how", "reason", "detail"),
    [
        ("raise", "raised ZeroDivisionError: a bug of mine", "Traceback"),
        ("illegal", "illegal move ", ""),
        ("nonsense", "no move number 1000000", ""),
        ("forfeit", "the program crashed", "its last words"),
    ],
)
@pytest.mark.parametrize("side", [0, 1])
def test_a_fault_is_a_recorded_forfeit(faulty: Path, how: str, reason: str, detail: str, side: int) -> None:
    specs = [f'faulty(how="{how}", after=2)', "random"]
    game = play_game(task(*(specs if side == 0 else reversed(specs))))
    name = ("X", "O")[side]
    assert game.reason.startswith(f"forfeit: {name}: {reason}")
    assert detail in game.detail
    assert game.points == side  # the other side has won
    assert game.result == f"{('O', 'X')[side]}+forfeit"
    assert len(game.moves) == 2 + side
    assert game.opinions == ("", "")


def test_a_player_that_cannot_be_built_forfeits(faulty: Path) -> None:
    game = play_game(task('faulty(how="construct", after=0)', "random"))
    assert game.reason == "forfeit: X: raised RuntimeError: cannot be built"
    assert game.points == 0


def test_resignation_is_no_forfeit(faulty: Path) -> None:
    game = play_game(task("random", 'faulty(how="resign")'))
    assert (game.reason, game.result, game.points) == ("resigned", "X+resign", 1.0)


def test_a_player_that_plays_on_the_position_it_was_shown_changes_nothing(faulty: Path) -> None:
    game = play_game(task('faulty(how="meddle", after=0)', "random"))
    position = mg.game("tictactoe").start()
    for move in game.moves:
        position.play(move)
    assert position.over
    assert game.reason == "played"


def test_players_are_closed_and_asked_for_their_opinion(faulty: Path) -> None:
    module: Any = sys.modules["faulty"]
    module.CLOSED.clear()
    game = play_game(task('faulty(how="nothing")', 'faulty(how="raise", after=100)'))
    assert sorted(module.CLOSED) == ["nothing", "raise"]
    assert game.opinions == (f"after {len(game.moves)} moves it is a draw",) * 2


def test_a_game_that_is_too_long_is_scored_as_it_stands() -> None:
    game = play_game(task("random", "random", max_moves=3, opening="b2 a1"))
    assert (len(game.moves), game.reason, game.points) == (3, "length limit", 0.5)


def test_warm_up_finds_players_that_cannot_play(faulty: Path) -> None:
    warm_up("tictactoe", ["random", "flat(playouts=9)", 'faulty(how="nothing")'])
    with pytest.raises(MontegoError, match=r"faulty.* cannot play tictactoe: the program crashed \(its last words\)"):
        warm_up("tictactoe", ["random", 'faulty(how="forfeit", after=1)'])
