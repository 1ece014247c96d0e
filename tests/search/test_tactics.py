"""Tactical Go: capture, escape, ladder, snapback, life and death, seki, each solved within a stated number of playouts.

The boards are in ``tactics.txt``. Every player must solve a board with every one of three seeds.
"""

from pathlib import Path

import pytest

import montego as mg

PLAYERS = {
    "plain": "uct(playouts={playouts}, c=0.5)",
    "rave": "uct(playouts={playouts}, c=0.2, rave=silver)",
}


def boards():
    """Yield (name, game, side, answers, playouts, drawing) of every board in the file."""
    text = (Path(__file__).parent / "tactics.txt").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    for block in "\n".join(lines).strip().split("\n\n"):
        heading, _, drawing = block.partition("\n")
        name, game, side, answers, playouts = (part.strip() for part in heading.split(";"))
        yield pytest.param(game, side, answers.split(), int(playouts), drawing, id=name)


@pytest.mark.parametrize("player", list(PLAYERS))
@pytest.mark.parametrize(("game", "side", "answers", "playouts", "drawing"), list(boards()))
def test_the_right_move_is_found(game, side, answers, playouts, drawing, player):
    game = mg.game(game)
    position = mg.Position.from_text(game, drawing, ("black", "white").index(side))
    for seed in range(3):
        solver = mg.player(PLAYERS[player].format(playouts=playouts), game, seed=seed)
        assert solver.choose(position) in answers, [
            (entry.move, entry.visits, entry.value) for entry in solver.analysis().moves if entry.visits > 20
        ]
