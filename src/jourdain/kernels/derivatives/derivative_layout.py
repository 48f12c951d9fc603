"""Columns of the scratch of the derivatives: a workspace of their own, so that no run carries it.

Everything is in world axes, moments and linear parts about one point REF, the origin of the tree's first body: there
composite quantities are plain sums, and a column needs no shift from one body to the next. The point stands still;
accelerations are spatial ones (Featherstone 2008, section 2.10), not the classical ones of `Workspace`.
"""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np

from ..algebra import Mat3, Motion, Sym3, Vec3, Wrench
from ..model_arrays import ModelArrays
from ..records import Record, f64, i64, rows
from ..rows import Row


class Composite(Row):
    """`DerivativeScratch.composites`: a body, and the sums over all that is outboard of it."""

    velocity: Motion
    acceleration: Motion
    reference: Vec3  # REF
    mass: float
    first_moment: Vec3
    inertia: Sym3
    moment_rate: Mat3  # derivatives of moment and force by the angular velocity: B
    force_rate: Mat3
    moment_turn: Mat3  # and by rotation under loads in world axes
    force_turn: Mat3


class EntryColumn(Row):
    """`DerivativeScratch.entry_columns`: motion of all that is outboard of an entry."""

    S: Motion  # of a unit of velocity
    rate: Vec3  # change of the angular velocity by a unit of displacement, relative to what is outboard
    second: Motion  # the change of acceleration with it, less the velocity product with `rate`
    mixed: Motion  # the change of acceleration by a unit of velocity, less the velocity product
    turn: Vec3  # rotation by a unit of displacement


class EntryEffort(Row):
    """`DerivativeScratch.entry_efforts`: of the effort on an entry, and by it of the force on all that is inboard."""

    inertial: Wrench  # effort by acceleration of its own side; also the force by a unit of acceleration
    rate: Vec3  # effort by change of angular velocity
    turn: Vec3  # effort by rotation under loads in world axes
    push_q: Wrench  # force by a unit of displacement
    push_v: Wrench  # force by a unit of velocity


class StationPartials(Row):
    """`DerivativeScratch.station_partials`: by an internal coordinate e, at a station of its body, in the axes of
    that."""

    shape: Motion
    move: Motion  # displacement
    velocity: Motion  # by e
    acceleration: Motion  # by e
    acceleration_v: Motion  # by e'
    turn_0: Vec3  # rotation vector by e
    turn_1: Vec3  # its first rate
    turn_2: Vec3  # its second rate
    place_0: Vec3  # displacement by e
    place_1: Vec3  # its rates
    place_2: Vec3
    load_turn: Vec3  # rotation of the axes that a load is given in
    # of a slice of a lumped beam: rates of the shape along the beam
    along_1: Annotated[float, "place_1"]
    along_2: Annotated[float, "place_2"]


class MarkerColumn(Row):
    """`DerivativeScratch.marker_columns`: motion of a marker by an entry that carries it (marker_columns.py); world
    axes, at the marker."""

    S: Motion  # velocity by a unit of velocity
    displacement: Motion  # by a unit of displacement
    rate: Motion  # change of velocity by a unit of displacement
    lever: Vec3  # the part of the displacement that is due to the rotation of a station away from the marker


class MarkerEntry(Row):
    """`DerivativeScratch.marker_entries`: the entry of a row of `marker_columns`."""

    v: int
    group: int  # of entries whose columns change together: the body of a ball or free joint; for internal coordinates
    # the rows of the body table plus the body; 0 for none


PATH_S = 0  # in a row of AppliedDerivatives.pairs, behind ON_A and ON_B


class DerivativeScratch(Record, name="D"):
    """Scratch of the derivatives, allocated once."""

    composites = rows(Composite)  # nb + 1
    entry_columns = rows(EntryColumn)  # of v, then of the carried shapes
    entry_efforts = rows(EntryEffort)  # nv
    station_partials = rows(StationPartials)  # most internal coordinates of a body
    shape_rows = i64(1)  # (nb + 1,) int64, where the shapes that carry a body begin in columns
    stiffness = f64(2)  # (nv, nv)
    damping = f64(2)  # (nv, nv)
    mass = f64(2)  # (nv, nv)
    marker_columns = rows(MarkerColumn)  # 2 nv: of two markers
    marker_entries = rows(MarkerEntry)  # 2 nv


def partials(arrays: ModelArrays) -> DerivativeScratch:
    """A workspace for the derivatives of `arrays`."""
    nb, nv = len(arrays.tree), len(arrays.q_index)
    n = arrays.tree.columns.ne
    carried = n[arrays.tree.columns.parent]
    carried[0] = 0
    firsts = nv + np.concatenate([[0], np.cumsum(carried)[:-1]]).astype(np.int64)
    shapes: dict[str, Any] = dict.fromkeys(("stiffness", "damping", "mass"), (nv, nv))
    shapes |= {"composites": (nb, Composite.size), "entry_columns": (nv + int(carried.sum()), EntryColumn.size)}
    shapes |= {
        "entry_efforts": (nv, EntryEffort.size),
        "station_partials": (max(1, int(n.max())), StationPartials.size),
    }
    shapes |= {"marker_columns": (2 * nv, MarkerColumn.size), "marker_entries": (2 * nv, MarkerEntry.size)}
    return DerivativeScratch.zeros(shapes, shape_rows=firsts)
