"""UCT and UCB: the settings of a tree search, and of one that has a tree of one ply."""

import math
from enum import IntEnum
from typing import Annotated, Any, NamedTuple

from montego.errors import SpecError
from montego.games import Game
from montego.playouts import PLAYOUTS, Uniform
from montego.rewards import REWARDS, WinLoss
from montego.search.choice import CHOICES, Bandit, Best
from montego.search.expansion import EXPANSIONS, Visits
from montego.search.findings import Final
from montego.search.pruning import PRUNINGS, NoPruning
from montego.search.rave import RAVES, NoRave
from montego.search.search import TreeSearch
from montego.search.widening import WIDENINGS, AtOnce
from montego.spec import Param

_MAX_DEPTH = 512
_BLOKUS = "sigmoid of the final score"
_LECTURE = "refinements"


class Parallel(IntEnum):
    """What threads share: one tree, or nothing but the sum of what their roots found."""

    TREE = 0
    ROOT = 1


def need_budget(values: dict[str, Any]) -> dict[str, Any]:
    """Refuse settings whose search would never end."""
    if not values["playouts"] and not values["seconds"]:
        raise SpecError("playouts and seconds are both 0, so the search would never end; give one of them")
    return values


class Uct(NamedTuple):
    """UCT: a tree grown by simulations, each choosing moves by UCB1, with every refinement as a parameter."""

    playouts: Annotated[int, Param("simulations of one decision; 0: no limit but the seconds", 0)] = 1000
    seconds: Annotated[float, Param("time of one decision; 0: no limit but the playouts", 0, 1e6)] = 0.0
    c: Annotated[float, Param("exploration c of c √(ln N / n); left out: 0 with RAVE, else 0.4", 0, 100, _BLOKUS)] = (
        None  # type: ignore[assignment]
    )
    bandit: Annotated[Bandit, Param("how the uncertainty of a move is measured", paper="Auer et al. 2002")] = (
        Bandit.UCB1
    )
    first_play: Annotated[float, Param("value of a move never tried; 1e6 tries each once", 0, 1e6, "MoGo")] = 1e6
    rave: Annotated[Any, Param("how all-moves-as-first statistics are mixed in", paper=_LECTURE), RAVES] = NoRave()
    expand: Annotated[Any, Param("when a leaf gets children", paper=_LECTURE), EXPANSIONS] = Visits()
    reward: Annotated[Any, Param("what a playout is worth", paper=_BLOKUS), REWARDS] = WinLoss()
    prune: Annotated[Any, Param("progressive pruning of inferior moves", paper=_LECTURE), PRUNINGS] = NoPruning()
    choice: Annotated[Any, Param("temperature of the choices in a simulation", paper=_LECTURE), CHOICES] = Best()
    prior: Annotated[Any, Param("policy whose weights of moves bias and widen use", paper="ERICA"), PLAYOUTS] = (
        Uniform()
    )
    bias: Annotated[float, Param("progressive bias: weight of prior / (visits + 1)", 0, 1e6, "ERICA")] = 0.0
    widen: Annotated[Any, Param("progressive widening by the prior", paper=_LECTURE), WIDENINGS] = AtOnce()
    final: Annotated[Final, Param("which move is played in the end", paper=_BLOKUS)] = Final.VISITS
    final_choice: Annotated[Any, Param("temperature of the move played", paper=_LECTURE), CHOICES] = Best()
    playout: Annotated[Any, Param("how playouts are played"), PLAYOUTS] = Uniform()
    solver: Annotated[bool, Param("whether proven wins and losses are kept", paper="MCTS-Solver")] = True
    reuse: Annotated[bool, Param("whether the tree is kept for the next move of the game")] = False
    threads: Annotated[int, Param("threads of one decision", 1, 1024)] = 1
    parallel: Annotated[Parallel, Param("what threads share")] = Parallel.TREE
    virtual_loss: Annotated[int, Param("losses assumed for a simulation under way, with threads", 0, 1000)] = 1
    depth: Annotated[int, Param("greatest depth of the tree in plies; 1 is a bandit over the moves", 1, _MAX_DEPTH)] = (
        _MAX_DEPTH
    )
    memory: Annotated[int, Param("megabytes for the tree; when full it is searched, but not grown", 1, 10**6)] = 200
    survey: Annotated[int, Param("simulations between two counts of who owns the points; 0: none", 0, 10**9)] = 16

    @classmethod
    def complete(cls, values: dict[str, Any]) -> dict[str, Any]:
        """Check what concerns several parameters; RAVE explores by itself, so c is then 0 unless it is given."""
        if values["c"] is None:
            values["c"] = 0.0 if values["rave"] != NoRave() else 0.4
        return need_budget(values)

    def search(self, game: Game) -> TreeSearch:
        """Return the search that these settings describe."""
        return TreeSearch(game, self)


class Ucb(NamedTuple):
    """UCB1 over the moves of the position, without a tree."""

    playouts: Annotated[int, Param("playouts of one decision; 0: no limit but the seconds", 0)] = 1000
    seconds: Annotated[float, Param("time of one decision; 0: no limit but the playouts", 0, 1e6)] = 0.0
    c: Annotated[float, Param("exploration c of c √(ln N / n); UCB1 has √2", 0, 100, _BLOKUS)] = math.sqrt(2.0)
    bandit: Annotated[Bandit, Param("how the uncertainty of a move is measured", paper="Auer et al. 2002")] = (
        Bandit.UCB1
    )
    reward: Annotated[Any, Param("what a playout is worth", paper=_BLOKUS), REWARDS] = WinLoss()
    rave: Annotated[Any, Param("how all-moves-as-first statistics are mixed in", paper=_LECTURE), RAVES] = NoRave()
    prune: Annotated[Any, Param("progressive pruning of inferior moves", paper=_LECTURE), PRUNINGS] = NoPruning()
    choice: Annotated[Any, Param("temperature of the choices in a simulation", paper=_LECTURE), CHOICES] = Best()
    final: Annotated[Final, Param("which move is played in the end", paper=_BLOKUS)] = Final.MEAN
    final_choice: Annotated[Any, Param("temperature of the move played", paper=_LECTURE), CHOICES] = Best()
    playout: Annotated[Any, Param("how playouts are played"), PLAYOUTS] = Uniform()
    threads: Annotated[int, Param("threads of one decision", 1, 1024)] = 1

    @classmethod
    def complete(cls, values: dict[str, Any]) -> dict[str, Any]:
        """Check what concerns several parameters."""
        return need_budget(values)

    def search(self, game: Game) -> TreeSearch:
        """Return a tree search of one ply."""
        return TreeSearch(game, Uct(**self._asdict(), depth=1, solver=False, memory=5))
