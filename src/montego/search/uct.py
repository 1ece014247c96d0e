"""UCT and UCB: the settings of a tree search, and of one that has a tree of one ply."""

import math
from typing import Any, NamedTuple

from montego.games import Game
from montego.playouts import TREE_DEPTH, Uniform
from montego.rewards import WinLoss
from montego.search import settings as declared
from montego.search.budget import Clock
from montego.search.choice import Bandit, Best
from montego.search.expansion import Visits
from montego.search.findings import Final
from montego.search.knowledge import NoBias, NoInitial
from montego.search.pace import EvenPace
from montego.search.pruning import NoPruning
from montego.search.rave import Even, NoRave
from montego.search.settings import Parallel, with_budget
from montego.search.stopping import ToTheEnd
from montego.search.tree_search import TreeSearch
from montego.search.widening import AtOnce


class Uct(NamedTuple):
    """UCT: a tree grown by simulations, each choosing moves by UCB1, with every refinement as a parameter."""

    playouts: declared.Playouts = None  # type: ignore[assignment]  # ``complete`` fills it in
    seconds: declared.Seconds = 0.0
    c: declared.Exploration = None  # type: ignore[assignment]  # ``complete`` fills it in
    bandit: declared.Uncertainty = Bandit.UCB1
    first_play: declared.FirstPlay = 1e6
    rave: declared.Rave = NoRave()
    amaf_weight: declared.AmafWeight = Even()
    rave_rest: declared.RaveRest = 0
    criticality: declared.Criticality = 0.0
    counted: declared.Counted = False
    expand: declared.Expand = Visits()
    reward: declared.Reward = WinLoss()
    prune: declared.Prune = NoPruning()
    choice: declared.Choice = Best()
    prior: declared.Prior = Uniform()
    bias: declared.Bias = NoBias()
    initial: declared.Initial = NoInitial()
    widen: declared.Widen = AtOnce()
    final: declared.FinalMove = Final.VISITS
    final_choice: declared.FinalChoice = Best()
    playout: declared.Playout = Uniform()
    solver: declared.Solver = True
    stop: declared.Stop = ToTheEnd()
    extra: declared.Extra = 0.0
    reuse: declared.Reuse = False
    threads: declared.Threads = 1
    parallel: declared.Sharing = Parallel.TREE
    virtual_loss: declared.VirtualLoss = 1
    depth: declared.TreeDepth = TREE_DEPTH
    memory: declared.Memory = 200
    survey: declared.Survey = 16
    clock: declared.WhoseSeconds = Clock.WALL
    pace: declared.Pace = EvenPace()
    swap_by_value: declared.SwapByValue = True

    @classmethod
    def complete(cls, values: dict[str, Any]) -> dict[str, Any]:
        """Check what concerns several parameters; RAVE explores by itself, so c is then 0 unless it is given."""
        if values["c"] is None:
            values["c"] = 0.0 if values["rave"] != NoRave() else 0.2
        return with_budget(values)

    def search(self, game: Game) -> TreeSearch:
        """Return the search that these settings describe."""
        return TreeSearch(game, self)


class Ucb(NamedTuple):
    """UCB1 over the moves of the position, without a tree."""

    playouts: declared.Playouts = None  # type: ignore[assignment]  # ``complete`` fills it in
    seconds: declared.Seconds = 0.0
    c: declared.Ucb1Exploration = math.sqrt(2.0)
    bandit: declared.Uncertainty = Bandit.UCB1
    reward: declared.Reward = WinLoss()
    rave: declared.Rave = NoRave()
    prune: declared.Prune = NoPruning()
    choice: declared.Choice = Best()
    final: declared.FinalMove = Final.MEAN
    final_choice: declared.FinalChoice = Best()
    playout: declared.Playout = Uniform()
    threads: declared.Threads = 1

    @classmethod
    def complete(cls, values: dict[str, Any]) -> dict[str, Any]:
        """Check what concerns several parameters."""
        return with_budget(values)

    def search(self, game: Game) -> TreeSearch:
        """Return a tree search of one ply."""
        return TreeSearch(game, Uct(**self._asdict(), depth=1, solver=False, memory=5))
