"""What joints transmit: against maximal coordinates, loops that close the same joints, momentum, and closed forms."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from oracle import forward_dynamics as maximal_coordinates
from strategies import systems

import jourdain as jd
from jourdain.basics.errors import JourdainError
from jourdain.results.channels import UnknownNameError
from jourdain.results.quantities import quantity
from jourdain.results.run import Record, Run

G = 9.81


def still(model: jd.Model, state: jd.State, effort: np.ndarray | None = None) -> Run:
    """A run of one sample."""
    effort = np.zeros(model.nv) if effort is None else effort
    rows = (state.q, state.v, state.z, effort, np.zeros(6))
    return Run(model, Record(np.array([state.time]), *(one[None] for one in rows)))


def wrench(run: Run, joint: str) -> np.ndarray:
    """(moment, force) of a joint over time, (nt, 6)."""
    return np.hstack([run.reaction[joint].moment.values, run.reaction[joint].force.values])


def bar(name: str, length: float = 1.0, mass: float = 2.0) -> jd.RigidBody:
    J = mass * length**2 / 12
    return jd.RigidBody(
        name, mass, com=(0.5 * length, 0, 0), inertia=(0.02, J + 0.01, J + 0.015), frames={"tip": (length, 0, 0)}
    )


def rate(values: np.ndarray, h: float) -> np.ndarray:
    """Derivative of samples, central differences of sixth order; three samples at each end are lost."""
    d = [values[3 + k : len(values) - 3 + k] for k in (-3, -2, -1, 1, 2, 3)]
    return (45.0 * (d[3] - d[2]) - 9.0 * (d[4] - d[1]) + (d[5] - d[0])) / (60.0 * h)


class Momentum:
    """Momentum of some rigid bodies of a run, from the motion of their frames alone, and what must act on them."""

    def __init__(self, run: Run, system: jd.System, names: list[str]) -> None:
        h = float(run.record.time[1] - run.record.time[0])
        linear, angular = np.zeros((len(run), 3)), np.zeros((len(run), 3))
        weight, moment = np.zeros((len(run), 3)), np.zeros((len(run), 3))
        for name in names:
            body, path = system.body(name), run.frame(f"{name}.origin").path
            R = np.array([jd.Pose(rotation=one).rotation for one in path[:, 3:7]])
            arm, w = R @ body.com, path[:, 7:10]
            P, r = body.mass * (path[:, 10:] + np.cross(w, arm)), path[:, :3] + arm
            linear += P
            angular += np.cross(r, P) + np.einsum("tij,jk,tlk,tl->ti", R, body.inertia, R, w)
            weight += body.mass * system.gravity
            moment += np.cross(r, body.mass * system.gravity)
        self.inside = slice(3, len(run) - 3)
        self.force = rate(linear, h) - weight[self.inside]
        self.moment = rate(angular, h) - moment[self.inside]

    def less(self, point: np.ndarray, force: np.ndarray, moment: np.ndarray | None = None) -> Momentum:
        """With a force (and a moment) at a point taken off: it is not the joint's."""
        point, force = (np.broadcast_to(one, (2 * 3 + len(self.force), 3))[self.inside] for one in (point, force))
        self.force = self.force - force
        self.moment = self.moment - np.cross(point, force) - (0.0 if moment is None else moment[self.inside])
        return self

    def at(self, point: np.ndarray) -> np.ndarray:
        """(moment about a point, force) that the joint must supply."""
        return np.hstack([self.moment - np.cross(point[self.inside], self.force), self.force])


def assert_same(found: np.ndarray, wanted: np.ndarray, tolerance: float) -> None:
    np.testing.assert_allclose(found, wanted, rtol=0.0, atol=tolerance * max(1.0, float(np.max(np.abs(wanted)))))


@settings(max_examples=40)
@given(systems(forces=2))
def test_random_trees_against_maximal_coordinates(case):
    """Multipliers of all six rows between a body and its carrier; the oracle differentiates to about 1e-10."""
    effort = case.vector(5.0)
    run = still(case.model, case.state, effort)
    truth = maximal_coordinates(case.system, case.model, case.state, effort)
    scale = 1.0 + max(float(np.max(np.abs(one))) for one in truth.reactions.values())
    for joint, wanted in truth.reactions.items():
        assert np.max(np.abs(wrench(run, joint)[0] - wanted)) < 1e-8 * scale, joint


def arm(kind: str) -> jd.System:
    """Two bars and a tool: elbow and wrist in the tree, or closed, or the shoulder closed."""
    one = jd.System("arm", gravity=(0.0, 0.0, -G))
    if kind == "shoulder":
        one.add(bar("upper"), jd.Free("upper_free"))
        one.connect(jd.Revolute("shoulder", axis="y"), "upper.origin", "world", position=(0.2, 0.1, 0.3))
    else:
        one.add(bar("upper"), jd.Revolute("shoulder", axis="y"), position=(0.2, 0.1, 0.3))
    if kind == "elbow":
        one.add(bar("fore"), jd.Free("fore_free"))
        one.connect(jd.Revolute("elbow", axis="z"), "fore.origin", "upper.tip")
    else:
        one.add(bar("fore"), jd.Revolute("elbow", axis="z"), to="upper.tip")
    one.add(bar("tool", 0.3, 0.5), jd.Weld("wrist"), to="fore.tip")
    one.force("push", at="tool.tip", force=(1.0, -2.0, 0.5), moment=(0.1, 0.2, -0.3))
    return one


def start(model: jd.Model, tree: jd.Model) -> jd.State:
    """The state of a copy that has the bodies where the tree has them."""
    own = tree.state(q={"shoulder": 0.3, "elbow": -0.4}, v={"shoulder": 1.2, "elbow": -2.0})
    q, v = {}, {}
    for name, body in (("upper_free", "upper"), ("fore_free", "fore")):
        if name in model.joints:
            pose, velocity = tree.pose(f"{body}.origin", own), tree.velocity(f"{body}.origin", own)
            q[name] = pose
            v[name] = np.concatenate([pose.rotation.T @ velocity[:3], pose.rotation.T @ velocity[3:]])
    for name in ("shoulder", "elbow"):
        if name in model.index.q:
            q[name], v[name] = own.q[tree.index.q[name]], own.v[tree.index.v[name]]
    return model.state(q=q, v=v)


@pytest.mark.parametrize("closed", ["shoulder", "elbow"])
def test_a_joint_of_the_tree_transmits_what_the_same_joint_does_as_a_loop(closed):
    """Two runs of the same machine: one joint a coordinate, or five multipliers on a free body; all others too."""
    tree, copy = arm("").compile(), arm(closed).compile()
    options = {"until": 0.5, "step": 1e-3, "output": 0.05}
    run = jd.simulate(tree, start(tree, tree), **options)
    other = jd.simulate(copy, start(copy, tree), **options)
    assert other.frame("tool.tip").position.values == pytest.approx(run.frame("tool.tip").position.values, abs=1e-8)
    multiplied = np.hstack([other.constraint[closed].moment.values, other.constraint[closed].force.values])
    assert_same(wrench(run, closed), multiplied, 1e-6)  # rk4 on two sets of coordinates, 1e-8 m apart
    for joint in {"shoulder", "elbow", "wrist"} - {closed}:
        assert_same(wrench(other, joint), wrench(run, joint), 1e-6)
    for joint in {"upper_free", "fore_free"} & set(copy.joints):
        assert np.max(np.abs(wrench(other, joint))) < 1e-10 * np.max(np.abs(multiplied))  # it holds nothing


def test_drives_springs_struts_laws_and_branches_against_momentum():
    """Every joint of a branched machine: rate of change of the momentum outboard, less what else acts there.

    Rotors hang on what carries the joint: that of the elbow is outboard of the shoulder, spinning with the motor.
    """
    system = jd.System("machine", gravity=(0.3, -0.2, -G))
    drive = jd.Drive(gear=20.0, rotor_inertia=2e-3, stiffness=300.0, damping=1.0)
    system.add(bar("upper"), jd.Revolute("shoulder", axis="y", stiffness=4.0, damping=0.5), position=(0.1, 0.2, 0.3))
    system.add(bar("fore"), jd.Revolute("elbow", axis="z", drive=drive), to="upper.tip")
    system.add(bar("slider", 0.4), jd.Prismatic("rod", axis="x", damping=2.0), to="fore.tip", at="tip")
    system.add(bar("side"), jd.Spherical("ball"), to="upper.tip", rotation=(0.6, 0, 0.8, 0))
    system.connect(
        jd.constraints.Spring("strut", stiffness=40.0, length=0.5), "slider.tip", "world", position=(1.0, 1.0, 0.0)
    )

    @jd.law(markers=("side.tip",))
    def drag(t, q, v, z, s, p, effort, dz):
        for k in range(3):
            effort[3 + k] -= p[0] * s[10 + k]

    @jd.law
    def turn(t, q, v, z, s, p, effort, dz):
        effort[0] += p[0]

    system.force("drag", at="side.tip", force=drag(0.7))
    model = system.compile()
    state = model.state(q={"shoulder": 0.3}, v={"shoulder": 0.8, "rod": 0.2, "ball": (0.3, -0.2, 1.0)})
    run = jd.simulate(model, state, until=0.2, step=2e-4, method="rk4", controller=turn(3.0), output=1e-3)

    end, place = run.frame("slider.tip").path, np.array([1.0, 1.0, 0.0])
    far = np.linalg.norm(place - end[:, :3], axis=1, keepdims=True)
    pull = 40.0 * (far - 0.5) * (place - end[:, :3]) / far
    side = run.frame("side.tip").path
    spin = run.frame("upper.origin").path
    axis = np.array([jd.Pose(rotation=one).rotation[:, 2] for one in spin[:, 3:7]])
    rotor = 2e-3 * (np.sum(axis * spin[:, 7:10], axis=1) + run.v["elbow.motor"].values)[:, None] * axis

    outboard = {
        "shoulder": (["upper", "fore", "slider", "side"], "upper.origin"),
        "elbow": (["fore", "slider"], "fore.origin"),
        "rod": (["slider"], "slider.tip"),
        "ball": (["side"], "side.origin"),
    }
    for joint, (bodies, held) in outboard.items():
        balance = Momentum(run, system, bodies)
        if "slider" in bodies:
            balance.less(end[:, :3], pull)
        if "side" in bodies:
            balance.less(side[:, :3], -0.7 * side[:, 10:])
        if joint == "shoulder":
            balance.moment += rate(rotor, 1e-3)
        # sixth-order differences over 1 ms of motions up to 30 rad/s: 1e-9
        assert_same(wrench(run, joint)[balance.inside], balance.at(run.frame(held).position.values), 1e-7)
    along = np.einsum("ti,ti->t", wrench(run, "elbow")[:, :3], axis)
    twist = run.q["elbow.motor"].values / 20.0 - run.q["elbow"].values
    rates = run.v["elbow.motor"].values / 20.0 - run.v["elbow"].values
    assert along == pytest.approx(300.0 * twist + 1.0 * rates, abs=1e-8)


def test_contact_and_prescribed_motion_against_momentum():
    """An arm that is swung onto the floor: outboard of the shoulder act gravity and the contact."""
    system = jd.System("probe", gravity=(0.0, 0.0, -G))
    system.add(bar("arm"), jd.Revolute("shoulder", axis="y"), position=(0.0, 0.0, 0.5))
    system.add(bar("hand", 0.5), jd.Revolute("wrist", axis="y"), to="arm.tip")
    normal = jd.contact.LinearContact(stiffness=2e3, damping=5.0)
    ball, floor = jd.Sphere(0.05).at("hand.tip"), jd.Plane((0, 0, 1)).at("world")
    system.contact("touch", ball, floor, normal, jd.CoulombFriction(kinetic=0.3, transition_speed=20.0))
    model = system.compile()
    state = model.state(q={"shoulder": 0.3, "wrist": -0.1}, v={"shoulder": 0.4})
    run = jd.simulate(model, state, until=0.6, step=2e-4, motions={"shoulder": jd.Polynomial(0.3, 0.4)})
    run = Run(model, Record(*(getattr(run.record, one)[::5] for one in Record.__dataclass_fields__)), run.options)
    touch = run.contact["touch"]
    for joint, bodies, held in (("shoulder", ["arm", "hand"], "arm"), ("wrist", ["hand"], "hand")):
        balance = Momentum(run, system, bodies)
        point = run.frame("hand.tip").position.values
        balance.less(point, touch.force.values, touch.torque.values)
        wanted = balance.at(run.frame(f"{held}.origin").position.values)
        found = wrench(run, joint)[balance.inside]
        touching = touch.normal_force.values > 0.0  # it begins and ends with a kink
        even = np.array([len(set(touching[i : i + 7])) == 1 for i in range(len(found))])
        deep = even & touching[balance.inside]
        assert np.sum(deep) > 20 and np.sum(even & ~touching[balance.inside]) > 20
        assert_same(found[even], wanted[even], 1e-6)
    assert run.effort["shoulder"].values == pytest.approx(wrench(run, "shoulder")[:, 1], abs=1e-9)
    spinning = jd.simulate(model, model.state(q={"shoulder": -0.3}), until=0.1, step=1e-3, output=0.02)
    assert np.max(np.abs(wrench(spinning, "shoulder")[:, 1])) < 1e-10  # nothing drives it


def test_a_flexible_boom_against_momentum():
    """Root: momentum of all of it, with the beam's own; tip: that of the payload."""
    system = jd.System("boom", gravity=(0.0, 0.0, -G))
    beam = jd.Beam("boom", 2.0, 0.8, 2e6, (90.0, 120.0), 70.0, modes=jd.Modes(bending=2, torsion=1), damping=0.01)
    system.add(beam, jd.Revolute("hinge", axis="z"))
    system.add(jd.RigidBody("load", 3.0, com=(0.1, 0.2, 0), inertia=(0.3, 0.3, 0.3)), jd.Weld("grapple"), to="boom.tip")
    model = system.compile()
    state = model.state(q={"boom.bending_z[0]": -0.05}, v={"boom.torsion[0]": 0.5})
    slew = {"hinge": jd.Table([0.0, 0.1, 0.3], [0.0, 0.01, 0.2], speeds=(0.0, 1.0))}
    run = jd.simulate(model, state, until=0.25, step=1e-4, motions=slew, output=1e-3)

    h, inside = 1e-3, slice(3, len(run) - 3)
    momentum, mass = model.momentum(run.states), 2.0 * 0.8 + 3.0
    weight = mass * system.gravity
    force = rate(momentum.linear, h) - weight
    moment = rate(momentum.angular, h) - np.cross(model.centre_of_mass(run.states), weight)[inside]
    smooth = np.abs(run.record.time[inside] - 0.1) > 4 * h  # the spline's third derivative jumps there
    assert_same(wrench(run, "hinge")[inside][smooth], np.hstack([moment, force])[smooth], 1e-6)
    assert wrench(run, "hinge")[:, 2] == pytest.approx(run.effort["hinge"].values, abs=1e-8)
    tip = Momentum(run, system, ["load"])
    wanted = tip.at(run.frame("load.origin").position.values)
    assert_same(wrench(run, "grapple")[inside][smooth], wanted[smooth], 1e-6)


@pytest.mark.parametrize("e", [0.0, 0.3])
def test_tension_of_a_dumbbell_along_the_vertical(e):
    """Two masses m at +-l/2 along the local vertical, at rest in the orbital frame: the link pulls each inwards by
    m (theta'^2 + 2 mu / r^3) l / 2, 3 m n^2 l / 2 where the orbit is a circle. To first order in l / r."""
    orbit = jd.Orbit(altitude=500e3, eccentricity=e, true_anomaly=0.4)
    system = jd.System("dumbbell", environment=orbit)
    small = {"mass": 50.0, "inertia": (1e-6, 1e-6, 1e-6)}
    system.add(jd.RigidBody("low", frames={"end": (40.0, 0, 0)}, **small), jd.Free("free"), position=(-20.0, 0, 0))
    system.add(jd.RigidBody("high", **small), jd.Weld("link"), to="low.end")
    model = system.compile()
    state = model.state(time=700.0)
    run = still(model, state)

    a = (6378.137e3 + 500e3) / (1.0 - e)
    n = np.sqrt(orbit.mu / a**3)
    E0 = 2.0 * np.arctan(np.sqrt((1.0 - e) / (1.0 + e)) * np.tan(0.2))
    M, E = E0 - e * np.sin(E0) + n * 700.0, 1.0
    for _ in range(50):
        E -= (E - e * np.sin(E) - M) / (1.0 - e * np.cos(E))
    r = a * (1.0 - e * np.cos(E))
    turning = np.sqrt(orbit.mu * a * (1.0 - e * e)) / r**2
    pull = 50.0 * (turning**2 + 2.0 * orbit.mu / r**3) * 20.0
    assert wrench(run, "link")[0] == pytest.approx([0, 0, 0, -pull, 0, 0], abs=1e-4 * pull)
    assert np.max(np.abs(wrench(run, "free"))) < 1e-10


def test_gears_and_locks():
    """A coupling acts between a body and its carrier, and so does a lock: both are the joint's."""
    system = jd.System("gears", gravity=(0.0, -G, 0.0))
    system.add(bar("wheel"), jd.Revolute("wheel", axis="z"))
    system.add(bar("pinion", 0.5), jd.Revolute("pinion", axis="z"), position=(2.0, 0, 0))
    system.couple("teeth", {"wheel": 3.0, "pinion": 1.0})
    model = system.compile()
    run = jd.simulate(model, model.state(), until=0.1, step=2e-4, output=1e-3)
    for name in ("wheel", "pinion"):
        balance = Momentum(run, system, [name])
        wanted = balance.at(run.frame(f"{name}.origin").position.values)
        assert_same(wrench(run, name)[balance.inside], wanted, 1e-7)
    assert wrench(run, "wheel")[:, 2] == pytest.approx(3.0 * run.constraint["teeth"].effort.values, abs=1e-9)

    alone = jd.System("pendulum", gravity=(0.0, -G, 0.0))
    alone.add(bar("bob"), jd.Revolute("pivot", axis="z", armature=0.3))
    bob = alone.compile()
    locked = jd.simulate(bob, bob.state(), until=0.2, step=1e-3, events=[jd.Event(at=0.0, lock="pivot")], output=0.1)
    assert wrench(locked, "pivot")[-1] == pytest.approx([0, 0, 2.0 * G * 0.5, 0, 2.0 * G, 0], abs=1e-12)
    falling = jd.simulate(bob, bob.state(), until=0.1, step=1e-3, output=0.1)
    # the armature takes its part of the moment before the body does
    fall = -2.0 * G * 0.5 / (2.0 / 12 + 0.015 + 2.0 * 0.25 + 0.3)
    assert wrench(falling, "pivot")[0, 2] == pytest.approx(-0.3 * fall, rel=1e-12)


@pytest.fixture(scope="module")
def swing() -> Run:
    model = arm("").compile()
    return jd.simulate(model, start(model, model), until=0.1, step=1e-3, output=0.01)


def test_reactions_are_labelled_arrays_and_quantities(swing, tmp_path):
    force = swing.reaction["elbow"].force
    assert force.dims == ("time", "axis") and force.attrs == {"units": "N", "axes": "world"}
    assert swing.reaction["elbow"].moment.attrs["units"] == "N m"
    assert list(swing.reaction) == ["shoulder", "elbow", "wrist"] and "wrist" in swing.reaction
    found = quantity(swing, "reaction:elbow.moment")
    assert found.unit == "N m" and found.label == "reaction moment of elbow"
    assert found.values == pytest.approx(np.linalg.norm(swing.reaction["elbow"].moment.values, axis=1))
    assert quantity(swing, "reaction:elbow.force.z").values == pytest.approx(force.sel(axis="z").values)
    again = jd.load(swing.save(tmp_path / "run.nc"))
    assert again.reaction["elbow"].force.values == pytest.approx(force.values, abs=1e-12)


def test_what_has_no_reaction_is_told(swing, tmp_path):
    with pytest.raises(UnknownNameError, match='joint "elbo"|elbo'):
        swing.reaction["elbo"]
    with pytest.raises(UnknownNameError, match="torque"):
        quantity(swing, "reaction:elbow.torque")
    closed = arm("elbow").compile()
    with pytest.raises(JourdainError, match=r'elbow: it closes a loop; its force is run.constraint\["elbow"\]'):
        still(closed, start(closed, arm("").compile())).reaction["elbow"]

    @jd.law
    def wind(t, q, v, z, s, p, effort, dz):
        effort[3] = p[0]

    system = arm("elbow")
    system.force("wind", at="tool.tip", force=wind(2.0))
    model = system.compile()
    run = jd.simulate(model, start(model, arm("").compile()), until=0.01, step=1e-3)
    again = jd.load(run.save(tmp_path / "blown.nc"))
    with pytest.raises(JourdainError, match="what joints transmit cannot be worked out: wind acted by a law"):
        _ = again.reaction["shoulder"].force
    with pytest.raises(JourdainError, match="the forces of constraints cannot be worked out: wind acted by a law"):
        _ = again.constraint["elbow"].force
