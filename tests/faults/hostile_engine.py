"""A GTP engine that means harm: ``hostile_engine.py HOW [FILE]``. It writes the ids of its processes to FILE."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path


def say(text):
    os.write(1, text.encode())


def note(*processes):
    if len(sys.argv) > 2:
        with Path(sys.argv[2]).open("a", encoding="ascii") as file:
            file.writelines(f"{process}\n" for process in processes)


def misbehave(how):
    """What it does when it is asked for a move."""
    if how == "newlines":
        while True:
            say("\n" * 1000)
    if how == "spaces":
        while True:
            say(" ")
            time.sleep(0.01)
    if how == "slowly":
        while True:
            say("=")
            time.sleep(0.05)
    if how == "deaf":
        time.sleep(600)
    if how == "realtime":
        os.kill(os.getpid(), signal.SIGRTMIN + 2)
    if how == "escapes":
        say("= \x1b]0;owned\x07\x1b[31mD4\x9b2J\n\n")
        return
    say("= pass\n\n")


def main(how):
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
    note(os.getpid())
    if how == "family":  # children that hold no pipe: one in its own session, one whose parent is gone
        detached = subprocess.Popen(["sleep", "600"], start_new_session=True, stdin=-3, stdout=-3, stderr=-3)
        middle = subprocess.Popen(
            ["sh", "-c", "setsid sleep 600 </dev/null >/dev/null 2>&1 & echo $!"], stdout=subprocess.PIPE, text=True
        )
        note(detached.pid, middle.communicate()[0].strip())
    if how == "deaf":
        say("= boardsize\nclear_board\nkomi\nplay\ngenmove\n\n")
        time.sleep(600)
    while True:
        line = sys.stdin.readline()
        if not line:
            time.sleep(600)  # it does not care that nobody is there any more
        word = line.partition(" ")[0].strip()
        if word == "list_commands":
            say("= list_commands\nboardsize\nclear_board\nkomi\nplay\ngenmove\n\n")
        elif word == "genmove":
            misbehave(how)
        elif word == "quit":
            continue
        else:
            say("=\n\n")


main(sys.argv[1])
