"""Cables against theory and against other formulations of the same thing.

The element is cubic, so that places converge with the fourth power of its length: with 16 elements the errors of smooth
lines are of the order of 1e-5 of the length (Gerstmayr & Shabana 2006), and tolerances here follow from that.
"""

from __future__ import annotations

import numpy as np
import pytest
from nato_shells import EA, EI, MASS, L, bent, elastica, held, laid
from scipy.optimize import brentq

import jourdain as jd
from jourdain.model.derivatives import tree_derivatives


def test_a_strip_under_a_moment_closes_into_a_circle():
    # M = 2 pi EI / L
    for elements, apart in ((8, 2e-4), (16, 5e-5)):
        model = held(elements, load={"moment": (0.0, 0.0, 2.0 * np.pi * EI / L)})
        s = 2.0 * np.pi * np.linspace(0.0, L, elements + 1)
        zero = np.zeros_like(s)
        place = np.stack([np.sin(s), 1.0 - np.cos(s), zero], axis=1) / (2.0 * np.pi)
        state = laid(model, place, np.stack([np.cos(s), np.sin(s), zero], axis=1))
        found = model.equilibrium(state).state
        assert np.linalg.norm(model.pose("line.tip", found.q).position) < apart


@pytest.mark.parametrize(("load", "stiff"), [(10.0, 1e4), (3.0, 1e6)])
def test_elastica(load, stiff):
    exact = elastica(load, stiff)
    assert bent(load, stiff, 24, exact) == pytest.approx(exact(L)[2:], abs=1e-5)


def test_stiffness_to_stretching_does_not_lock_bending():
    # with all of the stretch integrated, the error at EA L^2 / EI = 1e7 and 12 elements is 1.3e-3, not 7e-5
    exact = elastica(10.0, 1e7)
    errors = [np.linalg.norm(bent(10.0, 1e7, elements, exact) - exact(L)[2:]) for elements in (6, 12)]
    assert errors[1] < 1e-4
    assert errors[0] / errors[1] == pytest.approx(16.0, rel=0.2)


def test_cantilever_of_gerstmayr_and_irschik():
    """Gerstmayr & Irschik 2008: 2 m, 0.1 m square, P = 3 EI / L^2, so that EA L^2 / EI = 4800; the tip's displacement
    by Exudyn's ANCF cable with 256 elements, its authors' converged value."""
    x, y = 2.0 * bent(3.0, 4800.0, 24, elastica(3.0, 4800.0))
    assert (2.0 - x, y) == pytest.approx((0.508537304326, 1.207239854550), abs=5e-7)


def test_euler_buckling():
    # of an extensible column P (1 - P / EA) = pi^2 EI / (4 L^2): straight, dead load, sections across the line
    def softest(load):
        model = held(16)
        s = np.linspace(0.0, L, 17)
        g, zero = 1.0 - load / EA, np.zeros_like(s)
        state = laid(model, np.stack([g * s, zero, zero], axis=1), np.stack([g + zero, zero, zero], axis=1))
        K = tree_derivatives(model, state, np.zeros(model.nv))[0]
        return np.linalg.eigvalsh(0.5 * (K + K.T))[0]

    exact = brentq(lambda p: p * (1.0 - p / EA) - 0.25 * np.pi**2 * EI / L**2, 1.0, 4.0)
    assert brentq(softest, 2.0, 3.0, xtol=1e-9) == pytest.approx(exact, rel=1e-6)


def test_frequencies_of_bending_and_stretching():
    model = held(16)
    found = np.sort(model.frequencies(model.state()).rad)
    bending = np.array([1.8751040687, 4.6940911330, 7.8547574382]) ** 2 * np.sqrt(EI / MASS) / L**2
    for omega in bending:  # twice each, across y and across z
        assert np.sum(np.abs(found / omega - 1.0) < 1e-4) == 2
    stretching = (np.array([1.0, 3.0]) * np.pi / 2.0) * np.sqrt(EA / MASS) / L
    for omega, part in zip(stretching, (1e-5, 2e-4), strict=True):
        assert np.min(np.abs(found / omega - 1.0)) < part


def catenary(span, weight, stiff):
    """Force across H and at the left end up V [N] of an elastic catenary with its ends at one height (Irvine 1981)."""

    def gap(h):
        v = 0.5 * weight * L
        return h * L / stiff + 2.0 * h / weight * np.arcsinh(v / h) - span

    return brentq(gap, 1e-3, 1e4), 0.5 * weight * L


def test_catenary():
    elements, span, stiff = 24, 0.8, 1e4
    weight = MASS * 9.81
    h, v = catenary(span, weight, stiff)
    s = np.linspace(0.0, L, elements + 1)
    up = weight * s - v  # what the tension has upwards
    place = np.zeros((len(s), 3))
    place[:, 0] = h * s / stiff + h / weight * (np.arcsinh(up / h) + np.arcsinh(v / h))
    n = np.hypot(h, up)
    place[:, 2] = (0.5 * up**2 - 0.5 * v**2) / (weight * stiff) + (n - np.hypot(h, v)) / weight
    slope = np.stack([h / n, 0.0 * n, up / n], axis=1) * (1.0 + n / stiff)[:, None]
    system = jd.System("catenary", gravity=(0.0, 0.0, -9.81))
    system.add(jd.Cable("line", L, MASS, stiff, 0.0, elements=elements, root="pinned"), joint=jd.Weld("hold"))
    system.connect(jd.Spherical("end"), "line.tip", "world", position=(span, 0.0, 0.0))
    model = system.compile()
    state = laid(model, place, slope)
    state.q += 1e-4 * np.sin(np.arange(model.nq))  # begin elsewhere
    found = model.equilibrium(state).state
    again = laid(model, place, slope).q
    at = [k for k, name in enumerate(model.names.q) if name.startswith(("line.x", "line.z"))]
    assert np.max(np.abs(found.q - again)[at]) < 1e-5


@pytest.fixture(scope="module")
def flying():
    system = jd.System("flying", gravity=(0.0, 0.0, 0.0))
    system.add(jd.Cable("line", L, MASS, EA, EI, elements=8, root="free"), joint=jd.Weld("hold"))
    model = system.compile()
    state = model.state()
    rng = np.random.default_rng(3)
    s = np.linspace(0.0, L, 9)
    waves = rng.standard_normal((4, 3))
    shape = sum(waves[k] * np.cos(k * np.pi * s[:, None]) for k in range(4))
    slope = sum(-k * np.pi * waves[k] * np.sin(k * np.pi * s[:, None]) for k in range(4))
    state.v[:] = np.stack([shape, slope], axis=1).ravel()
    return model, state


def test_free_flight_keeps_momentum_and_energy(flying):
    model, state = flying
    run = jd.simulate(model, state, until=0.05, method="rk4", step=2e-5, output=0.01, progress=False)
    first, last = model.momentum(run.state(0)), model.momentum(run.state(-1))
    assert np.max(np.abs(last.linear - first.linear)) < 1e-12
    assert np.max(np.abs(last.angular - first.angular)) < 1e-12
    total = run.energy["total"].values
    assert np.max(np.abs(total / total[0] - 1.0)) < 1e-8


def test_explicit_and_implicit_agree_to_second_order(flying):
    model, state = flying

    def end(method, step):
        run = jd.simulate(model, state, until=5e-3, method=method, step=step, output=5e-3, progress=False)
        return run.state(-1).q

    exact = end("rk4", 1e-5)
    errors = [np.max(np.abs(end("newmark", step) - exact)) for step in (5e-5, 2.5e-5)]
    assert errors[0] / errors[1] == pytest.approx(4.0, rel=0.1)


def random_state(model, seed=5, size=0.02):
    rng = np.random.default_rng(seed)
    state = model.state()
    state.q += size * rng.standard_normal(model.nq)
    state.v[:] = rng.standard_normal(model.nv)
    return state


@pytest.fixture(scope="module")
def carried():
    """A cable on a hub that turns, with a body on a hinge at its tip."""
    system = jd.System("carried", gravity=(0.3, -9.81, 0.7))
    system.add(jd.RigidBody("hub", mass=2.0, com=(0.1, 0, 0), inertia=(0.3, 0.2, 0.25)), joint=jd.Universal("turn"))
    numbers = {"elements": 4, "damping": 1e-3, "pretension": 3.0, "rest_curvature": 0.6}
    system.add(
        jd.Cable("line", L, MASS, 50.0, EI, **numbers), joint=jd.Weld("on"), to="hub.origin", position=(0.2, 0, 0)
    )
    bob = jd.RigidBody("bob", mass=0.4, com=(0.05, 0.02, 0), inertia=(0.01, 0.012, 0.013))
    system.add(bob, joint=jd.Revolute("hinge", axis=(0, 0.6, 0.8)), to="line.tip")
    return system.compile()


def test_three_ways_of_the_dynamics_agree(carried):
    state = random_state(carried)
    a = carried.forward_dynamics(state)
    assert np.max(np.abs(carried.inverse_dynamics(state, a))) < 1e-9 * np.max(np.abs(a))
    M = carried.mass_matrix(state.q)
    assert np.linalg.eigvalsh(M)[0] > 0.0
    bias = carried.inverse_dynamics(state, np.zeros(carried.nv))
    assert np.max(np.abs(np.linalg.solve(M, -bias) - a)) < 1e-8 * np.max(np.abs(a))
    by_mass = 0.5 * state.v @ M @ state.v
    assert carried.energy(state).kinetic == pytest.approx(by_mass, rel=1e-12)


def test_power_balances_on_a_turning_hub(carried):
    run = jd.simulate(carried, random_state(carried), until=0.05, method="rk4", step=1e-4, output=0.005, progress=False)
    assert np.max(np.abs(run.energy["balance"].values)) < 1e-7 * np.max(run.energy["kinetic"].values)


def test_a_body_on_the_tip_is_the_same_by_a_loop():
    # carried by the tree, as an update of rank six; or free, and held by multipliers
    def build(loop):
        system = jd.System("tip", gravity=(0, 0, -9.81))
        system.add(jd.Cable("line", L, MASS, EA, EI, elements=4), joint=jd.Weld("hold"))
        bob = jd.RigidBody("bob", mass=0.4, com=(0.05, 0.02, 0.0), inertia=(0.01, 0.012, 0.013))
        if loop:
            system.add(bob, joint=jd.Free("fly"))
            system.connect(jd.Spherical("end"), "line.tip", "bob.origin")
        else:
            system.add(bob, joint=jd.Spherical("end"), to="line.tip")
        return system.compile()

    tree, loop = build(False), build(True)
    state, other = tree.state(), loop.state()
    names = [name for name in tree.names.q if name.startswith("line.")]
    e = 0.01 * np.random.default_rng(1).standard_normal(len(names))
    for name, value in zip(names, e, strict=True):
        state.q[tree.index.q[name]] = other.q[loop.index.q[name]] = value
    other.q[[loop.index.q[f"fly.{one}"] for one in "xyz"]] = tree.pose("line.tip", state.q).position
    other.q[[loop.index.q[f"fly.q{one}"] for one in "wxyz"]] = _quaternion(tree.pose("bob.origin", state.q).rotation)
    runs = [
        jd.simulate(model, start, until=1e-3, method="rk4", step=2e-5, output=1e-3, progress=False)
        for model, start in ((tree, state), (loop, other))
    ]
    ends = [
        run.state(-1).q[[model.index.q[name] for name in names]] for run, model in zip(runs, (tree, loop), strict=True)
    ]
    assert np.max(np.abs(ends[0] - ends[1])) < 1e-9


def _quaternion(R):
    from scipy.spatial.transform import Rotation

    x, y, z, w = Rotation.from_matrix(R).as_quat()
    return np.array([w, x, y, z])


def test_a_line_without_stiffness_to_bending_falls_as_a_chain():
    # a cable released from one end falls with g all along it until the tension reaches a point of it
    model = held(16, root="free", gravity=(0.0, 0.0, -9.81), EI=0.0)
    a = model.forward_dynamics(model.state())
    names = dict(zip(model.names.v, a, strict=True))
    assert names["line.z[3]"] == pytest.approx(-9.81, rel=1e-12)
    assert names["line.dz[3]"] == pytest.approx(0.0, abs=1e-9)


@pytest.mark.slow
def test_ellipsograph_of_the_seed():
    """Digest A 9, second example: ends that slide along x and y, a pendulum at mid-length, from rest at 45 degrees."""
    c = np.sqrt(0.5)
    tiny = {"mass": 1e-9, "inertia": (1e-9, 1e-9, 1e-9), "com": (0.0, 0.0, 0.0)}
    system = jd.System("ellipsograph", gravity=(0.0, -9.81, 0.0))
    system.add(jd.RigidBody("A", **tiny), joint=jd.Prismatic("slide_a", axis=(1, 0, 0)))
    system.add(jd.RigidBody("B", **tiny), joint=jd.Prismatic("slide_b", axis=(0, 1, 0)))
    turn = np.array([[-c, -c, 0.0], [c, -c, 0.0], [0.0, 0.0, 1.0]])
    beam = jd.Cable("beam", L, MASS, EA, EI, elements=20, root="pinned", frames={"middle": 0.5})
    system.add(beam, joint=jd.Weld("on"), to="A.origin", rotation=turn)
    bob = jd.RigidBody("pendulum", mass=0.2, inertia=(0.1, 0.1, 0.1), com=(0.0, -0.25, 0.0))
    system.add(bob, joint=jd.Revolute("hinge", axis=(0, 0, 1)), to="beam.middle", rotation=turn.T)
    system.connect(jd.Spherical("end"), "beam.tip", "B.origin")
    model = system.compile()
    start = model.state(q={"slide_a": c, "slide_b": c})
    run = jd.simulate(model, start, until=0.3, method="rk4", step=5e-5, output=0.1, progress=False)
    digest = [
        (0.741303, 0.666133, 0.346850, 0.306369, 0.002978, 0.033316),
        (0.812831, 0.532612, 0.349101, 0.177597, 0.001951, 0.281786),
        (0.895752, 0.282886, 0.401134, -0.005667, -0.021182, 0.607533),
    ]
    for i, row in enumerate(digest, start=1):
        state = run.state(i)
        R = model.pose("pendulum.origin", state.q).rotation
        middle = model.pose("beam.middle", state.q).position
        slides = [state.q[model.index.q[name]] for name in ("slide_a", "slide_b")]
        ours = (*slides, *middle[:2], np.arctan2(R[1, 0], R[0, 0]), model.energy(state).strain)
        assert ours == pytest.approx(row, abs=2e-6)
    assert run.energy["total"].values[0] == pytest.approx(2.9084916, abs=1e-7)
