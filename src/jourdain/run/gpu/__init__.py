"""Ensembles on a GPU: a case a thread, the same kernels as on the processor."""
