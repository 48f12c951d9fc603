"""Analytical derivatives of the dynamics: of the tree, and in `applied` of all applied and constraint forces."""
