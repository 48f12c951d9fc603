"""Sensitivities of runs by parameters, against variational equations with analytical derivatives, and other
formulations."""

from __future__ import annotations

import numpy as np
import pytest
from differences import SIXTH
from scipy.integrate import solve_ivp
from sensitive_systems import driven, flexible, looped, orbiting, rigid, started

import jourdain as jd

UNTIL = 0.12
AROUND = (-3, -2, -1, 1, 2, 3)


def reference(model: jd.Model, state: jd.State, names: list[str]) -> np.ndarray:
    """Slopes of (q, v) at the end by variational equations: S' = J S + df/dp, J from the analytical recursion and
    df/dp from differences of the right-hand side alone. It knows no loop, no tape and no steps in common."""
    nv, base = model.nv, model.parameters
    steps = {name: 1e-3 * (abs(base[name]) or 0.1) for name in names}
    near = {
        (name, k): model.with_parameters({name: base[name] + k * steps[name]}) for name in names for k in (-2, -1, 1, 2)
    }

    def rate(t: float, y: np.ndarray) -> np.ndarray:
        S = y[2 * nv :].reshape(2 * nv, len(names))
        here = model.state(y[:nv], y[nv : 2 * nv], t, state.z)
        d = model.forward_dynamics_derivatives(here)
        by = []
        for name in names:
            f = {k: near[name, k].forward_dynamics(here) for k in (-2, -1, 1, 2)}
            by.append((8.0 * (f[1] - f[-1]) - (f[2] - f[-2])) / (12.0 * steps[name]))
        top = S[nv:]
        bottom = d.dq @ S[:nv] + d.dv @ S[nv:] + np.array(by).T
        acceleration = model.forward_dynamics(here)
        return np.concatenate([y[nv : 2 * nv], acceleration, np.vstack([top, bottom]).ravel()])

    start = np.concatenate([state.q, state.v, np.zeros(2 * nv * len(names))])
    end = solve_ivp(rate, (0.0, UNTIL), start, method="DOP853", rtol=1e-11, atol=1e-12).y[:, -1]
    return end[2 * nv :].reshape(2 * nv, len(names))


@pytest.mark.parametrize(
    ("make", "names"),
    [
        (rigid, ["b2.mass", "b1.com.y", "b2.inertia.xy", "j1.stiffness", "j2.position.x"]),
        (flexible, ["b0.EI", "b0.damping", "b0.mass_per_length", "b0.length", "b1.mass"]),
        pytest.param(orbiting, ["b1.mass", "b0.com.z", "j1.position.y", "j0.damping"], marks=pytest.mark.slow),
        (driven, ["j0.drive.stiffness", "j0.drive.gear", "j0.drive.rotor_inertia", "b1.mass"]),
    ],
    ids=lambda one: one.__name__ if callable(one) else "",
)
def test_partials_are_those_of_the_variational_equations(make, names):
    model, state = started(make, np.random.default_rng(5))
    quantities = [f"q:{name}" for name in model.names.q] + [f"v:{name}" for name in model.names.v]
    found = jd.sensitivity(model, state, quantities, names, UNTIL, output=UNTIL)
    wanted = reference(model, state, names)
    scale = np.max(np.abs(wanted), axis=0)
    assert np.max(np.abs(found.derivatives[-1] - wanted) / scale) < 1e-8
    assert max(found.errors.values()) < 1e-8


def closed_reference(model: jd.Model, state: jd.State, names: list[str]) -> np.ndarray:
    """The same with loops: dense equations of motion with multipliers, their slopes along S and by each parameter
    from differences of sixth order, and a start that is assembled with each value."""
    nv, base = model.nv, model.parameters
    steps = {name: 1e-3 * max(abs(base[name]), 0.5) for name in names}
    near = {(name, k): model.with_parameters({name: base[name] + k * h}) for name, h in steps.items() for k in AROUND}

    def along(f, name: str) -> np.ndarray:
        h = steps[name]
        return sum(c * (f(near[name, k], k * h) - f(near[name, -k], -k * h)) / h for k, c in SIXTH.items())

    def acceleration(one: jd.Model, at: jd.State) -> np.ndarray:
        free, A = one.forward_dynamics(at), one.constraints.jacobian(at.q)
        W = np.linalg.solve(one.mass_matrix(at), A.T)
        return free - W @ np.linalg.solve(A @ W, A @ free + one.constraints.bias(at))

    def rate(t: float, y: np.ndarray) -> np.ndarray:
        x, S = y[: 2 * nv], y[2 * nv :].reshape(2 * nv, len(names))

        def moved(one: jd.Model, by: float, k: int = 0) -> np.ndarray:
            here = x + by * S[:, k]
            return acceleration(one, one.state(here[:nv], here[nv:], t))

        bottom = [along(lambda one, by, k=k: moved(one, by, k), name) for k, name in enumerate(names)]
        return np.concatenate([x[nv:], moved(model, 0.0), S[nv:].ravel(), np.transpose(bottom).ravel()])

    def begun(one: jd.Model, by: float) -> np.ndarray:
        start = one.assemble(state)
        return np.concatenate([start.q, start.v])

    first = np.transpose([along(begun, name) for name in names])
    start = np.concatenate([state.q, state.v, first.ravel()])
    end = solve_ivp(rate, (0.0, UNTIL), start, method="DOP853", rtol=1e-11, atol=1e-12).y[:, -1]
    return end[2 * nv :].reshape(2 * nv, len(names))


@pytest.mark.slow
@pytest.mark.parametrize("seed", [6, 7, 8])
def test_partials_of_random_machines_with_three_loops(seed: int):
    """Masses, damping, gravity, and lengths with which the loops close elsewhere. The first three seeds from 5 whose
    loops are far from a singular configuration, where differences of the reference itself would err more."""
    model, state = looped(np.random.default_rng(seed))
    A, root = model.constraints.jacobian(state.q), np.linalg.cholesky(model.mass_matrix(state))
    assert A.shape == (5, 8) and np.linalg.cond(np.linalg.solve(root, A.T)) < 20.0
    names = ["a2.mass", "b3.com.y", "a1.inertia.xy", "b1-hinge.damping", "gravity.z", "tie.length"]
    names.append("a2-hinge.position.x")
    quantities = [f"q:{name}" for name in model.names.q] + [f"v:{name}" for name in model.names.v]
    found = jd.sensitivity(model, state, quantities, names, UNTIL, output=UNTIL)
    wanted = closed_reference(model, state, names)
    assert np.max(np.abs(found.derivatives[-1] - wanted) / np.max(np.abs(wanted), axis=0)) < 1e-8


@pytest.mark.slow
def test_partials_of_a_loop_are_those_of_the_tree_that_it_is():
    """A pendulum on its joint, and the same body held by a joint that closes a loop."""

    def pendulum(loop: bool) -> jd.Model:
        system = jd.System("pendulum", gravity=(0.0, 0.0, -9.81))
        bob = jd.RigidBody("bob", mass=1.3, com=(0.8, 0.0, 0.1), inertia=(0.02, 0.03, 0.04))
        if not loop:
            system.add(bob, jd.Revolute("hinge", axis="y"))
            return system.compile()
        system.add(jd.RigidBody("cart", mass=0.5, inertia=(0.1, 0.1, 0.1)), jd.Prismatic("x", axis="x"))
        system.add(
            jd.RigidBody("lift", mass=0.5, inertia=(0.1, 0.1, 0.1)), jd.Prismatic("z", axis="z"), to="cart.origin"
        )
        system.add(bob, jd.Revolute("hinge", axis="y"), to="lift.origin")
        system.connect(jd.Spherical("pin"), "bob.origin", "world")
        return system.compile()

    names = ["bob.mass", "bob.com.x", "bob.inertia.yy", "gravity.z"]
    found = []
    for loop in (False, True):
        model = pendulum(loop)
        state = model.state(q={"hinge": 0.4}, v={"hinge": 1.0})
        found.append(jd.sensitivity(model, state, ["hinge", "v:hinge", "bob.origin.x"], names, 0.8, output=0.1))
    assert np.max(np.abs(found[0].derivatives[:, :2])) > 1.0
    assert found[1].derivatives[:, :2] == pytest.approx(found[0].derivatives[:, :2], abs=1e-8)


@pytest.fixture(scope="module")
def pendulum() -> jd.Model:
    system = jd.System("pendulum", gravity=(0.0, 0.0, -9.81))
    system.add(
        jd.RigidBody("bob", mass=1.0, com=(1.0, 0.0, 0.0), inertia=(0.01, 0.02, 0.02)), jd.Revolute("hinge", axis="y")
    )
    return system.compile()


@jd.law
def brake(t, q, v, z, s, p, effort, dz):
    effort[0] -= p[0] * v[0]


def test_states_laws_and_numbers_at_the_edge(pendulum):
    """Slopes by the state, by a law's number, and by a damping of zero, which cannot be negative: complex step."""

    def swing(p: np.ndarray) -> np.ndarray:
        def rate(t, y):
            return np.array([y[1], (9.81 * np.cos(y[0]) - (p[1] + p[2]) * y[1]) / 1.02])

        start = np.array([p[0], p[3]], complex)
        return solve_ivp(rate, (0.0, 2.0), start, method="DOP853", rtol=1e-12, atol=1e-14).y[:, -1]

    names = ["state.q.hinge", "brake[0]", "hinge.damping", "state.v.hinge"]
    found = jd.sensitivity(
        pendulum, pendulum.state(q={"hinge": 0.3}), ["hinge", "v:hinge"], names, 2.0, controller=brake(0.4)
    )
    for k, p in enumerate(1e-30j * np.eye(4) + np.array([0.3, 0.4, 0.0, 0.0])):
        assert found.derivatives[-1, :, k] == pytest.approx(swing(p).imag / 1e-30, rel=1e-8)
    assert found["hinge", "brake[0]"][-1] == found.derivatives[-1, 0, 1]
    assert found.to_dataset()["slope"].dims == ("time", "quantity", "parameter")
    assert "d hinge / d brake[0]" in repr(found)


def test_fixed_steps_and_contacts(pendulum):
    """At fixed steps the scheme itself is differentiated; a ball that bounces has the slope of its closed form."""
    state = pendulum.state(q={"hinge": 0.3})
    fixed = jd.sensitivity(pendulum, state, ["hinge"], ["bob.com.x"], 1.0, step=0.01)
    free = jd.sensitivity(pendulum, state, ["hinge"], ["bob.com.x"], 1.0, output=0.01)
    assert fixed.derivatives == pytest.approx(free.derivatives, abs=1e-6)

    system = jd.System("drop", gravity=(0.0, 0.0, -10.0))
    system.add(jd.RigidBody("ball", mass=1.0), jd.Prismatic("fall", axis="z"))
    ball, floor = jd.Sphere(0.1).at("ball.origin"), jd.Plane((0.0, 0.0, 1.0), offset=-0.1).at("world")
    system.contact("touch", ball, floor, jd.contact.LinearContact(stiffness=1e4, damping=0.0))
    model = system.compile()
    found = jd.sensitivity(
        model, model.state(q={"fall": 0.5}), ["fall"], ["touch.normal.stiffness", "state.q.fall"], 0.45, output=0.45
    )
    # up again at t = T1 + T2 with its speed of touchdown u: z = u s - g s^2 / 2, s = t - T1 - T2, T1 = u / g,
    # T2 = (pi + 2 atan(g / (w u))) / w
    g = 10.0

    def height(k: complex, z0: complex) -> complex:
        u, w = np.sqrt(2.0 * g * z0), np.sqrt(k)
        s = 0.45 - u / g - (np.pi + 2.0 * np.arctan(g / (w * u))) / w
        return u * s - 0.5 * g * s * s

    wanted = [height(1e4 + 1e-30j, 0.5).imag / 1e-30, height(1e4, 0.5 + 1e-30j).imag / 1e-30]
    assert found.values[-1, 0] == pytest.approx(height(1e4, 0.5).real, abs=1e-8)
    assert found.derivatives[-1, 0] == pytest.approx(wanted, rel=1e-5)


def test_what_is_wrong_is_told(pendulum):
    state = pendulum.state()
    for quantities, names, more, words in (
        (["hinge"], ["bob.mas"], {}, "bob has mass"),
        (["hing"], ["bob.mass"], {}, "hinge"),
        ([], ["bob.mass"], {}, "give a list of names"),
        (["hinge"], "bob.mass", {}, "give a list of names"),
        (["hinge"], ["state.q.elbow"], {}, "no such coordinate"),
        (["hinge"], ["bob.mass"], {"output": 0.3}, "whole number of intervals"),
    ):
        with pytest.raises(jd.JourdainError, match=words):
            jd.sensitivity(pendulum, state, quantities, names, 1.0, **more)
    with pytest.raises(jd.JourdainError, match="a time after"):
        jd.sensitivity(pendulum, state, ["hinge"], ["bob.mass"], -1.0)
