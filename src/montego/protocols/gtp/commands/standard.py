"""What every GTP engine knows, for every game."""

import time

from montego import __version__
from montego.errors import MontegoError
from montego.protocols.gtp.conversation import Conversation, Handler
from montego.protocols.gtp.lines import SYNTAX_ERROR, Failure, colour, no_more, number, one, whole
from montego.sessions import PASS, Kind, TimeControl

# ------------------------------------------------------------------------------------------------------- administration


def protocol_version(conversation: Conversation, words: list[str]) -> str:
    """Return the version of the protocol."""
    return "2"


def name(conversation: Conversation, words: list[str]) -> str:
    """Return the name of the program."""
    return "Montego"


def version(conversation: Conversation, words: list[str]) -> str:
    """Return the version of the program."""
    return __version__


def quit_(conversation: Conversation, words: list[str]) -> str:
    """End the session."""
    conversation.done = True
    return ""


def cputime(conversation: Conversation, words: list[str]) -> str:
    """Return the processor time used so far, in seconds."""
    return f"{time.process_time():.3f}"


def set_random_seed(conversation: Conversation, words: list[str]) -> str:
    """Draw all chance from another seed from now on."""
    seed = whole(one(words))
    if seed < 0:
        raise Failure(SYNTAX_ERROR)
    conversation.mind.new_seed(seed)
    return ""


# ------------------------------------------------------------------------------------------------------------- the game


def boardsize(conversation: Conversation, words: list[str]) -> str:
    """Begin a new game on a board with a number of columns and, if given, of rows."""
    if not 1 <= len(words) <= 2:
        raise Failure(SYNTAX_ERROR)
    sizes = [whole(word) for word in words]
    try:
        game = conversation.game.resized(sizes[0], sizes[-1])
    except MontegoError:
        raise Failure("unacceptable size") from None
    conversation.new_game(game)
    return ""


def clear_board(conversation: Conversation, words: list[str]) -> str:
    """Begin a new game."""
    conversation.new_game()
    return ""


def play(conversation: Conversation, words: list[str]) -> str:
    """Make a move of a colour."""
    if len(words) != 2:
        raise Failure(SYNTAX_ERROR)
    conversation.play(colour(conversation.game, words[0]), words[1])
    return ""


def undo(conversation: Conversation, words: list[str]) -> str:
    """Take back the last move."""
    conversation.undo()
    return ""


def genmove(conversation: Conversation, words: list[str]) -> str:
    """Choose a move of a colour and make it."""
    return conversation.genmove(colour(conversation.game, one(words)))


def reg_genmove(conversation: Conversation, words: list[str]) -> str:
    """Choose a move of a colour without making it."""
    return conversation.genmove(colour(conversation.game, one(words)), keep=False)


def showboard(conversation: Conversation, words: list[str]) -> str:
    """Draw the board."""
    return f"\n{conversation.position}"


def all_legal(conversation: Conversation, words: list[str]) -> str:
    """List the legal moves of a colour, without the pass in games that do not ask for it."""
    position = conversation.facing(colour(conversation.game, one(words)))
    return " ".join(move for move in position.legal_moves() if move != PASS)


def final_score(conversation: Conversation, words: list[str]) -> str:
    """Return the result of a game that is over, as in ``B+3``; 0 is a draw."""
    position = conversation.position
    if not position.over:
        raise Failure("cannot score")
    return score_text(position.score())


def score_text(score: float) -> str:
    """Return a score, from the first player's perspective, as GTP writes it."""
    return "0" if score == 0 else f"{'B' if score > 0 else 'W'}+{abs(score):g}"


# ----------------------------------------------------------------------------------------------------------- the clock


def time_settings(conversation: Conversation, words: list[str]) -> str:
    """Set main time, and time and stones of a Canadian period; no stones: no limit; no time: no period."""
    if len(words) != 3:
        raise Failure(SYNTAX_ERROR)
    main, period, stones = number(words[0]), number(words[1]), whole(words[2])
    if main < 0 or period < 0 or stones < 0:
        raise Failure(SYNTAX_ERROR)
    if period > 0 and stones == 0:
        conversation.session.clock.set(TimeControl())
    elif period == 0:
        conversation.session.clock.set(TimeControl(Kind.ABSOLUTE, main))
    else:
        conversation.session.clock.set(TimeControl(Kind.CANADIAN, main, period, stones))
    return ""


def time_left(conversation: Conversation, words: list[str]) -> str:
    """Take over what a colour's clock shows: seconds, and stones (or periods) left, 0 in main time."""
    if len(words) != 3:
        raise Failure(SYNTAX_ERROR)
    player, seconds, count = colour(conversation.game, words[0]), number(words[1]), whole(words[2])
    conversation.session.clock.report(player, max(0.0, seconds), max(0, count))
    return ""


def no_arguments(handler: Handler) -> Handler:
    """Make a command refuse arguments."""

    def checked(conversation: Conversation, words: list[str]) -> str:
        no_more(words, 0)
        return handler(conversation, words)

    return checked


COMMANDS: dict[str, Handler] = {
    "protocol_version": no_arguments(protocol_version),
    "name": no_arguments(name),
    "version": no_arguments(version),
    "quit": no_arguments(quit_),
    "cputime": no_arguments(cputime),
    "set_random_seed": set_random_seed,
    "boardsize": boardsize,
    "clear_board": no_arguments(clear_board),
    "play": play,
    "undo": no_arguments(undo),
    "genmove": genmove,
    "reg_genmove": reg_genmove,
    "showboard": no_arguments(showboard),
    "all_legal": all_legal,
    "final_score": no_arguments(final_score),
    "time_settings": time_settings,
    "time_left": time_left,
}
