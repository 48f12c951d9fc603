"""Finite-element solids: options, places of nodes, sparse factors."""
