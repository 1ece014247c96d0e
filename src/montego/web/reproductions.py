"""Experiments of papers, run from a page: each in a process of its own, which can be ended at any moment.

An experiment computes for long without looking up, so a thread could not be stopped. The process (``experiment.py``)
runs under a keeper and ends with the server. It says in lines of JSON how far it is.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from montego.lab import Experiment
from montego.opponents.keeping import end_kept, start_kept
from montego.outside import read_file
from montego.web.background import Background, Ended
from montego.web.bounds import Refused
from montego.web.folder import Folder

_GOODBYE = 5.0  # seconds
_SEED = 1  # so that the same run goes on where it was stopped


def read_report(content: bytes, name: str) -> dict[str, Any]:
    """Return a report of ``montego reproduce``; refuse anything else."""
    try:
        data = json.loads(content)
    except (ValueError, RecursionError):
        raise Refused(f"{name} is not a report") from None
    if not isinstance(data, dict) or not isinstance(data.get("experiment"), str):
        raise Refused(f"{name} is not a report of montego reproduce")
    return data


def refuse_to_replace(name: str, folder: Folder) -> None:
    """Refuse a quick run where the report of a longer one would be lost."""
    if f"{name}.json" not in folder.names("reports"):
        return
    try:
        size = read_report(folder.read(f"{name}.json", "reports"), name).get("size")
    except Refused:
        return
    if size != "quick":
        raise Refused(f"the folder has {name}.json of a longer run, which a quick one would replace; move it away")


class Reproduction(Background):
    """A quick run of one experiment."""

    kind = "experiment"

    def __init__(self, identity: int, chosen: Experiment, folder: Folder, seconds: float, programs: bool) -> None:
        super().__init__(identity, f"{chosen.name}: quick run", 0, folder.path is not None)
        self.chosen, self.folder, self.seconds, self.programs = chosen, folder, seconds, programs
        self.view = {"summary": chosen.summary, "paper": chosen.paper}

    def again(self) -> Reproduction:
        """Return the same run; with a folder it goes on, as its games are kept."""
        return Reproduction(self.identity, self.chosen, self.folder, self.seconds, self.programs)

    def work(self, changed: Callable[[], None]) -> None:
        """Run the experiment; its report is in the view when it has ended."""
        with tempfile.TemporaryDirectory(prefix="montego-") as spare:
            place = self.folder.path or Path(spare)
            words = [self.chosen.name, str(place), str(_SEED), "programs" if self.programs else "players"]
            process, lifeline = start_kept(
                [sys.executable, "-P", "-m", "montego.web.experiment", *words],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=os.environ | {"PYTHONUNBUFFERED": "1"},
            )
            over = threading.Event()
            threading.Thread(target=self._end_in_time, args=(process, lifeline, over), daemon=True).start()
            try:
                self.state = "playing"
                said = self._listen(process, changed)
            finally:
                over.set()
                end_kept(process, lifeline)
            if self.stopping.is_set():
                raise Ended(self.problem)
            if "problem" in said:
                raise Refused(said["problem"])
            if process.returncode:
                raise Refused(f"the experiment ended with exit code {process.returncode}")
            report = read_report(read_file(place / f"{self.chosen.name}.json"), self.chosen.name)
            self.view = {**self.view, "report": report, "figures": self.kept}

    def _end_in_time(self, process: subprocess.Popen[bytes], lifeline: int, over: threading.Event) -> None:
        """End the process when it is stopped or has had its time."""
        waited = 0.0
        while not over.wait(0.1) and not self.stopping.is_set():
            waited += 0.1
            if waited > self.seconds:
                self.problem = f"ended after {self.seconds:,.0f} s, which is what the server gives a quick run"
                self.stopping.set()
        if not over.is_set():
            process.terminate()  # tells the keeper, which kills everything

    def _listen(self, process: subprocess.Popen[bytes], changed: Callable[[], None]) -> dict[str, Any]:
        """Follow what the process says until it ends; return all that it has said, the latest of each kind."""
        assert process.stdout is not None
        said: dict[str, Any] = {}
        for line in process.stdout:
            said |= json.loads(line)
            self.done, self.total = said.get("finished", 0), said.get("total", 0)
            self.view = {**self.view, "part": said.get("part", ""), "seconds": said.get("seconds", 0)}
            changed()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(_GOODBYE)  # its output has ended, so it is about to end
        return said
