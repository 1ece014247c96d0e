"""A review of a game: what may end its searches early."""

import pytest

import montego as mg
from montego import sgf
from montego.players import Player
from montego.protocols.review import review


@pytest.mark.both_modes
def test_whoever_watches_ends_every_search():
    position = mg.game("tictactoe").start()
    position.play("b2").play("a1")
    player = Player(mg.PLAYERS.build("flat(playouts=20000)"), position.game, 1)
    looks = []
    found = review(sgf.new(position, ("", "")), player, watch=lambda look: looks.append(look) or True)
    assert len(looks) >= len(found) == 3
    assert all(one.playouts < 20_000 for one in found)
