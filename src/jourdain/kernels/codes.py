"""The codes by which kernels know kinds of bodies, finders of contact and laws of contact."""

from __future__ import annotations

RIGID = 0
"""A rigid body."""
SLICED = 1
"""A body that moves as rigid slices at stations."""
MODAL = 2
"""A body whose inertia is in modal integrals."""
DEPLOYING = 3
"""A beam whose length is one of its internal coordinates."""
NODAL = 4
"""A body with the nodes of a mesh as coordinates, whose inertia is in sparse matrices."""
REELED = 5
"""A cable of which a winch lets out a length that is one of its internal coordinates."""

SITES = ("round", "points", "meshes", "pile")
"""Finders of places where two shapes touch: `find_round` in contact/round.py, and so on; `pile` stands for all."""
OVERLAPS = ("caps", "balls", "rolls", "flats", "holes", "mixed")
"""Finders of the parts of an overlap, for volumetric contact."""
FINDERS = SITES + OVERLAPS
"""All, in the order of their codes."""
ROUND, POINTS, MESHES, PILE, CAPS, BALLS, ROLLS, FLATS, HOLES, MIXED = range(len(FINDERS))

POWER, KELVIN, FOUNDATION, USER = range(4)
"""Normal laws: a power of the depth with damping in proportion; a spring and a dashpot; a volume's foundation; a
user's, from USER on."""
FRICTIONLESS, BRISTLE, COULOMB, USER_FRICTION = range(4)
"""Friction laws; a user's from USER_FRICTION on."""
