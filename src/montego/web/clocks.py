"""The clocks of a game on the page: the page runs them, the server divides a player's time over its moves."""

from __future__ import annotations

from montego.sessions import Kind, Session, TimeControl
from montego.web.bounds import Refused
from montego.web.requests import Message, number, string, whole

_DAY = 86400.0


def set_clock(session: Session, message: Message) -> None:
    """Set the clocks of a session to what a request shows; without a clock, to none."""
    clock = message.get("clock")
    if clock is None:
        return
    left = clock.get("left") if isinstance(clock, dict) else None
    if not isinstance(left, list) or len(left) != 2 or not all(isinstance(side, dict) for side in left):
        fields = "'kind': …, 'main': …, 'period': …, 'count': …, 'left': [{'seconds': …}, …]"
        raise Refused(f"'clock' must be {{{fields}}}")
    kind = string(clock, "kind", "none", 20)
    if kind not in [one.value for one in Kind]:
        raise Refused(f"the kind of a clock is one of {', '.join(one.value for one in Kind)}")
    session.clock.set(
        TimeControl(
            Kind(kind),
            number(clock, "main", 0, 0, _DAY),
            number(clock, "period", 0, 0, _DAY),
            whole(clock, "count", 0, 0, 1000),
        )
    )
    for player, side in enumerate(left):
        session.clock.report(player, number(side, "seconds", 0, 0, _DAY), whole(side, "count", 0, 0, 1000))
