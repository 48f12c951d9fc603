"""Constraints between markers and between coordinates: rows, multipliers, what keeps a run on them."""
