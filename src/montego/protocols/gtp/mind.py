"""The player behind the engine: searches, and what is made of their results: a move, a pass, or giving up."""

import secrets
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from montego.games import Game, Go, Position
from montego.players import Player
from montego.protocols.gtp.judge import ResignRule, cleanup_move, is_settled, owner_map, wins_by_passing
from montego.protocols.gtp.table import PASS, Table, facing
from montego.search import Analysis, Limits, MoveStatistics

RESIGN = "resign"
_LEAST = 0.001  # seconds; a search of no time would be one without limit
_BELIEVED = 50  # visits from which on a value counts
_HOPELESS = 0.05  # value at which the opponent has nothing left to play for


class Mind:
    """A player for whatever game is on the table."""

    def __init__(self, settings: Any, seed: int | None, resign: float) -> None:
        self.settings = settings
        self.seed = secrets.randbits(32) if seed is None else seed
        self.resign_rule = ResignRule(resign)
        self.last: Analysis | None = None  # of the last search
        self.searched: Position | None = None  # the position of that search
        self._player: Player | None = None
        self._warm: set[Any] = set()

    def player(self, game: Game) -> Player:
        """Return the player of a game, with a search of its own for each."""
        if self._player is None or self._player.game != game:
            self.close()
            self._player = Player(self.settings, game, self.seed)
        return self._player

    def close(self) -> None:
        """Give back what the player holds."""
        if self._player is not None:
            self._player.close()
        self._player = None

    def new_seed(self, seed: int) -> None:
        """Draw chance from another stream from now on."""
        self.close()
        self.seed = seed

    def warm(self, game: Game) -> None:
        """Have everything compiled that a move needs, while no clock is running."""
        key = (type(game), game.state_dtype().itemsize)
        if key not in self._warm:
            position = game.start()
            self.player(game).choose_number(position, Limits(playouts=1, seconds=0.0))
            owner_map(position, 2)
            self._warm.add(key)

    def search(self, position: Position, limits: Limits) -> Analysis:
        """Search a position with its player to move and keep the result for later questions."""
        player = self.player(position.game)
        player.choose_number(position, limits)
        self.last, self.searched = player.analysis(), position
        return self.last

    def choose(
        self,
        table: Table,
        player: int,
        limits: Limits,
        allowed: Callable[[str], bool] | None = None,
        cleanup: bool = False,
        may_resign: bool = True,
    ) -> str:
        """Return the move of a player, ``pass`` or ``resign``; the table is left as it is.

        ``cleanup`` asks for the capture of dead stones before a pass (KGS); ``allowed`` says which moves may be made.
        """
        began = time.monotonic()
        position = facing(table.position, player)
        if isinstance(position.game, Go) and (decided := self._decided(table, position, limits, cleanup)) is not None:
            return decided
        if limits.seconds:
            limits = replace(limits, seconds=max(_LEAST, limits.seconds - (time.monotonic() - began)))
        analysis = self.search(position, limits)
        if self.resign_rule.note(position, analysis) and may_resign and not cleanup:
            return RESIGN
        if allowed is not None and not allowed(analysis.move):
            others = [entry for entry in analysis.moves if allowed(entry.move)]
            return max(others, key=_merit).move if others else analysis.move
        return analysis.move

    def _decided(self, table: Table, position: Position, limits: Limits, cleanup: bool) -> str | None:
        """Return the move of a game of Go that needs no search for the best one, if there is such a move."""
        if cleanup:
            move = cleanup_move(position)
            return None if move is None else position.game.move_name(move)
        too_long = len(table.steps) > position.game.max_length()  # a game without superko could go on for ever
        if table.position.over or too_long:
            return PASS
        if table.passed(1 - position.to_move):
            return PASS if wins_by_passing(position) else None
        return PASS if is_settled(position) and self._safe_to_pass(position, limits) else None

    def _safe_to_pass(self, position: Position, limits: Limits) -> bool:
        """Whether a search finds nothing for the opponent after a pass, in half of the time."""
        half = replace(limits, seconds=max(_LEAST, limits.seconds / 2)) if limits.seconds else limits
        player = self.player(position.game)
        player.choose_number(position.copy().play(PASS), half)
        best = player.analysis().best()
        if best is None or best.value is None:
            return False
        return best.proven == "loss" or (best.visits >= _BELIEVED and best.value < _HOPELESS)


def _merit(entry: MoveStatistics) -> tuple[int, float]:
    return entry.visits, entry.value or 0.0
