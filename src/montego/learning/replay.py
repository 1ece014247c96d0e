"""Recorded games of Go replayed by our own rules, with something noted at every move that is to be learnt from.

What is noted depends on the *notebook*, a NamedTuple whose class selects the kernel ``note_move``. Candidates are the
moves that a playout may make: legal, no suicide, no filling of an own eye. A recorded move that is a pass or not a
candidate is played, but nothing is noted.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from montego.errors import MontegoError
from montego.games.features import Array
from montego.games.go.board import EMPTY, PASS, capacity_of, play_stone
from montego.games.go.game import Go
from montego.games.go.rules import sensible
from montego.games.rules import is_legal, play, start
from montego.kernels import generic, kernel
from montego.learning.decisions import Decisions
from montego.learning.records import RecordedGame


class Selection(NamedTuple):
    """Which moves to learn from: those of ``both`` players or of the ``stronger`` by rank, and which share of them."""

    players: str = "both"
    share: float = 1.0
    seed: int = 1


class History(NamedTuple):
    """The move that was chosen and the last two before it (PASS if there are none)."""

    chosen: int
    last: int
    before_last: int


class Moves(NamedTuple):
    """The moves of a game for the kernel: who, where, and whether to learn from it."""

    colours: Array
    points: Array
    learn: Array


@generic
def note_move(notebook, game, state, history, out, first, number):
    """Note the candidates of a position as rows of ``out`` from ``first`` on, and the row of the chosen one.

    The latter is ``out.winners[number]``, counted from ``first``. Return the end of the rows.
    """


class Notes(NamedTuple):
    """What to note: the notebook for a game, the columns of its decisions, and what else to take from it.

    A notebook serves one thread and many games; ``taken(notebook, decisions)`` copies what belongs to the last game.
    """

    notebook: Callable[[Go], Any]
    columns: int
    taken: Callable[[Any, Decisions], Any] = lambda notebook, decisions: None


class _Shelf(threading.local):
    """The notebooks of one thread; each thread that looks at the shelf sees its own."""

    def __init__(self) -> None:
        self.notebooks: dict[Go, Any] = {}


def replayed(
    games: Iterable[RecordedGame],
    notes: Notes,
    selection: Selection | None = None,
    problems: list[str] | None = None,
    threads: int = 0,
) -> Iterator[tuple[Decisions, Any]]:
    """Yield for each game, in order, its decisions and what was taken from the notebook.

    An illegal move (by our rules without superko) ends its game; what went before counts. It is described in
    ``problems`` if that is given. ``threads`` 0 means one per core; their number does not change the result.
    """
    wanted = selection or Selection()
    if wanted.players not in ("both", "stronger") or not 0 < wanted.share <= 1:
        raise MontegoError("a selection is of 'both' or 'stronger' players and a share above 0 and at most 1")
    chance = np.random.default_rng(wanted.seed)
    shelf = _Shelf()

    def work(task: tuple[RecordedGame, Moves]) -> tuple[Decisions, Any, int]:
        record, moves = task
        game = Go(record.width, record.height)
        if game not in shelf.notebooks:
            shelf.notebooks[game] = notes.notebook(game)
        notebook = shelf.notebooks[game]
        decisions, played = _replay_one(notebook, game, record, moves, notes.columns)
        return decisions, notes.taken(notebook, decisions), played

    tasks = ((record, _selected(record, wanted, chance)) for record in games)
    with ThreadPoolExecutor(threads or os.cpu_count() or 1) as pool:
        for number, (decisions, taken, played) in enumerate(pool.map(work, tasks), 1):
            if played >= 0 and problems is not None:
                problems.append(f"game {number}: move {played + 1} is illegal")
            yield decisions, taken


def _replay_one(notebook: Any, game: Go, record: RecordedGame, moves: Moves, columns: int) -> tuple[Decisions, int]:
    """Return the decisions of a game, and the number of moves before an illegal one, or -1 if there is none."""
    out = _room(len(moves.points), record.width * record.height, columns)
    decisions, rows, played = replay(notebook, game, _start(game, record), moves, out)
    kept = (out.values[:rows], out.counts[:rows], out.starts[: decisions + 1], out.winners[:decisions])
    return Decisions(*(array.copy() for array in kept)), int(played) if played < len(moves.points) else -1


def held_out(games: Sequence[RecordedGame], every: int = 20) -> tuple[list[RecordedGame], list[RecordedGame]]:
    """Return the games to learn from and those to test with: every so many goes to the test."""
    if every < 2:
        raise MontegoError(f"every {every}th game cannot be held out; at least 2 expected")
    learnt = [game for number, game in enumerate(games) if number % every]
    return learnt, list(games[::every])


def _selected(record: RecordedGame, selection: Selection, chance: np.random.Generator) -> Moves:
    learn = chance.random(len(record.places)) < selection.share
    if selection.players == "stronger":
        learn &= np.isin(record.colours, record.stronger())
    learn[: record.given] = False
    return Moves(record.colours, _point_table(record.width, record.height)[record.places], learn)


def _start(game: Go, record: RecordedGame) -> Any:
    """Return the state before the first move."""
    state = game.new_state()
    start(game, state)
    points = _point_table(record.width, record.height)
    for colour, place in record.stones:
        if state.colour[points[place]] == EMPTY:
            play_stone(state, points[place], np.int64(colour))
    return state


@lru_cache(maxsize=64)
def _point_table(width: int, height: int) -> Array:
    """Return the point number of each place; the last entry, which is that of place -1, is the pass."""
    stride = capacity_of(width, height) + 1
    points = [(row + 1) * stride + column + 1 for row in range(height) for column in range(width)]
    return np.array([*points, PASS], np.int64)


def _room(moves: int, area: int, columns: int) -> Decisions:
    """Return empty arrays for the decisions of a game; memory that is not written is not taken from the machine."""
    rows = max(moves, 1) * area
    values, counts = np.empty((rows, columns), np.uint16), np.empty(rows, np.uint16)
    return Decisions(values, counts, np.zeros(moves + 1, np.int64), np.zeros(moves, np.uint16))


@kernel
def replay(notebook, game, state, moves, out):
    """Replay the moves and note each one to learn from; return the numbers of decisions, rows and moves played.

    A move out of turn is allowed, as in handicap games; it has no previous move.
    """
    last, before_last = PASS, PASS
    decisions, rows = 0, 0
    for number in range(len(moves.points)):
        point = moves.points[number]
        if state.turn != moves.colours[number]:
            state.turn = np.int64(moves.colours[number])
            last, before_last, state.ko, state.old_ko = PASS, PASS, 0, 0
        state.passes = 0  # records may go on after two passes
        if not is_legal(game, state, point):
            return decisions, rows, number
        if moves.learn[number] and point != PASS and sensible(state, point, state.turn):
            rows = note_move(notebook, game, state, History(point, last, before_last), out, rows, decisions)
            decisions += 1
            out.starts[decisions] = rows
        before_last, last = last, point
        play(game, state, point)
    return decisions, rows, len(moves.points)
