"""Programs that some tests need beside Python packages."""

import os
import shutil

import pytest

_PLACES = os.pathsep.join([os.environ.get("PATH", ""), "/usr/games", "/usr/local/games"])


def require_program(name: str) -> str:
    """Return the path of a program; without it skip the test, or fail where everything must run (CI is set)."""
    path = shutil.which(name, path=_PLACES)
    if path is None:
        reason = f"the program {name} is not installed (tools/install-system-packages installs it)"
        if os.environ.get("CI", "").lower() not in ("", "0", "false"):
            pytest.fail(reason)
        pytest.skip(reason)
    return path
