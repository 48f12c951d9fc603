"""Volumes of interference: volume, centroid and inertia of what two shapes have in common."""
