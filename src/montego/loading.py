"""Users' own Python files with games, players and playout policies."""

import importlib.util
import sys
import traceback
from pathlib import Path
from types import ModuleType

from montego.errors import MontegoError


def load_file(path: str) -> ModuleType:
    """Import a user's Python file, under its own name so that compiled code is found again by the next process."""
    file = Path(path)
    if file.suffix != ".py" or not file.is_file():
        raise MontegoError(f"cannot load '{path}': expected an existing Python file such as examples/connect_four.py")
    name = file.stem
    taken = importlib.util.find_spec(name) if name.isidentifier() else None
    if not name.isidentifier() or (taken is not None and Path(taken.origin or "").resolve() != file.resolve()):
        raise MontegoError(f"cannot load '{path}': '{name}' is not a free name for a module; rename the file")
    if name in sys.modules:
        return sys.modules[name]
    module_spec = importlib.util.spec_from_file_location(name, file.resolve())
    assert module_spec is not None
    assert module_spec.loader is not None
    module = importlib.util.module_from_spec(module_spec)
    sys.modules[name] = module
    try:
        module_spec.loader.exec_module(module)
    except Exception as problem:
        del sys.modules[name]
        at = _line_of(problem, file)
        raise MontegoError(f"cannot load '{path}'{at}: {type(problem).__name__}: {problem}") from problem
    return module


def _line_of(problem: Exception, file: Path) -> str:
    """Say at which line of a file an exception was raised, if it was."""
    own = [
        frame.lineno for frame in traceback.extract_tb(problem.__traceback__) if Path(frame.filename) == file.resolve()
    ]
    return f", line {own[-1]}" if own else ""
