"""Opinions on positions: chains and their status, the score without dead stones, games that extend Go."""

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import montego as mg
from montego.games import GAMES, Game, Position
from montego.loading import load_file
from montego.sessions import judge

# White's stones at B2 and B6 are dead, and so is Black's at F2.
FINISHED = """
    . . . X O . .
    . O . X O . .
    . . . X O . O
    X X X X O O .
    . . . X O . O
    . O . X O X .
    . . . X O . ."""


def certain(position, alive=()):
    """Return an owner map that gives every stone to its owner, but for those that are not alive if these are named."""
    names, owners = position.game.layout().names, position.owners()
    values = np.choose(owners + 1, [0.0, 1.0, -1.0])
    return np.array([value if not alive or name in alive else -value for name, value in zip(names, values)])


def test_dead_stones_and_score():
    position = Position.from_text(mg.game("go(size=7, komi=0.5)"), FINISHED)
    status = judge.chain_status(position)
    assert {name for chain in status["dead"] for name in chain} == {"B2", "B6", "F2"}
    assert status["seki"] == []
    assert judge.final_score(position) == 6.5  # 28 points against 21, komi 0.5


def test_seki(monkeypatch):
    """White's four stones and Black's two share C1 and C2, and have no other liberties."""
    position = Position.from_text(
        mg.game("go(size=5)"),
        """X . X O .
           . X X O O
           X X X O O
           O O . X O
           O O . X O""",
    )
    monkeypatch.setattr(judge, "owner_map", lambda position, playouts: certain(position))
    status = judge.chain_status(position)
    assert status["dead"] == []
    assert {name for chain in status["seki"] for name in chain} == {"A1", "A2", "B1", "B2", "D1", "D2"}


def test_a_game_with_handicap_is_judged_too():
    """The stones of a handicap come from the rules, but the judge sets boards up by hand."""
    position = mg.game("go(size=7, handicap=2)").start()
    assert judge.owner_map(position).mean() > 0.05  # Black has two stones, White none
    assert judge.without(position, {"C3"}).stones() == {name: 0 for name in position.stones() if name != "C3"}


@pytest.fixture
def torus() -> Iterator[Game]:
    """A variant of Go in a user's file, forgotten afterwards."""
    load_file(str(Path(__file__).parent / "torus_go.py"))
    yield mg.game("torus_go(size=5, komi=0.5)")
    del GAMES._classes["torus_go"]
    del sys.modules["torus_go"]


@pytest.mark.both_modes
def test_a_variant_of_go_decides_what_hangs_together(torus):
    owners = np.full(25, -1, np.int8)
    owners[[0, 4, 20]] = 0  # three corners of the board, which touch on a torus
    assert [
        chain for chain in judge.chains(mg.game("go(size=5)").adjacent_points(), owners) if owners[chain[0]] == 0
    ] == [[0], [4], [20]]
    assert [sorted(c) for c in judge.chains(torus.adjacent_points(), owners) if owners[c[0]] == 0] == [[0, 4, 20]]


@pytest.mark.both_modes
def test_a_variant_of_go_has_dead_stones(monkeypatch, torus):
    position = Position(torus, {"A1": 0, "E1": 0, "C3": 1}, 0)
    monkeypatch.setattr(judge, "owner_map", lambda position, playouts: certain(position, {"A1", "E1"}))
    assert judge.chain_status(position) == {"alive": [["A1", "E1"]], "dead": [["C3"]], "seki": []}
    assert judge.final_score(position) == 24.5
