"""Simulation balancing in practice: the tables and figures of Huang, Coulom and Lin (ERICA).

The paper's opponent of Tables 1 and 2, Fuego 0.4, is not to be had, so the opponent is any program (``--opponent``, GNU
Go by default) and differences between policies are judged, not levels. ``WEIGHTS`` names the files of weights; an
experiment whose files do not exist is skipped, with the command that makes them.
"""

from __future__ import annotations

import math
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from montego.charts import Chart, Series
from montego.errors import MontegoError
from montego.games import game as build_game
from montego.games.go.patterns import describe
from montego.games.go.previous_move import FEATURE_NAMES
from montego.lab.experiment import Conditions, Listing, Report, Skipped, experiment
from montego.lab.matches import Finding, Games, MatchExperiment, Pair, declare
from montego.lab.rows import Row
from montego.learning.balancing.self_play import Crew, SelfPlay, make_positions
from montego.learning.balancing.trainer import Settings
from montego.learning.balancing.training import balance
from montego.weights import Weights, find, load, save

PAPER = "Huang, Coulom and Lin, Monte-Carlo simulation balancing in practice"
WEIGHTS = {"MM": "go-playout", "9×9 MM": "go-playout-mm-9", "SB": "go-playout-sb-9"}
MADE_BY = {
    "MM": "montego train mm GAMES --out go-playout.npz",
    "9×9 MM": "montego train mm GAMES --players stronger --out go-playout-mm-9.npz",
    "SB": "montego train sb POSITIONS.npz --start go-playout --iterations 8 --out go-playout-sb-9.npz",
}
# The paper does not state the weight of its bias; 10 was the best of 1, 2, 3, 10, 30 and 100 (docs/results).
ERICA = "uct(playouts={{n}}, rave=silver, prior=patterns, bias=10, playout={playout})"
GAME_9, GAME_19 = "go(size=9, komi=6.5)", "go(size=19, komi=6.5)"
CONTIGUOUS = 4.46  # by which γ of feature 1 is multiplied for 19×19: 361 / 81


def _need(*names: str) -> None:
    """Raise ``Skipped`` unless there are weights of these names."""
    for name in names:
        try:
            find(WEIGHTS[name])
        except MontegoError:
            raise Skipped(
                f"there are no weights '{WEIGHTS[name]}' ({name}) yet; they are made by: {MADE_BY[name]}"
            ) from None


def _lacks(pair: Pair) -> str:
    """Return what is missing for the policy of a pair, in words."""
    try:
        _need(*(name for name in WEIGHTS if name == pair.label))
    except Skipped as problem:
        return str(problem)
    return ""


def _player(policy: str) -> str:
    playout = "uniform" if policy == "uniform" else f"softmax(weights={WEIGHTS[policy]})"
    return ERICA.format(playout=playout)


def _orders(expected: Sequence[tuple[str, str]]) -> object:
    """Judge that one policy scores more than another against the same opponent."""

    def claims(findings: list[Finding], how: Conditions) -> tuple[list[Row], list[Listing]]:
        by_name = {one.pair.label: one for one in findings if one.games}
        rows = []
        for better, worse in expected:
            if how.quick or better not in by_name or worse not in by_name:
                continue
            more = 100 * (by_name[better].rate - by_name[worse].rate)
            error = 100 * math.hypot(by_name[better].rate_error, by_name[worse].rate_error)
            published = (by_name[better].pair.paper or 0) - (by_name[worse].pair.paper or 0)
            count = len(by_name[better].games)
            rows.append(
                Row(f"{better} over {worse}", "points of %", more, published, math.hypot(error, 2.1), digits=1, null=0,
                    own_error=error, games=count, note=f"± {1.96 * error:.1f} (95 %)", derived=True)
            )  # fmt: skip
        return rows, []

    return claims


def _table(
    number: int, summary: str, game: str, published: dict[str, float], orders: list[tuple[str, str]], n: int,
    level: int, games: Games, cost: str,
) -> None:  # fmt: skip
    """Declare a table of policies against one opponent; rows are informative, differences between policies judged."""
    declare(
        MatchExperiment(
            f"sb-table-{number}", PAPER, summary, cost, game,
            tuple(Pair(name, _player(name), "{opponent}", paper) for name, paper in published.items()), games,
            null=None, paper_games=1000, judged=() if number == 1 else MatchExperiment.judged,
            values={"n": (30, n, n)}, level=level, missing=_lacks, claims=_orders(orders),  # type: ignore[arg-type]
            quick_opponent=_player("uniform").format(n=20),
            notes=("Levels depend on the opponent and on the rest of the program; differences between policies are "
                   "what the paper is about.",),
        )
    )  # fmt: skip


_table(1, "Uniform, MM and 9×9-MM playouts against a reference opponent, 3,000 playouts.", GAME_9,
       {"uniform": 6.8, "MM": 68.9, "9×9 MM": 40.9}, [("MM", "uniform"), ("MM", "9×9 MM"), ("9×9 MM", "uniform")],
       3000, 10, Games(2, 24, 1000), "20 min; 5 h")  # fmt: skip
_table(5, "Uniform, MM and SB playouts against GNU Go level 10 on 9×9, 300 playouts.", GAME_9,
       {"uniform": 22.1, "MM": 59.3, "SB": 62.6}, [("MM", "uniform"), ("SB", "MM")], 300, 10, Games(2, 30, 1000),
       "20 min; 4 h")  # fmt: skip


# ------------------------------------------------------------------------------------------------------- Tables 2 and 6

# Column -> iteration -> % won; columns by positions, playouts of their values, M = N, α and outcome. The last column
# is not in the paper: the cheapest that can be made here.
TABLE_2: dict[str, dict[int, float | None]] = {
    "5k-100k-500-10-01": {20: 51.5, 40: 57.6, 60: 58.1, 80: 61.3, 100: 63.9, 200: 60.8, 300: 61.9},
    "5k-100k-100-10": {20: 69.2, 40: 75.5, 60: 70.1, 80: 78.2, 100: 76.2, 200: 77.4, 300: 73.9},
    "5k-10k-500-10": {20: 65.7, 40: 68.5, 60: 70.8, 80: 72.2, 100: 74.0, 200: 71.6},
    "5k-100k-500-10": {20: 69.3, 40: 75.4, 60: 77.9, 80: 76.8, 100: 73.5, 200: 76.3, 300: 75.0},
    "5k-100k-100-1": {20: 51.8, 40: 57.2, 60: 57.2, 80: 63.7, 100: 65.4, 200: 70.1, 300: 73.2},
    "10k-100k-500-10": {20: 71.2, 40: 76.0, 60: 74.0, 80: 76.9, 100: 76.0, 200: 74.1},
    "5k-10k-100-10": {20: None, 40: None, 60: None},
}


@experiment("sb-table-2", paper=PAPER, summary="Meta-parameters of simulation balancing, by iterations.",
            cost="needs trained weights; 26 h")  # fmt: skip
def table_2(how: Conditions) -> Report:
    """Play the weights COLUMN-ITERATION.npz in the folder of results, as many as there are, against the opponent."""
    folder = how.folder or Path()
    there = [
        (f"{column}-{iteration}", paper)
        for column, cells in TABLE_2.items()
        for iteration, paper in cells.items()
        if (folder / f"{column}-{iteration}.npz").is_file()
    ]
    if not there:
        raise Skipped(
            "no weights of Table 2 in the folder of results (--out); each cell is a file such as 5k-100k-500-10-60.npz "
            "of: montego train sb POSITIONS.npz --optimiser paper --iterations 60 --out FILE"
        )
    pairs = tuple(
        Pair(name, ERICA.format(playout=f'softmax(weights="{folder / name}.npz")'), "{opponent}", paper)
        for name, paper in there
    )
    table = MatchExperiment(
        "sb-table-2", PAPER, "", "", GAME_9, pairs, Games(2, 20, 1000), null=None, judged=(),
        values={"n": (30, 3000, 3000)},
        notes=("Columns: positions, playouts of their values, M = N, α; 01: outcome 0/1.",),
    )  # fmt: skip
    return table.run(how)


@experiment("sb-table-6", paper=PAPER, summary="MM, SB and mixtures against GNU Go level 0 on 19×19, 1,000 playouts.",
            cost="1 h; 15 h")  # fmt: skip
def table_6(how: Conditions) -> Report:
    """Make the two mixtures of weights, then play all five policies."""
    _need("MM", "SB")
    mm, sb = load(WEIGHTS["MM"]), load(WEIGHTS["SB"])
    folder = how.folder or Path(tempfile.mkdtemp(prefix="montego-"))
    mixtures = {"MM and SB hybrid": hybrid(mm, sb), "SB(4.46)": scaled(sb, FEATURE_NAMES[0], CONTIGUOUS)}
    players = {"uniform": _player("uniform"), "SB": _player("SB"), "MM": _player("MM")}
    for place, (name, weights) in enumerate(mixtures.items()):
        path = folder / f"sb-table-6-mixture-{place}.npz"
        save(weights, path)
        players[name] = ERICA.format(playout=f'softmax(weights="{path}")')
    published = {"uniform": 8.2, "SB": 33.2, "MM and SB hybrid": 33.4, "SB(4.46)": 41.2, "MM": 42.0}
    pairs = tuple(Pair(name, players[name], "{opponent}", paper) for name, paper in published.items())
    table = MatchExperiment(
        "sb-table-6", PAPER, "", "", GAME_19, pairs, Games(0 if how.quick else 2, 12, 500), null=None, paper_games=500,
        values={"n": (30, 1000, 1000)}, level=0,
        claims=_orders([("MM", "SB"), ("SB(4.46)", "SB")]),  # type: ignore[arg-type]
    )  # fmt: skip
    if how.quick:
        return Report([], ["A quick run only makes the mixtures: a game of 19×19 takes a minute."])
    return table.run(how)


def hybrid(mm: Weights, sb: Weights) -> Weights:
    """Return the patterns of SB with the other features of MM."""
    gammas = tuple(
        ours if name not in FEATURE_NAMES else other
        for name, ours, other in zip(sb.groups, sb.gammas, mm.gammas, strict=True)
    )
    return replace(sb, gammas=gammas, about={"mixture": "patterns of SB, features of MM"})


def scaled(weights: Weights, group: str, factor: float) -> Weights:
    """Return weights with every γ of one group multiplied; "no feature" stays 1."""
    gammas = tuple(
        np.concatenate((gamma[:1], factor * gamma[1:])) if name == group else gamma
        for name, gamma in zip(weights.groups, weights.gammas, strict=True)
    )
    return replace(weights, gammas=gammas, about={"mixture": f"{group} times {factor}"})


# -------------------------------------------------------------------------------------------- what the weights are like

TABLE_3 = ((11.12, 7.43), (32.37, 151.04), (0.24, 0.53), (6.71, 23.11), (0.05, 0.02), (0.65, 6.37), (32.07, 141.80))
FACTORS = {"MM": 2.0, "SB": 4.0}  # by which γ may be off; the paper's came from other games and positions
NEUTRAL = 50.0  # Elo from 0 within which a pattern is neutral
MANY = 1.5  # times as many neutral patterns
SHOWN = 5  # shapes of each kind


@experiment("sb-table-3", paper=PAPER, summary="γ of the seven previous-move features, MM and SB.", cost="seconds")
def table_3(how: Conditions) -> Report:
    """Print γ beside the paper's, which came from other games: within a factor is judged."""
    _need("MM")
    rows = []
    known = ["MM", "SB"] if _exists("SB") else ["MM"]
    for place, name in enumerate(FEATURE_NAMES):
        for column, method in enumerate(known):
            weights = load(WEIGHTS[method])
            ours = float(weights.gammas[weights.groups.index(name)][1])
            paper = TABLE_3[place][column]
            rows.append(
                Row(f"{place + 1}. {name}", f"γ, {method}", ours, paper, digits=2,
                    holds=abs(math.log(ours / paper)) < math.log(FACTORS[method]),
                    note=f"judged: within a factor of {FACTORS[method]:g}")
            )  # fmt: skip
    notes = [
        "The first rule here was 'on the same side of 1', by which all seven of MM agree, even 2.27 for 32.07. "
        "It was tightened to a factor after that look, so the factor is not a test set in advance."
    ]
    notes += [] if "SB" in known else [f"SB is missing: no weights '{WEIGHTS['SB']}' yet ({MADE_BY['SB']})."]
    return Report(rows, notes, settings={"MM": WEIGHTS["MM"], "SB": WEIGHTS["SB"] if len(known) > 1 else "missing"})


@experiment(
    "sb-figure-3", paper=PAPER, summary="How the γ of the 3×3 patterns are distributed, in Elo.", cost="seconds"
)
def figure_3(how: Conditions) -> Report:
    """Draw the densities; SB has many more neutral patterns than MM."""
    _need("MM", "SB")
    series, neutral = [], {}
    edges = np.linspace(-800, 800, 81)
    for method in ("MM", "SB"):
        rating = pattern_elo(load(WEIGHTS[method]))
        share, _ = np.histogram(np.clip(rating, -799, 799), edges)
        middles = (edges[1:] + edges[:-1]) / 2
        series.append(Series(method, list(zip(middles.tolist(), (share / len(rating)).tolist(), strict=True))))
        neutral[method] = float(np.mean(np.abs(rating) < NEUTRAL))
    rows = [Row(method, f"within {NEUTRAL:.0f} Elo of 0", neutral[method], digits=3) for method in neutral]
    more = neutral["SB"] / neutral["MM"]
    rows.append(Row("SB over MM", "neutral patterns", more, holds=more > MANY, digits=2, note="paper: many more"))
    chart = Chart("Density of the 3×3 patterns by Elo (Fig. 3)", "Elo, 400 θ / ln 10", "share of patterns", series)
    note = (
        f"'Many more' is judged as {MANY:g} times as many, a factor that was set after a first look: 'more' held by "
        "0.1 % of the patterns. The paper's SB started from equal weights, ours starts from MM."
    )
    return Report(rows, [note], charts={"sb-figure-3": chart})


@experiment(
    "sb-table-4", paper=PAPER, summary="Best, worst and most different 3×3 shapes of MM and SB.", cost="seconds"
)
def table_4(how: Conditions) -> Report:
    """List shapes as small pictures; the extremes of SB lie on the border."""
    _need("MM", "SB")
    ratings = {method: pattern_elo(load(WEIGHTS[method])) for method in ("MM", "SB")}
    rank = {method: np.argsort(np.argsort(-rating)) for method, rating in ratings.items()}
    listings = []
    kinds = {f"best of {method}": np.argsort(-rating)[:SHOWN] for method, rating in ratings.items()}
    kinds |= {f"worst of {method}": np.argsort(rating)[:SHOWN] for method, rating in ratings.items()}
    kinds["most different in rank"] = np.argsort(-np.abs(rank["MM"] - rank["SB"]))[: 2 * SHOWN]
    for kind, chosen in kinds.items():
        lines = [
            (describe(int(one) + 1), int(rank["MM"][one]) + 1, int(rank["SB"][one]) + 1)
            for one in chosen
        ]  # fmt: skip
        listings.append(Listing(kind, ("shape", "rank in MM", "rank in SB"), lines))
    extremes = [*kinds["best of SB"], *kinds["worst of SB"]]
    border = float(np.mean(["#" in describe(int(one) + 1) for one in extremes]))
    row = Row("extremes of SB", "on the border", border, 1.0, holds=border > 0.5, digits=2, note="judged: most of them")
    return Report([row], ["* the point to play, X own, O enemy, small letters: in atari, # off the board."], listings)


def pattern_elo(weights: Weights) -> np.ndarray:
    """Return 400 log10 γ of the 3×3 patterns, without "no pattern"."""
    gamma = weights.gammas[weights.groups.index("3×3 pattern")][1:]
    return np.asarray(400 * np.log10(np.maximum(gamma, 1e-9)))


def _exists(name: str) -> bool:
    try:
        _need(name)
    except Skipped:
        return False
    return True


# ------------------------------------------------------------------------------------------------- Fig. 2: the training


@experiment("sb-figure-2", paper=PAPER, summary="The mean squared error falls with the iterations of Algorithm 1.",
            cost="20 min; 4 h")  # fmt: skip
def figure_2(how: Conditions) -> Report:
    """Make positions by self-play and balance on them; both steps are resumed from the folder of results."""
    folder = how.folder or Path(tempfile.mkdtemp(prefix="montego-"))
    base = folder / f"sb-figure-2-{how.size}-{how.seed}"
    game = build_game(how.of("go(size=5, komi=6.5)", GAME_9, GAME_9))
    wanted = SelfPlay(
        games=how.of(4, 100, 500),
        positions=how.of(20, 500, 5_000),
        player=f"uct(playouts={how.of(50, 1000, 3000)}, rave=silver)",
        evaluator=f"uct(playouts={how.of(200, 5_000, 100_000)}, rave=silver)",
        seed=how.seed,
    )
    positions = make_positions(
        game, base.with_suffix(".positions.npz"), wanted, Crew(0 if how.quick else how.workers, how.cluster)
    )
    playouts = int(how.of(20, 100, 500))
    settings = Settings("paper", how.of(4, 30, 100), playouts, playouts, 10.0, seed=how.seed)
    learnt, tested = positions.held_out(5)
    curve = balance(learnt, tested, base.with_suffix(".npz"), settings, measure=how.of(100, 500, 1000)).curve
    points = list(zip(map(float, curve.iterations), curve.training, strict=True))
    fall = curve.training[0] - curve.training[-1]
    rows = [
        Row("first", "mean squared error", curve.training[0]),
        Row(f"after {curve.iterations[-1]} iterations", "mean squared error", curve.training[-1]),
        Row("fall", "mean squared error", fall, holds=None if how.quick else fall > 0, note="paper: falls"),
    ]
    held_out = list(zip(map(float, curve.iterations), curve.held_out, strict=True))
    chart = Chart(
        "Simulation balancing (Fig. 2)", "iterations", "mean squared error",
        [Series("training positions", points, dots=True), Series("held-out positions", held_out, dots=True)],
    )  # fmt: skip
    about = {"positions": len(positions), "M = N": playouts, "α": 10, "start": "uniform"}
    return Report(rows, charts={"sb-figure-2": chart}, settings=about)
