"""Momentum of what floats, kept to rounding by steps with surfaces that touch."""

from __future__ import annotations

import numpy as np
import pytest
from surface_contact_solids import cubes, discs, momenta, over_cube, two_cubes, two_discs

import jourdain as jd
from jourdain.basics.pose import matrix_from_quaternion
from jourdain.model.displacement import displaced
from jourdain.model.surface_contact import nodes_at

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


@pytest.mark.filterwarnings("ignore::jourdain.errors.TrustWarning")
def test_no_energy_appears_where_round_surfaces_touch_by_mortar():
    """What is lost is what landing nodes lose, and is booked; without the derivative of the ends of the integrals it
    was 19 % more with discs of 256 coordinates."""
    energy = discs(1e-4, 2, 2, until=0.03, form="mortar").record.energy
    moving, lost = energy[:, :4].sum(axis=1), energy[:, 4]
    assert np.max(moving + lost) < 1.005 * moving[0] and moving[-1] + lost[-1] > 0.99 * moving[0]


def test_a_mortar_gap_changes_as_its_rate_says():
    """Of a closed gap of bent discs, against central differences of 1e-7 s: 1e-14 of their places over that, and their
    square."""
    model, random = two_discs(2, 2, form="mortar"), np.random.default_rng(3)

    def gaps(q, v, what="gap"):
        return nodes_at(model, q[None], v[None], what)[0]

    def placed(x, angle):
        q = model.state(q={"fa.x": -x, "fb.x": x, "fa.y": 0.03, "fb.y": -0.03, "fa.angle": angle}).q.copy()
        q[6:] += 1e-4 * np.sin(np.arange(len(q) - 6))
        return q

    for angle in (-0.17, 0.11):
        v, low, high = random.normal(size=model.nv), 0.08, 0.11
        for _ in range(60):
            middle = 0.5 * (low + high)
            low, high = (middle, high) if gaps(placed(middle, angle), 0.0 * v).min() < 0.0 else (low, middle)
        q = placed(high, angle)
        i, rate = int(np.argmin(gaps(q, v))), gaps(q, v, "rate")
        ahead, behind = gaps(q + 1e-7 * v, v), gaps(q - 1e-7 * v, v)
        assert (ahead - behind)[i] / 2e-7 == pytest.approx(rate[i], abs=1e-7 * np.abs(v).max())


@pytest.mark.parametrize("turn", [(0.1, 0.07), (0.3, 0.4), (-0.05, 0.2)])
def test_a_mortar_gap_in_space_changes_as_its_rate_says(turn):
    """As in a plane, of bent cubes, one of which is turned: facets are seen askew, cut each other, and some are passed
    by. Small overlaps turn quickly: central differences are off by 5e-4 at 1e-7 s, with its square by 1e-7 at 1e-9 s,
    where rounding is 1e-17 m over that."""
    model, random = two_cubes(form="mortar"), np.random.default_rng(3)
    at = {name: k for k, name in enumerate(model.names.q)}

    def gaps(q, v, what="gap"):
        return nodes_at(model, q[None], v[None], what)[0]

    def placed(above):
        q = over_cube(model, *turn, above).q.copy()
        q[at["fa.x"]], q[at["fa.y"]], q[at["fb.qw"]], q[at["fb.qz"]] = 0.013, 0.007, np.cos(0.2), np.sin(0.2)
        bent = [k for name, k in at.items() if "mode" in name]
        q[bent] += 2e-4 * np.sin(bent)
        return q

    v, low, high = random.normal(size=model.nv), -0.02, 0.01
    for _ in range(50):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if gaps(placed(middle), 0.0 * v).min() < 0.0 else (low, middle)
    q = placed(high)
    i, rate, way = int(np.argmin(gaps(q, v))), gaps(q, v, "rate"), v.copy()
    for name in ("fa", "fb"):  # velocities are in the axes of each cube
        first, own = at[f"{name}.qw"], [model.names.v.index(f"{name}.v{axis}") for axis in "xyz"]
        way[own] = matrix_from_quaternion(q[first : first + 4]) @ v[own]
    ahead, behind = gaps(displaced(model, q, 1e-9 * way), v), gaps(displaced(model, q, -1e-9 * way), v)
    assert (ahead - behind)[i] / 2e-9 == pytest.approx(rate[i], abs=1e-6 * np.abs(v).max())


@pytest.mark.filterwarnings("ignore::jourdain.errors.TrustWarning")
def test_a_corner_that_comes_first_by_mortar_goes_through():
    """Two cubes of 2 x 2 x 2 cells at steps of 1 ms: the corner presses a hollow into the other face. Places below it
    counted as outside while all of a facet's sides were taken as the edge of the cube, the gap jumped, and no step
    could be made."""
    run = cubes(1e-3, 0.05, form="mortar")
    energy, sites = run.record.energy, run.contact["hit"].sites.values
    moving = energy[:, :4].sum(axis=1)
    assert sites.max() > 0 and sites[-1] == 0 and float(run.contact["hit"].gap.min()) > -1e-8
    assert np.max(moving - np.minimum.accumulate(moving)) < 1e-9 * moving[0]
    assert moving[-1] + energy[-1, 4] == pytest.approx(moving[0], rel=0.01)


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.filterwarnings("ignore::jourdain.errors.RangeWarning")
def test_cubes_that_collide_obliquely_by_mortar_keep_momentum_and_energy(sparse):
    """An edge ahead, then a face on a face. What is lost is what landing nodes lose, and is booked."""
    run = cubes(1e-4, 0.012, sparse, turn=(0.1, 0.07), form="mortar")
    angular, linear = drift(run)
    moving, lost = run.record.energy[:, :4].sum(axis=1), run.record.energy[:, 4]
    assert angular < ROUNDED and linear < ROUNDED
    assert moving[-1] == pytest.approx(moving[0], rel=0.01) and moving + lost == pytest.approx(moving[0], rel=0.002)


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.filterwarnings("ignore::jourdain.errors.RangeWarning")
def test_cubes_in_in_space_keep_momentum_and_energy(sparse):
    """A corner on a face, in the axes of free joints: no velocity there is a momentum."""
    run = cubes(1e-4, 0.006, sparse)
    angular, linear = drift(run)
    energy = run.record.energy[:, :4].sum(axis=1)
    assert angular < ROUNDED and linear < ROUNDED and energy[-1] == pytest.approx(energy[0], rel=0.01)


def test_a_body_without_all_forces_of_velocities_is_left_alone():
    """A mass matrix without deformation has no momentum that its forces of velocities keep."""
    from jourdain.model.surface_contact import floating

    for inertia, roots in (("full", 1), ("constant", 0)):
        pad = jd.Solid("pad", jd.mesh.rectangle((0.2, 0.1), (1, 1)), jd.Material(E=1e7, nu=0.3, density=1e3), "stress",
                       thickness=0.1, element="linear", inertia=inertia, surfaces={"sole": lambda x: x[1] < 1e-9})  # fmt: skip  # noqa: E501
        system = jd.System("pad")
        system.add(pad, joint=jd.Planar("move"))
        system.add(jd.RigidBody("arm", mass=1.0, inertia=(1, 1, 1)), joint=jd.Revolute("turn"))
        floor = jd.Plane((0, 1, 0)).at("world")
        system.contact("floor", pad.surface("sole"), floor, jd.contact.MultiplierContact())
        assert len(floating(system.compile())) == roots
