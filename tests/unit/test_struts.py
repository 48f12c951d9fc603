"""Springs and dampers between two markers: forces, energy, derivatives, and what hangs on them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from derivative_cases import arm, both
from hypothesis import given, settings
from strategies import systems

import jourdain as jd


def tied(system: jd.System, *struts) -> jd.Model:
    """The model of a system with springs (first address, second address, stiffness, length, damping, pull)."""
    for i, (first, second, stiffness, length, damping, force) in enumerate(struts):
        spring = jd.constraints.Spring(f"spring{i}", stiffness=stiffness, length=length, damping=damping, force=force)
        system.connect(spring, first, second)
    return system.compile()


def ball():
    """A free ball of 2 kg."""
    system = jd.System("ball", gravity=(0, 0, 0))
    system.add(jd.RigidBody("ball", mass=2.0, inertia=(0.1, 0.2, 0.3), frames={"hook": (0, 0, 0.1)}), jd.Free("free"))
    return system


def test_force_acts_along_the_line_at_both_markers():
    model = tied(ball(), ("world", "ball.hook", 30.0, 0.5, 4.0, 1.5))
    state = model.state()
    state.q[:3] = (0.3, 0.0, 0.3)  # the hook at (0.3, 0, 0.4): half a metre away
    state.v[3:] = (0.6, 0.0, 0.8)
    state.v[:3] = 0.0
    # at its length: the damper and the pull alone, 4 * 1 + 1.5, towards the world's origin
    wanted = -5.5 * np.array([0.6, 0.0, 0.8])
    effort = -model.inverse_dynamics(state)
    np.testing.assert_allclose(effort[3:], wanted, atol=1e-14)
    np.testing.assert_allclose(effort[:3], np.cross((0, 0, 0.1), wanted), atol=1e-14)
    state.q[:3] = (0.6, 0.0, 0.7)
    np.testing.assert_allclose(
        -model.inverse_dynamics(state)[3:], -(30.0 * 0.5 + 5.5) * np.array([0.6, 0, 0.8]), atol=1e-12
    )
    assert model.energy(state).strain == pytest.approx(0.5 * 30.0 * 0.25, rel=1e-14)


def test_a_spring_of_no_length_is_linear_and_one_that_has_lost_its_line_pulls_nowhere():
    model = tied(ball(), ("world", "ball.origin", 30.0, 0.0, 0.0, 0.0))
    state = model.state()
    np.testing.assert_array_equal(model.inverse_dynamics(state), 0.0)
    K = model.inverse_dynamics_derivatives(state).dq
    np.testing.assert_allclose(K[3:, 3:], 30.0 * np.eye(3), atol=1e-13)
    state.q[:3] = (1e-3, 2e-3, 0.0)
    np.testing.assert_allclose(model.inverse_dynamics(state)[3:], (0.03, 0.06, 0.0), atol=1e-15)
    other = tied(ball(), ("world", "ball.origin", 30.0, 0.4, 3.0, 2.0))
    assert np.all(np.isfinite(other.inverse_dynamics_derivatives(other.state()).dq))
    np.testing.assert_array_equal(other.inverse_dynamics(other.state()), 0.0)


def struts_of(case, count):
    """Struts between random frames, the world among them, that do not coincide."""
    model, rng = case.model, case.rng
    out = []
    while len(out) < count:
        a, b = rng.choice(model.frame_names, 2, replace=False)
        apart = np.linalg.norm(model.pose(a, case.state).position - model.pose(b, case.state).position)
        if apart > 0.1 and a.partition(".")[0] != b.partition(".")[0]:
            out.append((a, b, *rng.uniform(1.0, 20.0, 2), *rng.uniform(0.1, 5.0, 2)))
        elif rng.random() < 0.05:  # every frame may be at one place
            break
    return out


@settings(max_examples=40)
@given(systems(forces=1))
def test_derivatives_on_rigid_trees(case):
    both(replace(case, model=tied(case.system, *struts_of(case, 3))))


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ("exponential", "linear", "euler-321", "integrated"))
@pytest.mark.parametrize("kind", ("revolute", "universal", "free"))
def test_derivatives_on_flexible_bodies(scheme, kind):
    case = arm(kind, tip_rotation=scheme)
    model = tied(
        case.system,
        ("world", "fore.tip", 7.0, 0.4, 0.9, 1.1),
        ("upper.tip", "fore.tip", 5.0, 0.2, 0.7, 0.0),
        ("side.tip", "hand.grip", 11.0, 3.0, 1.3, 2.0),
        ("upper.tip", "hand.tip", 3.0, 1.0, 0.3, -2.0),
    )
    both(replace(case, model=model))


def test_two_masses_on_a_spring_swing_at_their_frequency():
    system = jd.System("pair", gravity=(0, 0, 0))
    for i, mass in enumerate((1.0, 3.0)):
        system.add(jd.RigidBody(f"m{i}", mass=mass), jd.Prismatic(f"x{i}", axis="x"))
    model = tied(system, ("m0.origin", "m1.origin", 300.0, 0.7, 0.0, 0.0))
    state = model.state({"x0": 0.0, "x1": 0.7})
    wanted = np.sqrt(300.0 * (1.0 + 1.0 / 3.0))
    found = model.frequencies(state).rad
    assert found[-1] == pytest.approx(wanted, rel=1e-9)
    state.q[model.index.q["x1"]] = 0.75
    run = jd.simulate(model, state, until=2.0, method="dop853", rtol=1e-11, atol=1e-13)
    q = run.record.q
    apart = q[:, model.index.q["x1"]] - q[:, model.index.q["x0"]]
    np.testing.assert_allclose(apart, 0.7 + 0.05 * np.cos(wanted * run.record.time), atol=1e-8)
    assert np.max(np.abs(run.energy["balance"])) < 1e-9


def test_work_and_losses_are_bookkept():
    model = tied(ball(), ("world", "ball.hook", 30.0, 0.5, 1.0, 2.5))
    state = model.state()
    state.q[:3] = (0.6, 0.2, 0.1)
    state.v[:] = (1.0, -2.0, 0.5, 0.3, 0.2, -0.4)
    run = jd.simulate(model, state, until=3.0, method="dop853", rtol=1e-11, atol=1e-13)
    assert np.max(np.abs(run.energy["balance"])) < 1e-8
    assert run.energy["dissipated"].values[-1] > 0.1
    length = [np.linalg.norm(model.pose("ball.hook", q).position) for q in run.record.q]
    np.testing.assert_allclose(run.energy["work"], -2.5 * (np.array(length) - length[0]), atol=1e-7)


def test_equilibrium_hangs_where_the_spring_balances_gravity():
    system = jd.System("hung", gravity=(0, 0, -10.0))
    system.add(jd.RigidBody("weight", mass=2.0), jd.Prismatic("z", axis="z"))
    model = tied(system, ("world", "weight.origin", 400.0, 0.3, 0.0, 0.0))
    found = model.equilibrium(model.state({"z": -0.4}))
    assert found.state.q[0] == pytest.approx(-(0.3 + 20.0 / 400.0), abs=1e-10)
