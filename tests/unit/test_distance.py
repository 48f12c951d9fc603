"""Signed distances from every shape: against its profile, its own gradient, and the thesis."""

import math

import numba
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from pairs import lay_out

from jourdain.describe.shapes import Box, Capsule, Cone, Cylinder, Edge, Plane, Sphere
from jourdain.kernels.algebra import Vec3
from jourdain.kernels.contact.narrow_phase import signed_distance as kernels

SHAPES = [
    Plane((1.0, 2.0, 2.0), 0.3),
    Sphere(0.7),
    Edge((0.0, 0.0, 1.0), (1.0, 0.0, 0.0)),
    Edge((0.2, 0.1, 1.0), (0.3, 0.0, -1.0)),
    Edge((0.1, 0.0, 1.0), (-0.1, 0.2, 1.0)),
    Cylinder(0.5, 1.6),
    Cylinder(0.5, 1.6, inside=True),
    Cone(0.6, 1.4),
    Cone(1.5, 0.5),
    Cone(0.6, 1.4, inside=True),
    Cone(1.5, 0.5, inside=True),
    Box((1.0, 1.4, 0.6)),
    Capsule(0.4, 1.2),
]
NAMES = [f"{shape.kind}-{i}" for i, shape in enumerate(SHAPES)]
CONVEX = [shape for shape in SHAPES if not getattr(shape, "inside", False)]

coordinate = st.floats(-2.0, 2.0)
points = st.tuples(coordinate, coordinate, coordinate)


@numba.njit
def compiled(model, row, p):
    d, n = kernels.distance(model, row, Vec3(p[0], p[1], p[2]))
    return d, (n.x, n.y, n.z)


MODEL = lay_out(SHAPES)


def distance(shape, p):
    """(distance, normal) of a point."""
    d, n = compiled(MODEL, SHAPES.index(shape), tuple(float(x) for x in p))
    return d, np.array(n)


def to_segment(p, a, b):
    """Distance of p from the segment a b."""
    t = np.clip(np.dot(p - a, b - a) / np.dot(b - a, b - a), 0.0, 1.0)
    return np.linalg.norm(p - a - t * (b - a))


FAR = 100.0


def profile(shape):
    """(polyline of the surface in the half-plane (rho, z), whether (rho, z) is in the solid)."""
    r, h = shape.radius, 0.5 * shape.length
    if isinstance(shape, Cylinder):
        if shape.inside:
            return [(FAR, -h), (r, -h), (r, h), (FAR, h)], lambda rho, z: rho >= r and abs(z) <= h
        return [(0, -h), (r, -h), (r, h), (0, h)], lambda rho, z: rho <= r and abs(z) <= h

    def within(rho, z):
        return rho <= r * (h - z) / (2 * h)

    if shape.inside:
        return [(FAR, -h), (r, -h), (0, h)], lambda rho, z: z >= -h and not within(rho, z)
    return [(0, -h), (r, -h), (0, h)], lambda rho, z: z >= -h and within(rho, z)


def expected(shape, p):
    """Distance without the kernels: the solid's profile, clipping, or the closed form."""
    p = np.array(p)
    if isinstance(shape, Plane):
        n = np.array(shape.normal)
        return p @ n / np.linalg.norm(n) - shape.offset
    if isinstance(shape, Sphere):
        return np.linalg.norm(p) - shape.radius
    if isinstance(shape, Capsule):
        end = np.array([0.0, 0.0, 0.5 * shape.length])
        return to_segment(p, -end, end) - shape.radius
    if isinstance(shape, Box):
        half = 0.5 * np.array(shape.lengths)
        outside = np.linalg.norm(p - np.clip(p, -half, half))
        return outside if outside > 0.0 else np.max(np.abs(p) - half)
    if isinstance(shape, Edge):
        n1, n2 = (np.array(n) / np.linalg.norm(n) for n in (shape.n1, shape.n2))
        depth = max(p @ n1, p @ n2)
        if depth <= 0.0:
            return depth
        e = np.cross(n1, n2) / np.linalg.norm(np.cross(n1, n2))
        across = p - e * (e @ p)
        faces = [FAR * np.cross(n1, e), FAR * np.cross(e, n2)]
        return min(to_segment(across, np.zeros(3), face) for face in faces)
    line, inside = profile(shape)
    q = np.array([math.hypot(p[0], p[1]), p[2]])
    d = min(to_segment(q, np.array(a, float), np.array(b, float)) for a, b in zip(line, line[1:], strict=False))
    return -d if inside(*q) else d


@pytest.mark.parametrize("shape", SHAPES, ids=NAMES)
@given(p=points)
def test_distance_is_that_of_the_nearest_point(shape, p):
    d, n = distance(shape, p)
    assert d == pytest.approx(expected(shape, p), abs=1e-13)
    assert np.linalg.norm(n) == pytest.approx(1.0, abs=1e-13)
    # the foot is on the surface, to the rounding of a few sums; on the axis of a cone the normal is the axis
    if shape.kind != "cone" or math.hypot(p[0], p[1]) > 1e-9:
        assert distance(shape, np.array(p) - d * n)[0] == pytest.approx(0.0, abs=1e-13)


@pytest.mark.parametrize("shape", SHAPES, ids=NAMES)
@given(p=points)
def test_normal_is_the_gradient(shape, p):
    h = 1e-5
    d, n = distance(shape, p)
    around = [(np.array(p) + s * h * axis) for axis in np.eye(3) for s in (1, -1)]
    ends = [distance(shape, q) for q in around]
    # away from where several points are nearest the normal turns by at most h / |d| on edges, h / radius elsewhere
    assume(abs(d) > 0.02 and all(np.linalg.norm(m - n) < 1e-3 for _, m in ends))
    gradient = [(ends[2 * i][0] - ends[2 * i + 1][0]) / (2 * h) for i in range(3)]
    # central differences: h^2 / (6 d^2) with d above 0.02, of which a kink of the curvature leaves h / (4 d)
    assert np.allclose(gradient, n, atol=3e-4)


@pytest.mark.parametrize("shape", CONVEX, ids=lambda shape: shape.kind)
@given(p=points, step=st.tuples(*[st.floats(-1.0, 1.0)] * 3))
def test_normal_is_continuous_outside_convex_shapes(shape, p, step):
    """The nearest point of a convex set moves no farther than the point; so n = (p - foot) / d turns by 2 step / d."""
    d, n = distance(shape, p)
    q = np.array(p) + 1e-6 * np.array(step)
    assume(d > 1e-3)
    assert np.linalg.norm(distance(shape, q)[1] - n) <= 2.0 * np.linalg.norm(q - p) / d + 1e-12


@pytest.mark.parametrize("shape", SHAPES, ids=NAMES)
def test_there_is_a_normal_everywhere(shape):
    special = [(0, 0, 0), (0, 0, 0.7), (0, 0, -0.7), (0, 0, 0.25), (0.5, 0, 0.8), (0.6, 0, -0.7), (0.5, 0.7, 0.3)]
    special += [(0, 0, -0.8), (1.5, 0, -0.25), (0, 0, 5.0), (0.0, 0.0, -5.0), (1e-170, 1e-200, 1e-170), (-0.0, 0, -0.0)]
    special += [(0.5 + 1e-16, 0.7 + 1e-16, 0.3 + 1e-16), (0.5 * (1 + 1e-16), 0.0, 0.8 * (1 + 1e-16))]
    for p in special:
        d, n = distance(shape, p)
        assert d == pytest.approx(expected(shape, p), abs=1e-13)
        assert np.linalg.norm(n) == pytest.approx(1.0, abs=1e-13)


def thesis_cone(p, a, alpha):
    """(normal, distance) of a point from an endless cone, its apex at the origin, Gonthier 2007, eq. A.17 to A.24."""
    n_p = np.cross(p, a)
    n_p /= np.linalg.norm(n_p)
    t_c = math.cos(alpha) * a + math.sin(alpha) * np.cross(n_p, a)
    n = np.sign(p @ a) * p / np.linalg.norm(p) if p @ t_c > 0.0 else np.cross(t_c, n_p)
    return n, p @ n


@given(p=points)
def test_cone_as_in_the_thesis(p):
    """On the upper flank and over the tip, where its base does not matter."""
    cone = Cone(0.6, 1.4)
    from_apex = np.array(p) - (0.0, 0.0, 0.7)
    assume(from_apex[2] > -0.4 and np.hypot(*from_apex[:2]) > 1e-3)
    n, x = thesis_cone(from_apex, np.array([0.0, 0.0, 1.0]), math.atan2(0.6, 1.4))
    d, normal = distance(cone, p)
    assume(d > -0.3)
    assert d == pytest.approx(x, abs=1e-13)
    assert np.allclose(n, normal, atol=1e-10)


def thesis_edge(p, n1, n2):
    """Gonthier 2007, eq. A.5 to A.10, the last divided by the length of its own part across the edge."""
    n_e, e = n1 + n2, np.cross(n1, n2)
    n_e, e = n_e / np.linalg.norm(n_e), e / np.linalg.norm(e)
    if p @ n1 < 0.0 and p @ n2 < 0.0:
        return n1 if p @ np.cross(n_e, e) > 0.0 else n2
    if p @ np.cross(n1, e) > 0.0:
        return n1
    if p @ np.cross(e, n2) > 0.0:
        return n2
    q = p - e * (e @ p)
    return q / np.linalg.norm(q)


@pytest.mark.parametrize("edge", [SHAPES[2], SHAPES[4]], ids=["right angle", "blunt"])
@given(p=points)
def test_blunt_edges_as_in_the_thesis(edge, p):
    assume(np.linalg.norm(p) > 1e-3)
    n1, n2 = (np.array(n) / np.linalg.norm(n) for n in (edge.n1, edge.n2))
    d, normal = distance(edge, p)
    n = thesis_edge(np.array(p), n1, n2)
    assume(np.all(np.isfinite(n)))  # not of a point on the edge itself
    assert d == pytest.approx(np.array(p) @ n, abs=1e-12)
    # on the bisecting plane inside both normals are right
    assert np.allclose(n, normal, atol=1e-9) or abs(np.array(p) @ (n1 - n2)) < 1e-12


def test_sharp_edge_pushes_out_of_the_nearer_face():
    """The thesis asks for face 1 first, and would find what is over face 2 of a blade deep inside."""
    blade = SHAPES[3]
    n1, n2 = (np.array(n) / np.linalg.norm(n) for n in (blade.n1, blade.n2))
    p = np.array([-1.0, 0.0, 0.0]) + 0.5 * n2
    assert p @ thesis_edge(p, n1, n2) < -0.3
    d, n = distance(blade, p)
    assert d > 0.1
    assert np.allclose(n, n2)


def test_flat_edge_is_a_plane():
    model = lay_out([Edge((0, 0, 1), (1e-9, 0, 1))])
    d, n = compiled(model, 0, (0.3, 0.2, 0.1))
    assert d == pytest.approx(0.1, abs=1e-9)
    assert np.allclose(n, (0, 0, 1), atol=1e-9)


@given(st.floats(0.0, 0.45), st.floats(0.0, 2 * math.pi), st.floats(-0.7, 0.7))
def test_bore_as_in_the_thesis(rho, angle, z):
    """Gonthier 2007, eq. A.14 to A.16: x = r - R - |q|, towards the axis."""
    assume(rho > 1e-6)
    d, n = distance(Cylinder(0.5, 1.6, inside=True), (rho * math.cos(angle), rho * math.sin(angle), z))
    assert d == pytest.approx(0.5 - rho, abs=1e-15)
    assert np.allclose(n, (-math.cos(angle), -math.sin(angle), 0.0))
