"""What the KGS server's bridge (kgsGtp) asks of an engine beyond the standard."""

from dataclasses import replace

from montego.protocols.gtp.commands.standard import no_arguments
from montego.protocols.gtp.conversation import Conversation, Handler
from montego.protocols.gtp.lines import SYNTAX_ERROR, Failure, colour, number, one, whole
from montego.sessions import Kind, TimeControl

_SUICIDE = {"chinese": False, "aga": False, "new_zealand": True}  # by rules that count area


def genmove_cleanup(conversation: Conversation, words: list[str]) -> str:
    """Choose a move of a colour that captures the opponent's dead stones before it passes."""
    manners = replace(conversation.mind.manners, captures_dead=True)
    return conversation.genmove(colour(conversation.game, one(words)), manners=manners)


def rules(conversation: Conversation, words: list[str]) -> str:
    """Set the rules; those that count territory are refused."""
    name = one(words).lower()
    if name not in _SUICIDE:
        raise Failure(f"unsupported rules: expected one of {', '.join(_SUICIDE)}")
    conversation.set_rules("unsupported rules", suicide=_SUICIDE[name], superko=True)
    return ""


def time_settings(conversation: Conversation, words: list[str]) -> str:
    """Set the clocks: none; absolute MAIN; byoyomi MAIN TIME PERIODS; canadian MAIN TIME STONES."""
    kinds = {kind.value: kind for kind in Kind}
    if not words or words[0].lower() not in kinds:
        raise Failure(SYNTAX_ERROR)
    kind = kinds[words[0].lower()]
    expected = {Kind.NONE: 0, Kind.ABSOLUTE: 1}.get(kind, 3)
    if len(words) - 1 != expected:
        raise Failure(SYNTAX_ERROR)
    main = number(words[1]) if expected else 0.0
    period, count = (number(words[2]), whole(words[3])) if expected == 3 else (0.0, 0)
    if main < 0 or period < 0 or count < 0 or (expected == 3 and (period == 0 or count == 0)):
        raise Failure(SYNTAX_ERROR)
    conversation.session.clock.set(TimeControl(kind, main, period, count))
    return ""


def game_over(conversation: Conversation, words: list[str]) -> str:
    """Take note that the server's game has ended; there is nothing to do."""
    return ""


COMMANDS: dict[str, Handler] = {
    "kgs-genmove_cleanup": genmove_cleanup,
    "kgs-rules": rules,
    "kgs-time_settings": time_settings,
    "kgs-game_over": no_arguments(game_over),
}
