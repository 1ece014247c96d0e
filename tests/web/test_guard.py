"""Who may ask: foreign hosts, origins and tokens are refused, and every answer carries its headers."""

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from montego.web.app import Lab
from montego.web.guard import host_name
from tests.web.running import Page, Served, serving


def test_the_page_is_served_with_its_parts_and_headers(served: Served) -> None:
    status, body, headers = served.get("/")
    assert status == 200
    assert "<title>Montego</title>" in body
    assert "script-src 'self'" in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    for part in ("main.js", "board.js", "style.css", "icon.svg"):
        assert served.get(f"/part/{part}")[0] == 200
    assert "http" not in body.replace("http-equiv", ""), "nothing comes from elsewhere"


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "", "[::1", "localhost@evil"]
)
def test_a_foreign_host_is_refused(served: Served, host: str) -> None:
    assert served.get("/", {"Host": host})[0] in (400, 403)
    with pytest.raises((InvalidStatus, ConnectionClosed)), served.connect(additional_headers={"Host": host}) as socket:
        socket.recv(5)


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "https://127.0.0.1", "file://", "http://127.0.0.1:1"]
)
def test_a_foreign_origin_is_refused(served: Served, origin: str) -> None:
    assert served.get("/registry", {"Origin": origin})[0] == 403
    with pytest.raises((InvalidStatus, ConnectionClosed)), served.connect(origin=origin) as socket:
        socket.recv(5)


def test_a_connection_without_an_origin_is_refused(served: Served) -> None:
    with pytest.raises((InvalidStatus, ConnectionClosed)), served.connect(origin=None) as socket:
        socket.recv(5)


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS"])
def test_only_reading_is_served(served: Served, method: str) -> None:
    assert served.get("/", method=method)[0] in (403, 405)


@pytest.mark.parametrize(
    "path",
    [
        "/part/../bounds.py",
        "/part/..%2fbounds.py",
        "/part/%2e%2e/%2e%2e/pyproject.toml",
        "/part//etc/passwd",
        "/part/main.js%00.css",
        "/figure/..%2f..%2fsecret.svg",
        "/figure/.hidden.svg",
        "/etc/passwd",
    ],
)
def test_no_path_leads_out(served: Served, path: str) -> None:
    status, body, _ = served.get(path)
    assert status in (400, 404)
    assert "root:" not in body
    assert "dataclass" not in body


def test_a_token_is_asked_for_and_kept_in_a_cookie() -> None:
    with serving(Lab(), token="secret") as served:
        assert served.get("/")[0] == 403
        assert served.get("/?token=wrong")[0] == 403
        status, _, headers = served.get("/?token=secret")
        assert status == 200
        cookie = headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=Strict" in cookie
        given = {"Cookie": cookie.split(";")[0]}
        assert served.get("/registry", given)[0] == 200
        with pytest.raises((InvalidStatus, ConnectionClosed)), served.connect() as socket:
            socket.recv(5)
        with served.connect(additional_headers=given) as socket:
            assert Page(socket).ask("files")["folder"] is False


def test_the_name_in_a_host_header() -> None:
    assert host_name("LOCALHOST:80") == "localhost"
    assert host_name("[::1]:8000") == "::1"
    assert host_name("a b") != "localhost"
