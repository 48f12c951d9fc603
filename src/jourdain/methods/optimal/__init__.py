"""Trajectory optimisation: collocation, shooting, dynamic programming, gradient and restoration."""
