"""The mortar form met at corners with friction is said in the verdict of a run; edges, faces and nodes are not."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from surface_contact_solids import over_cube

import jourdain as jd
from jourdain.contact import CoulombFriction, MultiplierContact


def collision(form, turn, friction, until):
    """A stiff cube that comes down, turned, on another: the run."""
    hard = jd.Material(E=1e8, nu=0.3, density=1000.0)
    system, skins = jd.System("cubes"), []
    for name in "ab":
        mesh = jd.mesh.block((0.1, 0.1, 0.1), (2, 2, 2), start=(-0.05, -0.05, -0.05))
        skin = {"skin": lambda x: np.abs(x).max(axis=0) > 0.0499}
        cube = jd.Solid(name, mesh, hard, element="linear", surfaces=skin, reference="mean", matrices="dense")
        system.add(cube, joint=jd.Free(f"f{name}"))
        skins.append(cube.surface("skin"))
    law = CoulombFriction(kinetic=friction, static=friction) if friction else None
    system.contact("hit", *skins, MultiplierContact(form=form), friction=law)
    model = system.compile()
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        run = jd.simulate(model, over_cube(model, *turn, 0.001), until=until, step=1e-4, method="generalized-alpha")
    return run, [str(one.message) for one in told if issubclass(one.category, jd.errors.TrustWarning)]


def test_a_corner_that_comes_first_with_friction_is_not_trusted():
    """It is a third of a facet inside before its mean gap is met; the node form, its remedy, has it at the surface."""
    run, told = collision("mortar", (0.6, 0.5), 0.3, 0.03)
    (found,) = [one for one in run.trusted.checks if one.name == "mortar gaps"]
    assert not run.trusted and not found and 0.3 < found.error < 0.4 and found.time > 0.015
    assert (
        len(told) == 1
        and 'contact "hit" by the mortar form was met at a corner' in told[0]
        and "% of a facet" in told[0]
    )
    run, told = collision("node", (0.6, 0.5), 0.3, 0.01)
    assert run.trusted and told == [] and "mortar gaps" not in [one.name for one in run.trusted.checks]
    assert float(run.contact["hit"].sites.max()) > 0


@pytest.mark.parametrize("friction", [0.3, pytest.param(0.0, marks=pytest.mark.slow)])
def test_an_edge_that_lies_down_is_trusted(friction):
    run, told = collision("mortar", (0.1, 0.07), friction, 0.006)
    assert run.trusted and told == [] and float(run.contact["hit"].sites.max()) > 0
    found = [one for one in run.trusted.checks if one.name == "mortar gaps"]
    assert len(found) == bool(friction) and all(one.error < 0.05 for one in found)
