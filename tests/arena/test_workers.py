"""Workers: the same games wherever they are played, a dead worker's game played again, users' files everywhere."""

import os
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from montego.arena.game import FinishedGame, warm_up
from montego.arena.ledger import Ledger
from montego.arena.match import Progress, run
from montego.arena.schedule import Contest
from montego.arena.workers import MAX_ATTEMPTS, LocalWorkers, NoWorkers, UserFile, Workers
from montego.errors import MontegoError

Make = Callable[..., Contest]


def played(contest: Contest, workers: Callable[[], Workers], games: int, watch: Any = lambda p: None) -> Progress:
    with Ledger() as ledger:
        progress = run(contest, ledger, workers, games, watch)
        assert [game.task.number for game in ledger.games()] == list(range(games))
    return progress


def moves(progress: Progress) -> list[tuple[str, ...]]:
    return [progress.games[number].moves for number in sorted(progress.games)]


def test_one_and_two_workers_and_none_play_the_same_games(contest: Make, capfd: pytest.CaptureFixture[str]) -> None:
    """Once the parent has warmed the cache, no worker says that it has to compile."""
    match = contest("random", "flat(playouts=18)", "uct(playouts=20, memory=1)", opening_moves=1)
    warm_up(match.game, list(match.players))
    alone = played(match, NoWorkers, 60)
    capfd.readouterr()
    for count in (1, 2):
        progress = played(match, lambda count=count: LocalWorkers(count), 60)  # type: ignore[misc]
        assert moves(progress) == moves(alone)
        assert [game.points for game in progress.counted()] == [game.points for game in alone.counted()]
    assert len(set(moves(alone))) > 40
    assert "compiling" not in capfd.readouterr().err


def test_the_game_of_a_killed_worker_is_played_again(faulty: Path, contest: Make) -> None:
    """A game takes 0.2 s or more, and three times a worker is killed while it plays."""
    match = contest('faulty(how="nothing", sleep=0.02)', 'faulty(how="nothing", sleep=0.03)')
    crew = LocalWorkers(2, [UserFile.read(str(faulty))])
    killed: list[int] = []

    def kill(progress: Progress) -> None:
        if progress.finished >= 2 + 2 * len(killed) and len(killed) < 3:
            victim = crew.process_ids()[len(killed) % 2]
            os.kill(victim, signal.SIGKILL)
            killed.append(victim)

    assert played(match, lambda: crew, 12, kill).finished == 12
    assert len(set(killed)) == 3
    assert not set(killed) & set(crew.process_ids())


def test_a_game_that_kills_every_worker_ends_the_match_with_an_error(faulty: Path, contest: Make) -> None:
    match = contest('faulty(how="die", after=4)', "random")
    with Ledger() as ledger, pytest.raises(MontegoError, match=rf"has crashed {MAX_ATTEMPTS} worker .* exit code 7"):
        run(match, ledger, lambda: LocalWorkers(1, [UserFile.read(str(faulty))]), 2)


def test_workers_end_with_the_process_that_started_them(tmp_path: Path) -> None:
    """The parent is killed in mid-game, without a chance to say goodbye."""
    faulty = Path(__file__).parent / "faulty.py"
    script = tmp_path / "parent.py"
    script.write_text(
        f"""
import os, signal
from montego.arena.openings import Openings
from montego.arena.schedule import Contest
from montego.arena.workers import LocalWorkers, UserFile
from montego.loading import load_file
if __name__ == "__main__":
    load_file({str(faulty)!r})
    spec = 'faulty(how="nothing", sleep=30)'
    crew = LocalWorkers(1, [UserFile.read({str(faulty)!r})])
    crew.submit(Contest("tictactoe", (spec, spec), ((0, 1),), 1, Openings()).task(0))
    crew.collect(2)
    print(*crew.process_ids(), flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
""",
        encoding="utf-8",
    )
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=False)
    (worker,) = map(int, done.stdout.split())
    deadline = time.monotonic() + 20
    while _alive(worker):
        assert time.monotonic() < deadline, "the worker goes on alone"
        time.sleep(0.05)


def _alive(process: int) -> bool:
    try:
        status = Path(f"/proc/{process}/stat").read_text(encoding="utf-8")
    except OSError:
        return False
    return status.rpartition(")")[2].split()[0] != "Z"


def test_a_file_that_a_worker_cannot_see_is_sent_along(faulty: Path, tmp_path: Path, contest: Make) -> None:
    elsewhere = UserFile("/nonexistent/faulty.py", faulty.read_text(encoding="utf-8"))
    match = contest('faulty(how="nothing")', "random")
    assert played(match, lambda: LocalWorkers(1, [elsewhere]), 2).finished == 2


# -------------------------------------------------------------------------------------------------------------- cluster


@pytest.fixture
def cluster() -> Iterator[Any]:
    import distributed

    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs="CRITICAL"
    ) as started:
        yield started


@pytest.mark.filterwarnings("default")  # what Dask and Tornado leave behind is theirs
def test_a_dask_cluster_plays_the_same_games_though_a_worker_is_killed(
    cluster: Any, faulty: Path, contest: Make
) -> None:
    from montego.arena.cluster import ClusterWorkers

    match = contest('faulty(how="nothing", sleep=0.01)', "flat(playouts=9)", opening_moves=1)
    crew = ClusterWorkers(cluster.scheduler_address, match.game, match.players, [UserFile.read(str(faulty))])
    processes = crew._client.run(os.getpid)
    killed: list[int] = []

    def kill(progress: Progress) -> None:
        if progress.finished >= 6 and not killed:
            killed.append(next(iter(processes.values())))
            os.kill(killed[0], signal.SIGKILL)

    progress = played(match, lambda: crew, 40, kill)
    assert len(killed) == 1
    assert moves(progress) == moves(played(match, NoWorkers, 40))


@pytest.mark.filterwarnings("default")
def test_a_cluster_that_is_not_there() -> None:
    from montego.arena import cluster

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cluster, "_CONNECT_SECONDS", 0.5)
        with pytest.raises(MontegoError, match="no Dask scheduler answers") as caught:
            cluster.ClusterWorkers("tcp://127.0.0.1:9", "tictactoe", ["random"])
        assert "\n" not in str(caught.value)


@pytest.mark.both_modes
@pytest.mark.parametrize("address", ["foo", "", "tcp://foo", "tcp://", "x://foo:1", "tcp://foo:b", "tcp://foo:1/x"])
def test_an_address_that_is_none_is_refused_before_a_client_is_made(address: str) -> None:
    from montego.arena.cluster import ClusterWorkers

    with pytest.raises(MontegoError, match=f"'{address}' is not the address of a Dask scheduler; expected tcp://host"):
        ClusterWorkers(address, "tictactoe", ["random"])


def test_records_are_small_enough_to_send(contest: Make) -> None:
    record: FinishedGame = played(contest(), NoWorkers, 2).games[0]
    assert pickle.loads(pickle.dumps(record)) == record
    assert len(pickle.dumps(record)) < 2000
