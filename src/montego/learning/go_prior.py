"""Decisions of recorded games of Go with the features for the prior of a tree (``games/go/prior_features.py``).

Shapes are harvested from game records first: those that were played at least so many times are known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np

from montego.errors import MontegoError
from montego.games.features import Array
from montego.games.go.game import Go
from montego.games.go.prior_features import PriorTables, prior_columns, prior_tables, write_prior_features
from montego.games.go.rules import sensible
from montego.games.go.shapes import SHAPE_SIZES, write_shapes
from montego.kernels import implements, index
from montego.learning.decisions import Decisions, joined
from montego.learning.records import RecordedGame
from montego.learning.replay import Notes, Selection, note_move, replayed

MOST_SHAPES = 65535  # the numbers of a column are 16 bits


class ShapeNotebook(NamedTuple):
    """Notes the shapes of the moves played, and no candidates."""

    hashes: Array


class PriorNotebook(NamedTuple):
    """Notes the prior features of every candidate."""

    tables: PriorTables


def harvest_shapes(
    games: Iterable[RecordedGame],
    least: int = 20,
    selection: Selection | None = None,
    most: int = MOST_SHAPES,
    progress: Callable[[int], None] | None = None,
) -> Array:
    """Return the hashes of the shapes that were played at least so many times, in rising order.

    If there are more than ``most``, the most frequent ones are kept. ``progress`` gets the number of games done.
    """
    if least < 1:
        raise MontegoError(f"shapes must be seen at least once, not {least} times")

    def notebook(game: Go) -> ShapeNotebook:
        return ShapeNotebook(np.zeros((4 * game.size * game.height + 1000, SHAPE_SIZES), np.uint64))

    def taken(book: ShapeNotebook, decisions: Decisions) -> Array:
        return book.hashes[: decisions.size].copy()

    parts = []
    for _, hashes in replayed(games, Notes(notebook, 1, taken), selection):
        parts.append(hashes)
        if progress:
            progress(len(parts))
    hashes, counts = np.unique(np.concatenate(parts), return_counts=True)
    if np.count_nonzero(counts >= least) > most:
        least = int(np.sort(counts)[-most - 1]) + 1
    return np.asarray(hashes[counts >= least])


def prior_decisions(
    games: Iterable[RecordedGame],
    shapes: Array,
    selection: Selection | None = None,
    problems: list[str] | None = None,
    progress: Callable[[int], None] | None = None,
    threads: int = 0,
) -> Decisions:
    """Return the decisions of games, with the columns ``prior_columns(shapes)``; ``threads`` 0 means one per core.

    ``problems`` gets a line for each illegal move, ``progress`` the number of games done.
    """

    def notebook(game: Go) -> PriorNotebook:
        return PriorNotebook(prior_tables(game, shapes))

    columns = len(prior_columns(shapes))
    parts = []
    for decisions, _ in replayed(games, Notes(notebook, columns), selection, problems, threads):
        parts.append(decisions)
        if progress:
            progress(len(parts))
    return joined(parts, columns)


@implements(note_move, ShapeNotebook)
def _note_shapes(notebook, game, state, history, out, first, number):
    if number < len(notebook.hashes):
        write_shapes(game, state, history.chosen, notebook.hashes[number])
    return first


@implements(note_move, PriorNotebook)
def _note_prior_features(notebook, game, state, history, out, first, number):
    end = first
    for place in range(state.empty_count):
        point = np.int64(state.empty[index(place)])
        if not sensible(state, point, state.turn):
            continue
        last, before_last = history.last, history.before_last
        write_prior_features(game, notebook.tables, state, last, before_last, point, out.values[end])
        out.counts[end] = 1
        if point == history.chosen:
            out.winners[number] = end - first
        end += 1
    return end
