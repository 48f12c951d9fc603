"""Columns of the scratch of the derivatives: a workspace of their own, so that no run carries it.

Everything is in world axes, moments and linear parts about one point, `REF`, the origin of the tree's first body: there
composite quantities are plain sums, and a column needs no shift from one body to the next. The point stands still;
accelerations are spatial ones (Featherstone 2008, section 2.10), not the classical ones of `Workspace`.
"""

from __future__ import annotations

import numpy as np

from ..columns import PARENT, N
from ..model_arrays import ModelArrays
from ..records import Record, f64, i64

# DerivativeScratch.bodies
PARTIAL_VELOCITY = 0  # velocity (angular, linear)
MOTION_RATE = 6  # acceleration (angular, linear)
REF = 12
C_MASS = 15  # composite: mass, first moment, inertia
C_FIRST = 16
C_INERTIA = 19
C_RATE_N = 25  # composite: derivatives of moment and force by the angular velocity, 3x3 each
C_RATE_F = 34
C_TURN_N = 43  # composite: derivatives of moment and force by rotation under loads in world axes, 3x3 each
C_TURN_F = 52
PARTIAL_BODY = 61

# DerivativeScratch.columns: motion of all that is outboard of an entry
COLUMN_S = 0  # motion of a unit of velocity (angular, linear)
PARTIAL_RATE = 6  # change of the angular velocity by a unit of displacement, relative to what is outboard
PARTIAL_SECOND = 9  # the change of acceleration with it, less the velocity product with PARTIAL_RATE (angular, linear)
PARTIAL_MIXED = 15  # the change of acceleration by a unit of velocity, less the velocity product (angular, linear)
PARTIAL_TURN = 21  # rotation by a unit of displacement
COLUMN = 24

# DerivativeScratch.entries: derivatives of the effort on an entry, and by it of the force on all that is inboard
PARTIAL_LOADED = 0  # effort by acceleration of its own side (angular, linear); also the force by a unit of acceleration
LOADED_RATE = 6  # effort by change of angular velocity
LOADED_TURN = 9  # effort by rotation under loads in world axes
PUSH_Q = 12  # force (moment, force) by a unit of displacement
PUSH_V = 18  # force by a unit of velocity
PARTIAL_ENTRY = 24

# DerivativeScratch.station: for each internal coordinate of one body, at one station or slice, in its own axes
PARTIAL_SHAPE = 0  # angular, linear
MOVE = 6  # displacement (angular, linear)
D_VEL = 12  # angular velocity and velocity by e
D_ACC = 18  # accelerations by e
D_ACC_V = 24  # accelerations by e'
T0, T1, T2 = 30, 33, 36  # rotation vector by e, and its first and second rate
P0, P1, P2 = 39, 42, 45  # displacement by e, and its rates
LOAD_TURN = 48  # rotation of the axes that a load is given in
STATION_PARTIALS = 51

# DerivativeScratch.path: motion of a marker by an entry that carries it (marker_columns.py); world axes, at the marker
PATH_S = 0  # velocity by a unit of velocity (angular, linear)
PATH_D = 6  # displacement by a unit of displacement
PATH_R = 12  # change of velocity by a unit of displacement
LEVER = 18  # the part of the displacement that is due to the rotation of a station away from the marker
PARTIAL_PATH = 21
# DerivativeScratch.path_index
PATH_ENTRY = 0  # entry of v
GROUP = 1  # of entries whose columns change together: the body of a ball or free joint; for internal coordinates
# the rows of the body table plus the body; 0 for none


class DerivativeScratch(Record, name="D"):
    """Scratch of the derivatives, allocated once."""

    bodies = f64(2)  # (nb + 1, PARTIAL_BODY)
    columns = f64(2)  # (nv and the carried shapes, COLUMN)
    entries = f64(2)  # (nv, PARTIAL_ENTRY)
    station = f64(2)  # (most internal coordinates of a body, STATION_PARTIALS)
    shape_rows = i64(1)  # (nb + 1,) int64, where the shapes that carry a body begin in columns
    stiffness = f64(2)  # (nv, nv)
    damping = f64(2)  # (nv, nv)
    mass = f64(2)  # (nv, nv)
    path = f64(2)  # (2 nv, PARTIAL_PATH) columns of two markers
    path_index = i64(2)  # (2 nv, 2) int64


def partials(arrays: ModelArrays) -> DerivativeScratch:
    """A workspace for the derivatives of `arrays`."""
    nb, nv = len(arrays.table), len(arrays.q_index)
    n = arrays.table[:, N]
    carried = n[arrays.table[:, PARENT]]
    carried[0] = 0
    rows = nv + np.concatenate([[0], np.cumsum(carried)[:-1]]).astype(np.int64)
    return DerivativeScratch(
        np.zeros((nb, PARTIAL_BODY)),
        np.zeros((nv + int(carried.sum()), COLUMN)),
        np.zeros((nv, PARTIAL_ENTRY)),
        np.zeros((max(1, int(n.max())), STATION_PARTIALS)),
        rows,
        np.zeros((nv, nv)),
        np.zeros((nv, nv)),
        np.zeros((nv, nv)),
        np.zeros((2 * nv, PARTIAL_PATH)),
        np.zeros((2 * nv, 2), np.int64),
    )
