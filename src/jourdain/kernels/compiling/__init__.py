"""From a Python function to machine code on disk: typed by Numba, linked and optimised once, kept as an object file."""
