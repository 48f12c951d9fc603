"""Data of a deploying beam by name; `deployable_beam` says what they are."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from ..body_data import BodyData, Floats, Values, body_data, numbers_at, vectors_at
from ..compiler import kernel
from ..rows import row_at
from .lumped_layout import BeamAxes


class DeployableBody(BodyData):
    """Whole numbers of a deploying beam."""

    slices: int
    bending_y: int  # amplitudes of bending along y
    bending_z: int
    axial: int  # of stretch
    torsion: int
    coupling_points: int
    slice: Floats[float]
    coupling: Floats[float]


class DeployableSection(BeamAxes):
    """What its floats begin with."""

    fixed_mass: float  # of slices at fixed xi [kg]
    density: float  # mass a length of those that emerge [kg/m]
    emerges: float  # g: 1 if it emerges, 0 if it stretches
    total: float  # length [m]
    gyration: float  # squared radius of gyration about x [m^2]
    exponents: Annotated[np.ndarray, 4]  # of l in the two damping matrices: bending, others; twice


class DeployableArrays(NamedTuple):
    """Arrays among the floats of a deploying beam, of m = n - 1 amplitudes, at l = 1."""

    stiffness: Values  # (m, m)
    damping: Values  # (m, m)
    damping_more: Values  # (m, m)
    root: Values  # (m,) slope of each shape at the root


class DeployableSlice(NamedTuple):
    """A slice of a deploying beam."""

    xi: float
    weight: float
    shapes: Values  # (m,) vectors: value, slope and curvature by xi
    chi: Values  # of amplitudes that bend along y, then along z, squares


deployable_data, section_at = body_data(DeployableBody), row_at(DeployableSection)
SECTION = DeployableSection.size


@kernel
def deployable_body(model, i):
    """The data of deploying beam i: its whole numbers, and what its floats begin with."""
    node = model.tree[i]
    return (
        deployable_data(model.integers, node.integers, model.floats, node.floats),
        section_at(model.floats, node.floats),
    )


@kernel
def deployable_arrays(model, i):
    """The arrays of body i."""
    m = model.tree[i].ne - 1
    stiffness = numbers_at(model.floats, model.tree[i].floats + SECTION)
    return DeployableArrays(stiffness, stiffness[m * m :], stiffness[2 * m * m :], stiffness[3 * m * m :])


@kernel
def slice_at(body, m, p):
    """Slice p of a body with m amplitudes."""
    chi = 2 + 3 * m
    numbers = body.slice[p * (chi + body.bending_y * body.bending_y + body.bending_z * body.bending_z) :]
    return DeployableSlice(numbers[0], numbers[1], vectors_at(numbers, 2), numbers[chi:])
