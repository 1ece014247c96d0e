"""A game between a person and a player in the terminal, and a game that a player plays alone."""

import textwrap
from pathlib import Path

from rich.console import Console
from rich.text import Text

from montego.errors import IllegalMove, MontegoError, Resignation
from montego.games import Position
from montego.players import Player

HELP = """\
  a move        play it, as it is written on the board (moves lists the legal ones)
  moves [TEXT]  list the legal moves, or only those that start with TEXT
  hint          ask the computer what it would play
  undo          take back your last move and the answer to it
  show          draw the board again
  save FILE     write the game to a file
  load FILE     go on with a game from a file
  quit          leave"""
_LISTED = 60  # more moves than this are counted, not listed


class _Quit(Exception):
    """The person wants to leave."""


class Session:
    """One game between a person (``side`` 0 or 1) and a player."""

    def __init__(self, player: Player, side: int) -> None:
        self.player = player
        self.side = side
        self.position = player.game.start()
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
        """Play until the game ends or the person leaves; Ctrl-C shows the position before it goes on."""
        game = self.position.game
        self._say(f"{game}: you are {game.players[self.side]}, against {self.player} with seed {self.player.seed}.")
        self._say("Type a move, or help.\n")
        try:
            self._show("")
            while not self.position.over:
                if self.position.to_move == self.side:
                    self._ask()
                else:
                    self._answer()
        except (_Quit, EOFError):
            self._leave()
        except KeyboardInterrupt:
            self._leave()
            raise
        else:
            self._say(f"The game is over after {len(self.position.moves)} moves: {self.position.result}")

    # -- turns

    def _ask(self) -> None:
        """Let the person move or give one command; what cannot be understood is explained and changes nothing."""
        line = input(f"{self.position.game.players[self.side]}> ").strip()
        word, _, rest = line.partition(" ")
        try:
            if word.lower() in self.commands:
                self.commands[word.lower()](rest.strip())
            elif line:
                self.position.play(line)
                self._show("")
        except MontegoError as problem:
            hint = "" if not isinstance(problem, IllegalMove) else " (moves lists the legal ones, help the commands)"
            self.console.print(Text(f"{problem}{hint}", style="red"))

    def _answer(self) -> None:
        name = self.position.game.players[self.position.to_move]
        try:
            move = self.player.choose(self.position)
        except Resignation:
            self._say(f"{name} resigns: you have won.")
            raise _Quit from None
        self.position.play(move)
        self._say(f"{name} plays {move}{self._belief()}.\n")
        self._show("")

    def _belief(self) -> str:
        """Say what the player expects from the move it chose."""
        best = self.player.analysis().best()
        return "" if best is None or best.value is None else f" (expects {best.value:.0%})"

    # -- commands, each with the rest of the line

    def _help(self, rest: str) -> None:
        self._say(HELP)

    def _moves(self, rest: str) -> None:
        moves = [move for move in self.position.legal_moves() if move.lower().startswith(rest.lower())]
        if not moves:
            self._say(f"no legal move starts with '{rest}'")
            return
        shown = textwrap.fill(" ".join(moves[:_LISTED]), self.console.width - 1, break_on_hyphens=False)
        more = len(moves) - _LISTED
        self._say(shown + (f"\n… and {more} more; moves TEXT lists those that start with TEXT" if more > 0 else ""))

    def _hint(self, rest: str) -> None:
        move = self.player.choose(self.position)
        self._say(f"{self.player} would play {move}{self._belief()}")

    def _undo(self, rest: str) -> None:
        before = self.position.copy()
        try:
            before.undo()
            while before.to_move != self.side:
                before.undo()
        except IllegalMove:
            raise IllegalMove("nothing to undo: you have not moved yet") from None
        self.position = before
        self._show("")

    def _show(self, rest: str) -> None:
        board = Text(str(self.position))
        board.highlight_regex(r"\(\S\)", "bold magenta")
        self.console.print(board)

    def _save(self, rest: str) -> None:
        if not rest:
            raise MontegoError("save needs the name of a file, as in: save game.json")
        try:
            Path(rest).write_text(self.position.dumps() + "\n", encoding="utf-8")
        except OSError as problem:
            raise MontegoError(f"cannot write {rest}: {problem.strerror or problem}") from None
        self._say(f"saved to {rest}")

    def _load(self, rest: str) -> None:
        if not rest:
            raise MontegoError("load needs the name of a file, as in: load game.json")
        try:
            source = Path(rest).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as problem:
            raise MontegoError(f"cannot read {rest}: {getattr(problem, 'strerror', None) or problem}") from None
        position = Position.loads(source)
        if position.game != self.position.game or type(position.game) is not type(self.position.game):
            self.player = Player(self.player.settings, position.game, self.player.seed)
        self.position = position
        self._show("")

    def _quit(self, rest: str) -> None:
        raise _Quit

    # -- output

    def _say(self, line: str) -> None:
        self.console.print(line, markup=False)

    def _leave(self) -> None:
        self._say(f"\nThe game stops after {len(self.position.moves)} moves:")
        self._show("")


def play_alone(player: Player, show_boards: bool) -> Position:
    """Let a player play against itself; print the moves, and the board after each of them or only at the end."""
    position = player.game.start()
    names = player.game.players
    resigned = ""
    print(f"{player.game}: {player} against itself, seed {player.seed}")
    try:
        while not position.over and len(position.moves) < player.game.max_length():
            name = names[position.to_move]
            move = player.choose(position)
            position.play(move)
            print(f"{len(position.moves):>3}. {name} {move}", flush=True)
            if show_boards:
                print(f"{position}\n")
    except Resignation:
        resigned = f"{names[position.to_move]} resigns"
    finally:
        if not show_boards:
            print(position)
    end = resigned or (position.result if position.over else "stopped, as a playout would be")
    print(f"{len(position.moves)} moves: {end}")
    return position
