"""Canonical momenta: p = M v and Hamilton's equations by recursion, for every joint and for bodies that deform."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from strategies import MOVING, Case, systems

import jourdain as jd
from jourdain.basics.errors import ModelError
from jourdain.model.momenta import inertia_rate

COUNTED = Path(__file__).parents[1] / "counted.py"


def by_definition(case: Case) -> np.ndarray:
    """d(M v)/dt = M dv/dt + (dM/dt) v, with the accelerations of articulated inertias."""
    model, state = case.model, case.state
    return model.mass_matrix(state) @ model.forward_dynamics(state) + inertia_rate(model, state.q, state.v)


@given(systems(kinds=MOVING))
@settings(max_examples=15)
def test_momenta_are_mass_times_velocity(case):
    p = case.model.momenta(case.state)
    there = case.model.mass_matrix(case.state) @ case.state.v
    assert np.allclose(p, there, rtol=1e-11, atol=1e-11 * np.abs(there).max())
    rates = case.model.hamilton_rates(case.state, p)
    assert np.allclose(rates.velocity, case.state.v, rtol=1e-8, atol=1e-8)


@given(systems(kinds=MOVING, friction=True, forces=2))
@settings(max_examples=15)
def test_rates_of_momenta_are_those_of_their_definition(case):
    found, wanted = case.model.hamilton_rates(case.state).momentum_rate, by_definition(case)
    assert np.allclose(found, wanted, rtol=1e-10, atol=1e-10 * np.abs(wanted).max())


def flexible_arm() -> jd.Model:
    """A beam on a hinge, with a body that hangs from its tip by a universal joint."""
    system = jd.System("arm", gravity=(1.0, -2.0, -9.0))
    beam = jd.Beam(
        "boom", length=2.0, mass_per_length=3.0, EA=1e6, EI=(400.0, 300.0), GJ=200.0,
        modes=jd.Modes(bending=2, torsion=1),
    )  # fmt: skip
    system.add(beam, jd.Revolute("shoulder", axis="z"))
    load = jd.RigidBody("load", mass=4.0, com=(0.2, 0.1, 0.0), inertia=(0.3, 0.4, 0.5))
    system.add(load, jd.Universal("wrist", axes=((0, 0, 1), (0, 1, 0))), to="boom.tip")
    return system.compile()


@pytest.mark.slow
def test_bodies_that_deform_have_momenta_too(rng):
    model = flexible_arm()
    state = model.state(0.1 * rng.normal(size=model.nq), rng.normal(size=model.nv))
    case = Case(None, model, state, rng)
    assert np.allclose(model.momenta(state), model.mass_matrix(state) @ state.v, rtol=1e-11, atol=1e-11)
    found, wanted = model.hamilton_rates(state).momentum_rate, by_definition(case)
    assert np.allclose(found, wanted, rtol=1e-9, atol=1e-9 * np.abs(wanted).max())


def test_momentum_of_a_cyclic_coordinate_does_not_change(rng):
    system = jd.System("carousel", gravity=(0.0, 0.0, -9.81))
    body = dict(mass=2.0, com=(0.3, 0.1, 0.2), inertia=(0.3, 0.4, 0.5), frames={"tip": (0.8, 0.0, 0.1)})
    system.add(jd.RigidBody("post", **body), jd.Revolute("turn", axis="z"))
    system.add(jd.RigidBody("arm", **body), jd.Spherical("swing"), to="post.tip")
    system.add(jd.RigidBody("hand", **body), jd.Revolute("wrist", axis="x"), to="arm.tip")
    model = system.compile()
    quaternion = rng.normal(size=4)
    q = np.concatenate([[0.7], quaternion / np.linalg.norm(quaternion), [0.3]])
    state = model.state(q, rng.normal(size=model.nv))
    rate = model.hamilton_rates(state).momentum_rate
    assert abs(rate[0]) < 1e-13 * np.abs(rate).max()
    assert np.abs(rate[1:]).max() > 1.0


def test_momenta_of_a_free_body_are_its_own_in_body_axes(rng):
    system = jd.System("free")
    system.add(jd.RigidBody("b", mass=3.0, com=(0.1, 0.2, 0.3), inertia=(1.0, 2.0, 2.5)), jd.Free("float"))
    model = system.compile()
    quaternion = rng.normal(size=4)
    pose = jd.Pose((1.0, 2.0, 3.0), quaternion / np.linalg.norm(quaternion))
    state = model.state({"float": pose}, rng.normal(size=6))
    total = model.momentum(state, about=(1.0, 2.0, 3.0))
    assert np.allclose(
        model.momenta(state), np.concatenate([pose.rotation.T @ total.angular, pose.rotation.T @ total.linear])
    )


def test_an_orbit_is_refused_by_name():
    system = jd.System("sat", environment=jd.Orbit(altitude=500e3))
    system.add(jd.RigidBody("b", mass=3.0, inertia=(1.0, 2.0, 2.5)), jd.Free("float"))
    model = system.compile()
    with pytest.raises(ModelError, match="orbital frame"):
        model.hamilton_rates(model.state())


def test_operations_grow_linearly_with_the_chain():
    """Kernels run on numbers that count: no compiler, no clock."""
    env = dict(os.environ, NUMBA_DISABLE_JIT="1")
    out = subprocess.run([sys.executable, str(COUNTED)], env=env, capture_output=True, text=True, check=True)
    counts = [int(word) for word in out.stdout.split()]
    steps = np.diff(counts)
    assert len(set(steps.tolist())) == 1
    assert 0 < steps[0] < 1200


def test_springs_between_frames_change_momenta(rng):
    system = jd.System("sprung", gravity=(0.0, 0.0, -9.81))
    body = dict(mass=2.0, com=(0.3, 0.1, 0.2), inertia=(0.3, 0.4, 0.5), frames={"tip": (0.8, 0.0, 0.1)})
    system.add(jd.RigidBody("arm", **body), jd.Universal("swing", axes=((0, 0, 1), (0, 1, 0))))
    system.add(jd.RigidBody("hand", **body), jd.Revolute("wrist", axis="x"), to="arm.tip")
    system.connect(jd.constraints.Spring("spring", stiffness=200.0, length=0.5, damping=3.0), "hand.tip", "world")
    model = system.compile()
    case = Case(system, model, model.state(0.3 * rng.normal(size=3), rng.normal(size=3)), rng)
    assert np.allclose(model.hamilton_rates(case.state).momentum_rate, by_definition(case), rtol=1e-10, atol=1e-10)
