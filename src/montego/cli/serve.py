"""``montego serve``."""

from __future__ import annotations

import click

from montego.cli.options import LOADED, Whole, load_option
from montego.errors import MontegoError


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, metavar="ADDRESS", help="Where to listen.")
@click.option("--port", type=Whole(0, 65535), default=8000, show_default=True, metavar="N", help="0: any free port.")
@click.option(
    "--folder",
    type=click.Path(exists=True, file_okay=False),
    metavar="DIR",
    help="The one folder in which pages may read and write game records, ledgers and reports.",
)
@load_option
@click.option("--allow-commands", is_flag=True, help='Let pages use gtp("…") players, which run programs.')
@click.option(
    "--allow-host", "allow_hosts", multiple=True, metavar="NAME", help="Another name of this server; may be repeated."
)
@click.option("--token", metavar="TEXT", help="Ask pages for this token; made up if --host is not this machine alone.")
@click.option("--open", "open_page", is_flag=True, help="Open the page in a browser.")
@click.pass_context
def serve(
    context: click.Context,
    host: str,
    port: int,
    folder: str | None,
    allow_commands: bool,
    allow_hosts: tuple[str, ...],
    token: str | None,
    open_page: bool,
) -> None:
    """Play, analyse and run matches in a browser.

    Needs the extra: pip install 'montego[web]'. Only this machine can connect, unless --host says otherwise: then the
    printed address contains a token that pages need.
    """
    try:
        from montego.web.app import Lab
        from montego.web.folder import Folder
        from montego.web.server import serve as run_server
    except ImportError as problem:
        raise MontegoError(f"{problem.name} is not installed: pip install 'montego[web]'") from None

    def announce(address: str) -> None:
        click.echo(f"Montego is at {address} (Ctrl-C ends it)")
        if open_page:
            click.launch(address)

    lab = Lab(folder=Folder(folder), allow_commands=allow_commands, load=context.meta.get(LOADED, ()))
    try:
        run_server(lab, host, port, allow_hosts, token, announce)
    except KeyboardInterrupt:  # the way to end it, so not an interruption
        click.echo()
