"""Tables for pandas, which Montego does not install by itself."""

from importlib import import_module
from typing import Any

from montego.errors import MontegoError


def frame(rows: list[Any], columns: Any, index: str | None = None) -> Any:
    """Return a pandas table of rows, with one of its columns as the index if wanted."""
    try:
        pandas = import_module("pandas")
    except ImportError:
        raise MontegoError("to_frame() needs pandas, which is not installed: pip install pandas") from None
    table = pandas.DataFrame(rows, columns=columns)
    return table if index is None else table.set_index(index)
