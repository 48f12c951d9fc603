"""Derivatives of constraints: of the efforts A^T lambda of their multipliers, and of the rates A v + c.

The wrenches of a pair of frames depend on the pose of the second relative to the first, and turn with the first
(W_k those of a row, t the rotation of the first frame): dW = t x W + the change by the six displacements of the second
frame relative to the first. These are differences of the row's own few lines, where they are smooth, six times the
points of a stencil for each constraint whatever the size of the model; the motion of markers is analytical
(marker_columns.py). Rows of couplings have constant coefficients, and contribute nothing.
"""

from __future__ import annotations

from ...columns import POS
from ...compiler import kernel, outlined_kernel
from ...constraints.constraint_layout import (
    CODE,
    CONSTRAINT_FIRST,
    CONSTRAINT_ROW,
    CONSTRAINT_ROWS,
    CONSTRAINT_SECOND,
    COUPLING,
    DRIFT,
    NO_SLIP,
    ON_FIRST,
    ON_SECOND,
    ROD,
    ROLLING,
    ROW_FORCE,
)
from ...constraints.frame_constraints import joint_rows, rod_row, rolling_rows, slip_row
from ...spatial import add, axis_rotation, cross, dot, matmul, scale, sub, vec
from ...tree.markers import marker_frame
from ..derivative_layout import PATH_D, PATH_R, PATH_S
from .applied_layout import ON_A, ON_B, ROW_DRIFT, ROW_MOVED, STENCIL_STEP, STENCIL_WEIGHT
from .marker_columns import standing_wrench
from .marker_pairs import gather_pair


@outlined_kernel
def lay_pair(model, ws, c, t, d, R_A, omega_A, v_A, R_B, omega_B, v_B):
    """Rows of constraint c between two frames A and B, d = p_AoBo_W."""
    kind = model.constraint_index[c, CODE]
    if kind == ROD:
        rod_row(model, ws, c, t, d, v_A, R_B, omega_B, v_B)
    elif kind == ROLLING:
        rolling_rows(model, ws, c, d, R_A, omega_A, v_A, R_B, omega_B, v_B)
    elif kind == NO_SLIP:
        slip_row(model, ws, c, d, R_A, omega_A, v_A, omega_B, v_B)
    else:
        joint_rows(model, ws, c, t, d, R_A, omega_A, v_A, R_B, omega_B, v_B)


@outlined_kernel
def move_rows(model, ws, ap, c, t, d, frames):
    """Derivatives of the rows of constraint c by displacements of its second frame, into ap.rows (6,
    rows, ROW_MOVED).
    """
    R_A, omega_A, v_A, R_B, omega_B, v_B = frames
    first, count = model.constraint_index[c, CONSTRAINT_ROW], model.constraint_index[c, CONSTRAINT_ROWS]
    for way in range(6):
        for r in range(count):
            for k in range(ROW_MOVED):
                ap.rows[way, r, k] = 0.0
        axis = (1.0 if way % 3 == 0 else 0.0, 1.0 if way % 3 == 1 else 0.0, 1.0 if way % 3 == 2 else 0.0)
        # finite differences: rotations of R_WB for way < 3, else translations of Bo
        for n in range(ap.row_stencil.shape[0]):
            by, factor = ap.row_stencil[n, STENCIL_STEP], ap.row_stencil[n, STENCIL_WEIGHT]
            if way < 3:
                R = matmul(axis_rotation(axis, by), R_B)
                lay_pair(model, ws, c, t, d, R_A, omega_A, v_A, R, omega_B, v_B)
            else:
                moved = add(d, scale(by, axis))
                lay_pair(model, ws, c, t, moved, R_A, omega_A, v_A, R_B, omega_B, v_B)
            for r in range(count):
                for k in range(12):
                    ap.rows[way, r, k] += factor * ws.rows[first + r, ON_FIRST + k]
                ap.rows[way, r, ROW_DRIFT] += factor * ws.rows[first + r, DRIFT]
    lay_pair(model, ws, c, t, d, R_A, omega_A, v_A, R_B, omega_B, v_B)


@kernel
def row_changed(ws, ap, first, r, place, t, by):
    """Change of one of the four vectors of row r, from column `place` on: t x W and displacements `by` of B."""
    out = cross(t, vec(ws.rows, first + r, place))
    for way in range(6):
        m = ap.rows[way, r]
        out = add(out, scale(by[way], (m[place], m[place + 1], m[place + 2])))
    return out


@outlined_kernel
def pair_row_partials(model, ws, sl, ap, c, t, q, v, K, rate_x):
    """Adds derivatives of the multiplier efforts of constraint c to K, of the rates of its rows to `rate_x`."""
    A, B = model.constraint_index[c, CONSTRAINT_FIRST], model.constraint_index[c, CONSTRAINT_SECOND]
    first, count = model.constraint_index[c, CONSTRAINT_ROW], model.constraint_index[c, CONSTRAINT_ROWS]
    # poses and velocities of the markers A and B, d = p_AoBo_W
    r_A, R_A, omega_A, v_A = marker_frame(model, ws, A, q, v)
    r_B, R_B, omega_B, v_B = marker_frame(model, ws, B, q, v)
    p_A = add(vec(ws.work, model.marker_index[A, 0], POS), r_A)
    p_B = add(vec(ws.work, model.marker_index[B, 0], POS), r_B)
    d = sub(p_B, p_A)
    # derivatives of the rows by the pose of B relative to A, by six differences; columns of both markers
    move_rows(model, ws, ap, c, t, d, (R_A, omega_A, v_A, R_B, omega_B, v_B))
    na, nb, moving = gather_pair(model, ws, sl, ap, A, B, q, v)
    # wrench A^T lambda of all rows at both markers
    n_A, f_A, n_B, f_B = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    for r in range(first, first + count):
        force = ws.rows[r, ROW_FORCE]
        n_A = add(n_A, scale(force, vec(ws.rows, r, ON_FIRST)))
        f_A = add(f_A, scale(force, vec(ws.rows, r, ON_FIRST + 3)))
        n_B = add(n_B, scale(force, vec(ws.rows, r, ON_SECOND)))
        f_B = add(f_B, scale(force, vec(ws.rows, r, ON_SECOND + 3)))
    pair = ap.pair
    # entry k turns A by `turn`, and displaces B relative to A by (w, u)
    for k in range(moving):
        turn = vec(pair, k, ON_A + PATH_D)
        w = sub(vec(pair, k, ON_B + PATH_D), turn)
        u = sub(vec(pair, k, ON_B + PATH_D + 3), add(vec(pair, k, ON_A + PATH_D + 3), cross(turn, d)))
        by = (w[0], w[1], w[2], u[0], u[1], u[2])
        m_a, g_a, m_b, g_b = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
        for r in range(count):
            force = ws.rows[first + r, ROW_FORCE]
            x = row_changed(ws, ap, first, r, ON_FIRST, turn, by)
            y = row_changed(ws, ap, first, r, ON_FIRST + 3, turn, by)
            x_b = row_changed(ws, ap, first, r, ON_SECOND, turn, by)
            y_b = row_changed(ws, ap, first, r, ON_SECOND + 3, turn, by)
            m_a, g_a = add(m_a, scale(force, x)), add(g_a, scale(force, y))
            m_b, g_b = add(m_b, scale(force, x_b)), add(g_b, scale(force, y_b))
            # rate of the row A v + c: by its own change, by that of the velocities, and by its drift c
            rate = dot(x, omega_A) + dot(y, v_A) + dot(x_b, omega_B) + dot(y_b, v_B)
            rate += dot(vec(ws.rows, first + r, ON_FIRST), vec(pair, k, ON_A + PATH_R))
            rate += dot(vec(ws.rows, first + r, ON_FIRST + 3), vec(pair, k, ON_A + PATH_R + 3))
            rate += dot(vec(ws.rows, first + r, ON_SECOND), vec(pair, k, ON_B + PATH_R))
            rate += dot(vec(ws.rows, first + r, ON_SECOND + 3), vec(pair, k, ON_B + PATH_R + 3))
            for way in range(6):
                rate += by[way] * ap.rows[way, r, ROW_DRIFT]
            rate_x[first + r, ap.entries[k]] += rate
        # efforts by the change of the wrench; below, by the displacement of the markers under a constant wrench
        for j in range(moving):
            slope = dot(vec(pair, j, ON_A + PATH_S), m_a) + dot(vec(pair, j, ON_A + PATH_S + 3), g_a)
            slope += dot(vec(pair, j, ON_B + PATH_S), m_b) + dot(vec(pair, j, ON_B + PATH_S + 3), g_b)
            K[ap.entries[j], ap.entries[k]] -= slope
    standing_wrench(model, ws, sl, 0, na, A, n_A, f_A, q, v, K)
    standing_wrench(model, ws, sl, 1, nb, B, n_B, f_B, q, v, K)


@outlined_kernel
def constraint_partials(model, ws, sl, ap, t, q, v, K, rate_x):
    """Adds -d(A^T lambda)/dx to K (nv, nv) and d(A v + c)/dx to `rate_x` (rows, nv), after `kinematics`.

    The multipliers are those of ws.rows; the rows are left as those of this state, without BIAS.
    """
    for c in range(model.constraint_index.shape[0]):
        if model.constraint_index[c, CODE] < COUPLING:
            pair_row_partials(model, ws, sl, ap, c, t, q, v, K, rate_x)
