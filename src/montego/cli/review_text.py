"""A review as people read it in the terminal: a line per move, the graph, the mistakes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table

from montego.cli.graph import Rate, graph_text
from montego.protocols.remarks import Review, called
from montego.protocols.review import mistakes
from montego.sgf import GameRecord

_LINE = 6  # moves of the better line that are shown


def rates(reviews: Sequence[Review]) -> list[Rate]:
    """Return the win rates of a review, as the graph wants them."""
    found = []
    for one in reviews:
        value = one.first_wins()
        if value is not None:
            mistake = one.to_move if one.is_mistake else None
            found.append(Rate(one.number, value, one.first_bounds(), mistake))
    return found


def rate_words(one: Review) -> str:
    """Return the win rate of the player to move with its uncertainty."""
    if one.value is None:
        return "–"
    if one.settled:
        return {1.0: "won", 0.0: "lost"}.get(one.value, "drawn")
    margin = "" if one.lower is None or one.upper is None else f" ± {100 * (one.upper - one.lower) / 2:.0f}"
    return f"{100 * one.value:.0f}{margin} %"


def verdict(record: GameRecord, one: Review) -> str:
    """Say in a word or two what is thought of the played move."""
    if one.played is None or one.value is None:
        return ""
    if one.is_mistake and one.loss is not None:
        return f"mistake, {called(record.game, one.best)} was better"
    if one.played == one.best:
        return "best"
    return "" if one.is_founded else "few visits"


def line_words(record: GameRecord, one: Review, most: int) -> str:
    """Return the first moves of the better line, with commas where a move has several words."""
    moves = [called(record.game, move) for move in one.line[:most]]
    return (", " if any(" " in move for move in moves) else " ").join(moves)


def show_review(
    console: Console, record: GameRecord, reviews: Sequence[Review], most: int = 5, every_move: bool = True
) -> None:
    """Print a review: a table of all moves unless ``every_move`` is off, the graph, and at most so many mistakes."""
    known = rates(reviews)
    if not known:
        console.print("this player keeps no statistics; try uct or flat")
        return
    if every_move:
        console.print(_moves(record, reviews))
    console.print(graph_text(known, record.game.players, console.width - 1))
    console.print()
    found = mistakes(reviews)[:most]
    if most and not found:
        console.print("no mistakes found: no move was significantly worse than another")
    elif found:
        console.print(_mistakes(record, found))


def _table(title: str, *columns: tuple[str, Any]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, title=title, title_justify="left", title_style="bold")
    for name, justify in columns:
        table.add_column(name, justify=justify, no_wrap=name != "instead")
    return table


def _moves(record: GameRecord, reviews: Sequence[Review]) -> Table:
    table = _table("", ("move", "right"), ("player", "left"), ("played", "left"), ("wins", "right"),
                   ("visits", "right"), ("", "left"))  # fmt: skip
    for one in reviews:
        if one.played is not None:
            table.add_row(
                str(one.number),
                record.game.players[one.to_move],
                called(record.game, one.played),
                rate_words(one),
                f"{one.visits:,}",
                verdict(record, one),
                style="red" if one.is_mistake else None,
            )
    return table


def _mistakes(record: GameRecord, found: Sequence[Review]) -> Table:
    table = _table("biggest mistakes", ("move", "right"), ("player", "left"), ("played", "left"), ("wins", "right"),
                   ("better", "left"), ("wins", "right"), ("cost", "right"), ("instead", "left"))  # fmt: skip
    for one in found:
        table.add_row(
            str(one.number),
            record.game.players[one.to_move],
            called(record.game, one.played),
            f"{one.after_played:.0%}",
            called(record.game, one.best),
            f"{one.after_best:.0%}",
            f"{100 * (one.loss or 0.0):.0f} ± {196 * (one.error or 0.0):.0f}",
            line_words(record, one, _LINE),
        )
    return table
