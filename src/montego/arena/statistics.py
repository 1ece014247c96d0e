"""The numbers of a match: win rate, Elo difference, first-player rate, each with its interval.

Scores are those of player A, 1 for a win, 0.5 for a draw, 0 for a loss. A pair is two games from one opening with the
colours swapped. The two games of a pair depend on each other (an opening may favour Black), so pairs are independent
but games are not. Games without their partner are called ``singles``.
"""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from math import ceil, inf, isfinite, isnan, log10, nan, sqrt
from typing import Any

from montego.errors import MontegoError, counted

Interval = tuple[float, float]

Z95 = 1.959963984540054  # the 97.5 % quantile of the normal distribution: every interval here is one of 95 %
SCORES = (0.0, 0.5, 1.0)

# The variance between pairs is estimated as if this many more pairs of independent games had been seen. It keeps a
# handful of equal pairs from claiming certainty, and no longer matters after fifty.
PRIOR_PAIRS = 2.0


# The 97.5 % quantiles of Student's t for one to ten degrees of freedom.
_STUDENT = (12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622, 2.2281)


def student(freedom: int) -> float:
    """Return the 97.5 % quantile of Student's t: half an interval of 95 %, in standard errors that are estimated, too.

    From eleven degrees of freedom on by its expansion about the normal quantile, which is right to 0.003.
    """
    if freedom < 1:
        raise MontegoError(f"Student's t needs at least one degree of freedom, not {freedom}")
    if freedom <= len(_STUDENT):
        return _STUDENT[freedom - 1]
    z = Z95
    return z + (z**3 + z) / (4 * freedom) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)


def wilson(successes: float, n: float, z: float = Z95) -> Interval:
    """Return Wilson's score interval for a probability, from ``successes`` in ``n`` trials (both may be fractional).

    The interval holds every p with (successes/n - p)² ≤ z² p(1-p)/n; it is (0, 1) for no trials. Wilson (1927).
    """
    if not (0 <= successes <= n and isfinite(n)):
        raise MontegoError(f"an interval needs 0 ≤ successes ≤ n, not {successes} of {n}")
    if not 0 < z < inf:
        raise MontegoError(f"z must be positive and finite, not {z}; 1.96 gives an interval of 95 %")
    if n == 0:
        return 0.0, 1.0
    rate = successes / n
    centre = (rate + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * sqrt(rate * (1 - rate) / n + z * z / (4 * n * n))
    low = 0.0 if successes == 0 else max(0.0, centre - half)
    high = 1.0 if successes == n else min(1.0, centre + half)
    return low, high


def elo(rate: float) -> float:
    """Return the Elo difference that belongs to a score rate: 400 log10(rate / (1 - rate)), ±∞ at 0 and 1."""
    if not 0 <= rate <= 1:
        raise MontegoError(f"a rate lies between 0 and 1, not {rate}")
    if rate in (0, 1):
        return inf if rate == 1 else -inf
    return 400 * log10(rate / (1 - rate))


def expected_rate(elo_difference: float) -> float:
    """Return the expected score rate at an Elo difference: 1 / (1 + 10^(-elo/400)), the inverse of `elo`."""
    if isnan(elo_difference):
        raise MontegoError("an Elo difference must be a number, not nan")
    exponent = -abs(elo_difference) / 400
    weaker = 10**exponent / (1 + 10**exponent)
    return 1 - weaker if elo_difference > 0 else weaker


@dataclass(frozen=True)
class MatchSummary:
    """The result of a match between A and B, from A's perspective.

    ``rate`` is A's mean score, ``rate_interval`` Wilson's interval over all games with a draw as half a success. Wilson
    assumes the variance p(1-p), which is too large with draws, so draws only make the interval wider than necessary.
    ``elo_interval`` is the one to judge by: Wilson's interval with the number of games divided by ``design_effect``.
    That is the variance of the match score, estimated from the pairs, over the variance of as many independent games
    without draws: below 1 with draws and where colours decide, above 1 where the games of a pair repeat each other. An
    end may be infinite. ``pentanomial`` counts the pairs in which A scored 0, ½, 1, 1½, 2, ``singles`` the games
    outside pairs. Without any games the rates and Elo are nan and the intervals unbounded.
    """

    games: int
    wins: int
    draws: int
    losses: int
    rate: float
    rate_interval: Interval
    elo: float
    elo_interval: Interval
    first_player_rate: float
    first_player_interval: Interval
    pentanomial: tuple[int, int, int, int, int]
    singles: int
    design_effect: float

    def as_dict(self) -> dict[str, Any]:
        """Return the fields ready for JSON, which has no infinity: infinite and unknown numbers are None."""
        return {name: _jsonable(value) for name, value in asdict(self).items()}

    def line(self, name: str = "A") -> str:
        """Return one line for people, such as ``A 61 % (54–67 %) of 200 games, Elo +78 (+28…+127)``."""
        if not self.games:
            return f"{name}: no games yet"
        low, high = self.rate_interval
        digits = max(0, ceil(-log10((high - low) / 2)) - 2)  # one more for each tenth of ±1 %
        rate = percent(self.rate, digits)
        drawn = f" ({self.draws} drawn)" if self.draws else ""
        elo_low, elo_high = (signed(end) for end in self.elo_interval)
        interval = f"({100 * low:.{digits}f}–{100 * high:.{digits}f} %)"
        return (
            f"{name} {rate} {interval} of {counted(self.games, 'game')}{drawn}, "
            f"Elo {signed(self.elo)} ({elo_low}…{elo_high})"
        )

    def __str__(self) -> str:
        return self.line()


def summarize(
    pairs: Sequence[tuple[float, float]],
    first_player_scores: Sequence[float] = (),
    *,
    singles: Sequence[float] = (),
) -> MatchSummary:
    """Summarise a match from A's scores in its pairs and in its single games.

    ``first_player_scores`` holds, for each game that should count there, the score of whoever moved first.
    """
    for pair in pairs:
        if len(pair) != 2:
            raise MontegoError(f"a pair is two scores, not {pair!r}; a game without its partner belongs to singles")
    scores = _checked(score for pair in pairs for score in pair) + _checked(singles)
    first_scores = _checked(first_player_scores)
    games, points = len(scores), sum(scores)
    rate = points / games if games else nan
    pentanomial = pair_counts(pairs)
    effect = _design_effect(pentanomial, scores) if games else 1.0
    low, high = wilson(points / effect, games / effect)
    return MatchSummary(
        games=games,
        wins=scores.count(1.0),
        draws=scores.count(0.5),
        losses=scores.count(0.0),
        rate=rate,
        rate_interval=wilson(points, games),
        elo=elo(rate) if games else nan,
        elo_interval=(elo(low), elo(high)),
        first_player_rate=sum(first_scores) / len(first_scores) if first_scores else nan,
        first_player_interval=wilson(sum(first_scores), len(first_scores)),
        pentanomial=pentanomial,
        singles=len(singles),
        design_effect=effect,
    )


def pair_counts(pairs: Iterable[tuple[float, float]]) -> tuple[int, int, int, int, int]:
    """Return how many pairs scored 0, ½, 1, 1½ and 2."""
    counts = [0] * 5
    for first, second in pairs:
        counts[round(2 * sum(_checked((first, second))))] += 1
    return (counts[0], counts[1], counts[2], counts[3], counts[4])


def pair_variance(pentanomial: Sequence[int], rate: float) -> float:
    """Return the variance of A's mean score in a pair around ``rate``, with `PRIOR_PAIRS` independent pairs added."""
    squares = sum(count * (half_points / 4 - rate) ** 2 for half_points, count in enumerate(pentanomial))
    # The rate is usually the mean of the same pairs, which costs one degree of freedom.
    return (squares + PRIOR_PAIRS * rate * (1 - rate) / 2) / (max(sum(pentanomial) - 1, 0) + PRIOR_PAIRS)


def percent(rate: float, digits: int = 0) -> str:
    """Return a rate for people, such as ``61 %``, with enough digits that only 0 and 1 show as 0 % and 100 %."""
    while 0 < rate < 1 and float(f"{100 * rate:.{digits}f}") in (0, 100) and digits < 9:
        digits += 1
    return f"{100 * rate:.{digits}f} %"


def signed(value: float) -> str:
    """Return an Elo number for people: ``+78``, ``-5``, ``0``, ``+∞``."""
    if isnan(value):
        return "?"
    if not isfinite(value):
        return "+∞" if value > 0 else "-∞"
    return f"{value:+.0f}" if round(value) else "0"


def _design_effect(pentanomial: Sequence[int], scores: Sequence[float]) -> float:
    """Return the variance of the total score over that of as many independent games without draws.

    Survey statisticians divide the sample size by this and use Wilson's interval; see Franco, Little, Louis and Slud,
    "Comparative study of confidence intervals for proportions in complex sample surveys" (2019).
    """
    games, pairs = len(scores), sum(pentanomial)
    rate = sum(scores) / games
    independent = rate * (1 - rate)  # the variance of one game without draws
    if independent == 0:
        return 1.0
    game_squares = sum((score - rate) ** 2 for score in scores)
    game_variance = (game_squares + 2 * PRIOR_PAIRS * independent) / (games - 1 + 2 * PRIOR_PAIRS)
    of_pairs = 4 * pairs * pair_variance(pentanomial, rate)
    return (of_pairs + (games - 2 * pairs) * game_variance) / (games * independent)


def _checked(scores: Iterable[float]) -> list[float]:
    listed = [float(score) for score in scores]
    for score in listed:
        if score not in SCORES:
            raise MontegoError(f"a score is 0, 0.5 or 1, not {score}")
    return listed


def _jsonable(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_jsonable(part) for part in value]
    return None if isinstance(value, float) and not isfinite(value) else value
