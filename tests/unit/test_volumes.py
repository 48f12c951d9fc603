"""Volume, centroid and inertia of overlaps of solids with flat faces."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rational import overlap as exact_overlap
from scipy.spatial.transform import Rotation

import jourdain as jd
from jourdain.describe.shapes.polyhedra import Polyhedron, box, hull
from jourdain.describe.shapes.triangles import mass_properties
from jourdain.model.overlaps import Overlap

HERE = jd.Pose()
UNIT = jd.Box((1.0, 1.0, 1.0))
# What the work asks for is 1e-9 of the smaller solid; sums of a hundred rounded terms are a thousand times better.
PART_OF_SMALLER = 1e-12


def turned(seed: int, amount: float = 1.0) -> np.ndarray:
    return Rotation.from_rotvec(amount * np.random.default_rng(seed).normal(size=3)).as_matrix()


def random_solid(seed: int) -> Polyhedron:
    """The hull of a few points, which may be flat or long."""
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(rng.integers(4, 12), 3)) * rng.uniform(0.1, 1.0, 3)
    found = hull(points)
    assert found is not None
    return found


def as_shape(solid: Polyhedron) -> jd.shapes.ConvexMesh:
    return jd.shapes.ConvexMesh(solid.vertices)


def same(part, exact, smaller: Polyhedron, tolerance: float = PART_OF_SMALLER) -> None:
    """Volume, first moment and inertia agree to a part of those of the smaller solid."""
    scale, size = smaller.volume, smaller.size
    assert part.volume == pytest.approx(exact.volume, abs=tolerance * scale)
    away = exact.volume * (part.centroid - exact.centroid)
    assert np.abs(away).max() <= tolerance * scale * size
    assert np.abs(part.inertia - exact.inertia).max() <= tolerance * scale * size**2


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.integers(0, 10**6), st.floats(0.0, 1.2))
def test_random_convex_overlaps_agree_with_rational_arithmetic(seed, other, far):
    one, two = random_solid(seed), random_solid(other + 10**6)
    R, S = turned(seed), turned(other)
    p, q = far * turned(seed + 1)[0] + one.properties[1] * 0.0, np.array([3.0, -2.0, 7.0])
    p = p + q
    exact = exact_overlap(one, R, p, two, S, q)
    parts = Overlap(as_shape(one), as_shape(two)).parts(jd.Pose(p, R), jd.Pose(q, S))
    smaller = min(one, two, key=lambda solid: solid.volume)
    if not parts:
        assert exact.volume <= PART_OF_SMALLER * smaller.volume
        return
    assert len(parts) == 1
    same(parts[0], exact, smaller)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.floats(0.0, 1.0))
def test_random_convex_overlaps_agree_with_manifold3d(seed, far):
    manifold3d = pytest.importorskip("manifold3d")

    def solid_of(solid: Polyhedron, R: np.ndarray, p: np.ndarray):
        mesh = manifold3d.Mesh64(np.ascontiguousarray(solid.vertices @ R.T + p), solid.triangles.astype(np.uint64))
        return manifold3d.Manifold(mesh)

    one, two = random_solid(seed), random_solid(seed + 1)
    R, S, p = turned(seed), turned(seed + 1), far * turned(seed + 2)[0]
    common = solid_of(one, R, p) ^ solid_of(two, S, np.zeros(3))
    mesh = common.to_mesh64()
    vertices, triangles = np.array(mesh.vert_properties), np.array(mesh.tri_verts).astype(np.int64)
    parts = Overlap(as_shape(one), as_shape(two)).parts(jd.Pose(p, R), jd.Pose((0, 0, 0), S))
    smaller = min(one, two, key=lambda solid: solid.volume)
    if not parts or len(triangles) == 0:
        found = parts[0].volume if parts else 0.0
        assert max(found, common.volume()) <= 1e-9 * smaller.volume
        return
    volume, centroid, inertia = mass_properties(vertices, triangles)
    scale = smaller.volume
    assert parts[0].volume == pytest.approx(volume, abs=1e-9 * scale)
    assert np.abs(volume * (parts[0].centroid - centroid)).max() <= 1e-9 * scale * smaller.size
    assert np.abs(parts[0].inertia - inertia).max() <= 1e-9 * scale * smaller.size**2


@pytest.mark.parametrize("depth", [1e-3, 1e-6, 1e-9, 1e-12])
@pytest.mark.parametrize("angle", [0.0, 1e-7, 0.3])
def test_thin_overlaps_far_from_the_origin_keep_their_digits(depth, angle):
    """Distances in a box of 1 m are rounded to a few 1e-16 m: a part is right to that over how thin it is."""
    base = np.array([20.0, -13.0, 11.0])
    S = turned(5)
    R = S @ Rotation.from_rotvec([angle, 0.4 * angle, 0.0]).as_matrix()
    low = (R @ box((1, 1, 1)).vertices.T).T @ S[:, 2]
    p = base + S[:, 2] * (0.5 - low.min() - depth)
    exact = exact_overlap(box((1, 1, 1)), R, p, box((1, 1, 1)), S, base)
    part = Overlap(UNIT, UNIT).parts(jd.Pose(p, R), jd.Pose(base, S))[0]
    error = 1e-12 + 2e-15 / depth
    assert part.volume == pytest.approx(exact.volume, rel=error)
    size = np.sqrt(np.trace(exact.inertia) / exact.volume)
    assert np.linalg.norm(part.centroid - exact.centroid) <= error * size + 1e-14
    assert np.abs(part.inertia - exact.inertia).max() <= error * np.abs(exact.inertia).max()


def test_boxes_that_overlap_along_their_axes_have_the_closed_form():
    parts = Overlap(UNIT, jd.Box((2.0, 3.0, 4.0))).parts(jd.Pose((1.2, 0.3, -2.1)), HERE)
    lengths, middle = np.array([0.3, 1.0, 0.4]), np.array([0.85, 0.3, -1.8])
    assert len(parts) == 1
    assert parts[0].volume == pytest.approx(np.prod(lengths), rel=1e-14)
    assert parts[0].centroid == pytest.approx(middle, rel=1e-14)
    across = np.prod(lengths) / 12.0 * (np.sum(lengths**2) - lengths**2)
    assert parts[0].inertia == pytest.approx(np.diag(across), abs=1e-16)


def test_a_box_in_a_half_space_has_the_closed_form():
    part = Overlap(UNIT, jd.Plane((0, 0, 1), 0.25)).parts(jd.Pose((5.0, 6.0, 0.7)), HERE)[0]
    assert part.volume == pytest.approx(0.05, rel=1e-13)
    assert part.centroid == pytest.approx([5.0, 6.0, 0.225], rel=1e-14)
    assert np.diag(part.inertia) == pytest.approx(0.05 / 12 * np.array([1.0025, 1.0025, 2.0]), rel=1e-13)
    assert part.normal == pytest.approx([0, 0, 1], abs=1e-15)
    assert part.area == pytest.approx(1.0, rel=1e-14)


def test_the_order_of_two_shapes_turns_the_normal_only():
    one, two = as_shape(random_solid(3)), as_shape(random_solid(4))
    a, b = jd.Pose((0.1, 0.2, 0.1), turned(7)), jd.Pose((0, 0, 0), turned(8))
    first, second = Overlap(one, two).parts(a, b)[0], Overlap(two, one).parts(b, a)[0]
    assert first.volume == pytest.approx(second.volume, rel=1e-13)
    assert first.inertia == pytest.approx(second.inertia, rel=1e-10)
    assert first.normal == pytest.approx(-second.normal, abs=1e-13)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6))
def test_the_normal_and_the_area_are_the_rate_at_which_the_volume_grows(seed):
    """Moving the first solid by d changes the volume by minus area times normal . d; central differences see h^2."""
    one, two = random_solid(seed), random_solid(seed + 1)
    overlap = Overlap(as_shape(one), as_shape(two))
    R = turned(seed)
    p = two.properties[1] - R @ one.properties[1] + 0.1 * turned(seed + 1)[0]
    parts = overlap.parts(jd.Pose(p, R), HERE)
    if not parts:
        return
    h = 1e-5 * min(one.size, two.size)
    pushed = []
    for axis in np.eye(3):
        sides = [overlap.parts(jd.Pose(p + s * h * axis, R), HERE) for s in (1, -1)]
        values = [sum(part.volume for part in side) for side in sides]
        pushed.append((values[1] - values[0]) / (2.0 * h))
    scale = min(one.size, two.size) ** 2
    assert parts[0].area * parts[0].normal == pytest.approx(pushed, abs=1e-4 * scale)


def volumes_along(overlap: Overlap, heights: np.ndarray, R: np.ndarray) -> np.ndarray:
    out = []
    for h in heights:
        parts = overlap.parts(jd.Pose((0.05, -0.02, h), R), HERE)
        assert len(parts) <= 1
        out.append(parts[0].volume if parts else 0.0)
    return np.array(out)


@pytest.mark.parametrize("angles", [(0.0, 0.0), (0.3, 0.0), (0.3, 0.5), (np.arctan(np.sqrt(0.5)), np.pi / 4)])
def test_the_volume_is_continuous_through_touch_edges_and_submersion(angles):
    """A box goes down through a slab: on a face, an edge, any corner, the corner of a cube on its space diagonal."""
    R = Rotation.from_euler("xy", angles).as_matrix()
    overlap = Overlap(jd.Box((0.4, 0.3, 0.5)), jd.Box((2.0, 2.0, 1.0)))
    heights = np.linspace(1.0, -1.0, 401)
    volume = volumes_along(overlap, heights, R)
    widest = np.sqrt(0.4**2 + 0.3**2 + 0.5**2) * 0.5
    assert np.abs(np.diff(volume)).max() <= widest * (heights[0] - heights[1])
    assert volume[0] == volume[-1] == 0.0
    assert volume.max() == pytest.approx(0.06, rel=1e-13)
    corners = np.unique(np.round((R @ (box((0.4, 0.3, 0.5)).vertices.T))[2], 12))
    for critical in np.concatenate([0.5 - corners, -0.5 - corners]):
        tiny = critical + np.array([-2e-9, -1e-9, 0.0, 1e-9, 2e-9])
        steps = np.abs(np.diff(volumes_along(overlap, tiny, R)))
        assert steps.max() <= widest * 1e-9 + 1e-15


def test_faces_in_one_plane_and_boxes_at_one_place_do_no_harm():
    overlap = Overlap(UNIT, UNIT)
    assert overlap.parts(HERE, HERE)[0].volume == pytest.approx(1.0, rel=1e-14)
    assert sum(part.volume for part in overlap.parts(jd.Pose((0, 0, 1.0)), HERE)) <= 1e-15
    for nudge in (1e-17, 1e-16, 1e-15, -1e-16):
        beside = Rotation.from_rotvec([0, nudge, nudge])
        part = overlap.parts(jd.Pose((nudge, -nudge, 0.5), beside), HERE)[0]
        assert part.volume == pytest.approx(0.5, rel=1e-14)
        thin = overlap.parts(jd.Pose((nudge, -nudge, 1.0 - 1e-6), beside), HERE)[0]
        assert thin.normal == pytest.approx([0, 0, 1], abs=2e-6)  # sides as high as the overlap may count or not


def test_a_solid_with_many_edges_at_a_vertex_is_cut_exactly():
    """A pyramid of 40 faces, of which a plane cuts off the tip: a pyramid one tenth as high."""
    turn = 2.0 * np.pi * np.arange(40) / 40
    base = np.column_stack([np.cos(turn), np.sin(turn), np.zeros(40)])
    pyramid = jd.shapes.ConvexMesh(np.vstack([base, [0.0, 0.0, 2.0]]))
    part = Overlap(pyramid, jd.Plane((0, 0, -1), -1.8)).parts(HERE, HERE)[0]
    assert part.volume == pytest.approx(pyramid.volume * 1e-3, rel=1e-12)
    assert part.centroid == pytest.approx([0.0, 0.0, 1.85], abs=1e-13)


def test_a_solid_inside_another_is_pushed_along_the_line_of_their_middles():
    part = Overlap(jd.Box((0.1, 0.1, 0.1)), UNIT).parts(jd.Pose((0.0, 0.2, 0.0)), HERE)[0]
    assert part.volume == pytest.approx(1e-3, rel=1e-13)
    assert part.normal == pytest.approx([0.0, 1.0, 0.0], abs=1e-12)
