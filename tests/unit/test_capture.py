"""Connections that events close and open: momentum, energy and motion of a latch, grapples, releases and mistakes."""

import pickle
import warnings

import numpy as np
import pytest

import jourdain as jd
from jourdain.describe.description import from_dict

METHODS = [
    {},
    {"step": 1e-3},
    {"method": "radau"},
    {"method": "generalized-alpha", "step": 1e-3},
]
CLOSE = 0.25


def catcher():
    return jd.RigidBody("a", 3.0, inertia=(0.4, 0.5, 0.6), frames={"tip": (0.5, 0.1, 0.0)})


def prize():
    return jd.RigidBody("b", 2.0, com=(0.1, 0.0, 0.0), inertia=(0.2, 0.3, 0.25), frames={"handle": (-0.4, 0.0, 0.05)})


def pair(latch=None, **more):
    """Two bodies that float, and what an event is to put between them."""
    system = jd.System("two")
    system.add(catcher(), joint=jd.Free("fa"))
    system.add(prize(), joint=jd.Free("fb"))
    system.connect(jd.Weld("latch") if latch is None else latch, "a.tip", "b.handle", **({"active": False} | more))
    return system.compile()


def meeting(model):
    turn = np.array([0.9, 0.3, -0.1, 0.3])
    there = jd.Pose((1.5, 0.2, 0.1), turn / np.linalg.norm(turn))
    speeds = {"fa": (0.1, -0.2, 0.3, 0.4, 0.0, 0.1), "fb": (0.3, 0.2, -0.1, -0.2, 0.1, 0.0)}
    return model.state(q={"fb": there}, v=speeds)


@pytest.fixture(scope="module")
def two():
    return pair()


def momentum(model, state):
    return np.concatenate(model.momentum(state))


def kept(run, model, i=0, j=-1):
    """Change of momentum from sample i to sample j, over its size."""
    before, after = momentum(model, run.state(i)), momentum(model, run.state(j))
    return np.max(np.abs(after - before)) / np.max(np.abs(before))


def sample(run, t):
    return int(np.searchsorted(run.record.time, t - 1e-9))


def as_one(model, state, bodies):
    """Kinetic energy [J] that bodies have as one rigid body of the same momentum."""
    found = []
    for name, mass, com, inertia in bodies:
        path = model.frame_path(f"{name}.origin", state.q[None], state.v[None])[0]
        R = jd.Pose(path[:3], path[3:7]).rotation
        x, w = path[:3] + R @ com, path[7:10]
        found.append((mass, x, path[10:] + np.cross(w, R @ com), R @ np.diag(inertia) @ R.T, w))
    m = sum(one[0] for one in found)
    p, centre = (sum(one[0] * one[k] for one in found) for k in (2, 1))
    centre = centre / m
    spin = sum(one[0] * np.cross(one[1] - centre, one[2]) + one[3] @ one[4] for one in found)
    arms = [(one[0], one[1] - centre, one[3]) for one in found]
    inertia = sum(own + mass * (d @ d * np.eye(3) - np.outer(d, d)) for mass, d, own in arms)
    before = sum(0.5 * one[0] * one[2] @ one[2] + 0.5 * one[4] @ one[3] @ one[4] for one in found)
    return before, 0.5 * p @ p / m + 0.5 * spin @ np.linalg.solve(inertia, spin)


BODIES = [("a", 3.0, np.zeros(3), (0.4, 0.5, 0.6)), ("b", 2.0, np.array([0.1, 0.0, 0.0]), (0.2, 0.3, 0.25))]


@pytest.mark.parametrize("method", METHODS, ids=str)
def test_a_latch_keeps_momentum_and_loses_what_a_plastic_impact_does(two, method):
    start = meeting(two)
    run = jd.simulate(two, start, until=0.5, events=[jd.Event(at=CLOSE, connect="latch")], **method)
    i = sample(run, CLOSE)
    exact = method.get("method") != "generalized-alpha"
    assert kept(run, two) < (1e-12 if exact else 1e-8)  # second order in the step
    (event,) = run.events
    free = jd.simulate(two, start, until=CLOSE)
    before, after = as_one(two, free.state(), BODIES)
    assert event.loss == pytest.approx(before - after, rel=1e-9 if exact else 1e-7)
    assert run.energy.error < (1e-12 if exact else 1e-8)
    # the latch is still, and its impulse is what the second body gained
    latch = run.constraint["latch"]
    assert np.all(np.isnan(latch.gap.values[:i])) and np.max(np.abs(latch.gap.values[i:])) < 1e-10
    assert np.max(np.abs(latch.slip.values[i:])) < 1e-10
    assert np.array_equal(latch.connected.values, np.arange(len(run)) >= i)
    path = [one.frame_path("a", s.q[None], s.v[None])[0] for one, s in ((two, run.state(i)), (two, free.state()))]
    assert np.array(event.wrench["latch"][3:]) == pytest.approx(3.0 * (path[0] - path[1])[10:], abs=1e-7)


@pytest.mark.parametrize("method", METHODS[:2], ids=str)
def test_what_is_latched_moves_as_one_body(two, method):
    close = [jd.Event(at=CLOSE, connect="latch")]
    run = jd.simulate(two, meeting(two), until=0.75, output=0.25, events=close, **method)
    closed = run.state(1)
    poses = [jd.Pose(path[:3], path[3:7]) for path in (run.frame(name).path[1] for name in ("a", "b"))]
    system = jd.System("one")
    system.add(catcher(), joint=jd.Free("fa"))
    system.add(prize(), joint=jd.Weld("held"), to="a.origin", **placed(poses[0].inverse() @ poses[1]))
    one = system.compile()
    state = one.state(q=closed.q[:7], v=closed.v[:6], time=CLOSE)
    whole = jd.simulate(one, state, until=0.75, output=0.25, **method)
    for name in ("a", "b"):
        assert run.frame(name).path[-1] == pytest.approx(whole.frame(name).path[-1], abs=1e-9)
    # forces: none before, those of the welded joint after
    at_b = whole.reaction["held"].force.values
    assert -run.constraint["latch"].force.values[1:] == pytest.approx(at_b, abs=1e-8)
    assert np.all(run.constraint["latch"].force.values[0] == 0.0)
    assert run.energy["kinetic"].values[-1] == pytest.approx(whole.energy["kinetic"].values[-1], rel=1e-9)


def placed(pose):
    return {"position": pose.position, "rotation": pose.rotation}


def test_two_discs_in_the_plane():
    """Closed form: m1 m2 / (m1 + m2) u^2 / 2 of the approach, and the spin that the offset leaves."""
    system = jd.System("discs")
    for name in "ab":
        system.add(jd.RigidBody(name, 2.0, inertia=(1, 1, 0.5), frames={"rim": (0, 0, 0)}), joint=jd.Planar(f"p{name}"))
    system.connect(jd.Weld("latch"), "a.rim", "b.rim", active=False)
    model = system.compile()
    start = model.state(q={"pb.x": 2.0, "pb.y": 0.6}, v={"pa.x": 1.0})
    near = (("a.rim", "b.rim"), "<", 1.0)
    run = jd.simulate(model, start, until=2.0, output=0.01, events=[jd.Event(when=near, connect="latch")])
    (event,) = run.events
    assert event.time == pytest.approx(2.0 - 0.8, abs=1e-9)  # 0.8^2 + 0.6^2 = 1
    inertia, spin = 2 * 0.5 + 2 * 2.0 * 0.5**2, 2.0 * 0.3  # about the common centre; half of the offset
    assert event.loss == pytest.approx(1.0 - 0.5 * 4.0 * 0.5**2 - 0.5 * spin**2 / inertia, rel=1e-9)
    assert run.frame("a").angular_velocity.values[-1, 2] == pytest.approx(spin / inertia, rel=1e-9)
    assert kept(run, model) < 1e-12 and run.energy.error < 1e-10
    apart = run.frame("b.rim").position.values - run.frame("a.rim").position.values
    assert np.linalg.norm(apart[-1]) == pytest.approx(1.0, abs=1e-9)


def flexible(beam, first, second):
    """A body that floats and one that bends."""
    system = jd.System("soft")
    system.add(catcher(), joint=jd.Free("fa"))
    system.add(beam, joint=jd.Free("fb"))
    system.connect(jd.Weld("latch"), first, second, active=False)
    return system.compile()


def beam():
    modes = jd.Modes(bending=2, torsion=1)
    return jd.Beam("b", length=2.0, mass_per_length=0.8, EA=1e5, EI=(30.0, 60.0), GJ=20.0, modes=modes)


def solid():
    ends = {"tip": lambda x: x[0] > 0.4 - 1e-9}
    rubber = jd.Material(E=2e6, nu=0.3, density=800.0)
    return jd.Solid("b", jd.mesh.block((0.4, 0.1, 0.1), (3, 1, 1)), rubber, modes=4, surfaces=ends)


@pytest.mark.parametrize("make", [beam, solid])
def test_a_body_that_deforms_is_latched_by_its_tip(make):
    """The place beside a frame that deforms (`connected`) and the same on the rigid body give one motion; momentum is
    kept, and what is lost is the kinetic energy of the velocities lost."""
    ends = []
    for first, second in (("a.tip", "b.tip"), ("b.tip", "a.tip")):
        model = flexible(make(), first, second)
        speeds = {"fa": (0.1, -0.2, 0.3, 0.4, 0.0, 0.1), "fb": (0.3, 0.2, -0.1, -0.2, 0.1, 0.0)}
        there = jd.Pose((1.5, 0.2, 0.1), (0.8, 0.6, 0.0, 0.0))
        bent = {name: 1e-3 for name in model.names.q if name.startswith("b.")}
        state = model.state(q={"fb": there} | bent, v=speeds)
        event = jd.Event(at=0.05, connect="latch")
        run = jd.simulate(model, state, until=0.1, output=0.05, rtol=1e-10, atol=1e-12, events=[event])
        assert kept(run, model) < 1e-11  # that of the method; over the latch alone:
        before = jd.simulate(model, state, until=0.05, rtol=1e-10, atol=1e-12).state()
        change = momentum(model, run.state(1)) - momentum(model, before)
        assert np.max(np.abs(change)) < 1e-12 * np.max(np.abs(momentum(model, before)))
        d = run.state(1).v - before.v
        assert run.events[0].loss == pytest.approx(0.5 * d @ model.mass_matrix(before) @ d, rel=1e-9)
        assert run.events[0].loss > 0.0 and run.energy.error < 1e-9
        assert np.max(np.abs(run.constraint["latch"].gap.values[1:])) < 1e-10
        ends.append(run)
    for name in ("a", "b", "b.tip"):
        assert ends[0].frame(name).path[-1] == pytest.approx(ends[1].frame(name).path[-1], abs=1e-8)


def masses(**spring):
    """Two masses on one line, and a spring that an event is to engage."""
    system = jd.System("line")
    for name, mass in (("a", 3.0), ("b", 1.5)):
        system.add(jd.RigidBody(name, mass), joint=jd.Prismatic(f"x{name}", axis="x"))
    system.connect(jd.constraints.Spring("grapple", **spring), "a.origin", "b.origin", active=False)
    system.connect(jd.Weld("latch"), "a.origin", "b.origin", active=False)
    return system.compile()


@pytest.mark.parametrize("method", METHODS[:3], ids=str)
def test_a_grapple_is_a_spring_and_damper_between_two_masses(method):
    """r'' + 2 d w r' + w^2 (r - l) = 0 of the distance from where it engages, until it is latched at a given speed."""
    model = masses(stiffness=40.0, damping=4.0, length=0.2)
    state = model.state(q={"xb": 1.0}, v={"xa": 1.0})
    events = [
        jd.Event(when=(("a", "b"), "<", 0.5), connect="grapple", name="touch"),
        jd.Event(when=(("a", "b"), "slower", 0.1), connect="latch"),
    ]
    run = jd.simulate(model, state, until=1.0, output=0.01, events=events, **method)
    touch, latch = run.events
    late = method.get("step", 0.0)
    assert 0.5 - 1e-9 <= touch.time <= 0.5 + late + 1e-9 and touch.loss == 0.0 and touch.wrench == {}
    mu = 3.0 * 1.5 / 4.5
    w, d = np.sqrt(40.0 / mu), 4.0 / (2.0 * np.sqrt(40.0 * mu))
    damped = w * np.sqrt(1.0 - d * d)
    r0, u0 = (1.0 - touch.time) - 0.2, -1.0
    t = run.record.time
    inside = (t >= touch.time) & (t < latch.time)
    s = t[inside] - touch.time
    r = np.exp(-d * w * s) * (r0 * np.cos(damped * s) + (u0 + d * w * r0) / damped * np.sin(damped * s))
    seen = (run.q["xb"] - run.q["xa"]).values
    assert seen[inside] - 0.2 == pytest.approx(r, abs=1e-8) and np.sum(inside) > 10
    # what is stored where it engages was brought; what the latch takes is the speed that was left
    assert latch.loss == pytest.approx(0.5 * mu * 0.1**2, rel=1e-6 if not late else 0.1)
    assert run.energy.error < 1e-8
    work = run.energy["work"].values
    assert work[-1] == pytest.approx(0.5 * 40.0 * r0**2, rel=1e-12) and work[0] == 0.0
    after = sample(run, latch.time)
    assert np.ptp(seen[after:]) < 1e-10 and run.v["xa"].values[-1] == pytest.approx(3.0 / 4.5, abs=1e-9)


def test_a_spring_without_a_length_engages_without_force():
    model = masses(stiffness=40.0)
    events = [jd.Event(at=0.25, connect="grapple"), jd.Event(at=0.35, disconnect="grapple")]
    run = jd.simulate(model, model.state(q={"xb": 1.0}, v={"xa": 1.0}), until=1.0, output=0.05, events=events)
    w = np.sqrt(40.0)  # the reduced mass is 1 kg
    assert run.energy["work"].values[-1] == 0.0
    assert run.events[1].loss == pytest.approx(0.5 * 40.0 * (np.sin(w * 0.1) / w) ** 2, rel=1e-8)
    assert run.energy.error < 1e-9
    assert (run.v["xb"] - run.v["xa"]).values[-1] == pytest.approx(-np.cos(w * 0.1), abs=1e-9)


def test_closed_released_and_closed_again(two, tmp_path):
    events = [
        jd.Event(at=0.1, connect="latch"),
        jd.Event(at=0.2, disconnect="latch", name="let go"),
        jd.Event(at=0.3, connect="latch", name="again"),
    ]
    run = jd.simulate(two, meeting(two), until=0.4, output=0.05, events=events, save=tmp_path / "run.nc")
    assert [one.name for one in run.events] == ["connect latch", "let go", "again"]
    assert run.events[1].loss == 0.0 and run.events[1].wrench == {} and kept(run, two) < 1e-12
    held = run.constraint["latch"].connected.values
    assert held.tolist() == [False, False, True, True, False, False, True, True, True]
    force = np.linalg.norm(run.constraint["latch"].force.values, axis=1)
    assert np.all(force[held] > 0.0) and np.all(force[~held] == 0.0)
    # nothing moved against each other while it was closed, so that it closes on nothing again but for the way flown
    apart = np.linalg.norm(run.frame("b.handle").position.values - run.frame("a.tip").position.values, axis=1)
    assert np.ptp(apart[2:4]) < 1e-12 and np.ptp(apart[6:]) < 1e-12
    again = jd.load(tmp_path / "run.nc")
    assert again.events == run.events
    assert again.constraint["latch"].force.values == pytest.approx(run.constraint["latch"].force.values, abs=1e-12)


def test_a_run_goes_on_in_the_model_of_its_end(two, tmp_path):
    close = [jd.Event(at=0.1, connect="latch")]
    run = jd.simulate(two, meeting(two), until=0.4, output=0.2, events=close)
    model = run.model_at(1)
    assert model.constraints.names == ("latch",) and run.model_at(0) is two and two.constraints.names == ()
    for one in (model, pickle.loads(pickle.dumps(model)), jd.Model.from_description(model.description)):
        assert one.hash == model.hash != two.hash
        on = jd.simulate(one, run.state(1), until=0.4)
        assert on.record.q[-1] == pytest.approx(run.record.q[-1], abs=1e-10)
    # released in another run
    loose = [jd.Event(at=0.3, disconnect="latch")]
    on = jd.simulate(model, run.state(1), until=0.4, events=loose, save=tmp_path / "on")
    assert jd.load(on.path).constraint["latch"].connected.values[0] and not on.constraint["latch"].connected.values[-1]


@pytest.mark.parametrize("latch", [jd.Spherical("latch"), jd.Revolute("latch", axis="y"), jd.constraints.Rod("latch")])
def test_other_joints_close_where_the_frames_are(latch):
    model = pair(latch)
    run = jd.simulate(model, meeting(model), until=0.5, events=[jd.Event(at=CLOSE, connect="latch")])
    assert kept(run, model) < 1e-11 and run.energy.error < 1e-11
    gap = run.constraint["latch"].gap.values[sample(run, CLOSE) :]
    assert np.max(np.abs(gap)) < 1e-10 and run.events[0].loss > 0.0


def test_a_rod_is_let_go():
    """A pendulum flies on with the velocity that it had: what is connected from the start can be disconnected."""
    system = jd.System("sling", gravity=(0, 0, -10.0))
    system.add(jd.RigidBody("ball", 1.0, inertia=(0.1, 0.1, 0.1)), joint=jd.Free("f"))
    system.connect(jd.constraints.Rod("sling", length=1.0), "ball.origin", "world")
    model = system.compile()
    state = model.state(q={"f": jd.Pose((0, 0, -1.0))}, v={"f": (0, 0, 0, 3.0, 0, 0)})
    run = jd.simulate(model, state, until=0.5, events=[jd.Event(at=0.2, disconnect="sling")])
    i = sample(run, 0.2)
    start, end = run.frame("ball").path[i], run.frame("ball").path[-1]
    flown = start[:3] + 0.3 * start[10:] + 0.5 * 0.09 * np.array([0, 0, -10.0])
    assert end[:3] == pytest.approx(flown, abs=1e-9) and run.energy.error < 1e-9
    assert np.linalg.norm(start[:3]) == pytest.approx(1.0, abs=1e-10)


def test_two_latches_between_the_same_bodies():
    """Rows of the second follow from those of the first: the motion is the same."""
    ends = []
    for several in (False, True):
        system = jd.System("two")
        system.add(catcher(), joint=jd.Free("fa"))
        system.add(prize(), joint=jd.Free("fb"))
        for name in ("latch", "other"):
            system.connect(jd.Weld(name), "a.tip", "b.handle", active=False)
        model = system.compile()
        events = [jd.Event(at=CLOSE, connect="latch"), jd.Event(at=0.3, connect="other")]
        run = jd.simulate(model, meeting(model), until=0.5, events=events[: 1 + several])
        assert kept(run, model) < 1e-12
        assert not several or abs(run.events[-1].loss) < 1e-12
        ends.append(run.record.q[-1])
    assert ends[0] == pytest.approx(ends[1], abs=1e-9)


def ball_and_wall():
    system = jd.System("berth")
    system.add(jd.RigidBody("ball", 2.0, inertia=(0.1, 0.1, 0.1)), joint=jd.Prismatic("x", axis="x"))
    normal = jd.contact.HuntCrossleyContact(stiffness=1e5, restitution=0.5)
    wall = jd.Plane((-1, 0, 0)).at("world", position=(1.0, 0, 0))
    system.contact("touch", jd.Sphere(0.1).at("ball.origin"), wall, normal=normal)
    hook = jd.constraints.Spring("hook", stiffness=50.0, damping=2.0)
    system.connect(hook, "ball.origin", "world", position=(1.0, 0, 0), active=False)
    system.connect(jd.Weld("latch"), "ball.origin", "world", active=False)
    return system.compile()


@pytest.mark.parametrize("method", [{}, {"step": 1e-4}], ids=str)
def test_a_hook_engages_at_touch_and_a_latch_closes_when_it_parts(method):
    model = ball_and_wall()
    state = model.state(v={"x": 1.0})
    events = [
        jd.Event(when=("touch", "touches"), connect="hook"),
        jd.Event(when=("touch", "parts"), connect="latch"),
    ]
    run = jd.simulate(model, state, until=1.5, events=events, **method)
    hook, latch = run.events
    assert hook.time == pytest.approx(0.9, abs=1e-7 + method.get("step", 0.0)) and latch.time > hook.time
    assert run.energy.error < 1e-6 and run.v["x"].values[-1] == pytest.approx(0.0, abs=1e-12)
    i = sample(run, latch.time)
    free = jd.simulate(model, state, until=1.5, **method)
    rebound = free.v["x"].values[-1]  # the hook takes a little of it
    assert 0.85 * rebound**2 < latch.loss < rebound**2 and rebound < -0.4
    assert np.max(np.abs(run.contact["touch"].force.values[i:])) < 1e-9


def test_a_joint_carries_what_the_latch_does():
    """Newton and Euler over an arm that has caught something: the shoulder's force moves all that is outboard."""
    system = jd.System("arm")
    arm = jd.RigidBody("arm", 2.0, com=(0.5, 0, 0), inertia=(0.01, 0.2, 0.2), frames={"tip": (1, 0, 0)})
    system.add(arm, joint=jd.Revolute("shoulder", axis="z"))
    system.add(jd.RigidBody("prize", 1.5, inertia=(0.1, 0.1, 0.1)), joint=jd.Free("f"))
    system.connect(jd.Weld("latch"), "arm.tip", "prize.origin", active=False)
    model = system.compile()
    state = model.state(q={"f": jd.Pose((1.1, 0.05, 0))}, v={"shoulder": 1.0})
    run = jd.simulate(model, state, until=0.2, output=0.02, events=[jd.Event(at=0.1, connect="latch")])
    w = run.v["shoulder"].values
    inertia = 0.2 + 2.0 * 0.25
    there = run.frame("prize").position.values[-1]
    assert w[-1] == pytest.approx(w[0] * inertia / (inertia + 0.1 + 1.5 * (1.1**2 + 0.05**2)), rel=1e-9)
    pull = run.reaction["shoulder"].force.values[-1]
    arm_centre = run.frame("arm.tip").position.values[-1] / 2
    assert pull == pytest.approx(-(w[-1] ** 2) * (2.0 * arm_centre + 1.5 * there), abs=1e-9)


LATCH = {"at": 0.1, "connect": "latch"}


@pytest.mark.parametrize(
    ("events", "says"),
    [
        ([{"at": 0.1, "connect": "lach"}], 'lach: connect lach: no such connection to connect; did you mean "latch"'),
        ([{"connect": "latch"}], "give either at="),
        ([{"at": 0.1}], "it does nothing; give lock=, release=, motions=, connect= or disconnect="),
        ([{"at": 0.1, "disconnect": "latch"}], "latch: disconnect latch: it is not connected at 0.1 s"),
        ([LATCH, {"at": 0.2, "connect": "latch"}], "latch: connect latch: it is connected already at 0.2 s"),
        ([LATCH | {"disconnect": "latch"}], "named in connect and in disconnect"),
        ([{"when": ("touch", "touches"), "connect": "latch"}], "touch: no such contact"),
        ([{"when": (("a.tip", "b.hand"), "<", 1.0), "connect": "latch"}], "b.hand: no such address"),
        ([{"when": (("a.tip", "b.handle"), "<", -1.0), "connect": "latch"}], "compared with -1; give zero or more"),
        ([{"when": (("a.tip", "b.handle"), "near", 1.0), "connect": "latch"}], "when is .*give"),
        ([{"at": 0.1, "connect": 3}], "connect is 3; give a name or names"),
    ],
)
def test_bad_events(two, events, says):
    with pytest.raises(jd.errors.ModelError, match=says):
        jd.simulate(two, meeting(two), until=0.5, events=[jd.Event(**one) for one in events])


def test_bad_connections(two):
    system = jd.System("two")
    system.add(prize(), joint=jd.Free("fb"))
    with pytest.raises(jd.errors.ModelError, match="active is 'no'"):
        system.connect(jd.Weld("latch"), "b.handle", "world", active="no")
    system.connect(jd.Weld("latch"), "b.handle", "world", moves=(jd.Sine(0.1, 1.0), None, None), active=False)
    with pytest.raises(jd.errors.ModelError, match="has moves= and active=False"):
        system.compile()
    with pytest.raises(jd.errors.ModelError, match="integrates momenta"):
        jd.simulate(two, meeting(two), until=0.5, constraints="momenta", events=[jd.Event(**LATCH)])
    with pytest.raises(jd.errors.ModelError, match="is for explicit methods"):
        jd.simulate(two, meeting(two), until=0.5, method="bdf", constraints="orthogonal", events=[jd.Event(**LATCH)])


def test_what_cannot_close_stops_the_run():
    model = pair(jd.constraints.Rod("latch", length=0.1))
    with pytest.raises(jd.errors.SimulationError, match="latch: it would be connected open by .* leave out its length"):
        jd.simulate(model, meeting(model), until=0.5, events=[jd.Event(**LATCH)])
    # closed by two events of which the second comes too soon
    model = pair()
    events = [jd.Event(**LATCH), jd.Event(when=(("a", "b"), "<", 1.475), connect="latch")]
    with pytest.raises(jd.errors.SimulationError, match="it is connected already") as caught, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        jd.simulate(model, meeting(model), until=0.5, events=[events[1], jd.Event(at=0.4, connect="latch")])
    assert caught.value.culprit == "latch" and caught.value.partial is not None


def test_a_connection_that_no_event_closes_is_not_there(two):
    start = meeting(two)
    system = jd.System("two")
    system.add(catcher(), joint=jd.Free("fa"))
    system.add(prize(), joint=jd.Free("fb"))
    without = system.compile()
    ends = [jd.simulate(model, start, until=0.3).record.q[-1] for model in (two, without)]
    assert np.array_equal(*ends) and from_dict(two.description).connections[0].active is False


SCENARIO = """
jourdain: 1
name: berthing
system:
  bodies:
    - {kind: RigidBody, name: ball, mass: 2.0, joint: {kind: Prismatic, name: x, axis: x}}
  contacts:
    - name: touch
      first: {kind: Sphere, radius: 0.1, at: ball.origin}
      second: {kind: Plane, normal: [-1, 0, 0], at: world, position: [1.0, 0, 0]}
      normal: {kind: HuntCrossleyContact, stiffness: 1.0e+5, restitution: 0.5}
  connections:
    - {kind: Spring, name: hook, stiffness: 500.0, damping: 300.0, first: ball.origin, second: world, active: false}
    - {kind: Weld, name: latch, first: ball.origin, second: world, active: false}
state: {v: {x: 1.0}}
simulation: {until: 1.5}
events:
  - {when: touch touches, connect: hook}
  - {when: ball.origin to world slower 10 mm/s, connect: [latch]}
  - {at: 1.4, disconnect: latch, name: let go}
"""


def test_a_scenario_file_connects(tmp_path):
    path = tmp_path / "berth.yaml"
    path.write_text(SCENARIO)
    scenario = jd.load_scenario(path)
    assert scenario.events[0].when == ("touch", "touches") and scenario.events[0].connect == ("hook",)
    assert scenario.events[1].when == (("ball.origin", "world"), "slower", 0.01)
    run = scenario.simulate()
    assert [one.name for one in run.events] == ["connect hook", "connect latch", "let go"]
    path.write_text(SCENARIO.replace("connect: hook", "connect: hok").replace("touch touches", "toch touches"))
    said = str(jd.study.check_scenario(path))
    assert "hok" in said and "hook" in said and "toch" in said
    path.write_text(SCENARIO.replace("slower 10 mm/s", "slower 10 kg"))
    assert "m/s" in str(jd.study.check_scenario(path))


@pytest.mark.parametrize("constraints", ["baumgarte", "unstabilised", "orthogonal", "partitioning", "null-space"])
def test_every_way_to_keep_constraints_keeps_a_latch(two, constraints):
    close = [jd.Event(at=CLOSE, connect="latch")]
    ends = [
        jd.simulate(two, meeting(two), until=0.5, step=1e-3, events=close, constraints=one).record.q[-1]
        for one in (constraints, "projection")
    ]
    assert ends[0] == pytest.approx(ends[1], abs=1e-9)


def test_a_latch_beside_a_loop_and_a_locked_joint():
    """A four-bar whose rocker is caught by a body that floats, while its crank is locked: all hold at once."""
    system = jd.System("four-bar")
    for name, length, joint, to, place in (
        ("crank", 0.3, "j1", "world", (0, 0, 0)),
        ("coupler", 0.8, "j2", "crank.tip", (0, 0, 0)),
        ("rocker", 0.6, "j3", "world", (0.7, 0, 0)),
    ):
        body = jd.RigidBody(
            name, length, com=(length / 2, 0, 0), inertia=(0.01, 0.02, 0.02), frames={"tip": (length, 0, 0)}
        )
        system.add(body, joint=jd.Revolute(joint, axis="z"), to=to, position=place)
    system.add(jd.RigidBody("prize", 0.5, inertia=(0.02, 0.02, 0.02)), joint=jd.Planar("f"))
    system.connect(jd.Revolute("pin", axis="z"), "coupler.tip", "rocker.tip")
    system.connect(jd.Weld("latch"), "rocker.tip", "prize.origin", active=False)
    model = system.compile()
    start = model.assemble(model.state(q={"j1": 1.2, "f.x": 1.0, "f.y": 0.8}, v={"j1": 1.0, "f.x": 0.2}), hold=("j1",))
    events = [jd.Event(at=0.2, connect="latch"), jd.Event(at=0.3, disconnect="latch", lock="j1", name="stop")]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for method in ({}, {"step": 1e-3}, {"method": "radau"}):
            run = jd.simulate(model, start, until=0.4, events=events, **method)
            assert run.energy.error < 1e-8 and all(event.loss > 0.0 for event in run.events)
            assert np.nanmax(np.abs(run.constraint["pin"].gap.values)) < 1e-9
            assert np.nanmax(np.abs(run.constraint["latch"].gap.values)) < 1e-9
            assert np.max(np.abs(run.v[["j1", "j2", "j3"]].values[-1])) < 1e-9  # a locked crank holds all bars
            assert np.max(np.abs(run.v["f.x"].values[-1])) > 0.0
