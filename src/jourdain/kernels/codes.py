"""The codes by which kernels know kinds of bodies."""

from __future__ import annotations

RIGID = 0
"""A rigid body."""
SLICED = 1
"""A body that moves as rigid slices at stations."""
MODAL = 2
"""A body whose inertia is in modal integrals."""
DEPLOYING = 3
"""A beam whose length is one of its internal coordinates."""
