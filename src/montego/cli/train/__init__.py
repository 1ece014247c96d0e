"""``montego train``: from game records to weights of move features."""

import click

from montego.cli.train.mm import mm
from montego.cli.train.positions import positions
from montego.cli.train.sb import sb


@click.group(invoke_without_command=True)
@click.pass_context
def train(context: click.Context) -> None:
    """Train the weights of playouts and of the tree's prior.

    From game records to a match in five commands:

    \b
      montego train mm games/ --out mm.npz
      montego bench playouts --game "go(size=9)" --playout "softmax(weights=mm.npz)"
      montego play --game "go(size=9)" --player "uct(playouts=3000, rave=silver, playout=softmax(weights=mm.npz))"
      montego match --game "go(size=9)" --games 40 --ledger mm.db --player "uct(playouts=1000)" \\
          --player "uct(playouts=1000, playout=softmax(weights=mm.npz))"
      montego results mm.db
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


for command in (mm, positions, sb):
    train.add_command(command)
