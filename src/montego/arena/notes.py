"""What a reader should know before trusting a result, in sentences.

Both functions take the data that ``montego results LEDGER --json`` prints, so that the terminal and the pages of
results say the same. ``plain`` prepares names for their destination, for example by escaping Markdown.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from montego.arena.statistics import signed
from montego.errors import counted

_LISTED = 5  # kinds of forfeits named
_REASON = 80  # characters of a reason shown


def result_notes(data: Mapping[str, Any], plain: Callable[[str], str] = str) -> list[str]:
    """Return sentences about repeated, forfeited, stopped, resigned and uncounted games and about mixed versions."""
    notes: list[str] = []
    if repeated := data["games"] - data["distinct_games"]:
        verb = "repeats" if repeated == 1 else "repeat"
        notes.append(f"{_games(repeated)} {verb} another game move for move; the intervals count them as new evidence.")
    if forfeits := data["forfeits"]:
        kinds = Counter(f"{plain(data['names'][one['loser']])}: {plain(_reason(one['reason']))}" for one in forfeits)
        listed = "; ".join(f"{count} × {kind}" for kind, count in kinds.most_common(_LISTED))
        notes.append(f"Forfeits: {_games(len(forfeits))} ({listed}{'; …' if len(kinds) > _LISTED else ''}).")
    if limited := data.get("length_limited", 0):
        notes.append(f"Stopped by the length limit and scored as they stood: {_games(limited)}.")
    if resign := data.get("resign", 0):
        when = f"if their expected win rate was below {resign:g} % at three moves in a row or the loss was certain"
        notes.append(f"Players resigned {when}: {_games(data['resigned'])} ended by resignation.")
    if late := data.get("games_not_counted", 0):
        test = data.get("test")
        why = "finished after the verdict" if test and test["verdict"] else "beyond the number requested"
        notes.append(f"In the ledger but not counted: {_games(late)}, {why}.")
    return notes + version_notes(data.get("versions", ()), plain)


def version_notes(versions: Sequence[str], plain: Callable[[str], str] = str) -> list[str]:
    """Return a sentence about mixed versions, if they are."""
    if len(versions) < 2:
        return []
    return [f"Played by different versions of the program: {', '.join(map(plain, versions))}."]


def rating_notes(ratings: Mapping[str, Any], plain: Callable[[str], str] = str) -> list[str]:
    """Return sentences about the zero of a rating table, the advantage of moving first, and separate groups."""
    zero = f"{plain(ratings['anchor'])} has 0" if ratings["anchor"] else "0 is the mean of the players"
    notes = [f"Elo: {zero}."]
    if ratings["first_player_advantage"] is not None:
        low, high = ratings["first_player_advantage_interval"]
        worth = f"is worth {signed(ratings['first_player_advantage'])} ({signed(low)}…{signed(high)})"
        notes[0] += f" Moving first {worth if low != high else 'is taken to be worth nothing'}."
    if len(linked := [group for group in ratings["groups"] if len(group) > 1]) > 1:
        listed = "; ".join(", ".join(map(plain, group)) for group in linked)
        notes.append(f"No games link these groups, so ratings can be compared only within each: {listed}.")
    if alone := [group[0] for group in ratings["groups"] if len(group) == 1]:
        notes.append(f"Without games: {', '.join(map(plain, alone))}.")
    return notes


def _reason(reason: str) -> str:
    """Return why a player forfeited (``forfeit: Black: …``), without its side, which differs from game to game."""
    side, _, why = reason.partition(": ")[2].partition(": ")
    return (why or side)[:_REASON]


def _games(count: int) -> str:
    return counted(count, "game")
