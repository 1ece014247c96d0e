"""One process of the sweep: ``child.py GAME PLAYOUTS`` reads specs and answers each with ok or what is wrong.

A crash or a hang is the parent's to see: it knows which spec has no answer.
"""

import math
import sys

import montego as mg
from montego.errors import MontegoError
from montego.search import Limits


def positions(game: "mg.Game") -> list["mg.Position"]:
    """Return the start, a position in the middle, and one near the end of a game played by chance."""
    found = [game.start()]
    player = mg.player("random", game, seed=1)
    while not found[-1].over and len(found) < 400:
        after = found[-1].copy()
        found.append(after.play(player.choose(after)))
    return [found[0], found[len(found) // 2], found[max(0, len(found) - 3)]]


def complaint(spec: str, game: "mg.Game", where: list["mg.Position"], limits: Limits) -> str:
    """Let a player choose in every position; return what is wrong, or nothing. A refusal in one line is fine."""
    try:
        player = mg.player(spec, game, seed=1)
        for position in where:
            if position.over:
                continue
            move = player.choose(position, limits)
            if move not in position.legal_moves():
                return f"illegal move {move}"
            analysis = player.analysis()
            numbers = [entry.value for entry in analysis.moves] + [entry.amaf_value for entry in analysis.moves]
            numbers += list(analysis.ownership.values())
            if any(number is not None and not math.isfinite(number) for number in numbers):
                return "a value that is not a number"
            if any(entry.visits < 0 or entry.amaf_visits < 0 for entry in analysis.moves):
                return "a negative count"
        player.close()
    except MontegoError as problem:
        return "" if "\n" not in str(problem) else "a refusal of more than one line"
    except Exception as problem:
        return f"{type(problem).__name__}: {problem}".replace("\n", " ")[:300]
    return ""


def main() -> None:
    """Answer specs until the input ends."""
    game = mg.game(sys.argv[1])
    limits = Limits(playouts=int(sys.argv[2]), seconds=20.0)
    where = positions(game)
    for line in sys.stdin:
        print(complaint(line.strip(), game, where, limits) or "ok", flush=True)


if __name__ == "__main__":
    main()
