"""Ensembles on a graphics card: a case a thread, the same kernels as on the processor."""
