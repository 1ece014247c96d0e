"""Who may run what: workers import nothing from the current folder, machine code of others is not loaded."""

import hashlib
import json
import os
import pickle
import subprocess
import sys
import time
from pathlib import Path

import dask
import pytest

import montego as mg
from montego import _jit
from montego._jit import cache
from montego.arena.cluster import ClusterWorkers
from montego.arena.ledger import Ledger
from montego.arena.match import run
from montego.errors import MontegoError
from tests.arena.conftest import contest  # noqa: F401 (a fixture)

ENVIRONMENT = os.environ | {"PYTHONPATH": str(Path(mg.__file__).parents[1]), "NUMBA_DISABLE_JIT": "1"}
ENGINE = Path(__file__).with_name("hostile_engine.py")
TRAPS = ("signal", "multiprocessing", "threading", "pickle", "numpy", "montego", "ctypes", "resource", "select")


@pytest.fixture
def trapped(tmp_path):
    """A folder with files that have the names of modules and leave a trace when they are imported."""
    folder = tmp_path / "here"
    folder.mkdir()
    for name in TRAPS:
        trace = tmp_path / "traces"
        noted = f"with builtins.open({str(trace)!r}, 'a') as file:\n    file.write('{name}\\n')\n"
        trap = f"import builtins\n{noted}raise ImportError\n"
        (folder / f"{name}.py").write_text(trap)
    return folder


def started(words, folder, **environment):
    """Run the installed command in a folder, as people do."""
    script = Path(sys.executable).with_name("montego")
    line = [sys.executable, "-P", "-m", "montego.cli", *words] if not script.exists() else [str(script), *words]
    return subprocess.run(line, env=ENVIRONMENT | environment, cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    "words",
    [
        ["match", "--game", "tictactoe", "--player", "random", "--player", "random", "--games", "2", "--workers", "1"],
        ["match", "--game", "go(size=2)", "--player", "random", "--player", "ENGINE", "--games", "2", "--workers", "0"],
    ],
    ids=["workers", "engines"],
)
def test_nothing_in_the_current_folder_is_imported(words, trapped):
    """``signal.py`` and ``multiprocessing.py`` there were executed by every worker."""
    engine = f'gtp("{sys.executable} -P {ENGINE} none")'
    done = started([engine if word == "ENGINE" else word for word in words], trapped)
    assert not (trapped.parent / "traces").exists(), (trapped.parent / "traces").read_text()
    assert done.returncode == 0, done.stderr
    assert "of 2 games" in done.stdout


def test_programs_that_workers_start_get_the_environment_of_the_user(tmp_path):
    """Only Python's own start is guarded: an engine may be a script with modules beside it."""
    code = """
import os
from montego.arena.workers import LocalWorkers, _safe_path
if __name__ == "__main__":
    with _safe_path():
        assert os.environ["PYTHONSAFEPATH"] == "1"
    assert "PYTHONSAFEPATH" not in os.environ
    crew = LocalWorkers(1)
    crew.close()
    assert "PYTHONSAFEPATH" not in os.environ
"""
    script = tmp_path / "script.py"
    script.write_text(code)
    environment = {name: value for name, value in ENVIRONMENT.items() if name != "PYTHONSAFEPATH"}
    done = subprocess.run([sys.executable, str(script)], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


# ------------------------------------------------------------------------------------------------- cached machine code


class Bomb:
    """Leaves a trace when it is unpickled."""

    def __init__(self, trace):
        self.trace = str(trace)

    def __reduce__(self):
        return (Path(self.trace).touch, ())


@pytest.mark.compiled
def test_a_file_of_another_user_is_never_loaded(tmp_path, monkeypatch):
    """Where we may not give files away, another user is one that the system says we are not."""
    payload = pickle.dumps(Bomb(tmp_path / "trace"))
    file = tmp_path / "kernel.code"
    file.write_bytes(hashlib.sha256(payload).digest() + payload)
    file.chmod(0o600)
    reader = cache.KernelCache(lambda: None, {}, None, None)
    if os.geteuid() == 0:
        os.chown(file, 12345, 12345)
    else:
        monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    with pytest.raises(PermissionError, match="belongs to another user"):
        reader._read(file, None)
    assert not (tmp_path / "trace").exists()
    if os.geteuid() == 0:
        os.chown(file, 0, 0)
        file.chmod(0o602)
        with pytest.raises(PermissionError, match="can be written by one"):
            reader._read(file, None)
    assert not (tmp_path / "trace").exists()


@pytest.mark.compiled
def test_a_cache_folder_of_another_user_is_not_used(tmp_path, monkeypatch):
    if os.geteuid() != 0:
        pytest.skip("only root can give a folder away")
    folder = tmp_path / "cache"
    folder.mkdir(mode=0o700)
    os.chown(folder, 12345, 12345)
    code = "import json; from montego import _jit; print(json.dumps(_jit.cache_problem()))"
    environment = {name: value for name, value in ENVIRONMENT.items() if name != "NUMBA_DISABLE_JIT"}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment | {"MONTEGO_CACHE": str(folder)}, capture_output=True, text=True
    )
    assert json.loads(done.stdout), done.stderr
    assert _jit.cache_root is not None


# ----------------------------------------------------------------------------------------------- a scheduler that dies


@pytest.mark.slow
@pytest.mark.filterwarnings("default")  # what Dask and Tornado leave behind is theirs
def test_a_dask_scheduler_that_dies_is_one_line_and_no_game_is_lost(tmp_path, contest):  # noqa: F811
    address = tmp_path / "address.json"
    commands = {
        "dask_scheduler": ["--port", "0", "--no-dashboard", "--host", "127.0.0.1"],
        "dask_worker": ["--nthreads", "1", "--no-dashboard", "--no-nanny"],
    }
    started_programs = [
        subprocess.Popen(
            [
                sys.executable,
                "-c",
                f"from distributed.cli.{name} import main; main()",
                *options,
                "--scheduler-file",
                str(address),
            ],
            env=ENVIRONMENT,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            cwd=tmp_path,
        )
        for name, options in commands.items()
    ]
    scheduler = started_programs[0]
    match = contest("random", "flat(playouts=9)")

    def kill(progress):
        if progress.finished >= 4 and scheduler.poll() is None:
            scheduler.kill()
            scheduler.wait()

    try:
        deadline = time.monotonic() + 60
        while not address.exists() and time.monotonic() < deadline:
            time.sleep(0.1)
        there = json.loads(address.read_text())["address"]
        impatient = dask.config.set({"distributed.comm.timeouts.connect": "2s"})
        with impatient, Ledger(tmp_path / "match.sqlite") as ledger:
            with pytest.raises(MontegoError, match=r"the Dask scheduler at .* has gone; the finished games are kept"):
                run(match, ledger, lambda: ClusterWorkers(there, match.game, match.players), 5000, kill)
            assert len(ledger.games()) >= 4
    finally:
        for program in started_programs:
            program.kill()
            program.wait()
