"""Machine code that different processes have stored must live side by side in one."""

import pytest

# Kernels for records of any size; the inner one is too long to be pasted into the outer one, so that it is called by
# name.
LONG = "\n".join(f"    value = (value * {k} + state.cells[(value + {k}) % size]) & 1023" for k in range(3, 60))
MODULE = f"""
import numpy as np
from montego.kernels import kernel

def record(size):
    made = np.zeros(1, np.dtype((np.record, [("cells", np.int64, (size,))])))
    made["cells"][0] = np.arange(size)
    return made[0]

@kernel
def mixed(state, value):
    size = len(state.cells)
{LONG}
    return value

@kernel
def total(state):
    result = len(state.cells)
    for cell in range(len(state.cells)):
        result += mixed(state, cell)
    return result + mixed(state, result)
"""


@pytest.mark.compiled
@pytest.mark.parametrize("start", ["", "fork"])
def test_code_compiled_by_two_processes_is_kept_apart(python, tmp_path, start):
    """Each process compiles for its own size first; both sizes then come from the disk, and each keeps its code."""
    (tmp_path / "counting.py").write_text(MODULE)
    prologue = f"import sys, os; sys.path.insert(0, {str(tmp_path)!r})\nfrom counting import record, total\n"
    cache = {"MONTEGO_CACHE": str(tmp_path / "cache")}
    if start == "fork":
        work = "for size in (3, 50):\n    if os.fork() == 0:\n        total(record(size)); os._exit(0)\n    os.wait()\n"
        python(prologue + work, **cache)
    else:
        for size in (3, 50):
            python(prologue + f"total(record({size}))", **cache)
    both = "from montego._jit import compiled_here\nprint(total(record(3)), total(record(50)), compiled_here())"
    expected = python(prologue + both, interpreted=True).stdout
    assert python(prologue + both, **cache).stdout == expected
