"""Go: board (stones, chains, liberties), rules (legality, score, playouts), game (parameters, notation, superko)."""

from montego.games.go import rules
from montego.games.go.game import Go

__all__ = ["Go", "rules"]
