"""Starting programs under a keeper (``keeper.py``), which ends them with all that they have started whenever we end."""

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from montego.errors import MontegoError

_KEEPER = Path(__file__).with_name("keeper.py")
_PATIENCE = 5.0  # seconds that the keeper has to kill everything


def start_kept(program: Sequence[str], **streams: Any) -> tuple["subprocess.Popen[bytes]", int]:
    """Start a program, its first word a path; return its keeper, which ends as it does, and the lifeline of both."""
    lifeline, held = os.pipe()
    try:
        process = subprocess.Popen(
            [sys.executable, "-I", "-S", str(_KEEPER), str(lifeline), *program],
            bufsize=0,
            pass_fds=(lifeline,),
            start_new_session=True,  # a group of its own, so that Ctrl-C is ours alone
            **streams,
        )
    except (OSError, ValueError) as problem:
        os.close(held)
        raise MontegoError(f"cannot run {program[0]!r}: {getattr(problem, 'strerror', None) or problem}") from None
    finally:
        os.close(lifeline)
    return process, held


def end_kept(process: "subprocess.Popen[bytes]", lifeline: int) -> None:
    """Let the keeper kill the program and all it has started, and wait for it; kill the group of one that is stuck."""
    with contextlib.suppress(OSError):
        os.close(lifeline)
    if process.returncode is None:
        try:
            process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    for pipe in (process.stdin, process.stdout):
        with contextlib.suppress(OSError):
            if pipe is not None:
                pipe.close()
