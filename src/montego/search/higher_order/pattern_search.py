"""The players by first-, second- and higher-order statistics (Raiko 2006): their settings and their search."""

from __future__ import annotations

import math
from enum import IntEnum
from typing import Annotated, Any, NamedTuple

import numpy as np

from montego.errors import MontegoError, SpecError
from montego.games import Game, Position
from montego.games.rules import counts_as_first, playout_moves, search_moves
from montego.search.analysis import NO_LIMITS, Analysis, Limits, MoveStatistics
from montego.search.budget import Budget, spend
from montego.search.higher_order import conclusions
from montego.search.higher_order.arrays import (
    EMPTY,
    LANES,
    MOST_SLOTS,
    SETTINGS,
    PatternTable,
    Workbench,
    new_pattern_table,
    new_workbench,
)
from montego.search.higher_order.batches import is_filling, run_batches
from montego.search.higher_order.conclusions import FinalRule, Pattern, carry_over
from montego.search.higher_order.micro_reduction import cells_of, move_chances
from montego.search.higher_order.patterns import (
    GAIN,
    INFORMATION,
    WEIGHTED,
    add_best_refinement,
    add_single_moves,
    evaluate_all,
    in_counts,
    measure,
    refine,
    settle,
)
from montego.search.settings import Playouts, Seconds, with_budget
from montego.spec import Param

_PAPER = "Raiko 2006"
_MOST = 4096
_NO_PATTERNS = 1  # but the empty one
_AT_ONCE = 1024  # random fillings that take about as long as calling a kernel
_QUICK = 100_000  # candidates that a refinement may look at without a look at the clock
_ENDLESS_HALF = 10_000  # playouts after which noise is half, where no end is known


# ------------------------------------------------------------------------------------------------------------ settings


class Criterion(IntEnum):
    """How relevant a refinement is: mutual information, that times its frequency, or gain in value times frequency."""

    INFORMATION = INFORMATION
    WEIGHTED = WEIGHTED
    GAIN = GAIN


class HigherOrder(NamedTuple):
    """Selective statistics of order N: patterns of moves found by refinement guide the playouts and the final move."""

    playouts: Playouts = None  # type: ignore[assignment]  # ``complete`` fills it in
    seconds: Seconds = 0.0
    order: Annotated[int, Param("moves of a pattern and the one evaluated, at most", 1, 64, _PAPER)] = 8
    noise: Annotated[float, Param("greatest noise in the choice of moves, falling to 0 linearly", 0, 100, _PAPER)] = 1.0
    optimism: Annotated[float, Param("pseudo-count of wins and visits of every move", 0, 1000, "Raiko 2006, 2.3")] = 0.0
    doubt: Annotated[float, Param("visits added to every move for the final choice", 0, 1000, "Raiko 2006, 2.3")] = 1.0
    half_life: Annotated[float, Param("playouts after which a statistic counts half; 0: all count", 0, 1e9, _PAPER)] = (
        2000.0
    )
    relative: Annotated[
        bool, Param("whether a move counts by what it adds to a pattern's winning rate; the paper: false")
    ] = True
    patterns: Annotated[int, Param("patterns at most, the empty one included", 1, _MOST, _PAPER)] = 100
    every: Annotated[int, Param("playouts between two refinements", 1, 10**9, _PAPER)] = 128
    grow: Annotated[int, Param("patterns added by a refinement, at most", 1, 1000, _PAPER)] = 4
    seen: Annotated[float, Param("playouts with pattern and move before it is refined by the move", 1, 1e9, _PAPER)] = (
        20.0
    )
    selected: Annotated[
        bool, Param("whether only moves chosen by the pattern count as seen with it; the paper: true", paper=_PAPER)
    ] = False
    criterion: Annotated[Criterion, Param("of the relevance of a refinement; the paper: information", paper=_PAPER)] = (
        Criterion.GAIN
    )
    relevance: Annotated[float, Param("that a refinement must exceed", 0, 100, _PAPER)] = 0.0
    copy: Annotated[float, Param("weight of the parent's statistics in a new pattern", 0, 1, _PAPER)] = 0.1
    replay: Annotated[int, Param("batches that a new pattern learns from; 0: it copies its parent", 0, 10**5)] = 0
    reuse: Annotated[bool, Param("whether patterns and statistics are kept for the next move", paper=_PAPER)] = False
    prior: Annotated[float, Param("playouts that micro-reduction is worth at the start (Hex, Y)", 0, 1e6, _PAPER)] = 0.0
    final: Annotated[FinalRule, Param("final move: eq. 4 (first) or eq. 5 (minmax)", paper=_PAPER)] = FinalRule.MINMAX
    batch: Annotated[int, Param("playouts between two updates of the statistics; the paper: 1", 1, LANES)] = LANES

    @classmethod
    def complete(cls, values: dict[str, Any]) -> dict[str, Any]:
        """Check what concerns several parameters."""
        if values["selected"] and not values["noise"] and not values["optimism"]:
            raise SpecError("selected=true needs playouts in which patterns choose: give noise or optimism above 0")
        return with_budget(values)

    def search(self, game: Game) -> HigherOrderSearch:
        """Return the search that these settings describe."""
        return HigherOrderSearch(game, self)


class FirstOrder(NamedTuple):
    """All moves as first: the move that the winner has most often in random fillings of the board."""

    playouts: Playouts = None  # type: ignore[assignment]  # ``complete`` fills it in
    seconds: Seconds = 0.0
    noise: Annotated[float, Param("0: random playouts; else they follow the statistics with noise", 0, 100, _PAPER)] = (
        0.0
    )
    half_life: Annotated[float, Param("playouts after which a statistic counts half; 0: all count", 0, 1e9, _PAPER)] = (
        0.0
    )
    prior: Annotated[float, Param("playouts that micro-reduction is worth at the start (Hex, Y)", 0, 1e6, _PAPER)] = 0.0

    @classmethod
    def complete(cls, values: dict[str, Any]) -> dict[str, Any]:
        """Check what concerns several parameters."""
        return with_budget(values)

    def search(self, game: Game) -> HigherOrderSearch:
        """Return the search that these settings describe."""
        return HigherOrderSearch(game, HigherOrder(**self._asdict(), order=1, patterns=1, final=FinalRule.FIRST))


class SecondOrder(NamedTuple):
    """All pairs of a move and an answer: the move whose best answer is worst for the opponent."""

    playouts: Playouts = None  # type: ignore[assignment]  # ``complete`` fills it in
    seconds: Seconds = 0.0
    noise: Annotated[float, Param("0: random playouts; else they follow the statistics with noise", 0, 100, _PAPER)] = (
        0.0
    )
    half_life: Annotated[float, Param("playouts after which a statistic counts half; 0: all count", 0, 1e9, _PAPER)] = (
        0.0
    )
    final: Annotated[FinalRule, Param("final move: eq. 4 (first) or eq. 5 (minmax)", paper=_PAPER)] = FinalRule.MINMAX

    @classmethod
    def complete(cls, values: dict[str, Any]) -> dict[str, Any]:
        """Check what concerns several parameters."""
        return with_budget(values)

    def search(self, game: Game) -> HigherOrderSearch:
        """Return the search that these settings describe."""
        return HigherOrderSearch(game, HigherOrder(**self._asdict(), order=2), all_single=True)


# -------------------------------------------------------------------------------------------------------------- search


class HigherOrderSearch:
    """Statistics of first, second or selective higher order. With ``reuse`` patterns are kept for the next decision."""

    table: PatternTable
    bench: Workbench

    def __init__(self, game: Game, settings: Any, all_single: bool = False) -> None:
        """Make a search; with ``all_single`` the patterns are all single moves of the player to move, and no others."""
        self.game, self.settings, self.all_single = game, settings, all_single
        self.numbers = numbers_of(settings)
        if all_single:
            self.numbers.most_patterns, self.numbers.replay = _NO_PATTERNS, 0
        self.fills = bool(is_filling(game))
        moves = game.start().legal_numbers().tolist()
        self._names = {move: game.move_name(move) for move in moves}
        if not self.fills:
            self._slots = np.array([move for move in moves if counts_as_first(game, move)])
            if game.move_limit() > MOST_SLOTS:
                raise MontegoError(
                    f"higher-order statistics are for games whose moves are placements, up to {MOST_SLOTS} of them;"
                    f" {game} has {game.move_limit():,} moves"
                )
        if settings.prior > 0 and not self.fills:
            raise MontegoError(f"prior: micro-reduction is for hex and y, not for {game}; leave prior out")
        self._before: tuple[Position, PatternTable, Workbench] | None = None

    # -- the search

    def run(self, position: Position, rng: Any, limits: Limits = NO_LIMITS) -> Analysis:
        settings = self.settings
        budget = Budget(settings.playouts, settings.seconds, limits)
        candidates = self.prepare(position, rng)
        if len(candidates) == 0:
            number = int(position.legal_numbers()[0])
            return Analysis(self.game.move_name(number), number, 0, budget.elapsed())
        owed = 0
        quantum = settings.batch if self.numbers.guided or not self.fills else _AT_ONCE

        def simulate(count: int) -> bool:
            """Play whole batches only, so that the clock has no say in how playouts are grouped."""
            nonlocal owed
            owed += count
            if owed < quantum:
                return True
            batches = owed // settings.batch
            owed -= batches * settings.batch
            self._play(position, budget, limits, batches, settings.batch)
            return True

        def look() -> Analysis:
            return self.analyse(position, candidates, budget)

        spend(budget, simulate, look)
        self._play(position, budget, limits, owed // settings.batch, settings.batch)
        if owed % settings.batch:
            self._play(position, budget, limits, 1, owed % settings.batch)
        settle(self.table, self.bench.head)
        self._before = (position.copy(), self.table, self.bench) if settings.reuse else None
        return look()

    def prepare(self, position: Position, rng: Any) -> Any:
        """Make table and bench for a position; return the moves that may be played."""
        settings = self.settings
        scratch = self.game.new_moves()
        if self.fills:
            candidates = slots = scratch[: playout_moves(self.game, position.state, scratch)].copy()
        else:
            slots = self._slots
            found = scratch[: search_moves(self.game, position.state, scratch)].copy()
            candidates = found[np.isin(found, position.legal_numbers()) & np.isin(found, slots)]
        patterns = len(slots) + 1 if self.all_single else int(self.numbers.most_patterns)
        self.table = new_pattern_table(patterns, len(slots))
        self.bench = new_workbench(self.game, self.numbers, slots, patterns, cells_of(self.game), rng)
        self.bench.head.mover = mover = position.to_move
        if self.all_single:
            add_single_moves(self.table, self.bench.head, mover)
        if settings.prior > 0:
            self._add_prior(position)
        if self._before is not None:
            carry_over(self._before, position, self.table, self.bench)
        if self.numbers.guided:
            evaluate_all(self.table, self.numbers, int(self.bench.head.patterns))
        return candidates

    def _add_prior(self, position: Position) -> None:
        """Give the empty pattern some playouts' worth of statistics by micro-reduction."""
        weight = self.settings.prior
        for player in range(2):
            chances, now = move_chances(self.game, position.state, player)
            self.table.made[EMPTY, player] = weight / 2
            self.table.wins[EMPTY, player] = weight / 2 * chances[0, self.bench.moves]
            self.table.won[EMPTY, player] = weight * now
        self.table.seen[EMPTY] = weight

    def _play(self, position: Position, budget: Budget, limits: Limits, batches: int, lanes: int) -> None:
        """Play batches of ``lanes`` playouts, and refine the patterns whenever it is time."""
        head, numbers = self.bench.head, self.numbers
        while batches > 0 and not (head.playouts and budget.over()):
            growing = head.patterns < numbers.most_patterns
            part = min(batches, max(1, math.ceil((numbers.every - head.since_growth) / lanes))) if growing else batches
            progress, total = self._progress(budget, limits)
            run_batches(self.game, position.state, self.bench, self.table, part, lanes, progress, total)
            batches -= part
            if growing and head.since_growth >= numbers.every:
                self._refine(budget)

    def _refine(self, budget: Budget) -> None:
        """Add refinements: at once where that is quick, else one by one, looking at the clock in between."""
        table, bench = self.table, self.bench
        settle(table, bench.head)
        patterns, slots = int(bench.head.patterns), len(bench.moves)
        if patterns * slots * int(self.numbers.grow) <= _QUICK:
            refine(table, bench)
            return
        bench.head.since_growth = 0
        for pattern in range(patterns):
            if budget.over():
                return
            measure(table, bench, pattern)
        for _ in range(int(self.numbers.grow)):
            if budget.over() or not add_best_refinement(table, bench):
                return

    def _progress(self, budget: Budget, limits: Limits) -> tuple[float, int]:
        """Return how far the decision is, from 0 to 1, and its playouts if they alone decide that, or 0.

        Whole playouts are exact: however the clock cuts a search into parts, the noise is the same.
        """
        done = int(self.bench.head.playouts)
        total = self.settings.playouts if limits.playouts is None else limits.playouts
        seconds = self.settings.seconds if limits.seconds is None else limits.seconds
        if total and not seconds:
            return done / total, int(total)
        by_time = budget.elapsed() / seconds if seconds else 1.0 - 1.0 / (1.0 + done / _ENDLESS_HALF)
        return min(1.0, max(by_time, done / total if total else 0.0)), 0

    # -- what was found

    def analyse(self, position: Position, candidates: Any, budget: Budget) -> Analysis:
        """Return the move to play and what is known of all moves."""
        table, bench, settings = in_counts(self.table, self.bench.head), self.bench, self.settings
        mover, count = int(bench.head.mover), int(bench.head.patterns)
        merit, answer = conclusions.merits(table, mover, FinalRule(settings.final), settings.doubt)
        first = conclusions.means(table, EMPTY, mover, 0.0)
        visits = table.made[EMPTY, mover]
        slots = bench.slots[candidates]
        best = int(slots[merit[slots].argmax()])
        names, numbers = self._names, bench.moves.tolist()
        columns = zip(slots.tolist(), visits[slots].round().astype(int).tolist(), merit[slots].clip(0, 1).tolist(),
                      first[slots].tolist())  # fmt: skip
        moves = [
            MoveStatistics(names[numbers[slot]], numbers[slot], made, value, made, mean)
            if made
            else MoveStatistics(names[numbers[slot]], numbers[slot], 0, None)
            for slot, made, value, mean in columns
        ]
        line = [names[numbers[best]]]
        if answer is not None and len(numbers) > 1:
            line.append(names[numbers[answer[best]]])
        return Analysis(
            line[0],
            int(bench.moves[best]),
            playouts=int(bench.head.playouts),
            seconds=budget.elapsed(),
            moves=moves,
            principal_variation=line,
            nodes=count,
            mean_depth=float(table.sizes[:count].mean()),
            greatest_depth=int(table.sizes[:count].max()),
            memory=table.made.nbytes * 4,
            ownership=conclusions.ownership(position, table, bench) if self.fills else {},
            cut_short=budget.cut_short,
            position=position,
        )

    def patterns(self) -> list[Pattern]:
        """Return the patterns of the last decision, in the order in which they were found."""
        return conclusions.list_patterns(in_counts(self.table, self.bench.head), self.bench)


def numbers_of(settings: Any) -> Any:
    """Return the settings record for the kernels."""
    numbers = np.zeros(1, SETTINGS)[0]
    numbers.guided = settings.noise > 0 or settings.optimism > 0
    numbers.noise, numbers.optimism = settings.noise, settings.optimism
    numbers.keep = math.exp2(-1.0 / settings.half_life) if settings.half_life else 1.0
    numbers.relative = settings.relative
    numbers.most_moves = settings.order - 1
    numbers.most_patterns = _NO_PATTERNS if settings.order == 1 else settings.patterns
    numbers.every, numbers.grow, numbers.seen = settings.every, settings.grow, settings.seen
    numbers.selected = settings.selected
    numbers.criterion, numbers.relevance = settings.criterion, settings.relevance
    numbers.copied = settings.copy
    numbers.replay = settings.replay if numbers.most_patterns > _NO_PATTERNS else 0  # else nobody learns from them
    return numbers
