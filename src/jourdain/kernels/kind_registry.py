"""The codes by which kernels know kinds of joints, bodies and shapes, finders of contact and laws of contact.

A kind of joint, body or shape is a row here: its word, whose place is its code. Those from `ADDED_...` on have files of
their own, named by that word: the class in `describe`, the kernels in `kernels.joints`, `kernels.bodies` or
`kernels.shapes`. Nothing else has to be told of them. Codes are part of a model's hash: new words go to the end.
"""

from __future__ import annotations

JOINTS = (
    *("weld", "revolute", "prismatic", "screw", "cylindrical", "universal", "spherical", "planar", "free", "rail"),
    "tabled",
)
"""Kinds of joints that have kernels."""
WELD, REVOLUTE, PRISMATIC, SCREW, CYLINDRICAL, UNIVERSAL, SPHERICAL, PLANAR, FREE, RAIL, TABLED = range(11)
ADDED_JOINTS = 11

ROD, ROLLING, NO_SLIP, COUPLING, RATE_COUPLING = 20, 21, 22, 23, 24
"""Kinds of constraints besides those of joints."""

BODIES = ("rigid", "lumped", "modal", "deploying", "nodal", "ale")
"""Kinds of bodies, several classes a kind: rigid; rigid slices at stations; inertia in modal integrals; a beam whose
length is one of its internal coordinates; nodes of a mesh as coordinates and sparse matrices; a cable of which a winch
lets out a length that is one of its internal coordinates."""
RIGID, LUMPED, MODAL, DEPLOYING, NODAL, ALE = range(6)
ADDED_BODIES = 6

SHAPES = ("plane", "sphere", "edge", "cylinder", "cone", "box", "capsule", "convex", "mesh", "cell")
"""Kinds of shapes that can touch."""
PLANE, SPHERE, EDGE, CYLINDER, CONE, BOX, CAPSULE, CONVEX, MESH, CELL = range(10)
ADDED_SHAPES = 10

SITES = ("sphere_capsule", "corners_plane", "sphere_mesh", "pile")
"""Finders of places where two shapes touch: `find_sphere_capsule` in contact/narrow_phase/sphere_capsule.py, and so on;
`pile` stands for all."""
OVERLAPS = ("sphere_plane", "sphere_solid", "cylinder_polyhedron", "polyhedron_polyhedron", "peg_hole", "mixed_cells")
"""Finders of the parts of an overlap, for volumetric contact."""
FINDERS = SITES + OVERLAPS
"""All, in the order of their codes."""
(
    SPHERE_CAPSULE,
    CORNERS_PLANE,
    SPHERE_MESH,
    PILE,
    SPHERE_PLANE,
    SPHERE_SOLID,
    CYLINDER_POLYHEDRON,
    POLYHEDRON_POLYHEDRON,
    PEG_HOLE,
    MIXED_CELLS,
) = range(len(FINDERS))

POWER, KELVIN, FOUNDATION, USER = range(4)
"""Normal laws: a power of the depth with damping in proportion; a spring and a dashpot; a volume's foundation; a
user's, from USER on."""
FRICTIONLESS, BRISTLE, COULOMB, USER_FRICTION = range(4)
"""Friction laws; a user's from USER_FRICTION on."""
