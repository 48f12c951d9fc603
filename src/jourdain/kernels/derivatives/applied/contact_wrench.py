"""Derivatives of the wrench of a contact: force on its first body, and torque about the origin of that body's shape.

With f the force of a site at the point P, T its torque, and O the origin of the shape,

    d wrench = (df, dT + (dP - dO) x f + (P - O) x df),

the changes being those of the columns of the pair (marker_pairs.py).
"""

from __future__ import annotations

from ...algebra import cross, shift
from ...compiler import kernel, outlined_kernel


@kernel
def note_wrench(out, c, column, sign, force, torque):
    """Adds the change of a wrench to a column of the table of contact c."""
    change = tuple(force) + tuple(torque)
    for j in range(6):
        out[c, j, column] += sign * change[j]


@kernel
def wrench_origin(model, ws, c):
    """Origin of the shape that the user named first in contact c."""
    row = model.contacts[c]
    return ws.shapes[row.first if row.sign > 0 else row.second].p_WS


@outlined_kernel
def wrench_by_motion(model, ws, ap, c, point, place_a, place_b, count, force):
    """Adds the derivatives of the wrench of a site of contact c by displacements and velocities, from ap.pairs."""
    if ap.wrench_by_x.shape[0] == 0:
        return
    sign = float(model.contacts[c].sign)
    origin = wrench_origin(model, ws, c)
    arm = point - origin
    for k in range(count):
        pair = ap.pairs[k]
        lift = shift(pair.displacement_A, origin - place_a).linear
        if sign < 0.0:
            lift = shift(pair.displacement_B, origin - place_b).linear
        df, dt = pair.force, pair.torque
        dt += cross(pair.point - lift, force) + cross(arm, df)
        note_wrench(ap.wrench_by_x, c, ap.entries[k], sign, df, dt)
        df, dt = pair.force_v, pair.torque_v
        note_wrench(ap.wrench_by_v, c, ap.entries[k], sign, df, dt + cross(arm, df))


@kernel
def wrench_by_state(model, ws, ap, c, point, state, force, torque):
    """Adds the derivatives of the wrench of a site of contact c by an integrated state."""
    if ap.wrench_by_z.shape[0] > 0:
        arm = point - wrench_origin(model, ws, c)
        sign = float(model.contacts[c].sign)
        note_wrench(ap.wrench_by_z, c, state, sign, force, torque + cross(arm, force))
