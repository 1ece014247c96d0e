"""What the finished games of a contest say: for people as text and pictures, for programs as data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from montego.arena.game import FORFEIT, LENGTH_LIMIT, RESIGNED, FinishedGame
from montego.arena.margins import Margins, margins
from montego.arena.markdown import cross_cells, cross_table
from montego.arena.match import Progress
from montego.arena.notes import result_notes
from montego.arena.ratings import Ratings, bradley_terry
from montego.arena.rows import COLUMNS, row_of
from montego.arena.statistics import Interval, MatchSummary, signed, summarize, wilson
from montego.charts import Bar, BarChart, Chart, Series, can_draw
from montego.errors import MontegoError
from montego.frames import frame
from montego.games import Position, game as build_game


@dataclass(frozen=True, repr=False)
class Result:
    """The result of a match or a tournament so far.

    ``games`` are the finished games that count, ``summaries`` the score of each pairing from its first player's
    perspective, ``margins`` its final scores and lengths, ``ratings`` the Bradley–Terry table of more than two
    players (None for two). Print it for a report; a notebook shows a table and a chart.
    """

    progress: Progress
    games: Sequence[FinishedGame]
    summaries: Sequence[MatchSummary]
    margins: Sequence[Margins]
    ratings: Ratings | None

    @classmethod
    def of(cls, progress: Progress) -> Result:
        """Evaluate the games that count; a player's games against itself say nothing about ratings."""
        contest = progress.contest
        games = progress.counted()
        places = range(len(contest.pairings))
        summaries = [pairing_summary(progress, games, place) for place in places]
        found = [margins(pairing_games(progress, games, place), contest.pairings[place][0]) for place in places]
        names = contest.names
        ratings = None
        if len(names) > 2 and games:
            between = [(one.task.players, one.points) for one in games if len(set(one.task.players)) == 2]
            ratings = bradley_terry(
                [(names[first], names[second], points) for (first, second), points in between], names
            )
        return cls(progress, games, summaries, found, ratings)

    # -- numbers

    @property
    def names(self) -> tuple[str, ...]:
        """What the players are called in tables."""
        return self.progress.contest.names

    @property
    def elo(self) -> float:
        """How many Elo the first player of a match is better; a tournament has ``ratings`` instead."""
        return self._match().elo

    @property
    def elo_interval(self) -> Interval:
        """The 95 % interval of ``elo``, from the pairs of games."""
        return self._match().elo_interval

    def _match(self) -> MatchSummary:
        if len(self.names) != 2:
            raise MontegoError(f"{len(self.names)} players have no single Elo difference; see result.ratings")
        return self.summaries[0]

    def distinct(self) -> int:
        """Count the games that do not repeat another game between the same players with the same sides."""
        return len({(game.task.players, game.moves) for game in self.games})

    def ends(self, reason: str) -> list[FinishedGame]:
        """Return the games that ended for a reason."""
        return [game for game in self.games if game.reason.startswith(reason)]

    def positions(self) -> list[Position]:
        """Return the final position of each game, with all its moves: ``mg.write_sgf`` makes records of them."""
        return [final_position(game) for game in self.games]

    # -- for people

    def lines(self) -> list[str]:
        """Return the result as lines of text."""
        contest, names = self.progress.contest, self.names
        lines = [f"{self._title()}, seed {contest.seed}, {len(self.games)} of {self.progress.total} games"]
        if self.ratings is not None:
            lines += [str(self.ratings)]
        for place, (first, second) in enumerate(contest.pairings):
            name = names[first] if len(names) == 2 else f"{names[first]} – {names[second]}:"
            lines.append(self.summaries[place].line(name))
            if len(names) > 2 and (line := self.margins[place].line()):
                lines.append(f"    {line}")
        if len(names) == 2 and self.games:
            lines += _match_lines(self.summaries[0])
            lines += [line for line in [self.margins[0].line()] if line]
        if self.progress.test is not None:
            lines.append(str(self.progress.test))
        return lines + self.notes()

    def _title(self) -> str:
        names = self.names
        return (
            f"{self.progress.contest.game}: {' against '.join(names) if len(names) == 2 else f'{len(names)} players'}"
        )

    def notes(self) -> list[str]:
        """Return what a reader should know before trusting the numbers."""
        return result_notes(self.as_dict())

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def __repr__(self) -> str:
        if len(self.names) == 2:
            found = self.summaries[0].line(self.names[self.progress.contest.pairings[0][0]])
        elif self.ratings is not None:
            best = self.ratings.entries[0]
            found = f"{len(self.games)} games, best {best.player} {signed(best.elo)} Elo"
        else:
            found = "no games yet"
        return f"<{self._title()}; {found}>"

    def crosstable(self) -> str:
        """Return who scored what against whom as a Markdown table: the row's score, best player first."""
        return cross_table(self.as_dict())

    def svg(self) -> str:
        """Return a chart: the score of a match as it developed, or the ratings of a tournament, with 95 % intervals."""
        if not self.games:
            raise MontegoError("there is nothing to draw: no game has been finished yet")
        if self.ratings is None:
            return self._score_chart()
        entries = [Bar(entry.player, entry.elo, *entry.interval) for entry in self.ratings.entries if entry.games]
        return BarChart(f"{self.progress.contest.game}: ratings", "Elo with 95 % intervals", entries).svg()

    def _score_chart(self) -> str:
        """Draw the first player's score after each game, between the ends of Wilson's interval."""
        first = self.progress.contest.pairings[0][0]
        points = 0.0
        score: list[tuple[float, float]] = []
        low: list[tuple[float, float]] = []
        high: list[tuple[float, float]] = []
        for count, game in enumerate(self.games, 1):
            points += game.points_of(first)
            ends = wilson(points, count)
            for line, value in ((score, points / count), (low, ends[0]), (high, ends[1])):
                line.append((float(count), 100 * value))
        series = [
            Series(self.names[first], score),
            Series("95 % interval", low, colour="#9db7d5"),
            Series("", high, colour="#9db7d5"),
        ]
        return Chart(self._title(), "games", "score, %", series, level=50.0).svg()

    def _repr_html_(self) -> str:
        """Return the report, the cross table and, if matplotlib is there, the chart, for notebooks."""
        header, rows = cross_cells(self.as_dict())
        head = "".join(f"<th>{escape(cell)}</th>" for cell in header)
        body = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows)
        table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
        return f"<pre>{escape(str(self))}</pre>{table}{self.svg() if self.games and can_draw() else ''}"

    # -- for programs

    def to_frame(self) -> Any:
        """Return the games as a pandas table: one row per game, the columns of the ledger, the players by name.

        Needs pandas, which Montego does not install by itself.
        """
        table = frame([row_of(game) for game in self.games], COLUMNS, index="number")
        for side in ("player0", "player1"):
            table[side] = [self.names[player] for player in table[side]]
        return table

    def as_dict(self) -> dict[str, Any]:
        """Return the result, ready for JSON."""
        contest = self.progress.contest
        forfeits = [
            {"number": game.task.number, "loser": _loser(game), "reason": game.reason} for game in self.ends(FORFEIT)
        ]
        resigning = {"resign": contest.resign, "resigned": len(self.ends(RESIGNED))} if contest.resign else {}
        return {
            "game": contest.game,
            "players": list(contest.players),
            "names": list(contest.names),
            "seed": contest.seed,
            "scheduled": self.progress.total,
            "games": len(self.games),
            "complete": self.progress.decided or self.progress.finished >= self.progress.total,
            "pairings": [
                {"players": list(pairing), **summary.as_dict(), "margins": scores.as_dict()}
                for pairing, summary, scores in zip(contest.pairings, self.summaries, self.margins, strict=True)
            ],
            "test": None if self.progress.test is None else self.progress.test.as_dict(),
            "ratings": None if self.ratings is None else self.ratings.as_dict(),
            "distinct_games": self.distinct(),
            "forfeits": forfeits,
            "length_limited": len(self.ends(LENGTH_LIMIT)),
            **resigning,
            "games_not_counted": len(self.progress.games) - len(self.games),
            "versions": sorted({game.version for game in self.games}),
            "effort": [self._effort(player) for player in range(len(contest.players))],
        }

    def _effort(self, player: int) -> dict[str, Any]:
        """Add up the time and the playouts that one player used."""
        seconds, playouts = 0.0, 0
        for game in self.games:
            for side in (0, 1):
                if game.task.players[side] == player:
                    seconds += game.seconds[side]
                    playouts += game.playouts[side]
        return {"seconds": seconds, "playouts": playouts}


def final_position(game: FinishedGame) -> Position:
    """Return the position at the end of a game, with all its moves."""
    position = build_game(game.task.game).start()
    for move in game.moves:
        position.play(move)
    return position


def pairing_games(progress: Progress, games: Sequence[FinishedGame], place: int) -> list[FinishedGame]:
    """Return the games of one pairing."""
    return [game for game in games if game.task.pair % len(progress.contest.pairings) == place]


def pairing_summary(progress: Progress, games: Sequence[FinishedGame], place: int) -> MatchSummary:
    """Summarise the games of one pairing from its first player's perspective."""
    first = progress.contest.pairings[place][0]
    points: dict[int, list[float]] = {}
    first_scores = []
    for game in pairing_games(progress, games, place):
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
