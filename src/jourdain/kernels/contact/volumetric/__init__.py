"""Volumetric contact: overlap parts of pairs of solids as contact patches, and their forces."""
