"""What a person may type during a game in the terminal, beside moves: one function per command."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from montego import sgf
from montego.cli.graph import Rate, graph_text
from montego.cli.pieces import pieces_text
from montego.cli.progress import meter
from montego.cli.records import read_position
from montego.cli.review_text import show_review
from montego.cli.thinking import StopOnInterrupt, thinking, try_out, usual_settings
from montego.errors import IllegalMove, MontegoError, nearest
from montego.games import GAMES, Game, game as build_game
from montego.outside import write_file
from montego.players import PLAYERS, Player, default_settings
from montego.protocols.review import review
from montego.sessions.judge import chain_status, final_score
from montego.spec import parameters, text

if TYPE_CHECKING:
    from montego.cli.terminal import TerminalGame

_LISTED = 60  # more moves than this are counted, not listed
_ANALYSIS_SECONDS = 30.0
LEVELS = {"beginner": 100, "easy": 500, "medium": 2000, "hard": 10_000, "hardest": 50_000}  # playouts per move
FILE_COMMANDS = ("save", "load")


class Quit(Exception):
    """The person wants to leave."""


def complete(table: TerminalGame, typed: str) -> Iterator[str]:
    """Return what a line that starts with a text may become: commands and their arguments, and legal moves."""
    word, space, _ = typed.partition(" ")
    arguments = {"level": list(LEVELS), "new": GAMES.names(), "help": list(COMMANDS)}
    if space and word.lower() in arguments:
        yield from (f"{word} {argument}" for argument in arguments[word.lower()])
        return
    yield from COMMANDS
    position = table.session.position
    for number in position.legal_numbers() if not table.session.over else ():
        yield position.game.describe_move(int(number))


# ------------------------------------------------------------------------------------------------------------ the board


def _moves(table: TerminalGame, rest: str) -> None:
    position = table.session.position
    game, wanted = position.game, rest.lower()
    found = []
    for number in position.legal_numbers():
        name, words = game.move_name(int(number)), game.describe_move(int(number))
        if name.lower().startswith(wanted) or words.lower().startswith(wanted):
            found.append(words)
    if not found:
        table.say(f"no legal move starts with '{rest}'")
        return
    gap = ", " if any(" " in words for words in found) else " "
    shown = textwrap.fill(gap.join(found[:_LISTED]), table.console.width - 1, break_on_hyphens=False)
    more = len(found) - _LISTED
    table.say(shown + (f"\n… and {more} more; moves TEXT lists those that start with TEXT" if more > 0 else ""))


def _pieces(table: TerminalGame, rest: str) -> None:
    position = table.session.position
    pieces = position.game.tray(position)
    if not pieces:
        raise MontegoError(f"there are no pieces in hand in {position.game}")
    table.say(pieces_text(pieces[table.side], table.console.width - 1))
    table.say("A move is a piece, the leftmost square of its top row, and how it is turned: T5 e10 90 flip")


def _show(table: TerminalGame, rest: str) -> None:
    table.show()


def _score(table: TerminalGame, rest: str) -> None:
    position = table.session.position
    game = position.game
    if game.ends_by_passing:
        dead = [name for chain in chain_status(position)["dead"] for name in chain]
        table.say(f"dead stones: {' '.join(dead) or 'none'}")
        table.say(f"{game.result(final_score(position))} if the game ended now, by the computer's judgement")
    elif position.over or game.max_score() > 1:
        table.say(f"{game.result(position.score())}{'' if position.over else ' as the board stands'}")
    else:
        table.say("there are no points in this game before it ends; hint and graph tell what the computer expects")


# -------------------------------------------------------------------------------------------------------- the computer


def _hint(table: TerminalGame, rest: str) -> None:
    if table.session.over:
        raise MontegoError("the game is over; undo a move to get a hint")
    mind = table.mind
    manners = replace(mind.manners, resign_below=0.0)
    with thinking() as limits:
        decision = mind.choose(table.session, limits=limits, manners=manners)
    table.note(decision)
    if decision.move is None:
        table.say(f"{text(mind.settings)} would resign")
    else:
        table.say(f"{text(mind.settings)} would play {table.called(decision.move)}{table.belief(decision.move)}")


def _pv(table: TerminalGame, rest: str) -> None:
    last, searched = table.mind.last, table.mind.searched
    if last is None or searched is None or not last.principal_variation:
        raise MontegoError("the computer has not searched yet; hint makes it")
    best = last.best()
    value = (
        ""
        if best is None or best.value is None
        else f", {best.value:.0%} for {searched.game.players[searched.to_move]}"
    )
    table.say(f"from move {len(searched.moves) + 1}: {' '.join(last.principal_variation)}{value}")


def _level(table: TerminalGame, rest: str) -> None:
    mind = table.mind
    if rest:
        strength = _strength(rest)
        settings = _player_named(rest) if strength is None else _with_strength(mind.settings, strength)
        try_out(mind, settings, table.session.game)
        table.named = table.named or strength is None
    table.say(f"you play against {text(mind.settings)}")
    if not rest:
        table.say(
            f"level NAME changes it: {', '.join(LEVELS)}; or a number of playouts, seconds such as 5s, or a player"
        )


def _strength(wanted: str) -> dict[str, Any] | None:
    """Return the playouts and seconds of a level that is a name, a number of playouts or a time; None of a player."""
    if seconds := re.fullmatch(r"(\d+(?:\.\d+)?)\s*s", wanted):
        return {"playouts": 0, "seconds": float(seconds[1])}
    playouts = LEVELS.get(wanted.lower(), int(wanted) if wanted.isdecimal() else None)
    return None if playouts is None else {"playouts": playouts, "seconds": 0.0}


def _with_strength(settings: Any, strength: dict[str, Any]) -> Any:
    """Return the same player with other playouts and seconds."""
    kind: type = type(settings)
    if not strength.keys() <= parameters(kind).keys():
        raise MontegoError(f"{text(settings)} has no playouts to change; name another player, such as level uct")
    return kind(**settings._asdict() | strength)


def _player_named(wanted: str) -> Any:
    """Return the settings of another player."""
    if wanted.partition("(")[0].strip() not in PLAYERS.names():
        raise MontegoError(f"no level '{wanted}'{nearest(wanted, [*LEVELS, *PLAYERS.names()])}")
    return PLAYERS.build(wanted)


def _switch(table: TerminalGame, rest: str) -> None:
    table.side = 1 - table.side
    table.say(f"you are {table.session.game.players[table.side]} now")


# ------------------------------------------------------------------------------------------------------------- the game


def _undo(table: TerminalGame, rest: str) -> None:
    session = table.session
    if session.resigned is not None:
        session.resigned = None
    else:
        own = [number for number, step in enumerate(session.steps) if step.player == table.side]
        if not own:
            raise IllegalMove("nothing to undo: you have not moved yet")
        session.undo(len(session.steps) - own[-1])
    table.begin_again()
    table.show()


def _resign(table: TerminalGame, rest: str) -> None:
    if table.session.over:
        raise MontegoError(f"the game is over ({table.session.result})")
    table.session.resigned = table.side


def _new(table: TerminalGame, rest: str) -> None:
    game = build_game(rest) if rest else table.session.game
    _prepare(table, game)
    table.session.restart(game)
    table.begin_again()
    if rest:
        table.say(f"{game}: you are {game.players[table.side]}.")
        table.introduce()
    table.show()


def _prepare(table: TerminalGame, game: Game) -> None:
    """Make sure that the computer can play a game, before it replaces the one on the board."""
    mind = table.mind
    strength = {name: getattr(mind.settings, name) for name in ("playouts", "seconds")} if not table.named else {}
    settings = mind.settings if table.named or game == table.session.game else usual_settings(game, **strength)
    try_out(mind, settings, game)


def _save(table: TerminalGame, rest: str) -> None:
    if not rest:
        raise MontegoError("save needs the name of a file, as in: save game.sgf")
    file = _file(rest)
    if file.is_file() and not _is_record(file):
        raise MontegoError(f"{file} exists and is not a game record; take a new name, such as {file.stem}-game.sgf")
    content = table.session.position.dumps() + "\n" if file.suffix == ".json" else _record(table).dumps()
    write_file(file, content)
    table.say(f"saved to {file}")


def _is_record(file: Path) -> bool:
    try:
        read_position(file)
    except MontegoError:
        return False
    return True


def _load(table: TerminalGame, rest: str) -> None:
    if not rest:
        raise MontegoError("load needs the name of a file, as in: load game.sgf")
    position = read_position(_file(rest))
    _prepare(table, position.game)
    table.session.load(position)
    table.begin_again()
    table.show()


def _file(name: str) -> Path:
    """Return the file that a person means: SGF unless the name says otherwise."""
    file = Path(name).expanduser()
    return file if file.suffix else file.with_suffix(".sgf")


def _record(table: TerminalGame) -> sgf.GameRecord:
    """Return the game as a record with the names of both sides."""
    names = ["", ""]
    names[table.side], names[1 - table.side] = "you", f"Montego {text(table.mind.settings)}"
    resigned = table.session.resigned
    result = None if resigned is None else f"{'BW'[1 - resigned]}+R"
    return sgf.new(table.session.position, (names[0], names[1]), result)


# ------------------------------------------------------------------------------------------------------------- opinions


def _graph(table: TerminalGame, rest: str) -> None:
    rates = [Rate(number, value) for number, value in sorted(table.values.items())]
    if not rates:
        raise MontegoError("the computer has not thought about this game yet; play a move, or ask for a hint")
    table.console.print(graph_text(rates, table.session.game.players, table.console.width - 1))


def _review(table: TerminalGame, rest: str) -> None:
    session = table.session
    if not session.steps:
        raise MontegoError("there is nothing to review: no move has been made")
    for number, step in enumerate(session.steps, 1):
        value = table.values.get(number)
        known = "" if value is None else f"   {session.game.players[0]} wins {value:.0%}"
        table.say(f"{number:>3}. {session.game.players[step.player]:<7} {table.called(step.move)}{known}")
    table.say(f"{session.result}; analyse lets the computer look at every move again")


def _analyse(table: TerminalGame, rest: str) -> None:
    position = table.session.position
    if not position.moves:
        raise MontegoError("there is nothing to analyse: no move has been made")
    record = _record(table)
    player = Player(default_settings(position.game), position.game, table.mind.seed)
    try:
        with meter() as show, StopOnInterrupt() as interrupt:

            def step(done: int, total: int) -> None:
                if interrupt.pressed:
                    raise MontegoError("the analysis was stopped")
                show("analysing (Ctrl-C: stop)", done / total)

            found = review(record, player, _ANALYSIS_SECONDS, step, interrupt.watch)
    finally:
        player.close()
    show_review(table.console, record, found)


def _help(table: TerminalGame, rest: str) -> None:
    table.say(HELP)


def _quit(table: TerminalGame, rest: str) -> None:
    raise Quit


@dataclass(frozen=True)
class Command:
    """How a command is typed, what it does, and the function that does it with the rest of the line."""

    usage: str
    meaning: str
    run: Callable[[TerminalGame, str], None]


_COMMANDS = (
    Command("moves [TEXT]", "list the legal moves, or only those that start with TEXT", _moves),
    Command("pieces", "draw the pieces that you have left", _pieces),
    Command("show", "draw the board again", _show),
    Command("score", "count the points, dead stones taken off", _score),
    Command("hint", "ask the computer what it would play", _hint),
    Command("pv", "show how the computer expects play to go on", _pv),
    Command("level [NAME]", "show or change the computer's strength", _level),
    Command("switch", "change sides with the computer", _switch),
    Command("undo", "take back your last move and the answer to it", _undo),
    Command("resign", "give up", _resign),
    Command("new [GAME]", "start a new game, of another kind if one is named", _new),
    Command("save FILE", "write the game to an SGF file", _save),
    Command("load FILE", "go on with a game from an SGF file", _load),
    Command("graph", "draw the win rate over the game", _graph),
    Command("review", "list the moves with what the computer expected", _review),
    Command("analyse", "let the computer look for mistakes in the game", _analyse),
    Command("help", "show this list", _help),
    Command("quit", "leave", _quit),
)
COMMANDS = {command.usage.partition(" ")[0]: command for command in _COMMANDS}
COMMANDS |= {"?": COMMANDS["help"], "exit": COMMANDS["quit"], "analyze": COMMANDS["analyse"]}
HELP = "\n".join(
    [
        "  a move        play it, as it is written on the board",
        *(f"  {command.usage:<13} {command.meaning}" for command in _COMMANDS),
        "  Ctrl-C        while the computer thinks: make it move at once; twice at the prompt: leave",
        "  Tab completes, the arrow keys edit and recall lines.",
    ]
)
