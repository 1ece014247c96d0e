"""Domain-independent refinements: the 9×9 tables of Bouzy and Helmstetter that the lecture shows.

All players maximise the score; figures are mean final scores against the first column's player. The scores of a hundred
games are published without errors. The lecture leaves open the komi, and the unit of the values that the temperature K
multiplies: here they lie between -1 and 1, a full board.
"""

from __future__ import annotations

import math

import numpy as np

from montego.games import game as build_game
from montego.lab.experiment import Conditions, Listing
from montego.lab.matches import LEAST_PAIRS, Finding, Games, MatchExperiment, Measure, Pair, declare
from montego.lab.rows import Row
from montego.players import PLAYERS
from montego.rng import stream

PAPER = "Refinements lecture, after Bouzy and Helmstetter, Monte-Carlo Go developments"
GAME = "go(size=9, komi=0)"
PAPER_ERROR = 2.5  # standard error of a published mean of 100 games with a deviation of 25 points
GAMES_OF_PAPER = 100

# {most}: playouts in all, per legal move; {cap}: the same for an empty board, which no decision exceeds.
PRUNING = "flat(playouts={{cap}}, reward=score, prune=hard(rd={rd}, sigma={sigma}, most={{most}}))"
BASIC = "flat(playouts={cap}, reward=score, prune=hard(rd=1000, sigma=1e-9, most={most}))"  # nothing is pruned
AMAF = "flat(first=random, amaf=true, playouts={playouts}, reward=score{rest})"
GOBBLE = ", playout=gobble(k={k}, n={n})"
K_UNIT = 2.0  # our values go from 0 to 1, so a difference between -1 and 1 is half as large
FINAL_K = 2  # of the lecture's "Putting everything together"
FULL_PLAYOUTS = 10_000
BUDGETS = {"most": (5, 10_000, 10_000), "cap": (410, 820_000, 820_000)}

_ABOUT = (
    "Both players maximise the score, komi 0, area scoring, from the empty board, colours swapped. The published means "
    f"of 100 games are taken to have a standard error of {PAPER_ERROR} points.",
)


def _pruning(rd: float, sigma: float) -> str:
    return PRUNING.format(rd=rd, sigma=sigma)


def _amaf(playouts: str, rest: str = "") -> str:
    return AMAF.format(playouts=playouts, rest=rest)


def _table(name: str, summary: str, cost: str, pairs: tuple[Pair, ...], games: Games, **more: object) -> None:
    settings = {"null": 0.0, "notes": _ABOUT, **more}
    declare(
        MatchExperiment(
            name,
            PAPER,
            summary,
            cost,
            GAME,
            pairs,
            games,
            Measure.MARGIN,
            paper_error=PAPER_ERROR,
            **settings,  # type: ignore[arg-type]
        )
    )


def _times(findings: list[Finding], how: Conditions) -> tuple[list[Row], list[Listing]]:
    """List the time per game beside the paper's, for the ratio r_d : time."""
    paper = {2: 3.5, 4: 9.0, 8: 15.0}
    rows = []
    for one in findings:
        base = sum(game.seconds[1 - _side(one, number)] for number, game in enumerate(one.games))
        ours = sum(game.seconds[_side(one, number)] for number, game in enumerate(one.games))
        rows.append((one.pair.label, f"{ours / max(base, 1e-9):.1f}", paper.get(int(one.pair.x or 0), "")))
    return [], [Listing("Time in units of r_d = 1", ("", "ours", "paper"), rows)]


def _side(one: Finding, number: int) -> int:
    """Return the side of the pair's first player in its game by number: pairs of games exchange the sides."""
    return one.games[number].task.number % 2


_table(
    "lecture-rd",
    "Progressive pruning: how wide the intervals are (r_d).",
    "20 min; 2.5 h",
    tuple(
        Pair(f"r_d = {rd}", _pruning(rd, 0.2), _pruning(1, 0.2), paper, x=rd)
        for rd, paper in ((2, 5.6), (4, 7.3), (8, 9.0))
    ),
    Games(2, 12, GAMES_OF_PAPER),
    values=BUDGETS,
    axis="r_d",
    claims=_times,
)
_table(
    "lecture-sigma",
    "Progressive pruning: when moves count as equal (σ_e).",
    "10 min",
    tuple(
        Pair(f"σ_e = {sigma}", _pruning(1, sigma), _pruning(1, 0.2), paper, x=sigma)
        for sigma, paper in ((0.5, -0.7), (1, -6.7))
    ),
    Games(2, GAMES_OF_PAPER, GAMES_OF_PAPER),
    values=BUDGETS,
    axis="σ_e",
)
_table(
    "lecture-amaf",
    "Basic Monte-Carlo and progressive pruning against all-moves-as-first.",
    "15 min; 2 h",
    (
        Pair("basic", BASIC, _amaf("{playouts}"), 13.7),
        Pair("progressive pruning", _pruning(1, 0.2), _amaf("{playouts}"), 4.0),
    ),
    Games(2, 12, GAMES_OF_PAPER),
    values={**BUDGETS, "playouts": (100, FULL_PLAYOUTS, FULL_PLAYOUTS)},
)
_table(
    "lecture-n",
    "All-moves-as-first: how many playouts.",
    "20 min; 1 h",
    (
        Pair("N = 1,000", _amaf("{fewer}"), _amaf("{playouts}"), -12.7, x=1_000),
        Pair("N = 100,000", _amaf("{more}"), _amaf("{playouts}"), 3.2, x=100_000),
    ),
    Games(2, 32, GAMES_OF_PAPER),
    values={
        "fewer": (10, 1_000, 1_000),
        "playouts": (100, FULL_PLAYOUTS, FULL_PLAYOUTS),
        "more": (1_000, 100_000, 100_000),
    },
    axis="playouts N",
    logarithmic=True,
)


def _gobble(k: float, annealed: bool = False) -> str:
    return _amaf("{playouts}", GOBBLE.format(k=K_UNIT * k, n="{playouts}" if annealed else 0))


_table(
    "lecture-temperature",
    "A temperature in the random games, constant and annealed (K).",
    "5 min; 40 min",
    (
        *(
            Pair(f"K = {k}", _gobble(k), _gobble(2), paper, x=k)
            for k, paper in ((0, -8.1), (5, 2.6), (10, -4.9), (20, -11.3))
        ),
        Pair("K from 0 to 5", _gobble(5, annealed=True), _gobble(5)),
    ),
    Games(2, 12, GAMES_OF_PAPER),
    values={"playouts": (100, FULL_PLAYOUTS, FULL_PLAYOUTS)},
    axis="K",
    notes=(
        *_ABOUT,
        "Annealing is compared with the constant K = 5, which it ends with; the paper: no gain. K multiplies values "
        f"from -1 to 1; gobble's go from 0 to 1, so its k is {K_UNIT:g} K.",
    ),
)


# --------------------------------------------------------------------------------------------------- depth, and GNU Go


def _estimates(findings: list[Finding], how: Conditions) -> tuple[list[Row], list[Listing]]:
    """Judge that depth 2 is worse, that depth 1 thinks too well of the empty board, and depth 2 too badly.

    The reference is depth 1 with a hundred times the playouts, whose maximum is hardly biased.
    """
    playouts = int(how.of(5_000, 66_000, 66_000))
    runs = int(how.of(2, 20, 100))
    ones, twos = _root_values(1, playouts, runs, how.seed), _root_values(2, playouts, runs, how.seed)
    values = {"depth 1": ones, "depth 2": twos}
    rows = []
    if how.quick:
        rows.append(Row("empty board", "depth 1 less depth 2, points", float(ones.mean() - twos.mean()), digits=1))
    else:
        values["reference"] = reference = _root_values(1, 100 * playouts, 1, how.seed)
        rows += [
            Row(name, "value of the empty board less the reference's, points", float(found.mean() - reference[0]),
                digits=1, null=0.0, own_error=float(found.std(ddof=1)) / math.sqrt(runs), games=runs, claim=direction,
                note=f"mean of {runs} searches; paper: {word}")
            for name, found, direction, word in (
                ("depth 1", ones, 1, "overestimates"), ("depth 2", twos, -1, "underestimates"),
            )
        ]  # fmt: skip
        if findings[0].games:
            rows.append(_worse(findings[0]))
    listing = [(name, len(found), f"{found.mean():+.1f}", f"{found.std():.1f}") for name, found in values.items()]
    headings = ("", "searches", "mean", "standard deviation")
    return rows, [Listing("Value of the empty board, points", headings, listing)]


def _root_values(i: int, playouts: int, runs: int, seed: int) -> np.ndarray:
    """Return what searches of depth i think of the empty board, in points for Black."""
    game = build_game(GAME)
    search = PLAYERS.build(f"depth(i={i}, playouts={playouts}, reward=score)").search(game)
    best = [
        max(one.value for one in search.run(game.start(), stream(seed, i, playouts, run)).moves) for run in range(runs)
    ]
    return (2 * np.array(best) - 1) * game.max_score()


def _worse(one: Finding) -> Row:
    return Row(
        "depth 2", "is worse", one.mean, digits=1, note="paper: worse", null=0.0, own_error=one.mean_error,
        games=len(one.games), least_games=2 * LEAST_PAIRS, claim=-1,
    )  # fmt: skip


_table(
    "lecture-depth",
    "Depth 2 with minimax against depth 1, and what both think of the first position.",
    "20 min; 1 h",
    (
        Pair(
            "depth 2", "depth(i=2, playouts={playouts}, reward=score)", "depth(i=1, playouts={playouts}, reward=score)"
        ),
    ),
    Games(2, 12, GAMES_OF_PAPER),
    values={"playouts": (500, 66_000, 66_000)},
    claims=_estimates,
    notes=(*_ABOUT, "The reference has a hundred times the playouts: its maximum is hardly biased."),
)


def _behind(findings: list[Finding], how: Conditions) -> tuple[list[Row], list[Listing]]:
    """Judge "more than 30 points behind"."""
    rows = [
        Row(one.pair.label, "more than 30 points behind", one.mean, digits=1, null=-30.0, own_error=one.mean_error,
            games=len(one.games), least_games=2 * LEAST_PAIRS, claim=-1, judged=not how.quick)
        for one in findings
    ]  # fmt: skip
    return rows, []


_table(
    "lecture-gnugo",
    "Both final versions against GNU Go.",
    "20 min; 30 min",
    (
        Pair("pruning", _pruning(1, 0.2), "{opponent}"),
        Pair(f"all-moves-as-first, K = {FINAL_K}", _gobble(FINAL_K), "{opponent}"),
    ),
    Games(2, 32, GAMES_OF_PAPER),
    values={"most": (5, 10_000, 10_000), "cap": (410, 820_000, 820_000), "playouts": (100, 10_000, 10_000)},
    null=None,
    claims=_behind,
    notes=(
        *_ABOUT,
        "The lecture names neither the version nor the level of GNU Go; this is its default level, 10, and 0 in a "
        "quick run.",
    ),
)
