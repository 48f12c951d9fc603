"""Triangles that are drawn: closed, outwards, and as large as the shapes that they stand for."""

from __future__ import annotations

import math

import numpy as np
import pytest

import jourdain as jd
from jourdain.describe.shapes.tessellation import SEGMENTS, SLAB, SLEEVE, box, creased, face_normals, mesh_of, rod, tube
from jourdain.describe.shapes.triangles import mass_properties, surface_problems

N = SEGMENTS
POLYGON = 0.5 * N * math.sin(2.0 * math.pi / N)
"""Area of the regular polygon in a unit circle: what stands for pi in volumes of revolution."""
SOLIDS = [
    jd.Sphere(0.7),
    jd.Box((1.0, 2.0, 3.0)),
    jd.Cylinder(0.5, 2.0),
    jd.Cone(0.5, 2.0),
    jd.Capsule(0.3, 1.0),
    jd.shapes.ConvexMesh([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]),
    jd.Mesh(*jd.Box((1.0, 1.0, 0.5)).to_mesh()),
    jd.Mesh(jd.Box((1.0, 1.0, 0.5)).to_mesh()[0], jd.Box((1.0, 1.0, 0.5)).to_mesh()[1][:, ::-1]),
    jd.Plane((1.0, 2.0, -1.0), 0.4),
    jd.shapes.Edge((0.0, 1.0, 1.0), (0.0, -1.0, 1.0)),
    jd.Cylinder(0.4, 0.6, inside=True),
    jd.Cone(0.4, 0.6, inside=True),
]


def area(vertices, faces):
    a, b, c = np.moveaxis(vertices[faces], 1, 0)
    return 0.5 * float(np.linalg.norm(np.cross(b - a, c - a), axis=1).sum())


def frusta():
    """Volume of a unit ball drawn as frusta over N-gons, N / 2 of them: sum of h (a^2 + a b + b^2) / 3."""
    angles = np.linspace(0.0, math.pi, N // 2 + 1)
    r, z = np.sin(angles), -np.cos(angles)
    return POLYGON * float(np.sum(np.diff(z) * (r[:-1] ** 2 + r[:-1] * r[1:] + r[1:] ** 2))) / 3.0


@pytest.mark.parametrize("shape", SOLIDS, ids=lambda shape: f"{shape.kind}{'-hole' * getattr(shape, 'inside', False)}")
def test_every_shape_is_closed_and_winds_outwards(shape):
    vertices, faces = mesh_of(shape, size=4.0)
    assert surface_problems(vertices, faces, "drawn") == []
    assert mass_properties(vertices, faces)[0] > 0.0
    assert len(faces) < 1000


def test_volumes_and_areas_have_the_chord_error_and_no_other():
    """Prisms, cones and frusta over an N-gon, in closed form."""
    cylinder, cone = mesh_of(jd.Cylinder(0.5, 2.0)), mesh_of(jd.Cone(0.5, 2.0))
    assert mass_properties(*cylinder)[0] == pytest.approx(POLYGON * 0.25 * 2.0, rel=1e-12)
    assert mass_properties(*cone)[0] == pytest.approx(POLYGON * 0.25 * 2.0 / 3.0, rel=1e-12)
    side = 2.0 * N * math.sin(math.pi / N) * 0.5
    assert area(*cylinder) == pytest.approx(2.0 * side + 2.0 * POLYGON * 0.25, rel=1e-12)
    assert area(*mesh_of(jd.Box((1.0, 2.0, 3.0)))) == pytest.approx(22.0, rel=1e-12)
    assert mass_properties(*mesh_of(jd.Sphere(0.7)))[0] == pytest.approx(0.7**3 * frusta(), rel=1e-12)
    capsule = 0.3**3 * frusta() + POLYGON * 0.3**2 * 1.0
    assert mass_properties(*mesh_of(jd.Capsule(0.3, 1.0)))[0] == pytest.approx(capsule, rel=1e-12)


def test_a_chord_error_falls_with_the_square_of_the_segments():
    lack = [
        1.0 - mass_properties(*mesh_of(jd.Sphere(1.0), segments=n))[0] / (4.0 / 3.0 * math.pi) for n in (16, 32, 64)
    ]
    assert lack[0] / lack[1] == pytest.approx(4.0, rel=0.02) and lack[1] / lack[2] == pytest.approx(4.0, rel=0.01)


def test_meshes_that_wind_inwards_are_turned_over():
    vertices, faces = jd.Box((1.0, 1.0, 0.5)).to_mesh()
    assert mass_properties(*mesh_of(jd.Mesh(vertices, faces[:, ::-1])))[0] == pytest.approx(0.5)


def test_a_plane_is_a_slab_whose_top_is_the_plane():
    normal = np.array([1.0, 2.0, -1.0]) / math.sqrt(6.0)
    centre = np.array([3.0, -2.0, 5.0])
    vertices, faces = mesh_of(jd.Plane((1.0, 2.0, -1.0), 0.4), size=4.0, centre=centre)
    heights = vertices @ normal
    assert heights.max() == pytest.approx(0.4) and heights.min() == pytest.approx(0.4 - SLAB * 4.0)
    assert mass_properties(vertices, faces)[0] == pytest.approx(4.0 * 4.0 * SLAB * 4.0)
    top = vertices[heights > 0.39].mean(axis=0)
    assert top == pytest.approx(centre + (0.4 - centre @ normal) * normal)


def test_an_edge_is_a_wedge_below_both_planes():
    edge = jd.shapes.Edge((0.0, 1.0, 1.0), (0.0, -1.0, 1.0))
    vertices, faces = mesh_of(edge, size=2.0)
    for normal in (edge.n1, edge.n2):
        assert np.max(vertices @ np.array(normal)) == pytest.approx(0.0, abs=1e-12)
    assert mass_properties(vertices, faces)[0] == pytest.approx(2.0 * 0.5)


def test_a_hole_is_left_open_in_its_sleeve():
    """The solid drawn is the sleeve less the hole; nothing of it is nearer to the axis than the hole's wall."""
    r, length = 0.4, 0.6
    vertices, faces = mesh_of(jd.Cylinder(r, length, inside=True))
    assert mass_properties(vertices, faces)[0] == pytest.approx(POLYGON * r * r * (SLEEVE**2 - 1.0) * length, rel=1e-12)
    assert np.linalg.norm(vertices[:, :2], axis=1).min() == pytest.approx(r)
    vertices, faces = mesh_of(jd.Cone(r, length, inside=True))
    block = POLYGON * (SLEEVE * r) ** 2 * (length + (SLEEVE - 1.0) * r)
    assert mass_properties(vertices, faces)[0] == pytest.approx(block - POLYGON * r * r * length / 3.0, rel=1e-12)


def test_tubes_rods_and_boxes():
    radii = np.array([[0.1, 0.2], [0.1, 0.2], [0.1, 0.2]])
    vertices, faces = tube(np.array([0.0, 0.5, 2.0]), radii, segments=16)
    polygon = 0.5 * 16 * math.sin(2.0 * math.pi / 16)
    assert mass_properties(vertices, faces)[0] == pytest.approx(polygon * 0.1 * 0.2 * 2.0, rel=1e-12)
    for end in ([0.0, 3.0, 0.0], [-3.0, 0.0, 0.0], [1.0, -2.0, 2.0]):
        vertices, faces = rod(np.zeros(3), np.array(end), 0.05)
        volume, centre, _ = mass_properties(vertices, faces)
        assert volume == pytest.approx(0.5 * 12 * math.sin(2.0 * math.pi / 12) * 0.05**2 * 3.0, rel=1e-12)
        assert centre == pytest.approx(0.5 * np.array(end))
    turn = jd.Pose(rotation=(0.5, 0.5, 0.5, 0.5)).rotation
    volume, centre, inertia = mass_properties(*box((1.0, 2.0, 3.0), np.array([1.0, 0.0, 0.0]), turn))
    assert volume == pytest.approx(6.0) and centre == pytest.approx([1.0, 0.0, 0.0])
    assert inertia == pytest.approx(turn @ jd.Box((1.0, 2.0, 3.0)).inertia @ turn.T)


def test_edges_are_split_and_smooth_surfaces_are_not():
    vertices, faces = jd.Box((1.0, 1.0, 1.0)).to_mesh()
    source, split = creased(vertices, faces)
    assert len(source) == 24 and np.array_equal(source[split], faces)
    normals = face_normals(vertices, faces)
    for corner in range(24):
        around = normals[np.any(split == corner, axis=1)]
        assert np.allclose(around, around[0])
    vertices, faces = mesh_of(jd.Sphere(1.0))
    assert len(creased(vertices, faces)[0]) == len(vertices)
    vertices, faces = mesh_of(jd.Cylinder(1.0, 1.0))
    assert len(creased(vertices, faces)[0]) == len(vertices) + 2 * N
