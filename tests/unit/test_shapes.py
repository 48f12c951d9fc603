"""Mass properties of shapes, their surfaces, and mesh files."""

import re
import struct
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jourdain.basics.errors import ModelError
from jourdain.basics.pose import Pose
from jourdain.describe.shapes import (
    Box,
    Capsule,
    Cone,
    ConvexMesh,
    Cylinder,
    Edge,
    Mesh,
    Plane,
    Sphere,
    placed_from_dict,
    shape_from_dict,
)

ROUND = [Sphere(0.7), Cylinder(0.5, 2.0), Cone(0.8, 1.5), Capsule(0.4, 1.2)]
HOLES = [Cylinder(0.5, 2.0, inside=True), Cone(0.8, 1.5, inside=True)]
ENDLESS = [Plane((0, 0, 1), 0.5), Edge((0, 0, 2), (1, 0, 0.5))]
CUBE = Box((1.0, 1.0, 1.0)).to_mesh()


def test_closed_forms():
    assert Sphere(2.0).volume == pytest.approx(4 / 3 * np.pi * 8)
    assert np.allclose(Sphere(2.0).inertia, 0.4 * 4 * Sphere(2.0).volume * np.eye(3))
    assert Box((1, 2, 3)).volume == 6.0
    assert np.allclose(np.diag(Box((1, 2, 3)).inertia), [6.5, 5.0, 2.5])
    assert Cylinder(2, 3).volume == pytest.approx(12 * np.pi)
    assert np.allclose(np.diag(Cylinder(2, 3).inertia), 12 * np.pi * np.array([1.75, 1.75, 2.0]))
    assert Cone(2, 4).centroid.tolist() == [0, 0, -1.0]
    assert np.allclose(np.diag(Cone(2, 4).inertia), 16 / 3 * np.pi * np.array([1.2, 1.2, 1.2]))


def test_capsule_goes_over_into_sphere_and_cylinder():
    assert Capsule(1.0, 1e-12).volume == pytest.approx(Sphere(1.0).volume)
    assert np.allclose(Capsule(1.0, 1e-12).inertia, Sphere(1.0).inertia)
    slim, rod = Capsule(1e-4, 1.0), Cylinder(1e-4, 1.0)
    assert slim.inertia[0, 0] == pytest.approx(rod.inertia[0, 0], rel=1e-3)


def test_mesh_of_a_box_is_exact():
    box = Box((1.0, 2.0, 3.0))
    mesh = Mesh(*box.to_mesh())
    assert mesh.check("box") == []
    assert mesh.volume == pytest.approx(box.volume, rel=1e-15)
    assert np.allclose(mesh.centroid, 0.0, atol=1e-15)
    assert np.allclose(mesh.inertia, box.inertia, rtol=1e-14, atol=1e-14)


@pytest.mark.parametrize("shape", ROUND, ids=lambda shape: shape.kind)
def test_meshes_of_round_shapes_converge_at_second_order(shape):
    errors = []
    for resolution in (64, 128):
        mesh = Mesh(*shape.to_mesh(resolution))
        assert mesh.check(shape.kind) == []
        assert np.allclose(mesh.centroid, shape.centroid, atol=2e-3)
        errors.append([shape.volume - mesh.volume, np.linalg.norm(shape.inertia - mesh.inertia)])
    assert np.all(np.array(errors) > 0.0)
    ratio = np.array(errors[0]) / np.array(errors[1])
    assert np.all((ratio > 3.8) & (ratio < 4.2))


@pytest.mark.parametrize("shape", [Box((1, 2, 3)), *ROUND], ids=lambda shape: shape.kind)
def test_surfaces_wind_outwards(shape):
    vertices, triangles = shape.to_mesh(16)
    a, b, c = np.moveaxis(vertices[triangles], 1, 0)
    outward = np.einsum("ij,ij->i", np.cross(b - a, c - a), (a + b + c) / 3 - shape.centroid)
    assert np.all(outward > 0.0)


@pytest.mark.parametrize("shape", [Box((1, 2, 3)), *ROUND], ids=lambda shape: shape.kind)
def test_mesh_properties_agree_with_trimesh(shape):
    trimesh = pytest.importorskip("trimesh")
    vertices, triangles = shape.to_mesh(24)
    vertices = Pose((1.0, -2.0, 0.5), (0.8, 0.0, 0.6, 0.0)).apply(vertices)
    ours, theirs = Mesh(vertices, triangles), trimesh.Trimesh(vertices, triangles, process=False)
    assert ours.volume == pytest.approx(theirs.volume, rel=1e-12)
    assert np.allclose(ours.centroid, theirs.center_mass, atol=1e-12)
    assert np.allclose(ours.inertia, theirs.moment_inertia, rtol=1e-9, atol=1e-11)


@settings(max_examples=30)
@given(
    st.tuples(*[st.floats(-5, 5)] * 3),
    st.tuples(*[st.floats(-1, 1)] * 4).filter(lambda q: np.linalg.norm(q) > 0.1),
    st.tuples(*[st.floats(0.2, 3)] * 3),
    st.booleans(),
)
def test_mesh_properties_move_with_the_mesh(position, q, stretch, inwards):
    vertices, triangles = Cone(0.8, 1.5).to_mesh(7)
    vertices = vertices * np.array(stretch)
    pose = Pose(position, np.array(q) / np.linalg.norm(q))
    one = Mesh(vertices, triangles)
    two = Mesh(pose.apply(vertices), triangles[:, ::-1] if inwards else triangles)
    size = np.linalg.norm(one.inertia)
    assert two.check("moved") == []
    assert two.volume == pytest.approx(one.volume, rel=1e-12)
    assert np.allclose(two.centroid, pose.apply(one.centroid), atol=1e-11)
    assert np.allclose(two.inertia, pose.rotation @ one.inertia @ pose.rotation.T, atol=1e-12 * size)
    low, middle, high = np.linalg.eigvalsh(two.inertia)
    assert low > 0.0
    assert high < low + middle
    assert Mesh(*two.to_mesh())._properties[0] > 0.0


def test_a_mesh_far_away_loses_no_digits():
    vertices, triangles = Box((0.1, 0.1, 0.1)).to_mesh()
    far = Mesh(vertices + 1024.0, triangles)
    assert far.volume == pytest.approx(1e-3, rel=1e-11)
    assert np.allclose(far.inertia, Box((0.1, 0.1, 0.1)).inertia, rtol=1e-9, atol=1e-15)


@pytest.mark.parametrize(
    ("shape", "message"),
    [
        (Sphere(-1.0), r"sphere radius \[m\] is -1"),
        (Sphere(0.0), "greater than 0"),
        (Sphere(np.nan), "sphere radius .* is nan"),
        (Box((1.0, -2.0, np.nan)), "along y"),
        (Box((1.0, -2.0, np.nan)), "along z"),
        (Cylinder(1.0, -1.0), "cylinder length"),
        (Cone(-1.0, 1.0), "cone radius"),
        (Capsule(1.0, np.inf), "capsule length"),
        (Plane((0, 0, 0)), "zero length"),
        (Plane((0, 0, 1), np.nan), "plane offset"),
        (Mesh(CUBE[0], CUBE[1][:-1]), r"not closed: edge \(\d+, \d+\)"),
        (Mesh(CUBE[0], np.vstack([CUBE[1], [[0, 1, 7]]])), "not manifold"),
        (Mesh(CUBE[0], np.vstack([CUBE[1][:1, ::-1], CUBE[1][1:]])), "winds inconsistently"),
        (Mesh(CUBE[0] * (1, 1, 0), CUBE[1]), "no volume"),
        (Mesh(np.where(CUBE[0] == CUBE[0][3], np.nan, CUBE[0]), CUBE[1]), "vertex 0 is not finite"),
        (Mesh(CUBE[0], CUBE[1] + 1), "numbered 0 to 7"),
        (Mesh(CUBE[0], np.vstack([CUBE[1], [[0, 0, 1]]])), "names a vertex twice"),
        (Mesh(CUBE[0][:3], CUBE[1][:1]), "at least 4"),
    ],
)
def test_bad_shapes_are_reported_with_their_address(shape, message):
    problems = shape.check("ball")
    assert {problem.address for problem in problems} == {"ball"}
    assert any(re.search(message, problem.message) for problem in problems)


@pytest.mark.parametrize(
    "make",
    [
        lambda: Sphere("big"),
        lambda: Box((1, 2)),
        lambda: Mesh([[0, 0]], [[0, 1, 2]]),
        lambda: Mesh(CUBE[0], CUBE[1] + 0.5),
        lambda: Plane((0, 1)),
        lambda: Plane((0, 0, 1)).inertia,
        lambda: Plane((0, 0, 1)).centroid,
        lambda: Sphere(1.0).to_mesh(2),
        lambda: Edge((0, 1), (1, 0, 0)),
        lambda: Edge((0, 0, 1), (1, 0, 0)).inertia,
        lambda: Edge((0, 0, 1), (1, 0, 0)).centroid,
        lambda: Cylinder(1.0, 1.0, inside=1),
        lambda: ConvexMesh([[0, 0]]),
        *(partial(getattr, hole, what) for hole in HOLES for what in ("volume", "centroid", "inertia")),
    ],
)
def test_wrong_types_are_refused_at_once(make):
    with pytest.raises(ModelError):
        make()


def test_plane_patch_faces_along_its_normal():
    vertices, triangles = Plane((0.0, 3.0, 4.0), 2.0).to_mesh(size=4.0)
    normal = np.array([0.0, 0.6, 0.8])
    assert np.allclose(vertices @ normal, 2.0)
    a, b, c = np.moveaxis(vertices[triangles], 1, 0)
    assert np.allclose(np.cross(b - a, c - a), 16.0 * normal)


@pytest.mark.parametrize(
    "shape", [Box((1, 2, 3)), *ROUND, *HOLES, *ENDLESS, Mesh(*CUBE), ConvexMesh(*CUBE), ConvexMesh(CUBE[0])]
)
def test_shapes_can_be_written_and_read(shape):
    assert shape_from_dict(shape.to_dict()) == shape
    placed = shape.at("upper.tip", position=(1, 2, 3), rotation=(0, 1, 0, 0))
    assert placed_from_dict(placed.to_dict()) == placed
    assert placed.address == "upper.tip"


def test_a_hole_is_read_from_what_older_files_say():
    assert shape_from_dict({"kind": "cylinder", "radius": 1.0, "length": 2.0}) == Cylinder(1.0, 2.0)
    with pytest.raises(ModelError, match='"radius" is missing'):
        shape_from_dict({"kind": "cylinder", "length": 2.0})


@pytest.mark.parametrize("hole", HOLES, ids=lambda shape: shape.kind)
def test_a_hole_shows_its_wall_from_within(hole):
    vertices, triangles = hole.to_mesh(16)
    solid = type(hole)(hole.radius, hole.length)
    assert hole.check("hole") == []
    a, b, c = np.moveaxis(vertices[triangles], 1, 0)
    normals, middle = np.cross(b - a, c - a), (a + b + c) / 3
    assert np.all(np.einsum("ij,ij->i", normals[:, :2], middle[:, :2]) < 0.0)
    assert len(triangles) == (32 if isinstance(hole, Cylinder) else 16)
    assert set(map(tuple, vertices)) <= set(map(tuple, solid.to_mesh(16)[0]))
    with pytest.raises(ModelError, match=f"{type(hole).__name__}: a hole .* has no volume; give the body a solid"):
        _ = hole.volume


@pytest.mark.parametrize("edge", [Edge((0, 0, 2), (1, 0, 0.5)), Edge((0, 0.2, 1), (0, 0.2, -1))])
def test_edge_shows_both_faces(edge):
    vertices, triangles = edge.to_mesh(size=4.0)
    assert edge.check("edge") == []
    assert edge.volume == np.inf
    a, b, c = np.moveaxis(vertices[triangles], 1, 0)
    normals = np.cross(b - a, c - a) / 8.0
    n1, n2 = (np.array(n) / np.linalg.norm(n) for n in (edge.n1, edge.n2))
    assert np.allclose(normals, [n1, n1, n2, n2])
    assert np.all(vertices @ n1 <= 1e-12)
    assert np.all(vertices @ n2 <= 1e-12)


def test_shapes_have_contact_data_and_codes():
    from jourdain.kernels import kind_registry

    shapes = [Box((1, 2, 3)), *ROUND, *HOLES, *ENDLESS]
    expected = {
        "box": [0.5, 1.0, 1.5],
        "sphere": [0.7],
        "capsule": [0.4, 0.6],
        "plane": [0, 0, 1, 0.5],
        "edge": [0, 0, 1, *(np.array([1, 0, 0.5]) / np.sqrt(1.25))],
    }
    for shape in shapes:
        integers, floats = shape.contact_data()
        inside = float(getattr(shape, "inside", False))
        known = {"cylinder": [0.5, 1.0, inside], "cone": [0.8, 1.5, inside], **expected}
        assert len(integers) == 0
        assert integers.dtype == np.int64
        assert floats.tolist() == pytest.approx(known[shape.kind])
        assert shape.code == getattr(kind_registry, shape.kind.upper())
    assert ConvexMesh(CUBE[0]).code == kind_registry.CONVEX
    assert Mesh(*CUBE).code == kind_registry.MESH


def test_hull_is_the_convex_mesh_of_its_points():
    rng = np.random.default_rng(3)
    directions = rng.normal(size=(60, 3))
    points = directions / np.linalg.norm(directions, axis=1)[:, None] * rng.uniform(0.2, 1.0, (60, 1))
    hull = ConvexMesh(points)
    assert hull.check("hull") == []
    vertices, triangles = hull.to_mesh()
    assert len(vertices) < len(points)
    given = ConvexMesh(vertices, triangles)
    assert given.check("hull") == []
    assert given.volume == pytest.approx(hull.volume, rel=1e-14)
    assert given != hull
    cube = ConvexMesh(np.vstack([CUBE[0], [[0.0, 0.0, 0.0]]]))
    assert cube.volume == pytest.approx(1.0)
    assert np.allclose(cube.inertia, Box((1, 1, 1)).inertia)
    # triangles that wind inwards describe the same solid
    assert ConvexMesh(CUBE[0], CUBE[1][:, ::-1]).check("cube") == []


def dented():
    """A cube with one corner pulled in beyond the plane of its neighbours."""
    vertices = CUBE[0].copy()
    vertices[7] = (0.0, 0.0, 0.0)
    return vertices, CUBE[1]


@pytest.mark.parametrize(
    ("shape", "message"),
    [
        (ConvexMesh(*dented()), r"not convex: vertex \d+ stands 0\.\d+ m out of .*jd\.Mesh, or several convex parts"),
        (ConvexMesh(CUBE[0][:4]), "enclose no volume"),
        (ConvexMesh(CUBE[0][:3]), "enclose no volume"),
        (ConvexMesh([[np.nan, 0, 0]] * 5), "vertex 0 is not finite"),
        (ConvexMesh(CUBE[0], CUBE[1][1:]), "not closed"),
        (Edge((0, 0, 0), (1, 0, 0)), "edge n1 is .* zero length"),
        (Edge((0, 0, 1), (0, 0, -2)), "opposite"),
        (Cylinder(-1.0, 1.0, inside=True), "cylinder radius"),
    ],
)
def test_bad_contact_shapes_are_reported(shape, message):
    (problem,) = shape.check("pad")
    assert problem.address == "pad"
    assert re.search(message, problem.message)


def test_unknown_kinds_and_keys_are_refused():
    with pytest.raises(ModelError, match="kind"):
        shape_from_dict({"kind": "torus"})
    with pytest.raises(ModelError, match='unknown key "radios"; did you mean "radius"'):
        shape_from_dict({"kind": "sphere", "radius": 1.0, "radios": 2.0})


def write_text_stl(path, vertices, triangles):
    lines = ["solid cube"]
    for triangle in triangles:
        lines += ["facet normal 0 0 0", "outer loop"]
        lines += ["vertex " + " ".join(f"{x!r}" for x in vertices[i].tolist()) for i in triangle]
        lines += ["endloop", "endfacet"]
    path.write_text("\n".join([*lines, "endsolid cube"]))


def write_binary_stl(path, vertices, triangles):
    content = b"solid but binary".ljust(80) + struct.pack("<I", len(triangles))
    for triangle in triangles:
        content += struct.pack("<12fH", 0, 0, 0, *vertices[triangle].ravel(), 0)
    path.write_bytes(content)


def write_obj(path, vertices, triangles):
    lines = ["# a cube", "o cube", *(f"v {x} {y} {z}" for x, y, z in vertices.tolist()), "vn 0 0 1"]
    lines += [f"f {a + 1}//1 {b + 1}//1 {c - len(vertices)}" for a, b, c in triangles.tolist()]
    path.write_text("\n".join(lines))


@pytest.mark.parametrize(
    ("name", "write"),
    [("a.stl", write_text_stl), ("b.STL", write_binary_stl), ("c.obj", write_obj)],
)
def test_mesh_files(tmp_path, name, write):
    box = Box((1.0, 2.0, 4.0))
    write(tmp_path / name, *box.to_mesh())
    mesh = Mesh.from_file(tmp_path / name)
    assert mesh.check(name) == []
    assert len(mesh.vertices) == 8
    assert mesh.volume == pytest.approx(8.0)
    assert np.allclose(mesh.inertia, box.inertia)
    assert Mesh.from_file(str(tmp_path / name), scale=0.5).volume == pytest.approx(1.0)
    with pytest.raises(ModelError, match="scale"):
        Mesh.from_file(tmp_path / name, scale=-1.0)


def test_obj_polygons_become_triangles(tmp_path):
    faces = "f 1 2 4 3\nf 5 7 8 6\nf 1 5 6 2\nf 3 4 8 7\nf 1 3 7 5\nf 2 6 8 4\n"
    points = "".join(f"v {x} {y} {z}\n" for x, y, z in CUBE[0])
    (tmp_path / "cube.obj").write_text(points + faces)
    mesh = Mesh.from_file(tmp_path / "cube.obj")
    assert mesh.check("cube") == []
    assert mesh.volume == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.ply", b"ply", "give .stl or .obj"),
        ("a.stl", b"nothing of the kind", "not an STL file"),
        ("a.stl", b"x" * 80 + struct.pack("<I", 2**31) + b"y" * 50, "header says 2147483648"),
        ("a.stl", b"solid\nvertex 0 0 0\nendsolid", "three for every facet"),
        ("a.stl", b"solid\nvertex 0 zero 0\nendsolid", 'line 2: vertex "0 zero 0"'),
        ("a.stl", b"solid empty\nendsolid", "no triangles"),
        ("a.obj", b"v 0 0 0\nf 1 2 3", 'line 2: face corner "2"'),
        ("a.obj", b"v 0 0 0\nf 0 1 1", 'face corner "0"'),
        ("a.obj", b"v 0 0\n", "three numbers"),
        ("a.obj", b"v 0 0 0\nv 1 0 0\nf 1 2", "a face of 2 corners"),
    ],
)
def test_bad_mesh_files_are_refused(tmp_path, name, content, message):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(ModelError, match=message) as caught:
        Mesh.from_file(tmp_path / name)
    assert caught.value.problems[0].address == name


def test_missing_and_large_mesh_files_are_refused(tmp_path, monkeypatch):
    with pytest.raises(ModelError, match=r"gone\.stl: cannot read"):
        Mesh.from_file(tmp_path / "gone.stl")
    (tmp_path / "big.obj").write_bytes(b"v 0 0 0\n" * 100)
    monkeypatch.setattr("jourdain.describe.shapes.mesh_files.MAX_BYTES", 100)
    with pytest.raises(ModelError, match="larger than 100 bytes"):
        Mesh.from_file(tmp_path / "big.obj")
