"""A GTP engine that fails on demand: ``faulty_engine.py FAULT [MOVE …]``. Its moves are those given, then passes.

What it says on stderr is known, so that tests find it in the forfeit.
"""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

KNOWN = (
    "list_commands boardsize clear_board komi play genmove undo quit final_score set_free_handicap time_settings"
    " time_left set_random_seed"
)


def say(text):
    sys.stdout.write(text)
    sys.stdout.flush()


def fail(fault, command):
    """Misbehave at a genmove; return the answer of those faults that have one."""
    sys.stderr.write("thinking hard\nlast words\n")
    sys.stderr.flush()
    if fault == "crash":
        sys.exit(3)
    elif fault == "abort":
        os.kill(os.getpid(), signal.SIGKILL)
    elif fault == "hang":
        time.sleep(600)
    elif fault == "garbage":
        say("I would play at D4\n\n")
    elif fault == "binary":
        os.write(1, bytes(range(128, 256)) * 10)
    elif fault == "endless":
        while True:
            say("= and on it goes\n" * 1000)
    elif fault == "close_stdout":
        os.close(1)
        time.sleep(600)
    elif fault == "half":
        say("= D")
        sys.exit(0)
    elif fault == "flood":
        for _ in range(20):
            sys.stderr.write("noise " * 100_000)
        sys.stderr.write("\nafter the flood\n")
        sys.stderr.flush()
    elif fault == "slow":
        for letter in "= D4\n\n":
            time.sleep(0.05)
            say(letter)
    elif fault == "refuse":
        say("? out of memory\n\n")
    elif fault == "orphan":
        child = subprocess.Popen(["sleep", "600"])
        sys.stderr.write(f"child {child.pid}\n")
        sys.stderr.flush()
        sys.exit(5)
    return fault not in ("flood", "none", "mute", "stubborn")


def main(fault, moves):
    if fault == "early":
        sys.exit("no licence")
    if fault == "stubborn":
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
    log = os.environ.get("ENGINE_LOG")
    for line in sys.stdin:
        command = line.split("#")[0].strip()
        word = command.partition(" ")[0]
        if log:
            with Path(log).open("a", encoding="utf-8") as file:
                file.write(command + "\n")
        if fault == "mute" or not word:
            time.sleep(600)
        if word == "quit" and fault == "stubborn":
            time.sleep(600)
        if word == "genmove" and not moves and fail(fault, command):
            continue
        if word == "list_commands":
            say("= " + KNOWN.replace(" ", "\n") + "\n\n")
        elif word == "genmove":
            say(f"= {moves.pop(0) if moves else 'pass'}\r\n\r\n")
        elif word == "set_random_seed":
            say("? no chance here\n\n")
        elif word == "final_score":
            say("= B+3.5\n\n")
        else:
            say("=\n\n")
            if word == "quit":
                break


main(sys.argv[1], sys.argv[2:])
