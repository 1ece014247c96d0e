"""``montego draw``: a position, a game or an analysis as a picture."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from montego.cli.options import Whole, game_option, player_option, seed_option
from montego.cli.picture import to_png
from montego.cli.progress import compiling
from montego.errors import MontegoError, counted
from montego.outside import check_ending, check_outputs, write_file

if TYPE_CHECKING:
    from montego.games import Game, Position

_HEATS = ("visits", "value", "amaf", "prior", "ownership")
_LABELLED = 9  # moves of an analysis whose numbers are written on the board
_SURVEY = 16  # playouts between two counts of who owns the points


@click.command()
@click.argument("file", type=click.Path(dir_okay=False), metavar="[FILE]", required=False)
@game_option(required=False)
@click.option("--moves", metavar="TEXT", default="", help="Moves to play first, such as 'C3 D4'; with ; between moves "
              "that have spaces.")  # fmt: skip
@click.option("--at", "at", type=Whole(min=0), metavar="N", help="Draw the position after N moves.")
@click.option("--numbers", is_flag=True, help="Write on every stone when it was played: a game in one picture.")
@click.option("--heat", type=click.Choice(_HEATS), help="Analyse the position and draw what the search found.")
@player_option(None, "Who analyses; montego players lists them.")
@click.option("--out", type=click.Path(dir_okay=False), metavar="FILE", help="A .svg or .png file. Default: print SVG.")
@click.option("--width", type=Whole(16, 8000), metavar="N", help="Width of a PNG in pixels.")
@seed_option
def draw(
    file: str | None,
    game: Game | None,
    moves: str,
    at: int | None,
    numbers: bool,
    heat: str | None,
    settings: Any,
    out: str | None,
    width: int | None,
    seed: int | None,
) -> None:
    """Draw a position, a game or an analysis as SVG or PNG.

    FILE is an SGF record or a position saved as JSON; without one, the start of --game is drawn. PNG needs the extra
    montego[png].
    """
    if out:
        check_ending(out, ".svg", ".png")
    check_outputs([out], [file])
    position = _position(file, game, moves, at)
    if numbers and heat:
        raise MontegoError("--numbers and --heat write on the same points; give one of them")
    if heat:
        picture = _analysed(position, heat, settings, seed)
    else:
        picture = position.svg(labels=_numbers(position) if numbers else None)
    if out is None:
        click.echo(picture)
        return
    content = to_png(picture, width) if out.lower().endswith(".png") else picture.encode()
    write_file(out, content)


def _position(file: str | None, game: Game | None, moves: str, at: int | None) -> Position:
    """Return the position to draw."""
    from montego.cli.options import favourite_game
    from montego.cli.records import read_position

    position = read_position(Path(file), game) if file else (game or favourite_game()).start()
    for move in moves.split(";") if ";" in moves else moves.split():
        if move.strip():
            position.play(move.strip())
    if at is not None:
        if at > len(position.moves):
            raise MontegoError(
                f"the game has {counted(len(position.moves), 'move')}; expected --at from 0 to that, not {at}"
            )
        played = position.moves[:at]
        position = position.beginning()
        for number in played:
            position.play(number)
    return position


def _numbers(position: Position) -> dict[str, str]:
    """Return for every point with a stone the number of the move that put it there."""
    game, there = position.game, position.stones()
    trial = position.beginning()
    found: dict[str, str] = {}
    for count, move in enumerate(position.moves, 1):
        trial.play(move)
        found |= {point: str(count) for point in game.last_points(trial)}
    return {point: number for point, number in found.items() if point in there}


def _analysed(position: Position, heat: str, settings: Any, seed: int | None) -> str:
    from montego.players import Player, default_settings

    if position.over:
        raise MontegoError(f"the game is over ({position.result}); --at N draws an earlier position")
    if settings is None:
        settings = default_settings(position.game, **({"survey": _SURVEY} if heat == "ownership" else {}))
    player = Player(settings, position.game, seed)
    try:
        with compiling():
            player.choose_number(position)
        analysis = player.analysis()
    finally:
        player.close()
    found = analysis.heat(heat, position.game)
    if not found.values:
        raise MontegoError(f"{player} keeps no {heat}; try another --heat or another --player")
    labels = {}
    if heat != "ownership":
        best = sorted(found.values, key=lambda point: -found.weights.get(point, found.values[point]))[:_LABELLED]
        labels = {point: found.word(found.values[point]) for point in best}
    return position.svg(found, labels)
