"""The features of Go for the prior of a tree: nested shapes, tactics with ladders, distances to the last two moves.

Three columns: the largest known shape around the move, its tactical classes, its distances. They cost microseconds a
move, as ladders are read to the end: for nodes of a tree, not for playouts. Shapes are known by their hashes, which
come from game records with the weights.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from montego.games.features import Array, Column, Group
from montego.games.go.ladders import LadderRoom, ladder_room
from montego.games.go.shapes import shape_number
from montego.games.go.tactics import DISTANCES, TACTICS, distances_number, tactics_number
from montego.kernels import kernel

SHAPE, TACTICAL, DISTANCE = 0, 1, 2  # the columns
COLUMNS = 3


class PriorTables(NamedTuple):
    """What the prior features of a position are written with, for one thread."""

    shapes: Array  # the known hashes in rising order
    room: LadderRoom
    work: Array


def prior_tables(game: Any, shapes: Array) -> PriorTables:
    """Return tables for a game and some known shapes."""
    return PriorTables(shapes, ladder_room(game), np.zeros(1, game.state_dtype()))


def prior_columns(shapes: Array) -> tuple[Column, ...]:
    """Return what the columns mean for some known shapes."""
    return (
        Column.of_group(Group("shape", len(shapes))),
        Column.of_product([Group(*group) for group in TACTICS]),
        Column.of_product([Group(*group) for group in DISTANCES]),
    )


@kernel
def write_prior_features(game, tables, state, last, before_last, point, values):
    """Write the numbers of an empty point that the player to move may play; PASS stands for no last move."""
    values[SHAPE] = shape_number(game, state, point, tables.shapes)
    values[TACTICAL] = tactics_number(game, state, point, last, tables.room, tables.work)
    values[DISTANCE] = distances_number(state, point, last, before_last)
