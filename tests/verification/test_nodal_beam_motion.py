"""Nodal beams that move: what is kept, joints and loops, spin-up, flying spaghetti, a double pendulum."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.linalg import cho_factor, cho_solve
from scipy.spatial.transform import Rotation

import jourdain as jd


@pytest.fixture(scope="module")
def flying():
    body = jd.NodalBeam("rod", 1.0, 0.78, 1e3, (2.0, 3.0), 1.5, GA=300.0, elements=4, root="free")
    system = jd.System("flying")
    system.add(body, joint=jd.Weld("hold"))
    model = system.compile()
    state = model.state()
    rng = np.random.default_rng(3)
    s = np.linspace(0.0, 1.0, 9)
    waves = rng.standard_normal((3, 9))
    state.v[:] = sum(waves[k] * np.cos(k * np.pi * s[:, None]) for k in range(3)).ravel()
    return model, state


def test_free_flight_keeps_momentum_and_energy(flying):
    model, state = flying
    run = jd.simulate(model, state, until=0.1, method="rk4", step=1e-4, output=0.02, progress=False)
    first, last = model.momentum(run.state(0)), model.momentum(run.state(-1))
    assert np.max(np.abs(last.linear - first.linear)) < 1e-12
    assert np.max(np.abs(last.angular - first.angular)) < 1e-7  # to the order of the method
    total = run.energy["total"].values
    assert np.max(np.abs(total / total[0] - 1.0)) < 1e-6


def test_explicit_and_implicit_agree_to_second_order(flying):
    model, state = flying

    def end(method, step):
        run = jd.simulate(model, state, until=5e-3, method=method, step=step, output=5e-3, progress=False)
        return run.state(-1).q

    exact = end("rk4", 2e-5)
    errors = [np.max(np.abs(end("newmark", step) - exact)) for step in (1e-4, 5e-5)]
    assert errors[0] / errors[1] == pytest.approx(4.0, rel=0.1)


@pytest.fixture(scope="module")
def carried():
    """A beam on a hub that turns, with a body on a hinge at its tip."""
    system = jd.System("carried", gravity=(0.3, -9.81, 0.7))
    system.add(jd.RigidBody("hub", mass=2.0, com=(0.1, 0, 0), inertia=(0.3, 0.2, 0.25)), joint=jd.Universal("turn"))
    line = jd.NodalBeam(
        "line", 1.0, 0.78, 500.0, (1.0, 2.0), 1.0, GA=100.0, elements=2, damping=1e-3, rest_curvature=(0.2, 0.1, 0.6)
    )
    system.add(line, joint=jd.Weld("on"), to="hub.origin", position=(0.2, 0, 0))
    bob = jd.RigidBody("bob", mass=0.4, com=(0.05, 0.02, 0), inertia=(0.01, 0.012, 0.013))
    system.add(bob, joint=jd.Revolute("hinge", axis=(0, 0.6, 0.8)), to="line.tip")
    return system.compile()


def random_state(model, seed=5, size=0.02):
    rng = np.random.default_rng(seed)
    state = model.state()
    state.q += size * rng.standard_normal(model.nq)
    state.v[:] = rng.standard_normal(model.nv)
    return state


def test_three_ways_of_the_dynamics_agree(carried):
    state = random_state(carried)
    a = carried.forward_dynamics(state)
    assert np.max(np.abs(carried.inverse_dynamics(state, a))) < 1e-9 * np.max(np.abs(a))
    M = carried.mass_matrix(state.q)
    assert np.linalg.eigvalsh(M)[0] > 0.0
    bias = carried.inverse_dynamics(state, np.zeros(carried.nv))
    assert np.max(np.abs(np.linalg.solve(M, -bias) - a)) < 1e-8 * np.max(np.abs(a))
    assert carried.energy(state).kinetic == pytest.approx(0.5 * state.v @ M @ state.v, rel=1e-12)


def test_power_balances_on_a_turning_hub(carried):
    start = random_state(carried, size=0.0)
    run = jd.simulate(carried, start, until=0.05, method="rk4", step=1e-4, output=0.005, progress=False)
    assert np.max(np.abs(run.energy["balance"].values)) < 1e-6 * np.max(run.energy["kinetic"].values)


def test_two_beams_joined_are_one_and_a_loop_does_as_the_tree_does():
    """Half a beam welded to the tip of another half; and the same weld as a loop."""
    told = {"mass_per_length": 0.78, "EA": 500.0, "EI": (1.0, 2.0), "GJ": 1.0, "GA": 100.0}

    def build(how):
        system = jd.System("halves", gravity=(0.0, -1.0, -9.81))
        if how == "one":
            system.add(jd.NodalBeam("a", 1.0, elements=4, **told), joint=jd.Weld("hold"))
            return system.compile(), "a.tip"
        system.add(jd.NodalBeam("a", 0.5, elements=2, **told), joint=jd.Weld("hold"))
        other = jd.NodalBeam("b", 0.5, elements=2, root="clamped" if how == "tree" else "free", **told)
        if how == "tree":
            system.add(other, joint=jd.Weld("on"), to="a.tip")
        else:
            system.add(other, joint=jd.Weld("on"), position=(0.5, 0.0, 0.0))
            system.connect(jd.Weld("seam"), "a.tip", "b.root")
        return system.compile(), "b.tip"

    ends = []
    for how in ("one", "tree", "loop"):
        model, tip = build(how)
        run = jd.simulate(model, model.state(), until=0.1, method="rk4", step=5e-5, output=0.1, progress=False)
        ends.append(model.pose(tip, run.state(-1).q))
    for end in ends[1:]:
        assert end.position == pytest.approx(ends[0].position, abs=1e-6)
        assert end.rotation == pytest.approx(ends[0].rotation, abs=1e-5)
    assert np.linalg.norm(ends[0].position - (1.0, 0.0, 0.0)) > 0.03


def spin_angle():
    t = np.arange(0.0, 24.01, 0.05)
    rising = 0.4 * (t**2 / 2 + (7.5 / np.pi) ** 2 * (np.cos(2 * np.pi * t / 15) - 1))
    return jd.Table(t, np.where(t < 15.0, rising, 6 * t - 45))


def test_spin_up():
    """Simo & Vu-Quoc 1987: peak lag -0.574 m near 6.76 s, residual under 4e-3 m, stretch 5.143e-4 m."""
    system = jd.System("spin-up")
    arm = jd.NodalBeam("b", 10.0, 1.2, 2.8e7, 1.4e4, 1e4, GA=1e7, elements=6, inertia_per_length=(1.2e-3, 6e-4, 6e-4))
    system.add(arm, joint=jd.Revolute("hinge", axis="z"))
    model = system.compile()
    run = jd.simulate(
        model, model.state(), until=18.0, method="generalized-alpha", step=0.01, output=0.02, progress=False,
        motions={"hinge": spin_angle()},
    )  # fmt: skip
    t, tip = run.record.time, run.deflection("b", [10.0]).values[:, 0]
    assert tip[:, 1].min() == pytest.approx(-0.574, abs=5e-4)
    assert t[np.argmin(tip[:, 1])] == pytest.approx(6.76, abs=0.03)
    assert np.max(np.abs(tip[t >= 15.0, 1])) < 4e-3
    assert tip[t > 16.5, 0].mean() == pytest.approx(5.143e-4, rel=2e-3)


def planar(elements, step, end=7.5):
    """Flying spaghetti by straight elements with an angle at each node (Simo & Vu-Quoc 1986), one point each, and the
    classical method of Runge and Kutta: displacement of both ends."""
    L, EA, GA, EI, density, inertia = 10.0, 1e4, 1e4, 100.0, 1.0, 10.0
    l, count = L / elements, elements + 1
    start = np.arctan2(4.0, 3.0)
    s = np.linspace(0.0, L, count)
    q = np.stack([s * np.cos(start), s * np.sin(start), np.full(count, start)], axis=1)
    M = np.zeros((count, count))
    for k in range(elements):
        M[k : k + 2, k : k + 2] += l / 6.0 * np.array([[2.0, 1.0], [1.0, 2.0]])
    factor = cho_factor(M)

    def acceleration(loaded, q):
        d, theta = (q[1:] - q[:-1]) / l, 0.5 * (q[1:, 2] + q[:-1, 2])
        c, z = np.cos(theta), np.sin(theta)
        along, across = c * d[:, 0] + z * d[:, 1], -z * d[:, 0] + c * d[:, 1]
        n, v, m = EA * (along - 1.0), GA * across, EI * d[:, 2]
        force = np.stack([c * n - z * v, z * n + c * v, m], axis=1)
        turn = 0.5 * l * (n * across - v * along)
        F = np.zeros_like(q)
        F[1:] -= force
        F[:-1] += force
        F[1:, 2] -= turn
        F[:-1, 2] -= turn
        F[-1] += loaded * np.array([8.0, 0.0, 80.0])
        return cho_solve(factor, F) / (density, density, inertia)

    first, v = q, np.zeros_like(q)
    for i in range(round(end / step)):
        on, h = float(i * step < 2.5 - 1e-9), step
        a1 = acceleration(on, q)
        v2 = v + 0.5 * h * a1
        a2 = acceleration(on, q + 0.5 * h * v)
        v3 = v + 0.5 * h * a2
        a3 = acceleration(on, q + 0.5 * h * v2)
        v4 = v + h * a3
        a4 = acceleration(on, q + h * v3)
        q, v = q + h / 6.0 * (v + 2.0 * v2 + 2.0 * v3 + v4), v + h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4)
    return (q - first)[[0, -1], :2]


@jd.law
def thrown(t, q, v, z, s, p, effort, dz):
    """Moment about y and force along x until 2.5 s."""
    if t <= 2.5:
        effort[1] += 80.0
        effort[3] += 8.0


@pytest.mark.slow
def test_flying_spaghetti():
    """Simo & Vu-Quoc 1986, in the plane; another code with 20 elements and steps of 0.01 s has 10.194, -0.388."""
    system = jd.System("spaghetti")
    body = jd.NodalBeam(
        "rod", 10.0, 1.0, 1e4, 100.0, 500.0, GA=1e4, elements=40, inertia_per_length=(20.0, 10.0, 10.0), root="free",
        rigidity=20.0,
    )  # fmt: skip
    turn = Rotation.from_rotvec((0.0, np.arctan2(4.0, 3.0), 0.0)).as_matrix()
    system.add(body, joint=jd.Weld("hold"), rotation=turn)
    system.force("load", "rod.tip", force=thrown())
    model = system.compile()
    run = jd.simulate(model, model.state(), until=7.5, method="rk4", step=2.5e-4, output=2.5, progress=False)
    moved = run.deflection("rod", [0.0, 10.0]).values[-1] @ turn.T
    coarse, fine = planar(40, 1.25e-3), planar(80, 6.25e-4)
    exact = (fine + (fine - coarse) / 3.0) * (1.0, -1.0)  # second order
    assert moved[:, [0, 2]] == pytest.approx(exact, abs=0.01)
    assert moved[1, [0, 2]] == pytest.approx((10.194, -0.388), abs=0.12)


@pytest.mark.slow
def test_a_falling_flexible_double_pendulum():
    """Two beams hinged to each other fall from the horizontal: 2 and 3 elements each, and chains of modal beams."""
    told = {"mass_per_length": 1.0, "EA": 4e4, "EI": 20.0, "GJ": 20.0}

    def nodal(elements):
        system = jd.System("nodal", gravity=(0.0, 0.0, -9.81))
        one, two = (jd.NodalBeam(x, 1.0, GA=1.5e4, elements=elements, **told) for x in ("a", "b"))
        system.add(one, joint=jd.Revolute("shoulder", axis="y"))
        system.add(two, joint=jd.Revolute("elbow", axis="y"), to="a.tip")
        return system.compile(), "b.tip", {"method": "rk4", "step": 4e-5}

    def modal(parts):
        system = jd.System("modal", gravity=(0.0, 0.0, -9.81))
        to = "world"
        for x in "ab":
            for k in range(parts):
                hinge = jd.Revolute(f"{x}{k}_hinge", axis="y") if k == 0 else jd.Weld(f"{x}{k}_weld")
                modes = jd.Modes(bending_z=2, axial=1)
                body = jd.Beam(f"{x}{k}", 1.0 / parts, modes=modes, rotary_inertia=True, **told)
                system.add(body, hinge, to=to)
                to = f"{x}{k}.tip"
        return system.compile(), to, {"rtol": 1e-8, "atol": 1e-10}

    ends = []
    for model, tip, how in (nodal(2), nodal(3), modal(4)):
        run = jd.simulate(model, model.state(), until=0.6, output=0.1, progress=False, **how)
        ends.append(np.array([model.pose(tip, run.state(i).q).position for i in range(7)]))
    assert np.max(np.abs(ends[0] - ends[1])) < 1e-3
    assert np.max(np.abs(ends[2] - ends[1])) < 3e-4
    assert np.max(np.linalg.norm(ends[1] - ends[1][0], axis=1)) > 1.5
