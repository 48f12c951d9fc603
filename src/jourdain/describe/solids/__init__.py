"""Finite-element meshes: elements, meshes, their matrices and the fields on them."""
