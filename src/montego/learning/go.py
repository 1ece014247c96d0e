"""The playout features of Go: decisions of recorded games with the 3×3 pattern and the previous-move features.

The features are those of ERICA's playouts (Huang, Coulom and Lin 2010, section 3.2): the 2,051 patterns with atari, and
the seven features of the previous move, each a group of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np

from montego.games.features import Array
from montego.games.go.features import PLAYOUT_COLUMNS
from montego.games.go.game import Go
from montego.games.go.patterns import PATTERNS, pattern_number, pattern_numbers
from montego.games.go.previous_move import clear_room, feature_room, previous_move_features
from montego.games.go.rules import sensible
from montego.kernels import implements, index
from montego.learning.decisions import Decisions, joined
from montego.learning.records import RecordedGame
from montego.learning.replay import Notes, Selection, note_move, replayed


class PlayoutNotebook(NamedTuple):
    """Notes the playout features of every candidate."""

    room: Any  # for the previous-move features, empty between moves
    row_of_pattern: Array  # where the last row with a pattern and without other features was written
    numbers: Array  # the table of pattern numbers


def playout_decisions(
    games: Iterable[RecordedGame],
    selection: Selection | None = None,
    problems: list[str] | None = None,
    progress: Callable[[int], None] | None = None,
    threads: int = 0,
) -> Decisions:
    """Return the decisions of games, with the columns PLAYOUT_COLUMNS.

    ``problems`` gets a line for each illegal move, ``progress`` the number of games done. ``threads`` 0 means one per
    core.
    """
    parts = []
    for decisions, _ in replayed(games, Notes(_notebook, len(PLAYOUT_COLUMNS)), selection, problems, threads):
        parts.append(decisions)
        if progress:
            progress(len(parts))
    return joined(parts, len(PLAYOUT_COLUMNS))


def _notebook(game: Go) -> PlayoutNotebook:
    return PlayoutNotebook(feature_room(game.move_limit()), np.zeros(PATTERNS + 1, np.int64), pattern_numbers())


@implements(note_move, PlayoutNotebook)
def _note_playout_features(notebook, game, state, history, out, first, number):
    """Candidates without previous-move features share a row with those of the same pattern.

    Where that row is, is remembered without ever being cleared: a place that does not hold the same numbers in this
    decision is out of date.
    """
    sets = notebook.room.sets
    previous_move_features(state, history.last, history.before_last, notebook.room)
    end = first
    for place in range(state.empty_count):
        point = np.int64(state.empty[index(place)])
        if not sensible(state, point, state.turn):
            continue
        pattern = pattern_number(state, point, notebook.numbers)
        row = notebook.row_of_pattern[index(pattern)] if sets[index(point)] == 0 else -1
        if first <= row < end and out.values[row, 0] == pattern and out.values[row, 1] == 0:
            out.counts[row] += 1
        else:
            row = end
            end += 1
            out.values[row, 0] = pattern
            out.values[row, 1] = sets[index(point)]
            out.counts[row] = 1
            if sets[index(point)] == 0:
                notebook.row_of_pattern[index(pattern)] = row
        if point == history.chosen:
            out.winners[number] = row - first
    clear_room(notebook.room)
    return end
