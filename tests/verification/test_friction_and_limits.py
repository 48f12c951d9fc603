"""Dry friction that slides, stops and then holds; limits that throw back."""

import numpy as np
import pytest

import jourdain as jd

MASS = 2.0


def slider(gravity=(0.0, 0.0, 0.0), **options) -> jd.Model:
    """A body of 2 kg on a rail along x."""
    system = jd.System("slider", gravity=gravity)
    system.add(jd.RigidBody("body", mass=MASS, inertia=(1, 1, 1)), joint=jd.Prismatic("x", axis="x", **options))
    return system.compile()


METHODS = [{"step": 1e-3}, {"step": 1e-3, "method": "rk5"}, {"method": "dop853"}, {"method": "dopri5"}]


@pytest.mark.parametrize("how", METHODS, ids=str)
def test_sliding_stops_where_coulomb_says_and_then_holds(how):
    """m v^2 / 2 f ahead, then back by what the friction had bent, f / k: there nothing pulls on it any more."""
    friction, stiffness, speed = 4.0, 1e5, 1.5
    model = slider(friction=friction, friction_stiffness=stiffness)
    run = jd.simulate(model, model.state(v={"x": speed}), until=100.0, output=0.01, **how)
    x, t = run.q["x"].values, run.record.time
    reach = MASS * speed**2 / (2 * friction)
    sliding = t < speed * MASS / friction - 0.01
    assert x[sliding] == pytest.approx((speed * t - 0.5 * friction / MASS * t**2)[sliding], abs=1e-9)
    assert np.max(x) <= reach + 1e-9
    assert x[-1] == pytest.approx(reach - friction / stiffness, abs=1e-9)
    # An adaptive method goes to the end of its stability region and trembles there by what it is allowed.
    assert np.ptp(x[t > 2.0]) < (1e-12 if "step" in how else 1e-9)
    assert run.energy["dissipated"].values[-1] == pytest.approx(0.5 * MASS * speed**2, rel=1e-6)
    assert run.energy.error < 1e-6


@pytest.mark.parametrize("slope", [0.1, 0.29])
def test_a_body_on_a_slope_that_friction_can_bear_does_not_creep(slope):
    model = slider(gravity=9.81 * np.array([np.sin(slope), 0, -np.cos(slope)]), friction=0.3 * MASS * 9.81)
    run = jd.simulate(model, model.state(), until=1000.0, step=2e-3, output=1.0)
    x = run.q["x"].values[run.record.time >= 10.0]
    assert np.ptp(x) < 1e-12
    assert 0.0 < x[-1] < 1e-3
    assert np.max(np.abs(run.v["x"].values[run.record.time >= 10.0])) < 1e-12


def test_on_a_steeper_slope_it_slides_at_the_difference():
    slope, friction = 0.4, 0.3 * MASS * 9.81
    model = slider(gravity=9.81 * np.array([np.sin(slope), 0, -np.cos(slope)]), friction=friction)
    run = jd.simulate(model, model.state(), until=2.0, step=1e-4, output=0.1)
    v = run.v["x"].values[-6:]
    assert np.diff(v) / 0.1 == pytest.approx(9.81 * np.sin(slope) - friction / MASS, rel=1e-9)


def test_friction_holds_after_a_push_until_the_push_is_larger():
    """A force that grows: nothing moves but the bending of the friction until it has all of it."""

    @jd.law
    def ramp(t, q, v, z, s, p, effort, dz):
        effort[0] += p[0] * t

    friction, stiffness, rate = 4.0, 1e5, 1.0
    model = slider(friction=friction, friction_stiffness=stiffness)
    run = jd.simulate(model, model.state(), until=8.0, step=1e-3, output=0.1, controller=ramp(rate))
    x, t = run.q["x"].values, run.record.time
    before, after = t < 3.9, t > 4.2
    assert x[before] == pytest.approx(rate * t[before] / stiffness, abs=2e-7)
    free = t - friction / rate
    closed = (friction + rate * free) / stiffness + rate / MASS * free**3 / 6
    assert x[after] == pytest.approx(closed[after], rel=1e-3)


def test_an_oscillator_loses_as_much_at_every_swing():
    """Coulomb friction takes 4 f / k of amplitude a cycle."""
    friction, stiffness, start = 0.5, 100.0, 0.5
    model = slider(friction=friction, friction_stiffness=1e6, stiffness=stiffness)
    period = 2 * np.pi * np.sqrt(MASS / stiffness)
    run = jd.simulate(model, model.state(q={"x": start}), until=5 * period, step=period / 5000, output=period)
    closed = start - 4 * friction / stiffness * np.arange(6)
    assert run.q["x"].values == pytest.approx(closed, abs=2e-5)
    assert run.energy.error < 1e-6


def test_a_run_goes_on_from_friction_that_holds():
    """The state carries what the friction has bent: a run in two parts is the run in one."""
    model = slider(gravity=(1.0, 0, 0), friction=4.0)
    whole = jd.simulate(model, model.state(v={"x": 0.5}), until=2.0, step=1e-3, output=0.5)
    first = jd.simulate(model, model.state(v={"x": 0.5}), until=1.0, step=1e-3, output=0.5)
    second = jd.simulate(model, first.state(), until=2.0, step=1e-3, output=0.5)
    assert second.record.q[-1] == pytest.approx(whole.record.q[-1], abs=1e-15)
    assert abs(second.energy["dissipated"].values[0]) < 1e-15
    assert abs(second.energy["balance"].values[-1]) < 1e-9


def test_elastic_limits_throw_back_without_loss():
    """Between two walls of stiffness k: free flight, then half a period pi sqrt(m / k) in each."""
    stiffness, speed = 1e4, 3.0
    model = slider(limits=(-1.0, 1.0), limit_stiffness=stiffness)
    lap = 2 * (2.0 / speed + np.pi * np.sqrt(MASS / stiffness))
    state = model.state(v={"x": speed})
    run = jd.simulate(model, state, until=10 * lap, rtol=1e-12, atol=1e-13, output=0.5 * lap)
    assert run.q["x"].values == pytest.approx(np.zeros(21), abs=1e-8)
    assert run.v["x"].values == pytest.approx(speed * (-1.0) ** np.arange(21), abs=1e-8)
    total = run.energy["total"].values
    assert np.max(np.abs(total - total[0])) < 1e-8 * total[0]
    assert run.energy["dissipated"].values[-1] == pytest.approx(0.0, abs=1e-12)
    deepest = jd.simulate(model, state, until=lap, step=lap / 20000).q["x"].max()
    assert float(deepest) == pytest.approx(1.0 + speed * np.sqrt(MASS / stiffness), rel=1e-6)


@pytest.mark.parametrize("damping", [0.05, 0.3])
def test_restitution_of_a_damped_limit(damping):
    """Hunt & Crossley: d (1 + e) = ln((1 + d) / (1 - e d)) with d = damping * speed, whatever the stiffness."""
    speed = 2.0
    model = slider(limits=(-1.0, 1.0), limit_stiffness=1e4, limit_damping=damping)
    run = jd.simulate(model, model.state(v={"x": speed}), until=1.0, rtol=1e-12, atol=1e-13)
    d, e = damping * speed, -run.v["x"].values[-1] / speed
    assert d * (1 + e) == pytest.approx(np.log((1 + d) / (1 - e * d)), abs=1e-9)
    assert run.energy["dissipated"].values[-1] == pytest.approx(0.5 * MASS * speed**2 * (1 - e**2), rel=1e-8)
    assert run.energy.error < 1e-9


def test_limits_hold_a_weight():
    model = slider(gravity=(9.81, 0, 0), limits=(-1.0, 1.0), limit_stiffness=1e4, limit_damping=5.0)
    run = jd.simulate(model, model.state(), until=60.0, step=1e-3, output=1.0)
    assert run.q["x"].values[-1] == pytest.approx(1.0 + MASS * 9.81 / 1e4, abs=1e-5)
