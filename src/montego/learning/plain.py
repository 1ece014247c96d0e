"""Decisions of any game that has features, from ledgers of the arena and SGF records.

Candidates are the moves that a playout may make. Where there is only one there is nothing to decide; a recorded move
that is not a candidate is played, but nothing is noted.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from montego.errors import MontegoError
from montego.games import Game, game as build_game
from montego.games.features import Array
from montego.games.rules import is_legal, is_over, play, playout_moves, start, write_features
from montego.kernels import borrowing, generic_with_default, index, kernel
from montego.learning.decisions import Decisions, joined
from montego.learning.files import RecordError, is_ledger, ledger_games, record_texts
from montego.playouts.policy import HISTORY
from montego.sgf import read_all


class PlayedGame(NamedTuple):
    """A game as its moves by number; the first ``given`` of them were an opening that nobody chose."""

    game: Game
    moves: Array
    given: int = 0

    @property
    def length(self) -> int:
        """The number of moves."""
        return len(self.moves)

    @property
    def board_size(self) -> int:
        """The size of the board, 0 if the game has no such rule."""
        return int(getattr(self.game, "size", 0))


def read_played(source: str | Path, game: Game, problems: list[str] | None = None) -> Iterator[PlayedGame]:
    """Yield the games in a ledger, in a file of SGF or in all such files of a folder, each by its own rules.

    A game that cannot be read or begins with stones set up raises, or is described in ``problems`` if that is given.
    """
    if is_ledger(source):
        for finished in ledger_games(source):
            played = build_game(finished.task.game)
            if type(played) is not type(game):
                raise RecordError(f"{source} holds games of {finished.task.game}, not of {game.spec_name}")
            numbers = [played.parse_move(move) for move in finished.moves]
            yield PlayedGame(played, np.array(numbers, np.int32), len(finished.task.opening))
        return
    for name, text in record_texts(source):
        try:
            for record in read_all(text):
                if type(record.game) is not type(game) or record.start.setup:
                    raise RecordError(f"not a game of {game.spec_name} from its beginning")
                yield PlayedGame(record.game, np.array(record.position.moves, np.int32))
        except MontegoError as problem:
            if problems is None:
                raise RecordError(f"{name}: {problem}") from None
            problems.append(f"{name}: {problem}")


@generic_with_default
@borrowing
def note_candidates(tables, game, state, trace, end, moves, values):
    """Write the numbers of each of some moves after ``trace[:end]``; by default the features for playouts."""
    write_features(game, tables, state, trace, end, moves, values)


class _Desk(NamedTuple):
    """What one thread replays the games of one game with."""

    tables: Any
    scratch: Array


class _Desks(threading.local):
    def __init__(self) -> None:
        self.of: dict[Game, _Desk] = {}


def plain_decisions(
    games: Iterable[PlayedGame],
    columns: int,
    share: float = 1.0,
    seed: int = 1,
    problems: list[str] | None = None,
    progress: Callable[[int], None] | None = None,
    threads: int = 0,
    tables: Callable[[Game], Any] | None = None,
) -> Decisions:
    """Return the decisions of games with the columns of their features, of a share of the moves drawn by a seed.

    ``tables`` makes what the features are written with (``note_candidates``), for one thread and one game; by default
    the game does. An illegal move ends its game and is described in ``problems``; ``progress`` gets the number of games
    done. ``threads`` 0 means one per core; their number does not change the result.
    """
    chance = np.random.default_rng(seed)
    desks = _Desks()

    def work(task: tuple[PlayedGame, Array]) -> tuple[Decisions, int]:
        played, learn = task
        desk = desks.of.get(played.game)
        if desk is None:
            made = tables(played.game) if tables else played.game.feature_tables()
            desk = desks.of[played.game] = _Desk(made, played.game.new_moves())
        return _replay_one(played, learn, desk, columns)

    def learnt(played: PlayedGame) -> Array:
        wanted: Array = chance.random(len(played.moves)) < share
        wanted[: played.given] = False
        return wanted

    parts = []
    with ThreadPoolExecutor(threads or os.cpu_count() or 1) as pool:
        tasks = ((played, learnt(played)) for played in games)
        for number, (decisions, done) in enumerate(pool.map(work, tasks), 1):
            if done >= 0 and problems is not None:
                problems.append(f"game {number}: move {done + 1} is illegal")
            parts.append(decisions)
            if progress:
                progress(number)
    return joined(parts, columns)


def _replay_one(played: PlayedGame, learn: Array, desk: _Desk, columns: int) -> tuple[Decisions, int]:
    """Return the decisions of a game, and the number of moves before an illegal one, or -1 if there is none."""
    moves = len(played.moves)
    rows = max(1, int(learn.sum())) * len(desk.scratch)
    values, counts = np.empty((rows, columns), np.uint16), np.ones(rows, np.uint16)
    out = Decisions(values, counts, np.zeros(moves + 1, np.int64), np.zeros(moves, np.uint16))
    state = played.game.new_state()
    start(played.game, state)
    trace = np.full(HISTORY + moves, -1, np.int32)
    trace[HISTORY:] = played.moves
    decisions, rows, done = replay_moves(played.game, desk, state, trace, learn, out)
    kept = (out.values[:rows], out.counts[:rows], out.starts[: decisions + 1], out.winners[:decisions])
    return Decisions(*(array.copy() for array in kept)), int(done) if done < moves else -1


@kernel
def replay_moves(game, desk, state, trace, learn, out):
    """Replay the moves of ``trace`` and write the candidates of each one to learn from.

    Return the numbers of decisions, of their rows and of the moves played.
    """
    decisions, rows = 0, 0
    for number in range(len(learn)):
        end = HISTORY + number
        move = np.int64(trace[index(end)])
        if is_over(game, state) or not is_legal(game, state, move):
            return decisions, rows, number
        if learn[index(number)]:
            count = playout_moves(game, state, desk.scratch)
            chosen = -1
            for place in range(count):
                if desk.scratch[index(place)] == move:
                    chosen = place
            if chosen >= 0 and count > 1:
                moves = desk.scratch[:count]
                note_candidates(desk.tables, game, state, trace, end, moves, out.values[rows : rows + count])
                out.winners[index(decisions)] = chosen
                rows += count
                decisions += 1
                out.starts[index(decisions)] = rows
        play(game, state, move)
    return decisions, rows, len(learn)
