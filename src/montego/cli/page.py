"""The page of ``montego analyse --html``: one file with graph, boards and lines that needs nothing else.

Positions are stored once each as numbers of SVG elements, so that a game of 300 moves on 19×19 stays small. Without
JavaScript the graph, the mistakes with their boards, and the table of moves are still there.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from html import escape
from itertools import islice
from typing import TYPE_CHECKING, Any

from montego.cli.graph import graph_frame, graph_svg
from montego.cli.page_parts import SCRIPT, STYLE
from montego.cli.review_text import line_words, rate_words, rates, verdict
from montego.errors import counted
from montego.games import Position
from montego.games.tools.drawing import stones
from montego.protocols.remarks import Review, called, percent, remark
from montego.protocols.review import mistakes

if TYPE_CHECKING:
    from montego.cli.analyse import Reviewed
    from montego.sgf import GameRecord

_LINE = 8  # moves of a line that are numbered on a board


def page(title: str, games: Sequence[Reviewed]) -> str:
    """Return the whole page as HTML."""
    sections = "\n".join(_section(number, game) for number, game in enumerate(games, 1))
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f"<title>{escape(title)} – Montego</title>\n"
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<style>{STYLE}</style>\n</head>\n<body>\n<h1>{escape(title)}</h1>\n{sections}\n"
        f"<script>{SCRIPT}</script>\n</body>\n</html>\n"
    )


def _section(number: int, game: Reviewed) -> str:
    """Return one game: heading, graph, board to step through, mistakes, and the table of moves."""
    record, reviews = game.record, game.reviews
    names = [f"{side} {name}".strip() for side, name in zip(record.game.players, record.players, strict=True)]
    known = rates(reviews)
    parts = [
        f'<section id="game{number}" class="game">',
        f"<h2>{escape(names[0])} against {escape(names[1])}</h2>",
        f"<p>{escape(str(record.game))}, {counted(len(record.moves), 'move')}, {escape(record.result or 'no result')}. "
        f"Analysed by <code>{escape(str(game.player))}</code> with seed {game.player.seed}. "
        "Shades show 95 % intervals.</p>",
        *([graph_svg(known, record.game.players)] if known else []),
        _viewer(record),
        *_mistakes(record, reviews),
        _table(record, reviews),
        f'<script type="application/json" class="data">{_data(record, reviews)}</script>',
        "</section>",
    ]
    return "\n".join(parts)


def _viewer(record: GameRecord) -> str:
    last = len(record.positions) - 1
    return (
        '<div class="viewer"><div class="board">'
        f"{record.start.svg()}</div><div class='side'>"
        '<p class="controls"><button class="back" aria-label="one move back">◀</button>'
        f'<input type="range" min="0" max="{last}" value="0" aria-label="move">'
        '<button class="on" aria-label="one move on">▶</button> <span class="at">start</span></p>'
        '<p class="remark" aria-live="polite"></p></div></div>'
    )


def _mistakes(record: GameRecord, reviews: Sequence[Review]) -> list[str]:
    """Return each mistake with a board on which the better line is numbered and the played move marked."""
    found = sorted(mistakes(reviews), key=lambda one: one.number)
    if not found:
        return ["<h3>Mistakes</h3><p>No move was significantly worse than another.</p>"]
    parts = ["<h3>Mistakes</h3>", '<div class="mistakes">']
    before = dict(enumerate(record.positions, 1))
    for one in found:
        name = record.game.players[one.to_move]
        played, best = escape(called(record.game, one.played)), escape(called(record.game, one.best))
        parts.append(
            f'<figure>{_advice(before[one.number], one)}<figcaption><a href="#" data-move="{one.number - 1}">Move '
            f"{one.number}</a>: {escape(name)} played {played} (×), which wins "
            f"{percent(one.after_played or 0.0)}; {best} wins {percent(one.after_best or 0.0)}. "
            f"Cost: {100 * (one.loss or 0.0):.0f} ± {196 * (one.error or 0.0):.0f} points. "
            f"Line: {escape(line_words(record, one, _LINE))}</figcaption></figure>"
        )
    return [*parts, "</div>"]


def _advice(position: Position, one: Review) -> str:
    """Draw a position after the better line, its moves numbered, with the played move as ×."""
    game, later = position.game, position.copy()
    labels: dict[str, str] = {}
    for number, move in enumerate(islice(one.line, _LINE), 1):
        later.play(move)
        for point in game.points_of(game.parse_move(move)):
            labels.setdefault(point, str(number))
    for point in game.points_of(game.parse_move(one.played or "")):
        labels.setdefault(point, "×")
    return later.svg(labels=labels)


def _table(record: GameRecord, reviews: Sequence[Review]) -> str:
    head = "".join(f'<th scope="col">{name}</th>' for name in ("move", "player", "played", "wins", "visits", "remark"))
    rows = []
    for one in reviews:
        if one.played is not None:
            cells = (
                record.game.players[one.to_move],
                called(record.game, one.played),
                rate_words(one),
                f"{one.visits:,}",
                verdict(record, one),
            )
            kind = ' class="mistake"' if one.is_mistake else ""
            link = f'<a href="#" data-move="{one.number - 1}">{one.number}</a>'
            rows.append(f"<tr{kind}><td>{link}</td>{''.join(f'<td>{escape(cell)}</td>' for cell in cells)}</tr>")
    body = "\n".join(rows)
    table = f"<table><thead><tr>{head}</tr></thead><tbody>\n{body}</tbody></table>"
    return f"<details><summary>All moves</summary>{table}</details>"


def _data(record: GameRecord, reviews: Sequence[Review]) -> str:
    """Return what the script needs: the elements of all positions, and the remarks."""
    numbers: dict[str, int] = {}
    positions = []
    for position in record.positions:
        positions.append([numbers.setdefault(element, len(numbers)) for element in stones(position)])
    width, left, right = graph_frame()
    data: dict[str, Any] = {
        "elements": list(numbers),
        "positions": positions,
        "moves": [f"{count}. {called(record.game, move)}" for count, move in enumerate(record.moves, 1)],
        "remarks": {one.number - 1: remark(record, one) for one in reviews},
        "graph": {"width": width, "left": left, "right": right},
        "last": max((one.number for one in reviews), default=1),
    }
    return json.dumps(data, separators=(",", ":")).replace("</", "<\\/")
