"""Rules, notation and drawing of the games, one file or folder a game."""

from montego.games.blokus import BlokusDuo
from montego.games.game import GAMES, Game, game
from montego.games.position import Position
from montego.games.tictactoe import TicTacToe

__all__ = ["GAMES", "BlokusDuo", "Game", "Position", "TicTacToe", "game"]
