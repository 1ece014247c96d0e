"""Does a search without exploration lock in on one move? Hex openings: the tables of docs/search.md.

    python benchmarks/lock_in.py [--seeds 20] [--playouts 50000] [--sizes 6,7,8,9,10,11]
        [--settings "c=0" --settings "c=0.1"]

First, the empty board with many seeds: which moves are chosen, whether they win where that is known, and which share of
the visits the chosen move has. A search that locks in has a large share on moves that differ from seed to seed. Second,
every opening of the solved boards: the probability that one that wins looks better than one that loses, by the value of
the opponent's best reply (1 is right, 1/2 is chance; a bias of the playouts for one side cancels out).
"""

import collections
import sys

import click
from known_answers import WINNING, value_of_reply

import montego as mg
from montego.arena.markdown import table

SETTINGS = [
    "c=0",
    "c=0.05",
    "c=0.1",
    "c=0, first_play=1",
    "c=0, rave_rest=30",
    "c=0, playout=bridges, prior=patterns, initial=values(count=200, even=20)",  # the default player of Hex
]


def opened(size: int, settings: str, playouts: int, seeds: int) -> tuple[str, ...]:
    """Return a row: what is chosen on the empty board."""
    game = mg.game(f"hex(size={size})")
    chosen: collections.Counter[str] = collections.Counter()
    shares = []
    for seed in range(1, seeds + 1):
        player = mg.player(f"uct(playouts={playouts}, rave=silver, {settings})", game, seed=seed)
        chosen[player.choose(game.start())] += 1
        visits = [move.visits for move in player.analysis().moves]
        shares.append(max(visits) / sum(visits))
    corners = sum(count for move, count in chosen.items() if move in (f"a{size}", f"{chr(96 + size)}1"))
    known = WINNING.get(size, "").split()
    won = str(sum(count for move, count in chosen.items() if move in known)) if known else ""
    often = ", ".join(f"{move} {count}" for move, count in chosen.most_common(4))
    share = f"{100 * sum(shares) / seeds:.0f} % (up to {100 * max(shares):.0f} %)"
    return f"{size}×{size}", f"`{settings}`", str(seeds), won, str(corners), share, often


def ranked(size: int, settings: str, playouts: int, seed: int) -> float:
    """Return how often an opening that wins is judged better than one that loses."""
    game = mg.game(f"hex(size={size})")
    values: tuple[list[float], list[float]] = ([], [])
    for move in game.start().legal_moves():
        value = value_of_reply(game, move, f"uct(playouts={playouts}, rave=silver, {settings})", seed)
        values[move in WINNING[size].split()].append(value)
    losing, winning = values
    right = sum((bad > good) + 0.5 * (bad == good) for good in winning for bad in losing)
    return right / (len(winning) * len(losing))


@click.command()
@click.option("--seeds", type=click.IntRange(min=1), default=20, show_default=True)
@click.option("--playouts", type=click.IntRange(min=1), default=50_000, show_default=True)
@click.option("--sizes", default="6,7,8,9,10,11", show_default=True)
@click.option("--settings", "chosen", multiple=True, default=SETTINGS, help="Beside rave=silver.  [default: six]")
def main(seeds: int, playouts: int, sizes: str, chosen: tuple[str, ...]) -> None:
    """Print both tables."""
    boards = [int(size) for size in sizes.split(",")]
    rows = []
    for size in boards:
        for settings in chosen:
            rows.append(opened(size, settings, playouts, seeds))
            print(*rows[-1], file=sys.stderr, flush=True)
    heading = ("board", "settings", "seeds", "chosen move wins", "acute corner", "its share of visits", "chosen most")
    print(table(heading, rows, right=(2, 3, 4)), end="\n\n")
    ranks = []
    for settings in chosen:
        cells = []
        for size in [size for size in boards if size in WINNING]:
            found = [ranked(size, settings, playouts // 10, seed) for seed in (1, 2, 3, 4)]
            cells.append(f"{sum(found) / len(found):.3f} ({min(found):.3f}–{max(found):.3f})")
        ranks.append((f"`{settings}`", *cells))
        print(*ranks[-1], file=sys.stderr, flush=True)
    print(table(("settings", *(f"{size}×{size}" for size in boards if size in WINNING)), ranks))


if __name__ == "__main__":
    main()
