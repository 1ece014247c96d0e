"""What only Go has: komi, handicap, dead stones."""

from montego.errors import SpecError
from montego.games import Go
from montego.protocols.gtp.commands.standard import no_arguments, score_text
from montego.protocols.gtp.core import Engine, Handler
from montego.protocols.gtp.judge import chain_status, final_score as judged_score
from montego.protocols.gtp.lines import SYNTAX_ERROR, Failure, no_more, number, one, vertex, whole
from montego.protocols.gtp.table import PASS

_MOST_FREE_STONES = 0.25  # of the points


def _go(engine: Engine) -> Go:
    game = engine.table.game
    assert isinstance(game, Go)
    return game


def komi(engine: Engine, words: list[str]) -> str:
    """Set the komi."""
    engine.table.set_komi(number(one(words)))
    return ""


def get_komi(engine: Engine, words: list[str]) -> str:
    """Return the komi."""
    return f"{_go(engine).komi:g}"


# ------------------------------------------------------------------------------------------------------------- handicap


def _empty_board(engine: Engine) -> None:
    if not engine.table.empty:
        raise Failure("board not empty")


def _place(engine: Engine, names: list[str]) -> str:
    engine.table.place_handicap(names)
    engine.mind.resign_rule.reset()
    return " ".join(names)


def fixed_stones(game: Go, count: int) -> list[str]:
    """Return the points of the fixed handicap; none if the board has no such handicap."""
    try:
        owners = game._replace(handicap=count).start().owners()
    except SpecError:
        return []
    return [name for name, owner in zip(game.layout().names, owners, strict=True) if owner == 0]


def free_stones(game: Go, count: int) -> list[str]:
    """Return good points for so many handicap stones, or for fewer on a small board.

    The star points if they suffice; then always the point farthest from all stones, off the first two lines if it can be.
    """
    names = list(game.layout().names)
    most = min(count, max(2, int(_MOST_FREE_STONES * len(names))))
    for stars in range(min(most, 9), 1, -1):
        if chosen := fixed_stones(game, stars):
            break
    else:
        chosen = []
    inset = 2 if min(game.size, game.height) >= 7 else 1 if min(game.size, game.height) >= 4 else 0
    places = {name: divmod(point, game.size) for point, name in enumerate(names)}
    inner = [
        name
        for name, (row, column) in places.items()
        if inset <= row < game.height - inset and inset <= column < game.size - inset
    ]
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


def fixed_handicap(engine: Engine, words: list[str]) -> str:
    """Put handicap stones on the star points and list them."""
    count = whole(one(words))
    _empty_board(engine)
    names = fixed_stones(_go(engine), count) if 2 <= count <= 9 else []
    if not names:
        raise Failure("invalid number of stones")
    return _place(engine, names)


def place_free_handicap(engine: Engine, words: list[str]) -> str:
    """Put so many handicap stones, or fewer, on points of the engine's choice and list them."""
    count = whole(one(words))
    _empty_board(engine)
    names = free_stones(_go(engine), count) if count >= 2 else []
    if len(names) < 2:
        raise Failure("invalid number of stones")
    return _place(engine, names)


def set_free_handicap(engine: Engine, words: list[str]) -> str:
    """Put handicap stones on the points given."""
    game = _go(engine)
    _empty_board(engine)
    try:
        moves = [vertex(game, word) for word in words]
    except Failure:
        raise Failure("bad vertex list") from None
    names = [game.move_name(move) for move in moves]
    if not 2 <= len(names) < len(game.layout().names) or len(set(names)) < len(names) or PASS in names:
        raise Failure("bad vertex list")
    _place(engine, names)
    return ""


# -------------------------------------------------------------------------------------------------------------- the end


def final_score(engine: Engine, words: list[str]) -> str:
    """Return the score by area without the stones that the engine thinks dead."""
    return score_text(judged_score(engine.table.position))


def final_status_list(engine: Engine, words: list[str]) -> str:
    """List the stones that are alive, dead or in seki, one chain a line."""
    status = one(words)
    if status not in ("alive", "dead", "seki"):
        raise Failure(SYNTAX_ERROR)
    return "\n".join(" ".join(chain) for chain in chain_status(engine.table.position)[status])


def rectangular_boardsize(engine: Engine, words: list[str]) -> str:
    """Start anew on a board of so many columns and rows (KataGo's name for it)."""
    no_more(words, 2)
    return engine.commands["boardsize"](engine, words) if len(words) == 2 else _fail()


def _fail() -> str:
    raise Failure(SYNTAX_ERROR)


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
