"""Rigid-body motions with an answer in closed form."""

import numpy as np
import pytest
from scipy.special import ellipj, ellipk, ellipkinc

import jourdain as jd

TIGHT = {"rtol": 1e-13, "atol": 1e-14}


def rotation(vector: np.ndarray) -> np.ndarray:
    """Rodrigues' rotation by a rotation vector."""
    from scipy.spatial.transform import Rotation

    return Rotation.from_rotvec(vector).as_matrix()


def spinning_body(inertia, rates) -> tuple[jd.Model, jd.State]:
    system = jd.System("spinning body")
    system.add(jd.RigidBody("body", mass=1.0, inertia=inertia), joint=jd.Spherical("ball"))
    model = system.compile()
    return model, model.state(v={"ball": rates})


def test_a_symmetric_top_precesses_about_its_angular_momentum():
    """Euler's free top: R(t) = exp(L t / A) exp(e3 (1 - C/A) w3 t), so the figure axis turns at |L| / A."""
    A, C = 0.4, 0.7
    rates = np.array([0.8, 0.0, 3.0])
    model, state = spinning_body((A, A, C), rates)
    run = jd.simulate(model, state, until=20.0, output=0.5, **TIGHT)
    L = np.array([A, A, C]) * rates
    for i in range(len(run)):
        t = run.record.time[i]
        closed = rotation(L / A * t) @ rotation(np.array([0, 0, (1 - C / A) * rates[2] * t]))
        assert np.max(np.abs(model.pose("body.origin", run.state(i)).rotation - closed)) < 1e-10
    # seen from the body the rates turn at (C - A) / A w3
    angle = np.unwrap(np.arctan2(run.v["ball.wy"].values, run.v["ball.wx"].values))
    assert np.polyfit(run.record.time, angle, 1)[0] == pytest.approx((C - A) / A * rates[2], rel=1e-10)


@pytest.mark.parametrize("lean", [1e-2, 0.3])
def test_the_intermediate_axis_follows_jacobis_functions(lean):
    """Landau & Lifshitz, Mechanics, eq. 37.10, for L^2 > 2 T I2: w1 ~ cn, w2 ~ sn, w3 ~ dn."""
    I1, I2, I3 = 1.0, 2.0, 3.0
    start = np.array([0.5 * lean, 2.0, lean])
    T2, LL = np.array([I1, I2, I3]) @ start**2, np.array([I1, I2, I3]) ** 2 @ start**2
    assert LL > T2 * I2
    a1 = np.sqrt((T2 * I3 - LL) / (I1 * (I3 - I1)))
    a2 = np.sqrt((T2 * I3 - LL) / (I2 * (I3 - I2)))
    a3 = np.sqrt((LL - T2 * I1) / (I3 * (I3 - I1)))
    n = np.sqrt((I3 - I2) * (LL - T2 * I1) / (I1 * I2 * I3))
    m = (I2 - I1) * (T2 * I3 - LL) / ((I3 - I2) * (LL - T2 * I1))
    phase = ellipkinc(np.arcsin(start[1] / a2), m)
    period = 4.0 * ellipk(m) / n

    model, state = spinning_body((I1, I2, I3), start)
    run = jd.simulate(model, state, until=2.0 * period, output=period / 32, **TIGHT)
    sn, cn, dn, _ = ellipj(n * run.record.time + phase, m)
    closed = np.column_stack([a1 * cn, a2 * sn, a3 * dn])
    assert np.max(np.abs(run.record.v - closed)) < 1e-9
    assert run.record.v[16] == pytest.approx(start * [-1, -1, 1], abs=1e-9)  # turned over after half a period
    assert run.record.v[32] == pytest.approx(start, abs=1e-9)


@pytest.mark.parametrize("swing", [0.1, 1.5, 3.0])
def test_period_of_a_compound_pendulum(swing):
    """T = 4 sqrt(J / m g d) K(sin^2(swing / 2)), J about the pivot."""
    mass, d, J = 3.0, 0.4, 0.2
    pendulum = jd.System("pendulum", gravity=(0, 0, -9.81))
    pendulum.add(
        jd.RigidBody("bob", mass=mass, com=(0, 0, -d), inertia=(J, J, 0.1)), joint=jd.Revolute("pivot", axis="x")
    )
    model = pendulum.compile()
    period = 4.0 * np.sqrt((J + mass * d**2) / (mass * 9.81 * d)) * ellipk(np.sin(swing / 2) ** 2)
    run = jd.simulate(model, model.state(q={"pivot": swing}), until=period, output=period / 4, **TIGHT)
    assert run.q["pivot"].values == pytest.approx(swing * np.array([1, 0, -1, 0, 1]), abs=1e-9)


def test_a_nut_runs_down_its_screw():
    """Vertical screw: (J + m r^2 + m h^2) angle'' = -m g h; the centre of mass may lie off the axis by r."""
    mass, J, pitch, r = 2.0, 0.05, 0.03, 0.1
    screw = jd.System("screw", gravity=(0, 0, -9.81))
    screw.add(jd.RigidBody("nut", mass=mass, com=(r, 0, 0.2), inertia=(J, J, J)), jd.Screw("thread", pitch=pitch))
    model = screw.compile()
    run = jd.simulate(model, model.state(v={"thread": 1.0}), until=5.0, step=0.1)
    acceleration = -mass * 9.81 * pitch / (J + mass * r**2 + mass * pitch**2)
    t = run.record.time
    assert run.q["thread"].values == pytest.approx(t + 0.5 * acceleration * t**2, rel=1e-12, abs=1e-12)
    assert run.frame("nut.origin").position.values[:, 2] == pytest.approx(pitch * run.q["thread"].values, abs=1e-12)


def test_a_body_thrown_while_it_turns_keeps_to_its_parabola():
    throw = jd.System("throw", gravity=(0, 0, -9.81))
    throw.add(jd.RigidBody("body", mass=2.0, com=(0.3, -0.2, 0.1), inertia=(0.3, 0.2, 0.15)), joint=jd.Free("free"))
    model = throw.compile()
    state = model.state(v={"free": (1.0, -2.0, 3.0, 0.5, 0.4, 5.0)})
    run = jd.simulate(model, state, until=2.0, output=0.1, **TIGHT)
    t = run.record.time[:, None]
    speed = model.momentum(state).linear / 2.0
    path = model.centre_of_mass(state) + t * speed + 0.5 * t**2 * np.array([0, 0, -9.81])
    assert np.max(np.abs(np.array([model.centre_of_mass(q) for q in run.record.q]) - path)) < 1e-11


@pytest.mark.parametrize("kind", [jd.Revolute, jd.Prismatic])
def test_a_damped_oscillator(kind):
    """x'' + 2 z w x' + w^2 (x - rest) = 0, underdamped."""
    inertia, stiffness, damping, rest, start = 2.0, 50.0, 3.0, 0.2, 0.7
    system = jd.System("oscillator")
    spring = {"stiffness": stiffness, "damping": damping, "rest": rest}
    system.add(jd.RigidBody("mass", mass=inertia, inertia=[inertia] * 3), joint=kind("x", axis="x", **spring))
    model = system.compile()
    run = jd.simulate(model, model.state(q={"x": start}), until=10.0, output=0.1, **TIGHT)
    decay, w = damping / (2 * inertia), np.sqrt(stiffness / inertia)
    wd = np.sqrt(w**2 - decay**2)
    t = run.record.time
    closed = rest + (start - rest) * np.exp(-decay * t) * (np.cos(wd * t) + decay / wd * np.sin(wd * t))
    assert run.q["x"].values == pytest.approx(closed, abs=1e-12)
    assert run.energy["strain"].values == pytest.approx(0.5 * stiffness * (closed - rest) ** 2, abs=1e-11)
    assert run.energy["dissipated"].values[-1] == pytest.approx(0.5 * stiffness * (start - rest) ** 2, rel=1e-6)
    assert run.energy.error < 1e-12
