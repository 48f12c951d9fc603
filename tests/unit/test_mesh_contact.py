"""A sphere on triangle surfaces: the sites do not depend on how a surface is cut into triangles."""

from __future__ import annotations

import numpy as np
import pytest
from blank_records import blank
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial import ConvexHull, Delaunay
from scipy.spatial.transform import Rotation

import jourdain as jd
from jourdain.basics.errors import ModelError
from jourdain.describe.shapes.meshes import convex_problems, mesh_data
from jourdain.kernels import kind_registry
from jourdain.kernels.contact.contact_rows import ContactEntries, ShapeEntries, ShapeState, Site
from jourdain.kernels.contact.narrow_phase.sphere_mesh import find_sphere_mesh
from jourdain.kernels.model_arrays import ModelArrays, Workspace
from jourdain.kernels.rows import Table
from jourdain.kernels.tree.tree_rows import TreeNode


class Scene:
    """A sphere and a surface, as the kernels see them."""

    def __init__(self, vertices, triangles, radius, code=kind_registry.MESH, rooms=8, R=None, p=None, dtype=float):
        integers, floats = mesh_data(vertices, triangles)
        index = np.zeros((2, ShapeEntries.size), np.int64)
        ball, surface = Table(index, ShapeEntries)
        ball.code, ball.floats = kind_registry.SPHERE, 2
        surface.code, surface.floats, surface.integers = code, 3, 5
        self.R, self.p = np.eye(3) if R is None else R, np.zeros(3) if p is None else np.asarray(p, float)
        shapes = np.zeros((2, ShapeState.size), dtype)
        shapes[1, ShapeState.columns.R_WS], shapes[1, ShapeState.columns.p_WS] = self.R.ravel(), self.p
        self.radius = radius
        self.arrays = blank(
            ModelArrays,
            shapes=index,
            shape_floats=np.concatenate([np.full(2, np.nan), [radius], floats]),
            shape_integers=np.concatenate([np.full(5, -(10**6)), integers]),
            tree=np.zeros((1, TreeNode.size)),
            contacts=np.zeros((0, ContactEntries.size)),
        )
        self.ws = blank(Workspace, dtype, shapes=shapes, sites=np.full((rooms, Site.size), np.nan, dtype))

    def sites(self, centre):
        """Gap, normal and point of every site, the sphere's centre being given in the axes of the surface."""
        self.ws.shapes[0].p_WS = self.R @ np.asarray(centre) + self.p
        count = find_sphere_mesh(self.arrays, self.ws, 0, 1)
        rows = self.ws.sites.columns
        gaps, normals, points = rows.gap[:count].copy(), rows.normal[:count], rows.point[:count]
        return gaps, normals @ self.R, (points - self.p) @ self.R

    def site(self, centre):
        """The same where there is one."""
        gap, normal, point = self.sites(centre)
        assert len(gap) == 1, f"{len(gap)} sites at {centre}"
        return gap[0], normal[0], point[0]


def prism(points, height, triangles):
    """The solid over a convex outline of `points`, from z = -height to z = 0; its top is cut into `triangles`."""
    outline = ConvexHull(points).vertices
    n = len(points)
    bottom = np.column_stack([points[outline], np.full(len(outline), -height)])
    vertices = np.concatenate([np.column_stack([points, np.zeros(n)]), bottom])
    below = n + np.arange(len(outline))
    faces = [np.asarray(triangles)]
    for i, a in enumerate(outline):
        j = (i + 1) % len(outline)
        b = outline[j]
        faces += [[[b, a, below[i]], [b, below[i], below[j]]]]
    faces += [[[below[0], below[i + 1], below[i]] for i in range(1, len(outline) - 1)]]
    return vertices, np.concatenate([np.reshape(face, (-1, 3)) for face in faces])


def plate(columns, rows, rng):
    """A plate of 2 m by 1 m whose top, z = 0, is cut into triangles around points inside and on its rim."""
    x, y = (a.ravel() for a in np.meshgrid(np.linspace(-1, 1, columns + 1), np.linspace(-0.5, 0.5, rows + 1)))
    inside = (abs(x) < 0.999) & (abs(y) < 0.499)
    x = x + inside * rng.uniform(-0.4, 0.4, len(x)) * 2.0 / columns
    y = y + inside * rng.uniform(-0.4, 0.4, len(y)) / rows
    points = np.column_stack([x, y])
    # A rim that bulges by a hundredth makes every point on it a corner of the outline.
    points[:, 0] += np.where(abs(abs(x) - 1) < 1e-9, 0.01 * np.sign(x) * (0.25 - y**2), 0.0)
    points[:, 1] += np.where(abs(abs(y) - 0.5) < 1e-9, 0.01 * np.sign(y) * (1.0 - x**2), 0.0)
    triangles = Delaunay(points).simplices
    a, b, c = np.moveaxis(points[triangles], 1, 0)
    turned = np.cross(np.pad(b - a, ((0, 0), (0, 1))), np.pad(c - a, ((0, 0), (0, 1))))[:, 2] < 0
    triangles[turned] = triangles[turned][:, ::-1]
    return prism(points, 0.1, triangles)


def block(cells):
    """The surface of unit cubes at the given whole-numbered places: an L, a step, a corner of a room."""
    cells = {tuple(cell) for cell in cells}
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


def ring(profile, segments):
    """A closed profile (radius, z), counterclockwise, turned about z: a tube, a torus."""
    angles = 2.0 * np.pi * np.arange(segments) / segments
    profile = np.asarray(profile)
    m = len(profile)
    r, z = profile.T
    vertices = np.stack([np.outer(np.cos(angles), r), np.outer(np.sin(angles), r), np.tile(z, (segments, 1))], axis=2)
    i, j = (a.ravel() for a in np.meshgrid(np.arange(segments), np.arange(m), indexing="ij"))
    k, l = (i + 1) % segments, (j + 1) % m
    a, b, c, d = i * m + j, k * m + j, k * m + l, i * m + l
    return vertices.reshape(-1, 3), np.concatenate([np.column_stack([a, b, c]), np.column_stack([a, c, d])])


def torus(segments=24, around=16):
    angles = 2.0 * np.pi * np.arange(around) / around
    return ring(np.column_stack([1.0 + 0.4 * np.cos(angles), 0.4 * np.sin(angles)]), segments)


def hull(rng, n):
    """A random convex solid."""
    points = rng.normal(size=(n, 3))
    found = ConvexHull(points)
    triangles = found.simplices.copy()
    a, b, c = np.moveaxis(points[triangles], 1, 0)
    inward = np.einsum("ij,ij->i", np.cross(b - a, c - a), found.equations[:, :3]) < 0
    triangles[inward] = triangles[inward][:, ::-1]
    used, index = np.unique(triangles, return_inverse=True)
    return points[used], index.reshape(-1, 3)


def brute_force(vertices, triangles, c):
    """Signed distance of c by all triangles at once; the side by the solid angle (Van Oosterom & Strackee 1983)."""
    corners = vertices[triangles] - c
    best = np.inf
    for k in range(3):
        a, b = corners[:, k], corners[:, (k + 1) % 3]
        e = b - a
        u = np.clip(-np.einsum("ij,ij->i", a, e) / np.einsum("ij,ij->i", e, e), 0.0, 1.0)
        best = min(best, np.linalg.norm(a + u[:, None] * e, axis=1).min())
    a, b, d = np.moveaxis(corners, 1, 0)
    normal = np.cross(b - a, d - a)
    # barycentric coordinates of the projection of c
    area = np.einsum("ij,ij->i", normal, normal)
    within = np.ones(len(area), bool)
    for u, v in ((a, b), (b, d), (d, a)):
        within &= np.einsum("ij,ij->i", np.cross(u, v), normal) >= 0.0
    height = abs(np.einsum("ij,ij->i", a, normal)) / np.sqrt(area)
    best = min(best, np.where(within, height, np.inf).min())
    la, lb, ld = (np.linalg.norm(q, axis=1) for q in (a, b, d))
    dots = [np.einsum("ij,ij->i", *pair) for pair in ((a, b), (b, d), (d, a))]
    below = la * lb * ld + dots[0] * ld + dots[1] * la + dots[2] * lb
    angle = 2.0 * np.arctan2(np.einsum("ij,ij->i", a, np.cross(b, d)), below).sum()
    return -best if angle > 2.0 * np.pi else best


@pytest.mark.parametrize("cut", [(1, 1), (7, 5), (30, 40)], ids=lambda cut: f"{cut[0]}x{cut[1]}")
def test_plate_is_a_plane(cut, rng):
    """Rolling over triangles, edges and vertices, the sphere feels the plane."""
    vertices, triangles = plate(*cut, rng)
    R = Rotation.from_rotvec([0.3, -1.2, 0.7]).as_matrix()
    scene = Scene(vertices, triangles, 0.2, R=R, p=[0.5, -2.0, 1.0])
    path = [np.array([x, 0.2 * np.sin(5 * x)]) for x in np.linspace(-0.7, 0.7, 60)]
    tops = vertices[: (cut[0] + 1) * (cut[1] + 1), :2]
    path += list(tops[(abs(tops) < [0.75, 0.25]).all(axis=1)][:40])  # above vertices
    path += [0.5 * (vertices[t[0]] + vertices[t[1]])[:2] for t in triangles[:40]]  # above edges
    for x, y in path:
        if abs(x) > 0.75 or abs(y) > 0.25:
            continue
        for depth in (1e-6, 1e-3, 0.03, 0.2, 0.23):  # the last two with the centre on the plane and inside the solid
            gap, normal, point = scene.site([x, y, 0.2 - depth])
            # POINT and GAP come from coordinates of about 2 m
            assert gap == pytest.approx(-depth, abs=4e-15)
            np.testing.assert_allclose(normal, [0, 0, 1], atol=1e-13)
            np.testing.assert_allclose(point, [x, y, -depth], atol=1e-13)


def test_off_the_surface(rng):
    gap, normal, _ = Scene(*plate(7, 5, rng), 0.2).site([0.1, 0.2, 0.9])
    assert gap == pytest.approx(0.7, abs=1e-15) and normal[2] == 1.0


@pytest.mark.parametrize("code", [kind_registry.CONVEX, kind_registry.MESH], ids=["convex", "mesh"])
def test_box_is_the_exact_box(code, rng):
    """Faces, edges and corners of a box from outside, and from inside no deeper than it is thick."""
    half = np.array([0.5, 0.4, 0.3])
    vertices, triangles = jd.Box(2 * half).to_mesh()
    scene = Scene(vertices, triangles, 0.2, code)
    for c in rng.uniform(-0.75, 0.75, (400, 3)):
        beyond = np.maximum(abs(c) - half, 0.0)
        inside = (abs(c) < half).all()
        distance = (abs(c) - half).max() if inside else np.linalg.norm(beyond)
        gap, normal, point = scene.sites(c)
        assert len(gap) == 1
        assert gap[0] == pytest.approx(distance - 0.2, abs=1e-15)
        if inside:
            expected = np.sign(c) * (np.arange(3) == np.argmax(abs(c) - half))
        else:
            expected = np.sign(c) * beyond / distance
        np.testing.assert_allclose(normal[0], expected, atol=1e-13)
        np.testing.assert_allclose(point[0], c - 0.2 * normal[0], atol=1e-15)
    assert scene.ws.sites[0].role == (0 if code == kind_registry.CONVEX else -1)


def test_sphere_at_a_surface_has_the_pseudonormal():
    """A centre all but on a vertex, an edge, a face: no distance to take the normal from."""
    vertices, triangles = jd.Box((2.0, 2.0, 2.0)).to_mesh()
    scene = Scene(vertices, triangles, 0.2, kind_registry.CONVEX)
    for c in ([1, 1, 1], [1, 1, 0.3], [1, 0.2, 0.3]):
        c = np.array(c, float)
        gap, normal, _ = scene.site(c * (1.0 + 1e-11 * (c == 1)))
        assert gap == pytest.approx(-0.2, abs=2e-11)
        np.testing.assert_allclose(normal, (c == 1) / np.sqrt((c == 1).sum()), atol=1e-13)


def test_bore_converges_with_one_site():
    """A ball in a tessellated bore: one site at every angle, and half the segments make four times the error."""
    bore, ball, depth = 0.5, 0.45, 1e-4
    offset = bore - ball + depth
    errors = []
    for segments in (16, 32, 64, 128):
        profile = [(bore, -1.0), (0.7, -1.0), (0.7, 1.0), (bore, 1.0), (bore, 0.3), (bore, -0.4)]
        scene = Scene(*ring(profile, segments), ball)
        worst = 0.0
        for angle in np.linspace(0.0, 2.0, 101):
            gap, normal, _ = scene.site([offset * np.cos(angle), offset * np.sin(angle), 0.05])
            worst = max(worst, abs(gap + depth))
            turn = np.arccos(np.clip(-normal @ [np.cos(angle), np.sin(angle), 0.0], -1.0, 1.0))
            # the deepest facet is the one that faces the ball, within half its width
            assert turn <= np.pi / segments + 1e-7
        errors.append(worst)
        # a facet is at most the sagitta off the circle
        assert worst <= bore * (1.0 - np.cos(np.pi / segments)) * (1 + 1e-9)
    ratios = np.array(errors[:-1]) / errors[1:]
    assert (ratios > 3.5).all()


def test_ball_that_fills_the_bore_is_held_from_all_sides():
    """All facets touch at once, all around: a few sites, against every direction one."""
    profile = [(0.5, -1.0), (0.7, -1.0), (0.7, 1.0), (0.5, 1.0), (0.5, 0.0)]
    scene = Scene(*ring(profile, 24), 0.5)
    for c in ([0.0, 0.0, 0.3], [1e-4, 3e-5, 0.1], [0.0, 1e-9, -0.2]):
        gap, normal, _ = scene.sites(c)
        assert 3 <= len(gap) <= 4
        for angle in np.linspace(0.0, 2.0 * np.pi, 60):
            assert (normal @ [np.cos(angle), np.sin(angle), 0.0]).max() > 0.0


def test_valley_has_two_sites_and_a_corner_three():
    floor = [(x, y, 0) for x in range(3) for y in range(3)]
    wall = [(0, y, z) for y in range(3) for z in range(1, 3)]
    valley = Scene(*block(floor + wall), 0.3)
    gap, normal, point = valley.sites([1.28, 1.6, 1.29])
    np.testing.assert_allclose(gap, [-0.02, -0.01], atol=1e-15)
    np.testing.assert_allclose(normal, [[1, 0, 0], [0, 0, 1]], atol=1e-15)
    np.testing.assert_allclose(point, [[0.98, 1.6, 1.29], [1.28, 1.6, 0.99]], atol=1e-15)
    assert len(valley.sites([1.28, 1.6, 1.31])[0]) == 1

    back = [(x, 2, z) for x in range(1, 3) for z in range(1, 3)]
    corner = Scene(*block(floor + wall + back), 0.3)
    gap, normal, _ = corner.sites([1.28, 1.73, 1.29])
    np.testing.assert_allclose(gap, [-0.03, -0.02, -0.01], atol=1e-15)
    np.testing.assert_allclose(normal, [[0, -1, 0], [1, 0, 0], [0, 0, 1]], atol=1e-15)

    few = Scene(*block(floor + wall + back), 0.3, rooms=2)
    np.testing.assert_allclose(few.sites([1.28, 1.73, 1.29])[0], [-0.03, -0.02], atol=1e-15)


def fillet(radius, steps):
    """A right-angled valley along y whose bottom is rounded: floor z = 0, wall x = 0, solid around them."""
    turn = np.linspace(0.0, 0.5 * np.pi, steps + 1)
    arc = np.column_stack([radius * (1 - np.sin(turn)), radius * (1 - np.cos(turn))])  # from the floor up to the wall
    outline = np.concatenate([[(2.0, -1.0), (2.0, 0.0)], arc, [(0.0, 2.0), (-1.0, 2.0), (-1.0, -1.0)]])
    n = len(outline)
    vertices = np.concatenate([np.insert(outline, 1, y, axis=1) for y in (-1.0, 1.0)])
    ends = []  # each end: fans about the last corner, which sees the whole outline
    for i in range(n - 2):
        ends += [[n - 1, i, i + 1], [2 * n - 1, n + i + 1, n + i]]
    i = np.arange(n)
    j = (i + 1) % n
    sides = [np.column_stack([i, n + i, n + j]), np.column_stack([i, n + j, j])]
    return vertices, np.concatenate([ends, *sides])


def test_fillet_decides_between_one_patch_and_two():
    """A ball smaller than the fillet has one site, a larger one rests on floor and wall."""
    vertices, triangles = fillet(0.2, 24)
    small = Scene(vertices, triangles, 0.15)
    for angle in np.linspace(0.1, 1.4, 27):
        place = 0.2 - 0.051 * np.sin(angle), 0.0, 0.2 - 0.051 * np.cos(angle)
        assert small.site(place)[0] == pytest.approx(-0.001, abs=0.2 * (1 - np.cos(np.pi / 96)))
    gap, normal, _ = Scene(vertices, triangles, 0.3).sites([0.299, 0.0, 0.298])
    np.testing.assert_allclose(gap, [-0.002, -0.001], atol=1e-15)
    np.testing.assert_allclose(normal, [[0, 0, 1], [1, 0, 0]], atol=1e-15)


def test_thin_plate_is_not_touched_from_behind(rng):
    """The far side of a plate within the sphere, seen through the solid, is no site."""
    vertices, triangles = plate(7, 5, rng)
    thin = Scene(vertices * [1, 1, 0.1], triangles, 0.3)
    gap, normal, _ = thin.site([0.05, 0.02, 0.25])
    assert gap == pytest.approx(-0.05, abs=1e-15) and normal[2] == pytest.approx(1.0)


def test_triangles_without_area_change_nothing():
    """Vertices on an edge, as computer-aided design leaves them, make triangles without area."""
    vertices, triangles = jd.Box((2.0, 2.0, 2.0)).to_mesh()
    a, b, c = triangles[0]
    middle = len(vertices)
    vertices = np.concatenate([vertices, [0.5 * (vertices[a] + vertices[b])]])
    triangles = np.concatenate([[[a, middle, c], [middle, b, c], [a, b, middle]], triangles[1:]])
    scene = Scene(vertices, triangles, 0.3)
    plain = Scene(*jd.Box((2.0, 2.0, 2.0)).to_mesh(), 0.3)
    outward = vertices[middle] / np.linalg.norm(vertices[middle])
    for shift in np.linspace(-0.3, 0.3, 21):
        at = vertices[middle] + 0.25 * outward + shift * np.array([0.7, -0.5, 0.2])
        for one, other in zip(scene.site(at), plain.site(at)):
            np.testing.assert_allclose(one, other, atol=1e-14)


@given(st.integers(0, 2**32 - 1), st.sampled_from(["hull", "ell", "torus"]))
def test_tree_finds_what_brute_force_finds(seed, kind):
    rng = np.random.default_rng(seed)
    if kind == "hull":
        vertices, triangles = hull(rng, int(rng.integers(4, 200)))
    elif kind == "ell":
        vertices, triangles = block([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)])
    else:
        vertices, triangles = torus()
    triangles = triangles[rng.permutation(len(triangles))]
    R = Rotation.random(random_state=rng).as_matrix()
    code = kind_registry.CONVEX if kind == "hull" else kind_registry.MESH
    scene = Scene(vertices, triangles, 0.3, code, R=R, p=rng.normal(size=3))
    low, high = vertices.min(axis=0) - 0.5, vertices.max(axis=0) + 0.5
    for c in rng.uniform(low, high, (10, 3)):
        gap, normal, _ = scene.sites(c)
        assert gap[0] == pytest.approx(brute_force(vertices, triangles, c) - 0.3, abs=1e-13)
        assert (np.diff(gap) >= 0.0).all() and (gap[1:] < 0.0).all()
        np.testing.assert_allclose(np.linalg.norm(normal, axis=1), 1.0, atol=1e-13)


@given(st.integers(0, 2**32 - 1))
def test_sites_of_a_block_are_its_faces_edges_and_corners(seed):
    """Every edge of an L is sharp: a site for each face, ridge or corner that holds a local minimum, found by hand."""
    rng = np.random.default_rng(seed)
    vertices, triangles = block([(0, 0, 0), (1, 0, 0), (0, 0, 1)])
    scene = Scene(vertices, triangles, 0.4)
    x, y, z = c = rng.uniform([1.02, -0.3, 1.02], [2.5, 1.3, 2.5])
    beside = max(-y, y - 1.0, 0.0)
    # the floor x in (1, 2), z = 1, y in (0, 1), and the wall x = 1, z in (1, 2); outside y the feet are on the rims
    floor = np.linalg.norm([max(x - 2.0, 0.0), beside, z - 1.0])
    wall = np.linalg.norm([x - 1.0, beside, max(z - 2.0, 0.0)])
    expected = sorted(d - 0.4 for d in (floor, wall) if d < 0.4) or [min(floor, wall) - 0.4]
    np.testing.assert_allclose(scene.sites(c)[0], expected, atol=1e-14)


def split(vertices, triangles):
    """Every triangle in four, at the middles of its edges."""
    middles: dict[tuple, int] = {}
    points = list(vertices)
    finer = []
    for t in triangles.tolist():
        m = []
        for a, b in zip(t, t[1:] + t[:1]):
            edge = min(a, b), max(a, b)
            if edge not in middles:
                middles[edge] = len(points)
                points.append(0.5 * (vertices[a] + vertices[b]))
            m.append(middles[edge])
        finer += [[t[0], m[0], m[2]], [m[0], t[1], m[1]], [m[2], m[1], t[2]], m]
    return np.array(points), np.array(finer)


@pytest.mark.parametrize("kind", ["room", "torus", "bore"])
def test_finer_triangles_of_the_same_surface_change_nothing(kind, rng):
    """Splitting triangles in their own planes, and shuffling them, leaves all sites where they are."""
    if kind == "room":
        coarse = block([(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0), (0, 0, 1), (1, 0, 1), (0, 1, 1)])
    elif kind == "torus":
        coarse = torus(24, 16)
    else:
        coarse = ring([(0.5, -1.0), (0.7, -1.0), (0.7, 1.0), (0.5, 1.0), (0.5, 0.0)], 20)
    vertices, triangles = split(*coarse)
    vertices, triangles = split(vertices, triangles[rng.permutation(len(triangles))])
    one, other = Scene(*coarse, 0.45), Scene(vertices, triangles, 0.45)
    low, high = vertices.min(axis=0) - 0.4, vertices.max(axis=0) + 0.4
    for c in rng.uniform(low, high, (1000, 3)):
        for here, there in zip(one.sites(c), other.sites(c)):
            np.testing.assert_allclose(here, there, atol=1e-13)


@pytest.mark.parametrize("centre", [(1.3, 0.4, 1.2), (2.1, 0.4, 1.2), (2.1, 1.1, 1.2)], ids=["face", "edge", "corner"])
def test_complex_step(centre):
    """Derivatives of gap and normal by the centre, against central differences."""
    vertices, triangles = block([(0, 0, 0), (1, 0, 0), (0, 0, 1)])
    real = Scene(vertices, triangles, 0.29)
    steps = Scene(vertices, triangles, 0.29, dtype=complex)
    for direction in np.eye(3):
        gap, normal, _ = steps.site(np.array(centre) + 1e-30j * direction)
        up, down = (real.site(np.array(centre) + h * direction) for h in (1e-6, -1e-6))
        assert gap.imag / 1e-30 == pytest.approx((up[0] - down[0]) / 2e-6, abs=1e-9)
        np.testing.assert_allclose(normal.imag / 1e-30, (up[1] - down[1]) / 2e-6, atol=1e-9)


def test_bad_surfaces_are_refused():
    vertices, triangles = block([(0, 0, 0), (1, 0, 0), (0, 0, 1)])
    with pytest.raises(ModelError, match="bracket: mesh is not closed"):
        mesh_data(vertices, triangles[1:], "bracket")
    assert "bracket: is not convex" in str(convex_problems(vertices, triangles, "bracket")[0])
    assert convex_problems(*jd.Box((1.0, 2.0, 3.0)).to_mesh(), "box") == []


def test_inward_winding_is_turned():
    vertices, triangles = jd.Box((2.0, 2.0, 2.0)).to_mesh()
    gap, normal, _ = Scene(vertices, triangles[:, ::-1], 0.3).site([0.1, 0.2, 1.2])
    assert gap == pytest.approx(-0.1, abs=1e-15) and normal[2] == 1.0
