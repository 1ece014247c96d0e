"""What the arena itself costs: time per game with players that use none, and how busy the cores are.

    python benchmarks/arena.py [--games N] [--seconds S]

- *Cost of a game*: tic-tac-toe between two players that take the first legal move at once. The time per game holds
  everything: the schedule, building the players, the rules, checking the moves, sending the game to a worker and back,
  the commit to the ledger on disk, and the statistics. Starting the processes is not in it.
- *Use of the cores*: 9×9 Go between players of 100 playouts, with one worker for each core. The share of the cores is
  the CPU time of all its processes over what there was, once all workers play. Other programs take their part: ``load``
  is what they used, ``idle`` what nobody used, and ``share_of_rest`` our share of what they left.
"""

import argparse
import contextlib
import json
import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from montego.arena.game import warm_up
from montego.arena.ledger import Ledger
from montego.arena.match import Progress, run
from montego.arena.openings import Openings
from montego.arena.result import Result
from montego.arena.schedule import Contest
from montego.arena.workers import LocalWorkers, NoWorkers, UserFile, Workers
from montego.loading import load_file

INSTANT = '''
from typing import NamedTuple

from montego.players import PLAYERS
from montego.search import NO_LIMITS, Analysis


class Instant(NamedTuple):
    """The first legal move, at once."""

    def search(self, game):
        return self

    def run(self, position, rng, limits=NO_LIMITS):
        return Analysis("", int(position.legal_numbers()[0]))


PLAYERS.add("instant", Instant)
'''


def cpu_seconds(processes: list[int]) -> float:
    """Return the CPU time that processes have used so far."""
    ticks = 0
    for process in processes:
        fields = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def machine_seconds() -> float:
    """Return the CPU time that the whole machine has used so far."""
    user, nice, system = Path("/proc/stat").read_text(encoding="utf-8").split()[1:4]
    return (int(user) + int(nice) + int(system)) / os.sysconf("SC_CLK_TCK")


def measure_cost(crew: Workers, games: int, folder: Path) -> dict[str, Any]:
    """Measure the time per game between players that use none, from the first games on."""
    contest = Contest("tictactoe", ("instant", "instant"), ((0, 1),), 1, Openings(2))
    processes = [os.getpid(), *(crew.process_ids() if isinstance(crew, LocalWorkers) else [])]
    marks: list[tuple[float, float, int]] = []

    def watch(progress: Progress) -> None:
        if progress.finished >= games // 10:
            marks.append((time.perf_counter(), cpu_seconds(processes), progress.finished))

    with Ledger(folder / f"cost-{crew.capacity}.sqlite") as ledger:
        progress = run(contest, ledger, lambda: crew, games, watch)
        Result.of(progress).as_dict()
    wall, used, played = (last - first for first, last in zip(marks[0], marks[-1], strict=True))
    return {
        "games": games,
        "milliseconds_per_game": 1000 * wall / played,
        "cpu_milliseconds_per_game": 1000 * used / played,
    }


def measure_use(workers: int, seconds: float, folder: Path) -> dict[str, Any]:
    """Measure the share of the cores that a match of 100-playout players uses."""
    spec = "uct(playouts=100, memory=1)"
    contest = Contest("go(size=9)", (spec, spec), ((0, 1),), 1, Openings(2))
    warm_up(contest.game, list(contest.players))
    crew = LocalWorkers(workers)
    processes = [os.getpid(), *crew.process_ids()]
    marks: list[tuple[float, float, float, int]] = []

    class Enough(Exception):
        """The time is over."""

    def watch(progress: Progress) -> None:
        if progress.finished >= 2 * workers:
            marks.append((time.perf_counter(), cpu_seconds(processes), machine_seconds(), progress.finished))
            if marks[-1][0] - marks[0][0] > seconds:
                raise Enough

    with Ledger(folder / "use.sqlite") as ledger, contextlib.suppress(Enough):
        run(contest, ledger, lambda: crew, 10**6, watch)
    wall, used, machine, games = (last - first for first, last in zip(marks[0], marks[-1], strict=True))
    cores = len(os.sched_getaffinity(0))
    share, load = used / (cores * wall), (machine - used) / (cores * wall)
    return {
        "workers": workers,
        "games": games,
        "games_per_hour": 3600 * games / wall,
        "share_of_cores": share,
        "load": load,
        "idle": 1 - share - load,
        "share_of_rest": share / (1 - load),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--seconds", type=float, default=20.0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        file = folder / "instant.py"
        file.write_text(INSTANT, encoding="utf-8")
        load_file(str(file))
        warm_up("tictactoe", ["instant"])
        sources = [UserFile.read(str(file))]
        cores = len(os.sched_getaffinity(0))
        crews: list[tuple[str, Callable[[], Workers]]] = [
            ("in one process", NoWorkers),
            ("1 worker", lambda: LocalWorkers(1, sources)),
            (f"{cores} workers", lambda: LocalWorkers(cores, sources)),
        ]
        for label, make in crews:
            print(label, json.dumps(measure_cost(make(), options.games, folder)), flush=True)
        print("use of the cores", json.dumps(measure_use(cores, options.seconds, folder)), flush=True)


if __name__ == "__main__":
    main()
