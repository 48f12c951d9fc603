"""Trajectory optimisation: rates and derivatives at all nodes of a trajectory in one call."""
