"""Tree search of Montego beside OpenSpiel's C++ ``MCTSBot``; its growth, its threads, its clock.

python benchmarks/search.py [--quick] [--json] [--only go]     the first 10^5 simulations from the start
python benchmarks/search.py growth                             simulations/s at 10^3, 10^5, 10^6 simulations
python benchmarks/search.py threads                            two threads against one
python benchmarks/search.py clock                              how exactly a budget of seconds is kept
"""

import time

import click
from beside import Rate, Row, compile_first, measure, number, show
from rich.console import Console
from rich.table import Table

import montego as mg

ROWS = [
    Row("go(size=9, komi=7.5)", "go(board_size=9,komi=7.5)", 50_000, 7),
    Row("go(size=19, komi=7.5)", "go(board_size=19,komi=7.5)", 12_000, 25),
    Row("hex(size=11)", "hex(board_size=11)", 150_000, 9),
    Row("y(size=11)", "y(board_size=11)", 200_000, 3.5),
    Row("blokus_duo", None, 40_000, None),
    Row("tictactoe", "tic_tac_toe", None, None),
]
PLAYER = "uct(playouts={playouts}, rave=silver, solver={solver}, memory=2000, threads={threads})"


def montego_rate(spec: str, seed: int, playouts: int = 100_000, threads: int = 1) -> Rate:
    """Return a function that searches the start once and returns simulations per second."""
    solver = spec != "tictactoe"  # where it would end the search at once
    compile_first("search", "--game", spec, "--player", PLAYER.format(playouts=1, solver=solver, threads=threads))
    game = mg.game(spec)
    player = mg.player(PLAYER.format(playouts=playouts, solver=solver, threads=threads), game, seed)

    def search() -> float:
        player.choose(game.start())
        return player.analysis().playouts_per_second

    return search


def table_of(title: str, *headings: str) -> Table:
    """Return an empty table with a column for the game."""
    table = Table(title=title)
    table.add_column("game", no_wrap=True)
    for heading in headings:
        table.add_column(heading, justify="right")
    return table


@click.group(invoke_without_command=True)
@click.option("--quick", is_flag=True, help="A rough look in a fraction of the time.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON for a program to read.")
@click.option("--only", metavar="TEXT", default="", help="Only the games whose spec starts with TEXT.")
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True)
@click.pass_context
def main(context: click.Context, quick: bool, as_json: bool, only: str, seed: int) -> None:
    """Measure the first 10^5 simulations of UCT with RAVE, or what a subcommand names."""
    context.obj = ([row.game for row in ROWS if row.game.startswith(only)], 2 if quick else 8, seed)
    if context.invoked_subcommand is not None:
        return
    results = []
    for row in ROWS:
        if row.game.startswith(only):
            click.echo(f"measuring {row.game} ...", err=True)
            results.append(measure(row, montego_rate(row.game, seed), 1.0, 2 if quick else 8, seed))
    show("The first 100,000 simulations from the start, UCT with RAVE, one core, best of the repeats", results, as_json)


@main.command()
@click.pass_obj
def growth(settings: tuple[list[str], int, int]) -> None:
    """Measure how the speed changes as the tree grows."""
    games, repeats, seed = settings
    sizes = (1_000, 100_000, 1_000_000)
    table = table_of("Simulations a second, UCT with RAVE, one core", *(f"{size:,}" for size in sizes))
    for game in games:
        rates = [montego_rate(game, seed, size) for size in sizes]
        best = [0.0] * len(sizes)
        for _ in range(max(2, repeats // 3)):
            best = [max(value, measured()) for value, measured in zip(best, rates, strict=True)]
        table.add_row(game, *(number(value) for value in best))
    Console(width=110).print(table)


@main.command()
@click.pass_obj
def threads(settings: tuple[list[str], int, int]) -> None:
    """Measure two threads against one, on one tree."""
    games, repeats, seed = settings
    table = table_of("Threads on one tree, simulations a second", "one", "two", "ratio")
    for game in games:
        rates = [montego_rate(game, seed, threads=count) for count in (1, 2)]
        best = [0.0, 0.0]
        for _ in range(repeats):
            best = [max(value, measured()) for value, measured in zip(best, rates, strict=True)]
        table.add_row(game, number(best[0]), number(best[1]), number(best[1] / best[0], 2))
    Console(width=110).print(table)


@main.command()
@click.pass_obj
def clock(settings: tuple[list[str], int, int]) -> None:
    """Measure by how much a decision of 0.2 seconds takes longer."""
    games, repeats, seed = settings
    table = table_of("Budget of 0.2 s: milliseconds over it", "least", "median", "most")
    for game in games:
        player = mg.player("uct(playouts=0, seconds=0.2, rave=silver)", game, seed)
        player.choose(player.game.start())
        over = []
        for _ in range(4 * repeats):
            began = time.perf_counter()
            player.choose(player.game.start())
            over.append(1000 * (time.perf_counter() - began - 0.2))
        over.sort()
        table.add_row(game, number(over[0], 1), number(over[len(over) // 2], 1), number(over[-1], 1))
    Console(width=110).print(table)


if __name__ == "__main__":
    main()
