"""From game records to files of weights: every source, any game with features, interruptions, bad input."""

import json

import numpy as np
import pytest

from montego.arena.compete import crew
from montego.arena.ledger import Ledger
from montego.arena.match import run as run_contest
from montego.arena.openings import Openings
from montego.arena.schedule import Contest
from montego.cli.main import run
from montego.errors import MontegoError
from montego.games import Go, game, rules
from montego.learning.fitting import fit_records
from montego.learning.material import Wanted, gather, read_records
from montego.learning.mm import Training
from montego.learning.plain import PlayedGame, plain_decisions, read_played
from montego.learning.records import read_games
from montego.playouts.policy import HISTORY
from montego.sgf import write
from montego.weights import load
from tests.learning.example_game import FILE, connect_four
from tests.learning.test_go import listed, random_record

SMALL = Training(sweeps=6, tolerance=0)
WANTED = Wanted(every=3)


def as_line(record):
    """Return a record as a line of SGF."""
    letters = "abcdefghijklmnopqrs"
    nodes = [
        f";{'BW'[colour - 1]}[{'' if place < 0 else letters[place % record.width] + letters[place // record.width]}]"
        for colour, place in zip(record.colours, record.places)
    ]
    return f"(;GM[1]SZ[{record.width}]{''.join(nodes)})"


@pytest.fixture(scope="module")
def records(tmp_path_factory):
    """Nine random games of Go on 5×5, one per line."""
    file = tmp_path_factory.mktemp("records") / "games.sgfs"
    file.write_text("\n".join(as_line(random_record(seed)) for seed in range(9)), encoding="utf-8")
    return file


class Interrupted(Exception):
    pass


def stop_at(sweep):
    def progress(text, share):
        if text.startswith(f"sweep {sweep},"):
            raise Interrupted

    return progress


@pytest.mark.parametrize("kind", ["playout", "prior"])
def test_an_interrupted_training_goes_on_as_if_nothing_had_happened(kind, records, tmp_path):
    wanted = Wanted(kind, every=3, least=2)
    whole = fit_records(Go(), [records], tmp_path / "whole.npz", wanted, SMALL)
    with pytest.raises(Interrupted):
        fit_records(Go(), [records], tmp_path / "w.npz", wanted, SMALL, progress=stop_at(3))
    assert [path.name for path in tmp_path.glob("w.*")] == ["w.npz.state"]
    with pytest.raises(MontegoError, match=r"state of another training \(prior: 1.0\)"):
        fit_records(Go(), [records], tmp_path / "w.npz", wanted, SMALL._replace(prior=2.0))
    sweeps: list[str] = []
    again = fit_records(
        Go(), [records], tmp_path / "w.npz", wanted, SMALL, progress=lambda text, share: sweeps.append(text)
    )
    assert [text.partition(",")[0] for text in sweeps if text.startswith("sweep")] == ["sweep 4", "sweep 5", "sweep 6"]
    assert all(np.array_equal(a, b) for a, b in zip(whole.fit.gammas, again.fit.gammas, strict=True))
    assert [path.name for path in tmp_path.glob("w.*")] == ["w.npz"]
    stored = load(tmp_path / "w.npz")
    assert (stored.game, stored.kind, stored.about["games"], stored.about["size"]) == ("go", kind, 6, 5)
    assert stored.about["held_out"]["positions"] == again.prediction.decisions > 0


def test_a_damaged_state_is_one_line(records, tmp_path):
    (tmp_path / "w.npz.state").write_bytes(b"PK\3\4 not much more")
    with pytest.raises(MontegoError, match="is damaged; remove it to start again"):
        fit_records(Go(), [records], tmp_path / "w.npz", WANTED, SMALL)


def test_groups_that_are_left_out_keep_a_weight_of_1(records, tmp_path):
    fitted = fit_records(Go(), [records], tmp_path / "w.npz", WANTED, SMALL, only=["pattern", "contig"])
    assert [bool((gamma != 1).any()) for gamma in fitted.fit.gammas] == [True, True, *[False] * 6]
    fitted = fit_records(Go(), [records], tmp_path / "w.npz", WANTED, SMALL, without=["Pattern", "ko"])
    assert (fitted.fit.gammas[0] == 1).all()
    assert fitted.fit.gammas[1][1] != 1
    with pytest.raises(MontegoError, match="no group of features is called 'colour'; there are 3×3 pattern"):
        fit_records(Go(), [records], tmp_path / "w.npz", WANTED, SMALL, only=["colour"])


def test_about_so_many_positions_are_drawn(records):
    everything = read_records(Go(), [records], WANTED)
    some = gather(everything, WANTED._replace(positions=60), lambda text, share: None)
    assert 30 < some.learnt.size < 90 < everything.moves


# ----------------------------------------------------------------------------------------------------------- any game


def played(board, seed, length=99):
    """Return a random game by numbers."""
    chance = np.random.default_rng(seed)
    position = board.start()
    while not position.over and len(position.moves) < length:
        position.play(int(chance.choice(position.legal_numbers())))
    return position


@pytest.mark.both_modes
@pytest.mark.parametrize("board", [connect_four(5, 4), game("hex(size=3)"), game("blokus_duo")], ids=str)
def test_decisions_of_any_game_are_those_of_a_plain_loop(board):
    games = [PlayedGame(board, np.array(played(board, seed, 12).moves, np.int32), given=2) for seed in range(4)]
    columns = len(board.feature_columns())
    expected = []
    for one in games:
        position = board.start()
        for number, move in enumerate(one.moves.tolist()):
            moves = position.legal_numbers()
            values = np.zeros((len(moves), columns), np.uint16)
            trace = np.array([-1] * HISTORY + position.moves, np.int32)
            rules.write_features(board, board.feature_tables(), position.state, trace, len(trace), moves, values)
            if number >= one.given and len(moves) > 1:
                expected.append((values.tolist(), moves.tolist().index(move)))
            position.play(move)
    decisions = plain_decisions(games, columns)
    decisions.check(board.feature_columns())
    found = [
        (decisions.values[first:last].tolist(), int(winner))
        for first, last, winner in zip(decisions.starts, decisions.starts[1:], decisions.winners)
    ]
    assert found == expected
    assert len({tuple(row) for values, _ in found for row in values}) > 2


def test_an_illegal_move_ends_its_game():
    board = connect_four(5, 4)
    problems: list[str] = []
    moves = np.array([0, 0, 0, 0, 0, 1], np.int32)
    assert plain_decisions([PlayedGame(board, moves)], 1, problems=problems).size == 4
    assert problems == ["game 1: move 5 is illegal"]


def contest(spec, path, opening=2):
    """Play four random games into a ledger."""
    with Ledger(path) as ledger:
        settings = Contest(
            game=spec, players=("random", "random"), pairings=((0, 1),), seed=3, openings=Openings(opening)
        )
        run_contest(settings, ledger, crew(settings, 0, None, ()), 4)
    return path


def test_a_ledger_is_learnt_from_without_its_openings(tmp_path):
    board = connect_four(5, 4)
    path = contest(str(board), tmp_path / "games.db")
    games = list(read_played(path, board))
    assert [one.given for one in games] == [2, 2, 2, 2]
    fitted = fit_records(board, [path], tmp_path / "four.npz", WANTED, SMALL)
    assert fitted.weights.groups == ("makes four", "stops four", "gives four")
    with pytest.raises(MontegoError, match=r"holds games of connect_four.*, not of Go"):
        list(read_games(path))
    with pytest.raises(MontegoError, match=r"holds games of connect_four.*, not of hex"):
        list(read_played(path, game("hex")))


def test_a_ledger_of_go_is_read_as_records(tmp_path):
    path = contest("go(size=5)", tmp_path / "games.db", opening=1)
    games = list(read_games(path))
    with Ledger(path, read_only=True) as ledger:
        ledger.settings()
        finished = ledger.games()
    board = Go(size=5)
    names = [[board.move_name(int(([*board.point_numbers(), 0])[place])) for place in one.places] for one in games]
    assert names == [list(one.moves) for one in finished]
    assert all(one.given == 1 and one.colours[:2].tolist() == [1, 2] for one in games)


def test_sgf_of_any_game_is_read(tmp_path):
    board = connect_four(5, 4)
    for seed in range(2):
        (tmp_path / f"{seed}.sgf").write_text(write(played(board, seed)), encoding="utf-8")
    assert [one.moves.tolist() for one in read_played(tmp_path, board)] == [played(board, s).moves for s in range(2)]
    problems: list[str] = []
    assert not list(read_played(tmp_path, game("hex"), problems))
    assert len(problems) == 2


# ---------------------------------------------------------------------------------------------------------- the command


def test_the_command_prints_quality_and_weights(records, tmp_path, capsys):
    arguments = ["train", "mm", str(records), "--out", str(tmp_path / "w.npz"), "--hold-out", "3"]
    assert run(arguments) == 0
    text = capsys.readouterr().out
    assert "games read in" in text
    assert "mean log-likelihood -" in text
    assert "two-point semeai" in text
    assert run([*arguments, "--json", "--sweeps", "2", "--without", "ko"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["command"] == 'montego train mm games.sgfs --game "go" --hold-out 3 --sweeps 2 --without ko'
    assert data["groups"][1]["gamma"][0] > 0
    assert 0 < data["held_out"]["top1"] < data["held_out"]["top5"] < 1


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["nowhere.sgf"], "no file or folder nowhere.sgf"),
        (["{records}", "--game", "tictactoe"], "tictactoe has no features to learn the weights of"),
        (["{records}", "--kind", "prior", "--load", str(FILE), "--game", "connect_four"], "no features for a prior"),
        (["{records}", "--only", "colour"], "no group of features is called 'colour'"),
        (["{records}", "--out", "no/such/folder.npz"], "there is no folder no/such"),
        (["{folder}"], "no game records in"),
        (["{text}"], "0 games in"),
    ],
)
def test_bad_input_is_one_line(arguments, expected, records, tmp_path, capsys):
    (tmp_path / "empty").mkdir()
    text = tmp_path / "text.sgf"
    text.write_text("hello", encoding="utf-8")
    places = {"{records}": str(records), "{folder}": str(tmp_path / "empty"), "{text}": str(text)}
    words = [places.get(word, word) for word in arguments]
    assert run(["train", "mm", "--out", str(tmp_path / "w.npz"), *words]) == 2
    complaint = capsys.readouterr().err.splitlines()
    assert len(complaint) == 1
    assert expected in complaint[0]


def test_listed_decisions_skip_a_given_opening():
    record = random_record(1)
    from montego.learning.go import playout_decisions

    whole, rest = playout_decisions([record]), playout_decisions([record._replace(given=5)])
    assert list(listed(rest)) == list(listed(whole))[-rest.size :]
    assert rest.size < whole.size
