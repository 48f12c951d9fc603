"""Contacts through the public words: every pair both ways, bodies that bend, memory of sites, located touchdowns."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import jourdain as jd

HERTZ = jd.HertzContact(stiffness=1e6, restitution=0.6)
BRISTLES = jd.BristleFriction(static=0.4, kinetic=0.3, stiffness=1e4, damping=20.0, stribeck=0.02, dwell=0.1)
CUBE = jd.Box((0.4, 0.4, 0.4)).to_mesh()
SMALL = jd.Box((0.2, 0.2, 0.2)).to_mesh()
BALL, ROD = jd.Sphere(0.1), jd.Capsule(0.1, 0.4)
LYING = Rotation.from_euler("y", 90, degrees=True).as_quat(scalar_first=True)
SLANT = np.array([1.0, 0.0, 1.0]) / np.sqrt(2.0)
STEEP = np.array([2.0, 0.0, 1.0]) / np.sqrt(5.0)
X, Y, Z = np.eye(3)

# first shape, second shape, where the first just touches, normal out of the second, rotation of the first
PAIRS = {
    "ball on plane": (BALL, jd.Plane((0, 0, 1)), 0.1 * Z, Z, None),
    "ball on ball": (BALL, jd.Sphere(0.2), 0.3 * SLANT, SLANT, None),
    "ball on edge": (BALL, jd.shapes.Edge((0, 0, 1), (1, 0, 0)), 0.1 * SLANT, SLANT, None),
    "ball on cylinder": (BALL, jd.Cylinder(0.2, 0.4), 0.3 * X + 0.05 * Z, X, None),
    "ball in cylinder": (BALL, jd.Cylinder(0.2, 0.4, inside=True), 0.1 * X, -X, None),
    "ball on cone": (BALL, jd.Cone(0.2, 0.4), 0.1 * X + 0.1 * STEEP, STEEP, None),
    "ball in cone": (BALL, jd.Cone(0.4, 0.4, inside=True), 0.2 * X - 0.1 * SLANT, -SLANT, None),
    "ball on box": (BALL, jd.Box((0.4, 0.4, 0.4)), 0.3 * Z + 0.05 * X, Z, None),
    "ball on capsule": (BALL, ROD, 0.2 * X + 0.05 * Z, X, None),
    "ball on convex mesh": (BALL, jd.shapes.ConvexMesh(CUBE[0]), 0.3 * Z + 0.05 * X, Z, None),
    "ball on mesh": (BALL, jd.Mesh(*CUBE), 0.3 * Z + 0.05 * X, Z, None),
    "capsule on plane": (ROD, jd.Plane((0, 0, 1)), 0.1 * Z, Z, LYING),
    "capsule on capsule": (ROD, ROD, 0.2 * Y, Y, LYING),
    "box on plane": (jd.Box((0.2, 0.2, 0.2)), jd.Plane((0, 0, 1)), 0.1 * Z, Z, None),
    "cylinder on plane": (jd.Cylinder(0.1, 0.2), jd.Plane((0, 0, 1)), 0.1 * Z, Z, None),
    "cone on plane": (jd.Cone(0.1, 0.2), jd.Plane((0, 0, 1)), 0.1 * Z, Z, None),
    "convex mesh on plane": (jd.shapes.ConvexMesh(SMALL[0]), jd.Plane((0, 0, 1)), 0.1 * Z, Z, None),
}
BASE = jd.Pose((0.3, -0.2, 0.1), Rotation.from_rotvec((0.4, -0.7, 0.3)).as_quat(scalar_first=True))


def two_free_bodies(first, second, swapped):
    system = jd.System("pair")
    system.add(jd.RigidBody("a", mass=1.0, inertia=(0.004, 0.005, 0.006)), jd.Free("fa"))
    system.add(jd.RigidBody("b", mass=2.0, inertia=(0.02, 0.03, 0.04)), jd.Free("fb"))
    placed = first.at("a.origin"), second.at("b.origin")
    system.contact("touch", *(placed[::-1] if swapped else placed), normal=HERTZ, friction=BRISTLES)
    return system.compile()


def approach(model, place, normal, rotation):
    """The first body 0.1 mm off the second, coming at 0.2 m/s and 0.1 m/s sideways, turning; the second at rest."""
    R = BASE.rotation
    turn = np.eye(3) if rotation is None else jd.Pose((0, 0, 0), rotation).rotation
    a = jd.Pose(BASE.position + R @ (place + 1e-4 * normal), R @ turn)
    side = np.cross(normal, (0.3, 0.5, 0.7))
    u = -0.2 * normal + 0.1 * side / np.linalg.norm(side)
    return model.state(q={"fa": a, "fb": BASE}, v={"fa": [0.2, -0.1, 0.3, *(turn.T @ u)]})


@pytest.mark.parametrize("pair", PAIRS)
def test_every_pair_both_ways(pair):
    """Forces are on the first named, out of the second; momentum and energy are kept; the order does not matter."""
    first, second, place, normal, rotation = PAIRS[pair]
    runs = []
    for swapped in (False, True):
        model = two_free_bodies(first, second, swapped)
        state = approach(model, place, normal, rotation)
        run = jd.simulate(model, state, until=0.02, step=5e-5)
        runs.append(run)
        touch = run.contact["touch"]
        at = int(np.argmax(touch.normal_force.values))
        assert touch.normal_force[at] > 1.0
        along = float(touch.force[at].values @ BASE.rotation @ normal)
        assert (-along if swapped else along) > 0.9 * float(touch.normal_force[at])
        assert_action_is_reaction(run, at, "b" if swapped else "a")
        # velocities are in the axes of bodies that turn: their momentum is kept to the order of rk4
        drift = np.concatenate(model.momentum(run.state(-1))) - np.concatenate(model.momentum(state))
        assert np.max(np.abs(drift)) < 1e-9
        # rk4 meets a force that is not smooth at touchdown and at breakaway: of second order there
        assert np.max(np.abs(run.energy["balance"])) < 2e-3 * float(run.energy["kinetic"][0])
    one, other = runs
    if type(first) is type(second):
        # forces act on the surface of the first shape, a penetration of 1e-3 m away from that of the second
        assert one.record.v[-1] == pytest.approx(other.record.v[-1], abs=0.02)
    else:
        assert one.record.v == pytest.approx(other.record.v, abs=1e-13)
        assert one.contact["touch"].force.values == pytest.approx(-other.contact["touch"].force.values, abs=1e-9)


INERTIA = {"a": np.diag([0.004, 0.005, 0.006]), "b": np.diag([0.02, 0.03, 0.04])}
MASS = {"a": 1.0, "b": 2.0}


def assert_action_is_reaction(run, row, first):
    """The force that is said to act on the first body does, and the rates of both momenta vanish, to rounding."""
    state, touch = run.state(row), run.contact["touch"]
    linear, angular = {}, np.zeros(3)
    for body in ("a", "b"):
        a = run.model.acceleration(f"{body}.origin", state)
        frame = run.frame(f"{body}.origin")
        R = Rotation.from_quat(frame.quaternion[row].values, scalar_first=True).as_matrix()
        w, inertia = frame.angular_velocity[row].values, R @ INERTIA[body] @ R.T
        linear[body] = MASS[body] * a[3:]
        spun = inertia @ a[:3] + np.cross(w, inertia @ w)
        angular += spun + np.cross(frame.position[row].values, linear[body])
        if body == first:
            assert spun == pytest.approx(touch.torque[row].values, abs=1e-10)
    assert linear[first] == pytest.approx(touch.force[row].values, rel=1e-12, abs=1e-10)
    assert linear["a"] + linear["b"] == pytest.approx(np.zeros(3), abs=1e-10)
    assert angular == pytest.approx(np.zeros(3), abs=1e-10)


def beam_on_plate():
    system = jd.System("beam on plate", gravity=(0, 0, -9.81))
    beam = jd.Beam(
        "arm", length=2.0, mass_per_length=0.8, EA=2e6, EI=(900.0, 900.0), GJ=700.0,
        modes=jd.Modes(bending=2, torsion=1), damping=0.005,
    )  # fmt: skip
    system.add(beam, jd.Revolute("shoulder", axis="y"))
    ball = jd.Sphere(0.05).at("arm.tip", position=(0.02, 0.03, -0.04))
    system.contact("tip", ball, jd.Plane((0, 0, 1), offset=-0.1).at("world"), normal=HERTZ, friction=BRISTLES)
    return system.compile()


@pytest.fixture(scope="module")
def beam():
    return beam_on_plate()


def test_a_shape_on_a_beam_moves_with_it(beam):
    run = jd.simulate(beam, beam.state(v={"shoulder": 0.5}), until=0.1, step=2e-5, output=1e-3)
    tip, touch = run.frame("arm.tip"), run.contact["tip"]
    R = Rotation.from_quat(tip.quaternion.values, scalar_first=True).as_matrix()
    centre = tip.position.values + R @ (0.02, 0.03, -0.04)
    depth = np.maximum(0.05 - (centre[:, 2] + 0.1), 0.0)
    assert depth.max() > 1e-4 and depth[0] == 0.0
    assert touch.depth.values == pytest.approx(depth, abs=1e-15)
    pressed = touch.normal_force.values > 0.0
    assert np.all(depth[pressed] > 0.0)
    assert touch.point.values[pressed] == pytest.approx((centre - 0.05 * Z)[pressed], abs=1e-14)
    assert np.all(np.isnan(touch.point.values[~pressed]))
    about_centre = np.cross((0.0, 0.0, -0.05), touch.force.values)
    assert touch.torque.values == pytest.approx(about_centre, abs=1e-12)
    assert np.abs(run.q["arm.bending_z[0]"][-1]) > 1e-4
    assert np.max(np.abs(run.energy["balance"])) < 1e-4 * float(run.energy["kinetic"].max())


def test_model_functions_of_a_touching_beam_agree(beam):
    """M (a - a_free) = J^T (torque, force) with what the contact is said to do; inverse dynamics finds no effort."""
    run = jd.simulate(beam, beam.state(v={"shoulder": 0.5}), until=0.05, step=2e-5, output=1e-3)
    row = int(np.argmax(run.contact["tip"].normal_force.values))
    state = run.state(row)
    a = beam.forward_dynamics(state)
    assert np.max(np.abs(beam.inverse_dynamics(state, a))) < 1e-9
    effort = np.array([0.3, -0.2, 0.1, 0.5, 0.2, -0.4])[: beam.nv]
    b = beam.forward_dynamics(state, effort)
    assert beam.inverse_dynamics(state, b) == pytest.approx(effort, abs=1e-9)
    touch = run.contact["tip"]
    J = beam.jacobian("arm.tip", state)
    force = touch.force[row].values
    arm = touch.point[row].values - beam.pose("arm.tip", state).position
    pushed = J[:3].T @ np.cross(arm, force) + J[3:].T @ force
    left = beam.mass_matrix(state) @ a + beam.bias(state)
    assert left == pytest.approx(pushed, abs=1e-9 * np.linalg.norm(pushed))
    energy = beam.energy(state)
    for name in ("kinetic", "gravity", "strain", "contact", "total"):
        assert energy[name] == pytest.approx(float(run.energy[name][row]), rel=1e-12)
    assert energy.contact > 0.0 and energy.contact == pytest.approx(float(touch.energy[row]), rel=1e-14)


def ball_on_ground(normal=HERTZ, friction=BRISTLES, gravity=9.81, ground=None):
    """A ball of 0.1 m and 2 kg, free, over the plane z = 0."""
    system = jd.System("ball", gravity=(0, 0, -gravity))
    system.add(jd.RigidBody("ball", mass=2.0, inertia=(0.008, 0.008, 0.008)), jd.Free("free"))
    other = jd.Plane((0, 0, 1)).at("world") if ground is None else ground
    system.contact("touch", BALL.at("ball.origin"), other, normal=normal, friction=friction)
    return system.compile()


def thrown(model, height, v=(0.0, 0.0, 0.0), w=(0.0, 0.0, 0.0)):
    return model.state(q={"free": jd.Pose((0, 0, 0.1 + height))}, v={"free": [*w, *v]})


RELAXED = jd.HertzContact(stiffness=1e6, restitution=0.6, relaxation=0.01)


def test_a_site_remembers_while_it_touches_and_forgets_when_it_lifts():
    model = ball_on_ground(RELAXED, gravity=0.0)
    assert model.names.z == (
        "touch.touching", "touch.impact_speed", "touch.mark.x", "touch.mark.y", "touch.mark.z",
        "touch.relaxation", "touch.bristle.x", "touch.bristle.y", "touch.bristle.z", "touch.dwell",
    )  # fmt: skip
    run = jd.simulate(model, thrown(model, 1e-4, (0.001, 0.0005, -0.1)), until=0.06, step=1e-5)
    touching = run.z["touch.touching"].values
    down = np.flatnonzero(np.diff(touching) > 0) + 1
    up = np.flatnonzero(np.diff(touching) < 0) + 1
    assert len(down) >= 1 and len(up) >= 1 and down[0] < up[0]
    during, after = slice(down[0], up[0]), slice(up[0], up[0] + 100)
    for name in ("relaxation", "bristle.x", "bristle.y", "dwell", "impact_speed", "mark.x"):
        assert np.max(np.abs(run.z[f"touch.{name}"][during])) > 0.0, name
        assert np.all(run.z[f"touch.{name}"][after] == 0.0), name
    speed = run.z["touch.impact_speed"].values[during]
    assert np.all(speed == speed[0])
    assert speed[0] == pytest.approx(0.1, rel=1e-12)  # the larger of the speeds on both sides of the touchdown
    assert np.all(run.z["touch.bristle.z"] == 0.0)
    # the depth found at touchdown decays with its time constant
    relaxation = run.z["touch.relaxation"].values[during]
    assert 0.0 < relaxation[0] < 0.11 * 1e-5
    decay = np.exp(-(run.record.time[during] - run.record.time[down[0]]) / 0.01)
    assert relaxation == pytest.approx(relaxation[0] * decay, rel=1e-10)


@pytest.mark.parametrize("method", ["rk4", "dop853"])
def test_what_is_kept_does_not_change_the_run(method):
    """Latched values change at accepted steps only: looking more often changes nothing."""
    model = ball_on_ground()
    state = thrown(model, 1e-3, (0.05, 0.02, -0.1), (0.3, 0.2, 0.1))
    step = {"step": 1e-4} if method == "rk4" else {}
    runs = [jd.simulate(model, state, until=0.1, method=method, **step, output=output) for output in (None, 5e-3)]
    for name in "qvz":
        one, other = (getattr(run.record, name)[-1] for run in runs)
        assert np.array_equal(one, other), name


@pytest.mark.parametrize("first", ["ball", "mesh"])
def test_restart_goes_on_as_if_never_stopped(first):
    ground = jd.Mesh(*jd.Box((2.0, 2.0, 0.2)).to_mesh()).at("world", position=(0, 0, -0.1)) if first == "mesh" else None
    model = ball_on_ground(RELAXED, ground=ground)
    state = thrown(model, 1e-3, (0.05, 0.02, -0.1), (0.3, 0.2, 0.1))
    whole = jd.simulate(model, state, until=0.02, step=1e-4)
    half = jd.simulate(model, state, until=0.014, step=1e-4)
    name = "touch.touching" if first == "ball" else "touch[0].touching"
    assert half.z[name][-1] == 1.0
    on = jd.simulate(model, half.state(), until=0.02, step=1e-4)
    for name in "qvz":
        one, other = (getattr(run.record, name)[-1] for run in (whole, on))
        assert one == pytest.approx(other, rel=1e-12, abs=1e-15), name
    assert float(on.energy["contact"][0]) == pytest.approx(float(half.energy["contact"][-1]), rel=1e-13)
    assert np.max(np.abs(on.energy["balance"])) < 1e-6


@pytest.mark.parametrize("method", ["rk4", "dop853"])
def test_many_as_one_by_one(method):
    model = ball_on_ground()
    states = [thrown(model, h, (0.1, 0, 0)) for h in (1e-3, 2e-3, 0.5, -2e-5)]
    step = {"step": 1e-4} if method == "rk4" else {"output": 0.05}
    many = jd.simulate_many(model, states, until=0.05, method=method, **step)
    for k, state in enumerate(states):
        run = jd.simulate(model, state, until=0.05, method=method, **step)
        assert np.array_equal(many.q["free.z"].values[k, -1], run.record.q[-1, 2])
        assert np.array_equal(many.v["free.wy"].values[k, -1], run.record.v[-1, 1])


@pytest.mark.parametrize("method", ["dopri5", "dop853"])
def test_touchdown_is_located(method):
    """A ball that falls by 0.3 m touches after sqrt(2 h / g) at sqrt(2 g h)."""
    model = ball_on_ground()
    run = jd.simulate(model, thrown(model, 0.3), until=0.3, method=method)
    touching = run.z["touch.touching"].values
    at = int(np.argmax(touching == 1.0))
    assert run.record.time[at] == pytest.approx(np.sqrt(0.6 / 9.81), abs=1e-9)
    assert run.z["touch.impact_speed"][at] == pytest.approx(np.sqrt(0.6 * 9.81), abs=1e-9)
    assert 0.0 <= run.contact["touch"].depth[at] < 1e-9
    assert 0.0 <= run.z["touch.impact_speed"][at - 1] < np.sqrt(0.6 * 9.81)
    assert np.max(np.abs(run.energy["balance"])) < 1e-7


@pytest.mark.parametrize("method", ["dopri5", "dop853"])
def test_lift_off_is_located(method):
    """Without gravity the ball leaves the surface as fast as it was asked to."""
    model = ball_on_ground(gravity=0.0)
    run = jd.simulate(model, thrown(model, 0.3, (0.0, 0.0, -2.0)), until=0.2, method=method)
    touching = run.z["touch.touching"].values
    down = int(np.argmax(touching == 1.0))
    up = down + int(np.argmax(touching[down:] == 0.0))
    assert up > down and run.record.time[down] == pytest.approx(0.15, abs=1e-9)
    assert run.record.v[up, 5] == pytest.approx(0.6 * 2.0, abs=1e-6)
    assert run.contact["touch"].depth[up] == 0.0 and run.contact["touch"].depth[up - 1] > 0.0
    assert np.all(run.record.v[up:, 5] == run.record.v[up, 5])


def test_a_thin_plate_is_not_jumped_over():
    """The long steps of free flight end at the next touchdown."""
    plate = jd.Box((1.0, 1.0, 0.002)).at("world", position=(0, 0, -0.001))
    model = ball_on_ground(ground=plate, gravity=0.0, normal=jd.HertzContact(stiffness=1e10, restitution=0.6))
    run = jd.simulate(model, thrown(model, 5.0, (0.0, 0.0, -5.0)), until=2.0)
    assert run.record.q[-1, 2] > 0.1
    assert np.max(run.z["touch.touching"]) == 1.0


@pytest.mark.filterwarnings("ignore::jourdain.contact.StepWarning", "ignore::jourdain.errors.TrustWarning")
def test_a_site_of_a_mesh_keeps_its_bristles_when_another_appears():
    """A ball that sticks to the floor and hits a wall: one mesh does what two planes do."""
    floor = [(i, j, 0) for i in range(-1, 3) for j in range(-1, 2)]
    wall = [(2, j, 1) for j in range(-1, 2)]
    vertices, triangles = cubes(floor + wall)
    normal = jd.HertzContact(stiffness=1e6, restitution=1.0)  # undamped: the speed of an impact does not matter
    friction = jd.BristleFriction(static=0.8, kinetic=0.7, stiffness=2e3, damping=20.0, stribeck=0.05)

    def build(meshed):
        system = jd.System("corner", gravity=(0, 0, -9.81))
        system.add(jd.RigidBody("ball", mass=2.0, inertia=(0.008, 0.008, 0.008)), jd.Free("free"))
        if meshed:
            grounds = {"touch": jd.Mesh(vertices, triangles).at("world", position=(0, 0, -1))}
        else:
            grounds = {
                "floor": jd.Plane((0, 0, 1)).at("world"),
                "wall": jd.Plane((-1, 0, 0), offset=-2.0).at("world"),
            }
        for name, ground in grounds.items():
            system.contact(name, BALL.at("ball.origin"), ground, normal=normal, friction=friction)
        return system.compile()

    runs = []
    depth = (2.0 * 9.81 / 1e6) ** (2 / 3)
    for meshed in (True, False):
        model = build(meshed)
        state = model.state(
            q={"free": jd.Pose((1.8975, 0.5, 0.1 - depth))}, v={"free": [0, 38.0, 0, 4.0, 0.2, 0.0]}
        )  # rolls on to the wall: 2 mm a step, and 1.5 mm deep at once
        runs.append(jd.simulate(model, state, until=0.02, step=5e-4, step_check="warn"))
    mesh, planes = runs
    assert mesh.contact["touch"].sites.max() == 2
    entered = int(np.argmax(planes.contact["wall"].depth.values > 0.0))
    assert planes.contact["wall"].depth[entered] > 2.0 * planes.contact["floor"].depth[entered]
    assert mesh.record.q == pytest.approx(planes.record.q, abs=1e-12)
    assert mesh.record.v == pytest.approx(planes.record.v, abs=1e-11)
    slot = {n: mesh.z[f"touch[0].{n}"].values for n in ("bristle.x", "bristle.y")}
    for name, values in slot.items():
        assert values == pytest.approx(planes.z[f"floor.{name}"].values, abs=1e-14)


def cubes(cells):
    """The surface of unit cubes, low corners at whole-numbered places."""
    cells = set(cells)
    corners: dict[tuple, int] = {}
    triangles = []
    for cell in sorted(cells):
        for axis in range(3):
            for side in (0, 1):
                beside = list(cell)
                beside[axis] += 2 * side - 1
                if tuple(beside) in cells:
                    continue
                u, v = np.eye(3, dtype=int)[[(axis + 1) % 3, (axis + 2) % 3]]
                o = np.array(cell) + side * np.eye(3, dtype=int)[axis]
                square = [corners.setdefault(tuple(q.tolist()), len(corners)) for q in (o, o + u, o + u + v, o + v)]
                square = square if side else square[::-1]
                triangles += [square[:3], [square[0], square[2], square[3]]]
    return np.array(list(corners), float), np.array(triangles)


def test_what_stands_exactly_on_the_ground_can_start():
    """Eight corners, four of them at a gap of nothing: steps are not cut to nothing with it."""
    system = jd.System("box", gravity=(0, 0, -9.81))
    shape = jd.Box((0.4, 0.4, 0.2))
    system.add(jd.RigidBody.from_shape("box", shape, density=100.0), jd.Free("free"))
    system.contact("feet", shape.at("box.origin"), jd.Plane((0, 0, 1)).at("world"), normal=HERTZ, friction=BRISTLES)
    model = system.compile()
    run = jd.simulate(model, model.state(q={"free": jd.Pose((1.0, 0, 0.1))}), until=0.3)
    assert run.contact["feet"].sites[-1] == 4
    rest = (3.2 * 9.81 / 4e6) ** (2 / 3)
    assert run.record.q[-1, 2] == pytest.approx(0.1 - rest, abs=0.2 * rest)  # it has sunk in and still swings
    assert len(run) < 20_000


def test_a_new_patch_of_a_mesh_is_damped_for_its_own_speed():
    """Nothing is known of it before it touches, and the damping of slow_speed would throw the ball back."""
    floor = [(i, j, 0) for i in range(-1, 3) for j in range(-1, 2)]
    mesh = jd.Mesh(*cubes([*floor, *((2, j, 1) for j in range(-1, 2))])).at("world", position=(0, 0, -1))
    model = ball_on_ground(jd.HertzContact(stiffness=1e6, restitution=0.6), friction=None, ground=mesh)
    depth = (2.0 * 9.81 / 1e6) ** (2 / 3)
    state = model.state(q={"free": jd.Pose((1.8975, 0.5, 0.1 - depth))}, v={"free": [0, 0, 0, 1.0, 0, 0]})
    run = jd.simulate(model, state, until=0.05, step=2e-4)
    assert run.contact["touch"].sites.max() == 2
    # a step of 0.2 mm into a depth of 4 mm: 5 % late, and an impact speed as much too low
    assert run.record.v[-1, 3] == pytest.approx(-0.6, abs=0.03)
