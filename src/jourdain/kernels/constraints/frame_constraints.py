"""Rows between two frames: what each kind of constraint asks of them. `row_parts` has what a row is."""

from __future__ import annotations

from ..columns import POS
from ..compiler import kernel, outlined_kernel
from ..joints.plugin_joints import MODULES
from ..kind_dispatch import chain
from ..kind_registry import CYLINDRICAL, PLANAR, PRISMATIC, REVOLUTE, SCREW, SPHERICAL, UNIVERSAL, WELD
from ..spatial import add, cross, dot, matmul, rotate, scale, sub, vec
from ..tree.markers import marker_frame
from ..tree.motions import profile
from .constraint_equations import (
    along_row,
    floats3,
    floats9,
    locked_rows,
    moved_frame,
    product_parts,
    product_row,
    put_row,
    screw_row,
    turning_row,
)
from .constraint_layout import (
    ADVANCE,
    AXES,
    AXIS_FIRST,
    AXIS_ROLLED,
    AXIS_SECOND,
    CODE,
    CONSTRAINT_FIRST,
    CONSTRAINT_FLOATS,
    CONSTRAINT_MOTION,
    CONSTRAINT_ROW,
    CONSTRAINT_ROWS,
    CONSTRAINT_SECOND,
    DIRECTION,
    DRIFT,
    IS_DISK,
    LENGTH,
    MOTION_FLOATS,
    MOVES,
    NO_SLIP,
    ON_FIRST,
    ON_SECOND,
    PRODUCT,
    RADIUS_ROLLED,
    ROD,
    ROLLING,
    ROW_RATE,
    SLANT,
)


@outlined_kernel
def known_rows(model, ws, c, t, d, R_A, omega_A, v_A, R_B, omega_B, v_B):
    """Rows of a joint that closes a loop: places first, then directions.

    Revolute, spherical, universal and weld: d in the first frame's axes (3). Prismatic, cylindrical and screw: x_A . d,
    y_A . d; planar: z_A . d; z is the axis. Then x_A . z_B and y_A . z_B where the axis stays; for weld and prismatic
    all three rotations (`locked_rows`); for universal a . b less what it is; for the screw `screw_row`.
    """
    rows, data, at = ws.rows, model.constraint_floats, model.constraint_index[c, CONSTRAINT_FLOATS]
    kind, r = model.constraint_index[c, CODE], model.constraint_index[c, CONSTRAINT_ROW]
    # the second frame as it is moved or deformed now, and its velocity seen from the first
    moved = moved_frame(model, c, t, R_B, omega_B)
    d = add(d, moved[0])
    u = sub(add(v_B, add(cross(omega_B, moved[0]), moved[1])), v_A)
    # the joint's own axes on both sides; its axis is z
    if kind == UNIVERSAL or kind == SPHERICAL:
        axes_A, axes_B = R_A, R_B
    else:
        C = floats9(data, at + AXES)
        axes_A, axes_B = matmul(R_A, C), matmul(R_B, C)
    x_A = (axes_A[0], axes_A[3], axes_A[6])
    y_A = (axes_A[1], axes_A[4], axes_A[7])
    z_A = (axes_A[2], axes_A[5], axes_A[8])
    z_B = (axes_B[2], axes_B[5], axes_B[8])
    # places: all three held, or what is across the axis, or what is along it
    if kind == REVOLUTE or kind == SPHERICAL or kind == UNIVERSAL or kind == WELD:
        along_row(rows, r, moved, x_A, d, omega_A, u)
        along_row(rows, r + 1, moved, y_A, d, omega_A, u)
        along_row(rows, r + 2, moved, z_A, d, omega_A, u)
        r += 3
    elif kind == PLANAR:
        along_row(rows, r, moved, z_A, d, omega_A, u)
        r += 1
    else:
        along_row(rows, r, moved, x_A, d, omega_A, u)
        along_row(rows, r + 1, moved, y_A, d, omega_A, u)
        r += 2
    # directions: the axis stays
    if kind == REVOLUTE or kind == CYLINDRICAL or kind == PLANAR or kind == SCREW:
        product_row(rows, r, moved, x_A, z_B, omega_A, omega_B)
        product_row(rows, r + 1, moved, y_A, z_B, omega_A, omega_B)
        r += 2
    # directions: all of them, or the one row that is the joint's own
    if kind == PRISMATIC or kind == WELD:
        locked_rows(rows, r, moved, axes_A, axes_B, omega_A, omega_B)
    elif kind == SCREW:
        screw_row(rows, r, moved, axes_A, axes_B, d, omega_A, omega_B, u, data[at + ADVANCE])
    elif kind == UNIVERSAL:
        a, b = rotate(R_A, floats3(data, at + AXIS_FIRST)), rotate(R_B, floats3(data, at + AXIS_SECOND))
        value, n, swing = product_parts(a, b, omega_A, omega_B)
        k = data[at + SLANT]
        turning_row(rows, r, moved, scale(k, n), k * (value - data[at + PRODUCT]), k * swing)


joint_rows = chain(
    "joint_rows",
    "rows",
    "model, ws, c, t, d, R_A, omega_A, v_A, R_B, omega_B, v_B",
    f"model.constraint_index[c, {CODE}]",
    MODULES,
    known_rows,
    __name__,
)


@kernel
def rod_row(model, ws, c, t, d, v_A, R_B, omega_B, v_B):
    """|d| less its length, which may change with time, or d with a displaced frame."""
    data, r = model.constraint_floats, model.constraint_index[c, CONSTRAINT_ROW]
    length, rate, acceleration = data[model.constraint_index[c, CONSTRAINT_FLOATS] + LENGTH], 0.0, 0.0
    if 0 <= model.constraint_index[c, CONSTRAINT_MOTION] < MOVES:
        at = model.constraint_index[c, MOTION_FLOATS]
        length, rate, acceleration = profile(model.constraint_index[c, CONSTRAINT_MOTION], data, at, t)
    moved = moved_frame(model, c, t, R_B, omega_B)
    d = add(d, moved[0])
    none, u = scale(0.0, d), sub(add(v_B, add(cross(omega_B, moved[0]), moved[1])), v_A)
    far = (dot(d, d) + 1e-300) ** 0.5
    e = scale(1.0 / far, d)
    along = dot(e, u)
    swing = (dot(u, u) - along * along) / far - acceleration
    put_row(ws.rows, r, moved, none, scale(-1.0, e), none, e, far - length, swing)
    ws.rows[r, DRIFT] -= rate


@outlined_kernel
def rolling_rows(model, ws, c, d, R_A, omega_A, v_A, R_B, omega_B, v_B):
    """A disk or a ball of radius r rolls on the plane z = 0 of the second frame: height first, then two of slip.

    With n the normal, D from the second frame to the first, and rho from the centre to the lowest point: n . D - r s,
    s = |n x a| for a disk of axis a (1 for a ball), and x . w, y . w of the velocity w of the body's matter there
    against the plane's, w = v_A + omega_A x rho - v_B - omega_B x (D + rho). For a disk rho = r h / s with
    h = (n . a) a - n; for a ball rho = -r n.
    """
    rows, data, at = ws.rows, model.constraint_floats, model.constraint_index[c, CONSTRAINT_FLOATS]
    first, radius = model.constraint_index[c, CONSTRAINT_ROW], data[at + RADIUS_ROLLED]
    none = scale(0.0, d)
    still = (none, none, none)
    # the height of a ball, n . D - r, and what its second derivative has besides accelerations
    D = scale(-1.0, d)
    u = sub(v_A, v_B)
    n = (R_B[2], R_B[5], R_B[8])
    n_rate = cross(omega_B, n)
    value = dot(n, D) - radius
    swing = 2.0 * dot(n_rate, u) + dot(cross(omega_B, n_rate), D)
    m_A, m_B = none, cross(n, D)
    rho, rho_rate = scale(-radius, n), scale(-radius, n_rate)
    # a disk that leans: k = n . a and s = |n x a| change with both bodies
    if data[at + IS_DISK] == 1.0:
        a = rotate(R_A, floats3(data, at + AXIS_ROLLED))
        a_rate = cross(omega_A, a)
        w = sub(omega_A, omega_B)
        k = dot(n, a)
        tilt = cross(a, n)
        k_rate = dot(w, tilt)
        s = (1.0 - k * k) ** 0.5
        s_rate = -k * k_rate / s
        k_swing = dot(w, add(cross(a_rate, n), cross(a, n_rate)))
        value = dot(n, D) - radius * s
        swing += radius * (k_rate * k_rate + k * k_swing + s_rate * s_rate) / s
        m_A = scale(radius * k / s, tilt)
        m_B = sub(m_B, m_A)
        h = sub(scale(k, a), n)
        h_rate = sub(add(scale(k_rate, a), scale(k, a_rate)), n_rate)
        rho = scale(radius / s, h)
        rho_rate = scale(radius / s, sub(h_rate, scale(s_rate / s, h)))
    # the row of the height, then velocities of the matter that touches, along x and y of the plane
    put_row(rows, first, still, m_A, n, m_B, scale(-1.0, n), value, swing)
    arm = add(D, rho)
    slip = sub(sub(add(v_A, cross(omega_A, rho)), v_B), cross(omega_B, arm))
    change = sub(cross(omega_A, rho_rate), cross(omega_B, add(u, rho_rate)))
    for k in range(2):
        e = (R_B[k], R_B[3 + k], R_B[6 + k])
        swing = dot(cross(omega_B, e), slip) + dot(e, change)
        put_row(
            rows,
            first + 1 + k,
            still,
            cross(rho, e),
            e,
            scale(-1.0, cross(arm, e)),
            scale(-1.0, e),
            0.0 * value,
            swing,
        )


@kernel
def slip_row(model, ws, c, d, R_A, omega_A, v_A, omega_B, v_B):
    """Velocity of the first frame against the second's matter along a direction of the first frame."""
    e = rotate(R_A, floats3(model.constraint_floats, model.constraint_index[c, CONSTRAINT_FLOATS] + DIRECTION))
    none = scale(0.0, d)
    u = sub(v_A, v_B)
    slip = add(u, cross(omega_B, d))
    swing = dot(cross(omega_A, e), slip) - dot(e, cross(omega_B, u))
    r, still = model.constraint_index[c, CONSTRAINT_ROW], (none, none, none)
    put_row(ws.rows, r, still, none, e, cross(d, e), scale(-1.0, e), none[0], swing)


@outlined_kernel
def pair_rows(model, ws, c, t, q, v):
    """Rows of constraint c between two markers, without BIAS."""
    A, B = model.constraint_index[c, CONSTRAINT_FIRST], model.constraint_index[c, CONSTRAINT_SECOND]
    kind = model.constraint_index[c, CODE]
    r_A, R_A, omega_A, v_A = marker_frame(model, ws, A, q, v)
    r_B, R_B, omega_B, v_B = marker_frame(model, ws, B, q, v)
    p_A = add(vec(ws.work, model.marker_index[A, 0], POS), r_A)
    p_B = add(vec(ws.work, model.marker_index[B, 0], POS), r_B)
    d = sub(p_B, p_A)
    if kind == ROD:
        rod_row(model, ws, c, t, d, v_A, R_B, omega_B, v_B)
    elif kind == ROLLING:
        rolling_rows(model, ws, c, d, R_A, omega_A, v_A, R_B, omega_B, v_B)
    elif kind == NO_SLIP:
        slip_row(model, ws, c, d, R_A, omega_A, v_A, omega_B, v_B)
    else:
        joint_rows(model, ws, c, t, d, R_A, omega_A, v_A, R_B, omega_B, v_B)
    rows, first = ws.rows, model.constraint_index[c, CONSTRAINT_ROW]
    for r in range(first, first + model.constraint_index[c, CONSTRAINT_ROWS]):
        along_A = dot(vec(rows, r, ON_FIRST), omega_A) + dot(vec(rows, r, ON_FIRST + 3), v_A)
        along_B = dot(vec(rows, r, ON_SECOND), omega_B) + dot(vec(rows, r, ON_SECOND + 3), v_B)
        rows[r, ROW_RATE] = along_A + along_B + rows[r, DRIFT]
