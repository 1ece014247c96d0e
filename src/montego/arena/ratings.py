"""Ratings of many players from all their games: Bradley–Terry with an advantage of moving first.

The player who moves first scores 1 / (1 + 10^(-(first - second + advantage)/400)) on average, ratings in Elo; a draw is
half a win and half a loss. Ratings maximise the likelihood by Newton's method; their covariance is the inverse of the
observed information. Bradley and Terry (1952); Davidson and Beaver (1977) for the order of play.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import inf, isfinite, isnan, log, nan, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from montego.arena.notes import rating_notes
from montego.arena.statistics import SCORES, Z95, Interval, signed
from montego.errors import MontegoError, nearest

Floats = NDArray[np.float64]

ELO_PER_NAT = 400 / log(10)  # an Elo difference of this much multiplies the odds by e

_ROUNDS = 100  # of Newton's method; usually fewer than ten are needed
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
        return "\n".join(lines + rating_notes(self.as_dict()))

    def ranks(self) -> list[int]:
        """Return each entry's rank within its group, from 1."""
        place = {player: rank for group in self.groups for rank, player in enumerate(group, 1)}
        return [place[entry.player] for entry in self.entries]

    def _index(self, player: str) -> int:
        names = [entry.player for entry in self.entries]
        if player not in names:
            raise MontegoError(f"no player '{player}' in the ratings{nearest(player, names)}")
        return names.index(player)


@dataclass(frozen=True)
class _Games:
    """All games as two matrices of shape (players, players), the row moved first: the points of the row, the games."""

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
    correction of Haldane and Anscombe). With 0 the ratings are those of maximum likelihood, and infinite ones are an
    error. Without ``first_player_advantage`` the advantage is held at 0.
    """
    if not 0 <= prior < inf:
        raise MontegoError(f"prior must be 0 (none) or a positive number of virtual draws, not {prior}; 1 is usual")
    counted = list(results)
    names = _names(counted, players)
    if anchor is not None and anchor not in names:
        raise MontegoError(f"the anchor '{anchor}' is not one of the players{nearest(anchor, names)}")
    played = _count(counted, names)
    groups = _groups(played)
    # One vector holds all ratings and, last, the advantage. The first player of each group is held at 0 while fitting.
    free = sorted({player for group in groups for player in group[1:]})
    if first_player_advantage and counted:
        free.append(len(names))
    fitted, covariance = _fit(_with_prior(played, prior), free)
    shift = np.eye(len(names) + 1) - _zeros(groups, len(names), None if anchor is None else names.index(anchor))
    return _table(names, played, groups, shift @ fitted, shift @ covariance @ shift.T, anchor, prior)


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
                raise MontegoError(f"'{name}' in a result is not one of the players{nearest(name, list(known))}")
            known.setdefault(name)
    return list(known)


def _count(results: Sequence[tuple[str, str, float]], names: Sequence[str]) -> _Games:
    number = {name: index for index, name in enumerate(names)}
    played = _Games(np.zeros((len(names), len(names))), np.zeros((len(names), len(names))))
    for first, second, score in results:
        played.points[number[first], number[second]] += score
        played.games[number[first], number[second]] += 1
    return played


def _groups(played: _Games) -> list[list[int]]:
    """Return the players by groups that games link, each in rising order."""
    label = np.arange(len(played.games))
    for first, second in np.argwhere(played.games):
        if label[first] != label[second]:
            low, high = sorted((label[first], label[second]))
            label[label == high] = low
    return [np.flatnonzero(label == value).tolist() for value in np.unique(label)]


def _with_prior(played: _Games, prior: float) -> _Games:
    """Add ``prior`` virtual draws per player. A draw counts for both of its players, so each contributes half of it."""
    meetings = played.games + played.games.T
    share = meetings / np.maximum(meetings.sum(axis=1, keepdims=True), 1)
    draws = prior * (share + share.T) / 2  # between two players, over both colours
    return _Games(played.points + draws / 4, played.games + draws / 2)


def _fit(played: _Games, free: Sequence[int]) -> tuple[Floats, Floats]:
    """Return ratings and advantage of greatest likelihood, in nats, and the inverse of the information there.

    Only ``free`` parameters move; the others are 0, and so are their rows of the covariance.
    """
    parameters = np.zeros(len(played.games) + 1)
    covariance = np.zeros((len(parameters), len(parameters)))
    if not free:
        return parameters, covariance
    if np.linalg.matrix_rank(_information(parameters, played, free), hermitian=True) < len(free):
        raise MontegoError(
            "these games cannot tell moving first from playing better; swap colours, or use a prior above 0, "
            "or first_player_advantage=False"
        )
    likelihood = _log_likelihood(parameters, played)
    for _ in range(_ROUNDS):
        surplus = played.points - played.games * _rates(parameters)
        gradient = np.append(surplus.sum(axis=1) - surplus.sum(axis=0), surplus.sum())
        step = np.zeros(len(parameters))
        try:
            step[free] = np.linalg.solve(_information(parameters, played, free), gradient[free])
        except np.linalg.LinAlgError:  # a rating so extreme that results carry no information any more
            break
        while (after := _log_likelihood(parameters + step, played)) < likelihood - 1e-9 * abs(likelihood):
            step /= 2
        parameters, likelihood = parameters + step, after
        if np.abs(parameters).max() > _FAR:
            break
        if np.abs(step).max() < 1e-10:
            covariance[np.ix_(free, free)] = np.linalg.inv(_information(parameters, played, free))
            return parameters, covariance
    raise MontegoError("these games have no finite ratings (a player won or lost every game); use a prior above 0")


def _logits(parameters: Floats) -> Floats:
    ratings = parameters[:-1]
    return np.asarray(ratings[:, None] - ratings[None, :] + parameters[-1])


def _rates(parameters: Floats) -> Floats:
    return 0.5 * (1 + np.tanh(0.5 * _logits(parameters)))  # the logistic function without overflow


def _log_likelihood(parameters: Floats, played: _Games) -> float:
    logits = _logits(parameters)
    return float((played.points * logits - played.games * np.logaddexp(0, logits)).sum())


def _information(parameters: Floats, played: _Games, free: Sequence[int]) -> Floats:
    """Return the observed information of the free parameters, which is also the expected one."""
    rates = _rates(parameters)
    weights = played.games * rates * (1 - rates)
    as_first, as_second = weights.sum(axis=1), weights.sum(axis=0)
    information = np.zeros((len(parameters), len(parameters)))
    information[:-1, :-1] = np.diag(as_first + as_second) - weights - weights.T
    information[-1, :-1] = information[:-1, -1] = as_first - as_second
    information[-1, -1] = weights.sum()
    return information[np.ix_(free, free)]


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
    played: _Games,
    groups: Sequence[Sequence[int]],
    nats: Floats,
    covariance: Floats,
    anchor: str | None,
    prior: float,
) -> Ratings:
    """Gather the table in Elo, best player first, those without games last."""
    count = len(names)
    games = played.games.sum(axis=1) + played.games.sum(axis=0)
    points = played.points.sum(axis=1) + (played.games - played.points).sum(axis=0)
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
    places = elo.round(6)  # the last digits differ between machines, and players that are level keep their order
    ranked = [sorted(group, key=lambda index: -places[index]) for group in groups]
    ranked.sort(key=lambda group: (anchor not in [names[index] for index in group], -len(group)))
    order = [index for group in ranked for index in group]
    return Ratings(
        entries=tuple(entries[index] for index in order),
        advantage=float(elo[count]) if games.any() else nan,
        advantage_interval=_interval(elo[count], variance[count, count]) if games.any() else (-inf, inf),
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
