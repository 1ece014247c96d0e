"""The page's server under load: how long a move and an update of an analysis take with 1, 20 and 200 pages connected.

Run it on a quiet machine: ``python benchmarks/web.py``. It starts ``montego serve`` and connects over loopback. All
pages stay connected; of 200, 20 search (the server runs 24 searches at a time) and the others make a move now and then.
"""

import argparse
import asyncio
import json
import os
import random
import re
import subprocess
import sys
import time
from pathlib import Path

from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Origin

GAME, PLAYER = "go(size=9)", "uct(rave=silver)"
SEARCHING = 20
_CHART = "| pages | searching | move p50 | move p95 | update p50 | update p95 | playouts/s | memory, MB |\n"


class Latencies:
    """Milliseconds of one kind, and their quantiles."""

    def __init__(self) -> None:
        self.values: list[float] = []

    def quantile(self, share: float) -> str:
        if not self.values:
            return "–"
        ordered = sorted(self.values)
        return f"{ordered[min(len(ordered) - 1, int(share * len(ordered)))]:.0f} ms"


async def ask(socket: ClientConnection, identity: int, kind: str, **body: object) -> float:
    """Send a request, wait for its answer and return the milliseconds."""
    began = time.perf_counter()
    await socket.send(json.dumps({"id": identity, "type": kind, **body}))
    while json.loads(await socket.recv())["id"] != identity:
        pass
    return 1000 * (time.perf_counter() - began)


async def play(address: str, origin: str, end: float, pause: float, found: Latencies) -> None:
    """Make a move now and then; its answer is the position after it."""
    async with connect(address, origin=Origin(origin), max_size=None) as socket:
        identity, moves = 0, list[str]()
        await asyncio.sleep(1 + random.random() * pause)  # or everybody would move at once
        while time.perf_counter() < end:
            moves = ["E5"] if len(moves) > 8 else [*moves, "EDCBA"[len(moves) % 5] + str(1 + len(moves) % 9)]
            identity += 1
            found.values.append(await ask(socket, identity, "position", game=GAME, moves=sorted(set(moves))))
            await asyncio.sleep(pause)


async def search(address: str, origin: str, end: float, found: Latencies, speeds: list[float]) -> None:
    """Analyse, and measure how long updates take beyond the 200 ms between two of them."""
    async with connect(address, origin=Origin(origin), max_size=None) as socket:
        seconds = max(1.0, end - time.perf_counter())
        await socket.send(json.dumps({"id": 1, "type": "analyse", "game": GAME, "player": PLAYER, "seconds": seconds}))
        last = 0.0
        while True:
            message = json.loads(await socket.recv())
            now = time.perf_counter()
            if message["type"] == "error":
                raise SystemExit(message["message"])
            if message["type"] == "analyse":
                speeds.append(message["playouts"] / message["seconds"])
                return
            if message["type"] == "progress":
                if last:
                    found.values.append(1000 * (now - last))
                last = now


async def measure(port: int, pages: int, seconds: float) -> tuple[int, Latencies, Latencies, float]:
    """Return how many pages searched, the latencies of moves and the gaps between updates, and playouts per second."""
    address, origin = f"ws://127.0.0.1:{port}/connect", f"http://127.0.0.1:{port}"
    searching = min(SEARCHING, pages)
    moves, updates, speeds = Latencies(), Latencies(), list[float]()
    end = time.perf_counter() + seconds
    players = max(1, pages - searching)
    tasks = [search(address, origin, end, updates, speeds) for _ in range(searching)]
    tasks += [play(address, origin, end, max(0.05, players / 50), moves) for _ in range(players)]
    await asyncio.gather(*tasks)
    return searching, moves, updates, sum(speeds)


def main() -> None:
    """Start a server, measure, print a table."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--seconds", type=float, default=20, help="of each measurement")
    arguments.add_argument("--quick", action="store_true", help="three seconds each")
    options = arguments.parse_args()
    seconds = 3.0 if options.quick else options.seconds
    command = [sys.executable, "-m", "montego.cli", "serve", "--port", "0"]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
    assert server.stdout is not None
    try:
        port = int(re.findall(r":(\d+)/", server.stdout.readline())[0])
        asyncio.run(measure(port, 2, 2.0))  # compiles, or loads what is compiled
        print(f"{GAME}, {PLAYER}, {len(os.sched_getaffinity(0))} cores, {seconds:g} s each")
        print(_CHART + "|---:" * 8 + "|")
        for pages in (1, 20, 200):
            searching, moves, updates, speed = asyncio.run(measure(port, pages, seconds))
            status = Path(f"/proc/{server.pid}/status").read_text(encoding="utf-8")
            memory = int(re.findall(r"VmRSS:\s+(\d+)", status)[0]) / 1000
            cells = [pages, searching, moves.quantile(0.5), moves.quantile(0.95), updates.quantile(0.5)]
            print("|", " | ".join(map(str, [*cells, updates.quantile(0.95), f"{speed:,.0f}", f"{memory:.0f}"])), "|")
    finally:
        server.terminate()
        server.wait(20)


if __name__ == "__main__":
    main()
