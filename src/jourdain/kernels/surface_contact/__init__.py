"""Surfaces of solids that touch by multipliers: gaps are met, not pressed into."""
