"""Other programs as players: anything that speaks GTP, HTP or Pentobi's dialect of it.

``gtp("gnugo --mode gtp --level 10")`` is a player spec like any other. The program's board is kept in step with the
position that it is asked about, its moves are checked by our rules, and what it does wrong is a ``Forfeit``.
"""

import time
from typing import Annotated, Any, NamedTuple

from montego.errors import Forfeit, IllegalMove, Resignation
from montego.games import Game, Position, rules
from montego.opponents.engine import Engine, Refusal, program_of, words_of
from montego.rng import below
from montego.search import NO_LIMITS, Analysis, Limits
from montego.spec import Param

_START_SECONDS = 60.0  # at least so long for the first answer: programs load networks and compile
_MOST_UNDOS = 8  # beyond this the game is played again from the start
_CLEANUP = "kgs-genmove_cleanup"  # a move that does not pass while dead stones of the other side are on the board
_STANDARD = {"boardsize", "clear_board", "komi", "play", "genmove"}  # if a program does not list its commands


class Gtp(NamedTuple):
    """Another program, over GTP: Go, Hex and Y (HTP), Blokus Duo (Pentobi's dialect), or a game of your own."""

    command: Annotated[str, Param('the command line that runs it, such as "gnugo --mode gtp --level 10"')]
    seconds: Annotated[float, Param("without an answer for so long it has lost", 0.1, 86400)] = 120.0
    cleanup: Annotated[bool, Param("in Go, ask it to capture dead stones before it passes, if it can")] = True

    @classmethod
    def complete(cls, values: dict[str, Any]) -> dict[str, Any]:
        """Refuse a command that cannot be read; whether the program is there is another machine's matter."""
        words_of(values["command"])
        return values

    def search(self, game: Game) -> "GtpSearch":
        """Return the search that asks the program; it is started when it is first needed."""
        program_of(self.command)
        return GtpSearch(game, self.command, self.seconds, self.cleanup)


class GtpSearch:
    """A search that another program does. It may be used for one game after the other."""

    def __init__(self, game: Game, command: str, seconds: float = 120.0, cleanup: bool = True) -> None:
        self.game = game
        self.command = command
        self.seconds = seconds
        self.cleanup = cleanup
        self.engine: Engine | None = None
        self._known: set[str] = set()
        self._start: Any = None  # the set-up that the program's board began with
        self._moves: list[int] = []  # the moves on it
        self._clock: int | None = None

    def run(self, position: Position, rng: Any, limits: Limits = NO_LIMITS) -> Analysis:
        """Let the program choose a move."""
        began = time.perf_counter()
        self._bring_in_step(position)
        colour = self._colour(position.to_move)
        self._offer(f"set_random_seed {below(rng, 2**30)}")
        if limits.seconds:
            self._set_clock(colour, limits.seconds)
        move = self._ask(f"genmove {colour}")
        if move.lower() == "pass" and self.cleanup and {"undo", _CLEANUP} <= self._known:
            self._ask("undo")
            move = self._ask(f"{_CLEANUP} {colour}")
        if move.lower() == "resign":
            raise Resignation(f"{self._name()} resigns")
        number = self._check(position, move)
        self._moves = [*position.moves, number]
        seconds = time.perf_counter() - began
        return Analysis(self.game.move_name(number), number, seconds=seconds)

    def opinion(self, position: Position) -> str | None:
        """Return what the program thinks of the score (``B+3.5``), or None if it has no opinion or cannot say."""
        try:
            self._bring_in_step(position)
            return self._ask("final_score") if "final_score" in self._known else None
        except Forfeit:
            return None

    def close(self) -> None:
        """End the program; the next question would start it again."""
        if self.engine is not None:
            self.engine.close(polite=True)
            self.engine = None

    # -- talking

    def _ask(self, command: str, seconds: float | None = None) -> str:
        assert self.engine is not None
        return self.engine.ask(command, seconds or self.seconds)

    def _offer(self, command: str) -> None:
        """Send a command that a program may do without; one that it refuses is not sent again."""
        word = command.partition(" ")[0]
        if word in self._known:
            try:
                self._ask(command)
            except Refusal:
                self._known.discard(word)

    def _name(self) -> str:
        return self.engine.name if self.engine else self.command

    def _colour(self, player: int) -> str:
        return self.game.colour_names[player]

    def _check(self, position: Position, move: str) -> int:
        """Return the number of the program's move; an illegal one is a forfeit."""
        try:
            number = self.game.parse_move(move)
            position.copy().play(number)
        except IllegalMove as problem:
            self._moves = [-1]  # whatever stands on its board now
            tail = self.engine.stderr_tail() if self.engine else ""
            raise Forfeit(f"{self._name()} answered {move[:40]!r}: {problem}", tail) from None
        return number

    def _set_clock(self, colour: str, seconds: float) -> None:
        """Give the program so many seconds for the move: an overtime period of one stone. GTP knows whole seconds."""
        whole = max(1, round(seconds))
        if self._clock != whole:
            self._offer(f"time_settings 0 {whole} 1")
            self._clock = whole
        self._offer(f"time_left {colour} {whole} 1")

    # -- keeping in step

    def _bring_in_step(self, position: Position) -> None:
        """Make the program's board that of the position, by as few moves as possible."""
        try:
            if self.engine is None or not self.engine.alive:
                self._begin()
                self._clear(position)
            common = _common_length(self._moves, position.moves)
            surplus = len(self._moves) - common
            if position.setup != self._start or not self._undo(surplus):
                self._clear(position)
                common = 0
            self._play_from(position, common)
        except Forfeit:
            self._moves = [-1]  # unknown: the next question starts from an empty board
            raise

    def _begin(self) -> None:
        """Start the program and learn what it can."""
        self.engine = Engine(self.command)
        self._clock = None
        try:
            self._known = set(self._ask("list_commands", max(self.seconds, _START_SECONDS)).split())
        except Refusal:
            self._known = set(_STANDARD)

    def _undo(self, count: int) -> bool:
        """Take back so many moves, if the program can; passes that it was not told are not on its board."""
        if count and (not self.game.passes_are_told or "undo" not in self._known or count > _MOST_UNDOS):
            return False
        if -1 in self._moves:
            return False
        for _ in range(count):
            try:
                self._ask("undo")
            except Refusal:
                return False
            self._moves.pop()
        return True

    def _clear(self, position: Position) -> None:
        """Set up the start of a position's game."""
        for command in self.game.gtp_start():
            self._ask(command)
        self._start, self._moves = position.setup, []
        self._place_stones(position.beginning())

    def _place_stones(self, start: Position) -> None:
        """Place handicap stones and stones that were set up."""
        there = {} if self.game.handicap_stones() else self.game.start().stones()
        stones = {name: owner for name, owner in start.stones().items() if owner in (0, 1) and name not in there}
        handicap = start.to_move == 1 and len(stones) > 1 and set(stones.values()) == {0}
        if handicap and "set_free_handicap" in self._known:
            self._ask(f"set_free_handicap {' '.join(stones)}")
            return
        for name, owner in stones.items():
            self._ask(f"play {self._colour(owner)} {name}")

    def _play_from(self, position: Position, number: int) -> None:
        """Play the moves of a position from the given one on."""
        if number == len(position.moves):
            return
        start = position.beginning()
        for turn, move in enumerate(position.moves):
            name = self.game.move_name(move)
            if turn >= number:
                if name != "pass" or self.game.passes_are_told:
                    self._ask(f"play {self._colour(int(rules.to_move(self.game, start.state)))} {name}")
                self._moves.append(move)
            rules.play(self.game, start.state, move)


def _common_length(a: list[int], b: list[int]) -> int:
    """Return how many moves two games begin with alike."""
    return next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
