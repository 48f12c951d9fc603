"""Linear algebra in kernels: factorisations and small matrices; nothing is allocated."""
