"""Higher-order statistics: the tournament of Y, the heat maps and the game of Hex of Raiko's paper.

The paper leaves open: the board of the tournament (here the bent one, which it calls the standard board), the size of
the boards of Fig. 3 and Fig. 5, and the constants of the selective player (here the defaults of ``higher_order`` with
``AS_PUBLISHED``).
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from montego.arena.game import FinishedGame
from montego.arena.notes import version_notes
from montego.arena.openings import Openings
from montego.arena.schedule import Contest
from montego.games import Game, Heat, Position, game as build_game
from montego.lab.experiment import Conditions, Listing, Report, experiment
from montego.lab.matches import Games, MatchExperiment, Pair, declare
from montego.lab.playing import play
from montego.lab.rows import Row
from montego.players import PLAYERS, player
from montego.rng import stream
from montego.search.higher_order import FirstOrder, Pattern

PAPER = "Raiko, Higher Order Statistics in Play-out Analysis"
BENT = "y(board=bent)"
# Without later improvements.
AS_PUBLISHED = "relative=false, selected=true, criterion=information, relevance=0.01, batch=1"


# ---------------------------------------------------------------------------------------------------- the tournament


class Contestant(NamedTuple):
    """A player of Table 1: its name, our spec for it, and what the paper measured."""

    name: str
    spec: str
    milliseconds: float
    percent: int


CONTESTANTS = (
    Contestant("A", "random", 5, 0),
    Contestant("B", "first_order(playouts=100)", 8, 16),
    Contestant("C", "first_order(playouts=1000)", 36, 66),
    Contestant("D", "first_order(playouts=10000)", 276, 65),
    Contestant("E", "second_order(playouts=1000)", 125, 65),
    Contestant("F", "second_order(playouts=10000)", 1155, 61),
    Contestant("G", f"higher_order(playouts=1000, {AS_PUBLISHED})", 240, 64),
    Contestant("H", f"higher_order(playouts=10000, {AS_PUBLISHED})", 14735, 63),
)
TABLE_2 = (
    (7, 0, 0, 0, 0, 0, 0, 0),
    (10, 6, 0, 1, 1, 0, 0, 0),
    (10, 10, 7, 3, 7, 6, 6, 6),
    (10, 10, 5, 2, 5, 5, 5, 8),
    (10, 10, 7, 7, 7, 6, 3, 6),
    (10, 10, 6, 6, 4, 4, 6, 3),
    (10, 10, 4, 5, 5, 6, 8, 6),
    (10, 9, 4, 5, 6, 7, 6, 6),
)
ROUNDS = 5  # of 128 games: each player meets every other twice with each colour, and itself twice


def tournament_pairings(players: int) -> tuple[tuple[int, int], ...]:
    """Return the pairings of a round, two games each: every two players twice, every player against itself once."""
    others = [(a, b) for a in range(players) for b in range(a + 1, players)]
    return (*others, *others, *((a, a) for a in range(players)))


@experiment(
    "y-tournament",
    paper=PAPER,
    summary="Tables 1 and 2: eight players of Y, 640 games (--full: 6,400), thinking times.",
    cost="5 min; 45 min",
)
def y_tournament(how: Conditions) -> Report:
    """Play the tournament; quick: one round with fewer playouts on a small board; full: ten times the paper's games."""
    quick, seed = how.quick, how.seed
    rounds = int(how.of(1, ROUNDS, 10 * ROUNDS))
    games = play_tournament("y(size=6)" if quick else BENT, rounds, how)
    wanted = 2 * rounds * len(tournament_pairings(len(CONTESTANTS)))
    wins = np.zeros((len(CONTESTANTS), len(CONTESTANTS)))
    played = np.zeros_like(wins)  # not all the same where a run is judged before its end
    for record in games:
        wins[record.task.players] += record.points
        played[record.task.players] += 1
    published_wins = np.array(TABLE_2, float)
    ours, paper = percentages(wins, played), percentages(published_wins, np.full_like(wins, 10))
    times, clock = processor_times(games[0].task.game, seed), thinking_times(games)
    rows: list[Row] = []
    for place, one in enumerate(CONTESTANTS):
        n = int(games_against_others(played)[place])
        own, published = (100 * math.sqrt(p * (1 - p) / m) for p, m in ((ours[place], n), (paper[place], 140)))
        rows.append(
            Row(
                one.name,
                "won, %",
                100 * ours[place],
                100 * paper[place],  # from the wins of Table 2, as Table 1 has whole percents
                math.hypot(own, published),
                judged=not quick,
                digits=1,
                own_error=own,
                games=n,
                note=f"± {1.96 * own:.1f} (95 %), {n} games",
            )
        )
        ratio = one.milliseconds / times[place]
        rows.append(Row("", "ms per move", times[place], one.milliseconds, digits=2, judged=False,
                        note=f"{ratio:,.0f} times as fast; by the clock {clock[place]:.2f}"))  # fmt: skip
    rows.append(_black_row(float(wins.sum()) / len(games), len(games), published_wins.sum() / 640, quick))
    names = [one.name for one in CONTESTANTS]
    table = [(names[a], *(f"{wins[a, b]:.0f} ({TABLE_2[a][b]})" for b in range(len(names)))) for a in range(len(names))]
    fewest, most = int(played.min()), int(played.max())
    count = f"{most}" if fewest == most else f"{fewest} to {most}"
    listing = Listing(
        f"Table 2: wins of Black (left) against White (top) in {count} games, the paper's of 10 in brackets",
        ("", *names),
        table,
    )
    notes = [
        "Won: against the other players. Differences are in standard errors of two random counts. Milliseconds are "
        "processor time in a game against C on this machine; they say nothing about the paper and are not judged.",
        "Where the paper says nothing: second order has fully random playouts, like first order; the constants of the "
        f"selective players are the defaults of higher_order, except for {AS_PUBLISHED} as in the paper.",
        *version_notes(sorted({game.version for game in games})),
    ]
    specs = Listing("Table 1: the players", ("", "spec"), [(one.name, one.spec) for one in CONTESTANTS])
    settings = {"games": len(games), "wanted": wanted, "board": games[0].task.game}
    thought = sum(sum(record.seconds) for record in games)
    firsts = {record.task.players[0]: record for record in reversed(games)}  # the first game of each as Black
    samples = [firsts[who] for who in sorted(firsts)]
    return Report(rows, notes, [specs, listing], settings=settings, thought=thought, samples=samples)


def _black_row(black: float, games: int, paper: float, quick: bool) -> Row:
    own, published = (100 * math.sqrt(p * (1 - p) / n) for p, n in ((black, games), (paper, 640)))
    return Row(
        "all",
        "won by Black, %",
        100 * black,
        100 * paper,
        math.hypot(own, published),
        judged=not quick,
        digits=1,
        own_error=own,
        games=games,
    )


def play_tournament(game: str, rounds: int, how: Conditions) -> list[FinishedGame]:
    """Play the rounds of the tournament."""
    contest = Contest(
        game=game,
        players=tuple(one.spec.replace("10000", "2000") if how.quick else one.spec for one in CONTESTANTS),
        pairings=tournament_pairings(len(CONTESTANTS)),
        seed=how.seed,
        openings=Openings(),
        names=tuple(one.name for one in CONTESTANTS),
    )
    return play("y-tournament", contest, 2 * rounds * len(contest.pairings), how).counted()


def percentages(wins: Any, played: Any) -> Any:
    """Return the share of games that each player won against the others, from wins of Black by (Black, White)."""
    others = ~np.eye(len(wins), dtype=bool)
    won = np.where(others, wins, 0).sum(axis=1) + np.where(others, played - wins, 0).sum(axis=0)
    return won / games_against_others(played)


def games_against_others(played: Any) -> Any:
    """Return how many games each player had that were not against itself."""
    others = np.where(~np.eye(len(played), dtype=bool), played, 0)
    return np.maximum(1, others.sum(axis=1) + others.sum(axis=0))


def thinking_times(games: Sequence[FinishedGame]) -> list[float]:
    """Return the mean milliseconds per move of each player."""
    seconds, moves = np.zeros(len(CONTESTANTS)), np.zeros(len(CONTESTANTS))
    for record in games:
        for side, who in enumerate(record.task.players):
            seconds[who] += record.seconds[side]
            moves[who] += (len(record.moves) + 1 - side) // 2
    return [1000 * float(s) / max(1.0, float(m)) for s, m in zip(seconds, moves, strict=True)]


def processor_times(game: str, seed: int) -> list[float]:
    """Return the milliseconds of processor time per move of each player, in a game against player C.

    The wall clock also counts the time that other programs use, such as the other games of the tournament.
    """
    rules = build_game(game)
    found = []
    for one in CONTESTANTS:
        sides = [player(spec, rules, seed) for spec in (one.spec, CONTESTANTS[2].spec)]
        sides[0].choose(rules.start())  # compiles everything
        position, used, moves = rules.start(), 0.0, 0
        while not position.over:
            began = time.process_time()
            move = sides[position.to_move].choose_number(position)
            if position.to_move == 0:
                used += time.process_time() - began
                moves += 1
            position.play(move)
        found.append(1000 * used / moves)
    return found


# The paper asks for a comparison with van Rijswijck's micro-reduction, and has no figure for it.
declare(
    MatchExperiment(
        "y-micro-reduction",
        PAPER,
        "Micro-reduction against first order, second order and order N on the bent board.",
        "20 min",
        "y(board=bent)",
        tuple(
            Pair(f"against {one.name}", "micro_reduction", one.spec.replace("10000", "{n}"))
            for one in (CONTESTANTS[2], CONTESTANTS[5], CONTESTANTS[7])
        ),
        Games(4, 400, 400),
        values={"n": (500, 10_000, 10_000)},
        openings=2,
    )
)


# ------------------------------------------------------------------------------------------------------ the heat maps


@experiment(
    "y-heatmap",
    paper=PAPER,
    summary="Fig. 3: what a first move is worth, on the straight and the bent board.",
    cost="seconds",
)
def y_heatmap(how: Conditions) -> Report:
    """Estimate Black's probability of winning after each first move if the rest is random, and draw it."""
    quick, seed = how.quick, how.seed
    playouts = 100_000 if quick else 10_000_000
    rows: list[Row] = []
    figures: dict[str, str] = {}
    emphasis = {}
    for place, (name, spec) in enumerate((("straight", "y(size=13)"), ("bent", BENT))):
        game = build_game(spec)
        worth = first_move_values(game, playouts, stream(seed, place))
        error = math.sqrt(0.25 / playouts)
        points = game.layout()
        middle, rim = centre_and_rim(points.xy)
        best, least = max(worth), min(worth)
        emphasis[name] = worth[middle] - float(np.mean([worth[k] for k in rim]))
        rows += [
            Row(f"{name}, {len(worth)} points", "best first move, %", 100 * best, judged=False, digits=2,
                note=str(points.names[worth.index(best)])),
            Row("", "worst first move, %", 100 * least, judged=False, digits=2,
                note=str(points.names[worth.index(least)])),
            Row("", "centre, %", 100 * worth[middle], judged=False, digits=2, note=str(points.names[middle])),
            Row("", "centre less rim, points of %", 100 * emphasis[name], judged=False, digits=2),
            Row("", "standard error, points of %", 100 * error, judged=False, digits=3),
        ]  # fmt: skip
        heat = {name: 100 * value for name, value in zip(points.names, worth, strict=True)}
        labels = {name: f"{value:.0f}" for name, value in heat.items()}
        figures[f"y-heatmap-{name}.svg"] = game.start().svg(Heat(heat, "Black wins, %"), labels)
    more = emphasis["straight"] - emphasis["bent"]
    clear = more > 5 * math.sqrt(0.5 / playouts)
    rows.append(Row("straight less bent", "emphasis on the centre", 100 * more, holds=clear, digits=2))  # fmt: skip
    notes = [
        "Probability in % that Black wins if the other points are coloured at random: the all-moves-as-first heuristic "
        "(eq. 2), from all playouts at once.",
        "The paper says that the straight board puts a large emphasis on the centre, without numbers and without the "
        "size of its straight board. A side of 13 points makes 91 points; the bent board has 93.",
    ]
    return Report(rows, notes, figures=figures, settings={"playouts": playouts})


def first_move_values(game: Game, playouts: int, rng: Any) -> list[float]:
    """Return player 0's probability of winning after each first move, by filling the board at random."""
    search = FirstOrder(playouts=playouts).search(game)
    search.run(game.start(), rng)
    made, wins = search.table.made[0], search.table.wins[0]
    # In Y the colours are symmetric, so the statistics of both players estimate the same value.
    return [float(value) for value in wins.sum(axis=0) / made.sum(axis=0)]


def centre_and_rim(places: Sequence[tuple[float, float]]) -> tuple[int, list[int]]:
    """Return the point nearest to the centre of the board, and the half of the points farthest from it."""
    xy = np.array(places)
    distance = np.hypot(*(xy - xy.mean(axis=0)).T)
    return int(distance.argmin()), [int(k) for k in np.argsort(distance)[len(distance) // 2 :]]


# --------------------------------------------------------------------------------------------------- the game of Hex


SHOWN_BEFORE = 31  # the move whose patterns Fig. 6 shows


@experiment(
    "hex-selfplay",
    paper=PAPER,
    summary="Figs 5 and 6: a game of Hex by self-play, and the patterns at move 31.",
    cost="1 min",
)
def hex_selfplay(how: Conditions) -> Report:
    """Let the selective player play against itself; draw the game and the first patterns before one of its moves."""
    quick, seed = how.quick, how.seed
    size, playouts, shown = (5, 500, 7) if quick else (11, 10_000, SHOWN_BEFORE)
    game = build_game(f"hex(size={size})")
    search = PLAYERS.build(f"higher_order(playouts={playouts}, {AS_PUBLISHED})").search(game)
    position = game.start()
    found: list[Pattern] = []
    before = position
    while not position.over:
        move = search.run(position.copy(), stream(seed, len(position.moves))).number
        if len(position.moves) + 1 <= shown:
            before, found = position.copy(), search.patterns()
        position.play(move)
    letters = letter_cells(game, found)
    first = found[1 : 1 + 2 * len(letters)]
    span = mean_distance(game, [pattern for pattern in found if len(pattern.moves) > 1])
    chance = mean_distance(game, [Pattern(tuple((0, m) for m in before.legal_numbers().tolist()), 0.0)])
    listing = Listing(
        f"Patterns before move {len(before.moves) + 1}, in the order of discovery",
        ("", "pattern", "playouts"),
        [(k + 1, describe(game, pattern, letters), f"{pattern.seen:.0f}") for k, pattern in enumerate(first)],
    )
    sizes = [len(pattern.moves) for pattern in found]
    rows = [
        Row("the game", "moves", len(position.moves), judged=False, digits=0, note=position.result),
        Row(f"before move {len(before.moves) + 1}", "patterns", len(found), judged=False, digits=0),
        Row("", "largest pattern", max(sizes), 7, judged=False, digits=0, note="in the tournament"),
        Row("", "in pairs of colours", pairs_share(found), 1, judged=False, digits=2, note="of patterns of one move"),
        Row("", "distance within patterns", span, judged=span > 0 and not quick, holds=span < chance, digits=2,
            note=f"any two cells: {chance:.2f}"),
    ]  # fmt: skip
    figures = {
        "hex-selfplay-game.svg": numbered(position),
        "hex-selfplay-patterns.svg": before.svg(labels=letters),
    }
    notes = [
        "Letters mark cells in the order in which patterns first use them; 'blue c, f' is the pattern of blue at c "
        "and f."
    ]
    return Report(rows, notes, [listing], figures, {"size": size, "playouts": playouts, "move": len(before.moves) + 1})


def letter_cells(game: Game, found: Sequence[Pattern], most: int = 8) -> dict[str, str]:
    """Return letters for the first cells that patterns use."""
    letters: dict[str, str] = {}
    for pattern in found:
        for _, move in pattern.moves:
            name = game.move_name(move)
            if name not in letters and len(letters) < most:
                letters[name] = "abcdefghijklmnopqrstuvwxyz"[len(letters)]
    return letters


def describe(game: Game, pattern: Pattern, letters: dict[str, str]) -> str:
    """Return a pattern in words, such as ``Blue c, Red f``."""
    names = [(game.players[who], game.move_name(move)) for who, move in pattern.moves]
    return "{" + ", ".join(f"{who} {letters.get(name, name)}" for who, name in names) + "}"


def pairs_share(found: Sequence[Pattern]) -> float:
    """Return the share of single-move patterns for which the same move by the other player is a pattern too."""
    singles = {pattern.moves[0] for pattern in found if len(pattern.moves) == 1}
    return sum((1 - who, move) in singles for who, move in singles) / max(1, len(singles))


def mean_distance(game: Game, found: Sequence[Pattern]) -> float:
    """Return the mean distance in cells between two moves of a pattern; 0 without patterns."""
    xy = np.array(game.layout().xy)
    distances = [
        float(np.hypot(*(xy[a] - xy[b])))
        for pattern in found
        for place, (_, a) in enumerate(pattern.moves)
        for _, b in pattern.moves[:place]
    ]
    return sum(distances) / len(distances) if distances else 0.0


def numbered(position: Position) -> str:
    """Draw a game with the move number on every stone."""
    names = position.game.layout().names
    return position.svg(labels={names[move]: str(number + 1) for number, move in enumerate(position.moves)})
