"""What GoGui asks of an engine beyond the standard: its analysis window, interrupts, and fast replay of games."""

from montego.protocols.gtp import maps
from montego.protocols.gtp.commands.standard import no_arguments
from montego.protocols.gtp.core import Engine, Handler
from montego.protocols.gtp.lines import SYNTAX_ERROR, Failure, colour, no_more, whole

_ANALYZE = """\
dboard/Ownership/montego-ownership
cboard/Visits of the last search (colours)/montego-visit_map
sboard/Visits of the last search (numbers)/montego-visits
dboard/Win rates of the last search/montego-values
dboard/AMAF of the last search/montego-amaf
var/Principal variation of the last search/montego-variation
gfx/Last search/montego-search
gfx/Ownership and principal variation/montego-plan
plist/Legal moves/all_legal %c
string/Final score/final_score
plist/Dead stones/final_status_list dead
plist/Stones in seki/final_status_list seki"""


def analyze_commands(engine: Engine, words: list[str]) -> str:
    """List the analysis commands as type/label/command."""
    return _ANALYZE


def interrupt(engine: Engine, words: list[str]) -> str:
    """Say by being known that ``# interrupt`` cuts a command short."""
    return ""


def play_sequence(engine: Engine, words: list[str]) -> str:
    """Make several moves, all of them or none."""
    if len(words) % 2:
        raise Failure(SYNTAX_ERROR)
    done = 0
    try:
        for player, move in zip(words[::2], words[1::2], strict=True):
            engine.table.play(colour(engine.table.game, player), move)
            done += 1
    except Failure:
        if done:
            engine.table.undo(done)
        raise
    return ""


def undo(engine: Engine, words: list[str]) -> str:
    """Take back several moves (GNU Go's ``gg-undo``)."""
    no_more(words, 1)
    engine.undo(whole(words[0]) if words else 1)
    return ""


# ------------------------------------------------------------------------------------------------------------- analysis


def ownership(engine: Engine, words: list[str]) -> str:
    """Return the expected owners as a board of numbers, positive for Black."""
    return "\n" + maps.grid(engine, {name: f"{v:.2f}" for name, v in maps.ownership(engine).items()}, "0")


def visit_map(engine: Engine, words: list[str]) -> str:
    """Return the visits as a board of colours."""
    found = maps.visits(engine)
    greatest = max(found.values(), default=0)
    return "\n" + maps.grid(engine, {name: maps.heat(v, greatest) for name, v in found.items()}, '""')


def visits(engine: Engine, words: list[str]) -> str:
    """Return the visits as a board of numbers."""
    return "\n" + maps.grid(engine, {name: f"{v:g}" for name, v in maps.visits(engine).items()}, '""')


def values(engine: Engine, words: list[str]) -> str:
    """Return the win rates as a board of numbers, positive for Black."""
    return "\n" + maps.grid(engine, {name: f"{v:.2f}" for name, v in maps.values(engine).items()}, "0")


def amaf(engine: Engine, words: list[str]) -> str:
    """Return the all-moves-as-first rates as a board of numbers, positive for Black."""
    return "\n" + maps.grid(engine, {name: f"{v:.2f}" for name, v in maps.amaf(engine).items()}, "0")


def variation(engine: Engine, words: list[str]) -> str:
    """Return the principal variation as moves with their colours."""
    return " ".join(f"{player} {move}" for player, move in maps.variation(engine))


def search(engine: Engine, words: list[str]) -> str:
    """Return win rates, visits and the principal variation as GoGui's drawing commands."""
    analysis, best = maps.last_search(engine), maps.last_search(engine).best()
    influence = maps.pairs({name: f"{v:.2f}" for name, v in maps.values(engine).items()})
    labels = maps.pairs({name: f"{v:g}" for name, v in maps.visits(engine).items()})
    lines = [f"INFLUENCE {influence}" if influence else "", f"LABEL {labels}" if labels else ""]
    rate = "" if best is None or best.value is None else f" {best.value:.1%}"
    text = f"TEXT {analysis.move}{rate}, {analysis.playouts} playouts, {analysis.seconds:.2f} s"
    return "\n" + "\n".join([*filter(None, lines), text])


def plan(engine: Engine, words: list[str]) -> str:
    """Return the expected owners and the principal variation as GoGui's drawing commands."""
    moves = variation(engine, [])
    influence = maps.pairs({name: f"{v:.2f}" for name, v in maps.ownership(engine).items()})
    return "\n" + "\n".join(filter(None, [f"INFLUENCE {influence}", f"VAR {moves}" if moves else ""]))


COMMANDS: dict[str, Handler] = {
    "gogui-analyze_commands": no_arguments(analyze_commands),
    "gogui-interrupt": no_arguments(interrupt),
    "gogui-play_sequence": play_sequence,
    "gg-undo": undo,
    "montego-ownership": no_arguments(ownership),
    "montego-visit_map": no_arguments(visit_map),
    "montego-visits": no_arguments(visits),
    "montego-values": no_arguments(values),
    "montego-amaf": no_arguments(amaf),
    "montego-variation": no_arguments(variation),
    "montego-search": no_arguments(search),
    "montego-plan": no_arguments(plan),
}
