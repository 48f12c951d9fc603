"""Trajectories of several phases."""

from __future__ import annotations

import numpy as np
import pytest
from optimal_systems import CART, ROCKET, SWING, rocket_rates

import jourdain as jd

pytest.importorskip("casadi")
o = jd.optimal


def cart(until, cost, **more):
    return o.Problem(CART, {"x": 0, "v": 0}, until=until, cost=cost, **more)


def test_two_phases_are_one():
    """Least effort of a double integrator is 12, also where it is cut in two, and its time is what the whole has."""
    first, second = cart((0.1, 0.9), o.effort()), cart((0.1, 0.9), o.effort(), end={"x": 1, "v": 0})
    best = o.Phases([first, second], until=1.0).solve(intervals=5)
    assert best.converged and best.cost == pytest.approx(12.0, rel=1e-9) and best.duration == pytest.approx(1.0)
    assert best.phases[0].states[-1] == pytest.approx(best.phases[1].states[0], abs=1e-12)
    assert np.interp(0.5, *best["x"].T) == pytest.approx(0.5, abs=2e-3)


def test_a_stage_is_dropped():
    """m x'' = u with 2 kg and then 1 kg, by the Gramian of both: x^T W^-1 x."""

    def heavy(t, x, u, p, dx):
        dx[0] = x[1]
        dx[1] = 0.5 * u[0]

    plant = o.Ode(heavy, ("x", "v"), ("u",), name="heavy")
    first = o.Problem(plant, {"x": 0, "v": 0}, until=1.0, cost=o.effort())
    second = cart(1.0, o.effort(), end={"x": 1.0, "v": 0.0})
    link = {"x": {"x": 1.0, "constant": 0.25}}
    best = o.Phases([first, second], links=[link]).solve(intervals=8)
    W = np.array([[1 / 3, 1 / 2], [1 / 2, 1.0]])
    Phi = np.array([[1.0, 1.0], [0.0, 1.0]])
    goal = np.array([0.75, 0.0])
    assert best.cost == pytest.approx(goal @ np.linalg.solve(Phi @ (0.25 * W) @ Phi.T + W, goal), rel=1e-9)


def singular(t, x, u, p, y):
    """Where thrust is neither least nor largest: (1 + v / c) D = m g (Bryson & Ho 1975; Tsiotras & Kelley 1991)."""
    y[0] = (1.0 + 2.0 * x[1]) * 310.0 * x[1] * x[1] * np.exp(-500.0 * (x[0] - 1.0)) - x[2] / (x[0] * x[0])


def test_goddard_in_three_phases():
    """Full thrust, the singular arc by its equation, and no thrust: COPS 3 has 1.01283 for the height of all in one."""
    limits = {"h": (1.0, 2.0), "v": (0.0, 1.0), "m": (0.6, 1.0)}
    start = {"h": 1.0, "v": 0.08, "m": 0.9}
    arc = o.Ode(rocket_rates, ("h", "v", "m"), ("thrust",), outputs=singular, output_names=("arc",), name="arc")
    full, none = limits | {"thrust": (3.5, 3.5)}, limits | {"thrust": (0.0, 0.0)}
    up = o.Problem(arc, {"h": 1, "v": 0, "m": 1}, until=(0.01, 0.1), cost=0 * o.time(), limits=full, end={"arc": 0.0})
    held = limits | {"thrust": (0.0, 3.5), "arc": (0.0, 0.0)}
    along = o.Problem(arc, start, until=(0.01, 0.1), cost=0 * o.time(), limits=held)
    coast = o.Problem(ROCKET, start, until=(0.05, 0.3), cost=-o.final("h"), limits=none, end={"m": 0.6})
    best = o.Phases([up, along, coast]).solve(intervals=10, scheme="radau")
    assert best.converged and -best.cost == pytest.approx(1.01283, abs=1e-5)
    thrust = best.phases[1]["thrust"][1:]
    # rising all along the arc, where a mesh without phases rings
    assert np.all(np.diff(thrust) > 0.0) and 2.0 < thrust[0] < thrust[-1] < 3.5


def test_parameters_are_shared_and_cycles_close():
    """A swing without effort, in two phases that close: the stiffness that makes its small period 2 s is pi^2."""
    some = [
        o.Problem(SWING, {"x": 0.02 * s, "v": 0.0}, until=1.0, cost=o.effort(), unknowns={"k": (5.0, 15.0)}, end=end,
                  free=("v",))
        for s, end in ((1.0, {"x": -0.02}), (-1.0, {"x": 0.02}))
    ]  # fmt: skip
    best = o.Phases(some, cycle={}).solve(intervals=20)
    k = [one.parameters["k"] for one in best.phases]
    assert k[0] == pytest.approx(k[1], rel=1e-9) and best.cost < 1e-12
    # a pendulum of amplitude a is slower by 1 + a^2 / 16
    assert k[0] == pytest.approx(np.pi**2 * (1 + 0.02**2 / 8), rel=1e-5)


def leg(flying):
    """A body of 1 kg on a leg that pushes, on the ground or on a foot of 0.1 kg in the air."""
    system = jd.System("hopper", gravity=(0.0, 0.0, -9.81))
    to = "world"
    if flying:
        system.add(jd.RigidBody("foot", 0.1, inertia=(0.1, 0.1, 0.1)), jd.Prismatic("height", axis="z"))
        to = "foot.origin"
    system.add(jd.RigidBody("body", 1.0, inertia=(0.1, 0.1, 0.1)), jd.Prismatic("leg", axis="z"), to=to)
    return system.compile()


def test_a_hop_through_a_fixed_contact_sequence():
    """Stance and flight have a model each: the highest foot is by momentum at lift-off, and the leg drawn in.

    The body rises over the leg's 0.3 m under 30 N; at lift-off it takes the foot along: v' = v m / (m + m_f).
    """
    stand, fly = leg(False), leg(True)
    limits = {"effort:leg": (-30.0, 30.0)}
    push = o.Problem(
        stand, stand.state(), until=(0.05, 0.5), cost=0 * o.time(), rest=False, end={"leg": 0.3},
        limits={"effort:leg": (9.81, 30.0)},
    )  # fmt: skip
    jump = o.Problem(
        fly, fly.state(q={"leg": 0.3}), until=(0.1, 0.6), cost=-o.final("height") + 1e-3 * o.effort(), limits=limits,
        inputs=("leg",), rest=False, end={"leg": 0.0, "v:leg": 0.0},
    )  # fmt: skip
    # the impulse that takes the foot along: both then move as one
    taken = {"height": 0.0, "v:height": {"v:leg": 1.0 / 1.1}, "v:leg": 0.0}
    best = o.Phases([push, jump], links=[taken]).solve(intervals=[10, 20])
    # drawing the leg in costs a little height: 1e-3 times its effort, of some N^2 s
    v = np.sqrt(2.0 * (30.0 - 9.81) * 0.3)
    highest = 0.3 / 1.1 + (v / 1.1) ** 2 / (2.0 * 9.81)
    assert best.converged
    assert best.phases[1]["height"][-1] == pytest.approx(highest, rel=2e-3)
    # it may wait at first, and then pushes with all that it has
    assert best.phases[0]["effort:leg"][5:] == pytest.approx(30.0, abs=0.1)


def test_an_arm_that_stops_on_its_way():
    """From rest to rest twice: each half costs what it costs alone."""
    first, second = (cart(1.0, o.effort(), end={"x": x, "v": 0}) for x in (0.3, 1.0))
    best = o.Phases([first, second]).solve(intervals=4)
    assert [one.cost for one in best.phases] == pytest.approx([12 * 0.3**2, 12 * 0.7**2], rel=1e-9)


def test_what_is_wrong_is_named():
    one, other = cart(1.0, o.effort()), cart(1.0, o.effort(), end={"x": 1, "v": 0})

    def refused(match, *args, **more):
        with pytest.raises(jd.JourdainError, match=match):
            o.Phases(*args, **more).solve()

    refused("problems: got 3", 3)
    refused("links: got 2 for 2 phases", [one, other], links=[None, None])
    refused(r"links\[0\]: y: the later phase has no such state", [one, other], links=[{"y": 0}])
    refused(r"links\[0\]: x: the earlier phase has no state 'y'", [one, other], links=[{"x": {"y": 1.0}}])
    rocket = o.Problem(ROCKET, {"h": 1, "v": 0, "m": 1}, until=1.0, cost=o.time())
    refused("h: the earlier phase has no such state", [one, rocket])
    short = cart(1.0, o.effort(), end={"x": 1, "v": 0}, limits={"u": (-0.1, 0.1)})
    refused("no trajectory keeps all limits", [cart(1.0, o.effort(), limits={"u": (-0.1, 0.1)}), short])
    with pytest.raises(jd.JourdainError, match="intervals: got"):
        o.Phases([one, other]).solve(intervals=[3])
