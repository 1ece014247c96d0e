"""Pages that mean no good: nonsense, floods, huge messages, slow readers. The server refuses or survives, and lives on.

Fuzzed messages are seeded; the slow test sends a hundred thousand.
"""

import json
import random
import resource
import socket as sockets
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection

from montego.web.app import Lab
from montego.web.bounds import Bounds
from montego.web.client import ERRANDS
from montego.web.searches import SEARCHES
from tests.web.running import Page, Served, serving

_NASTY: list[Any] = [
    *(None, True, False, 0, -1, 1, 2**31, 2**63, 1e308, -0.5, "", "a", "\0", "💥", "a" * 3000, [], [[]], {}, {"a": {}}),
    *(
        "../../etc/passwd",
        "tictactoe",
        "go(size=3)",
        "go(size=1e9)",
        "uct(",
        "uct(playouts=-1)",
        "random",
        "b2",
        "pass",
    ),
    *('gtp("true")', "uct(memory=1000000, threads=1024)", ["b2"], ["b2", "b2"], [None], {"stones": {"b2": 7}}),
]
_FIELDS = [
    "id",
    "type",
    "game",
    "moves",
    "setup",
    "player",
    "players",
    "slot",
    "seconds",
    "seed",
    "clock",
    "file",
    "text",
]
_FIELDS += [
    "nodes",
    "line",
    "dead",
    "contest",
    "number",
    "games",
    "sprt",
    "ledger",
    "board",
    "maps",
    "schedule",
    "resign",
    "resigns",
    "max_moves",
]
_KINDS = [kind for kind in [*ERRANDS, *SEARCHES, "stop", "nonsense"] if kind not in ("contest_start", "review")]


def _message(chance: random.Random) -> str:
    """Return a request that is wrong in one way or another, or no request at all."""
    kind = chance.random()
    if kind < 0.1:
        return "".join(chr(chance.randrange(1, 0x2000)) for _ in range(chance.randrange(40)))
    body: dict[str, Any] = {"id": chance.randrange(1000), "type": chance.choice(_KINDS), "game": "tictactoe"}
    if chance.random() < 0.3:
        body["moves"] = chance.choices(["a1", "b2", "c3", "pass", "x"], k=chance.randrange(4))
    for _ in range(chance.randrange(5)):
        body[chance.choice(_FIELDS)] = chance.choice(_NASTY)
    if str(body["type"]) in SEARCHES:  # what could be a real search must not think for long
        body["seconds"] = chance.choice([0.001, None, "x", -1])
        body["player"] = chance.choice(["random", "flat(playouts=5)", *_NASTY])
    text = json.dumps(body)
    if kind < 0.3:  # a damaged one
        at = chance.randrange(len(text))
        text = text[:at] + chance.choice(["", '"', "}", "[", "\\", "\x01", "NaN"]) + text[at + chance.randrange(4) :]
    return text


def _fuzz(served: Served, count: int, seed: int) -> None:
    """Send nonsense in batches; after each the page still gets answers."""
    chance = random.Random(seed)
    sent = 0
    with served.connect() as socket:
        page = Page(socket)
        while sent < count:
            for _ in range(200):
                socket.send(_message(chance))
            sent += 200
            page.last += 10**6  # ids that no nonsense has
            assert page.ask("position", game="tictactoe", moves=[])["type"] in ("position", "error")
    assert served.settles(searches=0, clients=0)


def _talk(socket: ClientConnection, text: str, times: int) -> None:
    for _ in range(times):
        socket.send(text)
        socket.recv(10)


@pytest.fixture(scope="module")
def open_house() -> Iterator[Served]:
    """A server that takes messages as fast as they come."""
    with serving(Lab(Bounds(messages_per_second=1e9, burst=10**9, requests_per_client=1000))) as served:
        yield served
        assert served.lab is not None
        assert served.lab.failures == 0, "a request made the server fail; it should have been refused"


def test_nonsense_is_refused(open_house: Served) -> None:
    _fuzz(open_house, 4000, seed=1)


@pytest.mark.slow
def test_a_hundred_thousand_pieces_of_nonsense(open_house: Served) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    _fuzz(open_house, 100_000, seed=2)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before  # kilobytes
    assert grown < 300_000


def test_bytes_and_deep_nesting_are_refused(open_house: Served) -> None:
    with open_house.connect() as socket:
        page = Page(socket)
        socket.send(b"\xff\x00")
        assert page.receive()["type"] == "error"
        socket.send("[" * 50_000)
        assert page.receive()["type"] == "error"
        assert page.ask("position", game="tictactoe")["type"] == "position"


def test_a_huge_message_ends_the_connection(open_house: Served) -> None:
    with open_house.connect() as socket, pytest.raises(ConnectionClosed):
        _talk(socket, "x" * 2_000_000, 1)
    assert open_house.settles(clients=0)


def test_a_flood_is_cut_off() -> None:
    with serving(Lab(Bounds(messages_per_second=1, burst=50))) as served, served.connect() as socket:
        with pytest.raises(ConnectionClosed):
            _talk(socket, '{"type": "files"}', 2000)
        assert served.settles(clients=0)
        assert served.get("/")[0] == 200


def test_a_page_that_does_not_read_is_cut_off() -> None:
    lab = Lab(Bounds(send_seconds=0.5, messages_per_second=1e6, burst=10**6))
    with serving(lab) as served, sockets.create_connection(("127.0.0.1", served.port)) as raw:
        raw.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, 4096)
        key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13"
        head = f"GET /connect HTTP/1.1\r\nHost: 127.0.0.1:{served.port}\r\nOrigin: {served.origin}\r\n"
        raw.sendall(f"{head}Connection: Upgrade\r\nUpgrade: websocket\r\n{key}\r\n\r\n".encode())
        assert b"101" in raw.recv(4096)
        text = b'{"type":"position","game":"blokus_duo","board":true}'
        frame = bytes([0x81, 0x80 | len(text), 0, 0, 0, 0]) + text  # masked with zeros
        for _ in range(3000):  # each answer has about 40 kB, and nobody reads any
            try:
                raw.sendall(frame)
            except OSError:
                break
        assert served.settles(clients=0)


def test_slow_connections_do_not_keep_others_out(open_house: Served) -> None:
    with ExitStack() as stack:
        for _ in range(50):  # half a request each
            raw = stack.enter_context(sockets.create_connection(("127.0.0.1", open_house.port)))
            raw.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1")
        assert open_house.get("/")[0] == 200
