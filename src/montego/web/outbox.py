"""Sending to one page without ever waiting for it: answers in order, and of progress only the latest state."""

from __future__ import annotations

import asyncio
import json
from collections import OrderedDict, deque
from collections.abc import Awaitable, Callable
from typing import Any

_MOST_ANSWERS = 512  # waiting for a page that does not read


class Outbox:
    """What is waiting to be sent. Threads may post; one task sends."""

    def __init__(self, send: Callable[[str], Awaitable[None]], seconds: float) -> None:
        self._send, self._seconds = send, seconds
        self._loop = asyncio.get_running_loop()
        self._answers: deque[str] = deque()
        self._progress: OrderedDict[int, str] = OrderedDict()  # the latest state of each stream, by request
        self._waiting = asyncio.Event()
        self.overflown = False

    def answer(self, identity: int, kind: str, /, **content: Any) -> None:
        """Send an answer; a state of progress that is still waiting would come too late and is dropped."""
        text = _text(identity, kind, content)
        self._post(self._add_answer, identity, text)

    def progress(self, identity: int, kind: str, /, **content: Any) -> None:
        """Send a state of progress, in place of an earlier one of the same request that is still waiting."""
        text = _text(identity, kind, content)
        self._post(self._add_progress, identity, text)

    def _post(self, add: Callable[[int, str], None], identity: int, text: str) -> None:
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(add, identity, text)

    def _add_answer(self, identity: int, text: str) -> None:
        self._progress.pop(identity, None)
        if len(self._answers) >= _MOST_ANSWERS:
            self.overflown = True
        else:
            self._answers.append(text)
        self._waiting.set()

    def _add_progress(self, identity: int, text: str) -> None:
        self._progress[identity] = text
        self._waiting.set()

    async def run(self) -> None:
        """Send until the page does not read for too long or has too much to read."""
        while not self.overflown:
            await self._waiting.wait()
            self._waiting.clear()
            while self._answers or self._progress:
                text = self._answers.popleft() if self._answers else self._progress.popitem(last=False)[1]
                await asyncio.wait_for(self._send(text), self._seconds)


def _text(identity: int, kind: str, content: dict[str, Any]) -> str:
    return json.dumps({"id": identity, "type": kind, **content}, separators=(",", ":"))
