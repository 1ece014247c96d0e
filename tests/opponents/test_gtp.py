"""Other programs as opponents: every way in which they fail, and their board in step with ours."""

import contextlib
import os
import shlex
import subprocess
import sys
import time
from pathlib import Path

import pytest

import montego as mg
from montego.cli.main import run
from montego.errors import Forfeit, MontegoError, Resignation, SpecError
from montego.games import Position
from montego.opponents import Gtp, gtp
from montego.rng import stream
from montego.search import Limits

SCRIPT = Path(__file__).with_name("faulty_engine.py")
GAME = mg.Go(size=9)


def command(fault, *moves):
    return shlex.join([sys.executable, str(SCRIPT), fault, *moves])


@contextlib.contextmanager
def searching(fault, *moves, game=GAME, seconds=20.0):
    search = Gtp(command(fault, *moves), seconds).search(game)
    try:
        yield search
    finally:
        search.close()


def gone(pid, seconds=5.0):
    """Whether a process disappears, zombies included."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if not Path(f"/proc/{pid}").exists():
            return True
        time.sleep(0.01)
    return False


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        ("crash", "ended during 'genmove black' with exit code 3"),
        ("abort", "crashed during 'genmove black': SIGKILL"),
        ("hang", "did not answer 'genmove black' within 0.5 s"),
        ("garbage", "answered 'genmove black' with 'I would play at D4', which is not GTP"),
        ("binary", "which is not GTP"),
        ("endless", "answered 'genmove black' without an end"),
        ("close_stdout", "closed its output during 'genmove black'"),
        ("half", "ended during 'genmove black' with exit code 0"),
        ("refuse", "refused 'genmove black': out of memory"),
    ],
)
def test_every_fault_is_a_forfeit_with_the_last_words(fault, reason):
    with searching(fault, seconds=0.5 if fault == "hang" else 20.0) as search:
        with pytest.raises(Forfeit) as caught:
            search.run(GAME.start(), stream(1))
        assert reason in str(caught.value)
        assert "\n" not in str(caught.value)
        assert not isinstance(caught.value, Resignation)
        assert caught.value.detail.endswith("thinking hard\nlast words")
        if fault != "refuse":
            assert gone(search.engine.pid)


@pytest.mark.parametrize("move", ["Z9", "E5", "K10", "= D4", "e"])
def test_an_illegal_move_is_a_forfeit(move):
    with searching("none", move) as search:
        with pytest.raises(Forfeit, match=r"faulty_engine|python") as caught:
            search.run(GAME.start().play("E5"), stream(1))
        assert repr(move) in str(caught.value)
        after = search.run(GAME.start().play("E5"), stream(1))  # it may go on: its board is set up anew
        assert after.move == "pass"


def test_a_program_that_ends_at_once_and_one_that_never_speaks(monkeypatch):
    with searching("early") as search, pytest.raises(Forfeit, match="list_commands") as caught:
        search.run(GAME.start(), stream(1))
    assert caught.value.detail == "no licence"
    monkeypatch.setattr(gtp, "_START_SECONDS", 0.3)
    with searching("mute", seconds=0.2) as search, pytest.raises(Forfeit, match=r"within 0\.3 s"):
        search.run(GAME.start(), stream(1))


def test_children_of_a_crashed_program_are_killed():
    with searching("orphan") as search, pytest.raises(Forfeit, match="exit code 5") as caught:
        search.run(GAME.start(), stream(1))
    assert gone(int(caught.value.detail.rpartition(" ")[2]))


def test_a_flood_on_stderr_does_not_block():
    with searching("flood") as search:
        assert search.run(GAME.start(), stream(1)).move == "pass"
        deadline = time.monotonic() + 5
        while not search.engine.stderr_tail().endswith("after the flood") and time.monotonic() < deadline:
            time.sleep(0.01)
        assert search.engine.stderr_tail().endswith("after the flood")
        assert len(search.engine.stderr_tail()) <= 4000


def test_slow_answers_and_crlf_are_read():
    with searching("slow") as search:
        assert search.run(GAME.start(), stream(1)).move == "D4"


def test_an_answer_that_was_not_waited_for_is_not_taken_for_the_next_one(monkeypatch):
    """Ctrl-C while a program thinks ends it, and the next question goes to a new one."""

    def press(*_):
        raise KeyboardInterrupt

    with searching("none", "D4") as search:
        search.run(GAME.start(), stream(1))
        with monkeypatch.context() as interrupted:
            interrupted.setattr(type(search.engine), "_answer", press)
            with pytest.raises(KeyboardInterrupt):
                search.run(GAME.start(), stream(1))
        assert search.run(GAME.start(), stream(1)).move == "D4"


def test_resigning_is_a_forfeit_of_its_own_kind():
    with searching("none", "resign") as search, pytest.raises(Resignation, match="resigns"):
        search.run(GAME.start(), stream(1))


def test_a_stubborn_program_is_killed_on_close():
    with searching("stubborn") as search:
        search.run(GAME.start(), stream(1))
        pid = search.engine.pid
        search.close()
        assert gone(pid)
        search.run(GAME.start(), stream(1))  # and starts again when it is asked again
        assert search.engine.pid != pid


@pytest.mark.parametrize("way_out", ["pass", "raise SystemExit(1)", "del search", "import multiprocessing"])
def test_no_program_outlives_its_user(way_out):
    code = f"""
from montego.opponents import Gtp
from montego.games import Go
from montego.rng import stream
def main():
    search = Gtp({command("stubborn")!r}).search(Go(size=9))
    search.run(Go(size=9).start(), stream(1))
    print(search.engine.pid, flush=True)
    {way_out}
if "multiprocessing" in {way_out!r}:
    import multiprocessing
    process = multiprocessing.get_context("fork").Process(target=main)
    process.start()
    process.join()
else:
    main()
"""
    environment = os.environ | {
        "PYTHONPATH": str(Path(mg.__file__).parents[1]),
        "NUMBA_DISABLE_JIT": "1",
    }  # starts fast
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=60, check=False
    )
    assert gone(int(done.stdout)), done.stderr


# ----------------------------------------------------------------------------------------------------- keeping in step


@pytest.fixture
def log(tmp_path, monkeypatch):
    """Return a function that gives the commands the program got since the last call."""
    file = tmp_path / "log"
    monkeypatch.setenv("ENGINE_LOG", str(file))
    seen = 0

    def read():
        nonlocal seen
        lines = file.read_text().splitlines()
        fresh, seen = lines[seen:], len(lines)
        return [line for line in fresh if not line.startswith("set_random_seed")]

    return read


def test_only_missing_moves_are_sent(log):
    with searching("none", "D4", "C3", "A1", "A2") as search:
        position = GAME.start().play("E5")
        position.play(search.run(position, stream(1)).number)
        assert log() == ["list_commands", "boardsize 9", "clear_board", "komi 7.5", "play black E5", "genmove white"]
        position.play("F6")
        search.run(position, stream(1))
        assert log() == ["play black F6", "genmove white"]
        search.run(position, stream(1))  # the same question again: its answer is taken back
        assert log() == ["undo", "genmove white"]
        search.run(GAME.start().play("A9"), stream(1))
        assert log() == ["undo"] * 4 + ["play black A9", "genmove white"]


def test_a_seed_that_is_refused_is_not_sent_again(tmp_path, monkeypatch):
    file = tmp_path / "log"
    monkeypatch.setenv("ENGINE_LOG", str(file))
    with searching("none", "D4", "C3") as search:
        search.run(GAME.start(), stream(1))
        search.run(GAME.start(), stream(1))
    assert file.read_text().count("set_random_seed") == 1


def test_a_far_jump_starts_from_an_empty_board(log):
    with searching("none", "A1", "A1") as search:
        long = GAME.start()
        for move in ["C3", "D3", "E3", "F3", "G3", "C4", "D4", "E4", "F4", "G4"]:
            long.play(move)
        search.run(long, stream(1))
        log()
        search.run(GAME.start(), stream(1))
        assert log() == ["boardsize 9", "clear_board", "komi 7.5", "genmove black"]


def test_set_up_stones_and_handicap(log):
    with searching("none", "A1", "A2", "A3") as search:
        search.run(Position(GAME, {"E5": 0, "C3": 1}), stream(1))
        assert log()[4:] == ["play black E5", "play white C3", "genmove black"]
        search.run(Position(GAME, {"E5": 0, "C3": 0}, 1), stream(1))
        assert log()[-2:] == ["set_free_handicap E5 C3", "genmove white"]
    with searching("none", "A1", game=mg.Go(size=9, handicap=2)) as search:
        search.run(mg.Go(size=9, handicap=2).start(), stream(1))
        assert log()[-2:] == ["set_free_handicap G7 C3", "genmove white"]


def test_the_clock(log):
    with searching("none", "A1", "A2") as search:
        search.run(GAME.start(), stream(1), Limits(seconds=2.6))
        assert log()[-3:] == ["time_settings 0 3 1", "time_left black 3 1", "genmove black"]


def test_hex_speaks_htp(log):
    game = mg.Hex(size=5, swap=True)
    with searching("none", "swap-pieces", "c3", game=game) as search:
        position = game.start().play("b2")
        assert search.run(position, stream(1)).move == "swap-pieces"
        position.play("swap-pieces").play("a1")
        assert search.run(position, stream(1)).move == "c3"
    assert log() == [
        *["list_commands", "boardsize 5", "clear_board", "play black b2", "genmove white"],
        *["play black a1", "genmove white", "quit"],
    ]


def test_blokus_speaks_pentobi(log):
    game = mg.BlokusDuo()
    with searching("none", "i4,h5,i5,j5,i6", game=game) as search:
        position = game.start().play("e8,d9,e9,f9,e10")
        assert search.run(position, stream(1)).move == "i4,h5,i5,j5,i6"
    assert log()[1:-1] == ["set_game Blokus Duo", "clear_board", "play b e8,d9,e9,f9,e10", "genmove w"]


def test_its_opinion():
    with searching("none", "A1") as search:
        assert search.opinion(GAME.start().play("pass").play("pass")) == "B+3.5"
    with searching("early") as search:
        assert search.opinion(GAME.start()) is None


# ------------------------------------------------------------------------------------------------------------- the spec


def test_the_spec():
    spec = f'gtp("{command("none")}", seconds=5)'
    player = mg.player(spec, GAME)
    assert str(player) == f'gtp(command="{command("none")}", seconds=5.0)'
    assert str(mg.PLAYERS.build(str(player))) == str(player.settings)
    assert player.choose(GAME.start()) == "pass"
    player.close()
    assert "gtp" in mg.PLAYERS.names()


@pytest.mark.parametrize(
    ("spec", "complaint"),
    [
        ("gtp", "'command' is missing"),
        ('gtp("")', "not an empty one"),
        ('gtp("a \'b")', "no closing quotation"),
        ('gtp("no-such-program --mode gtp")', "no program 'no-such-program' on this machine"),
        ('gtp("x", seconds=0)', "seconds must be"),
    ],
)
def test_bad_specs(spec, complaint):
    with pytest.raises(MontegoError, match=complaint):
        mg.player(spec, GAME)


def test_a_spec_can_be_read_where_the_program_is_not_installed():
    assert mg.PLAYERS.build('gtp("no-such-program")').command == "no-such-program"
    with pytest.raises(SpecError):
        mg.PLAYERS.build('gpt("x")')


def test_a_program_that_resigns_ends_a_game_in_the_terminal(capsys):
    spec = f'gtp("{command("none", "E5", "D4", "resign")}")'
    assert run(["play", "--game", "go(size=9)", "--player", spec, "--side", "none"]) == 0
    assert capsys.readouterr().out.rstrip().endswith("2 moves: Black resigns")
