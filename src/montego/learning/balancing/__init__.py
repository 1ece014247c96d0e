"""Simulation balancing: weights under which the mean outcome of playouts equals the value of a position."""
