"""Finders of contact by the codes of `kind_registry.FINDERS`: what looks for the places where two shapes touch, and for
the parts of an overlap."""

from __future__ import annotations

from collections.abc import Container
from typing import Any

import numpy as np

from ..kind_registry import FINDERS, PLANE, SPHERE, SPHERE_CAPSULE, SPHERE_PLANE
from ..model_arrays import ModelArrays


def finders(codes: Container[int]) -> list[Any]:
    """Those of some codes, None in the places of the others; modules of volumetric contact are imported for it only."""
    from .narrow_phase.corners_plane import find_corners_plane
    from .narrow_phase.sphere_capsule import find_sphere_capsule
    from .narrow_phase.sphere_mesh import find_sphere_mesh

    found = [find_sphere_capsule, find_corners_plane, find_sphere_mesh, None]
    if any(code in codes for code in range(SPHERE_PLANE, len(FINDERS))):
        from .volumetric.cylinder_polyhedron import find_cylinder_polyhedron
        from .volumetric.mixed_cells import find_mixed_cells
        from .volumetric.peg_hole import find_peg_hole
        from .volumetric.polyhedron_polyhedron import find_polyhedron_polyhedron
        from .volumetric.sphere_plane import find_sphere_plane
        from .volumetric.sphere_solid import find_sphere_solid

        found += [find_sphere_plane, find_sphere_solid, find_cylinder_polyhedron, find_polyhedron_polyhedron]
        found += [find_peg_hole, find_mixed_cells]
    found += [None] * (len(FINDERS) - len(found))
    return [one if code in codes else None for code, one in enumerate(found)]


def is_found_directly(model: ModelArrays) -> np.ndarray:
    """Of each contact whether it is one pair that needs no finder: see `narrow_phase.sphere_capsule.is_simple`."""
    contacts, code = model.contacts.columns, model.shapes.columns.code
    pairs = contacts.family == SPHERE_CAPSULE
    found = np.zeros(len(pairs), bool)
    found[pairs] = (code[contacts.first[pairs]] == SPHERE) & np.isin(code[contacts.second[pairs]], (PLANE, SPHERE))
    return found
