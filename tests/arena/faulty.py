"""Players that go wrong in every way a player can, for the tests of the arena."""

import os
import time
from typing import Annotated, Any, NamedTuple

from montego.errors import Forfeit, Resignation
from montego.games import Game, Position
from montego.players import PLAYERS
from montego.search import NO_LIMITS, Analysis, Limits
from montego.spec import Param


class Faulty(NamedTuple):
    """A player that plays its first legal move until a certain move, and then does something wrong."""

    how: Annotated[str, Param("what goes wrong: raise, illegal, nonsense, forfeit, resign, meddle, or nothing")] = (
        "raise"
    )
    after: Annotated[int, Param("moves of the game before it does", 0, 1000)] = 2
    sleep: Annotated[float, Param("seconds to wait before every move", 0, 100)] = 0.0

    def search(self, game: Game) -> "FaultySearch":
        """Return the search; it may fail already."""
        if self.how == "construct" and self.after == 0:
            raise RuntimeError("cannot be built")
        return FaultySearch(game, self)


class FaultySearch:
    """The first legal move, or the fault."""

    def __init__(self, game: Game, settings: Faulty) -> None:
        self.game, self.settings = game, settings
        self.closed = False

    def run(self, position: Position, rng: Any, limits: Limits = NO_LIMITS) -> Analysis:
        time.sleep(self.settings.sleep)
        number = int(position.legal_numbers()[0])
        if len(position.moves) >= self.settings.after:
            if self.settings.how == "raise":
                raise ZeroDivisionError("a bug of mine")
            if self.settings.how == "forfeit":
                raise Forfeit("the program crashed", "its last words")
            if self.settings.how == "resign":
                raise Resignation("no hope")
            if self.settings.how == "illegal":
                number = position.moves[-1]
            if self.settings.how == "nonsense":
                number = 10**6
            if self.settings.how == "meddle":
                position.play(number)
            if self.settings.how == "die":
                os._exit(7)
        return Analysis(str(number), number, playouts=1)

    def opinion(self, position: Position) -> str:
        """Return an opinion on the result."""
        return f"after {len(position.moves)} moves it is a draw"

    def close(self) -> None:
        """Count the closing."""
        CLOSED.append(self.settings.how)


CLOSED: list[str] = []
PLAYERS.add("faulty", Faulty)
