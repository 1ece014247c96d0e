"""By how much games were won and how long they were: mean score, its variance, mean length."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from math import inf, isfinite, nan, sqrt
from typing import Any

from montego.arena.game import LENGTH_LIMIT, PLAYED, FinishedGame
from montego.arena.statistics import Interval, student
from montego.errors import counted

_ALIKE = 1e-9  # sum of squares that is nothing but rounding


@dataclass(frozen=True)
class Margins:
    """The final scores of a pairing from its first player's perspective, and the lengths of its games.

    Only games that were scored count: after a resignation or a forfeit the board says little. ``error`` is the standard
    error of ``mean``, with the two games of a pair taken as one observation, as they share an opening; a few pairs say
    little about it, so ``interval`` is Student's, and pairs that are all alike say nothing. ``variance`` is that of
    single games. ``length`` counts moves, the opening included. Unknown numbers are nan.
    """

    games: int
    mean: float
    error: float
    interval: Interval
    variance: float
    length: float

    def as_dict(self) -> dict[str, Any]:
        """Return the fields ready for JSON: unknown numbers are None."""
        return {
            name: [_finite(end) for end in value] if isinstance(value, tuple) else _finite(value)
            for name, value in asdict(self).items()
        }

    def line(self) -> str:
        """Return one line for people, or nothing if no game was scored."""
        if not self.games:
            return ""
        low, high = self.interval
        ends = f" ({low:+.1f}…{high:+.1f})" if isfinite(low) else ""
        spread = f", variance {self.variance:.1f}" if isfinite(self.variance) else ""
        games = counted(self.games, "game")
        return f"mean score {self.mean:+.1f}{ends}{spread}, mean length {self.length:.1f} moves, of {games}"


def margins(games: Sequence[FinishedGame], player: int) -> Margins:
    """Summarise the scored games of a pairing for one of its players."""
    scored = [game for game in games if game.reason in (PLAYED, LENGTH_LIMIT)]
    if not scored:
        return Margins(0, nan, nan, (-inf, inf), nan, nan)
    scores = [game.score if game.task.players[0] == player else -game.score for game in scored]
    count, mean = len(scored), sum(scores) / len(scored)
    squares = sum((score - mean) ** 2 for score in scores)
    by_pair: dict[int, float] = {}
    for game, score in zip(scored, scores, strict=True):
        by_pair[game.task.pair] = by_pair.get(game.task.pair, 0.0) + score - mean
    pairs = len(by_pair)
    spread = sum(rest**2 for rest in by_pair.values())
    # Pairs that are all alike may be so by chance: they say nothing of how far others would be.
    known = pairs > 1 and spread > _ALIKE
    error = sqrt(spread * pairs / (pairs - 1)) / count if known else nan
    half = student(pairs - 1) * error if known else inf
    return Margins(
        games=count,
        mean=mean,
        error=error,
        interval=(mean - half, mean + half),
        variance=squares / (count - 1) if count > 1 else nan,
        length=sum(len(game.moves) for game in scored) / count,
    )


def _finite(value: Any) -> Any:
    return None if isinstance(value, float) and not isfinite(value) else value
