"""The example game with an engine (GTP) and records (SGF)."""

import importlib.util
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

import montego as mg
from montego.games import conformance

FILE = Path(__file__).parents[2] / "examples" / "gomoku.py"


@pytest.fixture(scope="module", autouse=True)
def gomoku():
    """Load the file as a user would, under its own name."""
    spec = importlib.util.spec_from_file_location("gomoku", FILE)
    module = sys.modules["gomoku"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.both_modes
@pytest.mark.parametrize("spec", ["gomoku(size=1)", "gomoku(size=5)"])
def test_conformance(spec):
    conformance.check_game(mg.game(spec), seeds=1)


def has_five(stones):
    """Whether a set of (row, column) holds five in a row: the plain version."""
    steps = ((0, 1), (1, 0), (1, 1), (1, -1))
    return any(all((r + k * dr, c + k * dc) in stones for k in range(5)) for r, c in stones for dr, dc in steps)


@pytest.mark.compiled
def test_lines_agree_with_a_plain_version():
    chance, results = random.Random(1), set()
    game = mg.game("gomoku(size=7)")
    for _ in range(100):
        position, stones = game.start(), ([], [])
        while not position.over:
            assert not any(map(has_five, stones))
            move = chance.choice(position.legal_numbers().tolist())
            stones[position.to_move].append(divmod(move, 7))
            position.play(move)
        assert [has_five(own) for own in stones] == [position.winner == player for player in (0, 1)]
        results.add(position.winner)
    assert results == {0, 1, -1}


@pytest.mark.both_modes
def test_a_record_is_written_as_other_programs_do_and_read_back():
    from montego import sgf

    position = mg.game("gomoku(size=9)").start()
    for name in ("e5", "a1", "e4", "i9"):
        position.play(name)
    text = sgf.write(position)
    assert "GM[4]SZ[9]" in text
    assert ";B[ee];W[ai];B[ef];W[ia]" in text
    record = sgf.read(text)
    assert record.game == position.game
    assert record.moves == ["e5", "a1", "e4", "i9"]


def test_the_engine_plays_it():
    commands = "boardsize 6\nplay black a1\ngenmove white\nlist_commands\nshowboard\nquit\n"
    words = ["gtp", "--load", str(FILE), "--game", "gomoku", "--player", "random", "--seed", "1"]
    done = subprocess.run(
        [sys.executable, "-m", "montego.cli", *words],
        input=commands,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    answers = [answer.strip() for answer in done.stdout.split("\n\n") if answer.strip()]
    assert answers[0] == answers[1] == "="
    assert answers[2].removeprefix("= ") in mg.game("gomoku(size=6)").layout().names
    assert "X . . . . ." in answers[4]
