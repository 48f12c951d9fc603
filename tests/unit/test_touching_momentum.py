"""Momentum of what floats, kept to rounding by steps with surfaces that touch."""

from __future__ import annotations

import numpy as np
import pytest
from touching_solids import cubes, discs, momenta

import jourdain as jd

ROUNDED = 1e-10
"""Asked of a collision; differences of the sums over some hundred steps are 1e-15 of the momentum."""


def drift(run):
    """Largest change of angular and of linear momentum over a run in which bodies touched, over the sizes of both."""
    found = momenta(run)
    assert float(run.contact["hit"].sites.max()) > 0 and found[0, :3] @ found[0, :3] > 0.0
    angular, linear = np.linalg.norm(found[:, :3] - found[0, :3], axis=1), np.abs(found[:, 3:] - found[0, 3:])
    return angular.max() / np.linalg.norm(found[0, :3]), linear.max()


@pytest.mark.parametrize("given", [
    {},
    {"friction": 0.3},
    {"passes": 2},
    {"form": "mortar"},
    {"scheme": "acceleration", "method": jd.implicit.Newmark(0.5, 0.5)},
], ids=["nodes", "friction", "both", "mortar", "acceleration"])  # fmt: skip
@pytest.mark.filterwarnings("ignore::jourdain.errors.TrustWarning")
def test_discs_keep_momentum(given):
    """Coarse discs, oblique, one of them spinning, until after they part. Energy is not held on 24 nodes."""
    angular, linear = drift(discs(1e-4, 2, 2, until=0.03, **given))
    assert angular < ROUNDED and linear < ROUNDED


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.filterwarnings("ignore::jourdain.errors.RangeWarning")
def test_cubes_in_space_keep_momentum_and_energy(sparse):
    """A corner on a face, in the axes of free joints: no velocity there is a momentum."""
    run = cubes(1e-4, 0.006, sparse)
    angular, linear = drift(run)
    energy = run.record.energy[:, :4].sum(axis=1)
    assert angular < ROUNDED and linear < ROUNDED and energy[-1] == pytest.approx(energy[0], rel=0.01)


def test_a_body_without_all_forces_of_velocities_is_left_alone():
    """A mass matrix without deformation has no momentum that its forces of velocities keep."""
    from jourdain.model.touching import floating

    for inertia, roots in (("full", 1), ("constant", 0)):
        pad = jd.Solid("pad", jd.mesh.rectangle((0.2, 0.1), (1, 1)), jd.Material(E=1e7, nu=0.3, density=1e3), "stress",
                       thickness=0.1, element="linear", inertia=inertia, surfaces={"sole": lambda x: x[1] < 1e-9})  # fmt: skip  # noqa: E501
        system = jd.System("pad")
        system.add(pad, joint=jd.Planar("move"))
        system.add(jd.RigidBody("arm", mass=1.0, inertia=(1, 1, 1)), joint=jd.Revolute("turn"))
        floor = jd.Plane((0, 1, 0)).at("world")
        system.contact("floor", pad.surface("sole"), floor, jd.contact.MultiplierContact())
        assert len(floating(system.compile())) == roots
