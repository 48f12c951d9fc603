"""Constraints: how they are described, counted, closed and kept."""
