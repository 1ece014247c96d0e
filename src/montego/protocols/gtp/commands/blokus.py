"""Blokus Duo in the dialect of Pentobi's engine: moves are squares, and a colour without moves passes."""

from montego.protocols.gtp.commands import standard
from montego.protocols.gtp.commands.standard import no_arguments
from montego.protocols.gtp.conversation import Conversation, Handler
from montego.protocols.gtp.lines import SYNTAX_ERROR, Failure, colour, colour_letter, one
from montego.sessions import PASS

_VARIANTS = ("blokus duo", "duo", "d")


def set_game(conversation: Conversation, words: list[str]) -> str:
    """Begin a new game; there is one variant."""
    if " ".join(words).lower() not in _VARIANTS:
        raise Failure("unsupported game: expected Blokus Duo")
    conversation.new_game()
    return ""


def play(conversation: Conversation, words: list[str]) -> str:
    """Make a move of a colour; spaces may follow the commas. A pass after the end does nothing."""
    if len(words) < 2:
        raise Failure(SYNTAX_ERROR)
    player, move = colour(conversation.game, words[0]), "".join(words[1:])
    if conversation.position.over and move.lower() == PASS:
        return ""
    conversation.play(player, move)
    return ""


def genmove(conversation: Conversation, words: list[str]) -> str:
    """Choose a move of a colour and make it; pass when the game is over."""
    player = colour(conversation.game, one(words))
    return PASS if conversation.position.over else conversation.genmove(player)


def reg_genmove(conversation: Conversation, words: list[str]) -> str:
    """Choose a move of a colour without making it."""
    player = colour(conversation.game, one(words))
    return PASS if conversation.position.over else conversation.genmove(player, keep=False)


def g(conversation: Conversation, words: list[str]) -> str:
    """Choose and make a move of the colour to move."""
    return genmove(conversation, [colour_letter(conversation.position.to_move)])


def p(conversation: Conversation, words: list[str]) -> str:
    """Make a move of the colour to move."""
    return play(conversation, [colour_letter(conversation.position.to_move), *words])


def all_legal(conversation: Conversation, words: list[str]) -> str:
    """List the legal moves of a colour, one per line."""
    return standard.all_legal(conversation, words).replace(" ", "\n")


def get_value(conversation: Conversation, words: list[str]) -> str:
    """Return the value of the last search, 0 … 1, for the colour it was made for."""
    best = conversation.mind.last.best() if conversation.mind.last else None
    if best is None or best.value is None:
        raise Failure("no search yet")
    return f"{best.value:.4f}"


def get_place(conversation: Conversation, words: list[str]) -> str:
    """Return the place of a colour at the end: 1 or 2, shared after a draw."""
    position, player = conversation.position, colour(conversation.game, one(words))
    if not position.over:
        raise Failure("cannot score")
    return "1 shared" if position.winner == -1 else "1" if position.winner == player else "2"


COMMANDS: dict[str, Handler] = {
    "set_game": set_game,
    "play": play,
    "genmove": genmove,
    "reg_genmove": reg_genmove,
    "g": no_arguments(g),
    "p": p,
    "all_legal": all_legal,
    "get_value": no_arguments(get_value),
    "get_place": get_place,
}
