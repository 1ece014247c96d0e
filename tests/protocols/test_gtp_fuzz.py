"""Random lines, sensible and not: never a crash, never anything on the way out that is no reply."""

import random

import pytest

from tests.protocols.talk import Talk, parse_replies

LINES = 20_000
GAMES = {
    "go(size=5)": ("uct(playouts=10, memory=1)", ["b", "w", "black", "White", "x", ""]),
    "hex(size=4, swap=true)": ("random", ["b", "w", "black", "white", "red", "blue", "green"]),
    "tictactoe": ("random", ["b", "w", "X", "O"]),
}
WORDS = ["pass", "resign", "true", "false", "interval", "minmoves", "maxmoves", "avoid", "allow", "ownership",
         "rootInfo", "dead", "alive", "seki", "#", "# interrupt", "\t", "\r", "\x00", "é", "A1,B2", "swap-pieces",
         "chinese", "none", "absolute", "byoyomi", "canadian", "-1", "0", "1", "2", "3", "4", "5", "7", "26", "1e5",
         "nan", "999999999999", "0.5", "-0.5", "/dev/null", "..", "=", "?"]  # fmt: skip
COLUMNS = "ABCDEFGHIJabcd"


def random_line(chance, commands, colours):
    number = chance.choice(["", "", "", f"{chance.randrange(10**6)} ", "-3 ", "99999999999999999999 "])
    kind = chance.random()
    if kind < 0.4:
        line = f"play {chance.choice(colours)} {chance.choice(COLUMNS)}{chance.randrange(7)}"
    elif kind < 0.5:
        line = f"genmove {chance.choice(colours)}"
    elif kind < 0.9:
        words = [chance.choice([*WORDS, *colours, f"{chance.choice(COLUMNS)}{chance.randrange(7)}"]) for _ in range(5)]
        line = " ".join([chance.choice(commands), *words[: chance.randrange(6)]])
    else:
        line = "".join(chr(chance.choice([*range(128), 0xE9, 0x4E00])) for _ in range(chance.randrange(40)))
    return number + line.replace("\n", " ") + chance.choice(["", "", "", "\r", " # x"])


@pytest.mark.parametrize("game", GAMES)
def test_random_lines(game, monkeypatch, tmp_path):
    """Send 20,000 lines to Go and 5,000 to others, seeded. Scores are judged by few playouts."""
    from montego.sessions import judge

    monkeypatch.setattr(judge, "_PLAYOUTS", 4)
    monkeypatch.setattr(judge, "_FINAL_PLAYOUTS", 4)
    monkeypatch.setattr(judge, "_UNDECIDED", 0.0)
    monkeypatch.chdir(tmp_path)  # printsgf may be told to write to any name
    player, colours = GAMES[game]
    talk, chance = Talk(game, player), random.Random(f"fuzz {game}")
    known = [name for name in talk.ok("list_commands").split("\n") if name not in ("quit", "printsgf")]
    count = LINES if game.startswith("go") else LINES // 4
    replies = 0
    while count > 0:
        lines = [random_line(chance, known, colours) for _ in range(min(500, count))]
        output = talk.raw("\n".join(lines))
        replies += len(parse_replies(output))
        assert "Traceback" not in output
        assert "internal error" not in output, talk.logged[-1]
        assert not any("Traceback" in line for line in talk.logged)
        talk.conversation.done = False
        talk.raw("boardsize 5" if game.startswith("go") else "clear_board")
        count -= 500
    assert replies > LINES // 8
