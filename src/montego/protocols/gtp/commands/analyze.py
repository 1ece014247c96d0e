"""Searches that are watched: ``lz-analyze``, ``kata-analyze`` and ``analyze``, and the same with a move at the end.

``analyze [COLOR] [INTERVAL] [KEY VALUE …]`` searches until any input comes, even an empty line, and reports at
intervals given in hundredths of a second. ``genmove_analyze`` reports while it chooses a move; only ``# interrupt``
cuts it short.
"""

from collections.abc import Callable, Iterator
from typing import Any

from montego.protocols.gtp.conversation import Conversation, Handler
from montego.protocols.gtp.info import Reporter, Style, Wishes
from montego.protocols.gtp.lines import SYNTAX_ERROR, Failure, colour, vertex, whole
from montego.search import Analysis, Limits

_IGNORED = ("movesOwnership", "ownershipStdev", "movesOwnershipStdev", "pvVisits", "pvEdgeVisits", "noResultValue")
_DEFAULT_INTERVAL = 100  # hundredths of a second


def read_wishes(conversation: Conversation, words: list[str]) -> Wishes:
    """Read the arguments of an analysis command."""
    game, rest = conversation.game, iter(words)
    wishes: dict[str, Any] = {
        "player": conversation.position.to_move,
        "interval": _DEFAULT_INTERVAL / 100,
        "only": set(),
        "never": set(),
    }
    for place, word in enumerate(rest):
        key = word.lower()
        if key.isascii() and key.isdigit() and place < 2:
            wishes["interval"] = _count(word) / 100
        elif key == "interval":
            wishes["interval"] = _count(_next(rest)) / 100
        elif key in ("minmoves", "maxmoves"):
            wishes[f"{key[:3]}_moves"] = _count(_next(rest))
        elif key in ("ownership", "rootinfo") or word in _IGNORED:
            wishes[{"ownership": "ownership", "rootinfo": "root_info"}.get(key, "ignored")] = _truth(_next(rest))
        elif key in ("allow", "avoid"):
            player, moves, _ = colour(game, _next(rest)), _next(rest).split(","), _count(_next(rest))
            names = {game.move_name(vertex(game, move)) for move in moves if move}
            wishes["only" if key == "allow" else "never"] |= {(player, name) for name in names}
        elif place == 0:
            wishes["player"] = colour(game, word)
        else:
            raise Failure(SYNTAX_ERROR)
    wishes.pop("ignored", None)
    for kind in ("only", "never"):
        wishes[kind] = frozenset(name for player, name in wishes[kind] if player == wishes["player"])
    return Wishes(**wishes)


def _next(words: Iterator[str]) -> str:
    word = next(words, None)
    if word is None:
        raise Failure(SYNTAX_ERROR)
    return word


def _count(word: str) -> int:
    value = whole(word)
    if value < 0:
        raise Failure(SYNTAX_ERROR)
    return value


def _truth(word: str) -> bool:
    if word.lower() not in ("true", "false"):
        raise Failure(SYNTAX_ERROR)
    return word.lower() == "true"


def _open(conversation: Conversation, words: list[str], style: Style) -> Reporter:
    """Begin a reply with reports; nothing can fail in the arguments after that."""
    wishes = read_wishes(conversation, words)
    position = conversation.facing(wishes.player)
    conversation.open_stream()
    return Reporter(position, wishes, style, conversation.stream)


def analyze(style: Style) -> Handler:
    """Return the command that searches until there is input."""

    def handler(conversation: Conversation, words: list[str]) -> str:
        reporter = _open(conversation, words, style)

        def watch(current: Callable[[], Analysis]) -> bool:
            reporter.look(current)
            return conversation.inbox.waiting()

        analysis = conversation.mind.search(reporter.position, Limits(playouts=0, seconds=0.0, watch=watch))
        if reporter.wishes.interval and (reporter.reports == 0 or not conversation.inbox.waiting()):
            reporter.report(analysis)
        conversation.inbox.wait()
        return ""

    return handler


def genmove_analyze(style: Style) -> Handler:
    """Return the command that reports while it chooses a move, and makes it."""

    def handler(conversation: Conversation, words: list[str]) -> str:
        reporter = _open(conversation, words, style)

        def watch(current: Callable[[], Analysis]) -> bool:
            reporter.look(current)
            return conversation.cut_short()

        conversation.mind.last = None
        move = conversation.genmove(reporter.wishes.player, watch=watch, allowed=reporter.wishes.allows)
        if conversation.mind.last is not None and reporter.wishes.interval:
            reporter.report(conversation.mind.last)
        return f"play {move}"

    return handler


COMMANDS: dict[str, Handler] = {
    "analyze": analyze(Style.LZ),
    "lz-analyze": analyze(Style.LZ),
    "kata-analyze": analyze(Style.KATA),
    "genmove_analyze": genmove_analyze(Style.LZ),
    "lz-genmove_analyze": genmove_analyze(Style.LZ),
    "kata-genmove_analyze": genmove_analyze(Style.KATA),
}
