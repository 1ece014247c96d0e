"""Experiments of papers, run for pages: watched, stopped, bounded; nothing of them stays behind."""

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from montego.web.app import Lab
from montego.web.bounds import Bounds
from tests.web.running import Page, Served, serving

STATES = ("finished", "stopped", "failed")


def follow(page: Page, identity: int, until: tuple[str, ...] = STATES) -> dict[str, Any]:
    """Return what a page is told of an experiment when it has come to one of some states."""
    while True:
        message = page.receive()
        if message["type"] == "contest" and message["contest"] == identity and message["state"] in until:
            return message


def processes(name: str) -> list[str]:
    """Return the processes that run an experiment."""
    listed = subprocess.run(["ps", "-ww", "-eo", "pid,ppid,args"], capture_output=True, text=True, check=True).stdout
    return [line for line in listed.splitlines() if f"montego.web.experiment {name}" in line]


def test_a_quick_run_is_watched_and_its_report_shown(page: Page, served: Served) -> None:
    page.ask("contest_watch")
    started = page.ask("reproduce", name="wls-figure-1")
    assert started["kind"] == "experiment"
    ended = follow(page, started["contest"])
    assert ended["state"] == "finished", ended["problem"]
    assert ended["report"]["verdict"] == "agrees"
    assert ended["report"]["size"] == "quick"
    assert ended["figures"], "they are in the folder"
    assert served.lab is not None
    assert served.lab.folder.path is not None
    written = served.lab.folder.path / "wls-figure-1.json"
    assert page.ask("report", file=written.name)["report"] == ended["report"] == json.loads(written.read_text("utf-8"))
    assert served.get(f"/figure/{ended['report']['figures'][0]}")[0] == 200


def test_a_run_is_stopped_with_everything_it_has_started(page: Page) -> None:
    page.ask("contest_watch")
    started = page.ask("reproduce", name="sigmoid-figure-3")
    follow(page, started["contest"], ("playing",))
    assert processes("sigmoid-figure-3")
    page.ask("contest_stop", contest=started["contest"])
    assert follow(page, started["contest"])["state"] == "stopped"
    assert processes("sigmoid-figure-3") == []


def test_only_experiments_that_are_known_are_run(page: Page) -> None:
    for name in ("all", "nothing", "../wls-figure-1", "--list", ""):
        assert "unknown experiment" in page.ask("reproduce", name=name)["message"]
    assert "text" in page.ask("reproduce", name=["wls-figure-1"])["message"]


def test_the_report_of_a_longer_run_is_not_replaced(page: Page, served: Served) -> None:
    assert served.lab is not None
    assert served.lab.folder.path is not None
    report = {"experiment": "wls-table-1", "size": "full", "rows": []}
    (served.lab.folder.path / "wls-table-1.json").write_text(json.dumps(report), encoding="utf-8")
    assert "a longer run" in page.ask("reproduce", name="wls-table-1")["message"]


def test_no_program_is_started_for_a_page() -> None:
    """Without a folder too."""
    with serving(Lab(Bounds(contests=1))) as served, served.connect() as socket:
        page = Page(socket)
        page.ask("contest_watch")
        started = page.ask("reproduce", name="lecture-gnugo")
        assert "1 contests or experiments are running" in page.ask("reproduce", name="wls-figure-1")["message"]
        ended = follow(page, started["contest"])
        assert ended["state"] == "failed"
        assert "no program may be started here" in ended["problem"]


def test_the_time_of_a_run_is_bounded() -> None:
    with serving(Lab(Bounds(experiment_seconds=0.3))) as served, served.connect() as socket:
        page = Page(socket)
        page.ask("contest_watch")
        ended = follow(page, page.ask("reproduce", name="sigmoid-figure-5")["contest"])
        assert ended["state"] == "stopped"
        assert "ended after 0 s" in ended["problem"]
        assert processes("sigmoid-figure-5") == []


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks for processes as Linux lists them")
def test_an_experiment_ends_with_a_server_that_is_killed(tmp_path: Path) -> None:
    code = """
import time
from montego.lab import EXPERIMENTS
from montego.web.folder import Folder
from montego.web.reproductions import Reproduction
one = Reproduction(1, EXPERIMENTS["sigmoid-figure-4"], Folder(None), 600.0, False)
one.run(lambda changed: print(changed.state, flush=True))
"""
    command = [sys.executable, "-c", code]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        assert server.stdout.readline() == "playing\n"
        assert processes("sigmoid-figure-4")
        server.kill()
    deadline = time.monotonic() + 20
    while processes("sigmoid-figure-4") and time.monotonic() < deadline:
        time.sleep(0.05)
    assert processes("sigmoid-figure-4") == []
