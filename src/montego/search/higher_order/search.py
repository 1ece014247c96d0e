"""A search by higher-order statistics of one game: its arrays, its batches, the patterns kept from move to move."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from montego.errors import MontegoError
from montego.games import Game, Position
from montego.games.hex import Hex
from montego.games.rules import counts_as_first, playout_moves, search_moves
from montego.games.y import Y
from montego.search.analysis import NO_LIMITS, Analysis, Limits, MoveStatistics
from montego.search.budget import Budget, spend
from montego.search.higher_order import findings
from montego.search.higher_order.boards import cells_of
from montego.search.higher_order.carry import carry_over
from montego.search.higher_order.findings import Final, Pattern
from montego.search.higher_order.lanes import is_filling
from montego.search.higher_order.playouts import run_batches
from montego.search.higher_order.records import EMPTY, MOST_SLOTS, SETTINGS, Desk, Table, new_desk, new_table
from montego.search.higher_order.reduction import move_chances
from montego.search.higher_order.refinement import add_single_moves, refine
from montego.search.higher_order.statistics import evaluate_all

_NO_PATTERNS = 1  # but the empty one
_AT_ONCE = 1024  # random fillings that take about as long as calling a kernel
_ENDLESS_HALF = 10_000  # playouts after which noise is half, where no end is known


class HigherOrderSearch:
    """Statistics of first, second or selective higher order, made anew for each decision unless ``reuse`` keeps patterns."""

    table: Table
    desk: Desk

    def __init__(self, game: Game, settings: Any, all_single: bool = False) -> None:
        """Make a search; with ``all_single`` the patterns are all single moves of the player to move, and no others."""
        self.game, self.settings, self.all_single = game, settings, all_single
        self.numbers = numbers_of(settings)
        if all_single:
            self.numbers.most_patterns = 1
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
        if settings.prior > 0 and not isinstance(game, (Hex, Y)):
            raise MontegoError(f"prior: micro-reduction is for hex and y, not for {game}; leave prior out")
        self._before: tuple[Position, Table, Desk] | None = None

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
        self._before = (position.copy(), self.table, self.desk) if settings.reuse else None
        return look()

    def prepare(self, position: Position, rng: Any) -> Any:
        """Make table and desk for a position; return the moves that may be played."""
        settings = self.settings
        scratch = self.game.new_moves()
        if self.fills:
            candidates = slots = scratch[: playout_moves(self.game, position.state, scratch)].copy()
        else:
            slots = self._slots
            found = scratch[: search_moves(self.game, position.state, scratch)].copy()
            candidates = found[np.isin(found, position.legal_numbers()) & np.isin(found, slots)]
        patterns = len(slots) + 1 if self.all_single else max(_NO_PATTERNS, settings.patterns)
        history = settings.replay if self.numbers.most_patterns > 1 else 0
        self.table = new_table(patterns, len(slots))
        self.desk = new_desk(self.game, self.numbers, slots, patterns, history, cells_of(self.game), rng)
        self.desk.head.mover = mover = position.to_move
        if self.all_single:
            add_single_moves(self.table, self.desk.head, mover)
        if settings.prior > 0:
            self._add_prior(position)
        if self._before is not None:
            carry_over(self._before, position, self.table, self.desk)
        if self.numbers.guided:
            evaluate_all(self.table, self.numbers, int(self.desk.head.patterns))
        return candidates

    def _add_prior(self, position: Position) -> None:
        """Give the empty pattern some playouts' worth of statistics by micro-reduction."""
        weight = self.settings.prior
        for player in range(2):
            chances, now = move_chances(self.game, position.state, player)
            self.table.made[EMPTY, player] = weight / 2
            self.table.wins[EMPTY, player] = weight / 2 * chances[0, self.desk.moves]
            self.table.won[EMPTY, player] = weight * now
        self.table.seen[EMPTY] = weight

    def _play(self, position: Position, budget: Budget, limits: Limits, batches: int, lanes: int) -> None:
        """Play batches of ``lanes`` playouts, and refine the patterns whenever it is time."""
        head, numbers = self.desk.head, self.numbers
        while batches > 0:
            growing = head.patterns < numbers.most_patterns
            part = min(batches, max(1, math.ceil((numbers.every - head.since_growth) / lanes))) if growing else batches
            progress, step = self._progress(budget, limits)
            run_batches(self.game, position.state, self.desk, self.table, part, lanes, progress, step)
            batches -= part
            if growing and head.since_growth >= numbers.every:
                refine(self.table, self.desk)

    def _progress(self, budget: Budget, limits: Limits) -> tuple[float, float]:
        """Return how far the decision is, from 0 to 1, and how much a playout adds."""
        done = int(self.desk.head.playouts)
        total = self.settings.playouts if limits.playouts is None else limits.playouts
        seconds = self.settings.seconds if limits.seconds is None else limits.seconds
        if total and not seconds:
            return done / total, 1.0 / total
        by_time = budget.elapsed() / seconds if seconds else 1.0 - 1.0 / (1.0 + done / _ENDLESS_HALF)
        return min(1.0, max(by_time, done / total if total else 0.0)), 0.0

    # -- what was found

    def analyse(self, position: Position, candidates: Any, budget: Budget) -> Analysis:
        """Return the move to play and what is known of all moves."""
        table, desk, settings = self.table, self.desk, self.settings
        mover, count = int(desk.head.mover), int(desk.head.patterns)
        merit, answer = findings.merits(table, mover, Final(settings.final), settings.doubt)
        first = findings.means(table, EMPTY, mover, 0.0)
        visits = table.made[EMPTY, mover]
        slots = desk.slots[candidates]
        best = int(slots[merit[slots].argmax()])
        names, numbers = self._names, desk.moves.tolist()
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
            int(desk.moves[best]),
            playouts=int(desk.head.playouts),
            seconds=budget.elapsed(),
            moves=moves,
            principal_variation=line,
            nodes=count,
            mean_depth=float(table.sizes[:count].mean()),
            greatest_depth=int(table.sizes[:count].max()),
            memory=table.made.nbytes * 3,
            ownership=findings.ownership(self.game, position.state, table, desk) if self.fills else {},
            cut_short=budget.cut_short,
            position=position,
        )

    def patterns(self) -> list[Pattern]:
        """Return the patterns of the last decision, in the order in which they were found."""
        return findings.list_patterns(self.table, self.desk)


def numbers_of(settings: Any) -> Any:
    """Return the settings record for the kernels."""
    numbers = np.zeros(1, SETTINGS)[0]
    numbers.guided = settings.noise > 0 or settings.optimism > 0
    numbers.noise, numbers.optimism = settings.noise, settings.optimism
    numbers.keep = math.exp2(-1.0 / settings.half_life) if settings.half_life else 1.0
    numbers.relative = settings.relative
    numbers.most_moves = settings.order - 1
    numbers.most_patterns = 1 if settings.order == 1 else settings.patterns
    numbers.every, numbers.grow, numbers.seen = settings.every, settings.grow, settings.seen
    numbers.criterion, numbers.relevance = settings.criterion, settings.relevance
    numbers.copied, numbers.replay = settings.copy, settings.replay
    return numbers
