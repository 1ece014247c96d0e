"""The loop of every match and tournament: it plays and records the scheduled games that are not in the ledger.

A game counts as soon as it is in the ledger. The verdict of a sequential test depends on the pairs in the order of the
schedule, not on the order in which workers finish them. Once reached, it is final.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime

from montego.arena.game import FinishedGame, build
from montego.arena.ledger import Ledger
from montego.arena.schedule import Contest
from montego.arena.sequential import Gsprt
from montego.arena.workers import Workers

_POLL_SECONDS = 0.25
_WRITING_SHARE = 0.1  # of the time may be spent waiting for the disk


@dataclass
class Progress:
    """How far a run has come: every finished game by its number, and the state of the sequential test."""

    contest: Contest
    total: int
    games: dict[int, FinishedGame] = field(default_factory=dict)
    test: Gsprt | None = None
    decided_pairs: int = 0  # pairs that the test has seen, in the order of the schedule
    played_here: int = 0
    finished: int = 0  # scheduled games that are done
    first_missing: int = 0  # all games before this number are done
    began: float = field(default_factory=time.monotonic)

    @classmethod
    def of(cls, contest: Contest, total: int, games: Iterable[FinishedGame] = ()) -> Progress:
        """Return the progress of a contest with some finished games."""
        progress = cls(contest, total, test=None if contest.test is None else Gsprt(*contest.test))
        progress.add(games)
        return progress

    @property
    def decided(self) -> bool:
        """Whether the sequential test has reached a verdict."""
        return self.test is not None and self.test.verdict is not None

    def add(self, games: Iterable[FinishedGame]) -> None:
        """Add finished games, and show the test the pairs that are complete and next in order."""
        for game in games:
            self.finished += game.task.number not in self.games and game.task.number < self.total
            self.games[game.task.number] = game
        while self.first_missing in self.games:
            self.first_missing += 1
        while self.test is not None and self.test.verdict is None and 2 * self.decided_pairs < self.total:
            pair = pair_points(self.games, self.decided_pairs, self.contest.pairings[0][0])
            if pair is None:
                return
            self.test.add_pair(*pair)
            self.decided_pairs += 1

    def games_per_hour(self) -> float:
        """Return the speed of this run."""
        elapsed = time.monotonic() - self.began
        return 3600 * self.played_here / elapsed if elapsed > 0 else 0.0

    def counted(self) -> list[FinishedGame]:
        """Return the games that make up the result: all that are scheduled, or those that led to the verdict."""
        end = 2 * self.decided_pairs if self.decided else self.total
        return [self.games[number] for number in sorted(self.games) if number < end]


def pair_points(games: dict[int, FinishedGame], pair: int, player: int) -> tuple[float, float] | None:
    """Return a player's points in the two games of a pair, or None if they are not both finished."""
    first, second = games.get(2 * pair), games.get(2 * pair + 1)
    return None if first is None or second is None else (first.points_of(player), second.points_of(player))


def begin(contest: Contest, ledger: Ledger, games: int) -> None:
    """Make a ledger that of the first ``games`` games of a contest, or check that it already is one of this contest."""
    ledger.begin(contest.settings(), games, build(), datetime.now(UTC).isoformat(timespec="seconds"))


def run(
    contest: Contest,
    ledger: Ledger,
    workers: Callable[[], Workers],
    games: int,
    watch: Callable[[Progress], None] = lambda progress: None,
) -> Progress:
    """Play the first ``games`` games of a contest, except those in the ledger, until all are done or a test decides.

    ``workers`` starts the workers if there is something to play. After any exception, Ctrl-C included, the finished
    games are in the ledger and the workers have ended.
    """
    begin(contest, ledger, games)
    progress = Progress.of(contest, games)
    ledger.changed()
    progress.add(ledger.games())
    watch(progress)
    if progress.decided or progress.finished >= games:
        return progress
    crew = workers()
    progress.began = time.monotonic()
    loop = _Loop(progress, ledger, crew)
    try:
        while not progress.decided and progress.finished < games:
            loop.fill()
            loop.collect()
            if ledger.changed():
                progress.add(ledger.new_games())
            watch(progress)
    finally:
        crew.close()
        loop.write()
        ledger.release(loop.under_way)
    return progress


class _Loop:
    """The games between the schedule and the ledger: given to workers, or finished and about to be written.

    If a game takes less time than writing it to disk, several games are written together. They count once written.
    """

    def __init__(self, progress: Progress, ledger: Ledger, crew: Workers) -> None:
        self.progress, self.ledger, self.crew = progress, ledger, crew
        self.under_way: set[int] = set()
        self.unwritten: dict[int, FinishedGame] = {}
        self._next_write = 0.0

    def fill(self) -> None:
        """Give the workers the next games of the schedule that nobody has played or is playing."""
        progress, number = self.progress, self.progress.first_missing
        reach = progress.contest.reach(progress.games, progress.total)
        while len(self.under_way) < self.crew.capacity and number < reach:
            known = number in progress.games or number in self.under_way or number in self.unwritten
            if not known and self.ledger.claim(number):
                self.crew.submit(progress.contest.task(number, progress.games))
                self.under_way.add(number)
            number += 1

    def collect(self) -> None:
        """Collect finished games, and write them unless the last write was a moment ago."""
        for game in self.crew.collect(_POLL_SECONDS if self.under_way or not self.unwritten else 0.0):
            self.under_way.discard(game.task.number)
            self.unwritten[game.task.number] = game
        complete = self.progress.finished + len(self.unwritten) >= self.progress.total
        if complete or time.monotonic() >= self._next_write:
            self.write()

    def write(self) -> None:
        """Make the finished games count."""
        if not self.unwritten:
            return
        began = time.monotonic()
        games, self.unwritten = self.unwritten, {}
        try:
            counting = self.ledger.record(list(games.values()))
        except KeyboardInterrupt:
            self.unwritten = games  # to be written before the loop ends
            raise
        self.progress.played_here += len(counting)
        self.progress.add(counting)
        ended = time.monotonic()
        self._next_write = ended + min(_POLL_SECONDS, (ended - began) / _WRITING_SHARE)
