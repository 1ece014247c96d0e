"""Game records: ``loadsgf`` and ``printsgf``."""

from pathlib import Path

from montego import sgf
from montego.errors import MontegoError
from montego.games import Game, Go, Position
from montego.protocols.gtp.core import Engine, Handler
from montego.protocols.gtp.lines import SYNTAX_ERROR, Failure, no_more, whole
from montego.protocols.gtp.table import Table, facing


def loadsgf(engine: Engine, words: list[str]) -> str:
    """Load the main line of a record, up to the position before a move if its number is given; say who is to move."""
    if not words:
        raise Failure(SYNTAX_ERROR)
    no_more(words, 2)
    last = whole(words[1]) - 1 if len(words) == 2 else None
    if last is not None and last < 0:
        raise Failure(SYNTAX_ERROR)
    try:
        record = sgf.read(Path(words[0]).read_bytes())
        if type(record.game) is not type(engine.table.game):
            raise Failure("cannot load file")
        table = replayed(record, last)
    except (MontegoError, OSError, ValueError, Failure) as problem:
        engine.log(f"cannot load {words[0]}: {problem}")
        raise Failure("cannot load file") from None
    game, rules = table.game, engine.table.game
    if isinstance(game, Go) and isinstance(rules, Go):  # a record may lack them; from here on the engine's hold
        table.set_rules(game._replace(suicide=rules.suicide, superko=rules.superko))
    engine.new_game(table.game)
    engine.table = table
    return "black" if table.position.to_move == 0 else "white"


def replayed(record: sgf.GameRecord, last: int | None) -> Table:
    """Return a table with the main line of a record played on it, not beyond move number ``last``."""
    table = Table(_without_handicap(record.game))
    table.position = _set_up(record.root.position, table.game)
    table.handicap = int(getattr(record.game, "handicap", 0))
    for parent, node in zip(record.main_line(), record.main_line()[1:], strict=False):
        if last is not None and node.number > last:
            break
        if set(node.properties) & {"AB", "AW", "AE", "PL"}:
            table.steps, table.position = [], _set_up(parent.position if node.move else node.position, table.game)
        if node.move:
            turns = record.dialect.takes_turns or not {"B", "W"} & set(node.properties)
            table.play(table.position.to_move if turns else int("W" in node.properties), node.move)
    return table


def _without_handicap(game: Game) -> Game:
    return game._replace(handicap=0) if isinstance(game, Go) else game


def _set_up(position: Position, game: Game) -> Position:
    """Return a position with its stones and turn, but no history, in the same game without handicap."""
    if not position.setup and not position.moves and position.game == game:
        return game.start()
    if position.setup and not position.moves and position.game == game:
        return Position(game, *position.setup)
    names = game.layout().names
    stones = {name: int(owner) for name, owner in zip(names, position.owners(), strict=True) if owner >= 0}
    return Position(game, stones, position.to_move)


def printsgf(engine: Engine, words: list[str]) -> str:
    """Return the game as SGF, or write it to a file if one is named."""
    no_more(words, 1)
    text = record_of(engine.table).dumps()
    if not words:
        return text
    try:
        Path(words[0]).write_text(text, encoding="utf-8")
    except OSError as problem:
        raise Failure(f"cannot write file: {problem.strerror or problem}") from None
    return ""


def record_of(table: Table) -> sgf.GameRecord:
    """Return the game on a table as a record, two moves of one colour in a row too."""
    if len(table.position.moves) == len(table.steps):
        record = sgf.new(table.position)
    else:
        record = sgf.new(table.steps[0].before)
        node = record.root
        for step in table.steps:
            node = record.add(node, table.game.move_name(step.move), facing(step.before, step.player))
    if table.handicap:
        record.root.set_text("HA", str(table.handicap))
    return record


COMMANDS: dict[str, Handler] = {"loadsgf": loadsgf, "printsgf": printsgf}
