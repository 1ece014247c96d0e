"""Matches, tournaments and experiments: started from a page, watched by any number of pages, stopped, resumed."""

from __future__ import annotations

import itertools
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from montego.arena.compete import choose_seed, crew, even
from montego.arena.game import FinishedGame
from montego.arena.ledger import MEMORY, Ledger
from montego.arena.match import Progress, pair_points, run
from montego.arena.openings import Openings
from montego.arena.result import Result
from montego.arena.schedule import MOST_MOVES, MOST_RESIGN, SCHEDULES, Contest, pairings
from montego.arena.sequential import Gsprt
from montego.arena.statistics import wilson
from montego.lab import EXPERIMENTS
from montego.spec import text
from montego.web.background import Background, Ended
from montego.web.bounds import Bounds, Refused
from montego.web.engines import settings_of
from montego.web.folder import Folder
from montego.web.reproductions import Reproduction, refuse_to_replace
from montego.web.requests import Message, number, string, strings, whole

_SHOW_EVERY = 0.5  # seconds
_SHOW_SHARE = 0.05  # of the time may be spent on evaluating
_LISTED_GAMES = 200  # the latest ones
_CURVE = 300  # points of a curve at most
_ERROR_RATE = 0.05


class Crew(NamedTuple):
    """Who plays the games of a match: so many worker processes, which load these files of the user's first."""

    workers: int
    files: tuple[str, ...]


class Match(Background):
    """One match or tournament."""

    kind = "match"

    def __init__(self, identity: int, contest: Contest, games: int, path: str, how: Crew) -> None:
        super().__init__(identity, _title(contest), games, path != MEMORY)
        self.contest, self.path, self.how = contest, path, how
        self.finished: dict[int, FinishedGame] = {}
        self._next = 0.0

    def work(self, changed: Callable[[], None]) -> None:
        """Play all games."""

        def watch(progress: Progress) -> None:
            if self.stopping.is_set():
                raise Ended
            self.state = "playing"
            if time.monotonic() >= self._next:
                began = time.monotonic()
                self._show(progress)
                changed()
                ended = time.monotonic()
                self._next = ended + max(_SHOW_EVERY, (ended - began) / _SHOW_SHARE)

        with Ledger(self.path) as ledger:
            start = crew(self.contest, self.how.workers, None, self.how.files)
            self._show(run(self.contest, ledger, start, self.total, watch))

    def again(self) -> Match:
        """Return the match to go on with; one in memory begins anew."""
        other = Match(self.identity, self.contest, self.total, self.path, self.how)
        other.finished, other.view, other.done = self.finished, self.view, self.done
        return other

    def _show(self, progress: Progress) -> None:
        """Evaluate the games so far."""
        self.finished = dict(progress.games)
        self.done = progress.finished
        result = Result.of(progress)
        latest = sorted(self.finished, reverse=True)[:_LISTED_GAMES]
        self.view = {
            "result": result.as_dict(),
            "lines": result.lines(),
            "speed": round(progress.games_per_hour()),
            "score_curve": _score_curve(result),
            "llr_curve": _llr_curve(progress),
            "games": [_row(self.finished[number]) for number in latest],
        }


def _row(game: FinishedGame) -> dict[str, Any]:
    return {
        "number": game.task.number,
        "players": list(game.task.players),
        "moves": len(game.moves),
        "result": game.result,
        "reason": game.reason,
    }


def _thinned(points: list[list[float]]) -> list[list[float]]:
    """Return at most so many points of a curve, the last one among them."""
    step = -(-len(points) // _CURVE) or 1
    return points if step == 1 else [*points[:-1:step], points[-1]]


def _score_curve(result: Result) -> list[list[float]]:
    """Return [games, score, low, high] of a match after each game; empty for a tournament."""
    if len(result.names) != 2:
        return []
    first, total, curve = result.progress.contest.pairings[0][0], 0.0, []
    for count, game in enumerate(result.games, 1):
        total += game.points_of(first)
        low, high = wilson(total, count)
        curve.append([count, round(total / count, 4), round(low, 4), round(high, 4)])
    return _thinned(curve)


def _llr_curve(progress: Progress) -> list[list[float]]:
    """Return [pairs, log-likelihood ratio] of a sequential test after each pair."""
    if progress.contest.test is None:
        return []
    test, curve = Gsprt(*progress.contest.test), []
    for pair in range(progress.decided_pairs):
        points = pair_points(progress.games, pair, progress.contest.pairings[0][0])
        if points is None:
            break
        test.add_pair(*points)
        curve.append([pair + 1, round(test.llr, 4)])
    return _thinned(curve)


class Contests:
    """All contests of a server, and the experiments that pages have started."""

    def __init__(self, bounds: Bounds, folder: Folder, allow_commands: bool = False, files: Sequence[str] = ()) -> None:
        self.bounds, self.folder, self.allow_commands = bounds, folder, allow_commands
        self._crew = Crew(bounds.contest_workers, tuple(files))
        self._runs: OrderedDict[int, Background] = OrderedDict()
        self._numbers = itertools.count(1)
        self._watchers: dict[tuple[int, int], Callable[[Background], None]] = {}  # by (page, request)
        self._lock = threading.Lock()

    # -- watching

    def watch(self, client: int, identity: int, changed: Callable[[Background], None]) -> None:
        """Tell a page about every change from now on."""
        with self._lock:
            self._watchers[client, identity] = changed
            runs = list(self._runs.values())
        for one in runs:
            changed(one)

    def forget(self, client: int) -> None:
        """A page has left; contests go on."""
        with self._lock:
            for key in [key for key in self._watchers if key[0] == client]:
                del self._watchers[key]

    def _changed(self, one: Background) -> None:
        with self._lock:
            watchers = list(self._watchers.values())
        for tell in watchers:
            tell(one)

    # -- running

    def start(self, message: Message) -> Background:
        """Start the contest that a request describes, or resume the one in a ledger."""
        path = MEMORY
        if name := string(message, "ledger", "", 90):
            path = str(self.folder.place(name, "ledgers"))
        contest, games = self._contest(message, path)
        return self._begin(lambda number: Match(number, contest, games, path, self._crew))

    def reproduce(self, message: Message) -> Background:
        """Start a quick run of an experiment."""
        chosen = EXPERIMENTS[string(message, "name", most=90)]
        refuse_to_replace(chosen.name, self.folder)
        return self._begin(
            lambda number: Reproduction(
                number, chosen, self.folder, self.bounds.experiment_seconds, self.allow_commands
            )
        )

    def _begin(self, made: Callable[[int], Background]) -> Background:
        """Start something, unless enough is running; forget what has ended long ago."""
        with self._lock:
            if sum(one.active for one in self._runs.values()) >= self.bounds.contests:
                raise Refused(f"{self.bounds.contests} contests or experiments are running; stop one of them first")
            one = made(next(self._numbers))
            self._runs[one.identity] = one
            for identity in [key for key, old in self._runs.items() if not old.active]:
                if len(self._runs) > self.bounds.kept_contests:
                    del self._runs[identity]
        self._run(one)
        return one

    def resume(self, identity: int) -> Background:
        """Go on with something that was stopped."""
        one = self.get(identity)
        if one.active:
            raise Refused("this contest is being played")
        with self._lock:
            again = one.again()
            self._runs[identity] = again
        self._run(again)
        return again

    def _run(self, one: Background) -> None:
        threading.Thread(target=one.run, args=(self._changed,), daemon=True).start()
        self._changed(one)

    def stop(self, identity: int) -> Background:
        """Stop a contest or an experiment."""
        one = self.get(identity)
        if one.active:
            one.state = "stopping"
            one.stop()
            self._changed(one)
        return one

    def get(self, identity: int) -> Background:
        """Return a contest or an experiment by its number."""
        with self._lock:
            if identity not in self._runs:
                raise Refused(f"there is no contest {identity}")
            return self._runs[identity]

    def game(self, identity: int, place: int) -> dict[str, Any]:
        """Return a finished game of a contest with its moves."""
        one = self.get(identity)
        if not isinstance(one, Match) or place not in one.finished:
            raise Refused(f"game {place} of contest {identity} is not finished")
        game = one.finished[place]
        names = [one.contest.names[player] for player in game.task.players]
        return {"game": game.task.game, "moves": list(game.moves), "players": names, "result": game.result}

    def close(self) -> None:
        """Stop everything and wait a moment for the workers to end."""
        with self._lock:
            runs = [one for one in self._runs.values() if one.active]
        for one in runs:
            one.stop()
        end = time.monotonic() + 5
        while any(one.active for one in runs) and time.monotonic() < end:
            time.sleep(0.05)

    # -- what a request describes

    def _contest(self, message: Message, path: str) -> tuple[Contest, int]:
        bounds = self.bounds
        specs = strings(message, "players", 16, 2000)
        players = tuple(
            text(settings_of(spec, bounds, self.allow_commands, bounds.contest_megabytes)) for spec in specs
        )
        schedule = string(message, "schedule", "round_robin")
        if schedule not in SCHEDULES:
            raise Refused(f"a schedule is one of {', '.join(SCHEDULES)}")
        pairs = tuple(pairings(schedule, len(players)))
        games = even(whole(message, "games", 20, 2, bounds.contest_games)) * len(pairs)
        if games > bounds.contest_games:
            raise Refused(f"{games:,} games are more than this server plays in one contest ({bounds.contest_games:,})")
        test = None
        if message.get("sprt") is not None and len(players) == 2:
            sprt = message["sprt"]
            if not isinstance(sprt, dict):
                raise Refused("'sprt' must be {'elo0': …, 'elo1': …}")
            elo = (number(sprt, "elo0", 0, -2000, 2000), number(sprt, "elo1", 50, -2000, 2000))
            test = (*elo, _ERROR_RATE, _ERROR_RATE)
            Gsprt(*test)  # refuses bounds that make no sense
        with Ledger(path) as ledger:
            seed = choose_seed(whole(message, "seed", 0, 0, 2**32) if "seed" in message else None, ledger)
        contest = Contest(
            string(message, "game"),
            players,
            pairs,
            seed,
            Openings(whole(message, "opening_moves", 0, 0, 20)),
            max_moves=whole(message, "max_moves", 0, 0, MOST_MOVES),
            test=test,
            resign=number(message, "resign", 0, 0, MOST_RESIGN),
        )
        return contest, games


def _title(contest: Contest) -> str:
    names = contest.names
    return f"{contest.game}: {' against '.join(names) if len(names) == 2 else f'{len(names)} players'}"
