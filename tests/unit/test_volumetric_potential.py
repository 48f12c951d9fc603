"""Volumetric contact as a potential of the overlap: no friction and restitution 1 do no work around a closed path."""

import numpy as np
import pytest
from patches import elastic, system_of
from scipy.spatial.transform import Rotation

import jourdain as jd

PLANE = jd.Plane((0, 0, 1))
BOX = jd.Box((0.10, 0.12, 0.14))
BLOCK = jd.Box((0.3, 0.3, 0.2))
TABLE = jd.shapes.Cells([jd.Box((0.3, 0.6, 0.2)).moved((x, 0, -0.1)) for x in (-0.15, 0.15)])
STEP = jd.shapes.Cells([jd.Box((0.6, 0.6, 0.2)).moved((0, 0, -0.1)), jd.Box((0.3, 0.6, 0.2)).moved((0.15, 0, 0.1))])
"""A floor with a wall on it: where they meet the body is not convex."""
TETRAHEDRON = jd.shapes.ConvexMesh(
    np.array([[0, 0, 0.1], [0.1, 0, -0.05], [-0.06, 0.08, -0.05], [-0.06, -0.08, -0.05]])
)

# shapes, and between which heights and how far aside the first is put
PAIRS = {
    "box, plane": (BOX, PLANE, (0.05, 0.09), 0.1),
    "box, box": (BOX, BLOCK, (0.13, 0.19), 0.16),
    "large box, box": (BLOCK, BOX, (0.13, 0.19), 0.16),
    "box, wedge": (BOX, jd.shapes.Edge((0, 0, 1), (0, 1, 0)), (0.02, 0.05), 0.05),
    "tetrahedron, box": (TETRAHEDRON, BLOCK, (0.12, 0.19), 0.16),
    "box, table of two cells": (BOX, TABLE, (0.05, 0.09), 0.1),
    "box, floor and wall": (BOX, STEP, (0.0, 0.1), 0.12),
    "ball, plane": (jd.Sphere(0.05), PLANE, (0.03, 0.05), 0.1),
    "ball, ball": (jd.Sphere(0.05), jd.Sphere(0.07), (0.08, 0.12), 0.03),
    "ball, box": (jd.Sphere(0.05), BLOCK, (0.11, 0.14), 0.16),
    "ball, cylinder": (jd.Sphere(0.05), jd.Cylinder(0.1, 0.2), (0.11, 0.15), 0.1),
    "ball, cone": (jd.Sphere(0.05), jd.Cone(0.1, 0.2), (0.0, 0.13), 0.05),
    "ball, capsule": (jd.Sphere(0.05), jd.Capsule(0.05, 0.2), (0.08, 0.19), 0.05),
    "ball, hole": (jd.Sphere(0.05), jd.Cylinder(0.055, 0.2, inside=True), (0.0, 0.1), 0.02),
    "ball, floor and wall": (jd.Sphere(0.05), STEP, (0.03, 0.1), 0.12),
    "cylinder, plane": (jd.Cylinder(0.05, 0.1), PLANE, (0.03, 0.06), 0.1),
    "cone, plane": (jd.Cone(0.05, 0.1), PLANE, (0.02, 0.05), 0.1),
    "capsule, box": (jd.Capsule(0.05, 0.1), BLOCK, (0.13, 0.16), 0.16),
    "cylinder, box": (jd.Cylinder(0.05, 0.1), BLOCK, (0.13, 0.16), 0.16),
}
QUICK = ("box, plane", "box, box", "large box, box", "box, wedge", "box, floor and wall", "ball, box")


def law(**words):
    return jd.VolumetricContact(**{"stiffness": 1e8, "restitution": 1.0, **words})


def model_of(pair: str, **words) -> jd.Model:
    first, second, *_ = PAIRS[pair]
    return system_of(first, second.at("world"), law(**words))


def pairs(names=tuple(PAIRS)):
    return [one if one in QUICK else pytest.param(one, marks=pytest.mark.slow) for one in names]


def somewhere(pair: str, rng, count: int) -> tuple[np.ndarray, Rotation]:
    _, _, heights, aside = PAIRS[pair]
    across = rng.uniform(-aside, aside, (count, 2))
    return np.column_stack([across, rng.uniform(*heights, count)]), Rotation.random(count, rng=rng)


@pytest.mark.parametrize("pair", pairs())
def test_force_and_torque_are_the_gradient_of_the_energy(pair, rng):
    """Central differences see h^2 of an energy that is smooth but where a face comes in; h is 1e-6 of 0.1 m and rad.

    Overlaps thinner than 1e-4 of the bodies are left out, in which h is no small part of the depth.
    """
    model, h, size = model_of(pair), 1e-6, 0.1
    places, rotations = somewhere(pair, rng, 40)
    force, torque, energy = elastic(model, places, rotations)
    gradient = np.zeros((40, 6))
    for d in range(6):
        axis = h * np.eye(3)[d % 3]
        sides = []
        for sign in (1.0, -1.0):
            moved = places + sign * size * axis if d < 3 else places
            turned = rotations if d < 3 else Rotation.from_rotvec(sign * axis) * rotations
            sides.append(elastic(model, moved, turned)[2])
        gradient[:, d] = (sides[1] - sides[0]) / (2.0 * h * (size if d < 3 else 1.0))
    load = np.linalg.norm(force, axis=1)
    there = (load > 0.0) & (energy > 1e-5 * size * load)
    assert there.sum() >= 10
    assert np.all(energy[load > 0.0] > 0.0)
    error = np.hstack([force - gradient[:, :3], (torque - gradient[:, 3:]) / size])
    assert np.all(np.abs(error[there]).max(axis=1) < 1e-7 * (load[there] + load.max()))


def circuit(rng, count: int, scales) -> tuple[np.ndarray, np.ndarray]:
    """A random closed path of six numbers, of two waves of these sizes, and its rate, at even times from 0 to 1."""
    s = 2.0 * np.pi * np.arange(count) / count
    k = np.arange(1, 3)
    waves, rates = (
        (np.cos(np.outer(s, k)), np.sin(np.outer(s, k))),
        (-np.sin(np.outer(s, k)) * k, np.cos(np.outer(s, k)) * k),
    )
    amounts = rng.normal(size=(2, 2, 6)) * scales
    path, rate = (sum(w @ a for w, a in zip(which, amounts, strict=True)) for which in (waves, rates))
    return path, 2.0 * np.pi * rate


def turning(r: np.ndarray, rate: np.ndarray) -> np.ndarray:
    """Angular velocity of a rotation vector r: r' + (1 - cos a) / a^2 r x r' + (a - sin a) / a^3 r x (r x r')."""
    a = np.linalg.norm(r, axis=1)[:, None]
    once = np.cross(r, rate)
    return rate + (1.0 - np.cos(a)) / a**2 * once + (a - np.sin(a)) / a**3 * np.cross(r, once)


def done(model: jd.Model, places, rotations, v, w) -> tuple[float, float]:
    """Work of the contact along a closed path by the trapezoidal rule, and that of its absolute power [J]."""
    force, torque, _ = elastic(model, places, rotations)
    power = np.sum(force * v, axis=1) + np.sum(torque * w, axis=1)
    return float(power.mean()), float(np.abs(power).mean())


def work(pair: str, seed: int, count: int, **words) -> tuple[float, float]:
    """The same around a random path of a pair: 15 mm and 0.25 rad."""
    rng = np.random.default_rng(seed)
    place, turn = somewhere(pair, rng, 1)
    path, rate = circuit(rng, count, np.repeat([0.015, 0.25], 3))
    omega = turning(path[:, 3:], rate[:, 3:])
    rotations = Rotation.from_rotvec(path[:, 3:]) * turn
    return done(model_of(pair, **words), place + path[:, :3], rotations, rate[:, :3], omega)


@pytest.mark.parametrize("pair", pairs())
def test_no_work_is_done_around_a_closed_path(pair):
    """To the quadrature: faces that come in make the power C1, of which even sums have an error of the third order.

    500 points see 1e-7 to 3e-6 of the work that goes in and out, 4,000 points 1e-9.
    """
    total = np.array([work(pair, seed, 4000) for seed in range(6)])
    there = total[:, 1] > 1e-6 * total[:, 1].max()  # a ball that stays submerged feels nothing
    assert there.sum() >= 4
    assert np.all(
        np.abs(total[there, 0]) < 2e-8 * total[there, 1]
    )  # overlaps of curved solids have errors of 1e-9 to 3e-8 themselves


def test_the_normal_of_the_inertia_does_work_around_closed_paths():
    """What the choice "inertia" costs: a third of the work that goes in and out, with boxes on a plane."""
    total = np.array([work("box, plane", seed, 1000, normal="inertia") for seed in range(8)])
    assert np.max(np.abs(total[:, 0]) / total[:, 1]) > 0.2


def peg_in(hole: str, normal: str = "conservative", stiffness: float = 5e12) -> jd.Model:
    """A peg of 20 mm in a hole 0.05 mm wider and 40 mm deep, without a chamfer or in a block with one."""
    peg, block = jd.worksites.peg_in_hole(0.02, 5e-5, depth=0.04, length=0.06, chamfer=0.002)
    if hole == "bare":
        block = jd.Cylinder(0.010025, 0.04, inside=True)
        return system_of(jd.Cylinder(0.01, 0.06), block.at("world"), law(stiffness=stiffness, normal=normal))
    return system_of(peg, block.at("world"), law(stiffness=stiffness, normal=normal))


PEG_MOVES = {"along the wall": (2e-5, 2e-3, 1e-3), "tilted": (1e-5, 2e-3, 2e-2), "a little": (1.5e-5, 1e-3, 3e-3)}
"""Sizes of the waves: across the hole, along it, and of the tilt [m, m, rad]."""


def peg_path(hole: str, moves: str, seed: int, count: int):
    """A closed path of a peg in its hole, from half in to all but."""
    rng = np.random.default_rng(seed)
    aside, along, tilt = PEG_MOVES[moves]
    path, rate = circuit(rng, count, np.array([aside, aside, along, tilt, tilt, 0.0]))
    height = 0.04 - rng.uniform(0.005, 0.02)
    rotations, omega = Rotation.from_rotvec(path[:, 3:]), turning(path[:, 3:], rate[:, 3:])
    arm = rotations.apply([0, 0, 0.03 if hole == "bare" else 0.0])  # from its lower end to its origin
    places = path[:, :3] + [0, 0, height] + arm - [0, 0, 0.02 if hole == "bare" else 0.0]
    return places, rotations, rate[:, :3] + np.cross(omega, arm), omega


@pytest.mark.parametrize("moves", PEG_MOVES)
@pytest.mark.parametrize("hole", ["bare", pytest.param("chamfered", marks=pytest.mark.slow)])
def test_no_work_is_done_by_a_peg_around_a_closed_path(hole, moves):
    """It touches wall, rim, chamfer and both ends, on two sides: to the errors of its overlaps, 1e-6 of the work.

    The force along the vector area of the wall, which is that of "inertia" in so close a fit, does per cents.
    """
    for seed in range(3):
        path = peg_path(hole, moves, seed, 2000)
        total, moved = done(peg_in(hole), *path)
        assert moved > 0.0 and abs(total) < 5e-6 * moved
    plain = [done(peg_in(hole, "inertia"), *peg_path(hole, moves, seed, 500)) for seed in range(3)]
    assert max(abs(total) / moved for total, moved in plain) > 3e-3


@pytest.mark.parametrize("hole", ["bare", pytest.param("chamfered", marks=pytest.mark.slow)])
def test_force_and_torque_of_a_peg_are_the_gradient_of_the_energy(hole):
    """Overlaps are right to 1e-7 of the peg, to 1e-5 where they are several clearances deep, more than 1e-4 of it."""
    model, h = peg_in(hole), np.repeat([1e-8, 1e-7], 3)
    for moves in PEG_MOVES:
        places, rotations, _, _ = peg_path(hole, moves, 5, 6)
        force, torque, energy = elastic(model, places, rotations)
        gradient = np.zeros((6, 6))
        for d in range(6):
            axis = h[d] * np.eye(3)[d % 3]
            sides = []
            for sign in (1.0, -1.0):
                moved = places + sign * axis if d < 3 else places
                turned = rotations if d < 3 else Rotation.from_rotvec(sign * axis) * rotations
                sides.append(elastic(model, moved, turned)[2])
            gradient[:, d] = (sides[1] - sides[0]) / (2.0 * h[d])
        assert np.count_nonzero(energy) >= 2
        load = np.linalg.norm(force, axis=1)
        error = np.hstack([force - gradient[:, :3], (torque - gradient[:, 3:]) / 0.03])
        deep = load > 1e-4 * 5e12 * jd.Cylinder(0.01, 0.06).volume
        assert np.all(np.abs(error).max(axis=1) <= np.where(deep, 5e-4, 5e-6) * load)


def test_a_peg_that_comes_down_beside_its_hole_lands_on_the_face():
    """k_v V upwards, without a jump: the energy of the wall is large there, and stands in series."""
    model = peg_in("bare", stiffness=1e9)
    for aside in (1e-3, 5e-3, 9e-3):
        lune = _lune(0.01, 0.010025, aside)
        for depth, off in ((1e-7, 1e-3), (1e-6, 1e-2), (1e-5, 0.1)):
            force, _, _ = elastic(model, np.array([[aside, 0, 0.02 + 0.03 - depth]]), Rotation.identity(1))
            assert force[0, 2] == pytest.approx(1e9 * lune * depth, rel=off)
            assert abs(force[0, 0]) < off * force[0, 2]


def _lune(r: float, R: float, e: float) -> float:
    """Area of a disc of radius r, e off the middle, outside of one of radius R."""
    a, b = np.arccos((e * e + r * r - R * R) / (2 * e * r)), np.arccos((e * e + R * R - r * r) / (2 * e * R))
    heron = 0.5 * np.sqrt((-e + r + R) * (e + r - R) * (e - r + R) * (e + r + R))
    return np.pi * r * r - (r * r * a + R * R * b - heron)


@pytest.mark.parametrize("seed", range(3))
def test_a_box_on_a_plane_feels_its_overlap_upwards_at_the_centroid(seed):
    """k_v V n at the centroid, for boxes at random attitudes, with overlaps from manifold3d."""
    manifold3d = pytest.importorskip("manifold3d")
    from jourdain.describe.shapes.polyhedra import box
    from jourdain.describe.shapes.triangles import mass_properties

    model, rng = model_of("box, plane"), np.random.default_rng(seed)
    places, rotations = somewhere("box, plane", rng, 20)
    force, torque, energy = elastic(model, places, rotations)
    solid = box(BOX.lengths)
    for k, R in enumerate(rotations.as_matrix()):
        corners = np.ascontiguousarray(solid.vertices @ R.T + places[k])
        mesh = manifold3d.Manifold(manifold3d.Mesh64(corners, solid.triangles.astype(np.uint64)))
        below = mesh.trim_by_plane((0, 0, -1), 0.0).to_mesh64()
        if not len(below.tri_verts):
            assert not np.any(force[k])
            continue
        V, c, _ = mass_properties(np.array(below.vert_properties), np.array(below.tri_verts).astype(np.int64))
        assert force[k] == pytest.approx([0, 0, 1e8 * V], rel=1e-9, abs=1e-9 * BOX.volume * 1e8)
        assert torque[k] == pytest.approx(np.cross(c - places[k], [0, 0, 1e8 * V]), abs=1e-9 * BOX.volume * 1e7)
        assert energy[k] == pytest.approx(-1e8 * V * c[2], abs=1e-9 * BOX.volume * 1e7)


@pytest.mark.parametrize("first, second", [("box, box", "large box, box"), ("box, plane", "box, box")])
def test_the_foundation_is_where_it_is_whoever_is_named_first(first, second):
    """It is in the plane, or in the larger of two boxes; on the middle of its face both are the same."""
    rotations = Rotation.from_rotvec(np.random.default_rng(4).normal(size=(10, 3)))
    low = np.array([(R.as_matrix() @ np.diag([0.05, 0.06, 0.07])).__abs__().sum(axis=1)[2] for R in rotations])
    places = np.column_stack([np.zeros((10, 2)), low - 0.004])
    if first == "box, plane":
        one = elastic(model_of(first), places, rotations)
        two = elastic(model_of(second), places + [0, 0, 0.1], rotations)
        assert two[0] == pytest.approx(one[0], rel=1e-9, abs=1e-9 * np.abs(one[0]).max())
        assert two[1] == pytest.approx(one[1], rel=1e-9, abs=1e-9 * np.abs(one[1]).max())
        return
    # the large box moves, the small one stands at the origin: the same relative pose, the other way round
    one = elastic(model_of(first), places + [0, 0, 0.1], rotations)
    back = rotations.inv()
    two = elastic(model_of(second), -back.apply(places + [0, 0, 0.1]), back)
    assert two[0] == pytest.approx(-back.apply(one[0]), rel=1e-9, abs=1e-9 * np.abs(one[0]).max())
    assert two[2] == pytest.approx(one[2], rel=1e-9)


def test_a_cube_on_the_edge_of_a_box_feels_its_own_face():
    """The edge of the foundation is in one face of the cube: nothing holds that along itself, so the force is normal to
    it, and k_v V / (cos + sin) of its tilt."""
    model = system_of(jd.Box((0.1, 0.1, 0.1)), jd.Box((1.0, 1.0, 1.0)).at("world", position=(-0.5, 0, -0.5)), law())
    for tilt in np.radians([5.0, 20.0, 45.0, 80.0]):
        turn = Rotation.from_rotvec([0, tilt, 0])
        n = turn.apply([0, 0, 1])
        force, _, _ = elastic(model, np.array([(0.05 - 1e-3) * n]), turn)
        V = 0.1 * 1e-6 / (2.0 * np.sin(tilt) * np.cos(tilt))
        assert force[0] == pytest.approx(1e8 * V / (np.cos(tilt) + np.sin(tilt)) * n, rel=1e-6)


def cube(**words) -> jd.Model:
    shape = jd.Box((0.1, 0.1, 0.1))
    system = jd.System("cube", gravity=(0, 0, -9.81))
    system.add(jd.RigidBody.from_shape("cube", shape, density=400.0), jd.Free("free"))
    system.contact("floor", shape.at("cube.origin"), PLANE.at("world"), normal=law(**words))
    return system.compile()


def tossed(model: jd.Model, seed: int, **how) -> jd.Run:
    rng = np.random.default_rng(seed)
    R = Rotation.random(rng=rng)
    v = R.inv().apply([0.5, -0.3, -1.0])
    state = model.state(q={"free": jd.Pose((0, 0, 0.12), R.as_matrix())}, v={"free": [*rng.normal(size=3) * 5.0, *v]})
    return jd.simulate(model, state, until=0.2, progress=False, **how)


@pytest.mark.parametrize("seed", range(3))
def test_a_frictionless_toss_of_a_cube_keeps_energy_and_horizontal_speed(seed):
    """Corners, edges and faces strike the floor; what is left is the error of the method, at two tolerances."""
    model = cube()
    for rtol, least in ((1e-7, 1e-6), (1e-10, 1e-8)):
        run = tossed(model, seed, rtol=rtol)
        v = run.frame("cube.origin").velocity.values
        assert run.contact["floor"].patch.touching.values.max() > 0
        assert np.abs(v[:, :2] - [0.5, -0.3]).max() < rtol  # nothing acts along the floor
        total = run.energy["total"].values
        assert np.ptp(total) < least * total[0]
        assert run.energy.error < least
        assert np.all(run.contact["floor"].remained.values == 0.0)


def test_a_tossed_cube_is_pushed_sideways_by_the_normal_of_the_inertia():
    v = tossed(cube(normal="inertia"), 0).frame("cube.origin").velocity.values
    assert np.abs(v[-1, :2] - [0.5, -0.3]).max() > 0.1


def test_a_box_slides_over_a_seam_without_friction():
    """Tilted a little, over a table of two cells: what the seam presses on either side of it is nothing together."""
    shape = jd.Box((0.1, 0.08, 0.02))
    system = jd.System("slide", gravity=(0, 0, -9.81))
    system.add(jd.RigidBody.from_shape("box", shape, density=2000.0), jd.Free("free"))
    system.contact("floor", shape.at("box.origin"), TABLE.at("world"), normal=law(restitution=1.0))
    model = system.compile()
    state = model.state(q={"free": jd.Pose((-0.08, 0, 0.0099))}, v={"free": (0.2, 0.1, 0, 0.8, 0.1, 0)})
    run = jd.simulate(model, state, until=0.15, progress=False)
    frame = run.frame("box.origin")
    assert frame.position.values[-1, 0] > 0.03
    assert np.abs(frame.velocity.values[:, :2] - [0.8, 0.1]).max() < 1e-9
    assert run.energy.error < 1e-7


def inner_planes(shape) -> list[list[list[float]]]:
    """Normals of the faces of each cell that are no surface of the body."""
    from jourdain.describe.shapes.cells import volume_data
    from jourdain.kernels.contact.overlap_volumes.overlap_layout import Cell, CellsHeader

    integers, _ = volume_data(shape, inner=True)
    head = CellsHeader(integers)
    table = map(Cell, integers[head.table :][: Cell.size * head.cells].reshape(-1, Cell.size))
    out = []
    for row, cell in zip(table, shape.own_cells, strict=True):
        bits = row.holes >> 1
        out.append([cell.solid.planes[k, :3].round(9).tolist() for k in range(len(cell.solid.planes)) if bits >> k & 1])
    return out


BLIND = jd.shapes.Cell(jd.Box((0.1, 0.1, 0.05)), jd.Cylinder(0.0101, 0.04, inside=True).moved((0, 0, 0.025)))


def test_faces_between_cells_are_no_surface_but_the_ground_of_a_hole_is():
    assert inner_planes(TABLE) == [[[1, 0, 0]], [[-1, 0, 0]]]
    assert inner_planes(STEP) == [[], [[0, 0, -1]]]  # the floor has more face than what the wall stands on
    ground, drilled = inner_planes(BLIND)
    assert ground == [] and drilled == [[0, 0, -1]]


@pytest.mark.slow
def test_a_peg_bears_on_the_ground_of_its_hole():
    model = system_of(jd.Cylinder(0.01, 0.06), BLIND.at("world"), law())
    force, torque, _ = elastic(model, np.array([[1e-5, 0, 0.035 - 1e-5]]), Rotation.identity(1))
    assert force[0] == pytest.approx([0, 0, 1e8 * np.pi * 1e-4 * 1e-5], rel=1e-9)
    assert torque[0] == pytest.approx([0, 0, 0], abs=1e-9)


def test_rolling_resistance_goes_with_the_load():
    """A cube that turns fast in a slow impact: where its damping has taken the load, there is no torque either.

    The linear integral of the pressure kept k_v a J w there, 0.5 N m, which switched on and off with the load.
    """
    model = cube(restitution=0.125)
    R = Rotation.from_euler("xy", [0.5, 0.6])
    corner = -np.abs(R.as_matrix()[2]).sum() * 0.05
    place = (0, 0, -corner - 2e-3)
    z = np.tile(model.state().z, (400, 1))
    names = list(model.names.z)
    z[:, names.index("floor.touching")] = 1.0
    z[:, names.index("floor.impact_speed")] = 0.04
    q = np.tile([*place, *R.as_quat(scalar_first=True)], (400, 1))
    v = np.zeros((400, 6))
    rising = np.linspace(0.0, 0.02, 400)
    w = R.inv().apply([6.0, -5.0, 0.0])
    for k, speed in enumerate(rising):
        v[k] = [*w, *R.inv().apply([0, 0, speed] - np.cross([6.0, -5.0, 0.0], _centroid(model, q[0]) - place))]
    from jourdain.results.patches import patch_values

    rows = patch_values(model, q, v, z)[:, 0]
    load, torque = rows[:, 15], np.linalg.norm(rows[:, 3:6], axis=1)
    assert load[0] > 0.0 and load[-1] == 0.0
    assert np.all(torque[load == 0.0] == 0.0)
    assert np.all(torque <= load * np.sqrt(3.0) * 2e-3)  # its patch is some millimetres wide
    assert np.abs(np.diff(torque)).max() < 0.02 * torque.max()


def _centroid(model: jd.Model, q: np.ndarray) -> np.ndarray:
    from jourdain.results.patches import patch_values

    return patch_values(model, q[None], np.zeros((1, 6)), model.state().z[None])[0, 0, 6:9]


def test_descriptions_from_before_there_was_a_choice_mean_the_inertia():
    """A run file that says nothing of the normal is of a run with that of the inertia, and known by the same hash."""

    def hashes(**words):
        table = jd.shapes.Cells([jd.Box((1, 1, 1)), jd.Box((1, 1, 1)).moved((1, 0, 0))])
        for shape, ground in ((jd.Sphere(0.1), PLANE), (jd.Box((0.1, 0.1, 0.1)), table)):
            system = jd.System("old", gravity=(0, 0, -9.81))
            system.add(jd.RigidBody("body", mass=2.0, inertia=(0.008, 0.008, 0.008)), jd.Free("free"))
            normal = jd.VolumetricContact(stiffness=1e7, restitution=0.5, **words)
            system.contact("touch", shape.at("body.origin"), ground.at("world"), normal=normal)
            yield system.compile().hash

    before = [
        "92e096554df16b8d3c4de3f23bbc2d79c5604e0e58f4e8426cb8916f7bb39b2f",
        "04d1d9bb80435c4e38fa27a0a0adf7e8d5466194eb6ef0d0380afc91e8b29464",
    ]
    assert list(hashes(normal="inertia")) == before
    assert not set(hashes()) & set(before)
    for normal in ("inertia", "conservative"):
        one = jd.VolumetricContact(stiffness=1e7, normal=normal)
        assert jd.VolumetricContact.from_dict(one.to_dict()) == one
        assert ("normal" in one.to_dict()) == (normal == "conservative")


def test_the_normal_is_one_of_two():
    with pytest.raises(jd.errors.ModelError, match="it must be one of conservative, inertia"):
        system_of(BOX, PLANE.at("world"), law(normal="plane"))
