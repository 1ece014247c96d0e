"""Win/Loss States beside (wins, visits) counters with a confidence bound: memory and time of random accesses.

Both tables hold the same success rates, and the test is the same question: is the Agresti-Coull bound of the entry
above that of 2/3? For a state that is one comparison. For counters it is asked in two ways: by the formula, with its
division and root, and multiplied out, with neither. Entries are drawn at random, so that large tables miss the caches;
the time of drawing an entry and a result is shown too and is part of the figures. The methods take turns, and the best
of the repeats counts.

    python benchmarks/wls.py [--quick] [--json] [--sizes 100000,10000000]
"""

import json
import math
import time
from dataclasses import asdict, dataclass

import click
import numpy as np
from rich.console import Console
from rich.table import Table

import montego as mg
from montego.kernels import index, kernel
from montego.playouts.wls import is_above, record_result
from montego.rng import below, next_word, stream

COUNTER = np.dtype((np.record, [("wins", np.uint32), ("visits", np.uint32)]))
THRESHOLD = (2, 3)
CHUNK = 1_000_000  # entries filled at once
MAXIMUM = 1_000_000_000

DRAW, STATES, COUNTERS, PRODUCTS = "drawing alone", "states", "counters, bound", "counters, no root"
METHODS = (DRAW, STATES, COUNTERS, PRODUCTS)


# ------------------------------------------------------------------------------------------------------------ kernels


@kernel
def draw_only(size, rng, count):
    """Draw entries and results and add them up."""
    total = 0
    for _ in range(count):
        total += below(rng, size) + np.int64(next_word(rng) & np.uint64(1))
    return total


@kernel
def update_states(states, steps, rng, count):
    """Record random results in random entries of a table of states."""
    for _ in range(count):
        entry = below(rng, len(states))
        record_result(states, entry, steps, np.int64(next_word(rng) & np.uint64(1)))


@kernel
def test_states(states, limit, rng, count):
    """Count how many of some random entries are above the threshold."""
    above = 0
    for _ in range(count):
        if is_above(states, below(rng, len(states)), limit):
            above += 1
    return above


@kernel
def update_counters(counters, rng, count):
    """Record random results in random entries of a table of counters."""
    for _ in range(count):
        counter = counters[index(below(rng, len(counters)))]
        counter.wins += np.uint32(next_word(rng) & np.uint64(1))
        counter.visits += np.uint32(1)


@kernel
def test_counters(counters, z, value, rng, count):
    """Count how many random entries have a lower bound above ``value``, by the formula."""
    above = 0
    for _ in range(count):
        counter = counters[index(below(rng, len(counters)))]
        total = np.float64(counter.visits) + z * z
        centre = (np.float64(counter.wins) + z * z / 2) / total
        if centre - z * math.sqrt(centre * (1 - centre) / total) > value:
            above += 1
    return above


@kernel
def test_counters_by_products(counters, z, value, rng, count):
    """Count the same entries with the inequality multiplied out: no division, no root."""
    above = 0
    for _ in range(count):
        counter = counters[index(below(rng, len(counters)))]
        total = np.float64(counter.visits) + z * z
        wins = np.float64(counter.wins) + z * z / 2
        excess = wins - value * total
        if excess > 0 and excess * excess * total > z * z * wins * (total - wins):
            above += 1
    return above


# -------------------------------------------------------------------------------------------------------- measurement


@dataclass(frozen=True)
class Result:
    """One method on a table of one size; times are of one operation at a random entry."""

    entries: int
    method: str
    bytes_per_entry: int
    update_ns: float | None  # both tests of counters have the same updates
    test_ns: float | None


def make_tables(wls: mg.WinLossStates, size: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return a table of random states, none unseen, and a table of counters of the same success rates."""
    generator = np.random.default_rng(seed)
    states, counters = wls.new_table(size), np.zeros(size, COUNTER)
    for first in range(0, size, CHUNK):
        part = slice(first, min(first + CHUNK, size))
        states[part] = generator.integers(1, len(wls), part.stop - first, wls.dtype)
        counters["wins"][part] = wls.wins[states[part]]
        counters["visits"][part] = wls.visits[states[part]]
    return states, counters


def measure(size: int, count: int, repeats: int, seed: int) -> list[Result]:
    """Let the methods take turns on tables of one size and keep the best of each."""
    wls = mg.WinLossStates(threshold=THRESHOLD)
    states, counters = make_tables(wls, size, seed)
    value = float(wls.values[wls.limit : wls.limit + 2].mean())  # between two states, clear of rounding
    tests = {
        STATES: lambda rng, n: test_states(states, wls.limit, rng, n),
        COUNTERS: lambda rng, n: test_counters(counters, wls.z, value, rng, n),
        PRODUCTS: lambda rng, n: test_counters_by_products(counters, wls.z, value, rng, n),
    }
    updates = {
        DRAW: lambda rng, n: draw_only(size, rng, n),
        STATES: lambda rng, n: update_states(states, wls.steps, rng, n),
        COUNTERS: lambda rng, n: update_counters(counters, rng, n),
    }
    answers = {method: test(stream(seed), count) for method, test in tests.items()}
    if len(set(answers.values())) > 1:
        raise SystemExit(f"the methods give different answers: {answers}")
    best: dict[tuple[str, str], float] = {}
    for kind, jobs in (("test", tests), ("update", updates)):  # tests first, on equal tables
        for job in jobs.values():
            job(stream(seed), 1)
        for repeat in range(repeats):
            for method, job in jobs.items():
                rng = stream(seed, repeat)
                began = time.perf_counter()
                job(rng, count)
                taken = (time.perf_counter() - began) / count * 1e9
                best[kind, method] = min(best.get((kind, method), math.inf), taken)
    width = {DRAW: 0, STATES: states.itemsize, COUNTERS: COUNTER.itemsize, PRODUCTS: COUNTER.itemsize}
    return [
        Result(size, method, width[method], best.get(("update", method)), best.get(("test", method)))
        for method in METHODS
    ]


def show(results: list[Result]) -> None:
    """Print the table."""
    table = Table(title="Success rates at random entries, one core, best of the repeats")
    for heading in ("entries", "method", "bytes/entry", "MB", "ns/update", "million updates/s", "ns/test"):
        table.add_column(heading, justify="left" if heading == "method" else "right")
    for result in results:
        megabytes = result.entries * result.bytes_per_entry / 1e6
        table.add_row(
            f"{result.entries:,}" if result.method == DRAW else "",
            result.method,
            f"{result.bytes_per_entry or ''}",
            f"{megabytes:,.1f}" if megabytes else "",
            f"{result.update_ns:.1f}" if result.update_ns else "",
            f"{1000 / result.update_ns:,.0f}" if result.update_ns and megabytes else "",
            f"{result.test_ns:.1f}" if result.test_ns else "",
            end_section=result.method == METHODS[-1],
        )
    Console(width=100).print(table)


def read_sizes(context: click.Context, option: click.Parameter, text: str) -> list[int]:
    """Read a list of sizes."""
    try:
        sizes = [int(word) for word in text.split(",")]
    except ValueError:
        sizes = [0]
    if not all(1 <= size <= MAXIMUM for size in sizes):
        raise click.BadParameter(f"expected whole numbers from 1 to {MAXIMUM:,}, such as 100000,10000000")
    return sizes


@click.command()
@click.option("--quick", is_flag=True, help="A rough look in a fraction of the time, without the largest table.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON for a program to read.")
@click.option("--sizes", callback=read_sizes, default="100000,10000000,100000000", show_default=True, metavar="N,N,…")
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True)
def main(quick: bool, as_json: bool, sizes: list[int], seed: int) -> None:
    """Measure a table of Win/Loss States beside a table of counters."""
    count, repeats = (50_000, 20) if quick else (50_000, 400)  # short pieces: the best of them was not interrupted
    results = []
    for size in [size for size in sizes if not quick or size <= 10_000_000]:
        click.echo(f"measuring {size:,} entries ...", err=True)
        results += measure(size, count, repeats, seed)
    if as_json:
        click.echo(json.dumps([asdict(result) for result in results], indent=2))
    else:
        show(results)


if __name__ == "__main__":
    main()
