"""What the refinements of the search gain, in matches: makes docs/results/search.md.

    python benchmarks/effects.py [--only rave] [--workers 2] > docs/results/search.md

Every match is ``montego match`` with a ledger in the folder results/, so that an interrupted run goes on where it was.
"""

import json
import shlex
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import click

from montego.arena.markdown import match_table

LEDGERS = Path("results")
RAVE = "rave=silver, c=0, first_play=1"


class Effect(NamedTuple):
    """Two players that differ in one thing."""

    name: str
    title: str
    game: str
    players: tuple[str, str]
    games: int = 200


EFFECTS = [
    Effect("uct-ucb", "A tree over a bandit", "go(size=9)", ("uct(playouts=500, c=0.4)", "ucb(playouts=500)")),
    Effect("ucb-flat", "A bandit over equal playouts", "go(size=9)", ("ucb(playouts=500)", "flat(playouts=500)")),
    Effect("rave-go", "RAVE in Go", "go(size=9)", (f"uct(playouts=500, {RAVE})", "uct(playouts=500, c=0.4)")),
    Effect("rave-hex", "RAVE in Hex", "hex(size=11)", (f"uct(playouts=1000, {RAVE})", "uct(playouts=1000, c=0.4)")),
    Effect("c", "Less exploration than 0.7", "go(size=9)", ("uct(playouts=500, c=0.4)", "uct(playouts=500, c=0.7)")),
    Effect(
        "sigmoid",
        "The sigmoid of the score from move 16 on, against win-or-lose",
        "blokus_duo",
        ("uct(playouts=1000, c=0.4, reward=until(15, win_loss, sigmoid(k=0.3)))", "uct(playouts=1000, c=0.4)"),
        400,
    ),
    Effect(
        "prune-flat",
        "Soft pruning, flat",
        "go(size=9)",
        ("flat(playouts=1500, prune=soft(rd=1, sigma=5, visits=10, every=80))", "flat(playouts=1500)"),
    ),
    Effect(
        "prune-tree",
        "Soft pruning, in a tree with RAVE",
        "go(size=9)",
        (f"uct(playouts=500, {RAVE}, prune=soft(rd=2, sigma=5, visits=15, every=50))", f"uct(playouts=500, {RAVE})"),
    ),
    Effect("tuned", "UCB1-tuned", "go(size=9)", ("uct(playouts=500, c=1, bandit=tuned)", "uct(playouts=500, c=0.4)")),
    Effect(
        "transition",
        "Expansion by transition probability",
        "go(size=9)",
        (f"uct(playouts=500, {RAVE}, expand=transition)", f"uct(playouts=500, {RAVE})"),
    ),
]
INTRODUCTION = """\
# What the refinements gain

Matches between two players that differ in one thing, at equal playouts, in colour-swapped pairs from openings of two
random moves. The rate is the first player's, with its 95 % interval; refinements
that do not help are reported too.
Made by `python benchmarks/effects.py > docs/results/search.md`, which runs the commands below.
"""


def command(effect: Effect) -> list[str]:
    """Return the words of the command that plays a match."""
    first, second = effect.players
    words = ["match", "--game", effect.game, "--player", first, "--player", second]
    return [*words, "--games", str(effect.games), "--opening-moves", "2", "--seed", "1"]


@click.command()
@click.option("--only", metavar="TEXT", default="", help="Only the effects whose name starts with TEXT.")
@click.option("--workers", type=click.IntRange(min=0), default=2, show_default=True)
def main(only: str, workers: int) -> None:
    """Play the matches that are not in their ledgers yet, and print the page."""
    LEDGERS.mkdir(exist_ok=True)
    results = []
    for effect in EFFECTS:
        if not effect.name.startswith(only):
            continue
        click.echo(f"{effect.title} ...", err=True)
        options = ["--ledger", str(LEDGERS / f"{effect.name}.sqlite"), "--workers", str(workers), "--json"]
        done = subprocess.run(
            [sys.executable, "-m", "montego.cli", *command(effect), *options], stdout=subprocess.PIPE, check=True
        )
        results.append((json.loads(done.stdout), effect))
    click.echo(INTRODUCTION)
    for result, effect in results:
        click.echo(f"## {effect.title}\n")
        click.echo(match_table([(result, "")]))
        click.echo(f"\n```sh\n{shlex.join(['montego', *command(effect)])}\n```\n")


if __name__ == "__main__":
    main()
