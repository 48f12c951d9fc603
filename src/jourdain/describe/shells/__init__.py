"""Surfaces of shells: meshes, their nodal gradients, tables of their elements."""
