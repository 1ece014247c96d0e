"""The parameters that searches share, each declared once, and the record in which kernels read them.

A player such as ``uct.Uct`` is a NamedTuple of these parameters. Kernels read a record with the same names, derived
from that class: numbers as they are, and for each family of alternatives (RAVE schedules, pruning rules, …) a record
of the chosen one, so that ``settings.rave.b`` means the same in Python and in a kernel.
"""

import math
from enum import IntEnum
from functools import cache
from typing import Annotated, Any

import numpy as np

from montego.errors import SpecError
from montego.family import Family
from montego.games import Game
from montego.playouts import PLAYOUTS, TREE_DEPTH
from montego.rewards import REWARD, REWARDS, WIN, write_reward
from montego.search.budget import Clock
from montego.search.choice import BEST, CHOICES, UCB1, Bandit
from montego.search.expansion import AT_FIRST, EXPANSIONS
from montego.search.findings import Final
from montego.search.knowledge import BIASES, INITIALS, NO_BIAS, NONE, RELATIVE
from montego.search.pace import PACES
from montego.search.pruning import KEEP_ALL, PRUNINGS
from montego.search.rave import AMAF_WEIGHTS, EVEN, OFF, RAVES
from montego.search.records import BINS, MOST_CHILDREN
from montego.search.stopping import STOPS
from montego.search.widening import WIDENINGS
from montego.spec import Param, parameters

_BLOKUS = "sigmoid of the final score"
_LECTURE = "refinements"


class Parallel(IntEnum):
    """What threads share: one tree, or nothing but the sum of what their roots found."""

    TREE = 0
    ROOT = 1


Playouts = Annotated[
    int, Param("playouts of one decision; 0: no limit but the seconds; left out: 0 with seconds, else 1000", 0)
]
Seconds = Annotated[float, Param("time of one decision; 0: no limit but the playouts", 0, 1e6)]
WhoseSeconds = Annotated[
    Clock, Param("whose seconds: the wall's, or those of the processor, which other programs do not shorten")
]
Pace = Annotated[Any, Param("how the seconds are divided among the decisions of a game"), PACES]
Exploration = Annotated[
    float,
    Param(
        "exploration c of c √(ln N / n); left out: 0 with RAVE, else 0.2; the paper: √2",
        0,
        100,
        _BLOKUS,
        (0, 2),
    ),
]
Ucb1Exploration = Annotated[float, Param("exploration c of c √(ln N / n); UCB1 has √2", 0, 100, _BLOKUS, (0, 3))]
Uncertainty = Annotated[Bandit, Param("how the uncertainty of a move is measured", paper="Auer et al. 2002")]
FirstPlay = Annotated[
    float, Param("value of a move never tried; 1e6 tries each once; MoGo: about 1", 0, 1e6, "MoGo", (0, 2))
]
Rave = Annotated[Any, Param("how all-moves-as-first statistics are mixed in", paper=_LECTURE), RAVES]
AmafWeight = Annotated[Any, Param("how much a move counts by how soon it was made", paper="Fuego"), AMAF_WEIGHTS]
RaveRest = Annotated[
    int,
    Param("one choice in so many goes without RAVE; 0: none; MoHex 30, Fuego 20", 0, 10**9, "MoHex 2.0", (0, 100)),
]
Criticality = Annotated[
    float,
    Param(
        "AMAF wins added for each AMAF visit, times the criticality of the point; 0: none; Pachi 1.1",
        0,
        100,
        "Coulom 2009",
        (0, 5),
    ),
]
Counted = Annotated[bool, Param("whether AMAF updates count as playouts in the exploration", paper=_LECTURE)]
Expand = Annotated[Any, Param("when a leaf gets children; the lecture: transition", paper=_LECTURE), EXPANSIONS]
Reward = Annotated[Any, Param("what a playout is worth", paper=_BLOKUS), REWARDS]
Prune = Annotated[Any, Param("progressive pruning of inferior moves", paper=_LECTURE), PRUNINGS]
Choice = Annotated[Any, Param("temperature of the choices in a simulation", paper=_LECTURE), CHOICES]
Prior = Annotated[Any, Param("policy whose knowledge bias, initial and widen use", paper="ERICA"), PLAYOUTS]
Bias = Annotated[Any, Param("what the prior's share adds to a value; a number is progressive(number)"), BIASES]
Initial = Annotated[Any, Param("virtual simulations that a move begins with, by the prior"), INITIALS]
Widen = Annotated[Any, Param("progressive widening by the prior", paper=_LECTURE), WIDENINGS]
FinalMove = Annotated[Final, Param("which move is played in the end; the paper: mean", paper=_BLOKUS)]
FinalChoice = Annotated[Any, Param("temperature of the move played", paper=_LECTURE), CHOICES]
Playout = Annotated[Any, Param("how playouts are played"), PLAYOUTS]
Solver = Annotated[
    bool, Param("whether proven wins and losses are kept, if the reward is win_loss", paper="MCTS-Solver")
]
Reuse = Annotated[bool, Param("whether the tree is kept for the next move of the game")]
Threads = Annotated[int, Param("threads of one decision", 1, 1024)]
Sharing = Annotated[Parallel, Param("what threads share")]
VirtualLoss = Annotated[int, Param("losses assumed for a simulation under way, with threads", 0, 1000)]
TreeDepth = Annotated[int, Param("greatest depth of the tree in plies; 1 is a bandit over the moves", 1, TREE_DEPTH)]
Memory = Annotated[int, Param("megabytes for the tree; when it is full, the parts visited least are dropped", 1, 10**6)]
SwapByValue = Annotated[
    bool, Param("whether a swap of the players is decided by the value of the best other move; false: like other moves")
]
Survey = Annotated[int, Param("simulations between two counts of who owns the points; 0: none", 0, 10**9)]


Stop = Annotated[Any, Param("when a decision ends before its budget does"), STOPS]
Extra = Annotated[
    float,
    Param(
        "share of the budget added once if the most visited move is not the best valued",
        0,
        100,
        "MoHex 2.0: 0.5",
        (0, 2),
    ),
]


def with_budget(values: dict[str, Any], left_out: int = 1000) -> dict[str, Any]:
    """Fill in the playouts if they were left out, and refuse settings whose search would never end."""
    if values["playouts"] is None:
        values["playouts"] = 0 if values["seconds"] else left_out
    if not values["playouts"] and not values["seconds"]:
        raise SpecError("playouts and seconds are both 0, so the search would never end; give one of them")
    return values


# What kernels read beside the parameters, all of it derived from them or from the game.
_DERIVED = [
    ("shared", np.int64),  # whether several threads write to one tree, see ``records.BUSY``
    ("weighed", np.int64),  # whether the prior is asked for weights of moves
    ("plain", np.int64),  # whether the best child is that of UCB1 and RAVE, with nothing else added
    ("by_prior", np.int64),  # whether of untried children the likeliest is the best
    ("at_first", np.int64),  # the greatest number of children that a leaf gets when it is expanded
    ("greedy", np.int64),  # whether nothing at all is added to what is expected of a child
    ("bin_width", np.float64),  # of the histogram of scores
    ("lowest_score", np.float64),  # where it begins
]


@cache
def record_type(cls: Any) -> np.dtype[Any]:
    """Return the record type of a class of settings: its numbers, chosen members of families, and derived values."""
    fields: list[Any] = []
    for name, parameter in parameters(cls).items():
        if parameter.registry is REWARDS:
            fields.append((name, REWARD))
        elif isinstance(parameter.registry, Family):
            fields.append((name, parameter.registry.record_type()))
        elif parameter.registry is None:
            fields.append((name, np.float64 if parameter.type is float else np.int64))
    return np.dtype((np.record, fields + _DERIVED))


def kernel_settings(game: Game, settings: Any) -> Any:
    """Return settings as a record for the kernels; the reward is written before each decision, by ``set_reward``."""
    cls: Any = type(settings)
    record = np.zeros(1, record_type(cls))[0]
    for name, parameter in parameters(cls).items():
        if isinstance(parameter.registry, Family) and parameter.registry is not REWARDS:
            parameter.registry.write(record[name], getattr(settings, name))
        elif parameter.registry is None:
            record[name] = getattr(settings, name)
    record.shared = settings.threads > 1 and settings.parallel != Parallel.ROOT
    record.virtual_loss = settings.virtual_loss if record.shared else 0
    informed = record.bias.kind != NO_BIAS or record.initial.kind != NONE
    record.weighed = record.widen.visits > 0 or informed
    extended = informed or record.counted or record.criticality or record.amaf_weight.kind != EVEN
    record.plain = record.bandit == UCB1 and not extended
    record.greedy = record.bandit == UCB1 and record.c == 0.0 and record.bias.kind == NO_BIAS
    in_order = record.bandit == UCB1 and record.rave.kind == OFF and record.initial.kind == RELATIVE
    all_at_once = record.widen.visits == 0 and record.expand.least == 0 and not record.counted
    takes_best = record.choice.kind == BEST and record.prune.kind == KEEP_ALL
    record.by_prior = in_order and all_at_once and takes_best and not record.shared
    record.at_first = AT_FIRST if record.by_prior else MOST_CHILDREN
    record.bin_width = max(1, math.ceil((2 * game.max_score() + 2) / BINS))
    record.lowest_score = -math.ceil(game.max_score() / record.bin_width) * record.bin_width
    return record


def set_reward(record: Any, game: Game, settings: Any, move: int) -> None:
    """Write the reward of a decision at a move of the game, counted from 1, into the record for the kernels.

    A proof says who wins and not by how much, so the solver is off where more than winning counts. Rewards lie between
    0 and 1; one whose scale is s times that is searched with c / s, which orders moves in the same way.
    """
    write_reward(record.reward, settings.reward, game, move)
    wins_only = record.reward.kind == WIN
    record.solver = settings.solver and wins_only
    record.c = settings.c / (record.reward.scale if wins_only else 1.0)
