"""The same questions as elsewhere, asked for longer: thousands of random trees, millions of steps."""

import numpy as np
import pytest
from hypothesis import given, settings
from oracle import forward_dynamics as maximal_coordinates
from strategies import MOVING, Case, random_state, systems

import jourdain as jd

pytestmark = pytest.mark.slow


@given(systems(most=10, forces=3))
@settings(max_examples=2000)
def test_three_recursions_and_maximal_coordinates(case):
    """M a + bias - effort below 1e-10 of the efforts in it; accelerations as of free bodies with constraints."""
    model, state = case.model, case.state
    effort = case.vector(5.0)
    a = model.forward_dynamics(state, effort)
    M, zero = model.mass_matrix(state), model.inverse_dynamics(state)
    scale = np.max(np.abs(M) @ np.abs(a) + np.abs(zero) + np.abs(effort))
    assert np.max(np.abs(M @ a + zero - effort)) < 1e-10 * scale
    assert np.max(np.abs(model.inverse_dynamics(state, a) - effort)) < 1e-10 * scale
    truth = maximal_coordinates(case.system, model, state, effort)
    size = max(1.0, np.max(np.abs(truth.acceleration)), *(np.max(np.abs(A)) for A in truth.bodies.values()))
    assert np.max(np.abs(a - truth.acceleration)) < 1e-8 * size


def floating(case: Case) -> tuple[jd.Model, jd.State]:
    """The tree again, on a base that floats free: everything that hung on the world hangs on it."""
    system = jd.System("floating")
    system.add(jd.RigidBody("base", mass=5.0, com=(0.1, 0, 0), inertia=(1.0, 1.2, 0.9)), joint=jd.Free("free"))
    for item in case.system.attachments:
        to = "base.origin" if item.parent == "world" else item.to
        system.add(item.body, item.joint, to=to, position=item.pose.position, rotation=item.pose.rotation, at=item.at)
    model = system.compile()
    return model, random_state(model, case.rng, speed=0.5)


@given(systems(kinds=MOVING, most=5, passive=False))
@settings(max_examples=150)
def test_random_trees_that_float_keep_momentum_and_energy(case):
    model, state = floating(case)
    run = jd.simulate(model, state, until=2.0, rtol=1e-12, atol=1e-13, output=0.5)
    before, after = model.momentum(run.state(0)), model.momentum(run.state())
    for old, new in zip(before, after):
        assert np.linalg.norm(new - old) < 1e-8 * (1.0 + np.linalg.norm(old))
    assert run.energy.error < 1e-9


def test_friction_holds_for_a_day():
    """A loaded joint after 1e7 steps is where it was after the first thousand."""
    system = jd.System("shelf", gravity=(0, 0, -9.81))
    arm = jd.RigidBody("arm", mass=2.0, com=(0.3, 0, 0), inertia=(0.1, 0.1, 0.1))
    system.add(arm, joint=jd.Revolute("hinge", axis="y", friction=8.0))
    model = system.compile()
    run = jd.simulate(model, model.state(), until=86_400.0, step=8e-3, output=864.0)
    x = run.q["hinge"].values[1:]
    assert np.ptp(x) < 1e-12 and 0.0 < x[0] < 1e-2
    assert np.all(np.abs(run.v["hinge"].values[1:]) < 1e-12)


def test_a_top_spins_for_a_million_steps():
    """The quaternion stays on the unit sphere, and the energy where it was."""
    top = jd.System("top", gravity=(0, 0, -9.81))
    top.add(jd.RigidBody("top", mass=1.0, com=(0, 0, 0.2), inertia=(0.05, 0.05, 0.02)), joint=jd.Spherical("pivot"))
    model = top.compile()
    state = model.state(q={"pivot": (np.cos(0.2), np.sin(0.2), 0, 0)}, v={"pivot": (0.0, 0.0, 60.0)})
    run = jd.simulate(model, state, until=1000.0, step=1e-3, method="rk5", output=10.0)
    assert np.max(np.abs(np.linalg.norm(run.record.q, axis=1) - 1.0)) < 1e-14
    total = run.energy["total"].values
    assert np.max(np.abs(total - total[0])) < 1e-5 * np.max(run.energy["kinetic"].values)
