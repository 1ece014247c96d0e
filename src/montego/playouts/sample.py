"""Many playouts of one position and what they add up to: the base of benchmarks, tests and flat Monte-Carlo."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from montego.games.game import Game
from montego.games.rules import score
from montego.kernels import copy_record, kernel
from montego.playouts.policy import HISTORY, Policy, new_workspace, playout
from montego.playouts.uniform import Uniform

TOTALS = np.dtype(
    (
        np.record,
        [
            ("playouts", np.int64),
            ("moves", np.int64),
            ("moves_squared", np.int64),
            ("wins", np.int64),  # of player 0
            ("draws", np.int64),
            ("score", np.float64),  # from player 0's perspective
            ("score_squared", np.float64),
        ],
    )
)


@kernel
def add_playouts(policy, game, root, space, count, totals):
    """Play ``count`` playouts from ``root`` and add their results to ``totals``."""
    work, rng, trace, scratch, memory = space
    for _ in range(count):
        copy_record(work, root)
        length = playout(policy, game, memory, work, rng, trace, HISTORY, scratch) - HISTORY
        result = score(game, work)
        totals.playouts += 1
        totals.moves += length
        totals.moves_squared += length * length
        if result > 0:
            totals.wins += 1
        elif result == 0:
            totals.draws += 1
        totals.score += result
        totals.score_squared += result * result


@dataclass
class Sampler:
    """Plays random playouts of one position in chunks and keeps the totals."""

    game: Game
    root: Any
    rng: Any
    policy: Policy = Uniform()

    def __post_init__(self) -> None:
        self.space = new_workspace(self.policy, self.game, self.rng)
        self.totals = np.zeros(1, TOTALS)[0]

    def run(self, count: int) -> Any:
        """Play ``count`` more playouts and return the totals so far."""
        add_playouts(self.policy, self.game, self.root, self.space, count, self.totals)
        return self.totals
