"""The example game in one file: conformance, OpenSpiel's rules, and the file run by itself."""

import importlib.util
import json
import random
import sys
from pathlib import Path

import pytest

from montego.errors import IllegalMove, SpecError
from montego.games import conformance, game
from montego.playouts import Sampler
from montego.rng import stream

FILE = Path(__file__).parents[2] / "examples" / "connect_four.py"
SPECS = ["connect_four", "connect_four(width=1, height=1)", "connect_four(width=4, height=4)", "connect_four(9, 5)"]


@pytest.fixture(scope="module", autouse=True)
def connect_four():
    """Load the file as a user would, under its own name."""
    spec = importlib.util.spec_from_file_location("connect_four", FILE)
    module = importlib.util.module_from_spec(spec)
    sys.modules["connect_four"] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.both_modes
@pytest.mark.parametrize("spec", SPECS)
def test_conformance(spec):
    conformance.check_game(game(spec))


MISTAKES = [
    ("for move in range(game.width):", "for move in range(game.width - 1):", "is_legal and legal_moves disagree"),
    ("!= 0 and not rules.is_over(game, state)", "!= 0", "legal moves exactly while the game goes on"),
    ("return 1.0 if state.moves % 2 else -1.0", "return np.nan", "finite"),
    (" + bottoms + state.stones[0])", " * 0)", "not changed the hash"),
    ("return LETTERS[: self.width]", "return 'a' * self.width", "one name"),
    ("return self.width * self.height", "return 3", "must end within"),
    ("out[index(point)] = player", "out[index(point)] = 3", "owner"),
    ("(column >= 0).sum()}", "6}", "empty point"),
    ("return symmetry.point(move)", "return move", "symmetry"),
]


@pytest.mark.compiled
def test_the_checks_find_mistakes(python):
    """Each mistake, made in the text of the example, must be found by a check (interpreted, which is fast)."""
    code = f"""
import pathlib
from montego.games import conformance, game
source = pathlib.Path({str(FILE)!r}).read_text()
for right, wrong, _ in {MISTAKES!r}:
    assert source.count(right) == 1, right
    exec(source.replace(right, wrong).replace("__main__", "nowhere"))
    try:
        conformance.check_game(ConnectFour())
    except AssertionError as problem:
        print(problem)
    else:
        print("not found:", wrong)
"""
    complaints = python(code, interpreted=True).stdout.splitlines()
    for complaint, (_, wrong, expected) in zip(complaints, MISTAKES, strict=True):
        assert expected in complaint, f"{wrong}: {complaint}"


@pytest.mark.compiled
def test_legal_moves_ends_and_winners_agree_with_openspiel():
    """1,000 random games; OpenSpiel numbers the columns in the same way."""
    pyspiel = pytest.importorskip("pyspiel")
    chance = random.Random(1)
    oracle = pyspiel.load_game("connect_four")
    results = set()
    for _ in range(1000):
        ours, theirs = game("connect_four").start(), oracle.new_initial_state()
        while not theirs.is_terminal():
            assert not ours.over
            assert ours.to_move == theirs.current_player()
            assert ours.legal_numbers().tolist() == theirs.legal_actions()
            move = chance.choice(theirs.legal_actions())
            ours.play(move)
            theirs.apply_action(move)
        assert ours.over
        assert ours.score() == theirs.returns()[0]
        results.add(ours.result)
    assert {"Yellow+1", "Red+1"} <= results


@pytest.mark.both_modes
@pytest.mark.parametrize(
    ("moves", "result"),
    [
        ("ababab" + "a", "Yellow+1"),  # upwards
        ("aabbcc" + "d", "Yellow+1"),  # sideways
        ("abbccdcdd" + "gd", "Yellow+1"),  # rising
        ("gffeededd" + "ad", "Yellow+1"),  # falling
        ("bacacad" + "a", "Red+1"),
        ("aabbcc" + "e", "Red to move"),
    ],
)
def test_lines(moves, result):
    position = game("connect_four").start()
    for name in moves:
        assert not position.over
        position.play(name)
    assert position.result == result


@pytest.mark.both_modes
def test_no_line_runs_from_one_column_into_the_next():
    """Yellow has a3, a4, b1 and b2, which would be four bits in a row without the empty bit above each column."""
    position = game("connect_four(width=5, height=4)").start()
    for name in "cadaacadbeb":
        position.play(name)
    assert position.owners().reshape(4, 5)[::-1, :2].T.tolist() == [[1, 1, 0, 0], [0, 0, -1, -1]]
    assert not position.over


@pytest.mark.both_modes
def test_a_full_board_without_a_line_is_a_draw():
    position = game("connect_four(width=2, height=2)").start()
    for name in "abab":
        position.play(name)
    assert position.result == "draw"
    assert position.legal_moves() == []


@pytest.mark.both_modes
def test_drawing_and_bad_input():
    position = game("connect_four(width=4, height=2)").start().play("b").play("B")
    assert str(position) == " .(O). .\n . X . .\n a b c d\nYellow to move"
    for wrong in ("b", "e", "b1", 4):
        with pytest.raises(IllegalMove):
            position.play(wrong)
    with pytest.raises(SpecError, match=r"width \* \(height \+ 1\) must be at most 62"):
        game("connect_four(width=10, height=6)")
    with pytest.raises(SpecError, match="width must be a whole number from 1 to 26, not 0"):
        game("connect_four(width=0)")


@pytest.mark.compiled
def test_interpreted_equals_compiled(python):
    code = f"""
import json, sys
sys.path.insert(0, {str(FILE.parent)!r})
import connect_four
from montego.games import conformance
print(json.dumps([conformance.playthrough(connect_four.ConnectFour(), seed) for seed in range(3)]))
"""
    interpreted = json.loads(python(code, interpreted=True).stdout)
    compiled = json.loads(json.dumps([conformance.playthrough(game("connect_four"), seed) for seed in range(3)]))
    assert interpreted == compiled


@pytest.mark.compiled
def test_playouts_have_the_statistics_of_openspiel():
    """60,000 random games by OpenSpiel: 55.75 % won, 0.28 % drawn. Seeded; fails correct rules once in 5,000."""
    this = game("connect_four")
    count = 100_000
    totals = Sampler(this, this.start().state, stream(1)).run(count)
    for seen, theirs in ((totals.wins / count, 0.5575), (totals.draws / count, 0.0028)):
        assert abs(seen - theirs) < 3.9 * (theirs * (1 - theirs) * (1 / count + 1 / 60_000)) ** 0.5
