"""Meshes of round bodies: how much of the mass is there, said where it is more than 1 % off."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import jourdain as jd
from jourdain.describe.solids.fe_mesh import MeshWarning

ALU = jd.Material(70e9, 0.3, density=2700.0)
PI = np.pi


@pytest.mark.parametrize(
    ("make", "options", "exact", "percent"),
    [
        (jd.mesh.ball, (1.0, 8, 5, 0.7), 4 * PI / 3, 82.4),
        (jd.mesh.ball, (2.0,), 32 * PI / 3, 93.5),
        (jd.mesh.half_disc, (1.0, 8, 5, 0.9), PI / 2, 57.1),
        (jd.mesh.half_ball, (1.0, 8, 5, 0.7), 2 * PI / 3, 98.2),
        (jd.mesh.disc, (0.5, 4), PI / 4, 97.4),
    ],
)
def test_what_is_missing_is_said_and_can_be_made_up(make, options, exact, percent):
    with pytest.warns(MeshWarning, match=rf"have {percent:g} % of the volume of the .*keep='volume'") as told:
        mesh = make(*options)
    assert told[0].filename == __file__ and mesh.volume / exact == pytest.approx(percent / 100.0, abs=1e-3)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        whole = make(*options, keep="volume")
    assert whole.volume == pytest.approx(exact, rel=1e-12) and np.array_equal(whole.cells, mesh.cells)


def test_fine_meshes_and_straight_ones_are_not_doubted():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        jd.mesh.ball(1.0, 12, 2), jd.mesh.disc(1.0, 8), jd.mesh.half_disc(0.1, 24, 14, grade=0.7)
        jd.mesh.block((1, 1, 1), (2, 2, 2)), jd.mesh.polygon([(0, 0), (1, 0), (0.5, 1)], 0.3)
    with pytest.raises(jd.errors.ModelError, match="keep: got 'mass'; give 'radius' or 'volume'"):
        jd.mesh.ball(1.0, keep="mass")


def annulus(around, inner=0.5, outer=1.0, angle=2 * PI):
    """A flat ring, or a part of it, of quadrangles."""
    phi = np.linspace(0.0, angle, around + 1)
    r = np.linspace(inner, outer, 4)
    x = np.stack([np.outer(np.cos(phi), r), np.outer(np.sin(phi), r), np.zeros((around + 1, 4))], axis=-1)
    mesh = jd.mesh.grid(x)
    return mesh.joined() if angle > 6.0 else mesh


@pytest.mark.parametrize(("around", "angle"), [(24, 2 * PI), (12, 2 * PI), (4, PI / 2)])
def test_an_annulus_says_what_its_polygons_leave_out(around, angle):
    """n sin(2 pi / n) / (2 pi): 0.9886 of 24 cells around, 0.955 of 12."""
    mesh = annulus(around, angle=angle)
    step = angle / around
    assert 1.0 / (1.0 + mesh.missing) == pytest.approx(np.sin(step) / step, abs=2e-3)
    system = jd.System("ring")
    shell = jd.Shell("ring", mesh, 1e-3, ALU)
    system.add(shell, joint=jd.Free("free"))
    with pytest.warns(MeshWarning, match=f"it has some {int(100 * np.sin(step) / step)}.* % of the area"):
        system.check()
    assert shell.mass == pytest.approx(2.7 * 0.5 * angle * 0.75 * np.sin(step) / step, rel=1e-3)


def test_other_surfaces_are_not_doubted():
    """Rims that curve with the surface alone, corners, kinks, and a ring that is fine enough."""
    phi = np.linspace(0.0, 1.0, 5)
    barrel = np.stack([np.outer(np.sin(phi), np.ones(4)), np.outer(np.ones(5), np.linspace(0, 1, 4)),
                       np.outer(np.cos(phi), np.ones(4))], axis=-1)  # fmt: skip
    kinked = np.array([[(x, y * (1.0 + 0.3 * abs(x - 1.0)), 0.0) for y in (0, 0.5, 1)] for x in np.linspace(0, 2, 9)])
    meshes = [jd.mesh.sheet((1.0, 0.5), (2, 1)), jd.mesh.tube(0.2, 1.0, (8, 4)), jd.mesh.grid(barrel),
              jd.mesh.grid(kinked), annulus(32)]  # fmt: skip
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for mesh in meshes:
            assert abs(mesh.missing) < 0.01
            jd.Shell("s", mesh, 1e-3, ALU).check()
