"""Events: impacts keep what they must, times are found, and runs go on."""

import warnings

import numpy as np
import pytest
from strategies import random_body, random_joint, random_state

import jourdain as jd
from jourdain.run.impacts import impact

BOTH = [{}, {"step": 1e-3}]


def tree(seed, kinds=("free", "revolute", "prismatic", "revolute", "screw", "cylindrical")):
    """A random tree that floats."""
    rng = np.random.default_rng(seed)
    system = jd.System("tree")
    for i, kind in enumerate(kinds):
        to = "world" if i == 0 else f"b{rng.integers(0, i)}.tip"
        system.add(random_body(rng, f"b{i}"), random_joint(rng, kind, f"j{i}", False, False), to=to)
    model = system.compile()
    return model, random_state(model, rng)


def spring(stiffness=4.0, **more):
    """A mass on a spring: x = x0 cos(w t), w = 2 rad/s for the default one."""
    system = jd.System("spring")
    system.add(jd.RigidBody("mass", 1.0), jd.Prismatic("x", axis="x", stiffness=stiffness, **more))
    return system.compile()


@pytest.fixture(scope="module")
def oscillator():
    return spring()


def momentum(model, state):
    return np.concatenate(model.momentum(state))


def balance(run):
    return run.energy.error


@pytest.mark.parametrize("seed", range(6))
def test_an_impact_keeps_momentum(seed):
    model, state = tree(seed)
    k = [model.index.v["j1"], model.index.v["j3"]]
    done = impact(model, state.q, state.v, dict.fromkeys(k, 0.0), np.zeros(model.nv, int))
    M = model.mass_matrix(state)
    P = np.eye(model.nv)[k]
    W = np.linalg.solve(M, P.T)
    assert done.v == pytest.approx(state.v - W @ np.linalg.solve(P @ W, P @ state.v), abs=1e-12)
    after = jd.State(state.time, state.q, done.v, state.z)
    scale = np.linalg.norm(momentum(model, state))
    assert np.max(np.abs(momentum(model, after) - momentum(model, state))) < 1e-12 * scale
    drop = model.energy(state).kinetic - model.energy(after).kinetic
    assert done.loss == pytest.approx(drop, rel=1e-12)
    assert drop == pytest.approx(-0.5 * done.impulse[k] @ state.v[k], rel=1e-12) and drop > 0.0
    assert np.count_nonzero(done.impulse) == 2 and np.all(done.v[k] == 0.0)


def test_an_impact_against_what_is_moved_does_work():
    model, state = tree(3)
    j, k = model.index.v["j1"], model.index.v["j3"]
    held = np.zeros(model.nv, int)
    held[j] = 1
    done = impact(model, state.q, state.v, {k: 0.7}, held)
    after = jd.State(state.time, state.q, done.v, state.z)
    gain = model.energy(after).kinetic - model.energy(state).kinetic
    assert done.v[j] == state.v[j] and done.v[k] == 0.7
    assert gain == pytest.approx(done.work - done.loss, rel=1e-11) and done.loss > 0.0
    assert np.flatnonzero(done.impulse).tolist() == sorted([j, k])


@pytest.mark.parametrize("method", BOTH)
@pytest.mark.parametrize("output", [None, 0.1])
def test_lock_and_release_in_a_run(method, output):
    model, state = tree(1)
    events = [jd.Event(at=0.3, lock=("j1", "j3")), jd.Event(at=0.6, release="j1"), jd.Event(at=0.8, lock="j5")]
    run = jd.simulate(model, state, until=1.0, output=output, events=events, **method)
    first, second, third = run.events
    assert [one.time for one in run.events] == [0.3, 0.6, 0.8]
    assert set(first.impulse) == {"j1", "j3"} and first.loss > 0.0
    assert second.impulse == {} and second.loss == 0.0
    assert set(third.impulse) == {"j3", "j5.angle", "j5.slide"}
    t = run.record.time
    assert len(t) == len(np.unique(t)) and 0.3 in np.round(t, 12)
    if output:
        assert t == pytest.approx(np.linspace(0.0, 1.0, 11), abs=1e-12)
    held, free = (t > 0.3 - 1e-9) & (t < 0.6 - 1e-9), t > 0.6 + 1e-9
    assert np.all(run.v["j1"].values[held] == 0.0) and np.ptp(run.q["j1"].values[held]) == 0.0
    assert np.all(run.effort["j1"].values[held] != 0.0) and np.all(run.effort["j1"].values[free] == 0.0)
    assert np.ptp(run.q["j1"].values[free]) > 1e-3 and np.ptp(run.q["j3"].values[t > 0.3 - 1e-9]) == 0.0
    # the adaptive method keeps what it keeps at its tolerances; a step of 1 ms the same with rk4
    assert np.max(np.abs(momentum(model, run.state()) - momentum(model, state))) < 1e-8
    assert balance(run) < 1e-8
    assert run.energy["dissipated"].values[-1] == pytest.approx(first.loss + third.loss, rel=1e-12)


def test_a_release_changes_nothing():
    model, state = tree(2)
    state.v[model.index.v["j1"]] = 0.0
    move = {"j1": jd.Cycloid(to=state.q[model.index.q["j1"]] + 1.0, duration=1.0)}
    free = jd.Event(at=0.4, release="j1")
    run = jd.simulate(model, state, until=0.8, step=1e-3, motions=move, events=[free])
    i = 400
    assert np.max(np.abs(np.diff(run.record.v[i - 1 : i + 2], axis=0))) < 0.05
    # from there on it is the run that begins there, free
    alone = jd.simulate(model, run.state(i), until=0.8, step=1e-3)
    assert np.max(np.abs(alone.record.q - run.record.q[i:])) < 1e-13
    assert np.all(run.effort["j1"].values[i:] == 0.0) and np.all(run.effort["j1"].values[:i][1:] != 0.0)
    assert balance(run) < 1e-8


def test_a_crossing_is_located(oscillator):
    state = oscillator.state(q={"x": 1.0})
    run = jd.simulate(oscillator, state, until=2.0, events=[jd.Event(when=("x", "<", 0.3), lock="x")])
    exact = np.arccos(0.3) / 2.0
    assert run.events[0].time == pytest.approx(exact, abs=1e-9)
    assert run.q["x"].values[-1] == pytest.approx(0.3, abs=1e-9)
    assert run.events[0].impulse["x"] == pytest.approx(2.0 * np.sqrt(1.0 - 0.09), abs=1e-8)
    assert run.effort["x"].values[-1] == pytest.approx(4.0 * 0.3, abs=1e-8)
    assert balance(run) < 1e-8


def test_a_condition_that_holds_at_the_start_must_first_fail(oscillator):
    events = [jd.Event(when=("x", ">", 0.5), lock="x")]
    run = jd.simulate(oscillator, oscillator.state(q={"x": 1.0}), until=4.0, output=0.5, events=events)
    assert run.events[0].time == pytest.approx((2.0 * np.pi - np.arccos(0.5)) / 2.0, abs=1e-9)
    assert run.record.time == pytest.approx(np.arange(9) * 0.5)


def test_fixed_steps_take_the_end_of_the_step(oscillator):
    exact = np.arccos(0.3) / 2.0
    for step in (0.04, 0.01, 0.0025):
        event = jd.Event(when=("x", "<", 0.3), lock="x")
        run = jd.simulate(oscillator, oscillator.state(q={"x": 1.0}), until=1.0, step=step, events=[event])
        assert exact <= run.events[0].time < exact + step
        assert run.events[0].time == pytest.approx(step * np.ceil(exact / step), abs=1e-12)
        assert balance(run) < 1e-6


@jd.condition
def late(t, q, v, z, s, p):
    return t - p[0]


@pytest.mark.parametrize("more", [{}, {"output": 0.25}, {"output": 0.15}, {"step": 1e-3}])
@pytest.mark.parametrize("before", [1e-15, 1e-10])
def test_an_event_at_the_very_end(oscillator, more, before):
    event = jd.Event(when=late(0.5 - before), lock="x")
    run = jd.simulate(oscillator, oscillator.state(q={"x": 1.0}), until=0.5, events=[event], **more)
    assert run.record.time[-1] == 0.5 and run.v["x"].values[-1] == 0.0
    assert run.events[0].time == pytest.approx(0.5, abs=1e-9)
    assert run.q["x"].values[-1] == pytest.approx(np.cos(1.0), abs=1e-8)


def test_a_condition_that_senses_a_marker_and_a_parameter():
    system = jd.System("pendulum", gravity=(0, 0, -9.81))
    rod = jd.RigidBody("rod", 1.0, com=(0.5, 0, 0), inertia=(0.01, 0.1, 0.1), frames={"tip": (1.0, 0, 0)})
    system.add(rod, jd.Revolute("hinge", axis="y"))
    model = system.compile()

    @jd.condition(markers=("rod.tip",))
    def low(t, q, v, z, s, p):
        return p[0] - s[2]

    runs = [
        jd.simulate(model, model.state(), until=1.0, events=[jd.Event(when=when, lock="hinge")])
        for when in (low(-0.5), ("hinge", ">", np.pi / 6.0))
    ]
    assert runs[0].events[0].time == pytest.approx(runs[1].events[0].time, abs=1e-9)
    assert runs[0].frame("rod.tip").position.values[-1, 2] == pytest.approx(-0.5, abs=1e-9)
    assert runs[0].effort["hinge"].values[-1] == pytest.approx(-9.81 * 0.5 * np.cos(np.pi / 6.0), rel=1e-8)


def test_a_contact_starts_an_event():
    system = jd.System("lander", gravity=(0, 0, -1.6))
    system.add(jd.RigidBody("lander", 10.0), jd.Prismatic("height", axis="z"))
    system.add(jd.RigidBody("mast", 1.0), jd.Prismatic("mast", axis="x"), to="lander.origin")
    foot = jd.Sphere(0.1).at("lander.origin")
    normal = jd.contact.HuntCrossleyContact(stiffness=1e6, restitution=0.5)
    system.contact("foot", foot, jd.Plane((0, 0, 1)).at("world"), normal=normal)
    model = system.compile()

    @jd.condition(contacts=("foot",))
    def touches(t, q, v, z, s, p):
        return s[2] - 100.0

    state = model.state(q={"height": 0.3}, v={"mast": 0.2})
    run = jd.simulate(model, state, until=1.0, events=[jd.Event(when=touches, lock="mast", name="touchdown")])
    (event,) = run.events
    i = int(np.searchsorted(run.record.time, event.time))
    assert event.name == "touchdown" and event.time > np.sqrt(0.4 / 1.6)
    assert run.contact["foot"].force.values[i, 2] == pytest.approx(100.0, rel=1e-4)
    assert event.impulse == pytest.approx({"mast": -0.2}, rel=1e-12)
    # friction is none: the bounce is that of the run without the event
    free = jd.simulate(model, state, until=1.0)
    assert run.q["height"].values[-1] == pytest.approx(float(free.q["height"].values[-1]), abs=1e-7)
    assert balance(run) < 1e-7


def test_a_contact_knows_the_speed_after_an_event():
    """A ball on a sledge is locked to it half a step before it lands: it lands slower, and bounces with that speed."""
    system = jd.System("sledge")
    system.add(jd.RigidBody("sledge", 3.0), jd.Prismatic("sledge", axis="z"))
    system.add(jd.RigidBody("ball", 1.0), jd.Prismatic("ball", axis="z"), to="sledge.origin")
    normal = jd.HertzContact(stiffness=1e7, restitution=0.5)
    system.contact("floor", jd.Sphere(0.1).at("ball.origin"), jd.Plane((0, 0, 1)).at("world"), normal=normal)
    model = system.compile()
    state = model.state(q={"sledge": 0.200505}, v={"sledge": -1.0, "ball": -0.5})
    for method in ({}, {"step": 1e-5}):
        run = jd.simulate(model, state, until=0.1, events=[jd.Event(at=0.067, lock="ball")], **method)
        i = int(np.searchsorted(run.record.time, 0.067 - 1e-9))
        slower = (3.0 * 1.0 + 1.0 * 1.5) / 4.0
        assert run.v["sledge"].values[i] == pytest.approx(-slower, rel=1e-9)
        # half a step of the drop is not seen at fixed steps: some 1e-5 of the depth of the impact's end
        assert run.v["sledge"].values[-1] == pytest.approx(0.5 * slower, rel=1e-4)
        assert balance(run) < 1e-6


@pytest.mark.parametrize("method", BOTH)
def test_a_profile_takes_over(oscillator, method):
    profile = jd.Cycloid(to=2.0, duration=0.5)
    events = [jd.Event(at=0.2, motions={"x": profile}), jd.Event(at=0.9, release="x")]
    run = jd.simulate(oscillator, oscillator.state(q={"x": 1.0}), until=1.2, events=events, **method)
    (impulse,) = run.events[0].impulse.values()
    assert impulse == pytest.approx(2.0 * np.sin(0.4), abs=1e-8)
    t, x = run.record.time, run.q["x"].values
    assert np.interp(0.2, t, x) == pytest.approx(np.cos(0.4), abs=1e-8)
    assert x[(t >= 0.7) & (t <= 0.9)] == pytest.approx(2.0, abs=1e-12)
    assert x[-1] == pytest.approx(2.0 * np.cos(0.6), abs=1e-8)
    assert balance(run) < 1e-8


def test_a_profile_with_a_velocity_is_an_impact(oscillator):
    ramp = jd.Event(at=0.25, motions={"x": jd.Polynomial([7.0, 3.0])})
    run = jd.simulate(oscillator, oscillator.state(q={"x": 1.0}), until=1.0, events=[ramp])
    assert run.events[0].impulse["x"] == pytest.approx(3.0 + 2.0 * np.sin(0.5), abs=1e-8)
    assert run.q["x"].values[-1] == pytest.approx(np.cos(0.5) + 3.0 * 0.75, abs=1e-8)
    assert balance(run) < 1e-8


def test_sampled_controllers_go_on(oscillator):
    """Instants of the controller and times of events that agree but for rounding are one."""

    @jd.law
    def push(t, q, v, z, s, p, effort, dz):
        effort[0] += -2.0 * v[0]

    controller = jd.control.Sampled(push, period=0.1)
    for at in (3 * 0.1, 0.3, 0.1 + 0.2):
        events = [jd.Event(at=at, lock="x"), jd.Event(at=0.65, release="x")]
        state = oscillator.state(q={"x": 1.0})
        run = jd.simulate(oscillator, state, until=1.0, controller=controller, events=events)
        fixed = jd.simulate(oscillator, state, until=1.0, step=5e-4, controller=controller, events=events)
        assert run.record.q[-1] == pytest.approx(fixed.record.q[-1], abs=1e-9)
        assert balance(run) < 1e-7


def test_an_event_at_the_start(oscillator):
    state = oscillator.state(q={"x": 1.0}, v={"x": 2.0})
    for method in BOTH:
        run = jd.simulate(oscillator, state, until=0.5, events=[jd.Event(at=0.0, lock="x")], **method)
        assert np.all(run.record.q == 1.0) and np.all(run.record.v == 0.0)
        assert run.events[0].loss == pytest.approx(2.0) and balance(run) < 1e-12


def arm(weld=None):
    """A floating base with a flexible arm; the elbow hinged, or welded at an angle."""
    system = jd.System("arm")
    base = jd.RigidBody("base", 20.0, inertia=(3.0, 4.0, 5.0), frames={"mount": (0.4, 0, 0.1)})
    link = {"mass_per_length": 2.0, "EA": 1e6, "EI": (150.0, 200.0), "GJ": 100.0, "modes": jd.Modes(bending=1)}
    system.add(base, jd.Free("free"))
    system.add(jd.Beam("upper", length=1.0, **link), jd.Revolute("shoulder", axis="y"), to="base.mount")
    half = 0.0 if weld is None else 0.5 * weld
    joint = jd.Revolute("elbow", axis="y") if weld is None else jd.Weld("elbow")
    turn = (np.cos(half), 0.0, np.sin(half), 0.0)
    system.add(jd.Beam("fore", length=0.8, **link), joint, to="upper.tip", rotation=turn)
    return system.compile()


@pytest.fixture(scope="module")
def flexible_arm():
    return arm()


def test_a_locked_elbow_is_a_welded_one(flexible_arm):
    model = flexible_arm
    state = model.state(q={"elbow": 0.3, "upper.bending_z[0]": 0.01}, v={"elbow": 1.5, "shoulder": -0.4})
    run = jd.simulate(model, state, until=0.5, output=0.1, events=[jd.Event(at=0.2, lock="elbow")])
    assert momentum(model, run.state()) == pytest.approx(momentum(model, state), abs=1e-8)
    assert balance(run) < 1e-8
    begin = run.state(2)
    stiff = arm(weld=float(begin.q[model.index.q["elbow"]]))
    q = {name: begin.q[i] for name, i in model.index.q.items() if name != "elbow"}
    v = {name: begin.v[i] for name, i in model.index.v.items() if name != "elbow"}
    welded = jd.simulate(stiff, stiff.state(q, v, time=0.2), until=0.5, output=0.1)
    ours, theirs = (one.frame("fore.tip").path[-4:] for one in (run, welded))
    assert np.max(np.abs(ours - theirs)) < 1e-7  # rtol 1e-9, some hundred steps of an arm that vibrates
    # what the lock transmits
    assert np.all(run.effort["elbow"].values[2:] != 0.0)


def test_locked_shapes_are_rigid(flexible_arm):
    model = flexible_arm
    v = {"shoulder": 1.0, "upper.bending_z[0]": 0.3, "fore.bending_y[0]": -0.2}
    state = model.state(q={"elbow": 0.5, "fore.bending_z[0]": 0.02}, v=v)
    events = [jd.Event(at=0.05, lock=("upper", "fore.bending_y[0]"))]
    run = jd.simulate(model, state, until=0.2, output=0.01, events=events)
    after = run.record.time > 0.05 - 1e-9
    for name in ("upper.bending_y[0]", "upper.bending_z[0]", "fore.bending_y[0]"):
        assert np.ptp(run.q[name].values[after]) == 0.0
    assert np.ptp(run.q["fore.bending_z[0]"].values[after]) > 1e-4
    assert momentum(model, run.state()) == pytest.approx(momentum(model, state), abs=1e-8)
    assert balance(run) < 1e-8 and run.events[0].loss > 0.0


@pytest.mark.parametrize("deployment", ["stretch", "emerging"])
def test_deployment_stops_and_goes_on(deployment):
    system = jd.System("boom")
    system.add(jd.RigidBody("hub", 8.0, inertia=(1.0, 1.0, 1.0)), jd.Free("free"))
    section = {"EA": 1e6, "EI": (80.0, 80.0), "GJ": 50.0, "modes": jd.Modes(bending=1)}
    boom = jd.DeployableBeam("boom", length=(1.0, 4.0), mass=3.0, deployment=deployment, **section)
    system.add(boom, jd.Weld("root"), to="hub.origin")
    model = system.compile()
    state = model.state(q={"boom.length": 1.5, "boom.bending_y[0]": 0.01}, v={"free": (0.1, 0.0, 0.3, 0.0, 0.0, 0.0)})
    events = [
        jd.Event(at=0.5, lock="boom.length", name="jam"),
        jd.Event(at=0.8, motions={"boom.length": jd.Cycloid(to=3.0, duration=1.0)}, name="go on"),
    ]
    out = {"boom.length": jd.Cycloid(to=2.5, duration=1.0)}
    run = jd.simulate(model, state, until=2.0, output=0.05, motions=out, events=events)
    length, t = run.q["boom.length"].values, run.record.time
    assert length[(t > 0.5) & (t < 0.8)] == pytest.approx(2.0, abs=1e-9) and length[-1] == pytest.approx(3.0)
    assert run.events[0].impulse["boom.length"] < 0.0 and run.events[1].impulse == {}
    assert momentum(model, run.state()) == pytest.approx(momentum(model, state), abs=1e-8)
    assert balance(run) < 1e-8
    far = [jd.Event(when=("boom.length", ">", 2.0), motions={"boom.length": jd.Cycloid(to=5.0, duration=0.2)})]
    with pytest.raises(jd.errors.SimulationError, match=r"boom.length: motions: .* between 1 and 4 m") as caught:
        jd.simulate(model, state, until=2.0, motions=out, events=far)
    assert caught.value.partial is not None and caught.value.time == pytest.approx(0.5, abs=1e-9)


def test_events_in_a_run_file(oscillator, tmp_path):
    events = [jd.Event(at=0.5, lock="x", name="stop"), jd.Event(when=("x", ">", 99.0), release="x")]
    with pytest.warns(jd.errors.EventWarning, match='event "release x" never happened'):
        run = jd.simulate(
            oscillator, oscillator.state(q={"x": 1.0}), until=1.0, events=events, save=tmp_path / "run.nc"
        )
    again = jd.load(tmp_path / "run.nc")
    assert again.events == run.events and again.events[0].name == "stop"
    assert again.options["events"][1]["when"] == ["x", ">", 99.0] and again.options["parameters"] == []


def test_a_run_without_events_has_none(oscillator):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert jd.simulate(oscillator, oscillator.state(q={"x": 1.0}), until=0.1).events == []


@jd.condition
def too_far(t, q, v, z, s, p):
    return q[7]


@jd.condition
def no_number(t, q, v, z, s, p):
    return math.inf  # noqa: F821


LOCK = {"at": 0.5, "lock": "x"}


@pytest.mark.parametrize(
    ("events", "says"),
    [
        ([{"at": -1.0, "lock": "x"}], "lock x: happens at -1 s, and the run goes from 0 to 1 s"),
        ([{"at": 1.0, "lock": "x"}], "lock x: happens at 1 s.*before its end"),
        ([{"at": 0.5, "lock": "y"}], "y: lock: no such coordinate; did you mean|y: lock: no such coordinate"),
        ([{"at": 0.5, "release": "x"}], "x: release x: nothing holds it at 0.5 s"),
        ([LOCK, {"at": 0.7, "lock": "x"}], "x: lock x: it is locked already at 0.7 s; release it first"),
        ([{"at": 0.5, "lock": "x", "release": "x"}], "x: lock x; release x: named in lock and in release"),
        ([{"when": ("x", ">", 0.0), "release": "x"}], "x: release x: nothing ever holds it"),
        ([{"when": ("y", ">", 0.0), "lock": "x"}], "y: when: no such coordinate"),
        ([{"when": ("x", "=", 0.0), "lock": "x"}], "lock x: when is"),
        ([{"when": ("x", ">", None), "lock": "x"}], "lock x: when: x is compared with None"),
        ([{"when": too_far, "lock": "x"}], "too_far: index 7 is out of bounds.*q has 1 entries"),
        ([{"at": 0.5, "motions": {"x": 3.0}}], "x: motions: got float; give each coordinate a profile"),
        ([{"at": 0.5, "lock": 3}], "event: lock is 3"),
        ([{"at": 0.5}], "event: it does nothing"),
        ([{"lock": "x"}], "lock x: give either at="),
        ([{"at": 0.5, "when": ("x", ">", 0.0), "lock": "x"}], "lock x: give either at="),
        ([{"at": np.inf, "lock": "x"}], "lock x: at is inf"),
    ],
)
def test_bad_events(oscillator, events, says):
    with pytest.raises(jd.errors.ModelError, match=says):
        jd.simulate(oscillator, oscillator.state(), until=1.0, events=[jd.Event(**event) for event in events])


def test_more_bad_events(oscillator):
    state = oscillator.state()
    with pytest.raises(
        jd.errors.ModelError, match=r"lock x: happens at 0.55 s, within a step of 0.1 s; 0.5 s or 0.6 s"
    ):
        jd.simulate(oscillator, state, until=1.0, step=0.1, events=[jd.Event(at=0.55, lock="x")])
    with pytest.raises(jd.errors.ModelError, match="events: got str"):
        jd.simulate(oscillator, state, until=1.0, events="lock")
    with pytest.raises(jd.errors.ModelError, match="events: they need Python within a run; use jd.simulate"):
        jd.simulate_many(oscillator, [state], until=1.0, step=0.1, events=[jd.Event(**LOCK)])
    with pytest.raises(jd.errors.ModelError, match="a condition takes"):
        jd.condition(lambda t, q: 0.0)
    with pytest.raises(jd.errors.ModelError, match="no_number: the condition does not compile"):
        jd.simulate(oscillator, state, until=1.0, events=[jd.Event(when=no_number, lock="x")])
    model, state = tree(0)
    with pytest.raises(jd.errors.ModelError, match="j0: lock: rotations and free joints cannot be held"):
        jd.simulate(model, state, until=1.0, events=[jd.Event(at=0.5, lock="j0")])


def test_a_lock_that_comes_too_late(oscillator):
    """What only the run can tell stops it, and what was computed is kept."""
    events = [jd.Event(when=("x", "<", 0.5), lock="x"), jd.Event(when=("x", "<", 0.4), lock="x", name="again")]
    state = oscillator.state(q={"x": 1.0})
    with pytest.warns(jd.errors.EventWarning, match="again"):
        jd.simulate(oscillator, state, until=1.0, events=events)
    events = [jd.Event(when=("x", "<", 0.5), lock="x"), jd.Event(at=0.9, lock="x", name="again")]
    with pytest.raises(
        jd.errors.SimulationError, match="stopped by an event at t = 0.9 s: x: again: it is locked"
    ) as caught:
        jd.simulate(oscillator, state, until=1.0, events=events)
    assert caught.value.culprit == "x" and caught.value.partial.record.time[-1] < 0.9
