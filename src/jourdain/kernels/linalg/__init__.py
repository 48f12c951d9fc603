"""Factorisations and small matrices for kernels: nothing is allocated."""
