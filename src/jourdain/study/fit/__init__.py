"""Fits of models to measurements: `jd.identify`, records and logs."""
