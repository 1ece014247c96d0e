"""Running the server: where it listens, what it prints, how it ends."""

from __future__ import annotations

import secrets
import socket
import sys
from collections.abc import Callable, Collection, Sequence

import uvicorn

from montego.errors import MontegoError
from montego.web.app import Lab, application
from montego.web.guard import LOOPBACK

_PING_SECONDS = 20.0  # a page that does not answer for so long has vanished
_SWITCH_SECONDS = 0.001  # between Python's threads, so that a click does not wait for many searches
_EVERYWHERE = ("0.0.0.0", "::", "")


def serve(
    lab: Lab,
    host: str = "127.0.0.1",
    port: int = 8000,
    allow_hosts: Sequence[str] = (),
    token: str | None = None,
    announce: Callable[[str], None] = print,
) -> None:
    """Serve pages until Ctrl-C. Outside the loopback addresses a token is needed, made up if none is given."""
    if token is None:
        token = "" if host in LOOPBACK else secrets.token_urlsafe(16)
    listening = listen(host, port)
    named = listening.getsockname()[1]
    shown = "localhost" if host in _EVERYWHERE else f"[{host}]" if ":" in host else host
    hosts = [*LOOPBACK, *allow_hosts, *([host] if host not in _EVERYWHERE else _own_names())]
    announce(f"http://{shown}:{named}/{f'?token={token}' if token else ''}")
    sys.setswitchinterval(_SWITCH_SECONDS)
    try:
        uvicorn.Server(configuration(lab, hosts, token)).run(sockets=[listening])
    finally:
        lab.close()
        listening.close()


def configuration(lab: Lab, hosts: Collection[str] = LOOPBACK, token: str = "") -> uvicorn.Config:
    """Return how uvicorn serves a lab: with bounds on messages, connections and waiting."""
    return uvicorn.Config(
        application(lab, hosts, token),
        log_level="warning",
        ws="websockets-sansio",
        ws_max_size=lab.bounds.message_bytes,
        ws_ping_interval=_PING_SECONDS,
        ws_ping_timeout=_PING_SECONDS,
        ws_per_message_deflate=False,
        limit_concurrency=2 * lab.bounds.clients,
        timeout_keep_alive=20,
        timeout_graceful_shutdown=1,
        h11_max_incomplete_event_size=64_000,
        server_header=False,
    )


def listen(host: str, port: int) -> socket.socket:
    """Return a listening socket; port 0 is any free one."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen(256)  # who is told the address may connect at once
    except OSError as problem:
        listening.close()
        raise MontegoError(
            f"cannot listen on {host} port {port}: {problem.strerror}; --port 0 takes a free one"
        ) from None
    return listening


def _own_names() -> list[str]:
    """Return what this machine is called by others, for a server that listens on all its addresses."""
    name = socket.gethostname()
    try:
        return [name, *{str(entry[4][0]) for entry in socket.getaddrinfo(name, None)}]
    except OSError:
        return [name]
