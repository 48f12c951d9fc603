"""`inertia` and `gyroscopic` of a `jd.Solid`: the inversions of Kim 1999, section 4.3 (digest 2.8 and 2.10)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import jourdain as jd
from jourdain.describe.bodies.floating_frame.modal_tables import rows_left

SOFT = jd.Material(E=1e6, nu=0.3, density=1000.0)


def patch(**given) -> jd.Solid:
    """The patch of the digest: 3 x 2 QUAD4 on 1.5 x 1 m."""
    return jd.Solid("patch", jd.mesh.rectangle((1.5, 1.0), (3, 2)), SOFT, "stress", 0.1, element="linear", **given)


def flying(carries: str = "", **given) -> jd.Model:
    """The patch in free flight, with or without something that it carries, as the next body or not."""
    system = jd.System("flight", gravity=(0.0, 0.0, -9.81))
    system.add(patch(frames={"corner": (1.5, 1.0)}, **given), jd.Free("base"))
    if carries == "behind":
        system.add(jd.RigidBody("other", mass=1.0, inertia=(1.0, 1.0, 1.0)), jd.Free("elsewhere"))
    if carries:
        system.add(jd.RigidBody("lamp", mass=2.0), jd.Weld("hook"), to="patch.corner")
    return system.compile()


def random_state(model: jd.Model, rng) -> jd.State:
    """Nodal displacements of standard deviation 0.02 m, as in the digest."""
    q, v = model.state().q.copy(), rng.normal(size=model.nv)
    q[7:28] = 0.02 * rng.normal(size=21)
    return model.state(q=q, v=v)


def test_the_factor_is_that_of_the_elimination(rng):
    """M = W^T diag(d) W, with rows w_k = (left_k d_k, 1) and 1 / d_k on the diagonal."""
    A = rng.normal(size=(7, 7))
    M = A @ A.T + np.eye(7)
    rows = rows_left(M)
    d = np.diag(rows)
    W = d[:, None] * np.tril(rows, -1) + np.eye(7)
    assert W.T @ np.diag(1.0 / d) @ W == pytest.approx(M, rel=1e-13)


@pytest.mark.parametrize("inertia", ["full", "rotated", "constant"])
@pytest.mark.parametrize("carries", ["", "next", "behind"])
def test_accelerations_are_those_of_the_direct_inverse(inertia, carries, rng):
    """Forward dynamics by the factor that was made once, and by the elimination where a child adds to the mass or an
    acceleration is known, against the whole mass matrix and inverse dynamics."""
    model = flying(carries, inertia=inertia)
    state = random_state(model, rng)
    M = model.mass_matrix(state)
    push = rng.normal(size=model.nv)
    direct = np.linalg.solve(M, push - model.inverse_dynamics(state, np.zeros(model.nv)))
    ours = model.forward_dynamics(state, push)
    assert np.max(np.abs(ours - direct)) < 1e-12 * np.max(np.abs(direct))
    name = list(model.index.v)[10]
    hybrid = model.hybrid_dynamics(state, push, {name: 3.0})
    effort = model.inverse_dynamics(state, hybrid.acceleration)
    effort[10] = push[10]
    assert hybrid.acceleration[10] == 3.0 and effort == pytest.approx(push, abs=1e-9 * np.max(np.abs(push)))


def test_the_inverse_by_the_factor_is_the_direct_one(rng):
    """M^-1 column by column, on the patch of the digest, where it agrees to 6e-14."""
    model = flying(inertia="rotated")
    state = random_state(model, rng)
    direct = np.linalg.inv(model.mass_matrix(state))
    rest = model.forward_dynamics(state)
    ours = np.column_stack([model.forward_dynamics(state, 1e3 * one) - rest for one in np.eye(model.nv)]) / 1e3
    assert np.max(np.abs(ours - direct)) < 1e-13 * np.max(np.abs(direct))


def test_a_constant_mass_differs_by_the_order_of_the_displacements(rng):
    """Displacements of 2 % of the length put the inverse of the mass in error by 1 to 2 % of its largest entry, and a
    tenth of them a tenth of that. (The digest's 8 % are of the inverse with the stiffness of a step.)"""
    whole, constant = flying(), flying(inertia="constant")
    state = random_state(whole, rng)
    errors = []
    for part in (1.0, 0.1):
        q = state.q.copy()
        q[7:] *= part
        inverse, other = (np.linalg.inv(one.mass_matrix(one.state(q=q))) for one in (whole, constant))
        errors.append(np.max(np.abs(other - inverse)) / np.max(np.abs(inverse)))
    assert 0.005 < errors[0] < 0.05 and errors[1] == pytest.approx(0.1 * errors[0], rel=0.5)
    still = constant.mass_matrix(constant.state())
    assert constant.mass_matrix(constant.state(q=q)) == pytest.approx(still, abs=1e-12 * np.max(still))


def test_a_constant_mass_keeps_the_forces_of_velocities(rng):
    whole, constant, calm = flying(), flying(inertia="constant"), flying(gyroscopic=False)
    state = random_state(whole, rng)
    v = np.concatenate([state.v[:3], np.zeros(3), state.v[6:]])  # no acceleration comes with the axes of the base
    bias = [one.inverse_dynamics(one.state(q=state.q, v=v), np.zeros(one.nv)) for one in (whole, constant, calm)]
    rest = [one.inverse_dynamics(one.state(q=state.q), np.zeros(one.nv)) for one in (whole, constant, calm)]
    moving = [a - b for a, b in zip(bias, rest)]
    scale = np.max(np.abs(moving[0]))
    assert moving[1] == pytest.approx(moving[0], abs=1e-12 * scale)
    assert moving[2][:6] == pytest.approx(moving[0][:6], abs=1e-12 * scale)
    assert np.max(np.abs(moving[0][6:])) > 0.1 and moving[2][6:] == pytest.approx(0.0, abs=1e-9)  # undamped


@pytest.mark.parametrize("given", [{"inertia": "constant"}, {"gyroscopic": False},
                                   {"inertia": "constant", "gyroscopic": False}])  # fmt: skip
def test_derivatives_and_integrals_know_what_is_left_out(given, rng):
    """The analytical derivatives against complex steps of inverse dynamics, and the kernels against NumPy."""
    model, body = flying(**given), patch(**given)
    state, acceleration = random_state(model, rng), rng.normal(size=model.nv)
    D = model.inverse_dynamics_derivatives(state, acceleration)
    exact = model.inverse_dynamics_derivatives(state, acceleration, method="complex-step")
    for ours, expected in zip(D[:2], exact[:2]):
        assert ours == pytest.approx(expected, abs=1e-10 * np.max(np.abs(expected)))
    modal = body.modal
    assert modal.deformed == ("inertia" not in given) and modal.gyroscopic == ("gyroscopic" not in given)
    q, v = model.state().q, state.v.copy()  # body axes are those of the world, its origin at rest
    q[7:], v[3:6] = state.q[7:], 0.0
    a = acceleration[3:6] + np.array([0.0, 0.0, 9.81])
    found = modal.forces(q[7:], v[6:], acceleration[6:], v[:3], acceleration[:3], a)
    ours = model.inverse_dynamics(model.state(q=q, v=v), acceleration)
    assert ours == pytest.approx(np.concatenate(found), rel=1e-10, abs=1e-9 * np.max(np.abs(ours)))


def test_it_is_written_and_refused(rng):
    body = patch(inertia="constant", gyroscopic=False)
    again = jd.Solid.from_dict(body.to_dict())
    assert (again.inertia, again.gyroscopic) == ("constant", False)
    assert replace(again.modal, deformed=True).deformed
    with pytest.raises(jd.errors.ModelError, match="allowed are 'full', 'rotated', 'constant'"):
        patch(inertia="fixed")
    with pytest.raises(jd.errors.ModelError, match="gyroscopic"):
        patch(gyroscopic="no")
