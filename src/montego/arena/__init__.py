"""Matches and tournaments: schedules, the games themselves, workers, and the ledger that survives everything."""
