"""What the tests of the arena share."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from montego.arena.game import FinishedGame, Task
from montego.arena.openings import Openings
from montego.arena.schedule import Contest
from montego.loading import load_file
from montego.players import PLAYERS

FAULTY = Path(__file__).parent / "faulty.py"


@pytest.fixture
def faulty() -> Iterator[Path]:
    """Make the player ``faulty`` known, and forget it afterwards; the value is its file."""
    load_file(str(FAULTY))
    yield FAULTY
    del PLAYERS._classes["faulty"]
    del sys.modules["faulty"]


@pytest.fixture
def contest() -> Callable[..., Contest]:
    """Make a match of tic-tac-toe between two players."""

    def make(
        *players: str,
        seed: int = 1,
        game: str = "tictactoe",
        opening_moves: int = 0,
        max_moves: int = 0,
        resign: float = 0.0,
    ) -> Contest:
        specs = players or ("random", "flat(playouts=18)")
        pairings = tuple((k, k + 1) for k in range(len(specs) - 1))
        return Contest(game, specs, pairings, seed, Openings(opening_moves), max_moves, resign=resign)

    return make


@pytest.fixture
def record() -> Callable[..., FinishedGame]:
    """Make a finished game by its number, won by the player with index 0 unless points are given."""

    def make(number: int, points: float | None = None, moves: str = "a1 b2") -> FinishedGame:
        pair, swapped = divmod(number, 2)
        players = (1, 0) if swapped else (0, 1)
        won = float(not swapped) if points is None else points if not swapped else 1 - points
        specs = ("random", "flat") if not swapped else ("flat", "random")
        task = Task(number, pair, players, "tictactoe", specs, (number, number + 1))
        return FinishedGame(task, tuple(moves.split()), 2 * won - 1, won, "X+1", "played", version="v", finished="now")

    return make
