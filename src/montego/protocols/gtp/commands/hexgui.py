"""Hex and Y in the Hex Text Protocol, as HexGui speaks it: GTP with points such as a1, ``swap-pieces`` and ``B+``."""

from montego.protocols.gtp import maps
from montego.protocols.gtp.commands.gogui import interrupt, play_sequence, undo
from montego.protocols.gtp.commands.standard import no_arguments
from montego.protocols.gtp.conversation import Conversation, Handler
from montego.protocols.gtp.lines import Failure

_ANALYZE = """\
pspairs/Ownership/montego-ownership
pspairs/Visits of the last search/montego-visits
pspairs/Win rates of the last search/montego-values
pspairs/AMAF of the last search/montego-amaf
var/Principal variation of the last search/montego-variation
plist/Legal moves/all_legal %c
string/Final score/final_score"""


def analyze_commands(conversation: Conversation, words: list[str]) -> str:
    """List the analysis commands as type/label/command."""
    return _ANALYZE


def final_score(conversation: Conversation, words: list[str]) -> str:
    """Say who has won: ``B+`` (Red in Hex, connecting top and bottom) or ``W+``."""
    winner = conversation.position.winner
    if winner is None:
        raise Failure("cannot score")
    return "B+" if winner == 0 else "W+"


def ownership(conversation: Conversation, words: list[str]) -> str:
    """Return who is expected to hold each point, as points and hundredths, positive for Black."""
    return maps.pairs({name: f"{100 * v:.0f}" for name, v in maps.ownership(conversation).items()})


def visits(conversation: Conversation, words: list[str]) -> str:
    """Return the visits of each move."""
    return maps.pairs({name: f"{v:g}" for name, v in maps.visits(conversation).items()})


def values(conversation: Conversation, words: list[str]) -> str:
    """Return the win rate of each move, as hundredths between -100 and 100, positive for Black."""
    return maps.pairs({name: f"{100 * v:.0f}" for name, v in maps.values(conversation).items()})


def amaf(conversation: Conversation, words: list[str]) -> str:
    """Return the all-moves-as-first rate of each move in the same way."""
    return maps.pairs({name: f"{100 * v:.0f}" for name, v in maps.amaf(conversation).items()})


def variation(conversation: Conversation, words: list[str]) -> str:
    """Return the principal variation."""
    return " ".join(move for _, move in maps.variation(conversation))


COMMANDS: dict[str, Handler] = {
    "hexgui-analyze_commands": no_arguments(analyze_commands),
    "final_score": no_arguments(final_score),
    "gogui-interrupt": no_arguments(interrupt),
    "gogui-play_sequence": play_sequence,
    "gg-undo": undo,
    "montego-ownership": no_arguments(ownership),
    "montego-visits": no_arguments(visits),
    "montego-values": no_arguments(values),
    "montego-amaf": no_arguments(amaf),
    "montego-variation": no_arguments(variation),
}
