"""Sigmoid of the final score on Blokus Duo: the figures of Shibahara and Kotani.

The paper's player: UCT with c = √2 that plays the move of the highest mean and proves nothing. "From move 16":
openings of 15 moves by self-play with 1,000 playouts, each played twice with the colours exchanged. The paper prints
curves without numbers; only the figures named in its text are judged.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from montego.charts import Chart, Series
from montego.games import game as build_game
from montego.lab.experiment import Conditions, Listing, Report, experiment
from montego.lab.matches import HALF_WIDTH, Book, Claims, Finding, Games, MatchExperiment, Measure, Pair, declare
from montego.lab.rows import Row
from montego.players import PLAYERS
from montego.rng import stream

PAPER = "Shibahara and Kotani, Combining final score with winning percentage by sigmoid function"
GAME = "blokus_duo"
UCT = "uct(playouts={n}, c=1.4142135623730951, final=mean, solver=false, reward={reward})"
UCB = "ucb(playouts={n}, c=1.4142135623730951, final=mean, reward={reward})"
NORMAL = "flat(playouts={n}, reward={reward})"
OPENINGS = Book(15, "uct(playouts={book}, c=1.4142135623730951, final=mean, solver=false)")
BOOK_PLAYOUTS = (50, 1_000, 1_000)
KINDS = {"Normal": NORMAL, "UCB": UCB, "UCT": UCT}
PAPER_GAMES = 1_000
_PAPER_C, _OUR_C = "1.4142135623730951", "0.7071067811865476"  # √2 for rewards from -1 to 1, and the same for 0 to 1
_SCALE_NOTE = (
    "The paper's rewards go from -1 to 1 under c = √2 and ours from 0 to 1, where that is c = 0.707. In the last "
    "pairs both players have that c."
)
_SCORE_NOTE = (
    "The final score is the difference of both players' squares. So the paper says where it defines win-or-lose; where "
    "it normalises the score by 89 it speaks of the player's own squares."
)


def _player(reward: str, kind: str = UCT, playouts: str = "{n}") -> str:
    return kind.format(n=playouts, reward=reward)


def _at_our_scale(spec: str) -> str:
    return spec.replace(_PAPER_C, _OUR_C)


# ------------------------------------------------------------------------------ final score against win-or-lose (3–5)

_BUDGETS = {
    1_000: Games(4, 400, 1_000),
    10_000: Games(0, 200, 1_000),
    100_000: Games(0, 40, 1_000),
    1_000_000: Games(0, 0, 200),
}


def _score_pairs() -> tuple[Pair, ...]:
    """Return score against win-or-lose for every kind of player and budget; a quick run has the smallest only."""
    controls = tuple(
        Pair(
            f"{name}, {budget:,}, c = 0.707",
            _at_our_scale(_player("score", KINDS[name], str(budget))),
            _at_our_scale(_player("win_loss", KINDS[name], str(budget))),
            games=Games(0, 400, 1_000),
            later=True,
        )
        for name in ("UCB", "UCT")
        for budget in (1_000, 10_000)
    )
    pairs = tuple(
        Pair(
            f"{name}, {budget:,}",
            _player("score", kind, str(budget)),
            _player("win_loss", kind, str(budget)),
            games=games,
            x=budget,
            series=name,
        )
        for name, kind in KINDS.items()
        for budget, games in _BUDGETS.items()
    )
    return (*pairs, *controls)


# What the text says of the games that the final score wins: kind of player, playouts, and whether more than half.
_SAID = (("Normal", 1_000, -1, "obviously inferior"), ("UCB", 1_000, 1, "superior"))


def _won(findings: list[Finding], how: Conditions) -> tuple[list[Row], list[Listing]]:
    """Judge the trends of the games won, and the two places that the paper's text names."""
    rows, listings = _trends(Measure.RATE, {"Normal": 1, "UCB": 1, "UCT": -1})(findings, how)
    for name, budget, direction, word in _SAID:
        for one in findings:
            if (one.pair.series, one.pair.x) == (name, budget) and len(one.games) > 2 and not how.quick:
                rate, error = one.figure(Measure.RATE)
                rows.append(
                    _claim(f"{name}, {budget:,}", "won, less 50 %", rate - 50.0, error, direction, len(one.games), word)
                )
    return rows, listings


def _trends(measure: Measure, rising: dict[str, int]) -> Claims:
    """Judge whether the figure rises (1) or falls (-1) with the budget, as the paper says, by the slope of a line."""

    def claims(findings: list[Finding], how: Conditions) -> tuple[list[Row], list[Listing]]:
        rows = []
        for name, direction in rising.items():
            mine = [one for one in findings if one.pair.series == name and one.pair.x and len(one.games) > 2]
            if len(mine) < 2 or how.quick:
                continue
            change, error = slope([(math.log10(one.pair.x or 1), *one.figure(measure)) for one in mine])
            rows.append(
                _claim(name, f"{measure.value}, change by ten times the playouts", change, error, direction,
                       sum(len(one.games) for one in mine), "rises" if direction > 0 else "falls")
            )  # fmt: skip
        return rows, []

    return claims


def slope(points: list[tuple[float, float, float]]) -> tuple[float, float]:
    """Return the slope of the line through points (x, y, standard error of y), and its standard error."""
    x, y, errors = np.array(points).T
    (slope, _), covariance = np.polyfit(x, y, 1, w=1 / errors, cov="unscaled")
    return float(slope), math.sqrt(covariance[0, 0])


def _claim(label: str, quantity: str, ours: float, error: float, direction: int, games: int, word: str) -> Row:
    """Return the row of something that the paper states in a word: a difference that is above or below 0."""
    return Row(label, quantity, ours, digits=1, null=0.0, own_error=error, games=games, claim=direction,
               note=f"± {HALF_WIDTH * error:.1f} (95 %), {games} games; paper: {word}")  # fmt: skip


def _calmer(findings: list[Finding], how: Conditions) -> tuple[list[Row], list[Listing]]:
    """Judge that the variance of UCB is below that of UCT, except at 10⁶ playouts."""
    by_place = {(one.pair.series, one.pair.x): one for one in findings if len(one.games) > 2}
    rows = []
    for (name, x), ucb in by_place.items():
        uct = by_place.get(("UCT", x))
        if name != "UCB" or uct is None or how.quick:
            continue
        (ours, error), (other, other_error) = ucb.figure(Measure.VARIANCE), uct.figure(Measure.VARIANCE)
        wide = x == 1_000_000
        rows.append(
            _claim(f"{x:,.0f} playouts", "variance of UCB less UCT's", ours - other, math.hypot(error, other_error),
                   1 if wide else -1, len(ucb.games) + len(uct.games), "more" if wide else "less")
        )  # fmt: skip
    return rows, []


def _score_figure(number: int, summary: str, measure: Measure, claims: Claims) -> None:
    null = {Measure.RATE: 50.0, Measure.MARGIN: 0.0, Measure.VARIANCE: None}[measure]
    declare(
        MatchExperiment(
            f"sigmoid-figure-{number}", PAPER, summary, "20 min; 17 h with figures 3 to 5", GAME, _score_pairs(),
            Games(4, 100, PAPER_GAMES), measure, null, values={"book": BOOK_PLAYOUTS}, openings=OPENINGS,
            axis="playouts", logarithmic=True, ledger="sigmoid-figures-3-5", claims=claims,
            notes=(
                "The paper prints curves only; its text says which way they go. 10⁷ playouts are left out.",
                _SCALE_NOTE,
                _SCORE_NOTE,
            ),
        )
    )  # fmt: skip


_score_figure(3, "Final score against win-or-lose: games won.", Measure.RATE, _won)
_score_figure(4, "Final score against win-or-lose: mean score.", Measure.MARGIN,
              _trends(Measure.MARGIN, {"Normal": 1, "UCB": 1, "UCT": -1}))  # fmt: skip
_score_figure(5, "Final score against win-or-lose: variance of the score.", Measure.VARIANCE, _calmer)  # fmt: skip


# --------------------------------------------------------------------------------- sigmoid against win-or-lose (7–11)

_STEPS = tuple(k / 10 for k in range(1, 11))
_CHOSEN = (0.1, 0.3, 0.5, 1.0)  # the k that the default size has too
BUDGET = {"n": (300, 100_000, 100_000), "book": BOOK_PLAYOUTS}


def _sweep(default: int, full: int, published: dict[float, float]) -> tuple[Pair, ...]:
    """Return the sigmoid with every k, and the score, against win-or-lose.

    The smaller sizes have some k only; in full those come first, as they decide what the paper says in words.
    """
    first = {*_CHOSEN, *published}
    pairs = [
        Pair(
            f"k = {k}",
            _player(f"sigmoid(k={k})"),
            _player("win_loss"),
            published.get(k),
            Games(2 if k in _CHOSEN else 0, default if k in first else 0, full),
            k,
            later=k not in first,
        )
        for k in _STEPS
    ]
    score = Pair("final score", _player("score"), _player("win_loss"), games=Games(2, default, full))
    control = Pair(
        "k = 0.3 against c = 0.707",
        _player("sigmoid(k=0.3)"),
        _at_our_scale(_player("win_loss")),
        games=Games(2, default, full),
    )
    return (*pairs, score, control)


def _when_won(findings: list[Finding], how: Conditions) -> tuple[list[Row], list[Listing]]:
    """List the mean score of games won and lost; judge that k = 0.3 wins by more than it loses by."""
    lines = []
    rows = []
    for one in findings:
        won, lost = _margins(one)
        lines.append((one.pair.label, _mean(won), _mean(lost), f"{len(won)} – {len(lost)}"))
        if one.pair.label == "k = 0.3" and min(len(won), len(lost)) > 1 and not how.quick:
            more, error = float(np.mean(won) - np.mean(lost)), math.hypot(_mean_error(won), _mean_error(lost))
            quantity = "wins by more than it loses by, points"
            rows.append(_claim("k = 0.3", quantity, more, error, 1, len(one.games), "more"))
    listing = Listing("Mean score of the games that the first player won and lost", ("", "won", "lost", "games"), lines)
    return rows, [listing]


def _won_and_lost(findings: list[Finding]) -> Chart:
    """Return the chart of the mean score of games won and of games lost, by k."""
    series = []
    for place, name in enumerate(("won by", "lost by")):
        found = [(float(one.pair.x), _margins(one)[place]) for one in findings if one.pair.x is not None]
        shown = [(k, margins) for k, margins in found if len(margins) > 1]
        halves = [HALF_WIDTH * _mean_error(margins) for _, margins in shown]
        points = [(k, float(np.mean(margins))) for k, margins in shown]
        ends = [(mean - half, mean + half) for (_, mean), half in zip(points, halves, strict=True)]
        series.append(Series(f"{name}, 95 %", points, dots=True, ends=ends))
    return Chart("The sigmoid against win-or-lose: games won and lost", "k", "mean score", series)


def _margins(one: Finding) -> tuple[list[float], list[float]]:
    """Return by how many points the pair's first player won the games that it won, and lost those that it lost."""
    won = [abs(game.score) for game in one.games if game.points_of(_first(one, game)) == 1]
    return won, [abs(game.score) for game in one.games if game.points_of(_first(one, game)) == 0]


def _mean_error(values: list[float]) -> float:
    return float(np.std(values, ddof=1)) / math.sqrt(len(values))


def _first(one: Finding, game: object) -> int:
    """Return the index in the contest of the pair's first player: it has side 0 in games of even number."""
    task = game.task  # type: ignore[attr-defined]
    return int(task.players[task.number % 2])


def _mean(values: list[float]) -> str:
    return f"{np.mean(values):.1f}" if values else ""


def _sigmoid_figures(
    numbers: tuple[int, int], where: str, cost: str, pairs: tuple[Pair, ...], openings: int | Book
) -> None:
    for number, measure, null in ((numbers[0], Measure.RATE, 50.0), (numbers[1], Measure.MARGIN, 0.0)):
        rate = measure == Measure.RATE
        shown = pairs if rate else tuple(replace(pair, paper=None) for pair in pairs)
        declare(
            MatchExperiment(
                f"sigmoid-figure-{number}", PAPER, f"The sigmoid against win-or-lose, {where}: {measure.value}.", cost,
                GAME, shown, Games(2, 20, PAPER_GAMES), measure, null, paper_games=PAPER_GAMES if rate else 0,
                values=BUDGET, openings=openings, axis="k", claims=None if rate else _when_won,
                draw=None if rate else _won_and_lost,
                ledger=f"sigmoid-figures-{numbers[0]}-{numbers[1]}",
                notes=(
                    "Win-or-lose is worth 0 to 1 here and -1 to 1 in the paper, under the same c = √2; on our scale "
                    "that is c = 0.707, the last pair.",
                ),
            )
        )  # fmt: skip


_sigmoid_figures((7, 8), "from move 16", "20 min; 12 h", _sweep(20, 1_000, {0.3: 56.0}), OPENINGS)
_sigmoid_figures((9, 10), "the whole game", "20 min; 19 h", _sweep(6, 400, {0.2: 54.0, 0.7: 54.0}), 0)


def _best_and_ends(findings: list[Finding], how: Conditions) -> tuple[list[Row], list[Listing]]:
    """Judge that k = 1.0 beats k = 0.5 in the middle game."""
    by_k = {one.pair.x: one for one in findings if one.games}
    if how.quick or not {0.5, 1.0} <= set(by_k):
        return [], []
    more = 100 * (by_k[1.0].rate - by_k[0.5].rate)
    error = 100 * math.hypot(by_k[1.0].rate_error, by_k[0.5].rate_error)
    games = len(by_k[1.0].games) + len(by_k[0.5].games)
    return [_claim("k = 1.0 less k = 0.5", "points of %", more, error, 1, games, "better")], []


declare(
    MatchExperiment(
        "sigmoid-figure-11", PAPER, "One k for moves 8 to 16, win-or-lose before, k = 0.4 after: games won.",
        "20 min; 10 h", GAME,
        tuple(
            Pair(f"k = {k}", _player(f"phased(k={k})"), _player("win_loss"), 55.0 if k == 1.0 else None,
                 Games(2 if k in (0.5, 1.0) else 0, 20 if k in (0.5, 1.0) else 0, 400), k)
            for k in _STEPS[4:]
        ),
        Games(2, 20, 400), paper_games=PAPER_GAMES, values=BUDGET, axis="k in moves 8 to 16", claims=_best_and_ends,
        notes=("The paper's 55 % is its best k, which it does not name; it is taken to be 1.0.",),
    )
)  # fmt: skip


# ------------------------------------------------------------------------------------------------- the size of the game


@experiment("sigmoid-tree-size", paper=PAPER, summary="A footnote: how many games of Blokus Duo there are.",
            cost="1 min; 10 min")  # fmt: skip
def tree_size(how: Conditions) -> Report:
    """Estimate the number of leaves of the game tree by the product of choices along games.

    Knuth, "Estimating the efficiency of backtrack programs" (1975): with moves drawn uniformly the product's mean is
    exactly the number of leaves, but its distribution is so skewed that a sample's mean is too low. The paper speaks of
    games "by random play" and "by Monte-Carlo play", which suggests the product along such games: the mean logarithm.
    """
    game = build_game(GAME)
    rows, lines = [], []
    for place, (name, spec, games, low, high) in enumerate((
        ("random play", "random", int(how.of(50, 2_000, 20_000)), 40, 50),
        ("Monte-Carlo play", f"uct(playouts={how.of(100, 1000, 1000)})", int(how.of(2, 50, 500)), 70, 80),
    )):  # fmt: skip
        search = PLAYERS.build(spec).search(game)
        logs = []
        for number in range(games):
            position, total = game.start(), 0.0
            rng = stream(how.seed, place, number)
            while not position.over:
                total += math.log10(len(position.legal_numbers()))
                position.play(search.run(position.copy(), rng).number)
            logs.append(total)
        mean = float(np.mean(logs))
        knuth = max(logs) + math.log10(sum(10 ** (one - max(logs)) for one in logs) / games)
        error = float(np.std(logs, ddof=1)) / math.sqrt(games)
        holds = low - 3 * error <= mean <= high + 3 * error
        rows.append(
            Row(name, "log10 of the size", mean, holds=None if how.quick else holds, digits=1,
                note=f"paper: {low} to {high}")
        )  # fmt: skip
        lines.append((name, games, f"{mean:.1f} ± {1.96 * error:.1f}", f"{knuth:.1f}"))
    listing = Listing("Estimates", ("", "games", "mean log10", "log10 of the mean (Knuth)"), lines)
    return Report(rows, listings=[listing], settings={"games": sum(int(line[1]) for line in lines)})
