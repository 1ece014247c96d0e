"""The loop of a match: it goes on after any end, and its verdict does not depend on who finishes first."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from montego.arena.game import FinishedGame, Task, play_game
from montego.arena.ledger import Ledger
from montego.arena.match import Progress, run
from montego.arena.result import Result
from montego.arena.schedule import Contest
from montego.arena.sequential import Gsprt
from montego.arena.tournament import read_tournament
from montego.arena.workers import NoWorkers
from tests.arena.watching import games_in

Make = Callable[..., Contest]
Record = Callable[..., FinishedGame]
MONTEGO = [sys.executable, "-m", "montego.cli"]

TOURNAMENT = """
game = "tictactoe"
games = 40
seed = 3
opening_moves = 1

[[players]]
spec = "random"

[[players]]
spec = "flat"
playouts = [300, 600, 900]
"""


class Shuffled:
    """Workers that hand back the games under way in a random order."""

    capacity = 7

    def __init__(self, seed: int, results: Callable[[Task], FinishedGame] = play_game) -> None:
        self._random, self._results = random.Random(seed), results
        self._tasks: list[Task] = []

    def submit(self, task: Task) -> None:
        self._tasks.append(task)

    def collect(self, timeout: float) -> list[FinishedGame]:
        self._random.shuffle(self._tasks)
        return [self._results(self._tasks.pop()) for _ in range(self._random.randint(1, len(self._tasks)))]

    def close(self) -> None:
        self._tasks.clear()


def kept(file: Path) -> dict[int, FinishedGame]:
    """Return what is in a ledger, which may not have been begun."""
    with Ledger(file) as ledger:
        if not ledger.begun():
            return {}
        ledger.settings()
        games = ledger.games()
    assert len({game.task.number for game in games}) == len(games)
    return {game.task.number: game for game in games}


# --------------------------------------------------------------------------------------------------- killed and resumed


def test_a_tournament_killed_at_ten_random_moments_ends_with_every_game_once(tmp_path: Path) -> None:
    """SIGKILL a little after a random number of games; with two workers and in one process in turn."""
    plan = tmp_path / "round.toml"
    plan.write_text(TOURNAMENT, encoding="utf-8")
    tournament = read_tournament(plan)
    assert tournament.games == 240
    file = tmp_path / "round.sqlite"
    command = [*MONTEGO, "tournament", str(plan), "--json", "--workers"]
    chance = random.Random(11)
    before: dict[int, FinishedGame] = {}
    killed = 0
    for number, target in enumerate(sorted(chance.sample(range(200), 10))):
        with subprocess.Popen([*command, "02"[number % 2]], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
            while child.poll() is None and games_in(file) < max(target, len(before) + 1):
                time.sleep(0.01)
            time.sleep(chance.uniform(0, 0.02))
            killed += child.poll() is None
            child.send_signal(signal.SIGKILL)
        after = kept(file)
        assert {number: after.get(number) for number in before} == before, "a finished game was lost or changed"
        before = after
    assert killed == 10
    assert 0 < len(before) < 240
    done = subprocess.run([*command, "2"], capture_output=True, text=True, check=True)
    report = json.loads(done.stdout)
    assert report["complete"]
    assert report["games"] == 240
    end = kept(file)
    assert sorted(end) == list(range(240))
    assert {number: end[number] for number in before} == before
    with Ledger() as ledger:
        undisturbed = run(tournament.contest, ledger, NoWorkers, 240)
    assert all(end[number].moves == undisturbed.games[number].moves for number in range(240))


def test_ctrl_c_ends_cleanly_and_keeps_what_is_finished(tmp_path: Path) -> None:
    file = tmp_path / "match.sqlite"
    command = [*MONTEGO, "match", "--game", "go(size=5)", "--player", "flat(playouts=600)", "--player", "random"]
    command += ["--games", "2000", "--seed", "1", "--workers", "2", "--ledger", str(file)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as child:
        while child.poll() is None and games_in(file) < 3:
            time.sleep(0.01)
        os.killpg(child.pid, signal.SIGINT)  # as a terminal does: to the workers too
        output, errors = child.communicate(timeout=60)
    assert child.returncode == 130
    assert f"the finished games are in {file}; the same command resumes" in errors
    assert "Traceback" not in errors
    assert "of 2000 games" in output
    assert 3 <= len(kept(file)) < 2000
    assert sorted(path.name for path in tmp_path.iterdir()) == ["match.sqlite"]


def test_two_processes_share_the_games_of_one_ledger(tmp_path: Path) -> None:
    """Both run the same command; together they play every game once, and both report the same result."""
    file = tmp_path / "match.sqlite"
    command = [*MONTEGO, "match", "--game", "tictactoe", "--player", "flat(playouts=900)", "--player", "random"]
    command += ["--games", "200", "--seed", "1", "--workers", "1", "--ledger", str(file), "--json"]
    children = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    reports = [json.loads(child.communicate(timeout=120)[0]) for child in children]
    assert reports[0] == reports[1]
    assert reports[0]["games"] == 200
    assert sorted(kept(file)) == list(range(200))


def test_a_match_goes_on_and_may_be_made_longer(tmp_path: Path, contest: Make) -> None:
    match, file = contest(opening_moves=1), tmp_path / "match.sqlite"
    played = []
    for games in (10, 10, 24):
        with Ledger(file) as ledger:
            progress = run(match, ledger, NoWorkers, games)
            played.append(progress.played_here)
            assert progress.finished == games
    assert played == [10, 0, 14]
    with Ledger(file) as ledger:
        shorter = run(match, ledger, NoWorkers, 10)
    assert len(shorter.counted()) == 10
    assert any("not counted: 14 games, beyond the number requested" in note for note in Result.of(shorter).notes())


def test_a_worker_that_raises_leaves_what_was_recorded(tmp_path: Path, contest: Make) -> None:
    def fail_at_game_9(task: Task) -> FinishedGame:
        if task.number == 9:
            raise RuntimeError("lightning")
        return play_game(task)

    file = tmp_path / "match.sqlite"
    with Ledger(file) as ledger, pytest.raises(RuntimeError, match="lightning"):
        run(contest(), ledger, lambda: Shuffled(1, fail_at_game_9), 20)
    before = kept(file)
    assert 9 not in before
    with Ledger(file) as ledger:
        assert run(contest(), ledger, NoWorkers, 20).finished == 20
    assert {number: game for number, game in kept(file).items() if number in before} == before


# --------------------------------------------------------------------------------------------------------- the verdict


def test_the_verdict_is_a_function_of_the_schedule(contest: Make) -> None:
    """Whatever the order of finishing, the test sees pairs in order and stops at the same one."""
    match = replace(contest("flat(playouts=18)", "random"), test=(0.0, 60.0, 0.05, 0.05))
    ends = set()
    for seed in range(5):
        with Ledger() as ledger:
            progress = run(match, ledger, lambda seed=seed: Shuffled(seed), 1000)  # type: ignore[misc]
        assert progress.test is not None
        ends.add((progress.test.verdict, progress.test.llr, progress.decided_pairs, len(progress.counted())))
        assert len(progress.counted()) == 2 * progress.decided_pairs < 1000
    assert len(ends) == 1
    assert ends.pop()[0] == "H1"


def test_the_test_is_that_of_the_pairs_in_order(contest: Make, record: Record) -> None:
    match = replace(contest(), test=(0.0, 100.0, 0.05, 0.05))
    chance = random.Random(2)
    games = [record(number, points=float(chance.random() < 0.7)) for number in range(400)]
    expected = Gsprt(*match.test)  # type: ignore[misc]
    for pair in range(200):
        if expected.add_pair(games[2 * pair].points_of(0), games[2 * pair + 1].points_of(0)):
            break
    for _ in range(3):
        chance.shuffle(games)
        progress = Progress.of(match, 400, games)
        assert progress.test is not None
        assert progress.test.as_dict() == expected.as_dict()
        assert progress.decided_pairs == expected.pairs


def test_without_its_first_pair_a_test_knows_nothing(contest: Make, record: Record) -> None:
    match = replace(contest(), test=(0.0, 10.0, 0.05, 0.05))
    progress = Progress.of(match, 400, [record(number) for number in range(1, 400)])
    assert progress.decided_pairs == 0
    assert not progress.decided
    progress.add([record(0)])
    assert progress.decided


# --------------------------------------------------------------------------------------------------------- the report


def test_the_report_counts_by_player_and_flags_what_is_odd(contest: Make, record: Record) -> None:
    games = [record(number, points=1.0, moves=f"a1 b{number // 4}") for number in range(20)]
    games[3] = replace(games[3], reason="forfeit: X: raised ValueError: x", points=0.0, result="O+forfeit")
    games[4] = replace(games[4], reason="length limit", version="w")
    report = Result.of(Progress.of(contest(), 30, games))
    summary = report.summaries[0]
    assert (summary.games, summary.wins, summary.losses) == (20, 20, 0)
    assert summary.first_player_rate == 0.5
    assert summary.pentanomial == (0, 0, 0, 0, 10)
    data = report.as_dict()
    assert json.loads(json.dumps(data)) == data
    assert data["distinct_games"] == 10
    assert data["forfeits"] == [{"number": 3, "loser": 1, "reason": "forfeit: X: raised ValueError: x"}]
    assert not data["complete"]
    text = "\n".join(report.lines())
    assert "20 of 30 games" in text
    assert "10 games repeat another game move for move" in text
    assert "Forfeits: 1 game (1 × flat(playouts=18): raised ValueError: x)." in text
    assert "length limit" in text
    assert "different versions of the program: v, w" in text


def test_an_unfinished_pair_counts_as_a_single_game(contest: Make, record: Record) -> None:
    summary = Result.of(Progress.of(contest(), 30, [record(0), record(1), record(4)])).summaries[0]
    assert (summary.games, summary.singles, sum(summary.pentanomial)) == (3, 1, 1)


def test_many_players_are_rated(contest: Make) -> None:
    match = replace(contest("random", "flat(playouts=9)", "flat(playouts=90)"), pairings=((0, 1), (0, 2), (1, 2)))
    with Ledger() as ledger:
        report = Result.of(run(match, ledger, NoWorkers, 6 * 20))
    assert report.ratings is not None
    assert [entry.player for entry in report.ratings.entries] == ["flat(playouts=90)", "flat(playouts=9)", "random"]
    assert [summary.games for summary in report.summaries] == [40, 40, 40]
    assert "flat(playouts=90)" in "\n".join(report.lines())
    total = sum(game.points for game in report.games)
    assert sum(entry.rate * entry.games for entry in report.ratings.entries) == pytest.approx(len(report.games))
    assert 0 < total < len(report.games)


def test_games_of_a_player_against_itself_count_for_no_rating(contest: Make) -> None:
    three = contest("random", "flat(playouts=9)", "flat(playouts=90)", opening_moves=1)
    with_self = replace(three, pairings=(*three.pairings, (0, 0)))
    with Ledger() as ledger:
        progress = run(with_self, ledger, NoWorkers, 4 * len(with_self.pairings))
    report = Result.of(progress)
    assert report.summaries[2].games == 4
    others = {number: game for number, game in progress.games.items() if game.task.players != (0, 0)}
    assert report.ratings is not None
    assert str(report.ratings) == str(Result.of(replace(progress, games=others)).ratings)
