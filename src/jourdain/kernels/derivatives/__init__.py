"""Derivatives of the dynamics: of the tree, and in the folder `acting` of all that acts on it."""
