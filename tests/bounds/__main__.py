"""``python -m tests.bounds [--playouts N] [--mixed N] GAME …``: every parameter at its bounds, in child processes."""

import argparse
import selectors
import subprocess
import sys
import time
from collections import deque

from montego.outside import signal_name
from tests.bounds.cases import cases

GAMES = ["tictactoe", "hex(size=3, swap=true)", "y(size=3)", "go(size=4, height=3)", "go(size=9)", "blokus_duo"]
_PATIENCE = 900.0  # seconds for one spec, compiling included


class Child:
    """A process that tries specs of one game, replaced when it crashes or hangs."""

    def __init__(self, game: str, playouts: int) -> None:
        self.command = [sys.executable, "-m", "tests.bounds.child", game, str(playouts)]
        self.process: subprocess.Popen[str] | None = None

    def ask(self, spec: str) -> str:
        """Return what the child says about a spec, or how it ended."""
        if self.process is None:
            self.process = subprocess.Popen(
                self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
            )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(f"{spec}\n")
        with selectors.DefaultSelector() as selector:
            selector.register(self.process.stdout, selectors.EVENT_READ)
            answer = self.process.stdout.readline().strip() if selector.select(_PATIENCE) else "a hang"
        if not answer or answer == "a hang":
            code = self.close()
            answer = answer or (f"crashed: {signal_name(-code)}" if code < 0 else f"ended with exit code {code}")
        return answer

    def close(self) -> int:
        """End the process; return its exit code."""
        if self.process is None:
            return 0
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        try:
            code = self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            code = self.process.wait()
        self.process.stdout.close()
        self.process = None
        return code


def sweep(game: str, specs: list[str], playouts: int) -> list[str]:
    """Return what is wrong, a line for each spec that is."""
    child, found, waiting = Child(game, playouts), [], deque(specs)
    while waiting:
        spec = waiting.popleft()
        if (answer := child.ask(spec)) != "ok":
            found.append(f"{game}: {spec}: {answer}")
            print(f"FOUND {found[-1]}", flush=True)
    child.close()
    return found


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description="Try every parameter of every player at its bounds.")
    parser.add_argument("games", nargs="*", default=GAMES, metavar="GAME")
    parser.add_argument("--playouts", type=int, default=200, help="of each decision")
    parser.add_argument("--mixed", type=int, default=100, help="players with everything at an extreme, by chance")
    asked = parser.parse_args()
    found = 0
    specs = cases(asked.mixed)
    for game in asked.games:
        began = time.monotonic()
        found += len(sweep(game, specs, asked.playouts))
        print(f"{game}: {len(specs)} players in {time.monotonic() - began:,.0f} s", flush=True)
    print(f"{len(specs) * len(asked.games)} cases, {found} findings", flush=True)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
