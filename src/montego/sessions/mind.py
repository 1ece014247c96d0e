"""A player with manners: it looks at a session and decides on a move, a pass, or to give up."""

import secrets
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from montego.errors import Resignation
from montego.games import Game, Position
from montego.players import Player
from montego.search import NO_LIMITS, Analysis, Limits, MoveStatistics
from montego.sessions.judge import cleanup_move, is_settled, owner_map, wins_by_passing
from montego.sessions.manners import Manners, expectation, expects_win_rates, gives_up
from montego.sessions.session import PASS, Decision, Session

_LEAST = 0.001  # seconds; a search of no time would be one without limit
_BELIEVED = 50  # visits of a move from which on its value counts
_HOPELESS = 0.05  # value at which the opponent has nothing left to play for
_WARM_UP = Limits(playouts=1, seconds=0.0)


class Mind:
    """A player for whatever game a session holds, with the manners that it has everywhere.

    It keeps the last search (``last`` and the position ``searched``) for questions about it, and counts what it has
    used: ``seconds`` and ``playouts``.
    """

    def __init__(self, settings: Any, seed: int | None = None, manners: Manners | None = None) -> None:
        self.settings = settings
        self.seed = secrets.randbits(32) if seed is None else seed
        self.manners = manners or Manners()
        self.last: Analysis | None = None
        self.searched: Position | None = None
        self.seconds, self.playouts = 0.0, 0
        self._player: Player | None = None
        self._warm: set[Any] = set()

    def player(self, game: Game) -> Player:
        """Return the player of a game; another game or other rules get another search."""
        if self._player is None or type(self._player.game) is not type(game) or self._player.game != game:
            self.close()
            self._player = Player(self.settings, game, self.seed)
        return self._player

    def close(self) -> None:
        """Give back what the player holds."""
        if self._player is not None:
            self._player.close()
        self._player = None

    def change(self, settings: Any) -> None:
        """Play with other settings from now on."""
        self.close()
        self.settings = settings
        self._warm.clear()

    def new_seed(self, seed: int) -> None:
        """Draw chance from another stream from now on."""
        self.close()
        self.seed = seed

    def warm(self, game: Game) -> None:
        """Compile everything that a move needs, before any clock runs.

        A player of its own makes the first search, so that the game's player starts without a tree.
        """
        key = (type(game), game.state_dtype().itemsize)
        if key in self._warm:
            return
        position = game.start()
        player = Player(self.settings, game, self.seed)
        try:
            player.choose_number(position, _WARM_UP)
        finally:
            player.close()
        if game.ends_by_passing and (self.manners.passes_early or self.manners.captures_dead):
            owner_map(position, 2)
        self._warm.add(key)

    def search(self, position: Position, limits: Limits = NO_LIMITS) -> Analysis:
        """Search a position for its player to move, and remember the result."""
        player = self.player(position.game)
        player.choose_number(position, limits)
        return self._remember(player, position)

    def _remember(self, player: Player, position: Position) -> Analysis:
        self.last, self.searched = player.analysis(), position
        self.playouts += self.last.playouts
        return self.last

    def choose(
        self,
        session: Session,
        player: int | None = None,
        limits: Limits = NO_LIMITS,
        manners: Manners | None = None,
        allowed: Callable[[str], bool] | None = None,
    ) -> Decision:
        """Decide what a player (by default the one to move) does, within the time of its clock.

        ``manners`` replaces the mind's own for this once; ``allowed`` says which moves may be made. The session is left
        as it is, even by a player that changes the position it is shown.
        """
        began, manners = time.monotonic(), manners or self.manners
        position = session.position if player is None else session.position.facing(player)
        turn = position.to_move
        try:
            if manners.concedes and position.game.certain_winner(position) == 1 - turn:
                return Decision(turn, None, 0.0, time.monotonic() - began, "the game is lost for certain")
            seconds = session.clock.seconds_for_move(session.position, turn, manners.lag)
            limits = limits if seconds is None else replace(limits, seconds=seconds)
            if position.game.ends_by_passing and (manners.passes_early or manners.captures_dead):
                if (move := self._obvious_move(session, position, limits, manners)) is not None:
                    return Decision(turn, move, seconds=time.monotonic() - began)
                if limits.seconds:
                    limits = replace(limits, seconds=max(_LEAST, limits.seconds - (time.monotonic() - began)))
            chooser = self.player(position.game)
            move = chooser.choose_number(position, limits)
            analysis = self._remember(chooser, position)
            expects = expectation(analysis)
            may_resign = expects_win_rates(self.settings) and not manners.captures_dead
            if may_resign and gives_up(session, position, expects, manners):
                return Decision(turn, None, expects, time.monotonic() - began)
            if allowed is not None and not allowed(analysis.move):
                others = [entry for entry in analysis.moves if allowed(entry.move)]
                move = max(others, key=_merit).number if others else move
            return Decision(turn, move, expects, time.monotonic() - began)
        except Resignation as problem:  # another program gives up by its own manners
            return Decision(turn, None, seconds=time.monotonic() - began, detail=problem.detail)
        finally:
            self.seconds += time.monotonic() - began

    def opinion(self, position: Position) -> str:
        """Return what a player that is another program thinks of a finished game, or nothing."""
        return self._player.opinion(position) if self._player is not None else ""

    # -- games that end by passing

    def _obvious_move(self, session: Session, position: Position, limits: Limits, manners: Manners) -> int | None:
        """Return a capture of dead stones or a pass that needs no search for the best move, if there is one."""
        if manners.captures_dead:
            return cleanup_move(position)
        too_long = len(session.steps) > position.game.max_length()  # a game without superko could go on for ever
        if session.position.over or too_long:
            passes = True
        elif session.last_pass_by(1 - position.to_move):
            passes = wins_by_passing(position)
        else:
            passes = is_settled(position) and self._safe_to_pass(position, limits)
        return position.game.parse_move(PASS) if passes else None

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
