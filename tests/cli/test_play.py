"""``montego play``: a person's game, typed in a real terminal too, and the game a player plays alone."""

import os
import pty
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import montego as mg
from montego.cli.main import run
from montego.cli.options import favourite_game
from montego.cli.pieces import pieces_text
from montego.cli.table_commands import COMMANDS, complete
from montego.cli.terminal import TerminalGame
from montego.cli.thinking import StopOnInterrupt, usual_settings
from montego.players import PLAYERS
from montego.sessions import PLAY_ON, Decision, Manners, Mind

COMMAND = ["play", "--game", "tictactoe", "--player", "flat(playouts=60)", "--seed", "1"]


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Lines that the person will type; afterwards the input ends."""
    lines: list[str] = []

    def answer(prompt: str) -> str:
        if not lines:
            raise EOFError
        line = lines.pop(0)
        if line == "^C":
            raise KeyboardInterrupt
        return line

    monkeypatch.setattr("builtins.input", answer)
    return lines


def play_as(side: str, capsys: pytest.CaptureFixture[str], code: int = 0) -> str:
    assert run([*COMMAND, "--side", side]) == code
    return capsys.readouterr().out


# ------------------------------------------------------------------------------------------------------ a person's game


def test_a_game_to_its_end(typed: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    typed += [f"{column}{row}" for column in "abc" for row in "123"] * 2  # those that are taken are refused
    output = play_as("x", capsys)
    assert "you are X, against flat(playouts=60) with seed 1" in output
    assert "Tic-tac-toe: three in a row on a 3×3 board wins." in output
    assert "O plays " in output
    assert output.count("The game is over after ") == 1
    assert output.count("You may type undo, review, graph, analyse, save FILE, new or quit.") == 1
    assert "; undo, new and help are possible" in output.splitlines()[-1]


def test_the_second_side_waits_for_the_first_move(typed: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    output = play_as("second", capsys)
    assert "you are O" in output
    assert output.index("X plays ") < output.index("The game stops after 1 move:")


def test_help_moves_hint_show(typed: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    typed += ["help", "moves", "moves b", "moves x", "hint", "show", "", "QUIT"]
    output = play_as("first", capsys)
    assert "take back your last move" in output
    assert "a3 b3 c3 a2 b2 c2 a1 b1 c1" in output
    assert "\nb3 b2 b1\n" in output
    assert "no legal move starts with 'x'" in output
    assert "flat(playouts=60) would play " in output
    assert "The game stops after 0 moves" in output


def test_bad_moves_are_explained_and_change_nothing(typed: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    typed += ["z9", "b2 b3", "b2", "b2", "save", "load", "load nowhere.json", "save /nonexistent/file", "undo", "undo"]
    output = play_as("first", capsys)
    assert "no move 'z9' in tictactoe" in output
    assert "illegal move b2 for X: b2 is taken (moves lists" in output
    assert "save needs the name of a file" in output
    assert "load needs the name of a file" in output
    assert "cannot read 'nowhere.json': No such file" in output
    assert "cannot write '/nonexistent/file.sgf': No such file" in output
    assert "nothing to undo: you have not moved yet" in output
    assert "The game stops after 0 moves" in output


@pytest.mark.parametrize(("side", "moves", "left"), [(0, "a1 b2 a2 b3", "a1 b2"), (1, "a1 b2 a2 b3 c1", "a1 b2 a2")])
def test_undo_takes_back_the_move_and_its_answer(side: int, moves: str, left: str) -> None:
    game = TerminalGame(Mind(PLAYERS.build("random"), 1), mg.game("tictactoe"), side)
    session = game.session
    for turn, move in enumerate(moves.split()):
        session.play(turn % 2, move)
    COMMANDS["undo"].run(game, "")
    assert session.history == left.split()
    assert session.position.to_move == side
    COMMANDS["undo"].run(game, "")
    with pytest.raises(mg.IllegalMove, match="you have not moved yet"):
        COMMANDS["undo"].run(game, "")
    assert session.position.to_move == side


@pytest.mark.parametrize("name", ["game", "game.sgf", "game.json"])
def test_save_and_load(name: str, typed: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / name
    written = file if file.suffix else tmp_path / "game.sgf"
    typed += ["b2", f"save {file}"]
    assert f"saved to {written}" in play_as("first", capsys)
    assert written.read_text(encoding="utf-8").startswith("{" if name.endswith("json") else "(;")
    typed += [f"load {file}"]
    assert "The game stops after 2 moves" in play_as("first", capsys)
    written.write_text("{}", encoding="utf-8")
    typed += [f"load {file}"]
    assert "damaged position" in play_as("first", capsys)
    written.write_text("a letter", encoding="utf-8")
    typed += [f"load {file}"]
    assert "no SGF found" in play_as("first", capsys)


@pytest.mark.both_modes
def test_save_replaces_nothing_but_records(
    typed: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    notes = tmp_path / "notes.txt"
    notes.write_text("buy milk", encoding="utf-8")
    typed += [f"save {notes}", f"save {tmp_path / 'notes-game'}", f"save {tmp_path / 'notes-game'}"]
    output = play_as("first", capsys)
    assert "notes.txt exists and is not a game record; take a new name, such as notes-game.sgf" in output
    assert output.count("saved to") == 2
    assert notes.read_text(encoding="utf-8") == "buy milk"


def test_a_record_names_the_players_and_who_resigned(
    typed: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    typed += ["b2", "resign", "resign", f"save {tmp_path / 'game'}", "b1", "undo", "quit"]
    output = play_as("first", capsys)
    assert "The game is over after 2 moves: O+resign" in output
    assert "the game is over (O+resign)" in output
    assert "The game stops after 2 moves" in output  # undo has taken the resignation back
    record = mg.read_sgf(tmp_path / "game.sgf")
    assert (record.players, record.result) == (("you", "Montego flat(playouts=60)"), "W+R")


def test_opinions(typed: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    typed += ["pv", "graph", "review", "analyse", "score", "b2", "hint", "graph", "review", "score"]
    output = play_as("first", capsys)
    for complaint in (
        "the computer has not searched yet",
        "the computer has not thought about this game yet",
        "there is nothing to review",
        "there is nothing to analyse",
        "there are no points in this game before it ends",
    ):
        assert complaint in output
    assert "X's win rate" in output
    assert "  1. X       b2\n" in output
    assert "  2. O       " in output


def test_new_games_levels_and_sides(typed: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    typed += [
        "b2",
        "new",
        "level",
        "level 30",
        "level easy",
        "level nonsense",
        "switch",
        "level random",
        "level 5",
        "new chess",
    ]
    output = play_as("first", capsys)
    assert "you play against flat(playouts=30)" in output
    assert "you play against flat(playouts=500)" in output
    assert "no level 'nonsense'" in output
    assert "you are O now" in output
    assert "you play against random" in output
    assert "random has no playouts to change" in output
    assert "unknown game 'chess'" in output
    assert "The game stops after 1 move:" in output  # the new game, in which the computer has begun after the switch


def test_dead_stones_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    game = TerminalGame(Mind(PLAYERS.build("random"), 1), mg.game("go(size=5, komi=0.5)"), 0)
    for move in ["C1", "E5", "C2", "A1", "C3", "pass", "C4", "pass", "C5", "pass", "B3", "pass", "D3", "pass", "pass"]:
        game.session.play(game.session.position.to_move, move)
    COMMANDS["score"].run(game, "")
    assert "dead stones: E5 A1" in capsys.readouterr().out
    game.session.play(game.session.position.to_move, "pass")
    game._announce_end()
    assert "Without the dead stones (E5 A1): Black+24.5" in capsys.readouterr().out


def test_blokus_pieces(capsys: pytest.CaptureFixture[str]) -> None:
    game = TerminalGame(Mind(PLAYERS.build("random"), 1), mg.game("blokus_duo"), 0)
    COMMANDS["pieces"].run(game, "")
    COMMANDS["moves"].run(game, "x")
    output = capsys.readouterr().out
    assert "T5" in output
    assert "X e10" in output
    assert game.called(game.session.game.parse_move("X e10")) == "X e10 (e8,d9,e9,f9,e10)"
    assert "X e10" in list(complete(game, "X"))
    with pytest.raises(mg.MontegoError, match="there are no pieces in hand"):
        COMMANDS["pieces"].run(TerminalGame(game.mind, mg.game("tictactoe"), 0), "")


def test_pieces_are_drawn() -> None:
    pieces = {"1": [(0, 0)], "V3": [(0, 0), (1, 0), (1, 1)], "X": [(0, 1), (1, 0), (1, 1), (1, 2), (2, 1)]}
    lines = ["1    V3     X", "[]   []       []", "     [][]   [][][]", "              []"]
    assert pieces_text(pieces, width=40).splitlines() == lines
    assert len(pieces_text(pieces, width=10).splitlines()) == 2 + 1 + 3 + 1 + 4


def test_completion() -> None:
    game = TerminalGame(Mind(PLAYERS.build("random"), 1), mg.game("tictactoe"), 0)
    assert {"undo", "help", "b2"} <= set(complete(game, ""))
    assert "level easy" in list(complete(game, "level e"))
    assert "new hex" in list(complete(game, "new "))


@pytest.mark.both_modes
def test_a_first_interrupt_leaves_the_game_as_it_is(typed: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    typed += ["b2", "^C", "show", "^C", "quit"]
    output = play_as("first", capsys)
    assert output.count("Ctrl-C again leaves, as does quit") == 2
    assert "The game stops after 2 moves" in output


@pytest.mark.both_modes
def test_an_interrupt_between_an_answer_and_the_prompt_loses_nothing(
    typed: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    show, count = TerminalGame.show, 0

    def interrupted(self: TerminalGame) -> None:
        nonlocal count
        count += 1
        if count == 3:  # after the computer's move
            raise KeyboardInterrupt
        show(self)

    monkeypatch.setattr(TerminalGame, "show", interrupted)
    typed += ["b2", "quit"]
    assert "The game stops after 2 moves" in play_as("first", capsys)


@pytest.mark.both_modes
def test_an_interrupt_stops_the_analysis_and_keeps_the_game(
    typed: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def press(record: object, player: object, seconds: float, step: Callable[[int, int], None], watch: object) -> None:
        signal.raise_signal(signal.SIGINT)
        step(1, 2)

    monkeypatch.setattr("montego.cli.table_commands.review", press)
    typed += ["b2", "analyse"]
    output = play_as("first", capsys)
    assert "the analysis was stopped" in output
    assert "The game stops after 2 moves" in output


@pytest.mark.both_modes
@pytest.mark.parametrize(
    ("player", "complaint"),
    [
        ("uct(playout=careful)", "playout careful knows self-ataris of Go only"),
        ('gtp("false")', "false ended during"),
        ("micro_reduction", "plays hex and y, not tictactoe"),
        ("9" * 30, "playouts must be a whole number"),
    ],
)
def test_a_level_that_cannot_play_is_refused(
    player: str, complaint: str, typed: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    typed += [f"level {player}", "b2", "level"]
    output = play_as("first", capsys)
    assert complaint in output
    assert "you play against flat(playouts=60)" in output
    assert "The game stops after 2 moves" in output


@pytest.mark.both_modes
def test_a_record_that_the_computer_cannot_play_is_refused(
    typed: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "other.sgf"
    mg.write_sgf(mg.game("tictactoe").start().play("b2"), file)
    game = TerminalGame(Mind(PLAYERS.build("uct(playouts=5, playout=careful)"), 1), mg.game("go(size=3)"), 0)
    typed += ["a1", f"load {file}"]
    game.run()
    assert "playout careful knows self-ataris of Go only" in capsys.readouterr().out
    assert str(game.session.game) == "go(size=3)"
    assert len(game.session.steps) == 2


@pytest.mark.both_modes
def test_another_game_gets_its_usual_player_unless_one_is_named(typed: list[str]) -> None:
    game = TerminalGame(Mind(usual_settings(mg.game("go(size=3)")), 1), mg.game("go(size=3)"), 0, named=False)
    typed += ["level 5", "new hex(size=3)"]
    game.run()
    assert game.mind.settings == usual_settings(mg.game("hex(size=3)"), playouts=5, seconds=0.0)
    typed += ["level uct(playouts=7)", "new tictactoe"]
    game.run()
    assert game.mind.settings == PLAYERS.build("uct(playouts=7)")


@pytest.mark.both_modes
def test_a_computer_that_fails_leaves_the_game_as_it_is(
    typed: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    game = TerminalGame(Mind(PLAYERS.build("random"), 1), mg.game("tictactoe"), 0)
    choose = game.mind.choose

    def fail(session: object, limits: object) -> Decision:
        monkeypatch.setattr(game.mind, "choose", choose)
        raise mg.MontegoError("the engine has gone")

    monkeypatch.setattr(game.mind, "choose", fail)
    typed += ["b2", "a1", ""]
    game.run()
    output = capsys.readouterr().out
    assert "the engine has gone" in output
    assert "it is the computer's turn" in output
    assert len(game.session.steps) == 2


def test_two_interrupts_show_the_position(typed: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    typed += ["b2", "^C", "^C"]
    output = play_as("first", capsys, code=130)
    assert "The game stops after 2 moves" in output
    assert output.rstrip().endswith("X to move")


def test_the_computer_may_resign(
    typed: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    mind = Mind(PLAYERS.build("random"), 1)
    monkeypatch.setattr(mind, "choose", lambda session, limits: Decision(session.position.to_move, None))
    TerminalGame(mind, mg.game("tictactoe"), 1).run()
    lines = capsys.readouterr().out.splitlines()
    assert lines[-3:-1] == ["X resigns: you have won.", "The game is over after 0 moves: O+resign"]


def test_the_computer_has_manners_against_a_person_only(monkeypatch: pytest.MonkeyPatch, typed: list[str]) -> None:
    seen = []
    build = Mind.__init__

    def note(self: Mind, settings: object, seed: int | None, manners: Manners) -> None:
        seen.append(manners)
        build(self, settings, seed, manners)

    monkeypatch.setattr(Mind, "__init__", note)
    for side in ("first", "none"):
        assert run([*COMMAND, "--side", side]) == 0
    assert seen == [Manners(), PLAY_ON]


def test_ctrl_c_while_thinking_is_a_wish_and_twice_an_order() -> None:
    before = signal.getsignal(signal.SIGINT)
    with StopOnInterrupt() as interrupt:
        assert not interrupt.watch(lambda: pytest.fail("nobody asked for an analysis"))
        signal.raise_signal(signal.SIGINT)
        assert interrupt.watch(lambda: pytest.fail("nobody asked for an analysis"))
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) == before


# ----------------------------------------------------------------------------------------------------- without a person


def test_without_a_terminal_a_game_is_played_and_printed() -> None:
    command = [sys.executable, "-m", "montego.cli", *COMMAND]
    child = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True)
    lines = child.stdout.splitlines()
    assert lines[0] == "tictactoe: flat(playouts=60) against itself, seed 1"
    assert lines[1].startswith("  1. X ")
    assert lines[-1].endswith(("draw", "X+1", "O+1"))
    again = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True)
    assert again.stdout == child.stdout


def test_a_game_is_found_when_none_is_named() -> None:
    assert favourite_game() == mg.game("go(size=9)" if "go" in mg.GAMES.names() else "tictactoe")


# ------------------------------------------------------------------------------------------------------ a real terminal


class Terminal:
    """``montego play`` in a pseudo-terminal."""

    def __init__(self, *args: str) -> None:
        self.screen, inside = pty.openpty()
        command = [sys.executable, "-m", "montego.cli", *args]
        # The pseudo-terminal does not answer when it is asked where the cursor is.
        environment = {**os.environ, "TERM": "xterm", "COLUMNS": "100", "LINES": "40", "PROMPT_TOOLKIT_NO_CPR": "1"}
        self.process = subprocess.Popen(
            command, stdin=inside, stdout=inside, stderr=inside, env=environment, start_new_session=True
        )
        os.close(inside)
        self.text = ""
        self.read = 0  # how much of the text earlier calls of wait_for have used up

    def wait_for(self, word: str, seconds: float = 60) -> None:
        """Read on until a word has appeared."""
        until = time.monotonic() + seconds
        while (at := self.text.find(word, self.read)) < 0:
            if not self.appears(until - time.monotonic()):
                raise AssertionError(f"{word!r} did not appear in {self.text[self.read :]!r}")
        self.read = at + len(word)

    def appears(self, seconds: float) -> bool:
        """Whether anything new appears within some seconds."""
        ready, _, _ = select.select([self.screen], [], [], max(0.0, seconds))
        try:
            new = os.read(self.screen, 4096).decode(errors="replace") if ready else ""
        except OSError:  # the other end is closed
            return False
        self.text += new
        return new != ""

    def type(self, line: str) -> None:
        os.write(self.screen, line.encode())

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self.screen)


@pytest.fixture
def terminal() -> Iterator[Terminal]:
    terminal = Terminal(*COMMAND)
    yield terminal
    terminal.close()


def test_in_a_terminal(terminal: Terminal) -> None:
    terminal.wait_for("X>")
    terminal.type("b2\n")
    terminal.wait_for("O plays ")
    terminal.wait_for("X>")
    terminal.type("b2\n")
    terminal.wait_for("illegal move b2")
    terminal.wait_for("X>")
    terminal.type("undo\n")
    terminal.wait_for("X to move")  # what is typed is drawn with its prompt, so the next "X>" may be that of the undo
    terminal.wait_for("X>")
    terminal.type("\x04")  # the end of the input
    terminal.wait_for("The game stops after 0 moves")
    assert terminal.process.wait(30) == 0


def test_ctrl_c_in_a_terminal(terminal: Terminal) -> None:
    terminal.wait_for("X>")
    for _ in range(50):  # Python may sleep through a signal that comes just before it begins to wait for input
        terminal.process.send_signal(signal.SIGINT)
        if terminal.appears(0.5):
            break
    terminal.wait_for("Ctrl-C again leaves")
    terminal.wait_for("X>")
    terminal.type("\x03")
    terminal.wait_for("The game stops after 0 moves")
    terminal.wait_for("X to move")
    assert terminal.process.wait(30) == 130
    assert "Traceback" not in terminal.text


def test_ctrl_c_makes_the_computer_move() -> None:
    """The computer would think for minutes; the first Ctrl-C makes it move with what it has found."""
    player = "flat(playouts=0, seconds=600)"
    terminal = Terminal("play", "--game", "tictactoe", "--player", player, "--seed", "1", "--side", "second")
    try:
        terminal.wait_for("compiling")
        terminal.wait_for("you are O", 300)  # a first compilation on a busy machine
        terminal.wait_for("thinking")
        terminal.process.send_signal(signal.SIGINT)
        terminal.wait_for("X plays ")
        terminal.wait_for("O>")
        terminal.type("quit\n")
        terminal.wait_for("The game stops after 1 move:")
        assert terminal.process.wait(30) == 0
    finally:
        terminal.close()
