"""How many solved openings of Hex does a search judge rightly, and with how many playouts?

    python benchmarks/known_answers.py [--sizes 5,6,7] [--playouts 100,1000,10000,100000] [--seeds 1]

An opening is judged by the value of the opponent's most visited reply: above 1/2 it loses. A board on which every
opening is judged rightly is as good as solved; a coin would get half of them. With several seeds: their mean, and the
lowest and the highest.
"""

import sys

import click

import montego as mg
from montego.arena.markdown import table

# Openings that win for the first player, who connects top and bottom; the others lose. From published solutions.
WINNING = {
    5: "e1 b2 c2 d2 e2 b3 c3 d3 a4 b4 c4 d4 a5",
    6: "f1 b2 c2 d2 e2 f2 a3 b3 c3 d3 e3 f3 a4 b4 c4 d4 e4 f4 a5 b5 c5 d5 e5 a6",
    7: "g1 c2 e2 f2 g2 b3 c3 d3 e3 f3 a4 b4 c4 d4 e4 f4 g4 b5 c5 d5 e5 f5 a6 b6 c6 e6 a7",
    8: "h1 g2 h2 b3 c3 d3 e3 f3 g3 b4 c4 d4 e4 f4 g4 h4 a5 b5 c5 d5 e5 f5 g5 b6 c6 d6 e6 f6 g6 a7 b7 a8",
}
SETTINGS = {
    "`uct(rave=silver)`": "rave=silver",
    "with `playout=bridges`": "rave=silver, playout=bridges",
    "knowing": "rave=silver, playout=bridges, prior=patterns, initial=values(count=200, even=20)",
}


def value_of_reply(game: mg.Game, opening: str, spec: str, seed: int) -> float:
    """Return what a search thinks of the opponent's position after an opening."""
    player = mg.player(spec, game, seed=seed)
    player.choose(game.start().play(opening))
    reply = max(player.analysis().moves, key=lambda one: one.visits)
    value = {"win": 1.0, "loss": 0.0}.get(reply.proven or "", reply.value)
    return 0.5 if value is None else value


def right(size: int, spec: str, seed: int) -> int:
    """Return how many openings are judged rightly."""
    game, winning = mg.game(f"hex(size={size})"), WINNING[size].split()
    openings = game.start().legal_moves()
    return sum((value_of_reply(game, opening, spec, seed) < 0.5) == (opening in winning) for opening in openings)


@click.command()
@click.option("--sizes", default="5,6,7", show_default=True)
@click.option("--playouts", default="100,300,1000,3000,10000,100000", show_default=True)
@click.option("--seeds", type=click.IntRange(min=1), default=1, show_default=True)
def main(sizes: str, playouts: str, seeds: int) -> None:
    """Print the table."""
    budgets = [int(number) for number in playouts.split(",")]
    rows = []
    for size in map(int, sizes.split(",")):
        for name, settings in SETTINGS.items():
            cells = []
            for budget in budgets:
                found = [right(size, f"uct(playouts={budget}, {settings})", seed) for seed in range(1, seeds + 1)]
                several = f"{sum(found) / seeds:.1f} ({min(found)}–{max(found)})"
                cells.append(several if seeds > 1 else f"{found[0]}")
            rows.append((f"{size}×{size} ({size * size})", name, *cells))
            print(*rows[-1], file=sys.stderr, flush=True)
    heading = ("board (openings)", "player", *(f"{budget:,}" for budget in budgets))
    print(table(heading, rows, right=tuple(range(2, len(heading)))))


if __name__ == "__main__":
    main()
