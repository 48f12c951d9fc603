"""The normal of an overlap part: the principal axis nearest to the guess, and the guess where there is none."""

import numpy as np
import pytest

from jourdain.kernels.algebra import Sym3, Vec3
from jourdain.kernels.compiler import entry_point
from jourdain.kernels.contact.volumetric.patch_normal import part_normal, principal_axis


@entry_point
def normal(J, guess, last, V, area):
    return tuple(part_normal(Sym3(J), Vec3(guess), Vec3(last), V, area))


@entry_point
def axis(J, guess):
    return tuple(principal_axis(Sym3(J), Vec3(guess)))


def six(J):
    return tuple(float(J[i]) for i in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)))


def inertia_of(second):
    """The inertia of second moments (3, 3)."""
    return np.trace(second) * np.eye(3) - second


def turned(rng):
    q, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    return q * np.sign(np.linalg.det(q))


def unit(a):
    return tuple(np.asarray(a, float) / np.linalg.norm(a))


def test_the_axis_is_the_eigenvector_nearest_to_the_guess():
    rng = np.random.default_rng(1)
    for _ in range(200):
        R = turned(rng)
        second = R @ np.diag([rng.uniform(1e-8, 1e-2), rng.uniform(0.3, 0.6), rng.uniform(0.8, 1.5)]) @ R.T
        for k in range(3):
            guess = unit(R[:, k] + 0.35 * rng.uniform(-1, 1, 3))
            found = np.array(axis(six(1e-9 * inertia_of(second)), guess))
            assert found @ R[:, k] * np.sign(np.dot(guess, R[:, k])) == pytest.approx(1.0, abs=1e-14)


def test_the_inertia_of_a_thin_patch_needs_the_shift():
    """Plain inverse iteration would find the smallest principal value, a direction along the patch."""
    second = np.diag([1.0, 0.8, 1e-6])
    assert axis(six(inertia_of(second)), unit((0.4, 0.3, 1.0))) == pytest.approx((0, 0, 1), abs=1e-14)


def test_the_last_normal_counts_unless_the_part_has_changed():
    second = np.diag([0.2, 1.0, 0.9])  # thin along x, least so
    J, V, area = six(inertia_of(second)), 1.0, 0.0
    between = unit((1.0, 0.0, 0.9))
    assert normal(J, unit((0.9, 0.0, 1.0)), between, V, area)[0] > 0.9
    assert normal(J, unit((1.0, 0, 0)), unit((-1.0, 0, 0)), V, area) == pytest.approx((1, 0, 0), abs=1e-14)
    assert normal(J, unit((1.0, 0, 0)), unit((0, 1.0, 0)), V, area) == pytest.approx((1, 0, 0), abs=1e-14)


@pytest.mark.parametrize("second", [np.eye(3), np.diag([1.0, 1.05, 3.0])])
def test_a_part_as_deep_as_wide_takes_the_guess(second):
    guess = unit((0.6, -0.3, 0.2))
    found = normal(six(inertia_of(second)), guess, guess, 1.0, 0.0)
    assert np.dot(found, guess) > 0.99


def test_a_curved_patch_takes_the_guess():
    """Its extent along the normal is not its depth: here V / A is a thousandth of it."""
    R = np.array([[np.cos(0.4), 0, np.sin(0.4)], [0, 1, 0], [-np.sin(0.4), 0, np.cos(0.4)]])
    second = R @ np.diag([0.1, 2.0, 1.0]) @ R.T
    guess = (1.0, 0.0, 0.0)
    V = 1.0
    flat = normal(six(inertia_of(second)), guess, guess, V, 1.0)
    bent = normal(six(inertia_of(second)), guess, guess, V, 100.0)
    assert flat == pytest.approx(tuple(R[:, 0]), abs=1e-12)
    assert bent == pytest.approx(guess, abs=1e-15)


def test_there_is_room_for_slices():
    """The scratch of a workspace is parted by numbers of other files; they must fit."""
    from jourdain.kernels.contact.overlap_volumes import (
        cylinder_cylinder,
        overlap_layout,
        polyhedron_hole,
        revolution_polyhedron,
    )
    from jourdain.kernels.contact.volumetric.scratch import BREAK_SCRATCH, LINE_SCRATCH

    assert LINE_SCRATCH >= overlap_layout.HalfSpace.size + overlap_layout.LINE + 2 * overlap_layout.PIECE
    most = max(overlap_layout.FEATURES, polyhedron_hole.GATHERED_MOST)
    assert (
        BREAK_SCRATCH
        >= revolution_polyhedron.BREAKS
        + polyhedron_hole.GATHERED_MOST * overlap_layout.GATHERED
        + 4 * cylinder_cylinder.CROSSED_CORNERS
        + most * overlap_layout.SLICED
    )
