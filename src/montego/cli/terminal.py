"""A game between a person and the computer in the terminal, and a game that the computer plays alone."""

from rich.console import Console
from rich.text import Text

from montego.cli.board import board_text
from montego.cli.prompt import Ask, line_reader
from montego.cli.table_commands import COMMANDS, FILE_COMMANDS, Quit, complete
from montego.cli.thinking import thinking, warm_up
from montego.errors import IllegalMove, MontegoError, counted
from montego.games import Game
from montego.outside import printable
from montego.sessions import Decision, Mind, Session
from montego.sessions.judge import chain_status, final_score
from montego.spec import summary, text


class TerminalGame:
    """One game between a person (``side`` 0 or 1) and the computer; ``table_commands`` has what the person may type.

    Unless the person has ``named`` a player, another game gets its usual one.
    """

    def __init__(self, mind: Mind, game: Game, side: int, named: bool = True) -> None:
        self.mind = mind
        self.side = side
        self.named = named
        self.session = Session(game)
        self.console = Console(highlight=False, soft_wrap=True)
        self.values: dict[int, float] = {}  # the first player's win rate before a move, by its number from 1
        self._ended = False  # whether the end of this game has been announced
        self._asks = False  # whether the person has a word although it is the computer's turn
        self._interrupted = False  # whether the last thing that the person did was Ctrl-C

    def run(self) -> None:
        """Play until the person leaves; a second Ctrl-C in a row shows the position before it propagates."""
        game = self.session.game
        ask = line_reader(lambda typed: complete(self, typed), FILE_COMMANDS)
        warm_up(self.mind, game)
        self.say(
            f"{game}: you are {game.players[self.side]}, against {text(self.mind.settings)} with seed {self.mind.seed}."
        )
        self.introduce()
        try:
            self.show()
            while True:
                self._turn(ask)
        except (Quit, EOFError):
            self._leave()
        except KeyboardInterrupt:
            self._leave()
            raise

    def introduce(self) -> None:
        """Say what the game is about."""
        self.say(summary(type(self.session.game)))
        self.say("Type a move, or help.\n")

    # -- turns

    def _turn(self, ask: Ask) -> None:
        """Let the person or the computer act; what goes wrong, or is interrupted, leaves the game as it is."""
        session = self.session
        try:
            if not session.over and session.position.to_move != self.side and not self._asks:
                self._asks = True  # unless the answer is completed
                self._answer()
                self._asks = False
                return
            if session.over:
                self._announce_end()
            line = ask("game over> " if session.over else f"{session.game.players[self.side]}> ")
            self._asks = self._interrupted = False
            self._take_line(line)
        except MontegoError as problem:
            self._complain(problem)
        except KeyboardInterrupt:
            if self._interrupted:
                raise
            self._interrupted = True
            self.say("\nCtrl-C again leaves, as does quit")

    def _complain(self, problem: MontegoError) -> None:
        """Say what is wrong."""
        hint = "" if not isinstance(problem, IllegalMove) else " (moves lists the legal ones, help the commands)"
        self.console.print(Text(printable(f"{problem}{hint}"), style="red"))

    def _take_line(self, line: str) -> None:
        """Carry out a move or a command; a mistake raises and changes nothing."""
        line, session = line.strip(), self.session
        word, _, rest = line.partition(" ")
        if word.lower() in COMMANDS:
            COMMANDS[word.lower()].run(self, rest.strip())
        elif line and session.over:
            raise MontegoError(f"the game is over ({session.result}); undo, new and help are possible")
        elif line and session.position.to_move != self.side:
            raise MontegoError("it is the computer's turn; an empty line lets it move, level NAME replaces it")
        elif line:
            session.play(self.side, line)
            self.show()

    def _answer(self) -> None:
        """Let the computer move."""
        with thinking() as limits:
            decision = self.mind.choose(self.session, limits=limits)
            self.note(decision)
            self.session.carry_out(decision)
        name = self.session.game.players[decision.player]
        if decision.move is None:
            self.say(f"{name} resigns: you have won.")
            return
        self.say(f"{name} plays {self.called(decision.move)}{self.belief(decision.move)}.\n")
        self.show()

    def note(self, decision: Decision) -> None:
        """Remember what the computer expects, for the graph."""
        best = self.mind.last.best() if self.mind.last else None
        known = best is not None and best.number == decision.move
        expects = decision.expects if decision.expects is not None or not known or best is None else best.value
        if expects is not None:
            self.values[len(self.session.steps) + 1] = expects if decision.player == 0 else 1.0 - expects

    def called(self, move: int) -> str:
        """Return what a move is called, with its notation where that differs."""
        game = self.session.game
        name, words = game.move_name(move), game.describe_move(move)
        return name if name == words else f"{words} ({name})"

    def belief(self, move: int) -> str:
        """Say what the computer expects from a move, if its last search chose it."""
        best = self.mind.last.best() if self.mind.last else None
        known = best is not None and best.number == move and best.value is not None
        return f" (expects {best.value:.0%})" if known and best else ""

    # -- output

    def say(self, line: str) -> None:
        """Print a line."""
        self.console.print(printable(line), markup=False)

    def show(self) -> None:
        """Draw the board."""
        self.console.print(board_text(self.session.position, self.console))

    def begin_again(self) -> None:
        """Forget what belongs to an earlier game or its end."""
        self._ended = False
        self.values = {number: value for number, value in self.values.items() if number <= len(self.session.steps)}

    def _announce_end(self) -> None:
        """Tell the result once, with the dead stones in games where they come off."""
        if self._ended:
            return
        self._ended = True
        session = self.session
        self.say(f"The game is over after {counted(len(session.steps), 'move')}: {session.result}")
        if session.game.ends_by_passing and session.resigned is None:
            dead = [name for chain in chain_status(session.position)["dead"] for name in chain]
            if dead:
                result = session.game.result(final_score(session.position))
                self.say(f"Without the dead stones ({' '.join(dead)}): {result}")
        self.say("You may type undo, review, graph, analyse, save FILE, new or quit.")

    def _leave(self) -> None:
        if not self.session.over:
            self.say(f"\nThe game stops after {counted(len(self.session.steps), 'move')}:")
            self.show()


def play_alone(mind: Mind, game: Game, show_boards: bool) -> None:
    """Let the computer play against itself; print the moves, and the board after each of them or only at the end."""
    session = Session(game)
    warm_up(mind, game)
    console = Console(highlight=False, soft_wrap=True)
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
                console.print(board_text(session.position, console))
                console.print()
    finally:
        if not show_boards:
            print(session.position)
    if session.resigned is not None:
        end = f"{game.players[session.resigned]} resigns"
    else:
        end = session.result if session.over else "stopped, as a playout would be"
    print(f"{counted(len(session.steps), 'move')}: {end}")
