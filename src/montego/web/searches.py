"""Searches that pages wait for, in threads: an analysis, a move, maps of playouts, the review of a game."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from montego import sgf
from montego.games import Position
from montego.protocols.review import review
from montego.search import Analysis
from montego.sessions import Manners, Session
from montego.spec import text
from montego.web import views
from montego.web.clocks import set_clock
from montego.web.engines import Job, Stopped, WatchedPlayer, settings_of
from montego.web.requests import Message, flag, number, string, whole

if TYPE_CHECKING:
    from montego.web.client import Client

Answer = dict[str, Any]
_MAP_PLAYOUTS = 2000


def at_the_gate(work: Callable[[Client, Message, Job], Answer], client: Client, message: Message, job: Job) -> Answer:
    """Do the work of a search when it is its turn."""
    with job:
        return work(client, message, job)


def analyse(client: Client, message: Message, job: Job) -> Answer:
    """Search a position and show what is found meanwhile."""
    if job.stop.is_set():
        raise Stopped("stopped")
    at = views.build(message, client.lab.bounds)
    mind = client.lab.engines.borrow((client.number, job.slot), string(message, "player"), _seed(message))
    try:
        seconds = number(message, "seconds", 0, 0, client.lab.bounds.search_seconds)
        places = views.Places(at)

        def show(found: Any) -> None:
            client.outbox.progress(job.identity, "progress", **views.analysis(found, places))

        limits = client.lab.limits(mind.settings, seconds, job.watcher(show))
        found = mind.search(at, limits)
        answer = views.analysis(found, places) | {"player": text(mind.settings)}
        if flag(message, "maps") and not job.stop.is_set():
            answer["maps"] = _maps(mind.player(at.game).playout_maps(at, _MAP_PLAYOUTS), at)
        return answer
    finally:
        client.lab.engines.give_back((client.number, job.slot))


def choose(client: Client, message: Message, job: Job) -> Answer:
    """Let a player decide on its move, and show what it thinks meanwhile."""
    if job.stop.is_set():
        raise Stopped("stopped")
    at = views.build(message, client.lab.bounds)
    mind = client.lab.engines.borrow((client.number, job.slot), string(message, "player"), _seed(message))
    try:
        session = Session(at.game)
        session.load(at)
        set_clock(session, message)
        mind.manners = Manners(resign_below=0.05 if flag(message, "resigns") else 0.0)
        places = views.Places(at)

        def show(found: Any) -> None:
            client.outbox.progress(job.identity, "progress", **views.analysis(found, places))

        limits = client.lab.limits(mind.settings, 0.0, job.watcher(show))
        decision = mind.choose(session, limits=limits)
        if job.stop.is_set() and flag(message, "discard"):
            raise Stopped("stopped")
        session.carry_out(decision)
        return {
            "move": None if decision.move is None else at.game.move_name(decision.move),
            "expects": decision.expects,
            "seconds": round(decision.seconds, 3),
            "detail": decision.detail[:500],
            "result": session.result,
            "position": views.position(session.position),
            "analysis": views.analysis(mind.last, places) if mind.last is not None else None,
        }
    finally:
        client.lab.engines.give_back((client.number, job.slot))


def maps(client: Client, message: Message, job: Job) -> Answer:
    """Return the maps of playouts by a player's policy, with what it has learned in its last search."""
    at = views.build(message, client.lab.bounds)
    mind = client.lab.engines.borrow((client.number, job.slot), string(message, "player"), _seed(message))
    try:
        return {"maps": _maps(mind.player(at.game).playout_maps(at, _MAP_PLAYOUTS), at)}
    finally:
        client.lab.engines.give_back((client.number, job.slot))


def review_game(client: Client, message: Message, job: Job) -> Answer:
    """Analyse every position of a game; the win rates are shown as they come, the mistakes at the end."""
    at = views.build(message, client.lab.bounds)
    settings = settings_of(string(message, "player"), client.lab.bounds, client.lab.allow_commands)
    record = sgf.new(at)
    seen: list[Answer] = []

    def tell(found: Analysis) -> None:
        best = found.best()
        value = None if best is None or best.value is None else round(best.value, 4)
        to_move = 0 if found.position is None else found.position.to_move
        seen.append({"number": len(seen) + 1, "to_move": to_move, "value": value, "best": found.move})
        client.outbox.progress(job.identity, "progress", opinions=seen)

    player = WatchedPlayer(settings, record.game, _seed(message) or 1, job, tell)
    try:
        opinions = review(record, player, progress=lambda done, total: job.go_on())
    finally:
        player.close()
    return {"opinions": [one.as_dict() for one in opinions], "player": text(settings)}


def _seed(message: Message) -> int | None:
    return whole(message, "seed", 0, 0, 2**32) if message.get("seed") is not None else None


def _maps(found: Any, at: Position) -> Answer:
    policy, places = [0.0] * len(found.ownership), views.Places(at)
    for move, share in found.first_moves.items():
        for point in places.of(move):
            policy[point] += share
    return {
        "playouts": found.playouts,
        "ownership": [round(float(value), 3) for value in found.ownership],
        "criticality": [round(float(value), 3) for value in found.criticality],
        "policy": [round(value, 4) for value in policy],
        "replies": [[places.of(move), round(rate, 3)] for move, rate in found.replies.items()],
    }


SEARCHES: dict[str, Callable[[Client, Message, Job], Answer]] = {
    "analyse": analyse,
    "choose": choose,
    "maps": maps,
    "review": review_game,
}
