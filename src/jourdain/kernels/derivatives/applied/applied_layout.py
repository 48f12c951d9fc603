"""Columns of the scratch of the derivatives of applied forces."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...algebra import Motion, Vec3
from ...contact.contact_rows import Site
from ...model_arrays import ModelArrays, Workspace
from ...records import Record, f64, i64, rows
from ...rows import Row


class PairColumn(Row):
    """`AppliedDerivatives.pairs`: an entry that moves one of two markers A and B, as in `MarkerColumn`."""

    S_A: Motion
    displacement_A: Motion
    rate_A: Motion
    S_B: Motion
    displacement_B: Motion
    rate_B: Motion
    velocity: Vec3  # relative, at the point of action, first less second, by a unit of velocity
    omega: Vec3  # relative angular velocity by a unit of velocity
    point: Vec3  # displacement of the point of action by a unit of displacement
    force: Vec3  # on the first by a unit of displacement
    torque: Vec3  # on it
    force_v: Vec3  # by a unit of velocity
    torque_v: Vec3


# the same, for kernels that do not read it by name yet
ON_A, ON_B = 0, 18
PAIR_C, PAIR_W, PAIR_P, PAIR_F, PAIR_T, PAIR_FV, PAIR_TV = range(36, 57, 3)

# AppliedDerivatives.moved: derivatives of a site by displacements of its first shape; of an overlap part also by its
# velocities and by the states
MOVED_GAP = 0
MOVED_NORMAL = 1
MOVED_POINT = 4
MOVED_TORQUE = 7
MOVED_FORCE = 10
MOVED_RATES = 13  # of its states
STATES_MOST = 8  # of a slot, built-in laws
MOVED = MOVED_RATES + STATES_MOST
# by: rotations and translations of the first shape (6), its angular velocity and velocity (6), states
BY_MOTION = 6
BY_STATE = 12
BY = BY_STATE + STATES_MOST

# AppliedDerivatives.rows: the twelve numbers of a row's wrenches, then
ROW_DRIFT = 12
ROW_MOVED = 13

# AppliedDerivatives.stencil and row_stencil: a point of the finite differences
STENCIL_STEP = 0  # step over the size of a variable, at least one
STENCIL_WEIGHT = 1  # its weight
COARSE = ((-1e-5, -0.5e5), (1e-5, 0.5e5))
"""Second order, for the steps of implicit methods, whose Newton iteration corrects the rest."""
COARSE_ROWS = ((-1e-6, -0.5e6), (1e-6, 0.5e6))
"""The same for rows of constraints, whose only scale is that of the frames."""
FINE = ((-2e-4, 1e4 / 12.0), (-1e-4, -1e4 * 2.0 / 3.0), (1e-4, 1e4 * 2.0 / 3.0), (2e-4, -1e4 / 12.0))
"""Fourth order, for derivatives that are results."""


class AppliedDerivatives(Record, name="A"):
    """Derivatives of applied forces by integrated states (nz), and of the rates of these; and scratch.

    by_state    (nv, nz) generalised forces by states
    rate_x      (nz, nv) rates of states by displacements
    rate_v      (nz, nv) rates of states by velocities
    rate_z      (nz, nz) rates of states by states; apart from those of laws, blocks of one slot each
    wrench_by_x      (contacts, 6, nv) contact wrenches, force and torque as in Workspace.contact_wrenches, by
                     displacements
    wrench_by_v      the same by velocities
    wrench_by_z      (contacts, 6, nz) by states; all three without rows where they are not needed
    stencil     (points, 2) of the differences of laws
    row_stencil (points, 2) of those of rows of constraints
    """

    by_state = f64(2)
    rate_x = f64(2)
    rate_v = f64(2)
    rate_z = f64(2)
    wrench_by_x = f64(3)
    wrench_by_v = f64(3)
    wrench_by_z = f64(3)
    stencil = f64(2)
    row_stencil = f64(2)
    pairs = rows(PairColumn, columns="pair")  # nv
    entries = i64(1)  # (2 nv,) int64: entries of v of the rows of `pairs`; then the row of each entry
    sites = rows(Site)  # as they are
    moved = f64(3)  # (most sites of a pair, BY, MOVED)
    user = f64(2)  # derivatives of users' laws at one site
    q = f64(1)  # displaced coordinates
    v = f64(1)
    dz = f64(1)
    forces = f64(2)  # (3, nv)
    answer = f64(1)  # (nv + nz,) response of laws to a unit of a sensed number: forces, rates of states
    scratch = f64(2)  # (nv, nv)
    fast = f64(2)  # (nv, nv)
    rows = f64(3)  # (6, 6, ROW_MOVED) rows of one constraint by displacements of its second frame


def applied(arrays: ModelArrays, ws: Workspace, nz: int, nq: int, fine: bool = False) -> AppliedDerivatives:
    """Scratch for a model and its workspace; nz counts the integrated states without the two of the energy balance.

    fine    differences of fourth order, and the derivatives of contact wrenches (wrench_by_x, wrench_by_v,
            wrench_by_z), which exist anyway where a law may sense contacts
    """
    nv = len(arrays.q_index)
    most = len(ws.sites)
    contacts = len(arrays.contacts) if fine or len(ws.sensed) else 0
    shapes: dict[str, Any] = {"by_state": (nv, nz), "rate_x": (nz, nv), "rate_v": (nz, nv), "rate_z": (nz, nz)}
    shapes |= dict.fromkeys(("wrench_by_x", "wrench_by_v"), (contacts, 6, nv)) | {"wrench_by_z": (contacts, 6, nz)}
    shapes |= {
        "pairs": (nv, PairColumn.size),
        "entries": 2 * nv,
        "sites": (most, Site.size),
        "moved": (most, BY, MOVED),
    }
    shapes |= {"user": (4 + nz, 6 + nz), "q": nq, "v": nv, "dz": nz + 2, "forces": (3, nv), "answer": nv + nz}
    shapes |= {"scratch": (nv, nv), "fast": (nv, nv), "rows": (6, 6, ROW_MOVED)}
    stencil, row_stencil = np.array(FINE if fine else COARSE), np.array(FINE if fine else COARSE_ROWS)
    return AppliedDerivatives.zeros(shapes, stencil=stencil, row_stencil=row_stencil)
