"""The game of Y: rules, the bent board, micro-reduction."""

from montego.games.y.rules import Board, Y

__all__ = ["Board", "Y"]
