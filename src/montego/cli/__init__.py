"""The command line, one module a command.

Nothing here imports Numba before a command needs it: ``montego --help`` answers at once.
"""

from montego.cli.main import cli, main

__all__ = ["cli", "main"]
