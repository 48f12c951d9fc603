"""The library of worksites: sound shapes that are apart where they should be."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import jourdain as jd
from jourdain.methods import worksites
from jourdain.model.overlaps import Overlap

KITS = {
    "round peg": worksites.peg_in_hole(),
    "square peg": worksites.peg_in_hole(square=True),
    "battery box": worksites.battery_box(),
    "grapple": worksites.grapple(),
    "docking": worksites.docking(),
}


def shapes_of(kit) -> list:
    return [shape for entry in kit for shape in (entry if isinstance(entry, tuple) else (entry,))]


@pytest.mark.parametrize("name", KITS)
def test_every_shape_is_sound_and_has_a_mass(name):
    for shape in shapes_of(KITS[name]):
        assert shape.check(name) == []
        body = jd.RigidBody.from_shape("part", shape, density=2700.0)
        assert body.mass > 0.0
        vertices, triangles = shape.to_mesh()
        assert np.isfinite(vertices).all() and triangles.max() < len(vertices)


def test_the_square_peg_fits_with_its_clearance():
    kit = worksites.peg_in_hole(clearance=1e-4, square=True)
    overlap = Overlap(kit.peg, kit.block)
    for shift, touches in ((0.0, False), (0.49e-4, False), (0.51e-4, True)):
        assert bool(overlap.parts(jd.Pose((shift, 0, 0.01)), jd.Pose())) == touches
    on_chamfer = overlap.parts(jd.Pose((0.001, 0, 0.0389)), jd.Pose())
    assert len(on_chamfer) == 1
    assert on_chamfer[0].normal == pytest.approx([-np.sqrt(0.5), 0, np.sqrt(0.5)], abs=0.02)


def test_the_battery_box_starts_free_and_ends_on_its_floor():
    kit = worksites.battery_box()
    overlap = Overlap(kit.box, kit.worksite)
    start = jd.Pose((-0.35, 0.0, -0.095), Rotation.from_euler("YX", (2.0, 2.0), degrees=True))
    assert overlap.parts(start, jd.Pose()) == []
    assert sum(part.volume for part in overlap.parts(jd.Pose(), jd.Pose())) < 1e-15
    seated = overlap.parts(jd.Pose((1e-5, 0.0, 0.0)), jd.Pose())
    assert len(seated) == 1
    assert seated[0].normal == pytest.approx([-1, 0, 0], abs=1e-3)
    assert seated[0].volume == pytest.approx(1e-5 * (0.5 - 0.04) * (0.3 - 0.04), rel=1e-3)
    guided = overlap.parts(jd.Pose((-0.15, 0.0, -0.06)), jd.Pose())
    assert len(guided) == 1 and guided[0].normal[2] > 0.5


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda: worksites.peg_in_hole(diameter=-1.0), "diameter is -1.0"),
        (lambda: worksites.peg_in_hole(chamfer=0.05), "chamfer 0.05 m does not fit"),
        (lambda: worksites.battery_box(bevel=0.2), "bevel 0.2 m"),
        (lambda: worksites.grapple(knob=0.05), "needs pin"),
        (lambda: worksites.docking(head=0.05), "needs probe"),
    ],
)
def test_sizes_that_do_not_fit_are_refused(make, told):
    with pytest.raises(jd.errors.ModelError, match=told):
        make()
