"""Data of lumped bodies by name: `lumped_beam` says what they are."""

from __future__ import annotations

from typing import NamedTuple

from ..algebra import Mat3, Vec3
from ..body_data import (
    BodyData,
    Floats,
    Values,
    body_data,
    motions_at,
    numbers_at,
    symmetrics_at,
    values_at,
    wrenches_at,
)
from ..compiler import kernel
from ..rows import Row, row_at

# which inertia: of the deformed body; mass matrix of the undeformed one; undeformed throughout, own rates left out
DEFORMED, UNDEFORMED_MASS, UNDEFORMED = 0, 1, 2
# which axial force stiffens bending: none (foreshortening does it); of the full strain; of the axial coordinates only
NO_MEMBRANE, FULL_MEMBRANE, AXIAL_LOAD = 0, 1, 2


class LumpedBody(BodyData):
    """Whole numbers of a lumped body; behind them the `RowRange` of each coordinate."""

    slices: int
    membrane_points: int
    inertia: int  # code of the inertia
    membrane: int  # code of the axial force
    scheme: int  # of `rotation_schemes`
    shortens: bool  # whether the coordinates that bend also foreshorten
    bending_y: int  # how many bend along y, the first ones
    bending_z: int  # and along z
    moving: int  # one past the last that moves slices
    twice_s: int
    coupling_points: int
    coupling: Floats[float]  # coupling points
    sections: int  # that turn
    section_head: int  # where axes of the beam in its own axes begin among the floats, then the sections


class RowRange(Row):
    """Where a row of stiffness, damping and constant mass begins and ends, without the zeros around it."""

    begin: int
    end: int


class BeamAxes(Row):
    """What the floats of bodies along a line begin with."""

    d: Vec3  # the axial direction
    axes: Mat3  # x, y and z in the kernel frame, one behind the other


class StationShape(Row):
    """What a coordinate does at a station."""

    psi: Vec3  # displacement for a unit
    theta: Vec3  # rotation vector


class LumpedArrays(NamedTuple):
    """Arrays among the floats of a lumped body."""

    stiffness: Values  # (n, n)
    damping: Values
    mass: Values  # constant mass matrix
    own: Values  # the slices' own inertia summed, a symmetric matrix
    momenta: Values  # for each coordinate that inertia times theta_k, and the mass times psi_k, a motion
    membrane: Values  # membrane points
    slices: Values


lumped_data = body_data(LumpedBody)
ranges_at, shapes_at, beam_axes_at = values_at(RowRange), values_at(StationShape), row_at(BeamAxes)


@kernel
def lumped_body(model, i):
    """Whole numbers of lumped body i."""
    node = model.tree[i]
    return lumped_data(model.integers, node.integers, model.floats, node.floats)


@kernel
def row_ranges(model, i):
    """Ranges of the rows of body i."""
    return ranges_at(model.integers, model.tree[i].integers + RANGES)


@kernel
def lumped_arrays(model, i):
    """The arrays of body i."""
    n = model.tree[i].ne
    stiffness = numbers_at(model.floats, model.tree[i].floats + BEAM_AXES)
    own = stiffness[3 * n * n :]
    membrane = own[6 + 6 * n :]
    slices = membrane[lumped_body(model, i).membrane_points * (1 + 3 * n) :]
    return LumpedArrays(
        stiffness, stiffness[n * n :], stiffness[2 * n * n :],
        symmetrics_at(own, 0), motions_at(own, 6), membrane, slices,
    )  # fmt: skip


class DenseBlocks(NamedTuple):
    """Blocks of a body with a dense mass matrix in `Workspace.flex`."""

    coupling: Values  # M_re, a wrench for each coordinate
    mass: Values  # M_ee (n, n)
    b: Values  # bias and internal forces (n,)
    scratch: Values  # the last 6 n numbers of the array


@kernel
def dense_blocks(model, flex, i):
    """The blocks of body i."""
    n, o = model.tree[i].ne, model.tree[i].flex
    ee = o + 6 * n
    scratch = numbers_at(flex, flex.size - 6 * n)
    return DenseBlocks(wrenches_at(flex, o), numbers_at(flex, ee), numbers_at(flex, ee + n * n), scratch)


RANGES, BEAM_AXES = LumpedBody.size, BeamAxes.size
