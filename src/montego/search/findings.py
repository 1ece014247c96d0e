"""What is read off a searched tree: the move to play, the line expected, statistics, ownership, scores."""

from __future__ import annotations

from enum import IntEnum
from math import isnan
from typing import TYPE_CHECKING, Any

import numpy as np

from montego.games import Position
from montego.rng import below, uniform
from montego.search.analysis import Analysis, MoveStatistics, by_point
from montego.search.budget import Budget
from montego.search.choice import ANNEALED, BEST, PROPORTIONAL
from montego.search.records import (
    ALL_EQUAL,
    BARRED,
    COUNTED,
    DECIDED,
    DRAWN,
    ENOUGH,
    LOST,
    ONE_LEFT,
    PROOF,
    PROVEN,
    PRUNED,
    ROOT,
    SUMS,
    WON,
)

if TYPE_CHECKING:
    from montego.search.tree_search import TreeSearch

_95_PERCENT = 1.959964
_PROOFS = {LOST: "loss", DRAWN: "draw", WON: "win"}
_SETTLED = {
    PROVEN: "the result is proven",
    ONE_LEFT: "all moves but one are pruned",
    ALL_EQUAL: "the moves left are statistically equal",
    ENOUGH: "the position has had its playouts",
    DECIDED: "no other move can catch up",
    COUNTED: "the counters of the tree are full",
}


class Final(IntEnum):
    """Which move is played: of the highest mean, most visits, highest lower confidence bound, highest AMAF mean."""

    MEAN = 0
    VISITS = 1
    LCB = 2
    AMAF = 3


# ----------------------------------------------------------------------------------------------------- what it is worth


def bounds(mean: Any, visits: Any) -> tuple[Any, Any]:
    """Return the 95 % bounds of a mean of at least one reward: Wilson's score interval (1927).

    Rewards lie between 0 and 1, so they vary at most as much as wins and losses of the same mean do. The bounds are
    therefore wide enough for every reward, and one won playout says little: 0.21 to 1.
    """
    spread = _95_PERCENT**2 / visits
    centre = (mean + spread / 2) / (1 + spread)
    reach = np.sqrt(spread * (np.clip(mean * (1 - mean), 0, None) + spread / 4)) / (1 + spread)
    return np.clip(centre - reach, 0, mean), np.clip(centre + reach, mean, 1)


def means(children: Any, final: Final = Final.MEAN) -> Any:
    """Return the mean reward of each child, its AMAF mean if moves are played by that; NaN where there is none."""
    visits, total = ("amaf_visits", "amaf_total") if final == Final.AMAF else ("visits", "total")
    return np.where(children[visits] > 0, children[total] / np.maximum(children[visits], 1), np.nan)


def merits(children: Any, final: Final) -> Any:
    """Return for each child how much it deserves to be played, from 0 to 1 or a little beyond; less if never tried."""
    mean = np.nan_to_num(means(children))
    untried = children["visits"] == 0
    if final == Final.MEAN:
        return mean - untried
    if final == Final.VISITS:
        return (children["visits"] + mean / 2) / max(1, children["visits"].sum())
    if final == Final.LCB:
        return bounds(mean, np.maximum(children["visits"], 1))[0] - untried
    amaf_mean = means(children, Final.AMAF)
    return np.where(np.isnan(amaf_mean), mean - 1, amaf_mean)


# ----------------------------------------------------------------------------------------------------- the move to play


def best_places(children: Any, final: Final) -> Any:
    """Return the places of the children to play: a proven win, else the most deserving that are not out."""
    merit = merits(children, final)
    proof = children["status"] & PROOF
    merit = merit + 1e9 * (proof == WON) - 1e9 * (proof == LOST)
    merit = np.where(children["status"] & BARRED, -1e18, merit)
    merit = merit - 1e6 * ((children["status"] & PRUNED) != 0)
    return np.flatnonzero(merit == merit.max())


def drawn_place(children: Any, final: Final, choice: Any, rng: Any) -> int:
    """Return the place of the child to play: the best one, of equal ones any, or one drawn by the children's means.

    A temperature draws from the means (of AMAF with ``final=amaf``), as it does in a simulation, whatever ``final``
    says about the best one. Moves that are pruned, lost or were never tried are not drawn.
    """
    places = best_places(children, final)
    best = int(places[below(rng, len(places))])
    status = children["status"]
    kind, inverse = choice.kind, choice.k
    if kind == BEST or status[best] & PROOF:
        return best
    if kind == ANNEALED:
        inverse *= min(1.0, int(children["visits"].sum()) / choice.n)
    mean = means(children, final)
    usable = np.flatnonzero(~np.isnan(mean) & ((status & (PRUNED | BARRED)) == 0) & ((status & PROOF) != LOST))
    if len(usable) == 0:
        return best
    mean = mean[usable]
    sums = np.cumsum(mean if kind == PROPORTIONAL else np.exp(inverse * (mean - mean.max())))
    if sums[-1] <= 0:
        return best
    drawn = int(np.searchsorted(sums, uniform(rng) * sums[-1], side="right"))
    return int(usable[min(drawn, len(usable) - 1)])


def turning_place(search: TreeSearch, children: Any) -> int | None:
    """Return the place of a move that exchanges the players, if there is one and it is decided by a value."""
    turning = search.game.turning_move()
    if turning is None or not search.settings.swap_by_value:
        return None
    found = np.flatnonzero((children["move"] == turning) & ((children["status"] & BARRED) == 0))
    return int(found[0]) if len(found) else None


def with_tables_turned(children: Any, turning: int, place: int) -> int:
    """Return the place of the move to play, given the best one and the place of the one that exchanges the players.

    A few visits say little about that move: those who answer it look good at first, and AMAF never sees it. Unless it
    was searched most, it is played if the best of the other moves loses more often than not.
    """
    others = np.delete(children, turning)
    if len(others) == 0 or children["status"][place] & PROOF == WON:
        return place
    best = int(best_places(others, Final.VISITS)[0])
    if children["visits"][turning] >= others["visits"][best]:
        return place
    if others["status"][best] & PROOF == LOST or means(others)[best] < 0.5:
        return turning
    return int(np.flatnonzero(children["move"] == others["move"][best])[0])


def principal_variation(search: TreeSearch, first: int) -> list[str]:
    """Return the moves that the search expects, from a child of the root to where the tree knows nothing."""
    nodes, game, final = search.trees[0].nodes, search.game, search.settings.final
    node = int(nodes[ROOT].first_child) + first
    moves = [game.move_name(int(nodes[node].move))]
    while nodes[node].first_child and search.children(node)["visits"].max() > 0:
        node = int(nodes[node].first_child) + int(best_places(search.children(node), final)[0])
        moves.append(game.move_name(int(nodes[node].move)))
    return moves


# ----------------------------------------------------------------------------------------------------------- everything


def root_children(search: TreeSearch) -> Any:
    """Return the statistics of the root's moves, of all trees together."""
    total = search.children(ROOT, 0).astype(SUMS)
    if len(search.trees) == 1:
        return total
    place = {int(move): i for i, move in enumerate(total["move"])}
    for number in range(1, len(search.trees)):
        for child in search.children(ROOT, number):
            if (i := place.get(int(child["move"]))) is not None:
                for name in ("visits", "total", "amaf_visits", "amaf_total"):
                    total[name][i] += child[name]
                total["status"][i] |= child["status"]
    return total


def statistics(search: TreeSearch, children: Any) -> list[MoveStatistics]:
    """Return what is known of each move that may be played."""
    children = children[(children["status"] & BARRED) == 0]
    mean = means(children)
    lower, upper = bounds(mean, np.maximum(children["visits"], 1))
    columns = [mean, lower, upper, means(children, Final.AMAF)]
    numbers = [[None if isnan(number) else number for number in column.tolist()] for column in columns]
    weighed, unit = bool(search.record.weighed), float(search.record.amaf_weight.unit)
    # Whole columns become Python's numbers at once: to ask records one by one is slow where moves are many.
    counts = [children[name].tolist() for name in ("move", "visits", "amaf_visits", "prior", "status")]
    return [
        MoveStatistics(
            search.game.move_name(move),
            move,
            visits,
            value,
            round(amaf_visits * unit),
            amaf_value,
            low,
            high,
            prior if weighed else None,
            bool(status & PRUNED),
            _PROOFS.get(status & PROOF),
        )
        for move, visits, amaf_visits, prior, status, value, low, high, amaf_value in zip(
            *counts, *numbers, strict=True
        )
    ]


def analyse(search: TreeSearch, position: Position, budget: Budget) -> Analysis:
    """Return everything that a search of a position has found out so far."""
    children = root_children(search)
    place = drawn_place(children, search.settings.final, search.record.final_choice, search.desks[0].rng.copy())
    if (turning := turning_place(search, children)) is not None:
        place = with_tables_turned(children, turning, place)
    simulations = search.simulations()
    counters = [desk.counters for desk in search.desks]
    settled = next((int(counter.settled) for counter in counters if counter.settled), 0)
    nodes = search.nodes_in_use()
    return Analysis(
        search.game.move_name(int(children[place]["move"])),
        int(children[place]["move"]),
        playouts=simulations,
        seconds=budget.elapsed(),
        moves=statistics(search, children),
        principal_variation=principal_variation(search, place),
        nodes=nodes,
        mean_depth=sum(int(counter.depth_sum) for counter in counters) / max(1, simulations),
        greatest_depth=max(int(counter.deepest) for counter in counters),
        memory=nodes * search.node_bytes,
        ownership=ownership(search),
        score_histogram=histogram(search),
        settled=_SETTLED.get(settled, ""),
        cut_short=budget.cut_short,
        position=position,
    )


def ownership(search: TreeSearch) -> dict[str, float]:
    """Return the mean final owner of every point, 1 for player 0 and -1 for player 1; empty if none was counted."""
    surveys = sum(int(desk.counters.surveys) for desk in search.desks)
    if surveys == 0:
        return {}
    return by_point(search.game, np.sum([desk.survey for desk in search.desks], axis=0) / surveys)


def histogram(search: TreeSearch) -> dict[float, int]:
    """Return the number of playouts by ranges of the final score, from their lower ends."""
    counts = np.sum([desk.counters.histogram for desk in search.desks], axis=0)
    low, width = float(search.record.lowest_score), float(search.record.bin_width)
    return {low + width * int(i): int(counts[i]) for i in np.flatnonzero(counts)}
