"""Reverse Hex (Rex) in one rule: a game that extends another. Whoever connects their own two sides loses.

The class inherits the parameters, the notation, the drawings and every kernel of Hex, fast playouts included, and
replaces the one rule that differs. Run it for a demonstration, or load it wherever Montego takes a game::

    python examples/rex.py
    montego play --load examples/rex.py --game "rex(size=4)"
    montego check examples/rex.py
"""

import montego as mg
from montego.games.rules import score
from montego.kernels import implements


class Rex(mg.Hex, name="rex"):
    """Reverse Hex: whoever connects their own two sides loses."""


score_in_hex = score.choose(mg.Hex)  # the rule of the base class, to build on


@implements(score, Rex)
def _score(game, state):
    return -score_in_hex(game, state)


if __name__ == "__main__":
    position = Rex(size=4).start()
    player = mg.player("uct(playouts=2000)", position.game, seed=1)
    while not position.over:
        position.play(player.choose(position))
    print(position)  # on a board of even size the first player wins (Evans, 1974)
