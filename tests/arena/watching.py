"""Looking into a ledger while another process writes it."""

import sqlite3
from pathlib import Path


def games_in(file: Path) -> int:
    """Return how many games are in a ledger that another process is writing."""
    if not file.exists():
        return 0
    database = sqlite3.connect(file, timeout=10)
    try:
        return int(database.execute("SELECT COUNT(*) FROM games").fetchone()[0])
    except sqlite3.OperationalError:  # the table is not there yet
        return 0
    finally:
        database.close()
