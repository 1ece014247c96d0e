"""Playouts that players need for the tactical boards of the tests, for docs/results/trained-playouts.md.

    python benchmarks/tactics.py [--seeds 10] [--most 32768]

A budget solves a board if every seed answers with a right move at this budget and at the next ``CONFIRMED`` larger
ones; budgets are powers of √2.
"""

from pathlib import Path

import click

import montego as mg
from montego.players import default_settings
from montego.spec import text

BOARDS = Path(__file__).parent.parent / "tests" / "search" / "open_tactics.txt"
CONFIRMED = 4
UNIFORM = "uct(playouts={n}, rave=silver)"


def boards() -> list[tuple[str, mg.Position, list[str]]]:
    """Return (name, position, right moves) of every board."""
    lines = [line for line in BOARDS.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    found = []
    for block in "\n".join(lines).strip().split("\n\n"):
        heading, _, drawing = block.partition("\n")
        name, game, side, answers, _ = (part.strip() for part in heading.split(";"))
        position = mg.Position.from_text(mg.game(game), drawing, ("black", "white").index(side))
        found.append((name, position, answers.split()))
    return found


def solved(spec: str, position: mg.Position, answers: list[str], seeds: int) -> bool:
    """Whether a player answers with a right move by every seed."""
    for seed in range(seeds):
        if mg.player(spec, position.game, seed=seed).choose(position) not in answers:
            return False
    return True


def needed(pattern: str, position: mg.Position, answers: list[str], seeds: int, most: int) -> int | None:
    """Return the least budget that solves a board, as the larger ones do, or None if none does up to ``most``."""
    right: list[int] = []
    for playouts in sorted({round(2 ** (step / 2)) for step in range(2 * most.bit_length() + CONFIRMED)}):
        if not right and playouts > most:
            break
        if solved(pattern.replace("{n}", str(playouts)), position, answers, seeds):
            right.append(playouts)
        else:
            right = []
        if len(right) > CONFIRMED:
            return right[0]
    return None


@click.command()
@click.option("--seeds", default=10, show_default=True)
@click.option("--most", default=32_768, show_default=True, help="The largest budget to try.")
@click.option("--trained", default="", help="A player with {n} for its playouts. Default: the strongest known one.")
def main(seeds: int, most: int, trained: str) -> None:
    """Print a table of the playouts that uniform and trained playouts need."""
    click.echo("| board | uniform | trained | ratio |\n|---|---:|---:|---:|")
    for name, position, answers in boards():
        player = trained or text(default_settings(position.game, playouts=7)).replace("playouts=7,", "playouts={n},")
        counts = [needed(one, position, answers, seeds, most) for one in (UNIFORM, player)]
        ratio = f"{counts[0] / counts[1]:.1f}" if counts[0] and counts[1] else ""
        shown = [f"{count:,}" if count else f"not by {most:,}" for count in counts]
        click.echo(f"| {name} | {shown[0]} | {shown[1]} | {ratio} |")


if __name__ == "__main__":
    main()
