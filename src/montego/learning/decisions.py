"""Decisions: who chose which of some candidate moves, each candidate a team of features, in compact arrays.

The model is the generalised Bradley–Terry model of Coulom, "Computing Elo ratings of move patterns in the game of Go"
(2007). Features come in *groups*; a move has at most one feature of each group, and its strength is the product of
their γ. The probability of a move is its strength over the sum of the strengths of all candidates.

Features of several groups may share a *column*: a number that stands for one combination of them. In Go the playout
features have two columns, the 3×3 pattern and the set of previous-move features. Candidates of one decision with
the same numbers in all columns are one row with a count. That makes 19×19 positions of 200 candidates a few dozen rows
of six bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from montego.errors import MontegoError
from montego.games.features import Array, Column
from montego.kernels import kernel


class Decisions(NamedTuple):
    """Many decisions. Those of number d are the rows from ``starts[d]`` to ``starts[d + 1]``.

    ``values`` (rows × columns, uint16) are the numbers of a candidate, ``counts`` (uint16) says how many candidates
    have them, and ``winners`` (uint16) is the row of the chosen move, counted from the decision's first row.
    """

    values: Array
    counts: Array
    starts: Array
    winners: Array

    @property
    def size(self) -> int:
        """The number of decisions."""
        return len(self.winners)

    @property
    def candidates(self) -> int:
        """The number of candidates of all decisions, before equal ones are merged."""
        return int(self.counts.sum(dtype=np.int64))

    @property
    def memory(self) -> int:
        """The number of bytes."""
        return sum(array.nbytes for array in self)

    def first(self, number: int) -> Decisions:
        """Return the first so many decisions, without a copy."""
        end = self.starts[min(number, self.size)]
        return Decisions(self.values[:end], self.counts[:end], self.starts[: number + 1], self.winners[:number])

    def won_values(self) -> Array:
        """Return the numbers of the chosen moves, decisions × columns."""
        won: Array = self.values[self.starts[:-1] + self.winners]
        return won

    def check(self, columns: Sequence[Column]) -> None:
        """Raise if the decisions do not fit the columns or each other."""
        if self.values.ndim != 2 or self.values.shape[1] != len(columns):
            raise MontegoError(f"decisions have {self.values.shape[1:]} columns; {len(columns)} expected")
        if self.size == 0:
            raise MontegoError("no decisions: at least one position with a move is needed")
        for number, column in enumerate(columns):
            most = int(self.values[:, number].max())
            if most >= len(column.features):
                raise MontegoError(f"column {number} has the value {most}; values go to {len(column.features) - 1}")
        lengths = np.diff(self.starts)
        if lengths.min() < 1 or (self.winners >= lengths).any() or self.starts[-1] != len(self.values):
            raise MontegoError("damaged decisions: a winner is not among its candidates")


def joined(parts: Iterable[Decisions], columns: int) -> Decisions:
    """Return decisions one after the other."""
    pieces = list(parts)
    if not pieces:
        empty = np.zeros((0, columns), np.uint16), np.zeros(0, np.uint16)
        return Decisions(*empty, np.zeros(1, np.int64), np.zeros(0, np.uint16))
    ends = np.cumsum([0, *(len(piece.values) for piece in pieces)])
    starts = [piece.starts[1:] + end for piece, end in zip(pieces, ends)]
    return Decisions(
        np.concatenate([piece.values for piece in pieces]),
        np.concatenate([piece.counts for piece in pieces]),
        np.concatenate([[0], *starts]),
        np.concatenate([piece.winners for piece in pieces]),
    )


def decisions_of(choices: Iterable[tuple[Sequence[Sequence[int]], int]]) -> Decisions:
    """Return decisions from lists: for each the numbers of its candidates, and which of them was chosen.

    For small data; ``montego.learning.go`` makes those of game records in kernels.
    """
    values: list[tuple[int, ...]] = []
    counts: list[int] = []
    starts, winners = [0], []
    for candidates, chosen in choices:
        rows: dict[tuple[int, ...], int] = {}
        for candidate in candidates:
            rows[tuple(candidate)] = rows.get(tuple(candidate), 0) + 1
        values += rows
        counts += rows.values()
        starts.append(len(values))
        winners.append(list(rows).index(tuple(candidates[chosen])))
    return Decisions(
        np.array(values, np.uint16),
        np.array(counts, np.uint16),
        np.array(starts, np.int64),
        np.array(winners, np.uint16),
    )


@kernel
def mark_decisions(decisions, column, wanted, marks):
    """Mark the decisions that have a candidate whose number in a column is wanted."""
    values, starts = decisions.values, decisions.starts
    for decision in range(len(marks)):
        found = False
        for row in range(starts[decision], starts[decision + 1]):
            found |= wanted[values[row, column]]
        marks[decision] = found
