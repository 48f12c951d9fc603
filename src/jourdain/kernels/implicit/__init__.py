"""Implicit integrators on the group: generalized-alpha, Newmark, BDF, Radau IIA; with constraints and without."""
