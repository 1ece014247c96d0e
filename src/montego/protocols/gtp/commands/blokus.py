"""Blokus Duo in the dialect of Pentobi's engine: moves are squares, and a colour without moves passes."""

from montego.protocols.gtp.commands import standard
from montego.protocols.gtp.commands.standard import no_arguments
from montego.protocols.gtp.core import Engine, Handler
from montego.protocols.gtp.lines import SYNTAX_ERROR, Failure, colour, colour_letter, one
from montego.protocols.gtp.table import PASS

_VARIANTS = ("blokus duo", "duo", "d")


def set_game(engine: Engine, words: list[str]) -> str:
    """Start anew; there is one variant."""
    if " ".join(words).lower() not in _VARIANTS:
        raise Failure("unsupported game: expected Blokus Duo")
    engine.new_game()
    return ""


def play(engine: Engine, words: list[str]) -> str:
    """Make a move of a colour; its squares may be written with spaces after the commas. Passing at the end is idle."""
    if len(words) < 2:
        raise Failure(SYNTAX_ERROR)
    player, move = colour(engine.table.game, words[0]), "".join(words[1:])
    if engine.table.position.over and move.lower() == PASS:
        return ""
    engine.table.play(player, move)
    return ""


def genmove(engine: Engine, words: list[str]) -> str:
    """Choose a move of a colour and make it; pass when the game is over."""
    player = colour(engine.table.game, one(words))
    return PASS if engine.table.position.over else engine.genmove(player)


def reg_genmove(engine: Engine, words: list[str]) -> str:
    """Choose a move of a colour without making it."""
    player = colour(engine.table.game, one(words))
    return PASS if engine.table.position.over else engine.genmove(player, keep=False)


def g(engine: Engine, words: list[str]) -> str:
    """Choose and make a move of the colour to move."""
    return genmove(engine, [colour_letter(engine.table.position.to_move)])


def p(engine: Engine, words: list[str]) -> str:
    """Make a move of the colour to move."""
    return play(engine, [colour_letter(engine.table.position.to_move), *words])


def all_legal(engine: Engine, words: list[str]) -> str:
    """List the legal moves of a colour, one a line."""
    return standard.all_legal(engine, words).replace(" ", "\n")


def get_value(engine: Engine, words: list[str]) -> str:
    """Return the value of the last search, 0 … 1, for the colour it was made for."""
    best = engine.mind.last.best() if engine.mind.last else None
    if best is None or best.value is None:
        raise Failure("no search yet")
    return f"{best.value:.4f}"


def get_place(engine: Engine, words: list[str]) -> str:
    """Return the place of a colour at the end: 1 or 2, shared after a draw."""
    position, player = engine.table.position, colour(engine.table.game, one(words))
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
