"""Contact of a solid by multipliers against the penalty contact of FElupe, on one mesh and at rest."""

from __future__ import annotations

import numpy as np
import pytest
from surface_contact_solids import pressed_round, section

felupe = pytest.importorskip("felupe", reason="felupe is not installed; the extra `peers` brings it")

RADIUS, E, NU, DOWN, PENALTY = 50.0, 2e4, 0.3, 0.4, 1e9

pytestmark = pytest.mark.peer


def forces_of_felupe(cells: int, grade: float) -> tuple[np.ndarray, np.ndarray]:
    """(places of the nodes, their forces) of a half cylinder, plane strain, pressed on a rigid plane."""
    points, quads = section(RADIUS, cells, cells, grade, both=True)
    far = np.array([[0.0, -RADIUS]])  # a point of the plane
    mesh = felupe.Mesh(np.vstack([points, far]), quads, "quad")
    field = felupe.FieldContainer([felupe.FieldPlaneStrain(felupe.RegionQuad(mesh), dim=2)])
    top = np.flatnonzero(np.append(points[:, 1] > -1e-9 * RADIUS, False))
    bounds = {
        "across": felupe.Boundary(field[0], mask=np.isin(np.arange(mesh.npoints), top), skip=(0, 1)),
        "down": felupe.Boundary(field[0], mask=np.isin(np.arange(mesh.npoints), top), skip=(1, 0), value=-DOWN),
        "floor": felupe.Boundary(field[0], mask=np.arange(mesh.npoints) == mesh.npoints - 1),
    }
    rim = np.flatnonzero(np.hypot(*points.T) > RADIUS * (1.0 - 1e-6))
    normal = np.array([0.0, 1.0])
    floor = felupe.ContactRigidPlane(field, rim, mesh.npoints - 1, normal, multiplier=PENALTY)
    solid = felupe.SolidBody(felupe.LinearElastic(E=E, nu=NU), field)
    free, held = felupe.dof.partition(field, bounds)[::-1]
    felupe.newtonrhapson(
        items=[solid, floor], dof0=held, dof1=free, ext0=felupe.dof.apply(field, bounds, held), verbose=0
    )
    depth = points[rim, 1] + field[0].values[rim, 1] + RADIUS
    return points[rim], PENALTY * np.maximum(-depth, 0.0)


def test_a_cylinder_presses_on_a_plane_with_the_forces_of_felupe():
    """Forces of all nodes, to the depth that the penalty leaves: 676 / 1e9 mm of 0.4."""
    x, theirs = forces_of_felupe(12, 0.8)
    touch, part = pressed_round("strain", 12, 0.8, DOWN, 10.0)
    ours = touch.forces.sel(axis="y").values[-1]
    for place, force in zip(part.nodes[touch.nodes, :2], ours, strict=True):
        assert force == pytest.approx(theirs[np.argmin(np.hypot(*(x - place).T))], abs=1e-5 * theirs.sum())
    assert ours.sum() == pytest.approx(theirs.sum(), rel=1e-5)
