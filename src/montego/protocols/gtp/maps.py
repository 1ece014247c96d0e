"""Searches and ownership point by point, for the analysis windows of GoGui and HexGui."""

from itertools import groupby

from montego.protocols.gtp.conversation import Conversation
from montego.protocols.gtp.lines import Failure, colour_letter
from montego.search import Analysis, Limits
from montego.sessions.judge import owner_map

Values = dict[str, float]  # name of a point -> value


def last_search(conversation: Conversation) -> Analysis:
    """Return the last search, or search the position on the board if there was none."""
    if conversation.mind.last is None or conversation.mind.searched is None:
        if conversation.position.over:
            raise Failure("game is over")
        conversation.mind.search(conversation.position, Limits(watch=lambda current: conversation.inbox.interrupted()))
    assert conversation.mind.last is not None
    return conversation.mind.last


def searcher(conversation: Conversation) -> int:
    """Return the player for whom the last search was made."""
    assert conversation.mind.searched is not None
    return conversation.mind.searched.to_move


def ownership(conversation: Conversation) -> Values:
    """Return the expected owner of every point, 1 for the first player, -1 for the second."""
    names = conversation.game.layout().names
    return dict(zip(names, owner_map(conversation.position).tolist(), strict=True))


def visits(conversation: Conversation) -> Values:
    """Return the visits of the last search's moves, as far as they are single points."""
    return {e.move: e.visits for e in last_search(conversation).moves if _is_point(conversation, e.move) and e.visits}


def values(conversation: Conversation) -> Values:
    """Return the win rate of every move of the last search, as -1 … 1 from the first player's perspective."""
    analysis = last_search(conversation)
    sign = 1 if searcher(conversation) == 0 else -1
    return {
        e.move: sign * (2 * e.value - 1)
        for e in analysis.moves
        if _is_point(conversation, e.move) and e.value is not None
    }


def amaf(conversation: Conversation) -> Values:
    """Return the all-moves-as-first rate of every move of the last search, as ``values`` does."""
    analysis = last_search(conversation)
    sign = 1 if searcher(conversation) == 0 else -1
    return {
        e.move: sign * (2 * e.amaf_value - 1)
        for e in analysis.moves
        if _is_point(conversation, e.move) and e.amaf_value is not None
    }


def _is_point(conversation: Conversation, move: str) -> bool:
    return move in set(conversation.game.layout().names)


def variation(conversation: Conversation) -> list[tuple[str, str]]:
    """Return the principal variation of the last search as (b or w, move)."""
    line = last_search(conversation).principal_variation
    first = searcher(conversation)
    return [(colour_letter((first + place) % 2), move) for place, move in enumerate(line)]


# ------------------------------------------------------------------------------------------------------------- as text


def grid(conversation: Conversation, cells: dict[str, str], nothing: str) -> str:
    """Return a board of words, row by row from the top."""
    layout = conversation.game.layout()
    rows = groupby(zip(layout.names, layout.xy, strict=True), key=lambda point: point[1][1])
    return "\n".join(" ".join(cells.get(name, nothing) for name, _ in row) for _, row in rows)


def pairs(cells: dict[str, str]) -> str:
    """Return points and words one after the other."""
    return " ".join(f"{name} {word}" for name, word in cells.items())


def heat(value: float, greatest: float) -> str:
    """Return a colour from pale yellow to red for a value from 0 to the greatest."""
    fade = round(220 * (1 - value / greatest)) if greatest > 0 else 220
    return f"#ff{fade:02x}{fade // 2:02x}"
