"""Experiments that are matches, declared as data: who plays whom, how often, and what the paper reports.

    declare(MatchExperiment(
        "my-table", PAPER, "What is compared.", "20 min; 5 h", game="go(size=9)", games=Games(8, 60, 1000),
        pairs=(Pair("with", "uct(playouts={n}, rave=silver)", "uct(playouts={n})", 60.0),),
        values={"n": (100, 1000, 3000)}))

``{…}`` in games and specs stand for values by size. All pairs with equally many games share a contest and a ledger
(NAME, or NAME-GAMESxPAIRS for a part of the table), and are played in turn: a table can be judged at any moment.
Pairs marked ``later`` follow in a contest of their own (NAME-GAMESxPAIRS-later).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple

from montego.arena.game import FinishedGame
from montego.arena.match import Progress
from montego.arena.notes import version_notes
from montego.arena.openings import Openings
from montego.arena.result import Result, pairing_games
from montego.arena.schedule import Contest
from montego.charts import BarChart, Chart, Series
from montego.errors import MontegoError
from montego.lab.experiment import EXPERIMENTS, Conditions, Experiment, Listing, Report, Size, Skipped
from montego.lab.playing import opponent_spec, play, played_openings
from montego.lab.rows import Row

HALF_WIDTH = 1.96  # standard errors of a 95 % interval
LEAST_PAIRS = 5  # with fewer, a mean score is not judged: games may be alike by chance, and seem to be very sure


class Measure(StrEnum):
    """The figure of a match that is compared, the first player's."""

    RATE = "won, %"
    MARGIN = "mean score"
    VARIANCE = "variance of the score"


class Games(NamedTuple):
    """Games of each pair by size."""

    quick: int
    default: int
    full: int


@dataclass(frozen=True)
class Pair:
    """Two players, what the paper reports of the first, and where that is in the chart.

    ``games`` overrides those of the experiment; 0 leaves the pair out at that size. A pair that is played ``later``
    waits until the others have all their games.
    """

    label: str
    player: str
    opponent: str
    paper: float | None = None
    games: Games | None = None
    x: float | None = None
    series: str = ""
    later: bool = False


class Group(NamedTuple):
    """What pairs of one contest have in common."""

    later: bool
    games: int


@dataclass(frozen=True)
class Book:
    """Openings of so many moves, played by a player against itself."""

    moves: int
    player: str


class Finding(NamedTuple):
    """The result of one pair."""

    pair: Pair
    games: list[FinishedGame]
    rate: float
    rate_error: float
    mean: float
    mean_error: float  # half of the 95 % interval over 1.96: more than the standard error if there are few games
    variance: float
    length: float
    seconds: float  # of the first player, per game

    def figure(self, measure: Measure) -> tuple[float, float]:
        """Return a figure and its standard error."""
        if measure == Measure.RATE:
            return 100 * self.rate, 100 * self.rate_error
        if measure == Measure.MARGIN:
            return self.mean, self.mean_error
        return self.variance, self.variance * math.sqrt(2 / max(1, len(self.games) - 1))


Claims = Callable[[list[Finding], Conditions], tuple[list[Row], list[Listing]]]


@dataclass(frozen=True)
class MatchExperiment:
    """A table or figure that is made of matches.

    ``paper_games`` and ``paper_error`` say how sure the published figures are: as rates of so many games, or by their
    standard error. Rows are judged at the sizes in ``judged``; a quick run mostly has other budgets than the paper.
    ``claims`` adds rows for what the paper says without numbers; ``draw`` makes another chart than that of the measure
    by x. ``level`` is GNU Go's where it is the opponent.
    """

    name: str
    paper: str
    summary: str
    cost: str
    game: str
    pairs: tuple[Pair, ...]
    games: Games
    measure: Measure = Measure.RATE
    null: float | None = 50.0
    paper_games: int = 0
    paper_error: float = 0.0
    values: Mapping[str, tuple[Any, Any, Any]] = field(default_factory=dict)
    openings: int | Book = 0
    level: int = 10
    quick_opponent: str = ""  # of a quick run where nobody names one; GNU Go of level 0 if left out
    axis: str = ""
    logarithmic: bool = False
    judged: tuple[Size, ...] = (Size.DEFAULT, Size.FULL)
    notes: tuple[str, ...] = ()
    claims: Claims | None = None
    draw: Callable[[list[Finding]], Chart] | None = None
    missing: Callable[[Pair], str] | None = (
        None  # what a pair lacks on this machine, in words; pairs that lack nothing: ""
    )
    ledger: str = ""  # shared by experiments that read the same games differently; the name if left out
    digits: int = 1

    def run(self, how: Conditions) -> Report:
        """Play what is missing and compare."""
        lacking = {pair: self.missing(pair) for pair in self.pairs} if self.missing else {}
        if lacking and all(lacking.values()):
            raise Skipped(next(iter(lacking.values())))
        values = {name: how.of(*by_size) for name, by_size in self.values.items()}
        if self.opposed:
            values["opponent"] = self._opponent(how)
        game = self.game.format(**values)
        found: dict[Pair, Finding] = {}
        missing: Skipped | None = None
        for group, pairs in self._groups(how, lacking):
            try:
                found |= self._play(game, group, pairs, values, how)
            except Skipped as problem:
                if not how.judge:
                    raise
                missing = missing or problem  # a contest that has not begun, or is another one
        if missing and not found:
            raise missing
        findings = [found[pair] for pair in self.pairs if pair in found]
        rows = [self._row(one, how) for one in findings]
        claimed, listings = self.claims(findings, how) if self.claims else ([], [])
        samples = [game for one in findings for game in one.games[:1]]
        wanted = sum(group.games * len(pairs) for group, pairs in self._groups(how, lacking))
        settings = {"game": game, "games": sum(len(one.games) for one in findings), "wanted": wanted, **values}
        notes = [*self.notes, *(f"{pair.label} is left out: {why}." for pair, why in lacking.items() if why)]
        notes += version_notes(sorted({game.version for one in findings for game in one.games}))
        notes += self._unequal(how)
        notes += [f"Pairs are left out: {missing}."] if missing else []
        return Report(
            [*rows, *claimed],
            notes,
            [self._listing(findings, values), *listings],
            settings=settings,
            charts=self._charts(findings),
            samples=samples,
            thought=sum(sum(game.seconds) for one in findings for game in one.games),
        )

    @property
    def opposed(self) -> bool:
        """Whether a reference opponent plays in it, which can be chosen."""
        return any("{opponent}" in pair.opponent for pair in self.pairs)

    def _opponent(self, how: Conditions) -> str:
        """Return the spec of the reference opponent; a look need not wait for a program that thinks long."""
        if how.quick and self.quick_opponent and not how.opponent:
            return self.quick_opponent
        return opponent_spec(how, 0 if how.quick else self.level)

    def _groups(self, how: Conditions, lacking: Mapping[Pair, str]) -> list[tuple[Group, list[Pair]]]:
        """Return the contests in the order of playing, without pairs that cannot be played here."""
        groups: dict[Group, list[Pair]] = {}
        for pair in self.pairs:
            games = how.of(*(pair.games or self.games))
            if games and not lacking.get(pair):
                groups.setdefault(Group(pair.later, games), []).append(pair)
        return sorted(groups.items(), key=lambda one: one[0].later)

    def _play(
        self, game: str, group: Group, pairs: list[Pair], values: Mapping[str, Any], how: Conditions
    ) -> dict[Pair, Finding]:
        games = group.games
        entered = [(pair.player.format(**values), pair.opponent.format(**values)) for pair in pairs]
        specs = list(dict.fromkeys(spec for both in entered for spec in both))
        contest = Contest(
            game=game,
            players=tuple(specs),
            pairings=tuple((specs.index(one), specs.index(other)) for one, other in entered),
            seed=how.seed,
            openings=self._openings(game, games, values, how),
        )
        name = self.ledger or self.name
        part = name if len(pairs) == len(self.pairs) else f"{name}-{games}x{len(pairs)}{'-later' * group.later}"
        progress = play(part, contest, games * len(pairs), how)
        return {pair: finding(pair, progress, place) for place, pair in enumerate(pairs)}

    def _openings(self, game: str, games: int, values: Mapping[str, Any], how: Conditions) -> Openings:
        if isinstance(self.openings, int) or how.judge:
            return Openings(self.openings if isinstance(self.openings, int) else 0)
        book = self.openings
        count = how.of(5, 100, 500)
        return Openings(book=played_openings(game, book.player.format(**values), book.moves, count, how))

    def _row(self, one: Finding, how: Conditions) -> Row:
        ours, own = one.figure(self.measure)
        paper = one.pair.paper
        published = self.paper_error
        if paper is not None and self.paper_games and self.measure == Measure.RATE:
            published = math.sqrt(paper * (100 - paper) / self.paper_games)
        error = math.hypot(own, published)
        return Row(
            one.pair.label,
            self.measure.value,
            ours,
            paper,
            error,
            judged=how.size in self.judged and bool(one.games),
            digits=self.digits,
            note=f"{_half(own, self.digits)}{len(one.games)} games",
            null=self.null,
            own_error=own,
            games=len(one.games),
            least_games=2 * LEAST_PAIRS if self.measure == Measure.MARGIN else 0,
        )

    def _listing(self, findings: list[Finding], values: Mapping[str, Any]) -> Listing:
        rows = [
            (
                one.pair.label,
                len(one.games),
                f"{100 * one.rate:.1f}",
                f"{one.mean:+.2f}",
                _half(one.mean_error, 2).rstrip(", "),
                f"{one.variance:.1f}",
                f"{one.length:.1f}",
                f"{one.seconds:.2f}",
                f"{one.pair.player.format(**values)} – {one.pair.opponent.format(**values)}",
            )
            for one in findings
        ]
        headings = ("", "games", "won, %", "mean score", "", "variance", "length", "s a game", "players")
        return Listing("Every pair, from the first player's perspective", headings, rows)

    def _charts(self, findings: list[Finding]) -> dict[str, Chart | BarChart]:
        placed = [one for one in findings if one.pair.x is not None and math.isfinite(one.figure(self.measure)[0])]
        if not self.axis or not placed:
            return {}
        if self.draw is not None:
            chart = self.draw(findings)
            return {self.name: chart} if any(one.points for one in chart.series) else {}
        series = []
        for name in dict.fromkeys(one.pair.series for one in placed):
            mine = [one for one in placed if one.pair.series == name]
            figures = [one.figure(self.measure) for one in mine]
            errors = [HALF_WIDTH * error if math.isfinite(error) else 0.0 for _, error in figures]
            series.append(
                Series(
                    name or "ours, 95 %",
                    [(float(one.pair.x or 0), value) for one, (value, _) in zip(mine, figures, strict=True)],
                    dots=True,
                    ends=[(value - half, value + half) for (value, _), half in zip(figures, errors, strict=True)],
                )
            )
        known = [(float(one.pair.x or 0), one.pair.paper) for one in placed if one.pair.paper is not None]
        if known:
            series.append(Series("paper", known, line=False, dots=True))
        chart = Chart(self.summary, self.axis, self.measure.value, series, self.logarithmic, self.null)
        return {self.name: chart}

    def _unequal(self, how: Conditions) -> list[str]:
        if not how.quick or how.size in self.judged:
            return []
        return ["A quick run has smaller budgets than the paper's, so nothing is judged."]


def _half(error: float, digits: int) -> str:
    """Return half the width of a 95 % interval for people, or nothing if it is unknown."""
    return "" if not math.isfinite(error) else f"± {HALF_WIDTH * error:.{digits}f} (95 %), "


def finding(pair: Pair, progress: Progress, place: int) -> Finding:
    """Return the result of one pairing of a contest."""
    result = Result.of(progress)
    summary, scores = result.summaries[place], result.margins[place]
    games = pairing_games(progress, result.games, place)
    first = progress.contest.pairings[place][0]
    used = sum(game.seconds[game.task.players.index(first)] for game in games)
    count = max(1, len(games))
    return Finding(
        pair,
        games,
        summary.rate,
        rate_error(summary.rate, len(games), summary.design_effect),
        scores.mean,
        (scores.interval[1] - scores.mean) / HALF_WIDTH if scores.games else math.nan,
        scores.variance,
        scores.length,
        used / count,
    )


def rate_error(rate: float, games: int, effect: float = 1.0) -> float:
    """Return the standard error of a rate of wins, as if two more games had been won and two lost.

    Agresti and Coull's addition keeps a handful of equal results from claiming certainty.
    """
    if not games:
        return math.nan
    effective = games / effect
    smoothed = (rate * effective + 2) / (effective + 4)
    return math.sqrt(smoothed * (1 - smoothed) / (effective + 4))


def declare(*experiments: MatchExperiment) -> None:
    """Register experiments; refuse a pair whose figure cannot be placed in the chart."""
    for one in experiments:
        if one.axis and all(pair.x is None for pair in one.pairs):
            raise MontegoError(f"{one.name}: a chart needs pairs with an x")
        EXPERIMENTS.add(Experiment(one.name, one.paper, one.summary, one.run, one.cost, one.opposed))
