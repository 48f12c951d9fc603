"""Users' laws: parameters, states, what they sense, several at once, and forces."""

import math

import numpy as np
import pytest

import jourdain as jd


@pytest.fixture(scope="module")
def model() -> jd.Model:
    arm = jd.System("arm", gravity=(0, 0, -9.81))
    link = {"mass": 2.0, "com": (0.4, 0, 0), "inertia": (0.02, 0.1, 0.1)}
    frames = {"tip": jd.Pose((0.8, 0, 0), (math.cos(0.3), 0, math.sin(0.3), 0))}
    arm.add(jd.RigidBody("upper", **link, frames=frames), joint=jd.Revolute("shoulder", axis="y"))
    arm.add(jd.RigidBody("fore", **link, frames=frames), joint=jd.Revolute("elbow", axis="z"), to="upper.tip")
    return arm.compile()


def slider() -> jd.System:
    """A body of 1 kg on a rail along x."""
    system = jd.System("slider")
    system.add(jd.RigidBody("body", mass=1.0, inertia=(1, 1, 1)), joint=jd.Prismatic("x", axis="x"))
    return system


def test_parameters_are_bound_by_calling(model):
    elbow = model.index.v["elbow"]

    @jd.law
    def brake(t, q, v, z, s, p, effort, dz):
        effort[elbow] -= p[0] * v[elbow]

    state = model.state(v={"elbow": 2.0})
    for damping in (0.5, 3.0):
        run = jd.simulate(model, state, until=0.2, step=1e-3, controller=brake(damping))
        assert run.effort["elbow"].values == pytest.approx(-damping * run.v["elbow"].values, rel=1e-12)
        assert np.all(run.effort["shoulder"].values == 0.0)
        assert run.options["laws"] == ["brake"] and run.options["parameters"] == [damping]
    assert repr(brake(0.5)) == "brake(0.5)" and brake(0.5).parameters.tolist() == [0.5]


def test_a_damping_law_is_a_damper():
    """The same run as with the joint's own damper."""
    own = jd.System("own")
    own.add(jd.RigidBody("body", mass=1.0, inertia=(1, 1, 1)), joint=jd.Prismatic("x", axis="x", damping=0.7))
    with_damper, bare = own.compile(), slider().compile()

    @jd.law
    def brake(t, q, v, z, s, p, effort, dz):
        effort[0] -= p[0] * v[0]

    a = jd.simulate(with_damper, with_damper.state(v={"x": 1.0}), until=1.0, step=1e-2)
    b = jd.simulate(bare, bare.state(v={"x": 1.0}), until=1.0, step=1e-2, controller=brake(0.7))
    assert b.record.q == pytest.approx(a.record.q, abs=1e-15)
    assert b.energy["work"].values == pytest.approx(-a.energy["dissipated"].values, abs=1e-14)


def test_time_reaches_the_law_at_every_stage():
    """x'' = p cos(w t), from rest: x = p (1 - cos(w t)) / w^2."""

    @jd.law
    def shake(t, q, v, z, s, p, effort, dz):
        effort[0] += p[0] * math.cos(p[1] * t)

    model = slider().compile()
    run = jd.simulate(model, model.state(), until=2.0, controller=shake(3.0, 5.0), output=0.1)
    assert run.q["x"].values == pytest.approx(3.0 * (1 - np.cos(5.0 * run.record.time)) / 25.0, abs=1e-8)


def test_states_of_a_law_are_integrated():
    """z = (exp(-2 t), a clock, a position integral); the first drives the body."""

    @jd.law(states=3)
    def filtered(t, q, v, z, s, p, effort, dz):
        dz[0] = -2.0 * z[0]
        dz[1] = 1.0
        dz[2] = q[0]
        effort[0] += z[0]

    model = slider().compile()
    state = model.state()
    state.z = np.array([1.0, 0.0, 0.0])
    run = jd.simulate(model, state, until=2.0, controller=filtered, output=0.1, rtol=1e-12, atol=1e-13)
    t = run.record.time
    assert run.record.z[:, 0] == pytest.approx(np.exp(-2 * t), abs=1e-10)
    assert run.record.z[:, 1] == pytest.approx(t, abs=1e-12)
    x = (np.exp(-2 * t) - 1 + 2 * t) / 4
    assert run.q["x"].values == pytest.approx(x, abs=1e-10)
    assert run.record.z[:, 2] == pytest.approx((0.5 - np.exp(-2 * t) / 2 - t + t**2) / 4, abs=1e-10)
    assert run.options["z_names"] == ["filtered.z[0]", "filtered.z[1]", "filtered.z[2]"]
    # states that the state does not give start at zero, and a run goes on from where another left them
    assert np.all(jd.simulate(model, model.state(), 0.1, controller=filtered).record.z[:, 0] == 0.0)
    more = jd.simulate(model, run.state(), until=3.0, controller=filtered, rtol=1e-12, atol=1e-13)
    assert more.record.z[-1, 0] == pytest.approx(np.exp(-6.0), abs=1e-10)


def test_markers_are_sensed(model):
    """Thirteen numbers for each marker: position, quaternion, angular velocity, velocity. The states log them."""

    @jd.law(states=26, markers=("fore.tip", "upper.tip"))
    def logger(t, q, v, z, s, p, effort, dz):
        for i in range(26):
            dz[i] = s[i]

    state = model.state(q={"shoulder": 0.4, "elbow": -0.8}, v={"shoulder": 1.0, "elbow": 2.0})
    run = jd.simulate(model, state, until=1e-6, step=1e-6, method="euler", controller=logger)
    sensed = run.record.z[-1] / 1e-6
    for i, address in enumerate(("fore.tip", "upper.tip")):
        pose, velocity = model.pose(address, state), model.velocity(address, state)
        quaternion = sensed[13 * i + 3 : 13 * i + 7]
        assert sensed[13 * i : 13 * i + 3] == pytest.approx(pose.position, abs=1e-9)
        assert quaternion * np.sign(quaternion[0]) == pytest.approx(pose.quaternion, abs=1e-9)
        assert sensed[13 * i + 7 : 13 * i + 13] == pytest.approx(velocity, abs=1e-9)


def test_several_controllers_add_up_and_keep_their_own(model):
    @jd.law(states=1)
    def first(t, q, v, z, s, p, effort, dz):
        dz[0] = p[0]
        effort[0] += z[0]

    @jd.law(states=2, markers=("fore.tip",))
    def second(t, q, v, z, s, p, effort, dz):
        dz[0] = p[0] + p[1]
        dz[1] = s[2]
        effort[0] += 10.0
        effort[1] -= v[1]

    state = model.state(v={"elbow": 1.0})
    run = jd.simulate(model, state, until=1.0, step=1e-3, controller=[first(3.0), second(5.0, 7.0), first(-1.0)])
    t = run.record.time
    assert run.record.z[:, 0] == pytest.approx(3.0 * t, abs=1e-12)
    assert run.record.z[:, 1] == pytest.approx(12.0 * t, abs=1e-12)
    assert run.record.z[:, 3] == pytest.approx(-t, abs=1e-12)
    height = run.frame("fore.tip").position.values[:, 2]
    assert run.record.z[-1, 2] == pytest.approx(np.trapezoid(height, t), abs=1e-5)
    assert run.effort["shoulder"].values == pytest.approx(10.0 + 2.0 * t, abs=1e-12)
    assert run.effort["elbow"].values == pytest.approx(-run.v["elbow"].values, abs=1e-14)
    assert run.energy.error < 1e-9


@pytest.mark.parametrize("axes", ["world", "body"])
def test_a_law_as_a_force_is_the_same_as_the_force(axes):
    @jd.law
    def steady(t, q, v, z, s, p, effort, dz):
        for i in range(6):
            effort[i] += p[i]

    moment, force = (0.3, -0.2, 0.5), (1.0, 2.0, -0.5)
    runs = []
    for wrench in ((force, moment), (steady(*moment, *force), (0, 0, 0))):
        system = jd.System("pushed", gravity=(0, 0, -1.0))
        body = jd.RigidBody(
            "body", mass=2.0, com=(0.1, 0.2, 0.3), inertia=(0.3, 0.2, 0.25), frames={"grip": (0.5, 0, 0)}
        )
        system.add(body, joint=jd.Free("free"))
        system.force("push", "body.grip", *wrench, axes=axes)
        model = system.compile()
        state = model.state(v={"free": (0.1, 0.2, 0.3, 0, 0, 0)})
        runs.append(jd.simulate(model, state, until=1.0, step=1e-2))
    assert runs[0].record.q == pytest.approx(runs[1].record.q, abs=1e-13)
    assert runs[0].energy["work"].values == pytest.approx(runs[1].energy["work"].values, abs=1e-13)
    assert runs[1].energy.error < 1e-8
    assert np.all(runs[1].record.effort == 0.0)


def test_force_laws_and_controllers_together():
    """Forces of the model come first among states and parameters, then the controllers."""

    @jd.law(states=1)
    def tug(t, q, v, z, s, p, effort, dz):
        dz[0] = p[0]
        effort[3] += z[0]

    @jd.law(states=1)
    def servo(t, q, v, z, s, p, effort, dz):
        dz[0] = q[0]
        effort[0] -= p[0] * q[0] + p[1] * v[0] + z[0]

    system = slider()
    system.force("tug", "body.origin", tug(2.0))
    model = system.compile()
    run = jd.simulate(model, model.state(), until=1.0, step=1e-3, controller=servo(4.0, 1.0))
    assert run.record.z[:, 0] == pytest.approx(2.0 * run.record.time, abs=1e-12)
    assert run.record.z[-1, 1] == pytest.approx(np.trapezoid(run.q["x"].values, run.record.time), abs=1e-6)
    assert run.options["parameters"] == [2.0, 4.0, 1.0] and run.options["laws"] == ["tug", "servo"]
    assert run.energy.error < 1e-9
    # the model functions evaluate the force of a law at the state they are given
    state = model.state()
    state.z = np.array([5.0])
    assert model.forward_dynamics(state) == pytest.approx([5.0])
    assert model.inverse_dynamics(state) == pytest.approx([-5.0])


def test_laws_that_cannot_be():
    def short(t, q):
        pass

    def good(t, q, v, z, s, p, effort, dz):
        pass

    with pytest.raises(
        jd.errors.ModelError, match=r"short: a law takes \(t, q, v, z, s, p, effort, dz\); this one takes \(t, q\)"
    ):
        jd.law(short)
    for states in (-1, 1.5):
        with pytest.raises(jd.errors.ModelError, match="good: states is"):
            jd.law(states=states)(good)
    with pytest.raises(jd.errors.ModelError, match="good: parameters are .* give finite numbers"):
        jd.law(good)(math.nan)
    with pytest.raises(jd.errors.ModelError, match="good: got .* give real numbers"):
        jd.law(good)("stiff")


def test_a_law_that_does_not_compile_says_so(model):
    @jd.law
    def wordy(t, q, v, z, s, p, effort, dz):
        effort[0] += "a lot"

    @jd.law
    def unknown(t, q, v, z, s, p, effort, dz):
        effort[0] += nothing_of_the_sort  # noqa: F821

    for law in (wordy, unknown):
        with pytest.raises(
            jd.errors.ModelError, match=f"{law.name}: the law does not compile; it may use numbers, arrays"
        ):
            jd.simulate(model, model.state(), until=0.1, step=0.01, controller=law)


def test_a_law_that_senses_what_is_not_there(model):
    @jd.law(markers=("fore.tp",))
    def lost(t, q, v, z, s, p, effort, dz):
        pass

    with pytest.raises(jd.errors.ModelError, match='fore.tp: no such address; did you mean "fore.tip"'):
        jd.simulate(model, model.state(), until=0.1, step=0.01, controller=lost)
