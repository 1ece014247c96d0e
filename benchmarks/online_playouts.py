"""What playouts that learn gain, in matches: the tables of docs/results/online-playouts.md.

    python benchmarks/online_playouts.py [--only go] [--games 400] [--playouts 500] [--workers 2] [--report]

Every match is ``montego match`` with a ledger in the folder results/, so that an interrupted run goes on where it was, and a
later one with more games begins with those that are there. ``--report`` plays nothing and prints what the ledgers hold.
"""

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import click

from montego.arena.markdown import match_table

LEDGERS = Path("results")
GAMES = {"go": "go(size=9)", "hex": "hex(size=11)", "blokus_duo": "blokus_duo"}
REPLIES_OFF = "threshold=(21, 21)"  # no rate is above the best: only the candidates are chosen by their rates
POLICIES = [
    "lgr",
    "lgrf",
    "lgrf(2)",
    "wls",
    "wls(threshold=(2, 3))",
    "wls(e=5)",
    "wls(p=0.5)",
    "wls(candidates=3)",
    f"wls(candidates=3, {REPLIES_OFF})",
    f"wls(pattern, candidates=3, {REPLIES_OFF})",
    "pool_rave",
]


def command(game: str, policy: str, playouts: int, games: int) -> list[str]:
    """Return the words of the command that plays a match."""
    search = f"playouts={playouts}, rave=silver, c=0.1"
    players = ["--player", f"uct({search}, playout={policy})", "--player", f"uct({search})"]
    return ["match", "--game", GAMES[game], *players, "--games", str(games), "--opening-moves", "2", "--seed", "1"]


def result_of(words: list[str]) -> object:
    """Run a command of montego that prints JSON."""
    done = subprocess.run([sys.executable, "-m", "montego.cli", *words, "--json"], stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout)


@click.command()
@click.option(
    "--only", metavar="TEXT", default="", help="Only matches whose name (game-playouts-policy) contains TEXT."
)
@click.option("--games", type=click.IntRange(min=2), default=400, show_default=True)
@click.option("--playouts", type=click.IntRange(min=1), default=500, show_default=True)
@click.option("--workers", type=click.IntRange(min=0), default=2, show_default=True)
@click.option("--report", is_flag=True, help="Play nothing.")
def main(only: str, games: int, playouts: int, workers: int, report: bool) -> None:
    """Play the matches that are not in their ledgers yet, and print their table and commands."""
    LEDGERS.mkdir(exist_ok=True)
    results, commands = [], []
    for game in GAMES:
        for policy in POLICIES:
            name = f"{game}-{playouts}-{re.sub('[^a-z0-9.]+', '_', policy).strip('_')}"
            ledger = LEDGERS / f"online-{name}.sqlite"
            if only not in name or (report and not ledger.exists()):
                continue
            click.echo(f"{name} ...", err=True)
            words = command(game, policy, playouts, games)
            play = [*words, "--ledger", str(ledger), "--workers", str(workers)]
            results.append((result_of(["results", str(ledger)] if report else play), ""))
            commands.append(shlex.join(["montego", *words]))
    click.echo(match_table(results))
    click.echo("\n".join(["\n```sh", *commands, "```"]))


if __name__ == "__main__":
    main()
