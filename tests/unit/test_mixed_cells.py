"""Bodies with round cells, and blocks with round holes."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import jourdain as jd
from jourdain.describe.shapes.polyhedra import box
from jourdain.methods import worksites
from jourdain.model.overlaps import Overlap

HERE = jd.Pose()
# slices of round solids are integrated to 1e-8 of the solid (kernels/contact/overlap_volumes/revolution_polyhedron.py
# and corners.py)
PANELS = 1e-8


def total(parts) -> float:
    return sum(part.volume for part in parts)


def table(count: int) -> jd.Cells:
    """A table of count x count cells, 1 m x 1 m, its top at z = 0."""
    side = 1.0 / count
    places = [((i + 0.5) * side - 0.5, (j + 0.5) * side - 0.5, -0.1) for i in range(count) for j in range(count)]
    return jd.Cells([jd.Box((side, side, 0.2)).moved(place) for place in places])


@pytest.mark.parametrize(
    ("shape", "height"),
    [
        (jd.Sphere(0.1), 0.095),
        (jd.Cylinder(0.1, 0.3), 0.148),
        (jd.Cone(0.1, 0.3), 0.148),
        (jd.Capsule(0.05, 0.2), 0.148),
    ],
)
@pytest.mark.parametrize("place", [(0.0, 0.0), (0.02, 0.0), (0.11, 0.13)])
def test_a_round_body_on_a_table_cut_into_cells_is_on_a_table(shape, height, place):
    pose = jd.Pose((*place, height), Rotation.from_euler("xy", (0.05, 0.03)))
    whole = Overlap(shape, jd.Box((1.0, 1.0, 0.2))).parts(pose, jd.Pose((0, 0, -0.1)))
    parts = Overlap(shape, table(4)).parts(pose, HERE)
    assert len(parts) == len(whole) == 1
    assert parts[0].volume == pytest.approx(whole[0].volume, abs=PANELS * shape.volume)
    size = np.cbrt(shape.volume)
    assert whole[0].volume * (parts[0].centroid - whole[0].centroid) == pytest.approx(
        np.zeros(3), abs=PANELS * shape.volume * size
    )
    assert parts[0].normal == pytest.approx(whole[0].normal, abs=1e-4)


def test_two_balls_of_one_body_touch_a_plane_each_for_itself():
    """The tippe-top is two spherical cells; lying on its side it rests on both."""
    top = jd.Cells([jd.Sphere(0.015), jd.Sphere(0.005).moved((0, 0, 0.04))])
    lean = np.arcsin((0.015 - 0.005) / 0.04)
    pose = jd.Pose((0, 0, 0.015 - 1e-4), Rotation.from_euler("y", np.pi / 2 + lean))
    parts = Overlap(top, jd.Plane((0, 0, 1))).parts(pose, HERE)
    assert len(parts) == 2
    for part, radius in zip(parts, (0.015, 0.005), strict=True):
        assert part.volume == pytest.approx(np.pi * 1e-8 * (radius - 1e-4 / 3), rel=1e-9)
        assert part.normal == pytest.approx([0, 0, 1], abs=1e-12)


@pytest.mark.parametrize("tilt", [0.0, 0.03, 0.2])
@pytest.mark.parametrize("place", [(0.0, 0.0, 0.03), (0.004, 0.001, 0.03), (0.03, 0.02, 0.06), (0.035, 0.0, 0.02)])
def test_a_box_in_a_drilled_block_is_the_overlap_less_what_is_in_the_hole(tilt, place):
    """In the hole, on the rim, on the face beside it and over the edge of the block."""
    block = jd.shapes.Cell(jd.Box((0.08, 0.08, 0.04)).moved((0, 0, 0.02)), jd.Cylinder(0.01, 0.2, inside=True))
    peg = jd.Box((0.0148, 0.0148, 0.05))
    pose = jd.Pose(place, Rotation.from_euler("y", tilt))
    solid = box(peg.lengths).moved(pose.rotation, pose.position)
    common = solid.common(box((0.08, 0.08, 0.04)).moved(np.eye(3), np.array([0, 0, 0.02])).planes)
    parts = Overlap(peg, block).parts(pose, HERE)
    if common is None:
        assert parts == []
        return
    plug = Overlap(jd.Cylinder(0.01, 0.2), jd.shapes.ConvexMesh(common.vertices)).parts(HERE, HERE)
    assert total(parts) == pytest.approx(common.volume - total(plug), abs=1e-7 * peg.volume)


def test_a_square_peg_in_a_round_hole_touches_at_its_four_corners():
    block = jd.shapes.Cell(jd.Box((0.08, 0.08, 0.04)), jd.Cylinder(0.01, 0.2, inside=True))
    parts = Overlap(jd.Box((0.0148, 0.0148, 0.1)), block).parts(HERE, HERE)
    assert len(parts) == len({part.key for part in parts}) == 4
    for part in parts:
        inwards = -part.centroid * (1, 1, 0)
        assert part.normal @ inwards / np.linalg.norm(inwards) == pytest.approx(1.0, abs=1e-6)


def test_a_tilted_round_peg_touches_its_hole_at_two_opposite_places():
    kit = worksites.peg_in_hole()
    overlap = Overlap(kit.peg, kit.block)
    assert overlap.parts(HERE, HERE) == []
    tilt = 0.003
    turn = Rotation.from_euler("y", tilt)
    middle = np.array([0.0, 0.0, 0.02])
    parts = overlap.parts(jd.Pose(middle - turn.apply((0, 0, 0.02)), turn), HERE)
    assert len(parts) == 2
    low, high = sorted(parts, key=lambda part: part.centroid[2])
    assert low.normal[0] > 0.99 and high.normal[0] < -0.99
    assert low.centroid[0] < 0.0 < high.centroid[0]


def test_a_ball_in_a_drilled_block_knows_the_hole_and_the_sides():
    block = jd.shapes.Cell(jd.Box((1.0, 1.0, 0.4)), jd.Cylinder(0.3, 0.5, inside=True))
    overlap = Overlap(jd.Sphere(0.1), block)
    slab = Overlap(jd.Sphere(0.1), jd.Box((1.0, 1.0, 0.4)))
    assert overlap.parts(HERE, HERE) == []
    wall = overlap.parts(jd.Pose((0.201, 0, 0)), HERE)
    assert len(wall) == 1 and wall[0].normal == pytest.approx([-1, 0, 0], abs=1e-9)
    for place in ((0.595, 0.0, 0.0), (0.4, 0.3, 0.295)):
        beside, whole = overlap.parts(jd.Pose(place), HERE), slab.parts(jd.Pose(place), HERE)
        assert total(beside) == pytest.approx(total(whole), abs=PANELS * jd.Sphere(0.1).volume)
    assert overlap.parts(jd.Pose((0.0, 0.0, 0.29)), HERE) == []


def test_a_pocket_has_a_floor_and_the_block_goes_on_under_it():
    block = jd.shapes.Cell(jd.Box((1.0, 1.0, 0.4)), jd.Cylinder(0.3, 0.2, inside=True).moved((0, 0, 0.2)))
    overlap = Overlap(jd.Sphere(0.1), block)
    parts = overlap.parts(jd.Pose((0.0, 0.0, 0.199)), HERE)
    assert len(parts) == 1
    assert parts[0].volume == pytest.approx(np.pi * 1e-6 * (0.1 - 1e-3 / 3), rel=1e-8)
    assert parts[0].normal == pytest.approx([0, 0, 1], abs=1e-9)


def test_floor_and_wall_of_a_pocket_are_two_places_until_the_corner_is_reached():
    """The cells around and under a pocket share a face, of which the pocket itself is no part."""
    block = jd.shapes.Cell(jd.Box((1.0, 1.0, 0.8)), jd.Cylinder(0.3, 0.4, inside=True).moved((0, 0, 0.3)))
    ball = Overlap(jd.Sphere(0.1), block).parts(jd.Pose((0.2001, 0.0, 0.1999)), HERE)
    assert len(ball) == 2
    floor, wall = sorted(ball, key=lambda part: part.centroid[2])
    assert floor.normal == pytest.approx([0, 0, 1], abs=1e-6)
    assert wall.normal == pytest.approx([-1, 0, 0], abs=1e-6)
    crate = Overlap(jd.Box((0.1, 0.1, 0.2)), block)
    x = np.sqrt(0.3**2 - 0.05**2) - 0.05 + 1e-4
    assert len(crate.parts(jd.Pose((0.0, 0.0, 0.1999)), HERE)) == 1
    assert len(crate.parts(jd.Pose((x, 0.0, 0.21)), HERE)) == 2
    assert len(crate.parts(jd.Pose((x, 0.0, 0.1999)), HERE)) == 1


def test_what_is_not_known_is_refused_with_the_cells_named():
    drilled = jd.shapes.Cell(jd.Box((1, 1, 1)), jd.Cylinder(0.1, 2.0, inside=True))
    with pytest.raises(
        jd.errors.ModelError, match="cell 0 of the first and cell 0 of the second: two blocks with round holes"
    ):
        Overlap(drilled, drilled)
    with pytest.raises(jd.errors.ModelError, match="a cone in a round hole is not known"):
        Overlap(drilled, jd.Cone(0.1, 0.2))
    with pytest.raises(jd.errors.ModelError, match="a cone with a capsule is not known"):
        Overlap(jd.Cone(0.1, 0.2), jd.Capsule(0.1, 0.2))
