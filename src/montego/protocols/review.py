"""A player's opinion on every position of a record's main line: win rates, better moves, and how sure it is of them.

A review has two rounds. The first searches every position once, which gives the win-rate graph and a suspicion wherever
a move made things worse. A suspicion is not advice: among two hundred moves some look bad by chance, and the best of
many moves looks better than it is. So the second round searches again, with fresh random numbers, the positions after
the played and after the better move, longer and alike, and only a loss that is then significant is called a mistake.
"""

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from montego.errors import IllegalMove
from montego.games import Position
from montego.players import Player
from montego.protocols.remarks import FEW_VISITS, Review, write_remarks
from montego.search import Analysis, Limits
from montego.sgf import GameRecord, Node

__all__ = ["Review", "mistakes", "review"]

_LEAST_LOSS = 0.05  # of win rate that is called a mistake
_SIGMAS = 2.5  # standard errors by which a loss must exceed nothing: 0.6 % of the harmless moves that are checked
_SUSPICIOUS = 0.02  # loss in the first round from which on a move is checked
_MOST_CHECKS = 12  # moves that are checked when there is a clock
_FIRST_ROUND = 0.7  # of the time
_LINE = 12  # moves of a principal variation that are kept
_CONSIDERED = 5  # moves whose statistics are kept
_LEAST_SECONDS = 0.01  # of a search
_PROVEN = {"win": 1.0, "draw": 0.5, "loss": 0.0}
_TWO_SIDED = 1.96  # standard errors from the mean to the end of a 95 % interval

Progress = Callable[[int, int], None]  # searches done, and how many there will be
Watch = Callable[[Callable[[], Analysis]], bool]  # whether to stop a search


def review(
    record: GameRecord,
    player: Player,
    seconds: float | None = None,
    progress: Progress | None = None,
    watch: Watch | None = None,
) -> list[Review]:
    """Analyse the main line, write remarks into the record, and return one review per position that was analysed.

    ``seconds`` is the time for the whole game, shared out evenly; without it every search has the player's own budget.
    ``watch`` may end a search early, as in ``Limits``.
    """
    return _Reviewer(record, player, seconds, progress or (lambda done, total: None), watch).run()


def mistakes(reviews: Sequence[Review]) -> list[Review]:
    """Return the mistakes, the greatest loss first; a better move that one player missed several times counts once.

    A big point that stays open is missed again and again: naming it once is enough.
    """
    found: dict[tuple[int, str | None], Review] = {}
    for one in sorted((one for one in reviews if one.is_mistake), key=lambda one: -(one.loss or 0.0)):
        found.setdefault((one.to_move, one.best), one)
    return list(found.values())


@dataclass(frozen=True)
class _Opinion:
    """What a search thinks of a position: the win rate of the player to move, its standard error, its visits."""

    value: float
    error: float
    visits: int

    def turned(self) -> "_Opinion":
        """Return the same from the opponent's perspective."""
        return replace(self, value=1.0 - self.value)


@dataclass
class _Stop:
    """A position of the record that is analysed, with what was found."""

    number: int
    node: Node
    after: Node | None
    review: Review | None = None
    analysis: Analysis | None = None


class _Reviewer:
    """One review of one record."""

    def __init__(
        self, record: GameRecord, player: Player, seconds: float | None, progress: Progress, watch: Watch | None
    ) -> None:
        self.record, self.player, self.progress, self.watch = record, player, progress, watch
        self.checker = Player(player.settings, player.game, player.seed + 1)
        line = record.main_line()
        stops = [(node, after) for node, after in pairwise(line) if after.move]
        self.stops = [_Stop(k, node, after) for k, (node, after) in enumerate([*stops, (line[-1], None)], 1)]
        self.seconds = seconds
        self.done, self.total = 0, len(self.stops)

    def run(self) -> list[Review]:
        try:
            self._look_twice()
        finally:
            self.checker.close()
        found = [stop for stop in self.stops if stop.review is not None]
        for stop in found:
            write_remarks(self.record, stop.node, stop.review, stop.analysis)
        return [stop.review for stop in found if stop.review is not None]

    def _look_twice(self) -> None:
        """Do both rounds."""
        began = time.monotonic()
        for count, stop in enumerate(self.stops):
            self._look(stop, self._limits(began, _FIRST_ROUND, len(self.stops) - count))
            self._step()
        suspects = self._suspects()
        self.total += len(suspects)
        for count, (stop, played) in enumerate(suspects):
            self._check(stop, played, self._limits(began, 1.0, 2 * (len(suspects) - count)))
            self._step()

    def _step(self) -> None:
        self.done += 1
        self.progress(self.done, self.total)

    def _limits(self, began: float, share: float, searches: int) -> Limits:
        """Return the limits of the next search, so many of which must fit into a share of the time."""
        if self.seconds is None:
            return Limits(watch=self.watch)
        left = began + share * self.seconds - time.monotonic()
        return Limits(seconds=max(_LEAST_SECONDS, left / searches), watch=self.watch)

    # -- the first round

    def _look(self, stop: _Stop, limits: Limits) -> None:
        """Analyse one position, unless there is nothing to choose or the wrong player moves next in the record."""
        position, after = stop.node.position, stop.after
        if position.over or position.game != self.player.game or (after and not _leads_to(position, after)):
            return
        self.player.choose_number(position, limits)
        analysis = self.player.analysis()
        best = analysis.best()
        stop.analysis = analysis
        stop.review = Review(stop.number, position.to_move, after.move if after else None, analysis.move)
        if best is not None and best.value is not None:
            sure = _PROVEN.get(best.proven or "")
            stop.review = replace(
                stop.review,
                value=best.value if sure is None else sure,
                lower=best.lower if sure is None else sure,
                upper=best.upper if sure is None else sure,
                visits=best.visits,
                playouts=analysis.playouts,
                settled=sure is not None,
                line=_legal_line(position, analysis),
                considered=tuple(entry for entry in analysis.moves if entry.visits and entry.value is not None)[
                    :_CONSIDERED
                ],
            )

    def _suspects(self) -> list[tuple[_Stop, Position]]:
        """Return the moves that seem to have cost something, with the positions after them, the worst first."""
        found: list[tuple[float, _Stop, Position]] = []
        for stop, following in pairwise(self.stops):
            one = stop.review
            if one is None or one.value is None or stop.after is None:
                continue
            if one.played == one.best:
                stop.review = replace(one, loss=0.0, error=0.0)
                continue
            now = _known(following.node.position) or _opinion(following.analysis)
            if now is not None and one.is_founded and (cost := one.value - now.turned().value) > _SUSPICIOUS:
                found.append((cost, stop, following.node.position))
        found.sort(key=lambda entry: -entry[0])
        most = len(found) if self.seconds is None else _MOST_CHECKS
        return [(stop, position) for _, stop, position in found[:most]]

    # -- the second round

    def _check(self, stop: _Stop, played: Position, limits: Limits) -> None:
        """Compare the played with the better move by two searches of the same kind."""
        one = stop.review
        if one is None or one.best is None:
            return
        after_best = self._search(stop.node.position.copy().play(one.best), limits)
        after_played = self._search(played, limits)
        if after_best is None or after_played is None:
            return
        best, worse = after_best.turned(), after_played.turned()
        loss, error = max(0.0, best.value - worse.value), math.hypot(best.error, worse.error)
        sure = loss >= _LEAST_LOSS and loss > _SIGMAS * error and min(best.visits, worse.visits) >= FEW_VISITS
        stop.review = replace(
            one, after_best=best.value, after_played=worse.value, loss=loss, error=error, is_mistake=sure
        )

    def _search(self, position: Position, limits: Limits) -> _Opinion | None:
        if (known := _known(position)) is not None:
            return known
        self.checker.choose_number(position, limits)
        return _opinion(self.checker.analysis())


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


def _known(position: Position) -> _Opinion | None:
    """Return what is certain about a position that is over."""
    if not position.over or position.winner is None:
        return None
    value = 0.5 if position.winner < 0 else float(position.winner == position.to_move)
    return _Opinion(value, 0.0, FEW_VISITS)


def _opinion(analysis: Analysis | None) -> _Opinion | None:
    """Return what a search thinks of its position."""
    best = analysis.best() if analysis else None
    if best is None or best.value is None:
        return None
    if best.proven:
        return _Opinion(_PROVEN[best.proven], 0.0, max(best.visits, FEW_VISITS))
    if best.lower is None or best.upper is None:
        return _Opinion(best.value, 0.5 / math.sqrt(max(best.visits, 1)), best.visits)
    return _Opinion(best.value, (best.upper - best.lower) / 2 / _TWO_SIDED, best.visits)
