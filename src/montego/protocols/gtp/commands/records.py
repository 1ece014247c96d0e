"""Game records: ``loadsgf`` and ``printsgf``."""

from montego import sgf
from montego.errors import MontegoError
from montego.games import Game, Position
from montego.outside import read_file, write_file
from montego.protocols.gtp.conversation import Conversation, Handler
from montego.protocols.gtp.lines import SYNTAX_ERROR, Failure, no_more, whole
from montego.sessions import Session

_ENGINE_RULES = ("suicide", "superko")  # a record may lack them; the engine's hold


def loadsgf(conversation: Conversation, words: list[str]) -> str:
    """Load the main line of a record, up to the position before a move if its number is given; say who is to move."""
    if not words:
        raise Failure(SYNTAX_ERROR)
    no_more(words, 2)
    last = whole(words[1]) - 1 if len(words) == 2 else None
    if last is not None and last < 0:
        raise Failure(SYNTAX_ERROR)
    try:
        record = sgf.read(read_file(words[0]))
        if type(record.game) is not type(conversation.game):
            raise Failure("cannot load file")
        session = replayed(record, last)
    except (MontegoError, OSError, ValueError, Failure) as problem:
        conversation.log(f"cannot load {words[0]}: {problem}")
        raise Failure("cannot load file") from None
    rules = {name: getattr(conversation.game, name) for name in _ENGINE_RULES if session.game.has_rule(name)}
    session.set_rules(session.game.with_rules(**rules))
    session.clock.set(conversation.session.clock.control)
    conversation.session = session
    conversation.mind.warm(session.game)
    return "black" if session.position.to_move == 0 else "white"


def replayed(record: sgf.GameRecord, last: int | None) -> Session:
    """Return a session with the main line of a record, not beyond move number ``last``."""
    handicap = len(record.game.handicap_stones())
    game = record.game.with_rules(handicap=0) if handicap else record.game
    session = Session(game)
    session.set_up(_set_up(record.root.position, game))
    for parent, node in zip(record.main_line(), record.main_line()[1:], strict=False):
        if last is not None and node.number > last:
            break
        if set(node.properties) & {"AB", "AW", "AE", "PL"}:
            session.set_up(_set_up(parent.position if node.move else node.position, game))
        if node.move:
            turns = record.dialect.takes_turns or not {"B", "W"} & set(node.properties)
            session.play(session.position.to_move if turns else int("W" in node.properties), node.move)
    session.handicap = handicap
    return session


def _set_up(position: Position, game: Game) -> Position:
    """Return a position with its stones and turn, but no history, in the same game without handicap."""
    if not position.moves and position.game == game:
        return Position(game, *(position.setup or (None, 0)))
    return Position(game, position.stones(), position.to_move)


def printsgf(conversation: Conversation, words: list[str]) -> str:
    """Return the game as SGF, or write it to a file if one is named."""
    no_more(words, 1)
    text = record_of(conversation.session).dumps()
    if not words:
        return text
    try:
        write_file(words[0], text)
    except MontegoError as problem:
        conversation.log(str(problem))
        raise Failure("cannot write file") from None
    return ""


def record_of(session: Session) -> sgf.GameRecord:
    """Return a session's game as a record, with two moves of one colour in a row where they were made."""
    if len(session.position.moves) == len(session.steps):
        record = sgf.new(session.position)
    else:
        record = sgf.new(session.steps[0].before)
        node = record.root
        for step in session.steps:
            node = record.add(node, session.game.move_name(step.move), step.before.facing(step.player))
    if session.handicap:
        record.root.set_text("HA", str(session.handicap))
    return record


COMMANDS: dict[str, Handler] = {"loadsgf": loadsgf, "printsgf": printsgf}
