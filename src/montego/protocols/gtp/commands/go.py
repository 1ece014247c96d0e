"""What only Go has: komi, handicap, dead stones."""

from typing import Any, cast

from montego.errors import SpecError
from montego.games import Game
from montego.protocols.gtp.commands.standard import boardsize, no_arguments, score_text
from montego.protocols.gtp.conversation import Conversation, Handler
from montego.protocols.gtp.lines import SYNTAX_ERROR, Failure, number, one, vertex, whole
from montego.sessions import PASS
from montego.sessions.judge import chain_status, final_score as judged_score

_MOST_FREE_STONES = 0.25  # of the points


def komi(conversation: Conversation, words: list[str]) -> str:
    """Set the komi."""
    conversation.set_rules("unacceptable komi", komi=number(one(words)))
    return ""


def get_komi(conversation: Conversation, words: list[str]) -> str:
    """Return the komi."""
    return f"{cast(Any, conversation.game).komi:g}"


# ------------------------------------------------------------------------------------------------------------- handicap


def _empty_board(conversation: Conversation) -> None:
    if conversation.position.stones():
        raise Failure("board not empty")


def _place(conversation: Conversation, names: list[str]) -> str:
    conversation.session.place_handicap(names)
    return " ".join(names)


def fixed_stones(game: Game, count: int) -> list[str]:
    """Return the points of the fixed handicap; none if the board has no such handicap."""
    try:
        return list(game.with_rules(handicap=count).handicap_stones())
    except SpecError:
        return []


def free_stones(game: Game, count: int) -> list[str]:
    """Return good points for a number of handicap stones, or for fewer on a small board.

    They are the star points if these suffice; every further point is the farthest one from all stones, off the first
    two lines if possible.
    """
    places = dict(zip(game.layout().names, game.layout().xy, strict=True))
    names = list(places)
    right, bottom = max(x for x, _ in places.values()), max(y for _, y in places.values())
    most = min(count, max(2, int(_MOST_FREE_STONES * len(names))))
    for stars in range(min(most, 9), 1, -1):
        if chosen := fixed_stones(game, stars):
            break
    else:
        chosen = []
    inset = 2 if min(right, bottom) >= 6 else 1 if min(right, bottom) >= 3 else 0
    inner = [n for n, (x, y) in places.items() if inset <= x <= right - inset and inset <= y <= bottom - inset]
    while len(chosen) < most and (free := [name for name in inner if name not in chosen]):
        distances = {
            name: min(
                (abs(places[name][0] - places[other][0]) + abs(places[name][1] - places[other][1]) for other in chosen),
                default=0,
            )
            for name in free
        }
        chosen.append(max(free, key=distances.__getitem__))
    return chosen


def fixed_handicap(conversation: Conversation, words: list[str]) -> str:
    """Put handicap stones on the star points and list them."""
    count = whole(one(words))
    _empty_board(conversation)
    names = fixed_stones(conversation.game, count) if 2 <= count <= 9 else []
    if not names:
        raise Failure("invalid number of stones")
    return _place(conversation, names)


def place_free_handicap(conversation: Conversation, words: list[str]) -> str:
    """Put a number of handicap stones, or fewer, on points of the engine's choice and list them."""
    count = whole(one(words))
    _empty_board(conversation)
    names = free_stones(conversation.game, count) if count >= 2 else []
    if len(names) < 2:
        raise Failure("invalid number of stones")
    return _place(conversation, names)


def set_free_handicap(conversation: Conversation, words: list[str]) -> str:
    """Put handicap stones on the points given."""
    game = conversation.game
    _empty_board(conversation)
    try:
        moves = [vertex(game, word) for word in words]
    except Failure:
        raise Failure("bad vertex list") from None
    names = [game.move_name(move) for move in moves]
    if not 2 <= len(names) < len(game.layout().names) or len(set(names)) < len(names) or PASS in names:
        raise Failure("bad vertex list")
    _place(conversation, names)
    return ""


# -------------------------------------------------------------------------------------------------------------- the end


def final_score(conversation: Conversation, words: list[str]) -> str:
    """Return the score by area without the stones that the engine thinks dead."""
    return score_text(judged_score(conversation.position))


def final_status_list(conversation: Conversation, words: list[str]) -> str:
    """List the stones that are alive, dead or in seki, one chain per line."""
    status = one(words)
    if status not in ("alive", "dead", "seki"):
        raise Failure(SYNTAX_ERROR)
    return "\n".join(" ".join(chain) for chain in chain_status(conversation.position)[status])


def rectangular_boardsize(conversation: Conversation, words: list[str]) -> str:
    """Begin a new game on a board with a number of columns and of rows (KataGo's name for it)."""
    if len(words) != 2:
        raise Failure(SYNTAX_ERROR)
    return boardsize(conversation, words)


COMMANDS: dict[str, Handler] = {
    "komi": komi,
    "get_komi": no_arguments(get_komi),
    "fixed_handicap": fixed_handicap,
    "place_free_handicap": place_free_handicap,
    "set_free_handicap": set_free_handicap,
    "final_score": no_arguments(final_score),
    "final_status_list": final_status_list,
    "rectangular_boardsize": rectangular_boardsize,
}
