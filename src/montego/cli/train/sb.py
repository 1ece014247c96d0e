"""``montego train sb``: weights by simulation balancing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from montego.cli.options import Number, Whole, json_option, load_option
from montego.cli.progress import meter
from montego.outside import check_ending, check_outputs

if TYPE_CHECKING:
    from montego.learning.balancing.training import Balanced

_FEW = 24


def _count(name: str, default: int, text: str, least: int = 1) -> Any:
    """Return an option that is a number of something."""
    return click.option(name, type=Whole(min=least), default=default, show_default=True, metavar="N", help=text)


@click.command()
@click.argument("positions", metavar="POSITIONS.npz")
@click.option("--out", type=click.Path(path_type=Path), required=True, metavar="FILE.npz", help="The weights to write.")
@click.option("--start", default="", metavar="WEIGHTS", help="Weights to start from; left out: all equal.")
@click.option(
    "--optimiser",
    type=click.Choice(["adaptive", "paper"]),
    default="adaptive",
    show_default=True,
    help="Steps that set their own size, or Algorithm 1 of the paper.",
)
@_count("--iterations", 4, "Passes over all positions; the paper needed 20 to 100.")
@_count("--playouts", 32, "Playouts of a position in a step (adaptive).", 2)
@_count("--batch", 64, "Positions of a step (adaptive).")
@click.option(
    "--step",
    type=Number(min=0, min_open=True),
    default=0.1,
    show_default=True,
    metavar="X",
    help="Change of log γ in a step, for the features that matter most (adaptive); less from good weights.",
)
@click.option(
    "--damping",
    type=Number(min=0),
    default=0.3,
    show_default=True,
    metavar="X",
    help="Features with derivatives below this share of the greatest change less (adaptive).",
)
@_count("--value-playouts", 100, "M: playouts for the value of a position (paper).")
@_count("--gradient-playouts", 100, "N: playouts for its gradient (paper).")
@click.option(
    "--rate", type=Number(), default=10.0, show_default=True, metavar="A", help="α: size of the steps (paper)."
)
@click.option(
    "--outcome",
    type=click.Choice(["signed", "zero_one"]),
    default="signed",
    show_default=True,
    help="Outcomes -1 and 1, or 0 and 1 (paper).",
)
@click.option("--baseline", type=Number(), default=0.0, show_default=True, metavar="B", help="b in z - b (paper).")
@_count("--hold-out", 5, "Test with every Nth position, which is not learnt from.", 2)
@click.option("--test", metavar="FILE.npz", help="Test with these positions of other games; learn from all POSITIONS.")
@_count("--measure", 200, "Playouts of a position when the error is measured.", 2)
@click.option("--threads", type=Whole(0, 1024), default=0, metavar="N", help="0: one per core.")
@click.option("--seed", type=Whole(min=0), default=1, show_default=True, metavar="N", help="Of the playouts.")
@load_option
@json_option
def sb(
    positions: str, out: Path, start: str, hold_out: int, test: str | None, measure: int, as_json: bool, **options: Any
) -> None:
    """Find weights under which the mean outcome of playouts equals the value of a position.

    POSITIONS are evaluated positions that montego train positions wrote. Simulation balancing (Silver and Tesauro 2009;
    Huang, Coulom and Lin 2010) looks at the result of playouts, not at single moves. The same command resumes an
    interrupted training.
    """
    from montego.learning.balancing.positions import load
    from montego.learning.balancing.trainer import Settings
    from montego.learning.balancing.training import balance

    check_ending(out, ".npz")
    check_outputs([out], [positions, start, test])
    settings = Settings(**options)
    about = {"data": Path(positions).name, "command": _command(positions), "method": "simulation balancing"}
    with meter() as progress:
        progress("reading positions", 0.0)
        learnt, tested = load(positions).held_out(hold_out) if test is None else (load(positions), load(test))
        balanced = balance(learnt, tested, out, settings, start, measure, about, progress)
    if as_json:
        click.echo(json.dumps(_data(balanced, out), ensure_ascii=False))
    else:
        click.echo("\n".join(_lines(balanced, out)))


def _command(positions: str) -> str:
    """Return the command that was given, without folders and without what does not change the result."""
    context = click.get_current_context()
    words = ["montego train sb", Path(positions).name]
    for option in context.command.params:
        value = context.params.get(option.name or "")
        if isinstance(option, click.Option) and option.name not in ("out", "threads", "as_json", "load"):
            if value != option.default and value is not None:
                words += [option.opts[0], Path(value).name if option.name in ("start", "test") else str(value)]
    return " ".join(words)


def _data(balanced: Balanced, out: Path) -> dict[str, Any]:
    weights = balanced.weights
    groups = [
        {"group": name, "gamma": [float(f"{value:.5g}") for value in gamma[1:]]}
        for name, gamma in zip(weights.groups, weights.gammas, strict=True)
        if len(gamma) - 1 <= _FEW
    ]
    return {
        "file": str(out),
        "game": weights.game,
        "kind": weights.kind,
        **weights.about,
        "curve": balanced.curve._asdict(),
        "groups": groups,
    }


def _lines(balanced: Balanced, out: Path) -> list[str]:
    about = balanced.weights.about
    lines = [
        f"{about['trained_on']}: {about['positions']:,} positions, {about['playouts']:,} playouts in "
        f"{about['seconds']:.0f} s; {about['held_out']['positions']:,} positions held out",
        "",
        f"{'iteration':>9} {'playouts':>13} {'mean squared error':>19} {'held out':>10}",
    ]
    for row in zip(*balanced.curve, strict=True):
        lines.append("{:>9} {:>13,} {:>19.4f} {:>10.4f}".format(*row))
    lines += ["", f"{'feature':<48} {'γ before':>10} {'after':>10}"]
    for name, gamma, first in zip(balanced.weights.groups, balanced.weights.gammas, balanced.start, strict=True):
        if len(gamma) - 1 > _FEW:
            low, high = gamma[1:].min(), gamma[1:].max()
            lines.append(f"{name}: {len(gamma) - 1:,} features, γ from {low:.3g} to {high:.3g}")
            continue
        for number in range(1, len(gamma)):
            label = name if len(gamma) == 2 else f"{name} {number}"
            lines.append(f"{label:<48} {first[number]:>10.4g} {gamma[number]:>10.4g}")
    return [*lines, "", f'written to {out}; use it as softmax(weights="{out}")']
