"""What a search and an ownership map look like on the board, point by point, for the analysis windows of GoGui and HexGui."""

from montego.games import Go
from montego.protocols.gtp.core import Engine
from montego.protocols.gtp.judge import owner_map
from montego.protocols.gtp.lines import Failure, colour_letter
from montego.search import Analysis, Limits

Values = dict[str, float]  # name of a point -> value


def last_search(engine: Engine) -> Analysis:
    """Return the last search, or search the position on the board if there was none."""
    if engine.mind.last is None or engine.mind.searched is None:
        if engine.table.position.over:
            raise Failure("game is over")
        engine.mind.search(engine.table.position, Limits(watch=lambda current: engine.inbox.interrupted()))
    assert engine.mind.last is not None
    return engine.mind.last


def searcher(engine: Engine) -> int:
    """Return the player for whom the last search was made."""
    assert engine.mind.searched is not None
    return engine.mind.searched.to_move


def ownership(engine: Engine) -> Values:
    """Return the expected owner of every point, 1 for the first player, -1 for the second."""
    names = engine.table.game.layout().names
    return dict(zip(names, owner_map(engine.table.position).tolist(), strict=True))


def visits(engine: Engine) -> Values:
    """Return the visits of every move of the last search that is one point."""
    return {e.move: e.visits for e in last_search(engine).moves if _is_point(engine, e.move) and e.visits}


def values(engine: Engine) -> Values:
    """Return the win rate of every move of the last search, as -1 … 1 from the first player's perspective."""
    analysis = last_search(engine)
    sign = 1 if searcher(engine) == 0 else -1
    return {
        e.move: sign * (2 * e.value - 1) for e in analysis.moves if _is_point(engine, e.move) and e.value is not None
    }


def amaf(engine: Engine) -> Values:
    """Return the all-moves-as-first rate of every move of the last search, as ``values`` does."""
    analysis = last_search(engine)
    sign = 1 if searcher(engine) == 0 else -1
    return {
        e.move: sign * (2 * e.amaf_value - 1)
        for e in analysis.moves
        if _is_point(engine, e.move) and e.amaf_value is not None
    }


def _is_point(engine: Engine, move: str) -> bool:
    return move in set(engine.table.game.layout().names)


def variation(engine: Engine) -> list[tuple[str, str]]:
    """Return the principal variation of the last search as (b or w, move)."""
    line = last_search(engine).principal_variation
    first = searcher(engine)
    return [(colour_letter((first + place) % 2), move) for place, move in enumerate(line)]


# ------------------------------------------------------------------------------------------------------------- as text


def grid(engine: Engine, cells: dict[str, str], nothing: str) -> str:
    """Return a Go board of words, row by row from the top."""
    game = engine.table.game
    assert isinstance(game, Go)
    names = list(game.layout().names)
    rows = [names[start : start + game.size] for start in range(0, len(names), game.size)]
    return "\n".join(" ".join(cells.get(name, nothing) for name in row) for row in rows)


def pairs(cells: dict[str, str]) -> str:
    """Return points and words one after the other."""
    return " ".join(f"{name} {word}" for name, word in cells.items())


def heat(value: float, greatest: float) -> str:
    """Return a colour from pale yellow to red for a value from 0 to the greatest."""
    fade = round(220 * (1 - value / greatest)) if greatest > 0 else 220
    return f"#ff{fade:02x}{fade // 2:02x}"
