"""The ``montego`` command: its subcommands, and the one place where errors become messages and exit codes."""

import contextlib
import errno
import io
import os
import sys
from collections.abc import Iterator, Sequence

import click

from montego import __version__
from montego.cli.analyse import analyse
from montego.cli.bench import bench
from montego.cli.check import check
from montego.cli.doctor import doctor
from montego.cli.draw import draw
from montego.cli.games import games
from montego.cli.gtp import gtp
from montego.cli.match import match
from montego.cli.perft import perft
from montego.cli.play import play
from montego.cli.players import players
from montego.cli.report import report
from montego.cli.reproduce import reproduce
from montego.cli.results import results
from montego.cli.serve import serve
from montego.cli.tournament import tournament
from montego.cli.train import train
from montego.cli.tune import tune
from montego.errors import MontegoError
from montego.outside import printable_line

BAD_INPUT = 2
INTERRUPTED = 130
_LONGEST_MESSAGE = 800  # characters
_OUTPUT_ERRORS = (errno.ENOSPC, errno.EBADF, errno.EIO, errno.EDQUOT, errno.EFBIG)


class _Commands(click.Group):
    """The subcommands, some of which have a second spelling that help does not list."""

    spellings = {"analyze": "analyse"}

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        return super().get_command(ctx, self.spellings.get(cmd_name, cmd_name))


@click.group(cls=_Commands, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="montego", message="%(prog)s %(version)s")
@click.pass_context
def cli(context: click.Context) -> None:
    """Play, analyse and measure board games with Monte-Carlo methods."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


_COMMANDS = (
    play,
    analyse,
    draw,
    gtp,
    match,
    tournament,
    results,
    tune,
    train,
    games,
    players,
    perft,
    bench,
    check,
    reproduce,
    report,
    serve,
    doctor,
)
for command in _COMMANDS:
    cli.add_command(command)


def main(args: Sequence[str] | None = None) -> None:
    """Run the command line; bad input becomes one line on stderr and exit code 2."""
    sys.exit(run(args))


def run(args: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    try:
        with _open_streams():
            code = cli.main(args=None if args is None else list(args), prog_name="montego", standalone_mode=False)
            sys.stdout.flush()
    except click.ClickException as problem:
        return _refuse(problem.format_message())
    except MontegoError as problem:
        return _refuse(str(problem))
    except (KeyboardInterrupt, click.Abort):
        return INTERRUPTED
    except BrokenPipeError:
        _forget_output()
        return 1
    except OSError as problem:
        if problem.errno not in _OUTPUT_ERRORS:
            raise
        _forget_output()
        return _refuse(f"cannot write to standard output: {problem.strerror}")
    except MemoryError:
        return _refuse("this machine has not enough memory for that; ask for less")
    except Exception as problem:
        if message := _about_a_kernel(problem):
            click.echo(message, err=True)
            return BAD_INPUT
        raise
    return code if isinstance(code, int) else 0


@contextlib.contextmanager
def _open_streams() -> Iterator[None]:
    """Make standard output and error usable: what they cannot encode is replaced; closed ones swallow everything."""
    before = sys.stdout, sys.stderr
    try:
        for name in ("stdout", "stderr"):
            stream = getattr(sys, name)
            if stream is None:
                setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115, PTH123
            elif isinstance(stream, io.TextIOWrapper) and stream.errors == "strict":
                stream.reconfigure(errors="replace")
        yield
    finally:
        if None in before:
            sys.stdout, sys.stderr = before


def _forget_output() -> None:
    """Throw away what is still to be written, or the interpreter would complain when it ends."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _refuse(message: str) -> int:
    """Print a message as one line and return the exit code for bad input."""
    line = printable_line(message).rstrip(".")
    line = line if len(line) <= _LONGEST_MESSAGE else f"{line[:_LONGEST_MESSAGE]}…"
    click.echo(f"montego: error: {line[:1].lower()}{line[1:]}", err=True)
    return BAD_INPUT


def _about_a_kernel(problem: Exception) -> str:
    """Return a few lines about a kernel of a user's file that cannot be compiled, or nothing."""
    if "montego._jit" not in sys.modules:
        return ""
    from montego._jit.explain import explain_compilation

    explanation = explain_compilation(problem)
    if explanation is None or not explanation.file:
        return ""
    return (
        f"montego: error: {explanation}\n"
        f"montego: run 'montego check {explanation.file}' to check the file; with NUMBA_DISABLE_JIT=1 kernels are not "
        "compiled and a debugger can step through them"
    )
