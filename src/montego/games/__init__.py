"""The games: ``game`` (what a game is), ``rules`` (the questions it answers), ``position`` (a game in progress).

Every folder but ``tools`` is a game; ``tictactoe.py`` is a whole game in one file, the one to copy.
"""

from montego.games import rules
from montego.games.blokus import BlokusDuo
from montego.games.features import Column, Group
from montego.games.game import Game
from montego.games.go import Go
from montego.games.hex import Hex
from montego.games.position import Position
from montego.games.registry import GAMES, game
from montego.games.tictactoe import TicTacToe
from montego.games.tools import conformance
from montego.games.tools.dialect import Dialect
from montego.games.tools.drawing import Heat
from montego.games.tools.layout import Layout, Shape, Stone, hex_board, square_board
from montego.games.tools.symmetry import Symmetry
from montego.games.y import Y

__all__ = [
    "GAMES",
    "BlokusDuo",
    "Column",
    "Dialect",
    "Game",
    "Go",
    "Group",
    "Heat",
    "Hex",
    "Layout",
    "Position",
    "Shape",
    "Stone",
    "Symmetry",
    "TicTacToe",
    "Y",
    "conformance",
    "game",
    "hex_board",
    "rules",
    "square_board",
]
