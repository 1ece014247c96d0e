"""Reverse Hex, a game that extends Hex by one rule."""

import importlib.util
import sys
from pathlib import Path

import pytest

import montego as mg
from montego.games import conformance, rules

FILE = Path(__file__).parents[2] / "examples" / "rex.py"


@pytest.fixture(scope="module", autouse=True)
def rex():
    """Load the file as a user would, under its own name."""
    spec = importlib.util.spec_from_file_location("rex", FILE)
    module = sys.modules["rex"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.both_modes
@pytest.mark.parametrize("spec", ["rex(size=1)", "rex(size=3, swap=true)"])
def test_conformance(spec):
    conformance.check_game(mg.game(spec), fills=True)


@pytest.mark.both_modes
def test_the_same_moves_have_the_opposite_result():
    for seed in range(5):
        moves = conformance.random_moves(mg.game("hex(size=4)"), seed)
        ours, theirs = mg.game("rex(size=4)").start(), mg.game("hex(size=4)").start()
        for move in moves:
            ours.play(move)
            theirs.play(move)
        assert ours.over
        assert theirs.over
        assert ours.winner == 1 - theirs.winner
        assert rules.score(ours.game, ours.state) == -rules.score(theirs.game, theirs.state)


def test_only_the_score_is_its_own(rex):
    inherited = [
        rule for rule in vars(rules).values() if isinstance(rule, type(rules.play)) and rule is not rules.score
    ]
    assert len(inherited) > 15
    assert all(rule.choose(rex.Rex) is rule.choose(mg.Hex) for rule in inherited)
    assert rules.score.choose(rex.Rex) is not rules.score.choose(mg.Hex)


def solve(game):
    """Return who wins with best play, by looking at every position once."""
    known = {}

    def winner(position):
        stones = frozenset(position.moves[0::2]), frozenset(position.moves[1::2])
        if stones not in known:
            mover = position.to_move
            replies = () if position.over else (winner(position.copy().play(move)) for move in position.legal_moves())
            known[stones] = position.winner if position.over else mover if mover in replies else 1 - mover
        return known[stones]

    return winner(game.start())


@pytest.mark.both_modes
@pytest.mark.parametrize(("size", "winner"), [(1, 1), (2, 0), (3, 1)])
def test_the_winner_is_who_would_not_place_the_last_stone(size, winner):
    """Evans 1974, Lagarias and Sleator 1999: the first player on boards of even size, else the second."""
    assert solve(mg.Hex(size=size)) == 0
    assert solve(mg.game(f"rex(size={size})")) == winner
