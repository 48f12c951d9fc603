"""Boxes under volumetric contact: they lie still, and on an edge or a corner they fall as rigid bodies do."""

import numpy as np
import pytest

import jourdain as jd

SIDE, MASS = 0.2, 1.0
CUBE = jd.Box((SIDE, SIDE, SIDE))
NORMAL = jd.VolumetricContact(stiffness=1e9, restitution=0.5, slow_speed=0.02)
FRICTION = jd.BristleFriction(kinetic=0.6, stiffness=1e5)


def about(axis, angle: float) -> np.ndarray:
    """A rotation about an axis."""
    k = np.asarray(axis, float) / np.linalg.norm(axis)
    K = np.array([[0, -k[2], k[1]], [k[2], 0, -k[0]], [-k[1], k[0], 0]])
    return np.eye(3) + np.sin(angle) * K + (1.0 - np.cos(angle)) * K @ K


def cube_on(planes: dict[str, jd.Plane]) -> jd.Model:
    system = jd.System("cube", gravity=(0, 0, -9.81))
    system.add(jd.RigidBody.from_shape("cube", CUBE, density=MASS / CUBE.volume), jd.Free("free"))
    for name, plane in planes.items():
        system.contact(name, CUBE.at("cube.origin"), plane.at("world"), normal=NORMAL, friction=FRICTION)
    return system.compile()


def drift(run: jd.Run, since: float) -> tuple[float, float]:
    """How far the cube moved and turned after a time [m, rad]."""
    frame = run.frame("cube.origin")
    i = np.searchsorted(run.record.time, since)
    moved = np.max(np.linalg.norm(frame.position.values[i:] - frame.position.values[i], axis=1))
    q = run.record.q[i:, 3:7]
    return float(moved), float(2.0 * np.max(np.sqrt(np.maximum(1.0 - (q @ q[0]) ** 2, 0.0))))


def test_a_box_flat_on_an_incline_does_not_creep():
    slope = np.radians(25.0)
    R = about((0, 1, 0), slope)
    normal = R @ (0, 0, 1)
    model = cube_on({"floor": jd.Plane(normal)})
    state = model.state(q={"free": jd.Pose(normal * (0.5 * SIDE - 2e-7), R)})
    run = jd.simulate(model, state, until=3.0, step=1.25e-4, output=1e-2)
    moved, turned = drift(run, 1.0)
    assert moved < 1e-10 and turned < 1e-7  # the square root of rounding
    patch = run.contact["floor"].patch
    assert patch.stick.values[-1] > 0.999
    assert patch.force.values[-1] == pytest.approx([0, 0, MASS * 9.81], abs=1e-6)
    # the load leans downhill, as statics has it: the centroid of the pressure moves by h tan(slope)
    along = R @ (1, 0, 0)
    assert patch.point.values[-1] @ along == pytest.approx(0.5 * SIDE * np.tan(slope), rel=0.02)


def test_a_box_in_a_groove_does_not_creep():
    """Turned by 45 degrees, on two planes; each carries its part of the weight."""
    model = cube_on({"left": jd.Plane((1, 0, 1)), "right": jd.Plane((-1, 0, 1))})
    state = model.state(q={"free": jd.Pose((0, 0, SIDE / np.sqrt(2.0) - 1e-7), about((0, 1, 0), np.pi / 4))})
    run = jd.simulate(model, state, until=2.0, step=1.25e-4, output=1e-2)
    moved, turned = drift(run, 1.0)
    assert moved < 1e-10 and turned < 1e-7
    total = sum(run.contact[name].force.values[-1] for name in ("left", "right"))
    assert total == pytest.approx([0, 0, MASS * 9.81], abs=1e-6)


@pytest.mark.parametrize("on", ["edge", "corner"])
def test_a_box_on_its_edge_or_corner_falls_as_a_rigid_body(on):
    """phi'' = m g h / I phi about the edge or corner: cosh growth while it is small. What is left is the sinking of the
    pivot, and phi^2 / 6 of the linear theory."""
    height = SIDE / np.sqrt(2.0) if on == "edge" else SIDE * np.sqrt(0.75)
    inertia = MASS * (SIDE**2 / 6.0 + height**2)
    rate = np.sqrt(MASS * 9.81 * height / inertia)
    if on == "edge":
        upright = about((0, 1, 0), np.pi / 4)
    else:
        upright = about((0, 1, 0), np.arctan(1.0 / np.sqrt(2.0))) @ about((1, 0, 0), np.pi / 4)
    start = 0.01
    R = about((0, 1, 0), start) @ upright
    stiff = jd.VolumetricContact(stiffness=1e11, restitution=0.5, slow_speed=0.02)
    system = jd.System("cube", gravity=(0, 0, -9.81))
    system.add(jd.RigidBody.from_shape("cube", CUBE, density=MASS / CUBE.volume), jd.Free("free"))
    floor = jd.Plane((0, 0, 1)).at("world")
    system.contact("floor", CUBE.at("cube.origin"), floor, normal=stiff, friction=FRICTION)
    model = system.compile()
    pivot = -min((R @ np.array([x, y, z]))[2] for x in (-0.1, 0.1) for y in (-0.1, 0.1) for z in (-0.1, 0.1))
    sunk = np.sqrt(MASS * 9.81 / (1e11 * SIDE)) if on == "edge" else np.cbrt(2.0 * MASS * 9.81 / (1e11 * np.sqrt(27.0)))
    state = model.state(q={"free": jd.Pose((0, 0, pivot - sunk), R)})
    until = 2.0 / rate
    until = round(until / 1e-4) * 1e-4
    run = jd.simulate(model, state, until=until, step=5e-5)
    axis = run.frame("cube.origin").angular_velocity.values[:, 1]
    expected = start * rate * np.sinh(rate * run.record.time)
    late = run.record.time > 0.5 * until
    assert np.max(np.abs(axis[late] / expected[late] - 1.0)) < 0.03


def slid(floor) -> jd.Run:
    """A plate pushed over a floor of 2 x 1 m, across its middle."""
    plate = jd.Box((0.3, 0.2, 0.05))
    system = jd.System("plate", gravity=(0, 0, -9.81))
    system.add(jd.RigidBody.from_shape("cube", plate, density=2.0 / plate.volume), jd.Free("free"))
    friction = jd.BristleFriction(kinetic=0.1, stiffness=1e4, stribeck=0.02)
    normal = jd.VolumetricContact(stiffness=1e8, restitution=0.5, slow_speed=0.05)
    system.contact("floor", plate.at("cube.origin"), floor.at("world"), normal=normal, friction=friction)
    model = system.compile()
    state = model.state(q={"free": jd.Pose((-0.4, 0, 0.025 + 1e-4))}, v={"free": (0, 0, 0.5, 1.2, 0.1, 0)})
    return jd.simulate(model, state, until=0.8, step=2.5e-4, output=1e-2)


def test_a_floor_cut_in_cells_is_one_floor():
    """The plate passes from one cell to the next as if there were none: one part, its memory kept."""
    whole = slid(jd.Cells([jd.Box((2.0, 1.0, 0.2)).moved((0, 0, -0.1))]))
    halves = [jd.Box((1.0, 1.0, 0.2)).moved((x, 0, -0.1)) for x in (-0.5, 0.5)]
    cut = slid(jd.Cells(halves))
    one, two = (run.frame("cube.origin") for run in (whole, cut))
    assert one.position.values[-1, 0] > 0.05  # it has crossed
    assert two.position.values == pytest.approx(one.position.values, abs=1e-8)
    assert two.velocity.values == pytest.approx(one.velocity.values, abs=1e-7)
    assert cut.contact["floor"].sites.values.max() == 1.0
    down = cut.contact["floor"].sites.values > 0
    speed = np.max([cut.z[f"floor[{k}].impact_speed"].values for k in range(16)], axis=0)
    last = np.flatnonzero(~down)[-1] + 1 if not down.all() else 0
    assert np.ptp(speed[last:]) == 0.0
