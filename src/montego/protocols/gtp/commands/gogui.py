"""What GoGui asks of an engine beyond the standard: its analysis window, interrupts, and fast replay of games."""

from montego.protocols.gtp import maps
from montego.protocols.gtp.commands.standard import no_arguments
from montego.protocols.gtp.conversation import Conversation, Handler
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


def analyze_commands(conversation: Conversation, words: list[str]) -> str:
    """List the analysis commands as type/label/command."""
    return _ANALYZE


def interrupt(conversation: Conversation, words: list[str]) -> str:
    """Advertise support for ``# interrupt``; does nothing."""
    return ""


def play_sequence(conversation: Conversation, words: list[str]) -> str:
    """Make several moves, all of them or none."""
    if len(words) % 2:
        raise Failure(SYNTAX_ERROR)
    done = 0
    try:
        for player, move in zip(words[::2], words[1::2], strict=True):
            conversation.play(colour(conversation.game, player), move)
            done += 1
    except Failure:
        if done:
            conversation.undo(done)
        raise
    return ""


def undo(conversation: Conversation, words: list[str]) -> str:
    """Take back several moves (GNU Go's ``gg-undo``)."""
    no_more(words, 1)
    conversation.undo(whole(words[0]) if words else 1)
    return ""


# ------------------------------------------------------------------------------------------------------------- analysis


def ownership(conversation: Conversation, words: list[str]) -> str:
    """Return the expected owners as a board of numbers, positive for Black."""
    return "\n" + maps.grid(conversation, {name: f"{v:.2f}" for name, v in maps.ownership(conversation).items()}, "0")


def visit_map(conversation: Conversation, words: list[str]) -> str:
    """Return the visits as a board of colours."""
    found = maps.visits(conversation)
    greatest = max(found.values(), default=0)
    return "\n" + maps.grid(conversation, {name: maps.heat(v, greatest) for name, v in found.items()}, '""')


def visits(conversation: Conversation, words: list[str]) -> str:
    """Return the visits as a board of numbers."""
    return "\n" + maps.grid(conversation, {name: f"{v:g}" for name, v in maps.visits(conversation).items()}, '""')


def values(conversation: Conversation, words: list[str]) -> str:
    """Return the win rates as a board of numbers, positive for Black."""
    return "\n" + maps.grid(conversation, {name: f"{v:.2f}" for name, v in maps.values(conversation).items()}, "0")


def amaf(conversation: Conversation, words: list[str]) -> str:
    """Return the all-moves-as-first rates as a board of numbers, positive for Black."""
    return "\n" + maps.grid(conversation, {name: f"{v:.2f}" for name, v in maps.amaf(conversation).items()}, "0")


def variation(conversation: Conversation, words: list[str]) -> str:
    """Return the principal variation as moves with their colours."""
    return " ".join(f"{player} {move}" for player, move in maps.variation(conversation))


def search(conversation: Conversation, words: list[str]) -> str:
    """Return win rates, visits and the principal variation as GoGui's drawing commands."""
    analysis, best = maps.last_search(conversation), maps.last_search(conversation).best()
    influence = maps.pairs({name: f"{v:.2f}" for name, v in maps.values(conversation).items()})
    labels = maps.pairs({name: f"{v:g}" for name, v in maps.visits(conversation).items()})
    lines = [f"INFLUENCE {influence}" if influence else "", f"LABEL {labels}" if labels else ""]
    rate = "" if best is None or best.value is None else f" {best.value:.1%}"
    text = f"TEXT {analysis.move}{rate}, {analysis.playouts} playouts, {analysis.seconds:.2f} s"
    return "\n" + "\n".join([*filter(None, lines), text])


def plan(conversation: Conversation, words: list[str]) -> str:
    """Return the expected owners and the principal variation as GoGui's drawing commands."""
    moves = variation(conversation, [])
    influence = maps.pairs({name: f"{v:.2f}" for name, v in maps.ownership(conversation).items()})
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
