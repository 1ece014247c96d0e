"""The base class of connection games. Hex and Y extend it; a game of your own may, too."""

from typing import Any

from montego.errors import IllegalMove, nearest
from montego.games.game import Game
from montego.games.tools.connection.board import DIRECTIONS, RINGS, goal, place


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
