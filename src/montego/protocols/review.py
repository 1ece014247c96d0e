"""A player's opinion on every position of a record's main line, written into the record as comments and variations."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from itertools import pairwise
from typing import Any

from montego.errors import IllegalMove
from montego.games import Position
from montego.players import Player
from montego.search import Analysis, MoveStatistics
from montego.sgf import GameRecord, Node

_LISTED = 3  # moves named in a comment
_LINE = 12  # moves of a principal variation that are written


@dataclass(frozen=True)
class Review:
    """What a player thinks of one position.

    Values are win rates of the player to move. ``value`` is the mean of the best move in the search of this position,
    and rather high as a best of many is. What a move cost is therefore measured by two searches of the same kind: of
    the position after the best move and of the position after the played one. None where there is nothing to compare.
    """

    number: int  # of the move that was played here, from 1; one more than the game has at its end
    to_move: int
    played: str | None
    best: str | None = None
    value: float | None = None
    visits: int = 0
    line: tuple[str, ...] = ()
    after_best: float | None = None
    after_played: float | None = None

    @property
    def loss(self) -> float | None:
        """The win rate that the played move cost: nothing if it was the best one or turned out no worse."""
        if self.after_best is None or self.after_played is None:
            return None
        return max(0.0, self.after_best - self.after_played)

    def as_dict(self) -> dict[str, Any]:
        """Return the review, ready for JSON."""
        return asdict(self) | {"line": list(self.line), "loss": self.loss}


def review(record: GameRecord, player: Player) -> Iterator[Review]:
    """Analyse the main line, write remarks into the record, and yield one review per position that was analysed."""
    line = record.main_line()
    stops = [(node, after) for node, after in pairwise(line) if after.move]
    waiting: tuple[Review, Analysis, Node] | None = None
    for number, (node, after) in enumerate([*stops, (line[-1], None)], 1):
        found = _analyse(number, node, after, player)
        if waiting is not None:
            opinion, analysis, before = waiting
            after_played = _value_for(opinion.to_move, node.position, found)
            opinion = replace(
                opinion, after_played=after_played, after_best=_after_best(opinion, before, player, after_played)
            )
            yield _write(record, opinion, analysis, before)
        waiting = (*found, node) if found else None
    if waiting is not None:
        yield _write(record, *waiting)


def _after_best(opinion: Review, node: Node, player: Player, after_played: float | None) -> float | None:
    """Return what the best move is worth by a search of the position after it."""
    if opinion.best == opinion.played or opinion.best is None or opinion.value is None:
        return after_played
    position = node.position.copy().play(opinion.best)
    return _value_for(opinion.to_move, position, _analyse(opinion.number + 1, Node(position), None, player))


def _analyse(number: int, node: Node, after: Node | None, player: Player) -> tuple[Review, Analysis] | None:
    """Analyse one position; None where there is nothing to choose or the wrong player moves next in the record."""
    position = node.position
    played = after.move if after else None
    if position.over or position.game != player.game or (after and not _leads_to(position, after)):
        return None
    player.choose_number(position)
    analysis = player.analysis()
    best = analysis.best()
    found = Review(number, position.to_move, played, analysis.move, visits=analysis.playouts)
    if best is not None and best.value is not None:
        found = replace(found, value=best.value, line=_legal_line(position, analysis))
    return found, analysis


def _leads_to(position: Position, after: Node) -> bool:
    """Whether a move is the next one of a position, not one that skips a turn."""
    return len(after.position.moves) > 0 and after.position.moves[:-1] == position.moves


def _legal_line(position: Position, analysis: Analysis) -> tuple[str, ...]:
    """Return the principal variation as far as it can be played."""
    moves = analysis.principal_variation or [analysis.move]
    trial = position.copy()
    for count, move in enumerate(moves[:_LINE]):
        try:
            trial.play(move)
        except IllegalMove:
            return tuple(moves[:count])
    return tuple(moves[:_LINE])


def _value_for(player: int, position: Position, found: tuple[Review, Analysis] | None) -> float | None:
    """Return the win rate of a player in a position, by its analysis or by its end."""
    if position.over and position.winner is not None:
        return 0.5 if position.winner < 0 else float(position.winner == player)
    if found is None or found[0].value is None:
        return None
    return found[0].value if found[0].to_move == player else 1.0 - found[0].value


def _write(record: GameRecord, opinion: Review, analysis: Analysis, node: Node) -> Review:
    """Write a review into the record and return it."""
    lines = [node.comment] if node.comment else []
    lines.append(_remark(record, opinion, analysis))
    node.comment = "\n".join(lines)
    if opinion.line and opinion.line[0] != opinion.played:
        branch = node
        for move in opinion.line:
            branch = record.add(branch, move)
    return opinion


def _remark(record: GameRecord, opinion: Review, analysis: Analysis) -> str:
    """Say in a few lines what the analysis found."""
    name = record.game.players[opinion.to_move]
    if opinion.value is None:
        return f"Montego: {name} should play {opinion.best}"
    lines = [f"Montego: {name} to move wins {opinion.value:.1%} ({opinion.visits} playouts)"]
    considered = [entry for entry in analysis.moves if entry.value is not None and entry.visits]
    considered.sort(key=lambda entry: (entry.number != analysis.number, -entry.visits))
    lines.append("best: " + ", ".join(_entry(entry) for entry in considered[:_LISTED]))
    if opinion.played != opinion.best and opinion.loss is not None:
        values = (
            f"{opinion.after_played:.1%}, with {opinion.best} {opinion.after_best:.1%}, by searching one move later"
        )
        verdict = f"loses {opinion.loss:.1%}" if opinion.loss else "no worse"
        lines.append(f"played: {opinion.played}, {verdict} ({values})")
    return "\n".join(lines)


def _entry(entry: MoveStatistics) -> str:
    return f"{entry.move} {entry.value:.1%} ({entry.visits} visits)"
