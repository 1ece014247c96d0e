"""Decisions of Go: recorded games replayed by our own rules, the playout features of every candidate at every move.

Candidates are the moves that a playout may make: legal, no suicide, no filling of an own eye. Their features are those of
ERICA's playouts (Huang, Coulom and Lin 2010, section 3.2): the 3×3 pattern with atari, and the seven features of
the previous move. A recorded move that is a pass or not a candidate is played, but nothing is learnt from it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from montego.errors import MontegoError
from montego.games.go.board import EMPTY, PASS, capacity_of, play_stone
from montego.games.go.game import Go
from montego.games.go.patterns import PATTERNS, pattern_number, pattern_numbers
from montego.games.go.previous_move import FEATURE_NAMES, previous_move_features
from montego.games.go.rules import sensible
from montego.games.rules import is_legal, play, start
from montego.kernels import index, kernel
from montego.learning.decisions import Array, Column, Decisions, Group, joined
from montego.learning.records import RecordedGame

PLAYOUT_COLUMNS = (Column.of_group(Group("3×3 pattern", PATTERNS)), Column.of_bits(FEATURE_NAMES))


class Selection(NamedTuple):
    """Which moves to learn from: whose (``both`` players' or the ``stronger`` one's by rank), and what share, by chance."""

    players: str = "both"
    share: float = 1.0
    seed: int = 1


class _Moves(NamedTuple):
    """The moves of a game for the kernel: who, where, and whether to learn from it."""

    colours: Array
    points: Array
    learn: Array


class _Desk(NamedTuple):
    """What the kernel works with from move to move."""

    sets: Array  # the feature set of each point, zero between moves
    points: Array  # the points whose set is not zero
    row_of_pattern: Array  # where the last row with a pattern and without other features was written
    numbers: Array  # the table of pattern numbers


def playout_decisions(
    games: Iterable[RecordedGame],
    selection: Selection | None = None,
    problems: list[str] | None = None,
    progress: Callable[[int], None] | None = None,
) -> Decisions:
    """Return the decisions of games, with the columns PLAYOUT_COLUMNS.

    An illegal move (by our rules without superko) ends its game; what went before counts. It is described in ``problems`` if
    that is given. ``progress`` is called with the number of games done.
    """
    wanted = selection or Selection()
    if wanted.players not in ("both", "stronger") or not 0 < wanted.share <= 1:
        raise MontegoError("a selection is of 'both' or 'stronger' players and a share above 0 and at most 1")
    chance = np.random.default_rng(wanted.seed)
    parts = []
    for number, record in enumerate(games, 1):
        decisions, played = _replay(record, wanted, chance)
        parts.append(decisions)
        if played < len(record.places) and problems is not None:
            problems.append(f"game {number}: move {played + 1} is illegal")
        if progress:
            progress(number)
    return joined(parts, len(PLAYOUT_COLUMNS))


def held_out(games: Sequence[RecordedGame], every: int = 20) -> tuple[list[RecordedGame], list[RecordedGame]]:
    """Return the games to learn from and those to test with: every so many goes to the test."""
    if every < 2:
        raise MontegoError(f"every {every}th game cannot be held out; at least 2 expected")
    learnt = [game for number, game in enumerate(games) if number % every]
    return learnt, list(games[::every])


def _replay(record: RecordedGame, selection: Selection, chance: np.random.Generator) -> tuple[Decisions, int]:
    """Return the decisions of one game, and how many of its moves could be played."""
    game = Go(record.width, record.height)
    state = game.new_state()
    start(game, state)
    points = _point_table(record.width, record.height)
    for colour, place in record.stones:
        if state.colour[points[place]] == EMPTY:
            play_stone(state, points[place], np.int64(colour))
    learn = chance.random(len(record.places)) < selection.share
    if selection.players == "stronger":
        learn &= np.isin(record.colours, record.stronger())
    moves = _Moves(record.colours, points[record.places], learn)
    out, desk = _room(len(moves.points), record.width * record.height), _desk(game)
    number, rows, played = add_playout_decisions(game, state, moves, desk, out)
    kept = (out.values[:rows], out.counts[:rows], out.starts[: number + 1], out.winners[:number])
    return Decisions(*(array.copy() for array in kept)), int(played)


@lru_cache(maxsize=64)
def _point_table(width: int, height: int) -> Array:
    """Return the point number of each place; the last entry, which is that of place -1, is the pass."""
    stride = capacity_of(width, height) + 1
    points = [(row + 1) * stride + column + 1 for row in range(height) for column in range(width)]
    return np.array([*points, PASS], np.int64)


def _room(moves: int, area: int) -> Decisions:
    """Return empty arrays for the decisions of a game; memory that is not written is not taken from the machine."""
    rows = max(moves, 1) * area
    values, counts = np.empty((rows, 2), np.uint16), np.empty(rows, np.uint16)
    return Decisions(values, counts, np.zeros(moves + 1, np.int64), np.zeros(moves, np.uint16))


def _desk(game: Go) -> _Desk:
    points = game.move_limit()
    sets, near = np.zeros(points, np.uint8), np.zeros(points, np.int32)
    return _Desk(sets, near, np.zeros(PATTERNS + 1, np.int64), pattern_numbers())


@kernel
def add_playout_decisions(game, state, moves, desk, out):
    """Replay the moves and write a decision for each one to learn from; return decisions, rows and moves played.

    A move out of turn is allowed, as in handicap games; it has no previous move.
    """
    last, before_last, old_ko = PASS, PASS, 0
    decisions, rows = 0, 0
    for number in range(len(moves.points)):
        point = moves.points[number]
        if state.turn != moves.colours[number]:
            state.turn = np.int64(moves.colours[number])
            last, before_last, old_ko, state.ko = PASS, PASS, 0, 0
        state.passes = 0  # records may go on after two passes
        if not is_legal(game, state, point):
            return decisions, rows, number
        if moves.learn[number] and point != PASS and sensible(state, point, state.turn):
            near = previous_move_features(state, last, before_last, old_ko, desk.sets, desk.points)
            end = add_candidates(state, point, desk, out, rows, decisions)
            for place in range(near):
                desk.sets[desk.points[place]] = 0
            rows = end
            decisions += 1
            out.starts[decisions] = rows
        before_last, last, old_ko = last, point, state.ko
        play(game, state, point)
    return decisions, rows, len(moves.points)


@kernel
def add_candidates(state, chosen, desk, out, first, decision):
    """Write the rows of one decision from row ``first`` on, and which of them was chosen; return the end of the rows.

    Candidates without previous-move features share a row with those of the same pattern. Where that row is, is remembered
    without ever being cleared: a place that does not hold the same numbers in this decision is out of date.
    """
    end = first
    for place in range(state.empty_count):
        point = np.int64(state.empty[index(place)])
        if not sensible(state, point, state.turn):
            continue
        number = pattern_number(state, point, desk.numbers)
        features = desk.sets[index(point)]
        row = desk.row_of_pattern[index(number)] if features == 0 else -1
        if first <= row < end and out.values[row, 0] == number and out.values[row, 1] == 0:
            out.counts[row] += 1
        else:
            row = end
            end += 1
            out.values[row, 0] = number
            out.values[row, 1] = features
            out.counts[row] = 1
            if features == 0:
                desk.row_of_pattern[index(number)] = row
        if point == chosen:
            out.winners[decision] = row - first
    return end
