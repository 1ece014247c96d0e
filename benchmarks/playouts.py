"""Random playouts of Montego beside the plainest use of OpenSpiel's C++ code.

python benchmarks/playouts.py [--quick] [--json] [--only go]
"""

import click
from beside import Rate, Row, compile_first, measure, rate, show

import montego as mg
from montego.playouts import Sampler
from montego.rng import stream

ROWS = [
    Row("tictactoe", "tic_tac_toe", None, None),
    Row("go(size=9, komi=7.5)", "go(board_size=9,komi=7.5)", 120_000, 16),
    Row("go(size=19, komi=7.5)", "go(board_size=19,komi=7.5)", 28_000, 60),
    Row("hex(size=11)", "hex(board_size=11)", 1_200_000, 70),
    Row("y(size=11)", "y(board_size=11)", 1_500_000, 25),
    Row("blokus_duo", None, 30_000, None),
]
SECONDS = 0.15


def montego_rate(spec: str, seed: int) -> Rate:
    """Return a function that plays for a moment and returns playouts per second."""
    compile_first("playouts", "--playouts", "1", "--game", spec)
    game = mg.game(spec)
    sampler = Sampler(game, game.start().state, stream(seed))
    sampler.run(1)
    return lambda: rate(sampler.run, SECONDS)


@click.command()
@click.option("--quick", is_flag=True, help="A rough look in a fraction of the time.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON for a program to read.")
@click.option("--only", metavar="TEXT", default="", help="Only the games whose spec starts with TEXT.")
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True)
def main(quick: bool, as_json: bool, only: str, seed: int) -> None:
    """Measure random playouts beside OpenSpiel's."""
    results = []
    for row in ROWS:
        if row.game.startswith(only):
            click.echo(f"measuring {row.game} ...", err=True)
            results.append(measure(row, montego_rate(row.game, seed), SECONDS, 6 if quick else 40, seed))
    show("Random playouts from the start, one core, best of the repeats", results, as_json)


if __name__ == "__main__":
    main()
