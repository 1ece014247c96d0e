"""Other programs as players: anything that speaks GTP, HTP or Pentobi's dialect of it."""

from montego.opponents.gtp import Gtp, GtpSearch

__all__ = ["Gtp", "GtpSearch"]
