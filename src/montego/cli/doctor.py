"""``montego doctor``: what is installed, where compiled code is kept, and whether compilation works."""

from __future__ import annotations

import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import click

from montego.cli.options import json_option
from montego.errors import MontegoError, counted

_PROBE_PLAYOUTS = 300
_PROBE_SEED = 1


@click.command()
@click.option("--clear-cache", is_flag=True, help="First delete all compiled code; it is made again when needed.")
@json_option
@click.pass_context
def doctor(context: click.Context, clear_cache: bool, as_json: bool) -> None:
    """Show versions and the cache, and check that compiled code does what the source says.

    The compile check compiles tic-tac-toe playouts in a temporary cache and compares them with interpreted ones. The
    cache check plays the same playouts with the cache in use. The exit code is 1 if the compile check fails.
    """
    report: dict[str, Any] = {"versions": _versions(), "cores": _cores()}
    if clear_cache:
        report["cleared_bytes"] = clear()
    report["cache"] = cache_report()
    report["compile_check"] = compile_check()
    report["cache_check"] = cache_check()
    if as_json:
        click.echo(json.dumps(report, indent=2))
    else:
        _print(report)
    context.exit(0 if report["compile_check"]["ok"] else 1)


def _print(report: dict[str, Any]) -> None:
    cache, check = report["cache"], report["compile_check"]
    for name, number in report["versions"].items():
        click.echo(f"{name:<14}{number}")
    click.echo(f"{'cores':<14}{report['cores']}")
    if "cleared_bytes" in report:
        click.echo(f"{'cleared':<14}{_megabytes(report['cleared_bytes'])}")
    state = "" if cache["writable"] else ", not writable: every process compiles again"
    kept = counted(cache["versions"], "version")
    click.echo(f"{'cache':<14}{cache['folder']} ({_megabytes(cache['bytes'])}, {kept}{state})")
    if cache["problem"]:
        click.echo(f"{'':<14}not used: {cache['problem']}")
    click.echo(f"{'compile check':<14}{'ok' if check['ok'] else 'FAILED'}: {check['message']}")
    click.echo(f"{'cache check':<14}{report['cache_check']['message']}")


def _megabytes(size: int) -> str:
    return f"{size / 1e6:.1f} MB"


def _versions() -> dict[str, str]:
    found = {"montego": _version("montego"), "python": platform.python_version()}
    found |= {name: _version(name) for name in ("numpy", "numba", "llvmlite", "click", "rich")}
    return found | {"platform": f"{platform.system()} {platform.machine()}"}


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


def _cores() -> int:
    """Return the number of cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


# ------------------------------------------------------------------------------------------------------------ the cache


def _cache_folders() -> list[Path]:
    """Return the folders of compiled code; anything else under the cache's root is not ours to touch."""
    from montego._jit import cache_root

    root = cache_root()
    if not root.is_dir():
        return []
    return [folder for folder in root.iterdir() if folder.is_dir() and re.fullmatch("[0-9a-f]{16}", folder.name)]


def _size(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


def cache_report() -> dict[str, Any]:
    """Return where compiled code is kept and how much there is."""
    from montego._jit import cache_directory, cache_problem, cache_root

    folders = _cache_folders()
    existing = next(folder for folder in (cache_directory(), *cache_directory().parents) if folder.exists())
    return {
        "folder": str(cache_root()),
        "current": cache_directory().name,
        "versions": len(folders),
        "bytes": sum(_size(folder) for folder in folders),
        "writable": existing.is_dir() and os.access(existing, os.W_OK),
        "problem": cache_problem(),
    }


def clear() -> int:
    """Delete all compiled code and return how many bytes there were."""
    folders = _cache_folders()
    size = sum(_size(folder) for folder in folders)
    for folder in folders:
        try:
            shutil.rmtree(folder)
        except OSError as problem:
            raise MontegoError(f"cannot delete {folder}: {problem.strerror or problem}") from None
    return size


# ----------------------------------------------------------------------------------------------------------- the checks


def probe() -> None:
    """Print what some playouts of tic-tac-toe add up to, and where their kernels came from (in a child process)."""
    import time

    from montego._jit import INTERPRETED, compiled_here, failed_reads, loaded_from_cache
    from montego.games import game
    from montego.playouts import Sampler
    from montego.rng import stream

    tictactoe = game("tictactoe")
    began = time.perf_counter()
    totals = Sampler(tictactoe, tictactoe.start().state, stream(_PROBE_SEED)).run(_PROBE_PLAYOUTS)
    seconds = time.perf_counter() - began
    compiled, loaded = ([], []) if INTERPRETED else (compiled_here(), loaded_from_cache())
    found = {
        "totals": totals.tolist(),
        "compiled": len(compiled),
        "loaded": len(loaded),
        "failed_reads": failed_reads(),
    }
    print(json.dumps({**found, "seconds": seconds}))


def _run_probe(interpreted: bool, cache: str | None = None) -> dict[str, Any]:
    """Run the probe in a process of its own, in a given cache folder or in the one in use."""
    environment = {**os.environ, "NUMBA_DISABLE_JIT": str(int(interpreted))}
    if cache is not None:
        environment["MONTEGO_CACHE"] = cache
    command = [sys.executable, "-P", "-c", "from montego.cli.doctor import probe; probe()"]
    child = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if child.returncode != 0:
        last = (child.stderr.strip().splitlines() or ["no message"])[-1]
        raise RuntimeError(f"{'interpreted' if interpreted else 'compiled'} playouts ended with: {last}")
    result: dict[str, Any] = json.loads(child.stdout.strip().splitlines()[-1])
    return result


def compile_check() -> dict[str, Any]:
    """Compile playouts from nothing, and compare what they give with the interpreted source."""
    try:
        with tempfile.TemporaryDirectory() as folder:
            compiled, interpreted = _run_probe(interpreted=False, cache=folder), _run_probe(interpreted=True)
    except (RuntimeError, OSError, ValueError) as problem:
        return {"ok": False, "message": str(problem)}
    report = {"ok": False, "seconds": compiled["seconds"], "kernels": compiled["compiled"]}
    if not compiled["compiled"]:
        return report | {"message": "nothing was compiled"}
    if compiled["totals"] != interpreted["totals"]:
        return report | {"message": f"compiled {compiled['totals']} but interpreted {interpreted['totals']}"}
    message = (
        f"{compiled['compiled']} kernels compiled in {compiled['seconds']:.1f} s; "
        f"{_PROBE_PLAYOUTS} playouts equal the interpreted ones"
    )
    return report | {"ok": True, "message": message}


def cache_check() -> dict[str, Any]:
    """Play with the cache in use and report which kernels were found there, compiled, or could not be read."""
    try:
        found = _run_probe(interpreted=False)
    except (RuntimeError, OSError, ValueError) as problem:
        return {"message": str(problem)}
    loaded, compiled, failed = found["loaded"], found["compiled"], found["failed_reads"]
    message = f"{_kernels(loaded)} loaded in {found['seconds']:.1f} s, {compiled} compiled"
    if failed:
        message += f", {len(failed)} file{'' if len(failed) == 1 else 's'} could not be read ({failed[0]})"
    return {"loaded": loaded, "compiled": compiled, "failed_reads": failed, "message": message}


def _kernels(count: int) -> str:
    return f"{count} kernel{'' if count == 1 else 's'}"
