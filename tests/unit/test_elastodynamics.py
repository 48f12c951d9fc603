"""Matrices of deformations on a known motion, critical loads, and what either refuses."""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd

AXIS, SPEED, SPIN = np.array([0.48, 0.6, 0.64]), 3.0, 2.0


def skew(a):
    return np.array([[0.0, -a[2], a[1]], [a[2], 0.0, -a[0]], [-a[1], a[0], 0.0]])


@pytest.fixture(scope="module")
def turning():
    """A block of finite elements, held by one face on a hub that turns about an oblique axis."""
    system = jd.System("turning")
    system.add(jd.RigidBody("hub", mass=1.0, inertia=(1, 1, 1)), joint=jd.Revolute("hub", axis=AXIS))
    rubber = jd.Material(E=5e6, nu=0.3, density=1100.0)
    mesh = jd.mesh.block((1.0, 0.1, 0.2), (2, 1, 1))
    pad = jd.Solid("pad", mesh, rubber, surfaces={"root": lambda x: x[0] < 1e-9}, reference="root")
    system.add(pad, joint=jd.Weld("weld"), to="hub.origin", position=(0.7, 0.0, 0.0))
    return system.compile()


def test_matrices_are_the_integrals_of_the_paper(turning):
    """Of nodal displacements all are the scalar masses of node pairs times W, E and W W (Vlase 2002, eq. 11)."""
    model = turning
    motions = {"hub": jd.Polynomial(0.0, SPEED, 0.5 * SPIN)}
    at = model.elastodynamics(motions, model.state(v={"hub": SPEED})).at(0.0)
    pairs = at.mass[::3, ::3]
    W, E = skew(SPEED * AXIS), skew(SPIN * AXIS)
    scale = np.max(np.abs(at.stiffness))
    for got, expected in (
        (at.mass, np.kron(pairs, np.eye(3))),
        (at.coriolis, 2.0 * np.kron(pairs, W)),
        (at.euler, np.kron(pairs, E)),
        (at.centrifugal, np.kron(pairs, W @ W)),
        (at.geometric, 0.0 * at.mass),
    ):
        assert np.max(np.abs(got - expected)) < 1e-15 * scale + 1e-12
    # f is linear momentum's rate: with all nodes moved as one, of the mass that they carry, M r''
    body = model.inverse_dynamics(model.state(v={"hub": SPEED}), {"hub": SPIN})
    assert at.force == pytest.approx(body[1:], abs=1e-9)


def test_known_motion_refuses_what_is_not_for_it(turning):
    with pytest.raises(jd.errors.ModelError, match="no such coordinate"):
        turning.elastodynamics({"hbu": jd.Cycloid(1.0, 1.0)})
    with pytest.raises(jd.errors.ModelError, match=r"hub: moves in the state and has no profile"):
        turning.elastodynamics({}, turning.state(v={"hub": 1.0}))
    with pytest.raises(jd.errors.ModelError, match="deforms, and cannot be prescribed"):
        turning.elastodynamics({turning.names.v[1]: jd.Cycloid(1.0, 1.0)})
    known = turning.elastodynamics({"hub": jd.Cycloid(1.0, 1.0)})
    with pytest.raises(jd.errors.ModelError, match="step above 0"):
        known.integrate(1.0, -1e-3)
    rigid = jd.System("rigid")
    rigid.add(jd.RigidBody("hub", mass=1.0, inertia=(1, 1, 1)), joint=jd.Revolute("hub", axis="z"))
    with pytest.raises(jd.errors.ModelError, match="no body of this model deforms"):
        rigid.compile().elastodynamics({"hub": jd.Cycloid(1.0, 1.0)})
    cable = jd.System("cable")
    line = jd.Cable("line", length=1.0, mass_per_length=1.0, EA=1e3, EI=1.0, elements=2)
    cable.add(line, joint=jd.Weld("root"))
    with pytest.raises(jd.errors.ModelError, match="are not linear"):
        cable.compile().elastodynamics({})


def test_buckling_refuses_loads_that_are_none():
    system = jd.System("column")
    beam = jd.Beam("beam", length=1.0, mass_per_length=1.0, EA=1e6, EI=1.0, GJ=1.0, modes=jd.Modes(bending=2))
    system.add(beam, joint=jd.Weld("foot"))
    model = system.compile()
    with pytest.raises(jd.errors.ModelError, match="neither gravity nor constant forces"):
        model.buckling(model.state())
    system.force("push", at="beam.tip", force=(-1.0, 0.0, 0.0))
    model = system.compile()
    with pytest.raises(jd.errors.ModelError, match="shove.*no constant load"):
        model.buckling(model.state(), "shove")
    assert "push" in repr(model.buckling(model.state()))
