"""Comparison with other codes."""
