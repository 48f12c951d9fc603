"""A Model, its state, and its functions on NumPy arrays."""
