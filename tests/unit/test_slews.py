"""Slews without vibration: against closed forms of two masses and a spring, and by simulation of a flexible boom."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.linalg import expm
from scipy.optimize import fsolve

import jourdain as jd
from jourdain.compile.variation import with_parameters
from jourdain.methods.optimal.guesses import first_guess, sizes
from jourdain.methods.optimal.plants import Nodes
from jourdain.methods.optimal.schemes import even_mesh, scheme_named
from jourdain.methods.optimal.slews import AccelerationPlant
from jourdain.methods.optimal.transcription import Transcription

pytest.importorskip("casadi")
o = jd.optimal


def carts(stiffness=1.0):
    """Two masses of 1 kg and a spring, the plant of Liu & Wie 1992; a force acts on the first."""
    system = jd.System("carts")
    system.add(jd.RigidBody("one", 1.0, inertia=(1, 1, 1)), jd.Prismatic("cart", axis="x"))
    joint = jd.Prismatic("spring", axis="x", stiffness=stiffness)
    system.add(jd.RigidBody("two", 1.0, inertia=(1, 1, 1)), joint, to="one.origin")
    return system.compile()


def boom(EI=600.0):
    system = jd.System("boom")
    system.add(jd.RigidBody("bus", mass=50.0, inertia=(5, 5, 5)), jd.Revolute("hub", axis="z"))
    beam = jd.Beam("boom", 4.0, mass_per_length=0.5, EA=2e6, EI=EI, GJ=500.0, modes=jd.Modes(bending_y=2))
    system.add(beam, jd.Weld("root"), to="bus.origin")
    system.add(jd.RigidBody("camera", 1.0, inertia=(0.01, 0.01, 0.01)), jd.Weld("flange"), to="boom.tip")
    return system.compile()


@pytest.fixture(scope="module")
def pair():
    return carts()


@pytest.fixture(scope="module")
def arm():
    return boom()


def state_space(stiffness=1.0):
    """x = (cart, spring, rates): cart'' = u + k s, spring'' = -u - 2 k s."""
    A, B = np.zeros((4, 4)), np.array([0.0, 0.0, 1.0, -1.0])
    A[0, 2] = A[1, 3] = 1.0
    A[2, 1], A[3, 1] = stiffness, -2.0 * stiffness
    return A, B


def least_effort(T, stiffness=(1.0,)):
    """x^T W^-1 x with the Gramian W of all plants at once: the least integral of u^2 that moves each by one metre.

    The relative coordinate and its rate are brought to rest in every plant, the place and speed of the whole once.
    """
    parts = [state_space(k) for k in stiffness]
    n = len(parts)
    A, B = np.zeros((4 * n, 4 * n)), np.concatenate([one[1] for one in parts])
    for i, (a, _) in enumerate(parts):
        A[4 * i : 4 * i + 4, 4 * i : 4 * i + 4] = a
    block = np.zeros((8 * n, 8 * n))
    block[: 4 * n, : 4 * n], block[: 4 * n, 4 * n :], block[4 * n :, 4 * n :] = -A, np.outer(B, B), A.T
    found = expm(block * T)
    W = found[4 * n :, 4 * n :].T @ found[: 4 * n, 4 * n :]
    rows = [0, 1, 2, 3, *(4 * i + j for i in range(1, n) for j in (1, 3))]
    x = np.zeros(len(rows))
    x[0] = 1.0
    return float(x @ np.linalg.solve(W[np.ix_(rows, rows)], x))


@pytest.mark.parametrize("robust", [None, 0.1])
def test_least_effort_is_that_of_the_gramian(pair, robust):
    stiffness = (1.0,) if robust is None else (1.0, 0.9**2, 1.1**2)
    # of order four: 60 intervals are off by 8e-5 of the robust cost, 120 by a sixteenth of that
    intervals = 60 if robust is None else 120
    best = o.slew(pair, end={"cart": 1.0}, until=8.0, inputs=("cart",), by="effort", robust=robust, intervals=intervals)
    assert best.converged and best.cost == pytest.approx(least_effort(8.0, stiffness), rel=1e-5)
    for k in stiffness:
        run = jd.simulate(carts(k), carts(k).state(), 10.0, output=0.5, controller=best.efforts)
        assert run.record.q[-5:, 0] == pytest.approx(1.0, abs=2e-4)
        assert run.record.q[-5:, 1] == pytest.approx(0.0, abs=2e-4)


def least_time():
    """Of the benchmark with |u| <= 1: bang-bang, even about its middle; 4.218 s of Liu & Wie 1992.

    Rest of an oscillator of w = sqrt 2 under u = 1, -1, 1, -1 with switches at half -+ a, and half.
    """
    w = np.sqrt(2.0)

    def off(x):
        half, a = x
        # residual vibration of an input that is odd about its middle, and twice the distance per unit of mass
        vibration = 1.0 - 2.0 * np.cos(w * a) + np.cos(w * half)
        return [vibration, half**2 - 2.0 * a**2 - 2.0 * 1.0]

    half, a = fsolve(off, [2.1, 1.1])
    return 2.0 * half


def test_least_time_and_least_peak_of_the_benchmark(pair):
    T = least_time()
    assert T == pytest.approx(4.218, abs=1e-3)
    limits = {"effort:cart": (-1.0, 1.0)}
    fast = o.slew(
        pair, end={"cart": 1.0}, until=(3.0, 6.0), cost="time", limits=limits, inputs=("cart",), by="effort",
        intervals=60, scheme="radau",
    )  # fmt: skip
    # switches lie inside intervals of 0.07 s: the time is off by the second order of these
    assert T - 1e-4 < fast.duration < T + 0.07**2
    low = o.slew(
        pair, end={"cart": 1.0}, until=T, cost="peak", inputs=("cart",), by="effort", intervals=60, scheme="radau"
    )
    assert low.cost == pytest.approx(1.0, abs=0.01) and low.cost > 1.0 - 1e-4
    assert np.max(np.abs(low["effort:cart"])) == pytest.approx(low.cost, rel=1e-5)


def test_residual_energy_is_what_a_simulation_finds(pair):
    """A slew that is too short for the limit leaves as little as it can; what is told is there."""
    cost = o.residual() + 1e-6 * o.effort()
    limits = {"effort:cart": (-1.0, 1.0)}
    T = 4.0
    best = o.slew(
        pair, end={"cart": 0.9}, until=T, cost=cost, limits=limits, inputs=("cart",), by="effort", intervals=80
    )
    run = jd.simulate(pair, pair.state(), T, controller=best.efforts)
    left = sum(float(jd.quantity(run, f"energy:{word}").values[-1]) for word in ("kinetic", "strain"))
    told = best.cost - 1e-6 * np.trapezoid(best["effort:cart"] ** 2, best.times)
    assert told == pytest.approx(left, rel=0.05, abs=1e-5)
    free = o.slew(pair, end={"cart": 0.9}, until=T, cost=cost, inputs=("cart",), by="effort", intervals=40)
    assert free.cost < 1e-4


@pytest.mark.parametrize("by", ["motion", "effort"])
def test_hessians_of_a_family(arm, by):
    """Of the whole program, against differences of its gradients."""
    problem = o.Slew(arm, end={"hub": 0.5}, until=1.0, by=by, robust=0.1, cost=o.effort() + o.peak())
    mesh = even_mesh(scheme_named("hermite-simpson"), 1)
    point = first_guess(problem, mesh, None)
    rng = np.random.default_rng(2)
    point.X += 0.05 * rng.normal(size=point.X.shape)
    program = Transcription(problem.task, mesh, sizes(problem, mesh, point), "exact")
    x, multipliers, h = program.unknowns(point), rng.normal(size=len(program.g_low)), 1e-5
    found = np.zeros((len(x), len(x)))
    np.add.at(found, program.hessian_at, program.hessian(x, 0.7, multipliers))
    found = np.tril(found) + np.tril(found, -1).T

    def slope(x):
        J = np.zeros((len(program.g_low), len(x)))
        np.add.at(J, program.jacobian_at, program.jacobian(x))
        return 0.7 * program.gradient(x) + multipliers @ J

    want = np.stack([(slope(x + e) - slope(x - e)) / (2 * h) for e in h * np.eye(len(x))], 1)
    kept = np.arange(len(x)) != program.globals[0]  # the time is given, and has no derivatives
    found, want = found[kept][:, kept], want[kept][:, kept]
    assert np.max(np.abs(found - want)) < 1e-6 * np.max(np.abs(want))


def test_accelerations_as_inputs_have_exact_partials(arm):
    plant = AccelerationPlant(arm, arm.state(), ("hub",))
    rng = np.random.default_rng(0)
    X = rng.normal(size=(3, 6)) * np.array([1.0, 0.1, 0.01, 0.5, 0.3, 0.2])
    nodes = Nodes(np.linspace(0, 1, 3), X, rng.normal(size=(3, 1)), np.zeros(0))
    rates, J = plant.partials(nodes)
    assert rates[:, 3] == pytest.approx(nodes.U[:, 0], abs=1e-10)
    effort = plant.quantity("effort:hub")
    for f, slope in ((plant.rates, J), (effort.values, effort.partials(nodes)[1])):
        for j in range(nodes.local):
            h = 1e-6
            want = (f(nodes.moved(j, h)) - f(nodes.moved(j, -h))) / (2 * h)
            assert np.max(np.abs(slope[..., j] - want)) < 1e-7 * (1.0 + np.max(np.abs(want)))
    states = arm.states(X[:, :3], X[:, 3:])
    assert np.asarray(arm.inverse_dynamics(states, rates[:, 3:]))[:, 0] == pytest.approx(effort.values(nodes))


def swing(model, motion, end):
    """Amplitude of the tip once the hub stands still [m]."""
    run = jd.simulate(model, model.state(), until=end + 2.0, output=0.02, motions={"hub": motion})
    tip = run.deflection("boom", 4.0)[:, 0].sel(axis="y").values
    return float(np.max(np.abs(tip[run.time.values >= end - 1e-9])))


def test_what_is_wrong_is_named(arm, pair):
    def refused(match, model=arm, **changed):
        told = {"end": {"hub": 0.5}, "until": 2.0} | changed
        with pytest.raises(jd.JourdainError, match=match):
            o.slew(model, **told)

    refused("by: got 'torque'", by="torque")
    refused("cost: got 'efort'; did you mean", cost="efort")
    refused("end: got", end={})
    refused("robust: got 10", robust=10)
    refused("robust: names no parameter", robust={})
    refused("boom.EJ: there is no such parameter", robust={"boom.EJ": 0.1})
    refused("plants: got 2", robust=0.1, plants=2)
    refused("hub.*no such|hbu", end={"hbu": 0.5})
    refused("residual\\(\\) takes joints that end at one value", end={"hub": (0.4, 0.5)}, cost="residual")
    refused("inputs", inputs=("elbow",))
    refused("effort:hub.*cannot be met|cannot be met", limits={"effort:hub": (-1.0, 1.0)}, intervals=30)
    with pytest.raises(jd.JourdainError, match="criterion of jd.optimal.slew"):
        o.Problem(arm, arm.state(), until=1.0, cost=o.peak())


def test_a_parameter_that_is_off(arm):
    """Parts of parameters by address: another payload."""
    best = o.slew(arm, end={"hub": 0.5}, until=2.4, robust={"camera.mass": 0.2}, intervals=40)
    bare = o.slew(arm, end={"hub": 0.5}, until=2.4, intervals=40)
    heavy = with_parameters(arm, {"camera.mass": 1.2})
    assert swing(heavy, best.motions["hub"], 2.4) < 0.1 * swing(heavy, bare.motions["hub"], 2.4)


def test_gravity_and_a_joint_that_is_not_named():
    """A boom that hangs down a little ends where it hangs, and a joint that `end` does not name ends where it was."""
    system = jd.System("crane", gravity=(0.0, 0.0, -9.81))
    system.add(jd.RigidBody("bus", mass=50.0, inertia=(5, 5, 5)), jd.Revolute("turn", axis="z"))
    system.add(jd.RigidBody("head", mass=5.0, inertia=(1, 1, 1)), jd.Revolute("lift", axis="y"), to="bus.origin")
    beam = jd.Beam("boom", 3.0, mass_per_length=1.0, EA=2e6, EI=2000.0, GJ=500.0, modes=jd.Modes(1, 1))
    system.add(beam, jd.Weld("root"), to="head.origin")
    model = system.compile()
    best = o.slew(model, {"lift": -0.3}, end={"turn": 0.6}, until=1.5, intervals=40)
    last = best.last
    assert last.q[model.index.q["lift"]] == pytest.approx(-0.3)
    off = np.asarray(model.inverse_dynamics(last))[2:]
    assert np.max(np.abs(off)) < 1e-6 * 9.81 * 3.0
