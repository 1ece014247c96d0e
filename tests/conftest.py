"""What all tests share: marks, and Python processes of their own for what one process cannot show."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import montego

ROOT = Path(__file__).parents[1]


def pytest_configure(config: pytest.Config) -> None:
    # A shell starts jobs in the background with Ctrl-C ignored, and their children would inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    config.addinivalue_line("markers", "slow: takes long; left out of the usual run")
    config.addinivalue_line("markers", "both_modes: also run with NUMBA_DISABLE_JIT=1")
    config.addinivalue_line("markers", "compiled: makes sense for compiled kernels only")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    from montego.kernels import INTERPRETED

    if INTERPRETED:
        skip = pytest.mark.skip(reason="about compiled kernels, and NUMBA_DISABLE_JIT is set")
        for item in items:
            if item.get_closest_marker("compiled"):
                item.add_marker(skip)


@pytest.fixture(scope="session")
def python() -> Callable[..., "subprocess.CompletedProcess[str]"]:
    """Run Python code in a process of its own, with all warnings as errors; it must succeed."""

    def run(code: str, *, interpreted: bool = False, **environment: str) -> "subprocess.CompletedProcess[str]":
        variables = {name: value for name, value in os.environ.items() if name != "NUMBA_DISABLE_JIT"}
        variables |= {"PYTHONPATH": str(Path(montego.__file__).parents[1]), **environment}
        if interpreted:
            variables["NUMBA_DISABLE_JIT"] = "1"
        command = [sys.executable, "-W", "error", "-c", code]
        done = subprocess.run(command, env=variables, capture_output=True, text=True, timeout=300, check=False)
        assert done.returncode == 0, done.stderr
        return done

    return run
