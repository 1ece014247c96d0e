"""The engine as a process: replies are flushed, standard output is clean, input cuts an analysis short."""

import os
import queue
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import montego
from tests.protocols.talk import parse_replies

pytestmark = pytest.mark.compiled

ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(montego.__file__).parents[1])}
FAST = "uct(playouts=100, memory=5)"
MOMENT = 2.0  # seconds; machines that run tests are slow


class Process:
    """``montego gtp`` with its standard output read line by line."""

    def __init__(self, *arguments):
        command = [sys.executable, "-W", "error", "-m", "montego.cli", "gtp", "--seed", "1", *arguments]
        self.child = subprocess.Popen(
            command, env=ENVIRONMENT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        self.lines: queue.Queue[str] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.child.stdout:
            self.lines.put(line)
        self.lines.put("")

    def send(self, text):
        self.child.stdin.write(text)
        self.child.stdin.flush()

    def reply(self, seconds=120):
        """Return everything up to the empty line that ends a reply."""
        text, line = "", ""
        while line != "\n":
            line = self.lines.get(timeout=seconds)
            assert line, f"the engine ended after {text!r}"
            text += line
        return text

    def close(self):
        self.child.stdin.close()
        code = self.child.wait(timeout=30)
        self.child.stdout.close()
        return code, self.child.stderr.read()


@pytest.fixture
def process():
    started = []

    def start(*arguments):
        started.append(Process(*arguments))
        return started[-1]

    yield start
    for engine in started:
        engine.child.kill()
        engine.child.wait()
        for stream in (engine.child.stdin, engine.child.stdout, engine.child.stderr):
            stream.close()


def test_every_reply_comes_at_once(process):
    engine = process("--game", "go(size=5)", "--player", FAST)
    for number in range(20):
        engine.send(f"{number} name\n")
        assert engine.reply() == f"={number} Montego\n\n"
    engine.send("genmove b\r\n")
    assert engine.reply().startswith("= ")
    engine.send("quit\n")
    assert engine.reply() == "= \n\n"
    code, errors = engine.close()
    assert code == 0
    assert "Traceback" not in errors
    assert "playouts" in errors  # what is for people is on stderr


def test_input_ends_an_analysis_within_a_moment(process):
    engine = process("--game", "go(size=9)", "--player", "uct(playouts=0, seconds=300, memory=20)")
    engine.send("boardsize 9\n")
    engine.reply()
    for ending, follows in (("\n", False), ("name\n", True), ("# interrupt\n", False)):
        engine.send("3 kata-analyze b 5 ownership true\n")
        assert engine.lines.get(timeout=20) == "=3\n"
        for _ in range(3):
            assert engine.lines.get(timeout=20).startswith("info move ")
        began = time.monotonic()
        engine.send(ending)
        rest = engine.reply()
        assert time.monotonic() - began < MOMENT
        assert all(line.startswith("info ") for line in rest.split("\n") if line)
        if follows:
            assert engine.reply() == "= Montego\n\n"


def test_interrupt_cuts_a_move_short(process):
    engine = process("--game", "go(size=9)", "--player", "uct(playouts=0, seconds=300, memory=20)")
    engine.send("name\n")
    engine.reply()
    engine.send("genmove b\n# interrupt\n")  # even if it is there before the search begins
    assert engine.reply(60).startswith("= ")
    engine.send("lz-genmove_analyze w 10\n")
    assert engine.lines.get(timeout=20) == "=\n"
    assert engine.lines.get(timeout=20).startswith("info ")
    engine.send("# interrupt\n")
    assert "\nplay " in engine.reply(60)


def test_a_clock_is_kept(process):
    engine = process("--game", "go(size=9)", "--player", "uct(playouts=0, seconds=300, memory=20)")
    engine.send("time_settings 0 2 1\n")
    engine.reply()
    began = time.monotonic()
    engine.send("genmove b\n")
    engine.reply()
    assert 0.5 < time.monotonic() - began < 2.0 + MOMENT


def test_the_end_of_input_ends_the_process_after_the_last_reply():
    command = [sys.executable, "-W", "error", "-m", "montego.cli", "gtp", "--game", "hex(size=4)", "--player", FAST]
    done = subprocess.run(
        command,
        env=ENVIRONMENT,
        input=b"1 genmove b\n\xff\xfe junk\n2 lz-analyze w 10\n3 showboard",
        capture_output=True,
    )
    replies = parse_replies(done.stdout.decode())
    assert [(reply.id, reply.ok) for reply in replies] == [("1", True), ("", False), ("2", True), ("3", True)]
    assert done.returncode == 0
    assert b"Traceback" not in done.stderr


def test_bad_options_are_one_line():
    command = [sys.executable, "-m", "montego.cli", "gtp", "--player", "uct(plaouts=3)"]
    done = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("montego: error: uct: unknown parameter 'plaouts'")
    assert done.stderr.count("\n") == 1
