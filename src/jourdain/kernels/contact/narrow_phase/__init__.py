"""Narrow phase: where a pair of shapes touches, by pair of kinds."""
