"""What the refinements of the search gain, in matches that differ in one thing: makes docs/results/search.md.

    python benchmarks/effects.py [--only ^rave] [--workers 2] [--ledgers results] [--report] > docs/results/search.md

Both sides of a match have the same settings, written out, but for the one thing that the row is about. Every match is
``montego match`` with a ledger of its own, so that an interrupted run goes on where it was; ``--report`` plays nothing
and prints what the ledgers hold, with the number of games that each of them has so far. The summary at the head of the
page is written by hand.
"""

import json
import math
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import click

from montego.arena.markdown import table
from montego.arena.statistics import signed

GO, HEX = "go(size=9)", "hex(size=11)"
PLAIN = "c=0.4, first_play=1e6, final=visits, solver=true"
RAVE = "c=0, first_play=1, final=visits, solver=true, rave=silver"
FLAT_RULE = "rd=1, sigma=5, visits=10, every=80"
TREE_RULE = "rd=2, sigma=5, visits=15, every=50"


class Effect(NamedTuple):
    """Two players that differ in one thing: settings in common, and what each of the two has beside them."""

    name: str
    game: str
    common: str
    differs: tuple[str, str]
    games: int = 200
    seed: int = 1
    kinds: tuple[str, str] = ("uct", "uct")

    def players(self) -> tuple[str, str]:
        """Return the specs of the two players."""
        first, second = (
            f"{kind}({', '.join(part for part in (self.common, own) if part)})"
            for kind, own in zip(self.kinds, self.differs, strict=True)
        )
        return first, second


class Section(NamedTuple):
    """Matches about one question."""

    title: str
    about: str
    effects: tuple[Effect, ...]


def _tree(playouts: int, games: int = 400, c: float = 0.2) -> Effect:
    """Return a tree against a bandit over the moves: a tree of one ply."""
    common = f"playouts={playouts}, c={c:g}, first_play=1e6, final=visits, solver=false"
    return Effect(f"tree-{playouts}-{c:g}", GO, common, ("depth=512", "depth=1"), games)


def _tuned(c: float) -> Effect:
    """Return UCB1-tuned with one constant against UCB1 with its own, which the section on exploration settles."""
    common = "playouts=500, first_play=1e6, final=visits, solver=true"
    return Effect(f"tuned-{c:g}", GO, common, (f"bandit=tuned, c={c:g}", "bandit=ucb1, c=0.4"), 100)


SECTIONS = (
    Section(
        "A tree over a bandit",
        "`ucb` is a tree of one ply, so that the depth is all that differs. With c = 0.2, the default, and with 0.4.",
        (
            *(_tree(playouts) for playouts in (100, 300, 1000, 3000)),
            *(_tree(playouts, games, 0.4) for playouts, games in ((100, 400), (300, 400), (1000, 200), (3000, 100))),
        ),
    ),
    Section(
        "A bandit over equal playouts",
        "Both sides have one ply and play the highest mean.",
        (
            Effect(
                "bandit",
                GO,
                "playouts=500",
                ("depth=1, c=0.4, first_play=1e6, final=mean, solver=false", ""),
                kinds=("uct", "flat"),
            ),
        ),
    ),
    Section(
        "RAVE",
        "With c = 0 and an untried move worth 1, and with c = 0.4 and every move tried once.",
        tuple(
            Effect(
                f"rave-{name}-{c:g}",
                game,
                f"playouts={playouts}, c={c:g}, first_play={first_play}, final=visits, solver=true",
                ("rave=silver", "rave=off"),
                100,
            )
            for name, game, playouts in (("go", GO, 500), ("hex", HEX, 1000))
            for c, first_play in ((0.0, "1"), (0.4, "1e6"))
        ),
    ),
    Section(
        "The exploration constant",
        "",
        (
            *(
                Effect(
                    f"c-{c:g}",
                    GO,
                    "playouts=500, first_play=1e6, final=visits, solver=true",
                    ("c=0.4", f"c={c:g}"),
                )
                for c in (0.1, 0.2, 0.7)
            ),
            *(
                Effect(
                    f"c-{c:g}-{place}",
                    game,
                    f"playouts={playouts}, first_play=1e6, final=visits, solver=true",
                    ("c=0.4", f"c={c:g}"),
                )
                for place, game, playouts in (
                    ("go-2000", GO, 2000),
                    ("hex", HEX, 1000),
                    ("y", "y(size=11)", 1000),
                    ("blokus", "blokus_duo", 1000),
                )
                for c in (0.1, 0.2)
            ),
            Effect(
                "c-rave-0.4",
                GO,
                "playouts=500, first_play=1, final=visits, solver=true, rave=silver",
                ("c=0", "c=0.4"),
            ),
        ),
    ),
    Section(
        "Exploration with RAVE: is c = 0 too greedy?",
        "Each remedy against the default, `c=0, first_play=1e6`. "
        "[What it does to openings](../search.md#greedy-rave-settles-early) is told apart.",
        tuple(
            Effect(
                f"greedy-{name}-{place}",
                game,
                f"playouts={playouts}, {common}, final=visits, solver=true, rave=silver",
                (remedy, default),
            )
            for place, game, playouts in (("go", GO, 500), ("hex", HEX, 1000))
            for name, common, remedy, default in (
                ("c", "first_play=1e6", "c=0.05", "c=0"),
                ("first-play", "c=0", "first_play=1", "first_play=1e6"),
                ("rest", "c=0, first_play=1e6", "rave_rest=30", "rave_rest=0"),
            )
        ),
    ),
    Section(
        "Progressive pruning",
        "Pruning ends a decision early, so that the other side has as many playouts as the pruned one *used* in an "
        "earlier match; the last column says how near that came.",
        (
            Effect(
                "prune-flat-soft",
                GO,
                "",
                (f"playouts=1500, prune=soft({FLAT_RULE})", "playouts=755"),
                kinds=("flat", "flat"),
            ),
            Effect(
                "prune-flat-hard",
                GO,
                "",
                (f"playouts=1500, prune=hard({FLAT_RULE})", "playouts=607"),
                kinds=("flat", "flat"),
            ),
            Effect("prune-tree-soft", GO, RAVE, (f"playouts=500, prune=soft({TREE_RULE})", "playouts=498, prune=off")),
            Effect("prune-tree-hard", GO, RAVE, (f"playouts=500, prune=hard({TREE_RULE})", "playouts=498, prune=off")),
        ),
    ),
    Section(
        "UCB1-tuned",
        "Its exploration term is smaller, so that it needs a constant of its own: a sweep against UCB1 with c = 0.4, "
        "then the best constant of each against the other in fresh games (seed 2).",
        (
            *(_tuned(c) for c in (0.1, 0.25, 0.5, 1.0, 1.5)),
            Effect(
                "tuned-best",
                GO,
                "playouts=500, first_play=1e6, final=visits, solver=true",
                ("bandit=tuned, c=0.25", "bandit=ucb1, c=0.2"),
                seed=2,
            ),
        ),
    ),
    Section(
        "Expansion by transition probability",
        "Against expansion at the second visit.",
        (
            Effect("transition", GO, f"playouts=500, {PLAIN}", ("expand=transition", "expand=visits(2)")),
            Effect("transition-rave", GO, f"playouts=500, {RAVE}", ("expand=transition", "expand=visits(2)")),
        ),
    ),
    Section(
        "The solver",
        "In a game that is decided early and in one that is not.",
        tuple(
            Effect(
                f"solver-{name}",
                game,
                f"playouts={playouts}, c=0.4, first_play=1e6, final=visits",
                ("solver=true", "solver=false"),
            )
            for name, game, playouts in (("hex", "hex(size=7)", 1000), ("go", GO, 500))
        ),
    ),
    Section(
        "Tree reuse",
        "Both sides have the same number of new playouts; the one keeps what is left of its last tree beside them.",
        tuple(
            Effect(f"reuse-{name}", GO, f"playouts=500, {common}", ("reuse=true", "reuse=false"))
            for name, common in (("plain", PLAIN), ("rave", RAVE))
        ),
    ),
    Section(
        "Two threads over one",
        "At equal playouts, then at what two free cores make in equal time, by count. With two threads on one tree a "
        "playout took 1.05 times the processor time, so that they make 1.9 times as many in the same time. They were "
        "counted, not timed, because time means little on a machine that does other work.",
        (
            Effect("threads", GO, f"playouts=500, {PLAIN}", ("threads=2", "threads=1")),
            Effect("threads-time", GO, PLAIN, ("playouts=950, threads=2", "playouts=500, threads=1")),
        ),
    ),
    Section(
        "Playouts where they are needed",
        "`stop=decided` ends a decision when no other move can win it any more, `extra=0.5` adds half of the budget "
        "if the most visited move is not the best valued one. The budgets are such that both sides *used* as many "
        "playouts in ten games with another seed; the last column says how near that came.",
        tuple(
            Effect(f"spend-{name}-{place}", game, RAVE, (f"playouts={own}, {setting}", f"playouts={playouts}"), 400)
            for place, game, playouts, stopped, extended in (("go", GO, 500, 680, 470), ("hex", HEX, 1000, 1190, 917))
            for name, own, setting in (("stop", stopped, "stop=decided"), ("extra", extended, "extra=0.5"))
        ),
    ),
    Section(
        "The sigmoid of the score from move 16 on, against win-or-lose",
        "The solver works with win-or-lose only, so it is off on both sides.",
        (
            Effect(
                "sigmoid",
                "blokus_duo",
                "playouts=1000, c=0.4, first_play=1e6, final=visits, solver=false",
                ("reward=until(15, win_loss, sigmoid(k=0.3))", "reward=win_loss"),
                400,
            ),
        ),
    ),
)
INTRODUCTION = """\
# What the refinements gain

Matches between two players that differ in one thing; every setting that could ride along is written out in the commands
at the end and equal on both sides. Colour-swapped pairs from openings of two random moves; the rate is the first
player's with Wilson's interval, Elo with that of the pairs, both 95 %. `used` is how many playouts the first
used for one of the second. Made by `python benchmarks/effects.py > docs/results/search.md`.
"""
HEADING = ("game", "in common", "first", "second", "games", "rate", "Elo", "used")


def command(effect: Effect) -> list[str]:
    """Return the words of the command that plays a match."""
    first, second = effect.players()
    words = ["match", "--game", effect.game, "--player", first, "--player", second]
    return [*words, "--games", str(effect.games), "--opening-moves", "2", "--seed", str(effect.seed)]


def result_of(words: list[str]) -> dict[str, Any]:
    """Run a command of montego that prints JSON."""
    done = subprocess.run([sys.executable, "-m", "montego.cli", *words, "--json"], stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout)  # type: ignore[no-any-return]


def elo(difference: float | None) -> str:
    """Return an Elo difference; JSON has no infinity, which here is that of a first player who won every game."""
    return signed(math.inf if difference is None else difference)


def row(effect: Effect, result: dict[str, Any]) -> tuple[str, ...]:
    """Return the row of a match, which says if not all of its games were played."""
    score = result["pairings"][0]
    low, high = score["rate_interval"]
    weakest, strongest = score["elo_interval"]
    first, second = (effort["playouts"] for effort in result["effort"])
    games = score["games"]
    sides = (
        f"`{kind}`" if not own else f"`{own}`" if effect.common else f"`{kind}({own})`"
        for kind, own in zip(effect.kinds, effect.differs, strict=True)
    )
    return (
        f"`{effect.game}`",
        f"`{effect.common}`" if effect.common else "",
        *sides,
        str(games) if games == effect.games else f"{games} of {effect.games}",
        f"{100 * score['rate']:.1f} % ({100 * low:.1f}–{100 * high:.1f})",
        f"{elo(score['elo'])} ({elo(weakest)}…{elo(strongest)})",
        f"{first / second:.2f}",
    )


@click.command()
@click.option("--only", metavar="REGEX", default="", help="Only the effects whose name has it.")
@click.option("--workers", type=click.IntRange(min=0), default=2, show_default=True)
@click.option("--ledgers", type=click.Path(path_type=Path), default=Path("results"), show_default=True)
@click.option("--report", is_flag=True, help="Play nothing.")
def main(only: str, workers: int, ledgers: Path, report: bool) -> None:
    """Play the matches that are not in their ledgers yet, and print the page."""
    ledgers.mkdir(parents=True, exist_ok=True)
    parts, commands = [INTRODUCTION], []
    for section in SECTIONS:
        rows = []
        for effect in section.effects:
            ledger = ledgers / f"{effect.name}.sqlite"
            if not re.search(only, effect.name) or (report and not ledger.exists()):
                continue
            play = [*command(effect), "--ledger", str(ledger), "--workers", str(workers)]
            rows.append(row(effect, result_of(["results", str(ledger)] if report else play)))
            click.echo(f"{effect.name}: {' '.join(rows[-1][4:])}", err=True)
            commands.append(shlex.join(["montego", *command(effect)]))
        if rows:
            about = f"{section.about}\n\n" if section.about else ""
            parts.append(f"## {section.title}\n\n{about}{table(HEADING, rows, right=(4, 7))}\n")
    click.echo("\n".join(parts))
    click.echo("\n".join(["## Commands\n", "```sh", *commands, "```"]))


if __name__ == "__main__":
    main()
