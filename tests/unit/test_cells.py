"""Cells: blocks with holes, bodies of many cells, what they have in common, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

import jourdain as jd
from jourdain.describe.shapes import shape_from_dict
from jourdain.describe.shapes.polyhedra import Polyhedron, box, hull
from jourdain.describe.shapes.triangles import mass_properties
from jourdain.model.overlaps import Overlap

HERE = jd.Pose()
UNIT = jd.Box((1.0, 1.0, 1.0))


def turned(seed: int, amount: float = 1.0) -> np.ndarray:
    return Rotation.from_rotvec(amount * np.random.default_rng(seed).normal(size=3)).as_matrix()


def cut_up(solid: Polyhedron, seed: int, times: int) -> list[Polyhedron]:
    """The solid cut by random planes through its inside."""
    rng = np.random.default_rng(seed)
    pieces = [solid]
    for _ in range(times):
        normal = rng.normal(size=3)
        normal /= np.linalg.norm(normal)
        offset = float(normal @ solid.properties[1] + 0.2 * rng.normal())
        halves = [piece.cut(sign * normal, sign * offset) for piece in pieces for sign in (1.0, -1.0)]
        pieces = [half for half in halves if half is not None]
    return pieces


def cells_of(pieces: list[Polyhedron]) -> jd.Cells:
    return jd.Cells([jd.shapes.ConvexMesh(piece.vertices) for piece in pieces])


def total(parts) -> float:
    return sum(part.volume for part in parts)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 3), st.integers(0, 2))
def test_a_body_cut_into_cells_behaves_as_the_whole(seed, times, other_times):
    rng = np.random.default_rng(seed)
    solid = hull(rng.normal(size=(10, 3)))
    assert solid is not None
    one = cells_of(cut_up(box((1.0, 1.2, 0.8)), seed, times))
    two = cells_of(cut_up(solid, seed + 1, other_times))
    first, second = jd.Pose(rng.normal(size=3) * 0.6, turned(seed)), jd.Pose((0, 0, 0), turned(seed + 1))
    whole = Overlap(jd.Box((1.0, 1.2, 0.8)), jd.shapes.ConvexMesh(solid.vertices)).parts(first, second)
    parts = Overlap(one, two).parts(first, second)
    if not whole or whole[0].volume < 1e-12:
        assert total(parts) < 2e-12
        return
    assert len(parts) == 1
    assert parts[0].volume == pytest.approx(whole[0].volume, abs=1e-13)
    assert parts[0].centroid == pytest.approx(whole[0].centroid, abs=1e-12 / whole[0].volume)
    assert parts[0].inertia == pytest.approx(whole[0].inertia, abs=1e-12)
    assert parts[0].area * parts[0].normal == pytest.approx(whole[0].area * whole[0].normal, abs=1e-12)


def table(count: int) -> jd.Cells:
    """A table of count x count cells, 1 m x 1 m, its top at z = 0."""
    side = 1.0 / count
    places = [((i + 0.5) * side - 0.5, (j + 0.5) * side - 0.5, -0.05) for i in range(count) for j in range(count)]
    return jd.Cells([jd.Box((side, side, 0.1)).moved(place) for place in places])


@pytest.mark.parametrize("shift", [0.0, 1e-12, -1e-12, 0.03])
def test_cells_whose_cuts_lie_on_each_other_are_one_part(shift):
    """A box cut in four on a table cut in four, cut on cut: no two cells but those above each other overlap."""
    quarters = jd.Cells([jd.Box((0.2, 0.2, 0.4)).moved((x, y, 0.2)) for x in (-0.1, 0.1) for y in (-0.1, 0.1)])
    parts = Overlap(quarters, table(2)).parts(jd.Pose((shift, 0.0, -1e-4)), HERE)
    assert len(parts) == 1
    assert parts[0].volume == pytest.approx(0.16e-4, rel=1e-9)
    # cuts on each other, as high as the overlap is deep, may count for one body or for the other
    assert parts[0].normal == pytest.approx([0, 0, 1], abs=2e-4 * 0.4 / 0.16)


def test_legs_of_a_stool_on_a_table_are_parts_of_their_own():
    legs = [jd.Box((0.02, 0.02, 0.3)).moved((x, y, 0.15)) for x in (-0.2, 0.2) for y in (-0.2, 0.2)]
    stool = jd.Cells([*legs, jd.Box((0.5, 0.5, 0.02)).moved((0, 0, 0.31))])
    parts = Overlap(stool, table(5)).parts(jd.Pose((0.0, 0.0, -1e-5)), HERE)
    assert len(parts) == 4
    assert total(parts) == pytest.approx(4 * 4e-4 * 1e-5, rel=1e-9)
    assert len({part.key for part in parts}) == 4


def test_trees_find_the_pairs_that_overlap_among_many():
    one, two = table(12), table(9)
    first, second = jd.Pose((0.1, 0.2, 0.08), turned(3, 0.2)), jd.Pose((0, 0, 0), turned(4))
    first = second @ first
    whole = Overlap(jd.Box((1, 1, 0.1)), jd.Box((1, 1, 0.1))).parts(
        first @ jd.Pose((0, 0, -0.05)), second @ jd.Pose((0, 0, -0.05))
    )
    parts = Overlap(one, two).parts(first, second)
    assert len(parts) == 1
    assert parts[0].volume == pytest.approx(whole[0].volume, rel=1e-12)


def test_a_part_is_known_again_while_it_moves_over_cells():
    from jourdain.kernels.compiler import entry_point
    from jourdain.kernels.contact.overlap_volumes.connected_components import part_with
    from jourdain.kernels.contact.overlap_volumes.overlap_layout import cell_pairs

    @entry_point
    def with_key(scratch, key):
        return part_with(cell_pairs(scratch.pairs), key)

    overlap = Overlap(jd.Box((0.06, 0.06, 0.1)), table(10))
    key, keys = None, set()
    for x in np.linspace(-0.4, 0.4, 161):
        parts = overlap.parts(jd.Pose((x, 0.02, 0.049)), HERE)
        assert len(parts) == 1
        if key is not None:
            assert with_key(overlap.scratch, key) == 0
        key = parts[0].key
        keys.add(key)
    assert len(keys) > 5
    overlap.parts(jd.Pose((-0.4, 0.02, 0.049)), HERE)
    assert with_key(overlap.scratch, key) == -1


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6))
def test_a_block_with_a_hole_is_the_block_less_the_hole(seed):
    """V(A and B without H) = V(A and B) - V(A and B and H)."""
    rng = np.random.default_rng(seed)
    place, R = 0.2 * rng.normal(size=3), turned(seed, 0.3)
    block = jd.shapes.Cell(UNIT, jd.Box((0.5, 0.4, 3.0), inside=True).moved(place, R))
    solid = hull(rng.normal(size=(8, 3)) * 0.5)
    assert solid is not None
    probe = jd.shapes.ConvexMesh(solid.vertices)
    first = jd.Pose(0.3 * rng.normal(size=3), turned(seed + 1))
    whole = total(Overlap(probe, UNIT).parts(first, HERE))
    plug = jd.shapes.Cell(UNIT, jd.Box((0.5, 0.4, 3.0)).moved(place, R))
    missing = total(Overlap(probe, plug).parts(first, HERE))
    assert total(Overlap(probe, block).parts(first, HERE)) == pytest.approx(whole - missing, abs=1e-12)
    assert block.volume == pytest.approx(1.0 - plug.volume, rel=1e-12)


def test_a_tilted_peg_touches_its_square_hole_at_two_opposite_places():
    block = jd.shapes.Cell(UNIT, jd.Box((0.5, 0.5, 2.0), inside=True))
    peg = jd.Box((0.499, 0.499, 1.4))
    overlap = Overlap(peg, block)
    assert overlap.parts(HERE, HERE) == []
    tilt = Rotation.from_euler("y", 0.01)
    parts = overlap.parts(jd.Pose((0, 0, 0), tilt), HERE)
    assert len(parts) == 2
    low, high = sorted(parts, key=lambda part: part.centroid[2])
    assert low.volume == pytest.approx(high.volume, rel=1e-10)
    assert low.centroid == pytest.approx(-high.centroid, abs=1e-12)
    assert low.normal[0] > 0.99 and high.normal[0] < -0.99
    twisted = overlap.parts(jd.Pose((0, 0, 0), Rotation.from_euler("z", 0.02)), HERE)
    assert len(twisted) == 4


def test_a_sunk_plug_touches_all_around_as_one():
    """A plug larger than the hole on all sides overlaps the block in one ring."""
    block = jd.shapes.Cell(UNIT, jd.Box((0.5, 0.5, 2.0), inside=True))
    parts = Overlap(jd.Box((0.52, 0.52, 0.2)), block).parts(HERE, HERE)
    assert len(parts) == 1
    assert parts[0].volume == pytest.approx((0.52**2 - 0.5**2) * 0.2, rel=1e-12)
    assert parts[0].centroid == pytest.approx([0, 0, 0], abs=1e-14)


def test_mass_properties_of_cells():
    drilled = jd.shapes.Cell(jd.Box((1.0, 1.0, 0.2)), jd.Cylinder(0.1, 0.4, inside=True))
    assert drilled.volume == pytest.approx(0.2 - np.pi * 0.01 * 0.2, rel=1e-12)
    plug = jd.Cylinder(0.1, 0.2)
    expected = jd.Box((1.0, 1.0, 0.2)).inertia - plug.inertia
    assert drilled.inertia == pytest.approx(expected, rel=1e-5)  # the prism of 96 sides has a little more
    pair = jd.Cells([UNIT, jd.Sphere(0.1).moved((0, 0, 0.6))])
    assert pair.volume == pytest.approx(1.0 + jd.Sphere(0.1).volume, rel=1e-14)
    wedge = jd.shapes.Cell(UNIT, jd.Plane((1, 1, 0)), jd.Plane((0, 0, 1), 0.25))
    assert wedge.volume == pytest.approx(0.375, rel=1e-12)
    vertices, triangles = wedge.to_mesh()
    assert mass_properties(vertices, triangles)[0] == pytest.approx(0.375, rel=1e-12)


@pytest.mark.parametrize(
    "shape",
    [
        jd.shapes.Cell(UNIT, jd.Box((0.5, 0.5, 2.0), inside=True).moved((0.1, 0, 0), (1, 0, 0, 0))),
        jd.Cells([UNIT, jd.shapes.Cell(UNIT, jd.Plane((0, 0, 1))).moved((2.0, 0, 0))]),
    ],
)
def test_cells_survive_their_description(shape):
    again = shape_from_dict(shape.to_dict())
    assert again == shape and hash(again) == hash(shape)
    assert again.volume == shape.volume


def test_a_rigid_body_takes_its_mass_from_cells():
    body = jd.RigidBody.from_shape("block", jd.shapes.Cell(UNIT, jd.Box((0.5, 0.5, 2.0), inside=True)), density=1000.0)
    assert body.mass == pytest.approx(750.0, rel=1e-12)


@pytest.mark.parametrize(
    ("shape", "told"),
    [
        (jd.shapes.Cell(jd.Plane((0, 0, 1)), jd.Plane((0, 0, -1), 1.0)), "unbounded: it has no end towards -x"),
        (jd.shapes.Cell(jd.Box((1, 1, 1), inside=True)), "unbounded: it has only holes"),
        (jd.shapes.Cell(UNIT, jd.Plane((0, 0, 1), -2.0)), "empty: its shapes have nothing in common"),
        (jd.shapes.Cell(UNIT, jd.Box((2, 2, 2), inside=True)), "empty: its holes leave nothing"),
        (jd.Cells([UNIT, UNIT.moved((0.9, 0, 0))]), "cells 0 and 1 have 0.1 m^3 in common"),
        (jd.Cells([UNIT, jd.Plane((0, 0, 1))]), "a plane has no end"),
        (jd.Cells([UNIT, jd.Box((1, 1, 0.0))]), "box length along z"),
        (jd.shapes.Cell(jd.Sphere(1.0), jd.Plane((0, 0, 1))), "a curved solid stands alone"),
        (
            jd.shapes.Cell(
                UNIT, jd.Cylinder(0.1, 2, inside=True), jd.Cylinder(0.1, 2, inside=True).moved((0.15, 0, 0))
            ),
            "two round holes that are not coaxial meet",
        ),
        (jd.shapes.Cell(UNIT, jd.shapes.Cell(UNIT)), "is made of cells itself"),
    ],
)
def test_what_is_wrong_with_cells_is_told(shape, told):
    problems = shape.check("hull")
    assert len(problems) == 1 and problems[0].address.startswith("hull")
    assert told in problems[0].message


def mesh_of(solids: list[Polyhedron]) -> jd.Mesh:
    vertices = np.concatenate([solid.vertices for solid in solids])
    before = np.cumsum([0] + [len(solid.vertices) for solid in solids])
    return jd.Mesh(vertices, np.concatenate([s.triangles + b for s, b in zip(solids, before, strict=False)]))


L_SHAPE = jd.Mesh(
    [(x, y, z) for z in (0.0, 1.0) for x, y in ((0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2))],
    [(0, 2, 1), (0, 3, 2), (0, 5, 4), (0, 4, 3), (6, 7, 8), (6, 8, 9), (6, 10, 11), (6, 9, 10)]
    + [t for i in range(6) for t in ((i, (i + 1) % 6, 6 + (i + 1) % 6), (i, 6 + (i + 1) % 6, 6 + i))],
)


def test_a_mesh_that_is_not_convex_is_cut_exactly_and_one_sees_how():
    cells = jd.Cells.from_mesh(L_SHAPE)
    assert sorted(cells.volumes) == pytest.approx([1.0, 2.0], rel=1e-13)
    assert abs(cells.deviation) < 1e-13
    assert cells.volume == pytest.approx(L_SHAPE.volume, rel=1e-13)
    assert cells.centroid == pytest.approx(L_SHAPE.centroid, rel=1e-13)
    assert cells.check("cells") == []
    pressed = Overlap(jd.Box((0.2, 3.0, 0.2)), cells).parts(jd.Pose((0.5, 1.0, 1.05)), HERE)
    assert len(pressed) == 1
    assert pressed[0].volume == pytest.approx(0.2 * 2.0 * 0.05, rel=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_random_solids_with_pockets_are_cut_exactly(seed):
    manifold3d = pytest.importorskip("manifold3d")
    rng = np.random.default_rng(seed)
    solid = manifold3d.Manifold.cube((1.0, 1.0, 1.0), True)
    for _ in range(3):
        pocket = manifold3d.Manifold.cube(tuple(rng.uniform(0.2, 0.6, 3)), True)
        solid -= pocket.rotate(tuple(rng.uniform(0, 90, 3))).translate(tuple(rng.uniform(-0.5, 0.5, 3)))
    mesh = solid.to_mesh64()
    surface = jd.Mesh(np.array(mesh.vert_properties), np.array(mesh.tri_verts).astype(np.int64))
    cells = jd.Cells.from_mesh(surface)
    assert abs(cells.deviation) < 1e-9
    assert cells.volume == pytest.approx(surface.volume, rel=1e-9)
    assert cells.inertia == pytest.approx(surface.inertia, abs=1e-9)


def test_approximate_cells_say_how_far_they_are_off():
    pytest.importorskip("coacd", reason="the extra decompose is not installed")
    cells = jd.Cells.from_mesh(L_SHAPE, method="approximate", threshold=0.05)
    assert cells.check("cells") == []
    assert cells.deviation == pytest.approx(cells.volume / L_SHAPE.volume - 1.0, abs=1e-12)
    assert abs(cells.deviation) < 0.05


def test_bad_meshes_are_refused_with_the_face_named():
    good = mesh_of([box((1, 1, 1))])
    cases = [
        (jd.Mesh(good.vertices, good.triangles[1:]), "is not closed: edge"),
        (jd.Mesh(good.vertices, good.triangles[:, ::-1]), "inside out: triangle 0"),
        (mesh_of([box((1, 1, 1)), box((1, 1, 1)).moved(np.eye(3), np.array([0.4, 0.3, 0.2]))]), "cuts through itself"),
        (jd.Mesh(good.vertices * (1, 1, 0), good.triangles), "encloses no volume"),
    ]
    for mesh, told in cases:
        with pytest.raises(jd.errors.ModelError, match=told):
            jd.Cells.from_mesh(mesh)
    with pytest.raises(jd.errors.ModelError, match="mesh is not convex.*Cells.from_mesh"):
        Overlap(L_SHAPE, UNIT)
    with pytest.raises(jd.errors.ModelError, match="inside out"):
        Overlap(jd.Mesh(good.vertices, good.triangles[:, ::-1]), UNIT)
    with pytest.raises(jd.errors.ModelError, match="has no end by itself"):
        Overlap(jd.Box((1, 1, 1), inside=True), UNIT)
    with pytest.raises(jd.errors.ModelError, match="method is 'hull'"):
        jd.Cells.from_mesh(L_SHAPE, method="hull")
    with pytest.raises(jd.errors.ModelError, match="2 cells are more than most=1"):
        jd.Cells.from_mesh(L_SHAPE, most=1)
