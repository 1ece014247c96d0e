"""Tactical Go: capture, escape, ladder, snapback, life and death, seki, each solved within a stated number of playouts.

The boards are in ``tactics.txt``, those with many other moves in ``open_tactics.txt``. Every player must solve a board
with every one of three seeds.
"""

from pathlib import Path

import pytest

import montego as mg
from montego.players import Player, default_settings

SHARE = 5  # a trained player needs at most this part of the playouts that uniform ones need
PLAYERS = {
    "plain": "uct(playouts={playouts}, c=0.5)",
    "rave": "uct(playouts={playouts}, c=0.2, rave=silver)",
}


def boards(file):
    """Yield (name, game, side, answers, playouts, drawing) of every board in a file."""
    text = (Path(__file__).parent / file).read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    for block in "\n".join(lines).strip().split("\n\n"):
        heading, _, drawing = block.partition("\n")
        name, game, side, answers, playouts = (part.strip() for part in heading.split(";"))
        yield pytest.param(game, side, answers.split(), int(playouts), drawing, id=name)


@pytest.mark.parametrize("player", list(PLAYERS))
@pytest.mark.parametrize(("game", "side", "answers", "playouts", "drawing"), list(boards("tactics.txt")))
def test_the_right_move_is_found(game, side, answers, playouts, drawing, player):
    game = mg.game(game)
    position = mg.Position.from_text(game, drawing, ("black", "white").index(side))
    for seed in range(3):
        solver = mg.player(PLAYERS[player].format(playouts=playouts), game, seed=seed)
        assert solver.choose(position) in answers, [
            (entry.move, entry.visits, entry.value) for entry in solver.analysis().moves if entry.visits > 20
        ]


@pytest.mark.parametrize(("game", "side", "answers", "playouts", "drawing"), list(boards("open_tactics.txt")))
def test_a_trained_player_needs_a_fifth_of_the_playouts(game, side, answers, playouts, drawing):
    game = mg.game(game)
    position = mg.Position.from_text(game, drawing, ("black", "white").index(side))
    for seed in range(3):
        assert Player(default_settings(game, playouts=playouts // SHARE), game, seed).choose(position) in answers
