"""Hostile engines: no deadline can be dragged out, nothing of them outlives us or reaches a terminal."""

import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import montego as mg
from montego.errors import Forfeit
from montego.opponents import Gtp
from montego.opponents.engine import Engine
from montego.protocols.gtp.lines import whole
from montego.rng import stream

SCRIPT = Path(__file__).with_name("hostile_engine.py")
GAME = mg.Go(size=9)
ENVIRONMENT = os.environ | {"PYTHONPATH": str(Path(mg.__file__).parents[1]), "NUMBA_DISABLE_JIT": "1"}


def command(how, *files):
    return shlex.join([sys.executable, str(SCRIPT), how, *map(str, files)])


def alive(process):
    """Whether a process runs; a zombie does not."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def all_gone(processes, seconds=15.0):
    deadline = time.monotonic() + seconds
    while any(alive(process) for process in processes):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def noted(file, count):
    """Return the ids that an engine has written, when it has written so many."""
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        found = file.read_text().split() if file.exists() else []
        if len(found) >= count:
            return [int(word) for word in found]
        time.sleep(0.02)
    raise AssertionError(f"the engine has started {found}, not {count} processes")


@pytest.mark.parametrize(
    ("how", "reason"),
    [
        ("newlines", "did not answer 'genmove black' within 0.5 s"),
        ("spaces", "did not answer 'genmove black' within 0.5 s"),
        ("slowly", "did not answer 'genmove black' within 0.5 s"),
        ("realtime", f"crashed during 'genmove black': signal {signal.SIGRTMIN + 2}"),
    ],
)
def test_a_deadline_holds_whatever_arrives(how, reason):
    """The clock was looked at only when nothing arrived, so that a flood of newlines was never timed out."""
    search = Gtp(command(how), seconds=0.5 if how != "realtime" else 20).search(GAME)
    try:
        with pytest.raises(Forfeit) as caught:
            search.run(GAME.start(), stream(1))
        assert reason in str(caught.value)
        assert all_gone([search.engine.pid])
    finally:
        search.close()


def test_an_engine_that_never_reads_does_not_block_us():
    """Pipes hold 64 kB; a command that does not fit was written for ever."""
    engine = Engine(command("deaf"))
    try:
        with pytest.raises(Forfeit, match=r"did not read 'xxxxx.* within 0\.3 s"):
            engine.ask("x" * 200_000, 0.3)
    finally:
        engine.close()


PARENT = """
import signal, sys, time
from montego.opponents import Gtp
from montego.games import Go
from montego.rng import stream
signal.signal(signal.SIGHUP, signal.SIG_DFL)  # tests may run under nohup
search = Gtp({command!r}).search(Go(size=9))
search.run(Go(size=9).start(), stream(1))
print("ready", flush=True)
time.sleep(600)
"""


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGTERM, signal.SIGKILL])
def test_nothing_of_an_engine_outlives_its_user(number, tmp_path):
    """It ignores signals and the end of its input; a child has its own session, another one lost its parent."""
    file = tmp_path / "processes"
    code = PARENT.format(command=command("family", file))
    with subprocess.Popen([sys.executable, "-c", code], env=ENVIRONMENT, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout.readline() == "ready\n"
        processes = noted(file, 3)
        assert all(alive(process) for process in processes)
        parent.send_signal(number)
        parent.wait()
        assert all_gone(processes)


def test_nothing_of_an_engine_outlives_its_keeper(tmp_path):
    """Whoever kills the keeper kills the engine; only what has left it before may stay."""
    file = tmp_path / "processes"
    engine = Engine(command("none", file))
    (process,) = noted(file, 1)
    os.kill(engine.pid, signal.SIGKILL)
    assert all_gone([process])
    engine.close()


def test_closing_kills_the_whole_family(tmp_path):
    file = tmp_path / "processes"
    engine = Engine(command("family", file))
    processes = noted(file, 3)
    engine.close()
    assert all_gone(processes)


@pytest.mark.parametrize("workers", ["0", "1"])
def test_engines_end_with_a_match_that_is_killed(workers, tmp_path):
    file = tmp_path / "processes"
    spec = f'gtp("{command("deaf_later", file)}")'
    words = ["match", "--game", "go(size=9)", "--player", spec, "--player", "random", "--games", "2"]
    line = [sys.executable, "-m", "montego.cli", *words, "--workers", workers, "--ledger", str(tmp_path / "m.sqlite")]
    with subprocess.Popen(line, env=ENVIRONMENT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as parent:
        processes = noted(file, 1)
        parent.kill()
        parent.wait()
        assert all_gone({*processes, *map(int, file.read_text().split())})


def test_an_engine_that_cannot_be_run_is_a_forfeit_in_one_line(tmp_path):
    program = tmp_path / "engine"
    program.write_text("#!/no/such/interpreter\n")
    program.chmod(0o755)
    search = Gtp(str(program)).search(GAME)
    with pytest.raises(Forfeit, match="exit code 127") as caught:
        search.run(GAME.start(), stream(1))
    assert "cannot run" in caught.value.detail
    search.close()


def test_seeds_that_we_send_are_seeds_that_we_accept():
    """Seven of a hundred had ten digits, which was a syntax error."""
    for seed in (0, 2**30 - 1, 2**31 - 1, 10**10):
        assert whole(str(seed)) == seed
