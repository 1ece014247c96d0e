"""Matches and tournaments: the games, their ledger and workers, and the statistics of their results."""
