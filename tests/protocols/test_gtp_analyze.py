"""Analysis lines, taken apart by a strict parser of the grammar that Sabaki and Lizzie read."""

import re

import pytest

from tests.protocols.talk import Talk, parse_replies

PLAYER = "uct(playouts=300, rave=silver, memory=1)"
VERTEX = r"(?:pass|[A-HJ-Z](?:[1-9]|1\d|2[0-5]))"
WHOLE, RATE = r"(?:10000|\d{1,4})", r"[01]\.\d{6}"
LZ = re.compile(
    rf"info move ({VERTEX}) visits (\d+) winrate ({WHOLE}) prior ({WHOLE}) lcb ({WHOLE}) "
    rf"order (\d+) pv ({VERTEX}(?: {VERTEX})*)"
)
SCORES = r"scoreMean -?\d+\.\d+ scoreStdev \d+\.\d+ scoreLead (-?\d+\.\d+) scoreSelfplay -?\d+\.\d+ "
KATA = re.compile(
    rf"info move ({VERTEX}) visits (\d+) utility -?{RATE} winrate ({RATE}) (?:{SCORES})?"
    rf"prior ({RATE}) lcb ({RATE}) utilityLcb -?{RATE} order (\d+) pv ({VERTEX}(?: {VERTEX})*)"
)
NUMBER = r"-?[01]\.\d{4}"


def infos(line, grammar):
    """Take a line apart into the infos of its moves; nothing may be left over."""
    found, at = [], 0
    while at < len(line):
        match = grammar.match(line, at)
        assert match, line[at : at + 120]
        found.append(match.groups())
        at = match.end() + 1
        assert at > len(line) or line[at - 1] == " "
    return found


def reports(talk, command):
    """Return the lines of an analysis that is ended by the next input at once."""
    first, *lines = parse_replies(talk.raw(f"{command}\n"))[0].text.split("\n")
    assert first == ""
    return lines


def test_leela_zero_lines():
    lines = reports(Talk(player=PLAYER), "7 lz-analyze b 10")
    found = infos(lines[-1], LZ)
    assert [int(info[5]) for info in found] == list(range(len(found)))
    visits = [int(info[1]) for info in found]
    assert visits[1:] == sorted(visits[1:], reverse=True)
    for move, _, rate, prior, bound, _, line in found:
        assert line.split()[0] == move
        assert int(bound) <= int(rate)
        assert int(prior) == round(10000 / 26)


def test_katago_lines():
    for colour, mirrored in (("b", 1), ("w", -1)):
        talk = Talk(player=PLAYER)
        for line in ("play b C3", "play b C4", "play b B2", "play b D2"):
            talk.ok(line)
        line = reports(talk, f"kata-analyze {colour} 10 ownership true")[-1]
        line, _, owners = line.partition(" ownership ")
        found = infos(line, KATA)
        assert all(0 <= float(info[4]) <= 1 for info in found)
        assert float(found[0][3]) * mirrored > 0  # Black leads by points
        values = owners.split(" ")
        assert all(re.fullmatch(NUMBER, value) for value in values)
        assert len(values) == 25
        assert sum(map(float, values)) * mirrored > 0  # from the perspective of the player to move


def test_options():
    talk = Talk(player=PLAYER)
    assert len(infos(reports(talk, "lz-analyze b interval 10 minmoves 20")[-1], LZ)) >= 20
    assert len(infos(reports(talk, "lz-analyze 10 maxmoves 2")[-1], LZ)) == 2
    found = infos(reports(talk, "lz-analyze b 10 minmoves 30 avoid b C3,C4 5 avoid w A1 5")[-1], LZ)
    assert not {"C3", "C4"} & {info[0] for info in found}
    assert "A1" in {info[0] for info in found}
    assert [i[0] for i in infos(reports(talk, "lz-analyze b 10 minmoves 9 allow b c3,pass 5")[-1], LZ)] in (
        ["C3", "pass"],
        ["pass", "C3"],
    )
    assert reports(talk, "lz-analyze b 0") == []
    assert "rootInfo visits" in reports(talk, "kata-analyze b 10 rootInfo true pvVisits true")[-1]


def test_a_game_that_goes_on_and_one_that_is_over():
    talk = Talk(player=PLAYER)
    talk.ok("play b pass")
    talk.ok("play w pass")
    assert infos(reports(talk, "lz-analyze b 10")[-1], LZ)
    tictactoe = Talk("tictactoe")
    for line in ("play b a1", "play w a2", "play b b1", "play w b2", "play b c1"):
        tictactoe.ok(line)
    assert tictactoe.fails("lz-analyze w 10") == "game is over"


@pytest.mark.parametrize("command", ["genmove_analyze", "lz-genmove_analyze", "kata-genmove_analyze"])
def test_moves_with_reports(command):
    talk = Talk(player=PLAYER)
    *lines, last = reports(talk, f"{command} b 1")
    for line in lines:
        assert infos(line, KATA if command.startswith("kata") else LZ)
    move = re.fullmatch(rf"play ({VERTEX})", last)[1]
    assert talk.session.history == [move]
    assert infos(lines[-1], KATA if command.startswith("kata") else LZ)[0][0] == move


def test_only_moves_that_are_allowed_are_made():
    talk = Talk(player=PLAYER)
    assert reports(talk, "genmove_analyze b 1 allow b A1 1")[-1] == "play A1"


def test_players_without_statistics_have_nothing_to_report():
    assert reports(Talk(player="random"), "lz-analyze b 10") == []
    assert reports(Talk(player="random"), "genmove_analyze b 10")[-1].startswith("play ")


def test_hex_moves_are_written_as_hex_has_them():
    line = reports(Talk("hex(size=4)", PLAYER), "lz-analyze b 10")[-1]
    assert re.match(r"info move [a-d][1-4] visits \d+ winrate \d+ prior 625 ", line)
