"""Derivatives of constraints: of the efforts A^T lambda of their multipliers, and of the rates A v + c.

The wrenches of a pair of frames depend on the pose of the second relative to the first, and turn with the first
(W_k those of a row, t the rotation of the first frame): dW = t x W + the change by the six displacements of the second
frame relative to the first. These are differences of the row's own few lines, where they are smooth, six times the
points of a stencil for each constraint whatever the size of the model; the motion of markers is analytical
(marker_columns.py). Rows of couplings have constant coefficients, and contribute nothing.
"""

from __future__ import annotations

from ...algebra import Wrench, cross, shift
from ...compiler import kernel, outlined_kernel
from ...constraints.constraint_equations import unit_vector
from ...constraints.constraint_jacobian import constraint_wrenches
from ...constraints.frame_constraints import lay_pair, marker_pair
from ...kind_registry import COUPLING
from ...rotations import axis_rotation
from ...rows import clear_row
from .applied_layout import row_changes
from .marker_columns import standing_wrench
from .marker_pairs import gather_pair


@outlined_kernel
def move_rows(model, ws, ap, c, t, d, R_A, V_A, R_B, V_B):
    """Derivatives of the rows of constraint c by displacements of its second frame, into ap.row_changes.

    Finite differences: rotations of R_WB for way < 3, else translations of Bo.
    """
    first, count = model.constraints[c].row, model.constraints[c].rows
    for way in range(6):
        changes = row_changes(ap.row_changes[way])
        for r in range(count):
            clear_row(changes[r])
        axis = unit_vector(way % 3)
        for n in range(len(ap.row_stencil)):
            by, factor = ap.row_stencil[n].step, ap.row_stencil[n].weight
            if way < 3:
                lay_pair(model, ws, c, t, d, R_A, V_A, axis_rotation(axis, by) @ R_B, V_B)
            else:
                lay_pair(model, ws, c, t, d + by * axis, R_A, V_A, R_B, V_B)
            for r in range(count):
                row, change = ws.constraint_rows[first + r], changes[r]
                change.on_A += factor * row.on_A
                change.on_B += factor * row.on_B
                change.drift += factor * row.drift
    lay_pair(model, ws, c, t, d, R_A, V_A, R_B, V_B)


@kernel
def row_changed(ap, r, row, t, by):
    """Change of the wrenches of row r at both markers, and of its rate, by a rotation t and displacements `by` of B."""
    G_A = Wrench(cross(t, row.on_A.moment), cross(t, row.on_A.force))
    G_B = Wrench(cross(t, row.on_B.moment), cross(t, row.on_B.force))
    drift = 0.0
    for way in range(6):
        change = row_changes(ap.row_changes[way])[r]
        G_A += by[way] * change.on_A
        G_B += by[way] * change.on_B
        drift += by[way] * change.drift
    return G_A, G_B, drift


@outlined_kernel
def pair_row_partials(model, ws, sl, ap, c, t, q, v, K, rate_x):
    """Adds derivatives of the multiplier efforts of constraint c to K, of the rates of its rows to `rate_x`."""
    constraint = model.constraints[c]
    first, count = constraint.row, constraint.rows
    A, B = constraint.marker_A, constraint.marker_B
    # poses and velocities of the markers A and B, d = p_AoBo_W
    d, R_A, V_A, R_B, V_B = marker_pair(model, ws, c, q, v)
    # derivatives of the rows by the pose of B relative to A, by six differences; columns of both markers
    move_rows(model, ws, ap, c, t, d, R_A, V_A, R_B, V_B)
    na, nb, moving = gather_pair(model, ws, sl, ap, A, B, q, v)
    # wrench A^T lambda of all rows at both markers
    F_A, F_B = constraint_wrenches(model, ws, c)
    # entry k turns A by `turn`, and displaces B relative to A by (w, u)
    for k in range(moving):
        pair = ap.pairs[k]
        X_A, X_B = pair.displacement_A, pair.displacement_B
        turn, by = X_A.angular, tuple(X_B - shift(X_A, d))
        change_A, change_B = F_A.zero, F_B.zero
        for r in range(count):
            row = ws.constraint_rows[first + r]
            G_A, G_B, drift = row_changed(ap, r, row, turn, by)
            change_A += row.multiplier * G_A
            change_B += row.multiplier * G_B
            # rate of the row A v + c: by its own change, by that of the velocities, and by its drift c
            rate = G_A @ V_A + G_B @ V_B
            rate += row.on_A @ pair.rate_A + row.on_B @ pair.rate_B
            rate_x[first + r, ap.entries[k]] += rate + drift
        # efforts by the change of the wrench; below, by the displacement of the markers under a constant wrench
        for j in range(moving):
            slope = ap.pairs[j].S_A @ change_A + ap.pairs[j].S_B @ change_B
            K[ap.entries[j], ap.entries[k]] -= slope
    standing_wrench(model, ws, sl, 0, na, A, F_A, q, v, K)
    standing_wrench(model, ws, sl, 1, nb, B, F_B, q, v, K)


@outlined_kernel
def constraint_partials(model, ws, sl, ap, t, q, v, K, rate_x):
    """Adds -d(A^T lambda)/dx to K (nv, nv) and d(A v + c)/dx to `rate_x` (rows, nv), after `kinematics`.

    The multipliers are those of ws.constraint_rows; the rows are left as those of this state, without bias.
    """
    for c in range(len(model.constraints)):
        if model.constraints[c].kind < COUPLING:
            pair_row_partials(model, ws, sl, ap, c, t, q, v, K, rate_x)
