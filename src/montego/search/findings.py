"""What is read off a searched tree: the move to play, the line expected, statistics, ownership, scores."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Any

import numpy as np

from montego.rng import below, uniform
from montego.search.analysis import Analysis, MoveStatistics
from montego.search.budget import Budget
from montego.search.choice import ANNEALED, BEST, PROPORTIONAL
from montego.search.records import (
    ALL_EQUAL,
    BARRED,
    ENOUGH,
    LOST,
    MOMENTS,
    NODE,
    ONE_LEFT,
    PROOF,
    PROVEN,
    PRUNED,
    ROOT,
    WON,
)

if TYPE_CHECKING:
    from montego.search.search import TreeSearch

_95_PERCENT = 1.959964
_PROOFS = {LOST: "loss", WON: "win", LOST + 1: "draw"}
_SETTLED = {
    PROVEN: "the result is proven",
    ONE_LEFT: "all moves but one are pruned",
    ALL_EQUAL: "the moves left are statistically equal",
    ENOUGH: "every move left has had its playouts",
}


class Final(IntEnum):
    """Which move is played: of the highest mean, most visits, highest lower confidence bound, highest AMAF mean."""

    MEAN = 0
    VISITS = 1
    LCB = 2
    AMAF = 3


def merits(children: Any, final: Final) -> Any:
    """Return for each child how much it deserves to be played, from 0 to 1 or a little beyond."""
    visits = np.maximum(children["visits"], 1)
    mean = np.where(children["visits"] > 0, children["total"] / visits, 0.0)
    if final == Final.MEAN:
        return mean - (children["visits"] == 0)
    if final == Final.VISITS:
        return (children["visits"] + mean / 2) / max(1, children["visits"].sum())
    if final == Final.LCB:
        return mean - _width(mean, visits) - 1.0 / visits - (children["visits"] == 0)
    amaf_visits = np.maximum(children["amaf_visits"], 1)
    return np.where(children["amaf_visits"] > 0, children["amaf_total"] / amaf_visits, mean - 1)


def _width(mean: Any, visits: Any) -> Any:
    """Return half the width of the 95 % interval of a mean of rewards from 0 to 1."""
    return _95_PERCENT * np.sqrt(np.clip(mean * (1 - mean), 0, None) / visits)


def best_places(children: Any, final: Final) -> Any:
    """Return the places of the children to play: a proven win, else the most deserving that are not out."""
    merit = merits(children, final)
    proof = children["status"] & PROOF
    merit = merit + 1e9 * (proof == WON) - 1e9 * (proof == LOST)
    merit = np.where(children["status"] & BARRED, -1e18, merit)
    merit = merit - 1e6 * ((children["status"] & PRUNED) != 0)
    return np.flatnonzero(merit == merit.max())


def drawn_place(children: Any, final: Final, choice: tuple[int, float, float], rng: Any) -> int:
    """Return the place of the child to play, drawn by a temperature from the merits; of equal ones any."""
    places = best_places(children, final)
    best = int(places[below(rng, len(places))])
    status = children["status"]
    kind, inverse, full = choice
    if kind == BEST or status[best] & PROOF:
        return best
    if kind == ANNEALED:
        inverse *= min(1.0, int(children["visits"].sum()) / full)
    merit = np.clip(merits(children, final), 0, None)
    weights = merit if kind == PROPORTIONAL else np.exp(inverse * (merit - merit.max()))
    weights = np.where((status & (PRUNED | BARRED)) | ((status & PROOF) == LOST), 0.0, weights)
    sums = np.cumsum(weights)
    if sums[-1] <= 0:
        return best
    return int(np.searchsorted(sums, uniform(rng) * sums[-1], side="right").clip(0, len(sums) - 1))


def root_children(search: TreeSearch) -> Any:
    """Return the statistics of the root's moves, of all trees together."""
    total = search.children(ROOT, 0).copy()
    place = {int(move): i for i, move in enumerate(total["move"])}
    for number in range(1, len(search.trees)):
        for child in search.children(ROOT, number):
            if (i := place.get(int(child["move"]))) is not None:
                for name in ("visits", "total", "amaf_visits", "amaf_total"):
                    total[name][i] += child[name]
                total["status"][i] |= child["status"]
    return total


def principal_variation(search: TreeSearch, first: int) -> list[str]:
    """Return the moves that the search expects, from a child of the root to where the tree knows nothing."""
    nodes, game, final = search.trees[0][0], search.game, search.settings.final
    node = int(nodes[ROOT].first_child) + first
    moves = [game.move_name(int(nodes[node].move))]
    while nodes[node].first_child and search.children(node)["visits"].max() > 0:
        node = int(nodes[node].first_child) + int(best_places(search.children(node), final)[0])
        moves.append(game.move_name(int(nodes[node].move)))
    return moves


def statistics(search: TreeSearch, child: Any) -> MoveStatistics:
    """Return what is known of one move."""
    visits, amaf_visits = int(child["visits"]), int(child["amaf_visits"])
    mean = float(child["total"]) / visits if visits else None
    width = None if mean is None else float(_width(mean, visits))
    weighed = search.numbers.bias > 0 or search.numbers.widen > 0
    return MoveStatistics(
        search.game.move_name(int(child["move"])),
        int(child["move"]),
        visits,
        mean,
        amaf_visits,
        float(child["amaf_total"]) / amaf_visits if amaf_visits else None,
        None if mean is None or width is None else max(0.0, mean - width),
        None if mean is None or width is None else min(1.0, mean + width),
        float(child["prior"]) if weighed else None,
        bool(child["status"] & PRUNED),
        _PROOFS.get(int(child["status"]) & PROOF),
    )


def analyse(search: TreeSearch, budget: Budget) -> Analysis:
    """Return everything that a search has found out so far."""
    children = root_children(search)
    choice = search.settings.final_choice.setting()
    place = drawn_place(children, search.settings.final, choice, search.desks[0].rng.copy())
    simulations = search.simulations()
    trees = [desk.tree for desk in search.desks]
    settled = next((int(tree.settled) for tree in trees if tree.settled), 0)
    nodes = search.nodes_in_use()
    return Analysis(
        search.game.move_name(int(children[place]["move"])),
        int(children[place]["move"]),
        simulations,
        budget.elapsed(),
        [statistics(search, child) for child in children if not child["status"] & BARRED],
        principal_variation(search, place),
        nodes,
        sum(int(tree.depth_sum) for tree in trees) / max(1, simulations),
        max(int(tree.deepest) for tree in trees),
        nodes * (NODE.itemsize + (MOMENTS.itemsize if search.has_moments else 0)),
        ownership(search),
        histogram(search),
        _SETTLED.get(settled, ""),
        budget.cut_short,
    )


def ownership(search: TreeSearch) -> Any:
    """Return the mean final owner of every point, 1 for player 0 and -1 for player 1; None if none was counted."""
    surveys = sum(int(desk.tree.surveys) for desk in search.desks)
    if surveys == 0:
        return None
    return np.sum([desk.survey for desk in search.desks], axis=0) / surveys


def histogram(search: TreeSearch) -> dict[float, int]:
    """Return the number of playouts by ranges of the final score, from their lower ends."""
    counts = np.sum([desk.tree.histogram for desk in search.desks], axis=0)
    low, width = float(search.numbers.lowest_score), float(search.numbers.bin_width)
    return {low + width * int(i): int(counts[i]) for i in np.flatnonzero(counts)}
