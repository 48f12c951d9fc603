"""A model near a state: first-order equations, natural frequencies, equilibria, linear systems with names."""
