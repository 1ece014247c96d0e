"""Who may ask: pages that this server itself has served, from the machine it listens on or with its token.

A page of another site can make a browser send requests to 127.0.0.1. Its requests carry that site's Origin, and after
DNS rebinding a foreign Host; both are refused. A server that listens on other addresses asks for a token, which the
address that ``montego serve`` prints contains; a cookie keeps it.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection, Mapping
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs, urlsplit

from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOOPBACK = ("127.0.0.1", "localhost", "::1")
COOKIE = "montego-token"
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": _POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-cache",
}


class Guard:
    """ASGI middleware that refuses foreign requests before anything else sees them, and adds headers to answers."""

    def __init__(self, app: ASGIApp, hosts: Collection[str], token: str = "") -> None:
        self.app, self.hosts, self.token = app, {host.lower() for host in hosts}, token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        if problem := self._problem(scope, headers):
            await _refuse(scope, receive, send, problem)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                extra = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
                if self.token and self._given(scope, {}) == self.token:
                    extra.append((b"set-cookie", f"{COOKIE}={self.token}; Path=/; HttpOnly; SameSite=Strict".encode()))
                message = {**message, "headers": [*message["headers"], *extra]}
            await send(message)

        await self.app(scope, receive, send_with_headers)

    def _problem(self, scope: Scope, headers: Mapping[str, str]) -> str:
        """Say what is wrong with a request, or nothing."""
        host = headers.get("host", "")
        if host_name(host) not in self.hosts:
            return "this Host is not served; montego serve --allow-host NAME allows another one"
        origin = headers.get("origin")
        if origin is not None and not _same_origin(origin, host):
            return "requests of other sites are refused"
        if origin is None and scope["type"] == "websocket":
            return "a connection names its Origin"
        if scope["type"] == "http" and scope["method"] not in ("GET", "HEAD"):
            return "only GET is served"
        if self.token and not secrets.compare_digest(self._given(scope, headers).encode(), self.token.encode()):
            return "open the address that montego serve has printed: it contains the token"
        return ""

    def _given(self, scope: Scope, headers: Mapping[str, str]) -> str:
        """Return the token of the address or of the cookie."""
        named: str = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("token", [""])[0]
        if named or "cookie" not in headers:
            return named
        try:
            cookie = SimpleCookie(headers["cookie"]).get(COOKIE)
        except CookieError:
            return ""
        return str(cookie.value) if cookie is not None else ""


def host_name(host: str) -> str:
    """Return the name of a Host without its port, in lower case; empty for nonsense."""
    try:
        return (urlsplit(f"//{host}").hostname or "").lower()
    except ValueError:
        return ""


def _same_origin(origin: str, host: str) -> bool:
    try:
        found = urlsplit(origin)
    except ValueError:
        return False
    return found.scheme in ("http", "https") and found.netloc.lower() == host.lower()


async def _refuse(scope: Scope, receive: Receive, send: Send, problem: str) -> None:
    if scope["type"] == "websocket":
        await receive()  # the request to connect
        await send({"type": "websocket.close", "code": 1008, "reason": problem[:120]})
        return
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"x-content-type-options", b"nosniff")]
    await send({"type": "http.response.start", "status": 403, "headers": headers})
    await send({"type": "http.response.body", "body": f"{problem}\n".encode()})
