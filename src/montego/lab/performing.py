"""Running an experiment and writing down what it found: the same for the command and for the page."""

from __future__ import annotations

import json
import os
import platform
from contextlib import suppress
from pathlib import Path
from typing import Any

from montego import __version__
from montego.errors import MontegoError
from montego.lab.artefacts import command_of, read_result
from montego.lab.experiment import Conditions, Experiment, Report, Size, Skipped
from montego.outside import write_file


def perform(chosen: Experiment, how: Conditions) -> tuple[dict[str, Any], Report, list[Path]]:
    """Run an experiment; return its data, ready for JSON, its report, and the files that it wrote to the folder.

    A result that is stored there is not replaced by one of a smaller size, nor by judging fewer games.
    """
    earlier = _stored(chosen.name, how)
    sizes = list(Size)
    if earlier and sizes.index(Size(earlier["size"])) > sizes.index(how.size):
        raise Skipped(
            f"'{how.folder}' holds the {earlier['size']} run of {chosen.name}, and a {how.size} run would replace it; "
            "name another folder by --out"
        )
    report, seconds = chosen.run(how)
    games = report.settings.get("games", 0)
    if earlier and how.judge and (stored := earlier["settings"].get("games", 0)) > games:
        raise Skipped(
            f"'{how.folder}' holds a result of {chosen.name} from {stored:,} games, more than the {games:,} in this "
            "ledger; play more of them first"
        )
    data = {
        "experiment": chosen.name,
        "paper": chosen.paper,
        "summary": chosen.summary,
        "size": how.size.value,
        "quick": how.quick,
        "command": command_of(chosen.name, how),
        "seed": how.seed,
        "seconds": round(report.thought or seconds, 3),
        "version": __version__,
        "machine": (how.judge and earlier and earlier.get("machine")) or machine(),  # where the games were played
        **report.data(),
    }
    if how.folder is None:
        return data, report, []
    files = {f"{chosen.name}.json": json.dumps(data, indent=2, ensure_ascii=False) + "\n", **report.files()}
    for name, text in files.items():
        write_file(how.folder / name, text)
    return data, report, [how.folder / name for name in files]


def _stored(name: str, how: Conditions) -> dict[str, Any] | None:
    """Return the result that is in the folder; a damaged one counts as none, as it may be replaced."""
    with suppress(MontegoError):
        return None if how.folder is None else read_result(how.folder, name)
    return None


def machine() -> str:
    """Return what this machine is, as far as the system tells: kind, processor, cores, Python."""
    processor = ""
    with suppress(OSError):
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
        processor = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")
    parts = (f"{platform.machine()} {platform.system()}", processor or platform.processor(), f"{os.cpu_count()} cores")
    return ", ".join(part for part in (*parts, f"Python {platform.python_version()}") if part)
