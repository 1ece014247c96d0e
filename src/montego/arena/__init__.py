"""Matches, tournaments, their ledger and the statistics of their results."""
