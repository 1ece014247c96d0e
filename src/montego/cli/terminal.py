"""A game between a person and the computer in the terminal, and a game that the computer plays alone."""

import contextlib
import signal
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import replace
from types import FrameType

from rich.console import Console
from rich.text import Text

from montego.errors import IllegalMove, MontegoError
from montego.games import Game, Position
from montego.outside import printable, read_text, write_file
from montego.search import Analysis, Limits
from montego.sessions import Decision, Mind, Session
from montego.spec import text

HELP = """\
  a move        play it, as it is written on the board (moves lists the legal ones)
  moves [TEXT]  list the legal moves, or only those that start with TEXT
  hint          ask the computer what it would play
  undo          take back your last move and the answer to it
  show          draw the board again
  save FILE     write the game to a file
  load FILE     go on with a game from a file
  quit          leave
  Ctrl-C        while the computer thinks: make it move at once; otherwise: leave"""
_LISTED = 60  # more moves than this are counted, not listed


class _Quit(Exception):
    """The person wants to leave."""


class StopOnInterrupt:
    """While this context is open, Ctrl-C ends the thinking instead of the program; a second Ctrl-C interrupts as usual.

    ``watch`` tells a search about it, as ``Limits(watch=…)`` wants.
    """

    def __init__(self) -> None:
        self.pressed = False

    def __enter__(self) -> "StopOnInterrupt":
        self._before = signal.signal(signal.SIGINT, self._note)
        return self

    def __exit__(self, *problem: object) -> None:
        signal.signal(signal.SIGINT, self._before)

    def _note(self, number: int, frame: FrameType | None) -> None:
        if self.pressed:
            raise KeyboardInterrupt
        self.pressed = True

    def watch(self, current: Callable[[], Analysis]) -> bool:
        """Whether to stop."""
        return self.pressed


@contextlib.contextmanager
def busy(doing: str) -> Iterator[None]:
    """Show a spinner with what is being done, if standard error is a terminal."""
    console = Console(stderr=True)
    with console.status(f"{doing} …") if console.is_terminal else contextlib.nullcontext():
        yield


@contextlib.contextmanager
def thinking() -> Iterator[Limits]:
    """Show that the computer thinks; the limits let Ctrl-C end it."""
    with busy("thinking"), StopOnInterrupt() as interrupt:
        yield Limits(watch=interrupt.watch)


def warm_up(mind: Mind, game: Game) -> None:
    """Compile what the computer needs, before the first board is drawn and before any time counts."""
    with busy("compiling"):
        mind.warm(game)


class TerminalGame:
    """One game between a person (``side`` 0 or 1) and the computer."""

    def __init__(self, mind: Mind, game: Game, side: int) -> None:
        self.mind = mind
        self.side = side
        self.session = Session(game)
        self.console = Console(highlight=False, soft_wrap=True)
        self.commands = {
            "help": self._help,
            "?": self._help,
            "moves": self._moves,
            "hint": self._hint,
            "undo": self._undo,
            "show": self._show,
            "save": self._save,
            "load": self._load,
            "quit": self._quit,
            "exit": self._quit,
        }

    def run(self) -> None:
        """Play until the game ends or the person leaves; Ctrl-C shows the position before it propagates."""
        game = self.session.game
        warm_up(self.mind, game)
        self._say(f"{game}: you are {game.players[self.side]}, against {self._opponent()} with seed {self.mind.seed}.")
        self._say("Type a move, or help.\n")
        try:
            self._show("")
            while not self.session.over:
                if self.session.position.to_move == self.side:
                    self._ask()
                    continue
                with thinking() as limits:
                    decision = self.mind.choose(self.session, limits=limits)
                self.session.carry_out(decision)
                self._announce(decision)
        except (_Quit, EOFError):
            self._leave()
        except KeyboardInterrupt:
            self._leave()
            raise
        else:
            self._say(f"The game is over after {len(self.session.steps)} moves: {self.session.result}")

    # -- turns

    def _ask(self) -> None:
        """Let the person move or give one command; a mistake is explained and changes nothing."""
        line = input(f"{self.session.game.players[self.side]}> ").strip()
        word, _, rest = line.partition(" ")
        try:
            if word.lower() in self.commands:
                self.commands[word.lower()](rest.strip())
            elif line:
                self.session.play(self.side, line)
                self._show("")
        except MontegoError as problem:
            hint = "" if not isinstance(problem, IllegalMove) else " (moves lists the legal ones, help the commands)"
            self.console.print(Text(printable(f"{problem}{hint}"), style="red"))

    def _announce(self, decision: Decision) -> None:
        """Tell the person what the computer has done."""
        name = self.session.game.players[decision.player]
        if decision.move is None:
            self._say(f"{name} resigns: you have won.")
            return
        self._say(f"{name} plays {self.session.game.move_name(decision.move)}{self._belief(decision.move)}.\n")
        self._show("")

    def _belief(self, move: int) -> str:
        """Say what the computer expects from a move, if its last search chose it."""
        best = self.mind.last.best() if self.mind.last else None
        known = best is not None and best.number == move and best.value is not None
        return f" (expects {best.value:.0%})" if known and best else ""

    def _opponent(self) -> str:
        return text(self.mind.settings)

    # -- commands, each with the rest of the line

    def _help(self, rest: str) -> None:
        self._say(HELP)

    def _moves(self, rest: str) -> None:
        moves = [move for move in self.session.position.legal_moves() if move.lower().startswith(rest.lower())]
        if not moves:
            self._say(f"no legal move starts with '{rest}'")
            return
        shown = textwrap.fill(" ".join(moves[:_LISTED]), self.console.width - 1, break_on_hyphens=False)
        more = len(moves) - _LISTED
        self._say(shown + (f"\n… and {more} more; moves TEXT lists those that start with TEXT" if more > 0 else ""))

    def _hint(self, rest: str) -> None:
        manners = replace(self.mind.manners, resign_below=0.0)
        with thinking() as limits:
            decision = self.mind.choose(self.session, limits=limits, manners=manners)
        if decision.move is None:
            self._say(f"{self._opponent()} would resign")
        else:
            move = self.session.game.move_name(decision.move)
            self._say(f"{self._opponent()} would play {move}{self._belief(decision.move)}")

    def _undo(self, rest: str) -> None:
        own = [number for number, step in enumerate(self.session.steps) if step.player == self.side]
        if not own:
            raise IllegalMove("nothing to undo: you have not moved yet")
        self.session.undo(len(self.session.steps) - own[-1])
        self._show("")

    def _show(self, rest: str) -> None:
        board = Text(str(self.session.position))
        board.highlight_regex(r"\(\S\)", "bold magenta")
        self.console.print(board)

    def _save(self, rest: str) -> None:
        if not rest:
            raise MontegoError("save needs the name of a file, as in: save game.json")
        write_file(rest, self.session.position.dumps() + "\n")
        self._say(f"saved to {rest}")

    def _load(self, rest: str) -> None:
        if not rest:
            raise MontegoError("load needs the name of a file, as in: load game.json")
        self.session.load(Position.loads(read_text(rest)))
        warm_up(self.mind, self.session.game)
        self._show("")

    def _quit(self, rest: str) -> None:
        raise _Quit

    # -- output

    def _say(self, line: str) -> None:
        self.console.print(printable(line), markup=False)

    def _leave(self) -> None:
        self._say(f"\nThe game stops after {len(self.session.steps)} moves:")
        self._show("")


def play_alone(mind: Mind, game: Game, show_boards: bool) -> None:
    """Let the computer play against itself; print the moves, and the board after each of them or only at the end."""
    session = Session(game)
    warm_up(mind, game)
    print(f"{game}: {text(mind.settings)} against itself, seed {mind.seed}")
    try:
        while not session.over and len(session.steps) < game.max_length():
            name = game.players[session.position.to_move]
            decision = mind.choose(session)
            session.carry_out(decision)
            if decision.move is None:
                break
            print(f"{len(session.steps):>3}. {name} {game.move_name(decision.move)}", flush=True)
            if show_boards:
                print(f"{session.position}\n")
    finally:
        if not show_boards:
            print(session.position)
    if session.resigned is not None:
        end = f"{game.players[session.resigned]} resigns"
    else:
        end = session.result if session.over else "stopped, as a playout would be"
    print(f"{len(session.steps)} moves: {end}")
