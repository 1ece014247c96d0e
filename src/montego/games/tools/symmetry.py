"""Symmetries of a game: what turning or mirroring the board makes of its points and moves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from montego.games.game import Game


@dataclass(frozen=True)
class Symmetry:
    """One symmetry: ``points[k]`` is where point ``k`` of the layout goes."""

    game: Game
    points: tuple[int, ...]

    def point(self, point: int) -> int:
        """Return where a point of the layout goes."""
        return self.points[point]

    def point_name(self, name: str) -> str:
        """Return the name of the point where a point goes."""
        names = self.game.layout().names
        return names[self.points[list(names).index(name)]]

    def move(self, move: int) -> int:
        """Return what becomes of a move; one without points, such as a pass, stays as it is."""
        return self.game.image_of_move(move, self)
