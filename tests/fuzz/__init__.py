"""Fuzzing: made-up and damaged input for everything that reads what others have written.

``python -m tests.fuzz`` (``make fuzz``) runs as many inputs as it is told to and counts them; ``test_short.py`` runs a
few thousand with every test run. Everything is drawn by seed, so that a finding can be repeated by its number.
"""
