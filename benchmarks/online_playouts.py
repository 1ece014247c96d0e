"""What playouts that learn gain and cost, in matches: the tables of docs/results/online-playouts.md.

    python benchmarks/online_playouts.py [--only ^go] [--games 400] [--playouts 500 | --seconds 0.02] [--report]
    python benchmarks/online_playouts.py --controls

Each policy plays the same search with uniform playouts, at equal playouts or in equal time. Every match is ``montego
match`` with a ledger in the folder results/, so that an interrupted run goes on where it was, and a later one with more
games begins with those that are there. ``--report`` plays nothing and prints what the ledgers hold.
"""

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import click

from montego.arena.markdown import table

LEDGERS = Path("results")
NEAR = "wls(shape, near=true, threshold=(2, 3))"
BESIDE_THE_LAST_MOVE = [NEAR, "wls(pattern, near=true)"]  # for games that know what lies there
REPLIES = ["wls", "wls(threshold=(2, 3))", "lgr", "lgrf", "lgrf(2)", "pool_rave"]
POLICIES = {
    "go(size=9)": BESIDE_THE_LAST_MOVE + REPLIES,
    "hex(size=11)": BESIDE_THE_LAST_MOVE + REPLIES,
    "blokus_duo": ["wls", "wls(candidates=3)", "lgr", "lgrf", "lgrf(2)", "pool_rave"],
}
# One neighbourhood, rated in several ways: with e = 1 the only threshold is 1/2, so that all of them have it.
CONTROLS = {
    "go(size=9)": [
        "wls(shape, near=true)",
        "wls(shape, near=true, k=0)",
        "wls(shape, near=true, e=1)",
        "wls(shape, near=true, e=0)",
        "wls(shape, near=true, pick=random)",
        "wls(shape, near=true, pick=random, threshold=(0, 21))",
    ]
}


def command(game: str, policy: str, budget: str, games: int) -> list[str]:
    """Return the words of the command that plays a match."""
    players = [f"uct({budget}, rave=silver, playout={policy})", f"uct({budget}, rave=silver)"]
    named = [word for player in players for word in ("--player", player)]
    return ["match", "--game", game, *named, "--games", str(games), "--opening-moves", "2", "--seed", "1"]


def result_of(words: list[str]) -> dict[str, Any]:
    """Run a command of montego that prints JSON."""
    done = subprocess.run([sys.executable, "-m", "montego.cli", *words, "--json"], stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout)  # type: ignore[no-any-return]


def row(policy: str, result: dict[str, Any]) -> tuple[str, ...]:
    """Return the row of a match: rate and Elo with their intervals, and the ratio of playouts per second."""
    score = result["pairings"][0]
    low, high = score["rate_interval"]
    weakest, strongest = score["elo_interval"]
    learning, plain = (effort["playouts"] / effort["seconds"] for effort in result["effort"])
    return (
        result["game"],
        f"`{policy}`",
        str(score["games"]),
        f"{100 * score['rate']:.1f} % ({100 * low:.1f}–{100 * high:.1f})",
        f"{score['elo']:+.0f} ({weakest:+.0f}…{strongest:+.0f})",
        f"{learning / plain:.2f}",
    )


@click.command()
@click.option("--only", metavar="REGEX", default="", help="Only matches whose name (game-budget-policy) has it.")
@click.option("--games", type=click.IntRange(min=2), default=400, show_default=True)
@click.option("--playouts", type=click.IntRange(min=1), default=500, show_default=True)
@click.option("--seconds", type=click.FloatRange(min=0.001), help="Equal time a move instead of equal playouts.")
@click.option("--workers", type=click.IntRange(min=0), default=2, show_default=True)
@click.option("--controls", is_flag=True, help="What Win/Loss States gain beside the same neighbourhood without them.")
@click.option("--report", is_flag=True, help="Play nothing.")
def main(
    only: str, games: int, playouts: int, seconds: float | None, workers: int, controls: bool, report: bool
) -> None:
    """Play the matches that are not in their ledgers yet, and print their table and commands."""
    LEDGERS.mkdir(exist_ok=True)
    budget = f"playouts=0, seconds={seconds}" if seconds else f"playouts={playouts}"
    rows, commands = [], []
    for game, policies in (CONTROLS if controls else POLICIES).items():
        for policy in policies:
            name = "-".join(re.sub("[^a-z0-9.]+", "_", part).strip("_") for part in (game, budget, policy))
            ledger = LEDGERS / f"online-{name}.sqlite"
            if not re.search(only, name) or (report and not ledger.exists()):
                continue
            click.echo(f"{name} ...", err=True)
            words = command(game, policy, budget, games)
            play = [*words, "--ledger", str(ledger), "--workers", str(workers)]
            rows.append(row(policy, result_of(["results", str(ledger)] if report else play)))
            click.echo(" ".join(rows[-1]), err=True)
            commands.append(shlex.join(["montego", *words]))
    click.echo(table(("game", "playouts", "games", "rate", "Elo", "speed"), rows, right=(2, 5)))
    click.echo("\n".join(["\n```sh", *commands, "```"]))


if __name__ == "__main__":
    main()
