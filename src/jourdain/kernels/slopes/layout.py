"""Where things stand in the scratch of the derivatives of all that acts."""

from __future__ import annotations

import numpy as np

from ..contact.layout import SITE
from ..layout import ModelArrays, Workspace
from ..records import Record, f64, i64

# Applied.pair: an entry that moves one of two markers; the columns of `Slopes.path` of the first, then of the second
ON_A, ON_B = 0, 18
PAIR_C = 36  # relative velocity at the point of action, first less second, by a unit of velocity
PAIR_W = 39  # relative angular velocity by a unit of velocity
PAIR_P = 42  # displacement of the point of action by a unit of displacement
PAIR_F = 45  # force on the first by a unit of displacement
PAIR_T = 48  # torque on it
PAIR_FV = 51  # force by a unit of velocity
PAIR_TV = 54  # torque by a unit of velocity
PAIR_ROW = 57

# Applied.moved: what a site becomes as its first shape is moved, and of a part besides as it moves and as states change
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

# Applied.rows: the twelve numbers of a row's wrenches, then
ROW_DRIFT = 12
ROW_MOVED = 13


class Applied(Record, name="A"):
    """Derivatives of what acts by states that are integrated, and of their rates; and scratch. nz counts those states.

    by_state    (nv, nz) generalised forces by states
    rate_x      (nz, nv) rates of states by displacements
    rate_v      (nz, nv) rates of states by velocities
    rate_z      (nz, nz) rates of states by states; apart from those of laws, blocks of one slot each
    """

    by_state = f64(2)
    rate_x = f64(2)
    rate_v = f64(2)
    rate_z = f64(2)
    pair = f64(2)  # (nv, PAIR_ROW)
    entries = i64(1)  # (2 nv,) int64: entries of v of the rows of `pair`; then the row of each entry
    sites = f64(2)  # (most sites of a pair, SITE) as they are
    moved = f64(3)  # (most sites of a pair, BY, MOVED)
    user = f64(2)  # slopes of users' laws of one site
    q = f64(1)  # displaced coordinates
    v = f64(1)
    dz = f64(1)
    forces = f64(2)  # (3, nv)
    scratch = f64(2)  # (nv, nv)
    fast = f64(2)  # (nv, nv)
    rows = f64(3)  # (6, 6, ROW_MOVED) rows of one constraint by displacements of its second frame


def applied(arrays: ModelArrays, ws: Workspace, nz: int, nq: int) -> Applied:
    """Scratch for a model and its workspace; nz counts the integrated states, the two of the bookkeeping left out."""
    nv = len(arrays.q_index)
    rows = len(ws.sites)
    return Applied(
        np.zeros((nv, nz)),
        np.zeros((nz, nv)),
        np.zeros((nz, nv)),
        np.zeros((nz, nz)),
        np.zeros((nv, PAIR_ROW)),
        np.zeros(2 * nv, np.int64),
        np.zeros((rows, SITE)),
        np.zeros((rows, BY, MOVED)),
        np.zeros((4 + nz, 6 + nz)),
        np.zeros(nq),
        np.zeros(nv),
        np.zeros(nz + 2),
        np.zeros((3, nv)),
        np.zeros((nv, nv)),
        np.zeros((nv, nv)),
        np.zeros((6, 6, ROW_MOVED)),
    )
