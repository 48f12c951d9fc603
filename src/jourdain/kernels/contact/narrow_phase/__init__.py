"""Narrow phase of contact: gaps, normals and points of two shapes, by pair of kinds."""
