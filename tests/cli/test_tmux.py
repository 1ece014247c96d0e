"""Whole games in a real terminal, typed through tmux: mistakes, undo, save, load, editing, Ctrl-C."""

import re
import shlex
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

import montego as mg
from tests.external import require_program

PATIENCE = 120  # seconds for anything to appear; a first compilation on a busy machine takes long
PROMPT = re.compile(r"^(\w[\w ]*)>$")


class Screen:
    """``montego`` in a window of tmux."""

    def __init__(self, folder: Path, *args: str) -> None:
        self.tmux = [require_program("tmux"), "-L", f"montego-{uuid.uuid4().hex[:8]}", "-f", "/dev/null"]
        command = shlex.join([sys.executable, "-m", "montego.cli", *args])
        shell = f"cd {shlex.quote(str(folder))} && {command}; echo left with $?; sleep 600"
        self._run("new-session", "-d", "-x", "100", "-y", "40", "sh", "-c", shell)
        self._run("set-option", "-g", "history-limit", "20000")

    def _run(self, *args: str) -> str:
        done = subprocess.run([*self.tmux, *args], capture_output=True, text=True, check=True, timeout=60)
        return done.stdout

    def close(self) -> None:
        subprocess.run([*self.tmux, "kill-server"], capture_output=True, check=False)

    @property
    def lines(self) -> list[str]:
        """What is and was on the screen, without empty lines at the end."""
        return self._run("capture-pane", "-p", "-J", "-S", "-").rstrip().splitlines()

    def wait_until(self, what: str, shown: "re.Pattern[str]", lines: int = 2) -> str:
        """Wait until one of the last lines matches, and return that line."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            for line in reversed(self.lines[-lines:]):
                if shown.search(line.rstrip()):
                    return line.rstrip()
            time.sleep(0.05)
        raise AssertionError(f"no {what} on the screen:\n" + "\n".join(self.lines[-40:]))

    def prompt(self) -> str:
        """Wait until a line may be typed, and return who is asked."""
        return self.wait_until("prompt", PROMPT, lines=1).rstrip(">")

    def keys(self, *keys: str) -> None:
        self._run("send-keys", *keys)

    def type(self, line: str) -> list[str]:
        """Type a line at the prompt and return what is printed up to the next prompt."""
        self.prompt()
        before = len(self.lines)
        self._run("send-keys", "-l", line)
        self.keys("Enter")
        until = time.monotonic() + PATIENCE
        while len(self.lines) <= before:
            assert time.monotonic() < until, f"no answer to {line!r}"
            time.sleep(0.02)
        self.prompt()
        return self.lines[before:]


@pytest.fixture
def screens(tmp_path: Path) -> Iterator[list[Screen]]:
    opened: list[Screen] = []
    yield opened
    for screen in opened:
        screen.close()


def play_on(screen: Screen) -> int:
    """Play what the computer advises until the game is over; return how many moves were typed."""
    for count in range(100):
        if screen.prompt() == "game over":
            return count
        advice = next(line for line in screen.type("hint") if "would play" in line)
        move = advice.partition("would play ")[2].partition(" (")[0].strip()
        screen.type(move)
    raise AssertionError("the game does not end")


@pytest.mark.parametrize(
    ("spec", "side", "first", "reason"),
    [
        ("tictactoe", "x", "b2", "b2 is taken"),
        ("go(size=3, komi=0.5)", "black", "B2", "B2 is taken"),
        ("hex(size=3)", "red", "b2", "b2 is taken"),
        ("y(size=3)", "black", "b3", "b3 is taken"),
        ("blokus_duo", "purple", "X e10", "the piece X has been placed before"),
    ],
)
def test_a_whole_game(spec: str, side: str, first: str, reason: str, tmp_path: Path, screens: list[Screen]) -> None:
    screen = Screen(tmp_path, "play", "--game", spec, "--side", side, "--player", "random", "--seed", "5")
    screens.append(screen)
    assert screen.prompt().lower() == side
    assert any("no move" in line or "no square" in line for line in screen.type("z99"))
    screen.type(first)
    again = first if spec != "blokus_duo" else "X j10"
    assert any(reason in line for line in screen.type(again))
    screen.type("undo")
    assert any("nothing to undo" in line for line in screen.type("undo"))
    screen.type(first)
    assert any("saved to game.sgf" in line for line in screen.type("save game"))
    half = mg.read_sgf(tmp_path / "game.sgf")
    assert len(half.moves) == 2
    play_on(screen)
    assert any("The game is over after " in line for line in screen.lines)
    screen.type("save end")
    end = mg.read_sgf(tmp_path / "end.sgf")
    assert end.position.over
    assert end.moves[:2] == half.moves
    screen.type("load game.sgf")
    assert screen.prompt().lower() == side
    screen.type("resign")
    assert screen.prompt() == "game over"
    screen.type("new")
    assert screen.prompt().lower() == side
    screen.type("help")
    screen.keys("C-c")
    screen.wait_until("warning", re.compile("Ctrl-C again leaves"))
    screen.prompt()
    screen.keys("C-c")
    screen.wait_until("exit code", re.compile("left with 130"))
    assert not any("Traceback" in line for line in screen.lines)


def test_editing_history_and_completion(tmp_path: Path, screens: list[Screen]) -> None:
    screen = Screen(tmp_path, "play", "--game", "tictactoe", "--player", "random", "--seed", "1")
    screens.append(screen)
    screen.prompt()
    screen.keys("s", "c", "Tab")
    screen.wait_until("completion", re.compile(r"^X> score"))
    screen.keys("C-u", "b", "3", "Left", "BSpace", "c", "Enter")  # b3 becomes c3
    screen.wait_until("move", re.compile("O plays "), lines=8)
    assert any(line.startswith("X> c3") for line in screen.lines)
    screen.prompt()
    screen.keys("Up")
    screen.wait_until("history", re.compile(r"^X> c3"))
    screen.keys("C-u", "C-d")
    screen.wait_until("exit code", re.compile("left with 0"))


def test_ctrl_c_while_the_computer_thinks(tmp_path: Path, screens: list[Screen]) -> None:
    """The best move so far is shown, and Ctrl-C makes the computer play it."""
    player = "flat(playouts=0, seconds=600)"
    screen = Screen(tmp_path, "play", "--game", "tictactoe", "--player", player, "--seed", "1", "--side", "second")
    screens.append(screen)
    screen.wait_until("thought", re.compile(r"thinking … \w\d \d+%, [\d,]+ playouts"))
    screen.keys("C-c")
    assert screen.prompt() == "O"
    assert any("X plays " in line for line in screen.lines)
