"""Linear models take the compiled slopes of contacts, laws and constraints: against differences of all that acts."""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd

G = 9.81
ANY = (0.2, 1.0, 0.1)


@jd.law(markers=["cup.tip"])
def tether(t, q, v, z, s, p, effort, dz):
    """A hardening spring with drag on the force of a marker, and a moment that follows its spin."""
    for k in range(3):
        effort[3 + k] += -p[0] * s[k] * (1.0 + s[k] * s[k]) - p[1] * s[10 + k]
        effort[k] += -0.1 * s[7 + k]


@jd.law(states=2, contacts=["touch"])
def yielding(t, q, v, z, s, p, effort, dz):
    """Gives way to the force of the contact, by a filter of its own."""
    dz[0] = 20.0 * (s[2] - z[0])
    dz[1] = q[7] - z[1] * v[6]
    for k in range(v.size):
        effort[k] += -p[0] * v[k] * (1.0 + 0.1 * q[7]) + p[1] * z[0] - p[2] * z[1] + 1e-3 * s[0] * v[k]


def closed_loop(length=None):
    """A free body with two arms that a rod, or a ball joint, closes; one arm rubs on the ground."""
    system = jd.System("everything", gravity=(0.5, 0, -G))
    body = dict(mass=1.0, inertia=(0.02, 0.03, 0.04), com=(0.1, 0.02, 0.0))
    system.add(jd.RigidBody("base", **body, frames={"side": (0.0, 0.3, 0.0)}), jd.Free("free"))
    system.add(
        jd.RigidBody("arm", **body, frames={"tip": (0.4, 0.0, 0.0)}), jd.Revolute("hip", axis=ANY), to="base.origin"
    )
    system.add(jd.RigidBody("cup", **body, frames={"tip": (0.4, 0.0, 0.0)}), jd.Spherical("ball"), to="base.side")
    closing = jd.Spherical("close") if length is None else jd.constraints.Rod("close", length=length)
    system.connect(closing, "arm.tip", "cup.tip")
    system.contact(
        "touch",
        jd.Sphere(0.1).at("arm.tip"),
        jd.Plane((0, 0, 1)).at("world"),
        normal=jd.HertzContact(stiffness=1e5, restitution=0.6),
        friction=jd.BristleFriction(static=0.4, kinetic=0.3, stiffness=1e4, damping=20.0, stribeck=0.5, dwell=0.1),
    )
    system.force("tether", at="cup.tip", force=tether(30.0, 2.0))
    return system.compile()


def moving(model, depth=2e-3, time=0.0):
    """A state on the constraints, in motion, in which the contact has begun."""
    rng = np.random.default_rng(3)
    rest = model.state(q={"free": jd.Pose((0.1, 0.2, 0.3), (0.7, 0.1, -0.1, 0.7)), "hip": 0.3}, time=time)
    state = model.assemble(rest)
    down = model.pose("arm.tip", state).position[2] - 0.1 + depth
    state.q[2] -= down
    A, rate = model.constraints.jacobian(state.q, time=time), model.constraints.rate(state)
    wanted = 0.3 * rng.normal(size=model.nv)
    state.v[:] = wanted - np.linalg.pinv(A) @ (A @ wanted + rate - A @ state.v)
    return state


def without_formulas(monkeypatch):
    """Lets linear models difference all that acts, as where no formula covers a model."""
    for module in ("applied_forces", "constrained", "signals"):
        monkeypatch.setattr(f"jourdain.model.linear.{module}.analytical", lambda model: False)


OUTPUTS = ["touch.fx", "touch.fz", "touch.ty", "cup.tip.vx", "cup.tip.wz", "x:hip", "v:hip"]


@pytest.mark.parametrize("driven", [False, True], ids=["ball joint", "rod that grows"])
def test_contact_friction_laws_and_a_loop_together(monkeypatch, driven):
    """Differences of fourth order with steps of a hundredth of the depth leave eight digits of the stiffest entry."""
    model = closed_loop(jd.Polynomial((0.25, 0.2, -0.3)) if driven else None)
    state, controller = moving(model, time=0.1), yielding(0.5, 0.1, 2.0)
    found = model.linearize(state, controller=controller, outputs=OUTPUTS)
    without_formulas(monkeypatch)
    wanted = model.linearize(state, controller=controller, outputs=OUTPUTS)
    assert found.states == wanted.states and len(found.states) > 2 * (6 + 1)
    for one, other in ((found.A, wanted.A), (found.C, wanted.C)):
        rows = np.max(np.abs(other), axis=1, keepdims=True)
        assert np.max(np.abs(one - other) / np.maximum(rows, 1.0)) < 2e-8


def test_constraints_of_a_loop_in_motion_against_differences(monkeypatch):
    """Nothing is stiff here, so that differences of rows with steps of 1e-3 leave ten digits."""
    from jourdain.model.linear import constrained

    model = closed_loop(jd.Polynomial((0.25, 0.2, -0.3)))
    state = moving(model, time=0.1)
    rng = np.random.default_rng(1)
    acceleration, multipliers = rng.normal(size=model.nv), rng.normal(size=model.constraints.rows)

    def partials():
        return (
            constrained.rate_partials(model, state),
            constrained.geometric_stiffness(model, state, multipliers),
            *constrained.acceleration_partials(model, state, acceleration),
        )

    found = partials()
    without_formulas(monkeypatch)
    for one, other in zip(found, partials(), strict=True):
        assert np.max(np.abs(one - other)) < 1e-10 * max(1.0, np.max(np.abs(other)))


def test_a_light_contact_and_a_controller_that_senses_it():
    """k = 1.5 K sqrt(d), and a law that answers g f: no difference of the law takes a step that a nanometre feels."""

    @jd.law(contacts=["touch"])
    def answer(t, q, v, z, s, p, effort, dz):
        effort[0] += p[0] * s[2]

    system = jd.System("light")
    system.add(jd.RigidBody("ball", 1.5), jd.Prismatic("press", axis="z"))
    normal = jd.HertzContact(stiffness=1e6, restitution=1.0)
    system.contact("touch", jd.Sphere(0.1).at("ball.origin"), jd.Plane((0, 0, 1)).at("world"), normal=normal)
    model = system.compile()
    state = model.state(q={"press": 0.1 - 1e-9})
    depth = 0.1 - state.q[0]
    linear = model.linearize(state, controller=answer(0.7), outputs=["touch.fz"])
    stiffness = 1.5e6 * depth**0.5
    assert linear.A[1, 0] == pytest.approx(-1.7 * stiffness / 1.5, rel=1e-9)
    assert linear.C[0] == pytest.approx([-stiffness, 0.0], rel=1e-12)
