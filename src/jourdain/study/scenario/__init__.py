"""Scenarios: files, their schema, limits, and what `jourdain run` does with them."""
