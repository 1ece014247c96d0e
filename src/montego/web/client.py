"""One page: its connection, the requests it makes, the searches it waits for."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from montego import sgf, weights
from montego.errors import MontegoError
from montego.games import game as build_game
from montego.sessions.judge import chain_status, owner_map, without
from montego.web import records, training, views
from montego.web.bounds import Pace, Refused
from montego.web.engines import Job, Stopped
from montego.web.outbox import Outbox
from montego.web.reproductions import read_report
from montego.web.requests import Message, flag, parse, string, strings, whole
from montego.web.searches import SEARCHES, Answer, at_the_gate

if TYPE_CHECKING:
    from montego.web.app import Lab

SLOTS = ("first", "second", "a", "b", "review")
_LINE = 16  # moves of a line that is followed in the tree
_numbers = itertools.count(1)


class Client:
    """A page. Short requests are answered by errand threads, searches run in search threads."""

    def __init__(self, lab: Lab, socket: WebSocket) -> None:
        self.lab, self.socket, self.number = lab, socket, next(_numbers)
        self.outbox = Outbox(socket.send_text, lab.bounds.send_seconds)
        self.jobs: dict[str, Job] = {}
        self.turns = {slot: asyncio.Lock() for slot in SLOTS}
        self.tasks: set[asyncio.Task[None]] = set()
        self.pace = Pace(lab.bounds.messages_per_second, lab.bounds.burst)

    # -- the connection

    async def run(self) -> None:
        """Answer until the page leaves; then stop everything that it waits for."""
        sending = asyncio.create_task(self.outbox.run())
        receiving = asyncio.create_task(self._receive())
        try:
            await asyncio.wait([sending, receiving], return_when=asyncio.FIRST_COMPLETED)
        finally:
            for job in list(self.jobs.values()):
                job.stop.set()
            for task in (sending, receiving, *self.tasks):
                task.cancel()
            await asyncio.gather(sending, receiving, *self.tasks, return_exceptions=True)
            self.lab.contests.forget(self.number)
            self.lab.engines.forget(self.number)

    async def _receive(self) -> None:
        while True:
            try:
                raw = await self.socket.receive()
            except (WebSocketDisconnect, RuntimeError):
                return
            if raw["type"] == "websocket.disconnect":
                return
            if not self.pace.take():
                self.outbox.answer(0, "error", message="too many requests; slow down")
                await self.socket.close(1008, "too many requests")
                return
            self._accept(raw.get("text"))

    def _accept(self, source: str | None) -> None:
        try:
            if source is None:
                raise Refused("a request is text, not bytes")
            message = parse(source)
            if len(self.tasks) >= self.lab.bounds.requests_per_client and message["type"] != "stop":
                self._fail(message, "too many requests at a time; wait for answers")
                return
        except MontegoError as problem:
            self.outbox.answer(0, "error", message=str(problem))
            return
        task = asyncio.create_task(self._handle(message))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    def _fail(self, message: Message, problem: str) -> None:
        self.outbox.answer(message.get("id", 0), "error", message=problem)

    async def _handle(self, message: Message) -> None:
        kind, identity = message["type"], message.get("id", 0)
        try:
            if kind == "stop":
                self._stop(message)
            elif kind in SEARCHES:
                await self._search(message, SEARCHES[kind])
            elif kind in ERRANDS:
                loop = asyncio.get_running_loop()
                answer = await loop.run_in_executor(self.lab.engines.errands, ERRANDS[kind], self, message)
                self.outbox.answer(identity, kind, **answer)
            else:
                raise Refused(f"unknown request '{kind[:40]}'")
        except (MontegoError, Stopped) as problem:
            self._fail(message, " ".join(str(problem).split()))
        except asyncio.CancelledError:
            raise
        except Exception as problem:  # the page is told, the server lives on
            self.lab.note_failure(problem)
            self._fail(message, f"the server failed at this: {type(problem).__name__}")

    # -- searches

    def _stop(self, message: Message) -> None:
        slot = string(message, "slot", "", 20)
        for job in [self.jobs[slot]] if slot in self.jobs else [] if slot else list(self.jobs.values()):
            job.stop.set()

    async def _search(self, message: Message, work: Callable[[Client, Message, Job], Answer]) -> None:
        """Run a search in its slot: an earlier one there is stopped first."""
        slot = string(message, "slot", "a", 20)
        if slot not in SLOTS:
            raise Refused(f"a slot is one of {', '.join(SLOTS)}")
        busy = sum(one.locked() for name, one in self.turns.items() if name != slot)
        if busy >= self.lab.bounds.searches_per_client:
            raise Refused(f"{busy} searches of this page are running; stop one of them first")
        if slot in self.jobs:
            self.jobs[slot].stop.set()
        job = Job(message.get("id", 0), slot, self.lab.engines.gate)
        self.jobs[slot] = job
        async with self.turns[slot]:
            if job.stop.is_set():
                raise Stopped("replaced by a later search")
            if self.lab.engines.running >= self.lab.bounds.searches:
                self.outbox.progress(job.identity, "waiting", running=self.lab.engines.running)
            loop = asyncio.get_running_loop()
            future = loop.run_in_executor(self.lab.engines.threads, at_the_gate, work, self, message, job)
            try:
                answer = await asyncio.shield(future)
            except asyncio.CancelledError:
                job.stop.set()
                future.add_done_callback(lambda done: done.cancelled() or done.exception())
                raise
            finally:
                if self.jobs.get(slot) is job:
                    del self.jobs[slot]
            self.outbox.answer(job.identity, message["type"], **answer)

    # -- short requests, in errand threads

    def position(self, message: Message) -> Answer:
        """Return a position, and with ``board`` what does not change during the game."""
        at = views.build(message, self.lab.bounds)
        if not flag(message, "board"):
            return views.position(at)
        if not at.over:  # compile what the first move needs while the person looks at the board
            self.lab.engines.errands.submit(lambda: views.position(at.copy().play(int(at.legal_numbers()[0]))))
        return views.position(at) | {"board": views.board(at.game)}

    def score(self, message: Message) -> Answer:
        """Return the score of a board: dead stones as named, or as judged by playouts."""
        at = views.build(message, self.lab.bounds)
        names = at.game.layout().names
        if not at.game.ends_by_passing:
            owner, dead = owner_map(at), []
            score = at.score()
        else:
            judged = "dead" not in message
            dead = (
                [name for chain in chain_status(at)["dead"] for name in chain]
                if judged
                else strings(message, "dead", len(names), 10)
            )
            left = without(at, set(dead))
            owner, score = owner_map(left), left.score()
        return {
            "dead": [list(names).index(name) for name in dead if name in names],
            "ownership": [round(float(value), 2) for value in owner],
            "score": score,
            "result": at.game.result(score),
        }

    def explore(self, message: Message) -> Answer:
        """Return the children of a node in the tree of a slot's last search, and where its best line goes on."""
        mind = self.lab.engines.look_up((self.number, string(message, "slot", "a", 20)))
        if mind is None or (mind.searched is None and mind.last is None):
            raise Refused("there is no tree any more; search again")
        game = build_game(string(message, "game"))
        player = mind.player(game)
        line = [game.parse_move(move) for move in strings(message, "line", 100, 60)]
        found = player.explore(line)
        best = list(line)
        while len(best) < len(line) + _LINE and (after := found if best == line else player.explore(best)):
            if after[0].visits == 0:
                break
            best.append(after[0].number)
        return {
            "line": [game.move_name(move) for move in best],
            "moves": [views.statistics(entry, None) for entry in found[:50]],
            "more": max(0, len(found) - 50),
        }

    def read(self, message: Message) -> Answer:
        """Return the game tree in a text that was dropped or pasted, or in a file of the folder."""
        if "file" in message:
            source = sgf.reading.decode(self.lab.folder.read(string(message, "file"), "records"))
        else:
            source = string(message, "text", most=self.lab.bounds.message_bytes)
        return records.read(source, string(message, "game", "go(size=9)"), self.lab.bounds)

    def write(self, message: Message) -> Answer:
        """Return a game tree as SGF, and keep it in the folder if it is given a name."""
        record = records.write(message, self.lab.bounds)
        name = string(message, "file", "", 90)
        if name:
            self.lab.folder.write(name, "records", record)
        return {"sgf": record, "file": name}

    def files(self, message: Message) -> Answer:
        """Return the names of the files in the folder."""
        folder = self.lab.folder
        kinds = ("records", "ledgers", "reports", "weights", "trainings")
        return {
            "folder": folder.path is not None,
            "shipped": weights.names(),
            **{kind: folder.names(kind) for kind in kinds},
        }

    def report(self, message: Message) -> Answer:
        """Return a report that ``montego reproduce --out`` has written into the folder."""
        name = string(message, "file", most=90)
        return {"report": read_report(self.lab.folder.read(name, "reports"), name)}

    def trained(self, message: Message) -> Answer:
        """Return trained weights."""
        return training.trained(string(message, "file", most=90), self.lab.folder)

    def training(self, message: Message) -> Answer:
        """Return how far a training is."""
        return training.under_way(string(message, "file", most=90), self.lab.folder)

    # -- contests

    def contest_start(self, message: Message) -> Answer:
        """Start a match or a tournament."""
        return self.lab.contests.start(message).summary()

    def reproduce(self, message: Message) -> Answer:
        """Start a quick run of an experiment of a paper."""
        return self.lab.contests.reproduce(message).summary()

    def contest_stop(self, message: Message) -> Answer:
        """Stop a contest or an experiment."""
        return self.lab.contests.stop(whole(message, "contest", 0, 0, 10**9)).summary()

    def contest_resume(self, message: Message) -> Answer:
        """Go on with what was stopped."""
        return self.lab.contests.resume(whole(message, "contest", 0, 0, 10**9)).summary()

    def contest_game(self, message: Message) -> Answer:
        """Return a finished game of a contest."""
        return self.lab.contests.game(whole(message, "contest", 0, 0, 10**9), whole(message, "number", 0, 0, 10**9))

    def contest_watch(self, message: Message) -> Answer:
        """Tell the page about contests from now on."""
        identity = message.get("id", 0)

        def tell(one: Any) -> None:
            self.outbox.progress(-one.identity, "contest", **one.as_dict())

        self.lab.contests.watch(self.number, identity, tell)
        return {}


ERRANDS: dict[str, Callable[[Client, Message], Answer]] = {
    "position": Client.position,
    "score": Client.score,
    "explore": Client.explore,
    "read": Client.read,
    "write": Client.write,
    "files": Client.files,
    "report": Client.report,
    "trained": Client.trained,
    "training": Client.training,
    "contest_start": Client.contest_start,
    "reproduce": Client.reproduce,
    "contest_stop": Client.contest_stop,
    "contest_resume": Client.contest_resume,
    "contest_game": Client.contest_game,
    "contest_watch": Client.contest_watch,
}
