"""The application: the page and its parts, the connection of each page, and what all of them share."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from contextlib import asynccontextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from montego import __version__
from montego.errors import MontegoError
from montego.lab import EXPERIMENTS
from montego.search import Limits
from montego.web.bounds import Bounds
from montego.web.catalogue import catalogue
from montego.web.client import Client
from montego.web.contests import Contests
from montego.web.engines import Engines
from montego.web.folder import Folder
from montego.web.guard import LOOPBACK, Guard

PAGE = Path(str(files("montego.web") / "page"))
_TYPES = {".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
_log = logging.getLogger("montego.web")


class Lab:
    """What all pages share: threads, contests, the folder, and the bounds."""

    def __init__(
        self,
        bounds: Bounds = Bounds(),  # noqa: B008 (immutable)
        folder: Folder | None = None,
        allow_commands: bool = False,
        load: Sequence[str] = (),
    ) -> None:
        self.bounds, self.allow_commands = bounds, allow_commands
        self.folder = folder or Folder(None)
        self.engines = Engines(bounds, allow_commands)
        self.contests = Contests(bounds, self.folder, allow_commands, load)
        self.clients: set[Client] = set()
        self.failures = 0

    def limits(self, settings: Any, seconds: float, watch: Callable[..., bool]) -> Limits:
        """Return the limits of one search: those of the page within those of the server."""
        most = self.bounds.search_seconds
        asked = seconds or float(getattr(settings, "seconds", 0.0)) or most
        return Limits(playouts=0 if seconds else None, seconds=min(asked, most), watch=watch)

    def note_failure(self, problem: Exception) -> None:
        """Count and report a fault of ours."""
        self.failures += 1
        _log.error("a request failed", exc_info=problem)

    def close(self) -> None:
        """Stop everything."""
        for client in list(self.clients):
            for job in list(client.jobs.values()):
                job.stop.set()
        self.contests.close()
        self.engines.close()


def application(lab: Lab, hosts: Collection[str] = LOOPBACK, token: str = "") -> Starlette:
    """Return the ASGI application of a lab."""

    async def page(request: Request) -> Response:
        return _part("index.html")

    async def part(request: Request) -> Response:
        return _part(request.path_params["name"])

    async def registry(request: Request) -> Response:
        experiments = [{"name": one.name, "paper": one.paper, "summary": one.summary} for one in EXPERIMENTS]
        return JSONResponse(
            {
                "version": __version__,
                "kinds": catalogue(lab.allow_commands),
                "bounds": lab.bounds.as_dict(),
                "folder": lab.folder.path is not None,
                "experiments": experiments,
            }
        )

    async def status(request: Request) -> Response:
        engines = lab.engines
        return JSONResponse({"clients": len(lab.clients), "searches": engines.running, "failures": lab.failures})

    async def figure(request: Request) -> Response:
        try:
            content = lab.folder.read(request.path_params["name"], "figures")
        except MontegoError as problem:
            return PlainTextResponse(str(problem), 404)
        sandbox = {"content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox"}
        return Response(content, media_type="image/svg+xml", headers=sandbox)

    async def connect(socket: WebSocket) -> None:
        await socket.accept()
        if len(lab.clients) >= lab.bounds.clients:
            await socket.close(1013, f"{lab.bounds.clients} pages are connected; try again later")
            return
        client = Client(lab, socket)
        lab.clients.add(client)
        try:
            await client.run()
        finally:
            lab.clients.discard(client)

    @asynccontextmanager
    async def life(app: Starlette) -> AsyncIterator[None]:
        yield
        lab.close()

    return Starlette(
        routes=[
            Route("/", page),
            Route("/part/{name}", part),
            Route("/registry", registry),
            Route("/status", status),
            Route("/figure/{name}", figure),
            WebSocketRoute("/connect", connect),
        ],
        middleware=[Middleware(Guard, hosts=hosts, token=token)],
        lifespan=life,
    )


_PARTS = {path.name: path for path in PAGE.iterdir() if path.suffix in _TYPES} if PAGE.is_dir() else {}


def _part(name: str) -> Response:
    """Return a file of the page; only names that were there at the start are served."""
    path = _PARTS.get(name)
    if path is None:
        return PlainTextResponse("there is no such page\n", 404)
    return FileResponse(path, media_type=_TYPES[path.suffix])
