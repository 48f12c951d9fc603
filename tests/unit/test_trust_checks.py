"""What a verdict checks besides energy: constraints and their rates, momentum, half the step."""

import json
import math
import warnings

import numpy as np
import pytest
from mechanisms import four_bar, four_bar_state
from random_linkages import random_linkage
from strategies import random_body, random_joint, random_pose, random_state

import jourdain as jd
from jourdain.results.check import LEDGER, Check
from jourdain.results.conserved_momentum import conserved
from jourdain.results.run import Record, Run
from jourdain.results.trust import Trust
from jourdain.results.trust_checks import forbidden_energy

LINEAR, ANGULAR = "linear momentum", "angular momentum"


def names(run):
    return [one.name for one in run.trusted.checks]


def found(run, name):
    return next(one for one in run.trusted.checks if one.name == name)


def changed(run, **columns):
    """The run with other samples, as a force that is wrong would have left them."""
    parts = {name: getattr(run.record, name).copy() for name in ("time", "q", "v", "z", "effort", "energy")}
    return Run(run.model, Record(**parts | columns), run.options)


def floating(rng, kinds=("revolute", "prismatic", "spherical", "universal"), gravity=(0, 0, 0), bodies=4):
    """A tree that floats, with springs and dampers in its joints."""
    system = jd.System("craft", gravity=gravity)
    system.add(random_body(rng, "b0"), jd.Free("free"))
    for i in range(1, bodies):
        joint = random_joint(rng, str(rng.choice(kinds)), f"j{i}", True, False)
        parent = f"b{rng.integers(i)}.tip"
        system.add(random_body(rng, f"b{i}"), joint, to=parent, position=random_pose(rng).position)
    return system


@pytest.mark.filterwarnings("ignore::jourdain.errors.JointLimitWarning")
@pytest.mark.parametrize("gravity", [(0, 0, 0), (1.0, -2.0, -9.81)])
@pytest.mark.parametrize("seed", [0, *(pytest.param(one, marks=pytest.mark.slow) for one in range(1, 8))])
def test_what_floats_keeps_its_momentum(seed, gravity):
    """To the error of the method: that of rk4 is sixteen times less with half the step."""
    rng = np.random.default_rng(seed)
    model = floating(rng, gravity=gravity).compile()
    state = random_state(model, rng)
    errors = []
    for step in (2e-3, 1e-3):
        run = jd.simulate(model, state, until=0.4, step=step)
        assert run.trusted and names(run) == [LEDGER, LINEAR, ANGULAR]
        errors.append([found(run, name).error for name in (LINEAR, ANGULAR)])
    errors = np.array(errors)
    assert np.all(errors < 1e-4) and np.all((errors[0] > 8.0 * errors[1]) | (errors[1] < 1e-11)), errors


def test_momentum_of_flexible_bodies_and_loops_that_float():
    system = jd.System("boom")
    system.add(jd.RigidBody("hub", mass=20.0, inertia=(2.0, 2.0, 2.0)), jd.Free("free"))
    section = {"mass_per_length": 2.0, "EA": 1e5, "EI": 50.0, "GJ": 40.0}
    system.add(jd.Beam("beam", 2.0, **section, modes=jd.Modes(bending=2)), jd.Weld("root"), to="hub.origin")
    system.add(jd.Cable("rope", 1.0, mass_per_length=0.5, EA=1e3, EI=0.1, elements=3), jd.Weld("knot"), to="beam.tip")
    model = system.compile()
    state = model.state(v={"free": [0.1, 0.5, 0.8, 1.0, 0.0, 0.3]})
    run = jd.simulate(model, state, until=0.2, rtol=1e-8, atol=1e-10)
    assert run.trusted and found(run, LINEAR).error < 1e-6 and found(run, ANGULAR).error < 1e-6
    other = jd.System("linkage")
    rod = {"mass": 1.0, "inertia": (0.1, 0.1, 0.1), "frames": {"a": (0.5, 0, 0), "b": (-0.5, 0, 0)}}
    other.add(jd.RigidBody("base", **rod), jd.Free("free"))
    other.add(jd.RigidBody("one", **rod), jd.Revolute("j1", axis="z"), to="base.a", position=(0, 0.5, 0))
    other.add(jd.RigidBody("two", **rod), jd.Revolute("j2", axis="z"), to="base.b", position=(0, 0.5, 0))
    other.connect(jd.Revolute("pin", axis="z"), "one.b", "two.a")
    model = other.compile()
    state = model.assemble(model.state(v={"free": [0.3, 0.2, 1.0, 0.1, 0.0, 0.0]}))
    run = jd.simulate(model, state, until=0.3, step=1e-3)
    assert run.trusted and names(run) == [LEDGER, "constraints", "rates of constraints", LINEAR, ANGULAR]
    assert found(run, ANGULAR).error < 1e-6


def test_momentum_that_goes_astray_is_found_where_energy_closes():
    """Velocities turned about an axis have the same kinetic energy, and another momentum."""
    rng = np.random.default_rng(3)
    model = floating(rng, bodies=1).compile()
    state = model.state(v={"free": [0.0, 0.0, 0.0, 1.0, 0.0, 0.0]})
    run = jd.simulate(model, state, until=1.0, step=0.01)
    assert run.trusted and found(run, LINEAR).error < 1e-12
    v = run.record.v.copy()
    turned = np.linspace(0.0, 0.5, len(v))
    v[:, 3], v[:, 4] = np.cos(turned), np.sin(turned)
    astray = changed(run, v=v)
    assert astray.energy.error < 1e-10 and not astray.trusted
    assert (
        "linear momentum of the system changes by" in astray.trusted.reason and "from outside" in astray.trusted.reason
    )
    assert astray.trusted.time == pytest.approx(1.0) and "linear momentum" in astray.trusted.cause
    assert found(astray, LEDGER) and not found(astray, LINEAR)
    assert not math.isnan(found(astray, LINEAR).error) and "not trusted" in repr(astray)


def one_body(**options):
    system = jd.System("one", **options)
    system.add(jd.RigidBody("body", mass=2.0, inertia=(0.1, 0.2, 0.3), com=(0.1, 0, 0)), jd.Free("free"))
    return system


@jd.law
def thruster(t, q, v, z, s, p, effort, dz):
    effort[3] += p[0]


def test_what_acts_from_outside_changes_momentum():
    push = one_body()
    push.force("push", "body.origin", force=(1.0, 0, 0))
    floor = one_body(gravity=(0, 0, -9.81))
    law = jd.HertzContact(stiffness=1e5, restitution=0.5)
    floor.contact("touch", jd.Sphere(0.1).at("body.origin"), jd.Plane((0, 0, 1)).at("world"), normal=law)
    orbit = jd.System("orbit", environment=jd.Orbit(altitude=500e3))
    orbit.add(jd.RigidBody("body", mass=2.0, inertia=(0.1, 0.2, 0.3)), jd.Free("free"))
    held = jd.System("held")
    held.add(jd.RigidBody("body", mass=2.0, inertia=(0.1, 0.2, 0.3)), jd.Revolute("hinge", axis="z"))
    for system in (push, floor, orbit, held):
        model = system.compile()
        high = {"free": jd.Pose((0, 0, 1.0))} if system is floor else None
        run = jd.simulate(model, model.state(high), until=0.01, step=1e-3)
        assert conserved(model, run.record) is None and names(run) == [LEDGER] and run.trusted
    model = one_body().compile()
    still = jd.simulate(model, model.state(), until=0.1, step=1e-2, controller=thruster(0.0))
    driven = jd.simulate(model, model.state(), until=0.1, step=1e-2, controller=thruster(1.0))
    assert names(still) == [LEDGER, LINEAR, ANGULAR] and names(driven) == [LEDGER] and driven.trusted


@pytest.mark.parametrize("gravity", [(0, 0, 0), (0, 0, -9.81)])
def test_a_body_on_a_spherical_joint_keeps_its_angular_momentum(gravity):
    """About the joint; with gravity that about the vertical (Lagrange's top)."""
    system = jd.System("top", gravity=gravity)
    top = jd.RigidBody("top", mass=2.0, com=(0, 0, 0.5), inertia=(0.1, 0.1, 0.05))
    system.add(top, jd.Spherical("ball"), position=(3.0, -1.0, 2.0))
    model = system.compile()
    q = model.state(q={"ball": [math.cos(0.2), math.sin(0.2), 0, 0]}).q
    run = jd.simulate(model, model.state(q, [0.3, 0.2, 30.0]), until=1.0, step=1e-3)
    assert run.trusted and names(run) == [LEDGER, ANGULAR] and found(run, ANGULAR).error < 1e-6
    v = run.record.v * np.linspace(1.0, 1.2, len(run))[:, None]
    assert not found(changed(run, v=v), ANGULAR)


def test_constraints_and_their_rates_are_checked():
    model = four_bar().compile()
    run = jd.simulate(model, four_bar_state(model), until=0.5, step=1e-3)
    assert run.trusted and names(run) == [LEDGER, "constraints", "rates of constraints"]
    assert found(run, "constraints").error < 1e-9 and found(run, "rates of constraints").error < 1e-12
    v = run.record.v.copy()
    v[:, 2] *= np.linspace(1.0, 0.5, len(v))
    loose = changed(run, v=v)
    assert loose.energy.error < 1e-6 and not loose.trusted and found(loose, "constraints")
    assert "velocities break the constraints" in loose.trusted.reason and "shorter step" in loose.trusted.reason
    run.options["gap"] = {"largest": 0.01, "time": 0.3, "constraint": "pin"}
    opened = changed(run)
    assert not opened.trusted and opened.trusted.time == 0.3
    assert 'the constraint "pin" was open by 0.01 m or rad at t = 0.3 s' in opened.trusted.reason


def test_the_energy_that_constraints_forbid():
    """It is what a projection in the metric of M takes away: T(v) = T(kept) + T(forbidden), by Pythagoras."""
    model = four_bar().compile()
    state = four_bar_state(model)
    rng = np.random.default_rng(0)
    v = rng.normal(size=model.nv)
    A, M = model.constraints.jacobian(state.q), model.mass_matrix(state.q)
    null = np.linalg.svd(A)[2][np.linalg.matrix_rank(A, 1e-9) :].T
    kept = null @ np.linalg.solve(null.T @ M @ null, null.T @ M @ v)
    apart = 0.5 * v @ M @ v - 0.5 * kept @ M @ kept
    assert apart > 0.0 and forbidden_energy(model, 0.0, state.q, v, 1.0) == pytest.approx(apart, rel=1e-9)
    assert forbidden_energy(model, 0.0, state.q, kept, 1.0) < 1e-20


def test_overconstrained_loops_that_drift_a_little_forbid_no_motion():
    """Off their places the rows of Bennett's linkage are independent, to the order of that; its motion is right all
    the same, and none of it is forbidden."""
    made = random_linkage("Bennett", 0)
    model = made.system().compile()
    open_, forbidden = [], []
    for step in (1e-3, 5e-4):
        run = jd.simulate(model, made.start(model), until=0.1, step=step, constraints="unstabilised")
        assert run.trusted
        open_.append(found(run, "constraints").error)
        forbidden.append(found(run, "rates of constraints").error)
    assert 1e-8 < open_[1] < open_[0] / 8.0 and 0.0 < forbidden[1] < forbidden[0] / 64.0 < 1e-8


def test_nothing_is_checked_without_a_tolerance():
    model = four_bar().compile()
    run = jd.simulate(model, four_bar_state(model), until=0.1, step=1e-3, energy_tolerance=math.inf)
    assert run.trusted and names(run) == [LEDGER]


def pendulum():
    system = jd.System("double", gravity=(0, 0, -9.81))
    link = {"mass": 1.0, "com": (0.5, 0, 0), "inertia": (0.01, 0.1, 0.1)}
    system.add(jd.RigidBody("a", **link, frames={"end": (1, 0, 0)}), jd.Revolute("j1", axis="y"))
    system.add(jd.RigidBody("b", **link), jd.Revolute("j2", axis="y"), to="a.end")
    return system.compile()


@pytest.mark.parametrize(
    ("how", "what"),
    [
        ({"step": 0.02}, "half the step"),
        ({"step": 0.01, "method": "heun", "output": 0.1}, "half the step"),
        ({"step": 0.01, "method": "generalized-alpha"}, "half the step"),
        ({"rtol": 1e-4, "atol": 1e-6}, "a tenth of the tolerances"),
        ({"method": "dopri5", "rtol": 1e-5, "atol": 1e-7, "output": 0.05}, "a tenth of the tolerances"),
    ],
    ids=str,
)
def test_a_finer_run_estimates_the_error(how, what):
    """Above the true error, and not by much: Richardson's estimate, doubled where the order is higher than one."""
    model = pendulum()
    state = model.state(q={"j1": 1.0, "j2": 0.5})
    run = jd.simulate(model, state, until=2.0, verify=True, **how)
    plain = jd.simulate(model, state, until=2.0, **how)
    np.testing.assert_array_equal(run.record.q, plain.record.q)
    assert run.trusted and names(run)[-1] == what
    exact = jd.simulate(model, state, until=2.0, rtol=1e-12, atol=1e-13, output=0.01)
    grid = np.isin(np.round(exact.record.time, 9), np.round(run.record.time, 9))
    mine = np.isin(np.round(run.record.time, 9), np.round(exact.record.time, 9))
    true = np.max(np.abs(exact.record.q[grid] - run.record.q[mine]) / np.ptp(exact.record.q, axis=0))
    estimate = found(run, what).error
    assert 0.8 * true < estimate and (what != "half the step" or estimate < 3.0 * true)
    assert run.options["verification"]["coordinate"] in ("j1", "j2") and what in repr(run.trusted)


def test_a_run_that_has_not_converged_is_not_trusted():
    """A double pendulum that turns over: after 20 s nothing is left of how it began, though its energy is kept."""
    model = pendulum()
    state = model.state(q={"j1": -2.5, "j2": 1.0})
    with pytest.warns(jd.errors.TrustWarning, match="with half the step"):
        run = jd.simulate(model, state, until=20.0, step=4e-3, verify=True)
    assert run.energy.error < 1e-3 and found(run, LEDGER) and not run.trusted
    assert "chaotic" in run.trusted.reason and 0.0 < run.trusted.time <= 20.0
    assert jd.simulate(model, state, until=20.0, step=4e-3).trusted


def test_a_finer_run_that_stops_is_told(monkeypatch):
    from jourdain.run.runner import Runner

    model, runs = pendulum(), Runner.run

    def run(self):
        if self.plan.step < 0.01:
            raise jd.errors.SimulationError("stopped at t = 0.05 s: why", 0.05, model="double")
        return runs(self)

    monkeypatch.setattr(Runner, "run", run)
    with pytest.warns(jd.errors.TrustWarning, match="the run with half the step stopped: double: .* s: why"):
        run = jd.simulate(model, model.state(), until=0.1, step=0.01, verify=True)
    assert not run.trusted and json.loads(json.dumps(run.trusted.to_dict()))["checks"][-1]["error"] is None


def test_the_finer_run_is_kept_in_the_file(tmp_path):
    model = pendulum()
    run = jd.simulate(model, model.state(q={"j1": 1.0}), 0.5, 1e-2, verify=True, save=tmp_path / "run.nc")
    back = jd.load(tmp_path / "run.nc")
    assert back.trusted == run.trusted and names(back)[-1] == "half the step"
    told = json.loads(json.dumps(run.trusted.to_dict()))
    assert told["trusted"] is True and [one["name"] for one in told["checks"]] == [LEDGER, "half the step"]
    assert all(one["passed"] and one["error"] <= one["allowed"] for one in told["checks"])


def test_quaternions_are_the_same_with_either_sign():
    from jourdain.run.step_halving import largest_difference

    model = one_body().compile()
    run = jd.simulate(model, model.state(v={"free": [1, 2, 3, 0.1, 0, 0]}), until=1.0, step=0.01)
    record = changed(run, q=run.record.q * np.where(np.arange(model.nq) >= 3, -1.0, 1.0)).record
    assert largest_difference(model, run.record, record)[0] < 1e-12


class TestPartialRuns:
    def test_what_led_to_a_blow_up_is_not_trusted(self):
        system = jd.System("stiff")
        system.add(jd.RigidBody("body", mass=1.0, inertia=(1, 1, 1)), jd.Prismatic("spring", axis="x", stiffness=1e6))
        model = system.compile()

        @jd.law
        def burst(t, q, v, z, s, p, effort, dz):
            effort[0] += math.nan if t > 0.5 else 0.0

        for how in ({"step": 1e-4}, {"method": "dop853"}, {"method": "dop853", "output": 0.1}, {"method": "radau"}):
            with pytest.raises(jd.errors.SimulationError) as caught:
                jd.simulate(model, model.state(q={"spring": 0.1}), until=1.0, controller=burst, **how)
            partial = caught.value.partial
            assert partial.energy.error < 0.01, "energy alone says nothing"
            assert not partial.trusted and "the run stopped at t = 0.5" in partial.trusted.reason
            assert partial.trusted.stopped and partial.trusted.time == caught.value.time
            assert all(partial.trusted.checks)

    def test_the_verdict_is_in_the_file(self, tmp_path):
        system = jd.System("stiff")
        system.add(jd.RigidBody("body", mass=1.0, inertia=(1, 1, 1)), jd.Prismatic("spring", axis="x", stiffness=1e6))
        model = system.compile()
        with pytest.raises(jd.errors.SimulationError) as caught:
            jd.simulate(model, model.state(q={"spring": 0.1}), until=100.0, step=0.01, save=tmp_path / "run.nc")
        kept = jd.load(tmp_path / "run.nc")
        assert not kept.trusted and kept.trusted.reason == caught.value.partial.trusted.reason

    def test_a_run_that_was_interrupted_is_judged_by_what_there_is(self):
        model = pendulum()

        def stop(t):
            if t > 1.0:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt) as caught:
            jd.simulate(model, model.state(q={"j1": 1.0}), until=1e5, step=1e-3, output=0.1, progress=stop)
        assert caught.value.partial.partial and caught.value.partial.trusted


def test_a_verdict_names_what_was_checked():
    one = Trust(1e-9, 0.01, checks=(Check(LEDGER, 1e-9, 0.01), Check("constraints", 2e-13, 1e-3, "m or rad")))
    assert one and repr(one) == "<trusted: energy balance within 1.0e-09, constraints within 2.0e-13 m or rad>"
    assert Trust(1e-9, 0.01) and not Trust(0.5, 0.01, 1.0, "a contact")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        json.dumps(Trust(math.nan, math.inf, checks=(Check("a", math.inf, math.nan),)).to_dict(), allow_nan=False)
