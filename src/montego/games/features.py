"""Features of moves: what a softmax policy weighs and what training finds the weights of.

Features come in *groups*; a move has at most one feature of each group, and its strength is the product of their γ
(Coulom, "Computing Elo ratings of move patterns in the game of Go", 2007). Groups share *columns*: a column is one
number per move that stands for a combination of features. A game says what its columns mean (``Game.feature_columns``)
and writes the numbers of a move (``rules.move_features``); policy and training follow from that.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

Array = np.ndarray[Any, Any]

NONE = 0  # the feature number that means "no feature of this group"; its γ is 1


class Group(NamedTuple):
    """Features of which a move has at most one. They are numbered from 1 to ``size``."""

    name: str
    size: int


class Column(NamedTuple):
    """A number of a candidate and the features that it stands for.

    ``features[value, g]`` is the feature of ``groups[g]`` that a candidate with this value has, or NONE.
    """

    groups: tuple[Group, ...]
    features: Array

    @classmethod
    def of_group(cls, group: Group) -> Column:
        """Return the column whose values are the features of one group themselves."""
        return cls((group,), np.arange(group.size + 1, dtype=np.int64)[:, None])

    @classmethod
    def of_bits(cls, names: Sequence[str]) -> Column:
        """Return the column whose values are sets of yes-or-no features, bit k for ``names[k]``; each is a group."""
        sets = np.arange(1 << len(names), dtype=np.int64)
        return cls(tuple(Group(name, 1) for name in names), (sets[:, None] >> np.arange(len(names))) & 1)

    @classmethod
    def of_product(cls, groups: Sequence[Group]) -> Column:
        """Return the column whose values have a feature of each group as their digits, the first group lowest."""
        sizes = [group.size + 1 for group in groups]
        values = np.arange(int(np.prod(sizes)), dtype=np.int64)
        digits = [values // int(np.prod(sizes[:place])) % size for place, size in enumerate(sizes)]
        return cls(tuple(groups), np.stack(digits, axis=1))
