"""Ratings of many players from all their games: Bradley–Terry with an advantage of moving first.

The player who moves first scores 1 / (1 + 10^(-(first - second + advantage)/400)) on average, ratings in Elo; a draw is
half a win and half a loss. Ratings maximise the likelihood by Newton's method; their covariance is the inverse of the
observed information. Bradley and Terry (1952); Davidson and Beaver (1977) for the order of play.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import inf, isfinite, isnan, log, nan, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from montego.arena.statistics import SCORES, Z95, Interval, signed
from montego.errors import MontegoError, nearest

Floats = NDArray[np.float64]

ELO_PER_NAT = 400 / log(10)  # an Elo difference of this much multiplies the odds by e

_ROUNDS = 100  # of Newton's method; fewer than ten are usual
_FAR = 40.0  # nats (7,000 Elo): beyond this a rating runs away to infinity


@dataclass(frozen=True)
class Rating:
    """One player's line of a rating table: Elo with its 95 % interval, games played, mean score over them."""

    player: str
    elo: float
    interval: Interval
    games: int
    rate: float


@dataclass(frozen=True)
class Ratings:
    """A rating table, best player first, one group after the other: the anchor's, then the largest.

    Elo is relative to the ``anchor``, who has 0, or without one to the mean of the players. Intervals are of that
    difference; for the difference of two players ask `difference`, since ratings from shared games are correlated.
    ``covariance`` is in Elo², in the order of ``entries``. ``groups`` are the players linked by games, best first:
    ratings can only be compared within one, and each is relative to its own mean (the anchor's group to the anchor).
    ``advantage`` is that of moving first. A player without games has the rating nan.
    """

    entries: tuple[Rating, ...]
    advantage: float
    advantage_interval: Interval
    covariance: Floats
    groups: tuple[tuple[str, ...], ...]
    anchor: str | None
    prior: float

    def __getitem__(self, player: str) -> Rating:
        return self.entries[self._index(player)]

    def difference(self, player: str, other: str) -> tuple[float, Interval]:
        """Return how many Elo better ``player`` is than ``other``, with a 95 % interval."""
        one, two = self._index(player), self._index(other)
        if one == two:
            return 0.0, (0.0, 0.0)
        if not any(player in group and other in group for group in self.groups):
            return nan, (-inf, inf)
        elo = self.entries[one].elo - self.entries[two].elo
        variance = self.covariance[one, one] + self.covariance[two, two] - 2 * self.covariance[one, two]
        return elo, _interval(elo, variance)

    def as_dict(self) -> dict[str, Any]:
        """Return the table ready for JSON; what is unknown or infinite is None."""
        return {
            "ratings": [
                {
                    "player": entry.player,
                    "elo": _finite(entry.elo),
                    "interval": [_finite(end) for end in entry.interval],
                    "games": entry.games,
                    "rate": _finite(entry.rate),
                }
                for entry in self.entries
            ],
            "first_player_advantage": _finite(self.advantage),
            "first_player_advantage_interval": [_finite(end) for end in self.advantage_interval],
            "covariance": [[_finite(value) for value in row] for row in self.covariance.tolist()],
            "groups": [list(group) for group in self.groups],
            "anchor": self.anchor,
            "prior": self.prior,
        }

    def __str__(self) -> str:
        width = max([len(entry.player) for entry in self.entries] + [len("player")])
        lines = [f"{'':>3} {'player':<{width}} {'Elo':>6} {'95 %':>14} {'games':>7} {'score':>6}"]
        for rank, entry in zip(self.ranks(), self.entries):
            low, high = (signed(end) for end in entry.interval)
            between = "" if isnan(entry.elo) or entry.player == self.anchor else f"{low}…{high}"
            score = "" if isnan(entry.rate) else f"{100 * entry.rate:.0f} %"
            line = f"{rank:>3} {entry.player:<{width}} {signed(entry.elo):>6} {between:>14} {entry.games:>7} {score:>6}"
            lines.append(line.rstrip())
        return "\n".join(lines + self.notes())

    def ranks(self) -> list[int]:
        """Return each entry's rank within its group, from 1."""
        place = {player: rank for group in self.groups for rank, player in enumerate(group, 1)}
        return [place[entry.player] for entry in self.entries]

    def notes(self) -> list[str]:
        """Return what a reader of the table must know, in sentences."""
        low, high = (signed(end) for end in self.advantage_interval)
        zero = f"{self.anchor} has 0" if self.anchor else "0 is the mean of the players"
        notes = [f"Elo: {zero}. Moving first is worth {signed(self.advantage)} ({low}…{high})."]
        linked = [group for group in self.groups if len(group) > 1]
        if len(linked) > 1:
            listed = "; ".join(", ".join(group) for group in linked)
            notes.append(f"No games link these groups, so that ratings compare only within each: {listed}.")
        if alone := [group[0] for group in self.groups if len(group) == 1]:
            notes.append(f"Without games: {', '.join(alone)}.")
        return notes

    def _index(self, player: str) -> int:
        names = [entry.player for entry in self.entries]
        if player not in names:
            raise MontegoError(f"no player '{player}' in the ratings{nearest(player, names)}")
        return names.index(player)


@dataclass
class _Pairings:
    """The games, one row for each ordered pairing: who moved first, who second, first's points, games."""

    first: NDArray[np.int64]
    second: NDArray[np.int64]
    points: Floats
    games: Floats


def bradley_terry(
    results: Iterable[tuple[str, str, float]],
    players: Sequence[str] | None = None,
    *,
    anchor: str | None = None,
    prior: float = 1.0,
    first_player_advantage: bool = True,
) -> Ratings:
    """Rate players from games given as (who moved first, who moved second, score of the first: 1, 0.5 or 0).

    ``prior`` is the number of virtual draws that each player has besides its games, spread over its opponents in
    proportion to the games with them, half with each colour. With 1, a player who won 20 of 20 has 20.5 of 21 (the
    correction of Haldane and Anscombe). With 0 the ratings are those of greatest likelihood, and it is an error if these
    are infinite. Without ``first_player_advantage`` it is held at 0.
    """
    if not 0 <= prior < inf:
        raise MontegoError(f"prior must be 0 (none) or a positive number of virtual draws, not {prior}; 1 is usual")
    counted = list(results)
    names = _names(counted, players)
    if anchor is not None and anchor not in names:
        raise MontegoError(f"the anchor '{anchor}' is none of the players{nearest(anchor, names)}")
    played = _pairings(counted, names)
    groups = _groups(played, len(names))
    fitted = _with_prior(played, prior, len(names))
    design, expand = _design(fitted, groups, len(names), first_player_advantage)
    coefficients, covariance = _fit(design, fitted)
    # From here on one vector holds all ratings and, last, the advantage, each group relative to its own zero.
    shift = expand - _zeros(groups, len(names), None if anchor is None else names.index(anchor)) @ expand
    return _table(names, played, groups, shift @ coefficients, shift @ covariance @ shift.T, anchor, prior)


def _names(results: Sequence[tuple[str, str, float]], players: Sequence[str] | None) -> list[str]:
    """Return the players in their given order, or else in that of their first game; check every result."""
    known = dict.fromkeys(players) if players is not None else {}
    if players is not None and len(known) < len(players):
        twice = next(name for name in known if players.count(name) > 1)
        raise MontegoError(f"the player '{twice}' is listed twice; names must differ")
    for result in results:
        if len(result) != 3 or result[2] not in SCORES:
            raise MontegoError(f"a result is (first, second, score of the first: 0, 0.5 or 1), not {result!r}")
        if result[0] == result[1]:
            raise MontegoError(f"a result needs two different players, not '{result[0]}' twice")
        for name in result[:2]:
            if players is not None and name not in known:
                raise MontegoError(f"a result names '{name}', who is none of the players{nearest(name, list(known))}")
            known.setdefault(name)
    return list(known)


def _pairings(results: Sequence[tuple[str, str, float]], names: Sequence[str]) -> _Pairings:
    """Add up the results of each ordered pairing."""
    number = {name: index for index, name in enumerate(names)}
    points: dict[tuple[int, int], float] = defaultdict(float)
    games: dict[tuple[int, int], float] = defaultdict(float)
    for first, second, score in results:
        pairing = number[first], number[second]
        points[pairing] += score
        games[pairing] += 1
    order = sorted(games)
    return _Pairings(
        first=np.array([pairing[0] for pairing in order], dtype=np.int64),
        second=np.array([pairing[1] for pairing in order], dtype=np.int64),
        points=np.array([points[pairing] for pairing in order]),
        games=np.array([games[pairing] for pairing in order]),
    )


def _groups(played: _Pairings, count: int) -> list[list[int]]:
    """Return the players by groups that games link, each in rising order."""
    label = np.arange(count)
    for first, second in zip(played.first, played.second):
        if label[first] != label[second]:
            low, high = sorted((label[first], label[second]))
            label[label == high] = low
    return [np.flatnonzero(label == value).tolist() for value in np.unique(label)]


def _with_prior(played: _Pairings, prior: float, count: int) -> _Pairings:
    """Add ``prior`` virtual draws a player. One draw of two players counts for both, so each gives half of its own."""
    if prior == 0:
        return played
    matrix = np.zeros((count, count))
    np.add.at(matrix, (played.first, played.second), played.games)
    matrix += matrix.T
    share = matrix / np.maximum(matrix.sum(axis=1, keepdims=True), 1)
    draws = prior * (share + share.T) / 2  # between two players, over both colours
    first, second = np.nonzero(draws)
    virtual = draws[first, second] / 2
    return _Pairings(
        first=np.concatenate([played.first, first]),
        second=np.concatenate([played.second, second]),
        points=np.concatenate([played.points, virtual / 2]),
        games=np.concatenate([played.games, virtual]),
    )


def _design(
    played: _Pairings, groups: Sequence[Sequence[int]], count: int, first_player_advantage: bool
) -> tuple[Floats, Floats]:
    """Return the design matrix over free parameters, and the matrix from these to all ratings and the advantage.

    The first player of each group is held at 0 and so is not free; nor is the advantage of games that were not played.
    """
    rows = np.arange(len(played.first))
    full = np.zeros((len(rows), count + 1))
    full[rows, played.first] += 1
    full[rows, played.second] -= 1
    full[:, count] = 1
    free = sorted({player for group in groups for player in group[1:]})
    if first_player_advantage and len(rows):
        free.append(count)
    expand = np.zeros((count + 1, len(free)))
    expand[free, np.arange(len(free))] = 1
    return full @ expand, expand


def _fit(design: Floats, played: _Pairings) -> tuple[Floats, Floats]:
    """Return the parameters of greatest likelihood, in nats, and the inverse of the information there."""

    def log_likelihood(parameters: Floats) -> float:
        logit = design @ parameters
        return float((played.points * logit - played.games * np.logaddexp(0, logit)).sum())

    def information(parameters: Floats) -> Floats:
        rate = _logistic(design @ parameters)
        return design.T @ ((played.games * rate * (1 - rate))[:, None] * design)

    parameters = np.zeros(design.shape[1])
    if not len(parameters):
        return parameters, np.zeros((0, 0))
    if np.linalg.matrix_rank(design) < design.shape[1]:
        raise MontegoError(
            "these games cannot tell moving first from playing better; swap colours, or use a prior above 0, "
            "or first_player_advantage=False"
        )
    likelihood = log_likelihood(parameters)
    for _ in range(_ROUNDS):
        gradient = design.T @ (played.points - played.games * _logistic(design @ parameters))
        try:
            step = np.linalg.solve(information(parameters), gradient)
        except np.linalg.LinAlgError:  # a rating far out, where results carry no information any more
            break
        while (after := log_likelihood(parameters + step)) < likelihood - 1e-9 * abs(likelihood):
            step /= 2
        parameters, likelihood = parameters + step, after
        if np.abs(parameters).max() > _FAR:
            break
        if np.abs(step).max() < 1e-10:
            return parameters, np.asarray(np.linalg.inv(information(parameters)), dtype=np.float64)
    raise MontegoError("these games have no finite ratings (somebody won or lost everything); use a prior above 0")


def _logistic(logit: Floats) -> Floats:
    return 0.5 * (1 + np.tanh(0.5 * logit))


def _zeros(groups: Sequence[Sequence[int]], count: int, anchor: int | None) -> Floats:
    """Return the matrix that gives each player the rating its group calls 0: the anchor's, or else the group's mean."""
    zeros = np.zeros((count + 1, count + 1))
    for group in groups:
        if anchor in group:
            zeros[group, anchor] = 1
        else:
            zeros[np.ix_(group, group)] = 1 / len(group)
    return zeros


def _table(
    names: Sequence[str],
    played: _Pairings,
    groups: Sequence[Sequence[int]],
    nats: Floats,
    covariance: Floats,
    anchor: str | None,
    prior: float,
) -> Ratings:
    """Gather the table in Elo, best player first, those without games last."""
    count = len(names)
    games, points = np.zeros(count), np.zeros(count)
    for player, score in ((played.first, played.points), (played.second, played.games - played.points)):
        np.add.at(games, player, played.games)
        np.add.at(points, player, score)
    elo = nats * ELO_PER_NAT
    variance = covariance * ELO_PER_NAT**2
    alone = np.flatnonzero(games == 0)
    elo[alone] = nan
    variance[alone, :] = variance[:, alone] = nan
    entries = [
        Rating(
            player=names[index],
            elo=float(elo[index]),
            interval=_interval(float(elo[index]), float(variance[index, index])),
            games=int(games[index]),
            rate=float(points[index] / games[index]) if games[index] else nan,
        )
        for index in range(count)
    ]
    ranked = [sorted(group, key=lambda index: -elo[index]) for group in groups]
    ranked.sort(key=lambda group: (anchor not in [names[index] for index in group], -len(group)))
    order = [index for group in ranked for index in group]
    return Ratings(
        entries=tuple(entries[index] for index in order),
        advantage=float(elo[count]) if len(played.games) else nan,
        advantage_interval=_interval(elo[count], variance[count, count]) if len(played.games) else (-inf, inf),
        covariance=variance[np.ix_(order, order)],
        groups=tuple(tuple(names[index] for index in group) for group in ranked),
        anchor=anchor,
        prior=prior,
    )


def _interval(elo: float, variance: float) -> Interval:
    if not isfinite(elo):
        return -inf, inf
    half = Z95 * sqrt(max(0.0, variance))
    return float(elo - half), float(elo + half)


def _finite(value: float) -> float | None:
    return value if isfinite(value) else None
