"""Languages that other programs speak: GTP and its relatives, and SGF game records."""
