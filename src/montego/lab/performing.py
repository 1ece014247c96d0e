"""Running an experiment and writing down what it found: the same for the command and for the page."""

from __future__ import annotations

import json
import platform
from pathlib import Path
from typing import Any

from montego import __version__
from montego.lab.artefacts import command_of
from montego.lab.experiment import Conditions, Experiment, Report
from montego.outside import write_file


def perform(chosen: Experiment, how: Conditions) -> tuple[dict[str, Any], Report, list[Path]]:
    """Run an experiment; return its data, ready for JSON, its report, and the files that it wrote to the folder."""
    report, seconds = chosen.run(how)
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
        "machine": f"{platform.machine()} {platform.system()}, Python {platform.python_version()}",
        **report.data(),
    }
    if how.folder is None:
        return data, report, []
    files = {f"{chosen.name}.json": json.dumps(data, indent=2, ensure_ascii=False) + "\n", **report.files()}
    for name, text in files.items():
        write_file(how.folder / name, text)
    return data, report, [how.folder / name for name in files]
