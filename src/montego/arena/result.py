"""What the finished games of a contest say: for people as lines of text, for programs as data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from montego.arena.game import FORFEIT, LENGTH_LIMIT, FinishedGame
from montego.arena.match import Progress
from montego.arena.ratings import Ratings, bradley_terry
from montego.arena.statistics import MatchSummary, summarize

_LISTED = 5  # kinds of forfeits shown


@dataclass(frozen=True)
class Result:
    """The result of a contest so far."""

    progress: Progress
    games: Sequence[FinishedGame]
    summaries: Sequence[MatchSummary]  # one for each pairing, from its first player's perspective
    ratings: Ratings | None  # of more than two players

    @classmethod
    def of(cls, progress: Progress) -> Result:
        """Evaluate the games that count."""
        contest = progress.contest
        games = progress.counted()
        summaries = [pairing_summary(progress, games, place) for place in range(len(contest.pairings))]
        names = contest.names
        ratings = None
        if len(names) > 2 and games:
            results = [(names[one.task.players[0]], names[one.task.players[1]], one.points) for one in games]
            ratings = bradley_terry(results, names)
        return cls(progress, games, summaries, ratings)

    def distinct(self) -> int:
        """Count the games that are no repetition of another one between the same players with the same sides."""
        return len({(game.task.players, game.moves) for game in self.games})

    def ends(self, reason: str) -> list[FinishedGame]:
        """Return the games that ended for a reason."""
        return [game for game in self.games if game.reason.startswith(reason)]

    # -- for people

    def lines(self) -> list[str]:
        """Return the result as lines of text."""
        contest, names = self.progress.contest, self.progress.contest.names
        lines = [f"{contest.game}: {' against '.join(names) if len(names) == 2 else f'{len(names)} players'},"
                 f" seed {contest.seed}, {len(self.games)} of {self.progress.total} games"]  # fmt: skip
        if self.ratings is not None:
            lines += [str(self.ratings)]
        for place, (first, second) in enumerate(contest.pairings):
            name = names[first] if len(names) == 2 else f"{names[first]} – {names[second]}:"
            lines.append(self.summaries[place].line(name))
        if len(names) == 2 and self.games:
            lines += _match_lines(self.summaries[0])
        if self.progress.test is not None:
            lines.append(str(self.progress.test))
        return lines + self.notes()

    def notes(self) -> list[str]:
        """Return what a reader should know before trusting the numbers."""
        notes = []
        if (repeated := len(self.games) - self.distinct()) > 0:
            notes.append(f"repeated games: {repeated}; only {self.distinct()} of {len(self.games)} are distinct")
        if forfeits := self.ends(FORFEIT):
            kinds = Counter(_short_reason(game) for game in forfeits).most_common()
            listed = "; ".join(f"{count} × {kind}" for kind, count in kinds[:_LISTED])
            notes.append(f"forfeits: {len(forfeits)} ({listed}{'; …' if len(kinds) > _LISTED else ''})")
        if limited := self.ends(LENGTH_LIMIT):
            notes.append(f"stopped by the length limit and scored as they stood: {len(limited)}")
        if (late := len(self.progress.games) - len(self.games)) > 0:
            why = "finished after the verdict fell" if self.progress.decided else "beyond those asked for"
            notes.append(f"games in the ledger that do not count here: {late}, {why}")
        if len(versions := {game.version for game in self.games}) > 1:
            notes.append(f"played by different versions of the program: {', '.join(sorted(versions))}")
        return notes

    # -- for programs

    def as_dict(self) -> dict[str, Any]:
        """Return the result, ready for JSON."""
        contest = self.progress.contest
        forfeits = [
            {"number": game.task.number, "loser": _loser(game), "reason": game.reason} for game in self.ends(FORFEIT)
        ]
        return {
            "game": contest.game,
            "players": list(contest.players),
            "names": list(contest.names),
            "seed": contest.seed,
            "scheduled": self.progress.total,
            "games": len(self.games),
            "complete": self.progress.decided or self.progress.finished >= self.progress.total,
            "pairings": [
                {"players": list(pairing), **summary.as_dict()}
                for pairing, summary in zip(contest.pairings, self.summaries, strict=True)
            ],
            "test": None if self.progress.test is None else self.progress.test.as_dict(),
            "ratings": None if self.ratings is None else self.ratings.as_dict(),
            "distinct_games": self.distinct(),
            "forfeits": forfeits,
            "length_limited": len(self.ends(LENGTH_LIMIT)),
            "games_not_counted": len(self.progress.games) - len(self.games),
            "versions": sorted({game.version for game in self.games}),
            "effort": [self._effort(player) for player in range(len(contest.players))],
        }

    def _effort(self, player: int) -> dict[str, Any]:
        """Add up what one player used."""
        seconds, playouts = 0.0, 0
        for game in self.games:
            for side in (0, 1):
                if game.task.players[side] == player:
                    seconds += game.seconds[side]
                    playouts += game.playouts[side]
        return {"seconds": seconds, "playouts": playouts}


def pairing_summary(progress: Progress, games: Sequence[FinishedGame], place: int) -> MatchSummary:
    """Summarise the games of one pairing from its first player's perspective."""
    first = progress.contest.pairings[place][0]
    count = len(progress.contest.pairings)
    points: dict[int, list[float]] = {}
    first_scores = []
    for game in games:
        if game.task.pair % count == place:
            points.setdefault(game.task.pair, []).append(game.points_of(first))
            first_scores.append(game.points)
    pairs = [(both[0], both[1]) for both in points.values() if len(both) == 2]
    singles = [single[0] for single in points.values() if len(single) == 1]
    return summarize(pairs, first_scores, singles=singles)


def _match_lines(summary: MatchSummary) -> list[str]:
    low, high = summary.first_player_interval
    zero, half, one, more, two = summary.pentanomial
    return [
        f"first to move: {summary.first_player_rate:.0%} ({low:.0%}–{high:.0%})",
        f"pairs by points 0, ½, 1, 1½, 2: {zero}, {half}, {one}, {more}, {two}",
    ]


def _loser(game: FinishedGame) -> int:
    return game.task.players[0 if game.points == 0 else 1]


def _short_reason(game: FinishedGame) -> str:
    """Return who forfeited and why, without what differs from game to game."""
    spec = game.task.specs[0 if game.points == 0 else 1]
    return f"{spec}: {game.reason.removeprefix(f'{FORFEIT}: ').partition(': ')[2][:80]}"
