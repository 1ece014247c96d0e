"""A sweep over the bounds of every parameter: no signal, no NaN, no illegal move, no hang.

``make test-bounds`` runs it compiled with bounds checks (``NUMBA_BOUNDSCHECK=1``) and a cache of its own; the tests run
a short form interpreted, where arrays check their bounds anyway.
"""
