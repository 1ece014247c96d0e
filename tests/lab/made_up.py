"""Findings made by hand, for the judging parts of experiments: games with given margins for the pair's first player."""

import math
from collections.abc import Sequence

import numpy as np

from montego.arena.game import FinishedGame, Task
from montego.lab.matches import Finding, Pair


def found(
    label: str, margins: Sequence[float], *, x: float | None = None, series: str = "", seconds: float = 1.0
) -> Finding:
    """Return the finding of a pair whose first player won by these margins; it thinks ``seconds``, the other one 1."""
    games = [_game(number, margin, seconds) for number, margin in enumerate(margins)]
    count, points = len(margins), [float(np.heaviside(margin, 0.5)) for margin in margins]
    return Finding(
        Pair(label, "", "", x=x, series=series),
        games,
        float(np.mean(points)),
        math.sqrt(0.25 / count),
        float(np.mean(margins)),
        float(np.std(margins, ddof=1)) / math.sqrt(count),
        float(np.var(margins, ddof=1)),
        30.0,
        seconds,
    )


def _game(number: int, margin: float, seconds: float) -> FinishedGame:
    """Return a game with the sides exchanged where its number is odd, so that its score is the second player's."""
    side = number % 2
    task = Task(number, number // 2, (0, 1) if side == 0 else (1, 0), "blokus_duo", ("", ""), (0, 0))
    score = -margin if side else margin
    times = (1.0, seconds) if side else (seconds, 1.0)
    return FinishedGame(task, (), score, float(np.heaviside(score, 0.5)), "", "played", seconds=times)
