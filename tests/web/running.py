"""Servers for tests: one in this process for protocol tests, one in a process of its own for browsers."""

import contextlib
import http.client
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import uvicorn
from websockets.sync.client import ClientConnection, connect

from montego.web.app import Lab
from montego.web.guard import LOOPBACK
from montego.web.server import configuration, listen

ROOT = Path(__file__).parents[2]


class Served:
    """A running server and how to talk to it."""

    def __init__(self, port: int, lab: Lab | None = None) -> None:
        self.port, self.lab = port, lab

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def get(self, path: str, headers: dict[str, str] | None = None, method: str = "GET") -> tuple[int, str, Any]:
        """Return status, body and headers of one request; ``path`` is sent as it is."""
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)) as connection:
            connection.request(method, path, headers=headers or {})
            answer = connection.getresponse()
            return answer.status, answer.read().decode(), answer.headers

    def connect(self, **options: Any) -> ClientConnection:
        """Open a connection as a page of this server does."""
        options = {"origin": self.origin, "max_size": None, **options}
        return connect(f"ws://127.0.0.1:{self.port}/connect", **options)

    def status(self) -> dict[str, int]:
        return dict(json.loads(self.get("/status")[1]))

    def settles(self, seconds: float = 30, **expected: int) -> bool:
        """Whether the status becomes as expected within some seconds."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if expected.items() <= self.status().items():
                return True
            time.sleep(0.05)
        return False


class Page:
    """One connection, with requests and answers."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket, self.last = socket, 0

    def send(self, kind: str, **body: Any) -> int:
        self.last += 1
        self.socket.send(json.dumps({"id": self.last, "type": kind, **body}))
        return self.last

    def receive(self, timeout: float = 120) -> dict[str, Any]:
        return dict(json.loads(self.socket.recv(timeout)))

    def answer(self, identity: int) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        """Return the answer to a request, and the progress before it."""
        progress = []
        while True:
            message = self.receive()
            if message["id"] == identity and message["type"] != "progress":
                return message, progress
            if message["id"] == identity:
                progress.append(message)

    def ask(self, kind: str, **body: Any) -> dict[str, Any]:
        return self.answer(self.send(kind, **body))[0]


@contextlib.contextmanager
def serving(lab: Lab, token: str = "") -> Iterator[Served]:
    """Serve a lab from a thread of this process."""
    listening = listen("127.0.0.1", 0)
    server = uvicorn.Server(configuration(lab, LOOPBACK, token))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        while not server.started and thread.is_alive():
            time.sleep(0.01)
        yield Served(listening.getsockname()[1], lab)
    finally:
        server.should_exit = True
        thread.join(20)
        listening.close()


class Process(Served):
    """``montego serve`` in a process of its own, which can be ended and started again on the same port."""

    def __init__(self, *options: str) -> None:
        super().__init__(0)
        self.options = options
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-m", "montego.cli", "serve", "--port", str(self.port), *self.options]
        environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
        self.process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert "http://" in line, f"the server did not start: {line!r}"
        self.port = int(line.split("127.0.0.1:")[1].split("/")[0])

    def stop(self) -> None:
        self.process.send_signal(signal.SIGINT)
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
        assert self.process.stdout is not None
        self.process.stdout.close()
        assert self.process.wait() == 0, "Ctrl-C is the way to end it"
