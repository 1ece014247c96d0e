"""``montego train mm``: weights by minorisation–maximisation."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from montego.cli.options import Number, Whole, game_option, json_option
from montego.cli.progress import meter
from montego.outside import check_ending, check_outputs

if TYPE_CHECKING:
    from montego.games import Game
    from montego.learning.fitting import Fitted

_FEW = 24  # features of a group that are printed one by one


@click.command()
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE...")
@click.option("--out", type=click.Path(path_type=Path), required=True, metavar="FILE.npz", help="The weights to write.")
@game_option(required=False)
@click.option(
    "--kind",
    type=click.Choice(["playout", "prior"]),
    default="playout",
    show_default=True,
    help="Weights for playouts, or with larger shapes for the prior of a tree (Go, Hex, Y).",
)
@click.option("--only", multiple=True, metavar="NAME", help="Train only groups of features with NAME in their names.")
@click.option("--without", multiple=True, metavar="NAME", help="Leave out groups of features with NAME in their names.")
@click.option(
    "--positions",
    type=Whole(min=0),
    default=0,
    show_default=True,
    metavar="N",
    help="Learn from about N positions, drawn from all games; 0: from all of them.",
)
@click.option(
    "--players",
    type=click.Choice(["both", "stronger"]),
    default="both",
    show_default=True,
    help="Learn from the moves of both players, or of the one with the higher rank (Go records).",
)
@click.option(
    "--hold-out",
    type=Whole(min=2),
    default=20,
    show_default=True,
    metavar="N",
    help="Test with every Nth game, which is not learnt from.",
)
@click.option(
    "--shapes",
    type=Whole(1, 65535),
    default=40000,
    show_default=True,
    metavar="N",
    help="The most shapes that a prior knows.",
)
@click.option(
    "--least",
    type=Whole(min=1),
    default=20,
    show_default=True,
    metavar="N",
    help="How often a shape must have been played for a prior to know it.",
)
@click.option(
    "--strength",
    type=Number(min=0),
    default=1.0,
    show_default=True,
    metavar="A",
    help="Strength of the belief that γ is near 1: A wins and A losses for each feature.",
)
@click.option("--sweeps", type=Whole(min=1), default=100, show_default=True, metavar="N", help="At most N.")
@click.option(
    "--tolerance",
    type=Number(min=0),
    default=1e-5,
    show_default=True,
    metavar="X",
    help="Stop when a sweep raises the mean log-likelihood by less.",
)
@click.option("--threads", type=Whole(0, 1024), default=0, metavar="N", help="0: one per core.")
@click.option("--seed", type=Whole(min=0), default=1, show_default=True, metavar="N", help="Of --positions.")
@json_option
@click.pass_context
def mm(
    context: click.Context, /, sources: tuple[str, ...], out: Path, game: Game | None, as_json: bool, **options: Any
) -> None:
    """Find the weights under which the moves of recorded games are most likely.

    SOURCE is an SGF file, a file .sgfs with a game on each line (both also .gz or .xz), a folder of these, or a ledger
    of a match. Minorisation–maximisation of a generalised Bradley–Terry model (Coulom 2007) finds the γ of every
    feature; the same command resumes an interrupted training.
    """
    from montego.games import game as build_game
    from montego.learning.fitting import fit_records
    from montego.learning.material import Wanted
    from montego.learning.mm import Training

    check_ending(out, ".npz")
    check_outputs([out], sources)
    game = game or build_game("go")
    wanted = Wanted(
        options["kind"],
        options["positions"],
        options["players"],
        options["hold_out"],
        options["least"],
        options["shapes"],
        options["seed"],
        options["threads"],
    )
    training = Training(options["strength"], options["sweeps"], options["tolerance"], options["threads"])
    about = {"data": [Path(source).name for source in sources], "command": _command(context, sources, game)}
    with meter() as progress:
        fitted = fit_records(game, sources, out, wanted, training, options["only"], options["without"], about, progress)
    if as_json:
        click.echo(json.dumps(_data(fitted, out), ensure_ascii=False))
    else:
        click.echo("\n".join(_lines(fitted, out)))


def _command(context: click.Context, sources: tuple[str, ...], game: Game) -> str:
    """Return the command without the options that were left out and without folders, for the header of the file."""
    words = ["montego train mm", *(Path(source).name for source in sources), f'--game "{game.spec_name}"']
    for name, value in context.params.items():
        default = context.get_parameter_source(name) in (click.core.ParameterSource.DEFAULT, None)
        if not default and name not in ("sources", "game", "out", "as_json", "threads"):
            values = value if isinstance(value, tuple) else (value,)
            words += [f"--{name.replace('_', '-')} {one}" for one in values]
    return " ".join(words)


def _groups(fitted: Fitted) -> list[dict[str, Any]]:
    """Return what is known of each group; its features one by one where they are few."""
    groups = []
    for name, gamma, chosen in zip(fitted.weights.groups, fitted.weights.gammas, fitted.chosen, strict=True):
        entry: dict[str, Any] = {"group": name, "features": len(gamma) - 1}
        if len(gamma) - 1 <= _FEW:
            entry["gamma"] = [float(f"{value:.5g}") for value in gamma[1:]]
            entry["chosen"] = chosen[1:].tolist()
        else:
            quartiles = (0, 0.25, 0.5, 0.75, 1)
            seen = sorted(gamma[1:])
            entry["quartiles"] = [float(f"{seen[round(q * (len(seen) - 1))]:.5g}") for q in quartiles]
        groups.append(entry)
    return groups


def _data(fitted: Fitted, out: Path) -> dict[str, Any]:
    weights = fitted.weights
    return {
        "file": str(out),
        "game": weights.game,
        "kind": weights.kind,
        **weights.about,
        "converged": fitted.fit.converged,
        "problems": len(fitted.problems),
        "groups": _groups(fitted),
    }


def _lines(fitted: Fitted, out: Path) -> list[str]:
    about, prediction = fitted.weights.about, fitted.prediction
    replaying, training = about["seconds"]
    lines = [
        f"{fitted.weights.game}, {fitted.weights.kind} weights: {about['positions']:,} positions of {about['games']:,} "
        f"games read in {replaying:.0f} s, {fitted.fit.sweeps} sweeps in {training:.0f} s"
        + f" ({about['cpu_seconds']:.0f} s of all cores in all)"
        + ("" if fitted.fit.converged else " (not converged; more --sweeps may help)"),
        f"held out: {prediction.decisions:,} positions of {about['held_out']['games']:,} games; predicted "
        f"{prediction.top1:.1%}, among the first five {prediction.top5:.1%}, "
        f"mean log-likelihood {prediction.log_likelihood:.4f}",
    ]
    if fitted.problems:
        lines.append(f"{len(fitted.problems)} games not read to their end, the first: {fitted.problems[0]}")
    lines += ["", f"{'feature':<48} {'γ':>10} {'chosen':>10}"]
    for entry in _groups(fitted):
        if "gamma" not in entry:
            low, *_, high = entry["quartiles"]
            middle = f"{entry['features']:,} features, γ from {low:g} to {high:g}, half of them from"
            lines.append(f"{entry['group']}: {middle} {entry['quartiles'][1]:g} to {entry['quartiles'][3]:g}")
            continue
        for number, (gamma, chosen) in enumerate(zip(entry["gamma"], entry["chosen"], strict=True), 1):
            name = entry["group"] if entry["features"] == 1 else f"{entry['group']} {number}"
            lines.append(f"{name:<48} {gamma:>10.4g} {chosen:>10,}")
    use = f'softmax(weights="{out}")' if fitted.weights.kind == "playout" else f'patterns(weights="{out}")'
    return [*lines, "", f"written to {out}; use it as {use}"]
