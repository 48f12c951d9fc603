"""Implicit steps of sparse bodies: the partitioned (Schur-complement) solver of the Newton corrections."""
