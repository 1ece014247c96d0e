"""The base class of connection games. Hex and Y extend it; a game of your own may, too."""

from functools import lru_cache
from typing import Any

from montego.errors import IllegalMove, nearest
from montego.games.features import Column
from montego.games.game import Game
from montego.games.position import Position
from montego.games.rules import is_legal
from montego.games.tools.connection.board import DIRECTIONS, RINGS, goal, neighbour, place, sides_at
from montego.games.tools.connection.certain import certain_pairs
from montego.games.tools.connection.features import (
    COLUMNS,
    COMMON_EDGE,
    NO_POINT,
    FeatureTables,
    feature_tables,
    ring_by_angles,
)


class ConnectionGame(Game):
    """Stones are placed in turn and stay; whoever connects all sides of the goal wins, and one player always does.

    A subclass numbers its points 0 … n-1 in the order of its layout, gives the record type that ``board.state_dtype``
    returns, and implements the five questions of ``board``. Everything else is inherited.
    """

    gtp_dialect = "hex"

    def pattern_classes(self) -> int:
        return RINGS

    def directions(self) -> int:
        return DIRECTIONS

    def feature_columns(self) -> tuple[Column, ...]:
        return COLUMNS

    @lru_cache(maxsize=16)  # noqa: B019 (a game is a small immutable value)
    def feature_tables(self) -> FeatureTables:
        return feature_tables([self.ring_of(point) for point in range(len(self.layout().names))])

    def ring_of(self, point: int) -> list[int]:
        """Return what lies around a point, in order: six neighbours or edges (``features.py``)."""
        is_on_edge = sides_at(self, 0, point) | sides_at(self, 1, point)
        near = [int(other) for k in range(DIRECTIONS) if (other := neighbour(self, point, k)) >= 0]
        return ring_by_angles(self.layout().xy, point, near, COMMON_EDGE if is_on_edge else NO_POINT)

    def ring_symmetries(self) -> list[tuple[int, ...]]:
        """Return the orders of the six places around a point that leave a shape the same for a player: all twelve."""
        turns = range(DIRECTIONS)
        return [tuple((turn + step * k) % DIRECTIONS for k in range(DIRECTIONS)) for step in (1, -1) for turn in turns]

    def ring_for_second(self) -> tuple[int, ...]:
        """Return the order of the places around a point in which the second player sees what the first one would."""
        return tuple(range(DIRECTIONS))

    def certain_winner(self, position: Position) -> int | None:
        turning = self.turning_move()
        if turning is not None and is_legal(self, position.state, turning):
            return None
        owners = position.owners().tolist()
        return next((player for player in (0, 1) if certain_pairs(self, owners, player) is not None), None)

    def set_up(self, state: Any, stones: dict[str, int], to_move: int) -> None:
        names = [name.lower() for name in self.layout().names]
        numbers = {name: number for number, name in enumerate(names)}
        placed: dict[int, int] = {}
        for name, player in stones.items():
            point = numbers.get(str(name).strip().lower())
            if point is None:
                raise IllegalMove(f"no point '{name}' in {self}{nearest(str(name).lower(), names)}")
            if player not in (0, 1):
                raise IllegalMove(f"the stone on {name} must belong to player 0 or 1, not {player!r}")
            if point in placed:
                raise IllegalMove(f"point {names[point]} is given twice; give it once")
            placed[point] = int(player)
        for point, player in placed.items():
            if int(place(self, state, player, point)) == goal(self):
                state.winner = player
        state.to_move = to_move
