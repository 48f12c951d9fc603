"""Slow modes of slender bodies, free motions by rank, and what rounding hides, against beam theory."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import jourdain as jd

CANTILEVER = 1.875104068711961
FREE_FREE = np.array([4.730040744862704, 7.853204624095838])


def wire(kind, elements, diameter=2e-4, joint=None, load=0.0, **told):
    """1 m of steel, clamped; pushed by a part of Euler's load. The model, and its first frequency by theory [rad/s]."""
    E, A, I = 2e11, np.pi * diameter**2 / 4, np.pi * diameter**4 / 64
    if kind == "cable":
        body = jd.Cable("wire", 1.0, 7850 * A, E * A, E * I, elements=elements, **told)
    else:
        body = jd.NodalBeam("wire", 1.0, 7850 * A, E * A, E * I, 0.77 * E * I, elements=elements, **told)
    system = jd.System("wire")
    system.add(body, joint=joint or jd.Weld("clamp"))
    if load:
        system.force("push", at="wire.tip", force=(-load * np.pi**2 * E * I / 4, 0.0, 0.0))
    return system.compile(), np.sqrt(E * I / (7850 * A))


@pytest.mark.parametrize("kind", ["cable", "beam"])
@pytest.mark.parametrize("elements", [5, pytest.param(10, marks=pytest.mark.slow), 20])
@pytest.mark.parametrize("diameter", [1e-3, 2e-4, 2e-5])
def test_refining_a_slender_body_loses_no_mode(kind, elements, diameter):
    """The fastest frequency is up to 1e10 times the lowest one here, and rounding leaves 3e-4 of the lowest then."""
    model, unit = wire(kind, elements, diameter)
    found = model.frequencies(model.state())
    assert found.rad[:2] / unit == pytest.approx([CANTILEVER**2] * 2, rel=2e-4 if diameter > 1e-4 else 1e-3)
    assert found.rigid == 0 and not found.undecided and len(found) == model.nv
    shapes = found.shapes[:, :6]
    assert shapes.T @ model.mass_matrix(model.state()) @ shapes == pytest.approx(np.eye(6), abs=1e-6)


@pytest.mark.parametrize("kind", ["cable", "beam"])
@pytest.mark.parametrize(("part", "stable"), [(0.99, True), (1.01, False), (2.0, False)])
def test_a_slender_column_beyond_eulers_load_is_unstable(kind, part, stable):
    model, unit = wire(kind, 40 if kind == "cable" else 10, load=part)
    found = model.equilibrium(model.state())
    assert found.stable is stable and ("unstable" in repr(found)) is not stable
    if part == 2.0:  # -w^2 of the buckled shape, 1.1000 in units of the first frequency
        assert found.growth / unit == pytest.approx(1.1000 * CANTILEVER**2, rel=1e-4)


@pytest.mark.parametrize("root", ["clamped", "free"])
def test_a_slender_beam_that_flies_has_six_free_motions(root):
    """On a free joint, and with its first node free: rigid motions then are motions of all nodes."""
    joint = jd.Free("flies") if root == "clamped" else jd.Weld("flies")
    model, unit = wire("beam", 10, joint=joint, root=root)
    state = model.state(q={"flies": jd.Pose((0.3, 1.0, -2.0), (0.6, 0.0, 0.8, 0.0))}) if root == "clamped" else None
    found = model.frequencies(state or model.state())
    assert found.rigid == 6 and not found.undecided
    assert found.rad[:4] / unit == pytest.approx(np.repeat(FREE_FREE**2, 2), rel=1e-3)


def test_a_soft_joint_beside_a_stiff_body_is_no_free_motion():
    """1e-3 N m/rad under a beam whose fastest frequency is 1e9 times that of the joint; and its damper counts."""
    for damping in (0.0, 0.02):
        model, _ = wire("beam", 4, 2e-3, joint=jd.Revolute("hinge", axis="z", stiffness=1e-3, damping=damping))
        M = model.mass_matrix(model.state())[0, 0]
        found = model.frequencies(model.state())
        values = np.roots([M, damping, 1e-3])
        assert found.rigid == 0
        slowest = found.eigenvalues[0]
        assert np.min(np.abs(values - slowest)) < 2e-3 * abs(slowest)  # the beam gives way a little too


def test_a_stretched_tether_in_orbit():
    """Libration at sqrt(3) and 2 times the orbit's rate, however stiff the tether: 1.7325 and 2.0004 of 1 km with a
    subsatellite of 50 kg, whose masses are what they are."""
    orbit = jd.Orbit(altitude=500e3)
    for elements in (4, 10):
        system = jd.System("tether", environment=orbit)
        system.add(jd.Cable("cable", 1000.0, 0.025, 5e6, EI=1.0, elements=elements), joint=jd.Weld("station"))
        system.add(jd.RigidBody("sub", 50.0, inertia=(1.0, 1.0, 1.0)), joint=jd.Weld("hook"), to="cable.tip")
        model = system.compile()
        rest = model.equilibrium(model.state())
        assert rest.stable is True
        found = model.frequencies(rest.state)
        assert found.rad[:2] / orbit.mean_motion == pytest.approx([np.sqrt(3.0), 2.0], rel=2e-3)
        assert found.rigid == 0


def test_what_rounding_hides_is_said_and_fewer_elements_tell_it():
    """A slenderness of 4e6, as a beam of sections: 32 elements leave less of the stiffness than rounding takes."""
    model, _ = wire("beam", 32, 4e-6)
    with pytest.warns(UserWarning, match="no more stiffness than rounding leaves") as told:
        found = model.frequencies(model.state())
    assert told[0].filename == __file__
    assert len(found.undecided) == 2 and "2 that rounding hides" in repr(found) and found.rigid == 0
    rest = model.equilibrium(model.state())
    assert rest.stable is None and rest.growth == 0.0 and "fewer elements" in rest.doubt
    assert "cannot tell whether it is stable" in repr(rest)
    model, unit = wire("beam", 4, 4e-6)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = model.frequencies(model.state())
    assert found.rad[0] / unit == pytest.approx(CANTILEVER**2, rel=1e-3)
    assert model.equilibrium(model.state()).stable is True


def test_a_body_of_joints_and_springs_is_not_doubted():
    """Nothing deforms: what has no stiffness is free."""
    system = jd.System("chain")
    system.add(jd.RigidBody("a", 2.0), jd.Prismatic("first", axis="x"))
    system.add(jd.RigidBody("b", 2.0), jd.Prismatic("second", axis="x", stiffness=1e12), to="a.origin")
    system.add(jd.RigidBody("c", 2.0, inertia=(1, 1, 1)), jd.Spherical("ball"), to="b.origin")
    model = system.compile()
    rest = model.equilibrium(model.state())
    assert rest.stable is True and rest.modes.rigid == 4 and rest.modes.undecided == ()


def test_a_report_says_what_its_differences_lost():
    from jourdain.model.linear.modes import resting_frequencies

    model, _ = wire("beam", 5)
    found = resting_frequencies(model, model.state().q)
    assert found.rigid == 0 and len(found.undecided) == model.nv - len(found) > 0
