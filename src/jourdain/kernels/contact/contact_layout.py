"""Numbers that the tables of contact have in common with those who lay them; the rows are in `contact_rows`.

Parameters of a shape, in its own axes [m]:

plane       unit normal (3), offset         sphere      radius              edge    unit normals n1 (3), n2 (3)
cylinder    radius, half length, 1 for a hole           cone    radius of the base, length, 1 for a hole
box         half lengths (3)                capsule     radius, half length
convex, mesh    see narrow_phase/sphere_mesh.py
"""

from __future__ import annotations

FACET_PLANE = -1
"""ShapeEntries.size_class of a plane that is placed on a deformable surface at every evaluation."""

INERTIA_NORMAL, CONSERVATIVE, POTENTIAL = range(3)
"""ContactEntries.normal_kind, direction of the force of an overlap part: principal axis of the volume inertia; springs
(overlap_volumes/springs.py); springs with a known potential."""

CELLS, SWEEP, LISTS = range(3)
"""ContactEntries.sign of a pile, its broad phase: linked cells, sweep and prune, Verlet list."""
