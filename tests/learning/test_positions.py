"""Sets of evaluated positions: files, self-play, and simulation balancing as a command."""

import json

import numpy as np
import pytest

from montego.cli.main import run
from montego.errors import MontegoError
from montego.games import game
from montego.learning.balancing.positions import PositionSet, load, save
from montego.learning.balancing.self_play import Crew, SelfPlay, make_positions
from montego.learning.balancing.trainer import Settings
from montego.learning.balancing.training import balance
from montego.weights import load as load_weights
from tests.learning.example_game import FILE, connect_four
from tests.learning.test_balancing import SET


def test_what_is_saved_is_loaded(tmp_path):
    save(SET, tmp_path / "p.npz")
    read = load(tmp_path / "p.npz")
    assert read.game == SET.game
    assert read.moves == SET.moves
    assert read.values == pytest.approx(SET.values, abs=1e-6)
    learnt, tested = read.held_out(4)
    assert (len(learnt), len(tested)) == (9, 3)
    assert tested.moves == SET.moves[::4]


def arrays(**changes):
    fields = {
        "header": np.array(json.dumps({"format": 1, "kind": "positions", "game": "tictactoe", "about": {}})),
        "moves": np.array([4, 0, 4]),
        "starts": np.array([0, 2, 3]),
        "values": np.array([0.5, -1.0]),
    }
    return {**fields, **changes}


def header(**changes):
    return np.array(json.dumps({"format": 1, "kind": "positions", "game": "tictactoe", "about": {}, **changes}))


DAMAGED = {
    "nothing": (b"", "not a file of positions"),
    "text": (b"hello", "not a file of positions"),
    "no values": ({"header": header()}, "not a file of positions"),
    "weights": (arrays(header=header(kind="playout")), "is a file of playout, not of positions"),
    "newer": (arrays(header=header(format=2)), "has format 2; this version of Montego reads format 1"),
    "bad header": (arrays(header=np.array("[]")), "damaged header"),
    "nan": (arrays(values=np.array([0.5, np.nan])), "every value must be from -1 to 1"),
    "too large": (arrays(values=np.array([0.5, 1.5])), "every value must be from -1 to 1"),
    "starts": (arrays(starts=np.array([0, 2, 4])), "its arrays do not fit each other"),
    "illegal move": (arrays(moves=np.array([4, 4, 4])), "position 1: illegal move"),
    "no such move": (arrays(moves=np.array([4, 99, 4])), "position 1: no move number 99"),
    "other game": (arrays(header=header(game="chess")), "chess"),
}


@pytest.mark.both_modes
@pytest.mark.parametrize("name", DAMAGED)
def test_damaged_files_are_one_line(name, tmp_path):
    content, complaint = DAMAGED[name]
    file = tmp_path / "p.npz"
    if isinstance(content, bytes):
        file.write_bytes(content)
    else:
        np.savez(file, **content)
    with pytest.raises(MontegoError, match=complaint) as problem:
        load(file)
    assert "\n" not in str(problem.value)


def test_a_missing_file_is_one_line(capsys):
    assert run(["train", "sb", "nowhere.npz", "--out", "w.npz"]) == 2
    assert capsys.readouterr().err == "montego: error: cannot read 'nowhere.npz': No such file or directory\n"


class Interrupted(Exception):
    pass


def test_self_play_goes_on_where_it_was(tmp_path):
    board = connect_four(5, 4)
    wanted = SelfPlay(games=4, positions=20, player="random", evaluator="flat(playouts=60)", seed=3)
    whole = make_positions(board, tmp_path / "whole.npz", wanted, Crew(workers=0))
    assert len(whole) == 20
    assert len(set(whole.moves)) == 20
    assert np.abs(whole.values).max() <= 1
    assert min(map(len, whole.moves)) >= wanted.opening_moves

    def stop(text, share):
        if text == "16 of 20 positions evaluated":
            raise Interrupted

    with pytest.raises(Interrupted):
        make_positions(board, tmp_path / "p.npz", wanted, Crew(workers=0), stop)
    with pytest.raises(MontegoError, match="state of another training"):
        make_positions(board, tmp_path / "p.npz", wanted._replace(positions=10), Crew(workers=0))
    seen: list[str] = []
    again = make_positions(board, tmp_path / "p.npz", wanted, Crew(workers=0), lambda text, share: seen.append(text))
    assert seen == ["4 of 4 games played", "20 of 20 positions evaluated"]
    assert again.moves == whole.moves
    assert np.array_equal(again.values, whole.values)
    assert load(tmp_path / "p.npz").moves == whole.moves
    assert {file.name for file in tmp_path.glob("p.npz*")} == {"p.npz", "p.npz.games.db"}
    with pytest.raises(MontegoError, match="random does not tell the value"):
        make_positions(board, tmp_path / "r.npz", wanted._replace(evaluator="random"), Crew(workers=0))


@pytest.mark.parametrize("optimiser", ["paper", "adaptive"])
def test_balancing_goes_on_where_it_was(optimiser, tmp_path):
    settings = Settings(optimiser, iterations=4, value_playouts=8, gradient_playouts=8, playouts=6, batch=4)
    whole = balance(*SET.held_out(4), tmp_path / "whole.npz", settings, measure=20)
    assert whole.curve.iterations == [0, 1, 2, 3, 4]

    def stop(text, share):
        if text.startswith("iteration 2"):
            raise Interrupted

    with pytest.raises(Interrupted):
        balance(*SET.held_out(4), tmp_path / "w.npz", settings, measure=20, progress=stop)
    again = balance(*SET.held_out(4), tmp_path / "w.npz", settings, measure=20)
    assert again.curve == whole.curve
    assert all(np.array_equal(a, b) for a, b in zip(again.weights.gammas, whole.weights.gammas, strict=True))
    assert {file.name for file in tmp_path.glob("w.npz*")} == {"w.npz"}
    assert load_weights(tmp_path / "w.npz").about["optimiser"] == optimiser
    started = balance(*SET.held_out(4), tmp_path / "s.npz", settings, start=str(tmp_path / "w.npz"), measure=20)
    assert started.start[0] == pytest.approx(load_weights(tmp_path / "w.npz").gammas[0])
    with pytest.raises(MontegoError, match="4 positions to learn from and 12 to test with; at least 8 and 2 expected"):
        balance(SET.part(range(4)), SET, tmp_path / "x.npz", settings)
    other = PositionSet(game("go(size=5)"), ((),) * 12, np.zeros(12))
    with pytest.raises(MontegoError, match=r"positions of go\(size=5\) cannot test what is learnt from"):
        balance(SET, other, tmp_path / "x.npz", settings)


def test_the_commands_lead_from_self_play_to_weights(tmp_path, capsys):
    positions, out = str(tmp_path / "p.npz"), str(tmp_path / "w.npz")
    load_example = ["--load", str(FILE)]
    words = ["--out", positions, "--game", "connect_four(width=5, height=4)", "--games", "4", "--positions", "12"]
    words += ["--player", "random", "--evaluator", "flat(playouts=60)", "--workers", "0", *load_example]
    assert run(["train", "positions", *words]) == 0
    assert "12 positions" in capsys.readouterr().out
    arguments = ["train", "sb", positions, "--out", out, "--iterations", "2", "--measure", "20", *load_example]
    assert run(arguments) == 0
    assert "stops four" in capsys.readouterr().out
    assert run([*arguments, "--optimiser", "paper", "--value-playouts", "8", "--gradient-playouts", "8", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["optimiser"] == "paper"
    assert data["command"].startswith("montego train sb p.npz --optimiser paper --iterations 2 --value-playouts 8")
    assert len(data["curve"]["held_out"]) == 3
    assert [group["group"] for group in data["groups"]] == ["makes four", "stops four", "gives four"]


def test_an_empty_set_cannot_be_balanced(tmp_path):
    tiny = PositionSet(game("go(size=5)"), ((),), np.zeros(1))
    with pytest.raises(MontegoError, match="0 positions to learn from and 1 to test with"):
        balance(*tiny.held_out(5), tmp_path / "w.npz", Settings())
