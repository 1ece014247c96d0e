"""A game being played: its position and how it came about, its clocks, and the minds that choose moves.

The terminal, the arena, GTP and a web server share this layer, so that one player passes, resigns and uses its time in
the same way everywhere.

- ``session``: the state of a game in progress. It knows nothing of players.
- ``mind``: a player with manners. It looks at a session and decides; it changes nothing.
- ``manners``: when a player passes, when it gives up, how much time it keeps back.
- ``clock``: time controls, and how many seconds a move may take.
- ``judge``: who will own which point, which stones are dead, what the score is.

A turn is two lines::

    decision = mind.choose(session)
    session.carry_out(decision)
"""

from montego.sessions.clock import Clock, Kind, Remaining, TimeControl
from montego.sessions.manners import PLAY_ON, Manners, expects_win_rates
from montego.sessions.mind import Mind
from montego.sessions.session import PASS, Decision, Session, Step

__all__ = [
    "PASS",
    "PLAY_ON",
    "Clock",
    "Decision",
    "Kind",
    "Manners",
    "Mind",
    "Remaining",
    "Session",
    "Step",
    "TimeControl",
    "expects_win_rates",
]
