"""Rules, notation and drawing of the games, one file or folder a game."""

from montego.games.blokus import BlokusDuo
from montego.games.game import GAMES, Game, game
from montego.games.go import Go
from montego.games.hex import Hex
from montego.games.position import Position
from montego.games.tictactoe import TicTacToe
from montego.games.y import Y

__all__ = ["GAMES", "BlokusDuo", "Game", "Go", "Hex", "Position", "TicTacToe", "Y", "game"]
