"""Where round shapes and corners touch: against dense sampling, closed forms, and by what a force may not do."""

import math

import numpy as np
import pytest
from hypothesis import Phase, assume, given, settings
from hypothesis import strategies as st
from pairs import lay_out, place, read, scratch, sites
from scipy.optimize import minimize_scalar
from scipy.spatial.transform import Rotation

from jourdain.basics.pose import Pose
from jourdain.describe.shapes import Box, Capsule, Cone, ConvexMesh, Cylinder, Edge, Plane, Sphere
from jourdain.kernels.contact.narrow_phase.corners_plane import FLAT, find_corners_plane
from jourdain.kernels.contact.narrow_phase.sphere_capsule import SPREAD, find_sphere_capsule

unit = st.floats(-1.0, 1.0)
vectors = st.tuples(unit, unit, unit).map(np.array)
rotations = vectors.map(lambda v: Rotation.from_rotvec(math.pi * v))
poses = st.builds(Pose, vectors, rotations)


def ends(capsule, pose):
    """The two ends of a capsule's axis, the lower first."""
    axis = 0.5 * capsule.length * pose.rotation[:, 2]
    return pose.position - axis, pose.position + axis


ROUND_PAIRS = [
    Plane((1.0, 2.0, 2.0), 0.3),
    Sphere(0.4),
    Capsule(0.2, 1.0),
    Box((0.5, 0.8, 0.6)),
    Cylinder(0.4, 0.8),
    Cone(0.5, 1.0),
    Edge((0, 0, 1), (1, 0, 0)),
    Cylinder(0.6, 0.8, inside=True),
    Cone(0.6, 0.8, inside=True),
]


@pytest.mark.parametrize("shape", ROUND_PAIRS, ids=lambda shape: f"{shape.kind}-{getattr(shape, 'inside', False)}")
@given(a=poses, b=poses, moved=poses)
def test_a_ball_has_a_site_that_moves_with_both(shape, a, b, moved):
    """The nearest; in a round hole there is another, across its axis."""
    ball = Sphere(0.3)
    site, *across = sites(find_sphere_capsule, ball, shape, a, b)
    assert len(across) == getattr(shape, "inside", False) and all(one.gap >= site.gap - 1e-12 for one in across)
    assert site.role == 0
    assert np.linalg.norm(site.normal) == pytest.approx(1.0, abs=1e-13)
    assert np.allclose(site.point, a.position - 0.3 * site.normal, atol=1e-14)
    # a point at the foot has no distance from the shape; on the axis of a cone the normal is the axis, by convention
    foot = Pose(site.point - site.gap * site.normal)
    beside = np.hypot(*(b.rotation.T @ (a.position - b.position))[:2])
    if shape.kind != "cone" or beside > 1e-12:
        assert sites(find_sphere_capsule, Sphere(1e-12), shape, foot, b)[0].gap == pytest.approx(0.0, abs=1e-11)
    other = sites(find_sphere_capsule, ball, shape, moved @ a, moved @ b)[0]
    assert other.gap == pytest.approx(site.gap, abs=1e-13)


@given(a=poses, b=poses)
def test_balls_as_in_the_textbook(a, b):
    apart = a.position - b.position
    assume(np.linalg.norm(apart) > 1e-3)
    (site,) = sites(find_sphere_capsule, Sphere(0.3), Sphere(0.4), a, b)
    assert site.gap == pytest.approx(np.linalg.norm(apart) - 0.7, abs=1e-14)
    assert np.allclose(site.normal, apart / np.linalg.norm(apart))


SOLIDS = [Box((0.5, 0.8, 0.6)), Cylinder(0.4, 0.8), Cone(0.5, 1.0), Edge((0, 0, 1), (1, 0, 0))]


@pytest.mark.parametrize("shape", SOLIDS, ids=lambda shape: shape.kind)
@given(a=poses, b=poses)
def test_a_capsule_touches_a_solid_where_it_is_nearest(shape, a, b):
    """Least distance along its axis by search, which is convex; the sites lie within 1e-3 rad of turn of the normal."""
    capsule, axis = Capsule(0.1, 0.6), a.rotation[:, 2]

    def away(s):
        return sites(find_sphere_capsule, Sphere(0.1), shape, Pose(a.position + s * axis), b)[0].gap

    assume(away(0.0) < 0.3)
    found = sites(find_sphere_capsule, capsule, shape, a, b)
    least = min(minimize_scalar(away, bounds=(-0.3, 0.3), method="bounded").fun, away(-0.3), away(0.3))
    assert min(site.gap for site in found) == pytest.approx(least, abs=1e-5)
    along = [float((site.point + 0.1 * site.normal - a.position) @ axis) for site in found]
    assert [site.role for site in found] == [0, 1] and -0.3 - 1e-9 <= along[0] <= along[1] + 1e-9 <= 0.3 + 2e-9


def test_a_capsule_along_a_face_touches_with_its_ends_or_at_the_edge():
    lying = Rotation.from_rotvec((0.0, 0.5 * math.pi, 0.0))
    found = sites(find_sphere_capsule, Capsule(0.1, 0.6), Box((1.0, 1.0, 1.0)), Pose((0.0, 0.0, 0.59), lying), Pose())
    assert [site.point[0] for site in found] == pytest.approx([-0.3, 0.3], abs=1e-9)
    found = sites(find_sphere_capsule, Capsule(0.1, 0.6), Box((1.0, 1.0, 1.0)), Pose((0.4, 0.0, 0.59), lying), Pose())
    assert [site.point[0] for site in found] == pytest.approx([0.1, 0.5], abs=1e-3)
    assert [site.gap for site in found] == pytest.approx([-0.01, -0.01], abs=1e-6)


@given(a=poses, b=poses)
def test_capsule_on_a_plane_has_its_two_end_balls(a, b):
    capsule, plane = Capsule(0.2, 1.0), Plane((0.0, 0.6, 0.8), 0.1)
    n = b.rotation @ np.array([0.0, 0.6, 0.8])
    found = sites(find_sphere_capsule, capsule, plane, a, b)
    assert [site.role for site in found] == [0, 1]
    for site, end in zip(found, ends(capsule, a), strict=True):
        assert np.allclose(site.normal, n)
        assert site.gap == pytest.approx(n @ (end - b.position) - 0.1 - 0.2, abs=1e-14)
        assert np.allclose(site.point, end - 0.2 * n)


def axis_distance(a, b, pose_a, pose_b):
    """Least distance of two capsules' axes: one parameter by projection, the other by search (it is convex)."""
    low, high = ends(a, pose_a)
    first, second = ends(b, pose_b)

    def from_point(s):
        p = low + s * (high - low)
        t = np.clip((p - first) @ (second - first) / np.dot(second - first, second - first), 0.0, 1.0)
        return np.linalg.norm(p - first - t * (second - first))

    best = minimize_scalar(from_point, bounds=(0.0, 1.0), method="bounded", options={"xatol": 1e-12}).fun
    return min(best, from_point(0.0), from_point(1.0))


THICK, THIN = Capsule(0.2, 1.0), Capsule(0.1, 1.6)
RADII = THICK.radius + THIN.radius


@given(a=poses, b=poses)
def test_two_capsules_touch_at_their_nearest_points(a, b):
    """To SPREAD^2 / 2 of the sum of the radii where the axes are that far apart, as the docstring says."""
    found = sites(find_sphere_capsule, THICK, THIN, a, b)
    assert [site.role for site in found] == [0, 1]
    axes = axis_distance(THICK, THIN, a, b)
    assume(axes > 0.05)
    least = min(site.gap for site in found)
    assert least >= axes - RADII - 1e-7
    assert least <= axes - RADII + 0.5 * (SPREAD * RADII) ** 2 / axes + 1e-7
    for site in found:
        # the foot on the second capsule's surface is one: a tiny ball there has no distance
        foot = Pose(site.point - site.gap * site.normal)
        assert sites(find_sphere_capsule, Sphere(1e-12), THIN, foot, b)[0].gap == pytest.approx(0.0, abs=1e-11)


@given(st.floats(-1.2, 1.2), st.floats(0.05, 0.4), st.booleans())
def test_parallel_capsules_touch_at_the_ends_of_their_overlap(shift, height, turned):
    turn = Rotation.from_rotvec([math.pi, 0.0, 0.0]) if turned else None
    found = sites(find_sphere_capsule, THICK, THIN, Pose((height, 0.0, shift)), Pose((0.0, 0.0, 0.0), turn))
    where = [site.point[2] for site in found]
    assert where == pytest.approx([max(shift - 0.5, -0.8), min(shift + 0.5, 0.8)], abs=1e-12)
    for site in found:
        assert site.gap == pytest.approx(height - RADII, abs=1e-12)
        assert np.allclose(site.normal, (1, 0, 0), atol=1e-12)


@given(st.floats(0.1, 3.0), st.floats(-0.4, 0.4), st.floats(-0.7, 0.7))
def test_crossed_capsules_touch_twice_at_one_place(angle, s, t):
    turn = Rotation.from_rotvec([angle, 0.0, 0.0])
    u = turn.as_matrix()[:, 2]
    # the axes cross at s from the middle of the first and t from that of the second, 0.25 apart along x
    a, b = Pose((0.25, 0.0, 0.0)), Pose(s * np.array([0.0, 0.0, 1.0]) - t * u, turn)
    found = sites(find_sphere_capsule, THICK, THIN, a, b)
    for site in found:
        assert np.linalg.norm(site.point - (0.05, 0.0, s)) <= 1.001 * SPREAD * RADII / math.sin(angle)
        assert site.gap == pytest.approx(0.25 - RADII, abs=0.51 * (SPREAD * RADII) ** 2 / 0.25)


def wrench(found):
    """Force and torque about the origin of Hertz springs of stiffness 1 at the sites, and what they store."""
    total, stored = np.zeros(6), 0.0
    for site in found:
        depth = max(-site.gap, 0.0)
        force = depth**1.5 * site.normal
        total += np.concatenate([np.cross(site.point, force), force])
        stored += 0.4 * depth**2.5
    return total, stored


def path(first, turn, steps):
    """Poses of a capsule that slides and turns steadily from `first`."""
    start = Rotation.from_matrix(first.rotation)
    for i in range(steps):
        x = i / steps
        yield Pose(first.position + x * turn[3:], Rotation.from_rotvec(x * turn[:3]) * start)


def jumps(start, turn):
    """Largest change of the wrench from one step to the next, of the largest wrench, for finer and finer steps."""
    model, still = lay_out([THICK, THIN]), Pose((0.0, 0.0, 0.0))
    ws = scratch([still, still])
    found = []
    for steps in (100, 200, 400):
        loads = []
        for pose in path(start, turn, steps):
            place(ws, [pose, still])
            loads.append(wrench(read(ws, find_sphere_capsule(model, ws, 0, 1)))[0])
        found.append(np.max(np.abs(np.diff(loads, axis=0))) / np.max(np.abs(loads)))
    return found


@settings(max_examples=10, phases=[Phase.generate])
@given(vectors, st.sampled_from([5e-3, 1e-3, 1e-4, 1e-6]), vectors, st.floats(0.005, 0.05))
def test_force_between_capsules_is_continuous_through_parallel(tilt, size, slide, depth):
    start = Pose((RADII - depth, 0.003 * slide[1], 0.5 * slide[2]), Rotation.from_rotvec(-0.5 * size * tilt))
    coarse, middle, fine = jumps(start, np.concatenate([size * tilt, [0.0, 0.0, 0.3 * slide[0]]]))
    assert fine <= 0.02 or fine <= 0.75 * middle <= 0.6 * coarse


@pytest.mark.parametrize("angle", [0.3, 0.8, 1.5])
@pytest.mark.parametrize("depth", [0.001, 0.02])
def test_force_between_capsules_is_continuous_over_an_end(angle, depth):
    """A crossing at some angle that slides along the first capsule and off its end."""
    start = Pose((RADII - depth, 0.0, -0.3), Rotation.from_rotvec([angle, 0.0, 0.0]))
    away = -0.3 * np.array([0.0, -math.sin(angle), math.cos(angle)])
    coarse, middle, fine = jumps(Pose(start.position + away, start.rotation), np.array([0, 0, 0, *(2.0 * away)]))
    assert fine <= 0.02 or fine <= 0.75 * middle <= 0.6 * coarse


@pytest.mark.parametrize(
    ("about", "size"),
    [((0, 1, 0), 1e-1), ((0, 1, 0), 1e-4), ((1, 0, 0), 1e-1), ((1, 1, 1), 1e-4)],
    ids=["tilted", "slightly tilted", "crossed", "nearly parallel"],
)
@settings(phases=[Phase.generate])
@given(turn=vectors, spin=vectors, slide=vectors, depth=st.floats(1e-4, 0.03))
def test_force_between_capsules_does_the_work_that_it_stores(about, size, turn, spin, slide, depth):
    """Power of the springs against the rate of what they store, to SPREAD of force times speed.

    The first lies within the length of the second, so that the ends of their overlap are its own.
    """
    model, still = lay_out([THICK, THIN]), Pose((0.0, 0.0, 0.0))
    ws = scratch([still, still])
    rotation = Rotation.from_rotvec(size * turn * about)
    position = np.array([RADII - depth, 0.0, 0.2 * slide[2]])
    motion = np.concatenate([size * spin, 0.1 * slide])
    h = 1e-6

    def at(x):
        move = Pose(position + x * motion[3:], Rotation.from_rotvec(x * motion[:3]) * rotation)
        place(ws, [move, still])
        return read(ws, find_sphere_capsule(model, ws, 0, 1))

    load, stored = wrench(at(0.0))
    assume(stored > 0.0)
    power = load[3:] @ motion[3:] + (load[:3] - np.cross(position, load[3:])) @ motion[:3]
    rate = (wrench(at(h))[1] - wrench(at(-h))[1]) / (2 * h)
    force = sum(max(-site.gap, 0.0) ** 1.5 for site in at(0.0))
    assert power == pytest.approx(-rate, abs=SPREAD * force * np.linalg.norm(motion) + 1e-12)


def test_crossing_axes_have_a_normal():
    quarter = Rotation.from_rotvec([0.5 * math.pi, 0.0, 0.0])
    for turn in (None, quarter):
        for site in sites(find_sphere_capsule, THICK, THIN, Pose(), Pose((0, 0, 0), turn)):
            assert site.gap == pytest.approx(-RADII, abs=1e-3)
            assert np.linalg.norm(site.normal) == pytest.approx(1.0)


PLANE = Plane((0.0, 0.6, 0.8), 0.1)


def over(plane, pose, points):
    """Heights of points over a placed plane."""
    n = np.array(plane.normal) / np.linalg.norm(plane.normal)
    return (np.atleast_2d(points) - pose.position) @ pose.rotation @ n - plane.offset


@given(a=poses, b=poses)
def test_box_on_a_plane_has_its_vertices(a, b):
    box = Box((0.5, 0.8, 0.6))
    found = sites(find_corners_plane, box, PLANE, a, b)
    corners = box.to_mesh()[0] @ a.rotation.T + a.position
    assert [site.role for site in found] == list(range(8))
    assert np.allclose([site.point for site in found], corners)
    assert np.allclose([site.gap for site in found], over(PLANE, b, corners))
    assert np.allclose([site.normal for site in found], b.rotation @ (0.0, 0.6, 0.8))


@pytest.mark.parametrize("shape", [Cylinder(0.4, 0.9), Cone(0.5, 0.7)], ids=lambda shape: shape.kind)
@given(a=poses, b=poses)
def test_round_corners_on_a_plane_have_their_lowest_points(shape, a, b):
    n = a.rotation.T @ b.rotation @ (0.0, 0.6, 0.8)
    assume(math.hypot(n[0], n[1]) > FLAT)
    found = sites(find_corners_plane, shape, PLANE, a, b)
    assert [site.role for site in found] == list(range(6 if isinstance(shape, Cylinder) else 4))
    points = np.array([site.point for site in found])
    gaps = np.array([site.gap for site in found])
    assert np.allclose(gaps, over(PLANE, b, points))
    local = (points - a.position) @ a.rotation
    rims = [slice(0, 3), slice(3, 6)] if isinstance(shape, Cylinder) else [slice(1, 4)]
    for rim in rims:
        assert np.allclose(np.hypot(local[rim, 0], local[rim, 1]), shape.radius)
        assert np.allclose(local[rim].mean(axis=0)[:2], 0.0, atol=1e-14)
        assert np.ptp(local[rim, 2]) < 1e-14
    # the lowest of them is the lowest point of the solid
    surface = shape.to_mesh(720)[0] @ a.rotation.T + a.position
    lowest = over(PLANE, b, surface).min()
    assert lowest - shape.radius * (math.pi / 720) ** 2 <= gaps.min() <= lowest + 1e-13


@given(unit, unit)
def test_a_standing_cylinder_keeps_its_points(x, y):
    """On a flat cap the points stay with the body's x axis, or the smallest tilt would carry them round."""
    tilt = Rotation.from_rotvec(0.05 * FLAT * np.array([x, y, 0.0]))
    pose = Pose((0.0, 0.0, 0.45), tilt)
    found = sites(find_corners_plane, Cylinder(0.4, 0.9), Plane((0, 0, 1)), pose)
    local = (found[3].point - pose.position) @ pose.rotation
    assert np.allclose(local, (0.4, 0.0, -0.45), atol=0.4 * 3 * (0.05 * math.sqrt(2)) ** 2)
    flat = sites(find_corners_plane, Cylinder(0.4, 0.9), Plane((0, 0, 1)), Pose((0.0, 0.0, 0.45)))
    assert np.allclose([site.gap for site in flat], [0.9] * 3 + [0.0] * 3, atol=1e-15)


def test_the_direction_of_a_rim_is_defined_at_every_tilt():
    shape, plane = Cylinder(0.4, 0.9), Plane((0, 0, 1))
    for tilt in (0.0, 0.5 * FLAT, math.asin(0.5 * FLAT), FLAT, 0.5 * math.pi, math.pi):
        for sign in (1.0, -1.0):
            found = sites(
                find_corners_plane, shape, plane, Pose((0, 0, 0), Rotation.from_rotvec([0.0, sign * tilt, 0.0]))
            )
            assert np.all(np.isfinite([site.gap for site in found]))


@given(a=poses, seed=st.integers(0, 1000))
def test_convex_vertices_on_a_plane(a, seed):
    vertices = np.random.default_rng(seed).normal(size=(40, 3))
    mesh = ConvexMesh(vertices)
    data = [(np.array([40]), vertices.ravel()), PLANE.contact_data()]
    found = sites(find_corners_plane, mesh, PLANE, a, data=data)
    heights = over(PLANE, Pose(), vertices @ a.rotation.T + a.position)
    below = np.flatnonzero(heights <= 0.0)
    assert [site.role for site in found] == (list(below) or [int(np.argmin(heights))])
    assert np.allclose([site.gap for site in found], heights[[site.role for site in found]])


def test_convex_mesh_above_a_plane_gives_its_nearest_vertex():
    vertices, _ = Box((1.0, 1.0, 1.0)).to_mesh()
    data = [(np.array([8]), vertices.ravel()), PLANE.contact_data()]
    turned = Pose((0.0, 3.0, 4.0), Rotation.from_rotvec([0.3, 0.2, 0.1]))
    (site,) = sites(find_corners_plane, ConvexMesh(vertices), PLANE, turned, data=data)
    heights = over(PLANE, Pose(), vertices @ turned.rotation.T + turned.position)
    assert site.role == np.argmin(heights)
    assert site.gap == pytest.approx(heights.min())
