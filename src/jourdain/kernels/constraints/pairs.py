"""Rows between two frames: what each kind of constraint asks of them.

A row is the wrenches (m_A, f_A) and (m_B, f_B) on its markers, world axes, its value, its own rate c and its swing
s, such that along any motion

    value' = m_A . omega_A + f_A . v_A + m_B . omega_B + f_B . v_B + c
    value'' = m_A . alpha_A + f_A . a_A + m_B . alpha_B + f_B . a_B + s ,

velocities and accelerations being those of the two markers relative to the world. Every row depends on the motion of
one frame relative to the other alone (places are taken in the first frame's axes, not the world's), so that its two
wrenches are in balance also where the constraint is violated.
"""

from __future__ import annotations

import math

from ..columns import CYLINDRICAL, PLANAR, POS, PRISMATIC, REVOLUTE, SCREW, SPHERICAL, UNIVERSAL, WELD
from ..compiler import called, kernel
from ..spatial import add, cross, dot, matmul, matrix_quaternion, put3, rotate, scale, sub, transpose, vec
from ..tree.markers import marker_frame
from ..tree.motions import profile
from .layout import (
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
    SWING,
    VALUE,
)


@kernel
def floats3(data, at):
    return (data[at], data[at + 1], data[at + 2])


@kernel
def floats9(data, at):
    return (
        data[at],
        data[at + 1],
        data[at + 2],
        data[at + 3],
        data[at + 4],
        data[at + 5],
        data[at + 6],
        data[at + 7],
        data[at + 8],
    )


@kernel
def motion_along(data, at, t):
    """A displacement along one axis of the second frame, its rate and acceleration; zeros where there is none."""
    code = int(data[at])
    if code < 0:
        return 0.0, 0.0, 0.0
    return profile(code, data, int(data[at + 1]), t)


@kernel
def displaced_frame(model, c, t):
    """Displacement of the origin of the second frame in its own axes, its rate and its acceleration."""
    if model.constraint_index[c, CONSTRAINT_MOTION] != MOVES:
        return (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    data, at = model.constraint_floats, model.constraint_index[c, MOTION_FLOATS]
    x, dx, ddx = motion_along(data, at, t)
    y, dy, ddy = motion_along(data, at + 2, t)
    z, dz, ddz = motion_along(data, at + 4, t)
    return (x, y, z), (dx, dy, dz), (ddx, ddy, ddz)


@kernel
def moved_frame(model, c, t, R_B, omega_B):
    """Displacement of the second frame's origin, its rate, and what it adds to the acceleration there, world axes."""
    s, ds, dds = displaced_frame(model, c, t)
    shift, rate = rotate(R_B, s), rotate(R_B, ds)
    more = add(cross(omega_B, add(cross(omega_B, shift), scale(2.0, rate))), rotate(R_B, dds))
    return shift, rate, more


@kernel
def put_row(rows, r, moved, m_A, f_A, m_B, f_B, value, swing):
    """Lays a row whose second wrench acts at the displaced origin of the second frame.

    moved    (displacement, its rate, acceleration of the displaced origin besides a + alpha x displacement), world axes
    """
    put3(rows, r, ON_FIRST, m_A)
    put3(rows, r, ON_FIRST + 3, f_A)
    put3(rows, r, ON_SECOND, add(m_B, cross(moved[0], f_B)))
    put3(rows, r, ON_SECOND + 3, f_B)
    rows[r, VALUE] = value
    rows[r, DRIFT] = dot(f_B, moved[1])
    rows[r, SWING] = swing + dot(f_B, moved[2])


@kernel
def along_row(rows, r, moved, a, d, omega, u):
    """a . d, a fixed in the first frame, which turns with omega; u = d'."""
    none = scale(0.0, d)
    turning = cross(omega, a)
    swing = 2.0 * dot(turning, u) + dot(cross(omega, turning), d)
    put_row(rows, r, moved, cross(a, d), scale(-1.0, a), none, a, dot(a, d), swing)


@kernel
def product_parts(a, b, omega_A, omega_B):
    """a . b of a fixed in the first frame and b in the second: value, what turns it, and its swing.

    (a . b)' = (omega_B - omega_A) . (b x a).
    """
    w = sub(omega_B, omega_A)
    swing = dot(w, add(cross(cross(omega_B, b), a), cross(b, cross(omega_A, a))))
    return dot(a, b), cross(b, a), swing


@kernel
def turning_row(rows, r, moved, n, value, swing):
    """A row on the rotation alone: value' = n . (omega_B - omega_A)."""
    none = scale(0.0, n)
    put_row(rows, r, moved, scale(-1.0, n), none, n, none, value, swing)


@kernel
def product_row(rows, r, moved, a, b, omega_A, omega_B):
    value, n, swing = product_parts(a, b, omega_A, omega_B)
    turning_row(rows, r, moved, n, value, swing)


@kernel
def locked_rows(rows, r, moved, R_A, R_B, omega_A, omega_B):
    """Twice the vector part of the unit quaternion (s, u) of R_A^T R_B, in the first frame's axes: three rows.

    Zero only where the frames are aligned, and regular up to half a turn. With w the relative angular velocity in the
    first frame's axes, (2 u)' = s w - u x w and s' = -u . w / 2.
    """
    s, x, y, z = matrix_quaternion(matmul(transpose(R_A), R_B))
    w = sub(omega_B, omega_A)
    local = rotate(transpose(R_A), w)
    u = (x, y, z)
    u_rate = scale(0.5, sub(scale(s, local), cross(u, local)))
    s_rate = -0.5 * dot(u, local)
    turning = cross(omega_A, w)
    one, zero = 1.0 + 0.0 * s, 0.0 * s
    for k in range(3):
        e = (one if k == 0 else zero, one if k == 1 else zero, one if k == 2 else zero)
        n = rotate(R_A, add(scale(s, e), cross(u, e)))
        swing = dot(local, add(scale(s_rate, e), cross(u_rate, e))) - dot(n, turning)
        turning_row(rows, r + k, moved, n, 2.0 * (x if k == 0 else (y if k == 1 else z)), swing)


@kernel
def screw_row(rows, r, moved, R_A, R_B, d, omega_A, omega_B, u, pitch):
    """z_A . d less pitch times the angle of the second frame about z; any whole number of turns is the same thread.

    The angle is that of the twist: its sine and cosine are as y_A . x_B - x_A . y_B and x_A . x_B + y_A . y_B.
    """
    x_A, y_A, z_A = (R_A[0], R_A[3], R_A[6]), (R_A[1], R_A[4], R_A[7]), (R_A[2], R_A[5], R_A[8])
    x_B, y_B = (R_B[0], R_B[3], R_B[6]), (R_B[1], R_B[4], R_B[7])
    s1, n1, b1 = product_parts(y_A, x_B, omega_A, omega_B)
    s2, n2, b2 = product_parts(x_A, y_B, omega_A, omega_B)
    c1, n3, b3 = product_parts(x_A, x_B, omega_A, omega_B)
    c2, n4, b4 = product_parts(y_A, y_B, omega_A, omega_B)
    s, c = s1 - s2, c1 + c2
    w = sub(omega_B, omega_A)
    n_s, n_c = sub(n1, n2), add(n3, n4)
    rho = 1.0 / (s * s + c * c)
    n = scale(rho, sub(scale(c, n_s), scale(s, n_c)))
    s_rate, c_rate = dot(n_s, w), dot(n_c, w)
    bias = rho * (c * (b1 - b2) - s * (b3 + b4)) - 2.0 * rho * dot(n, w) * (c * c_rate + s * s_rate)
    angle = math.atan2(s.real, c.real)
    cos, sin = math.cos(angle), math.sin(angle)
    angle = angle + (s * cos - c * sin) / (c * cos + s * sin)  # a complex step's part; rounding otherwise
    value = dot(z_A, d) - pitch * angle
    turn = 2.0 * math.pi * pitch
    value -= turn * math.floor(value.real / turn + 0.5)
    turning = cross(omega_A, z_A)
    swing = 2.0 * dot(turning, u) + dot(cross(omega_A, turning), d) - pitch * bias
    m_A = add(cross(z_A, d), scale(pitch, n))
    put_row(rows, r, moved, m_A, scale(-1.0, z_A), scale(-pitch, n), z_A, value, swing)


@called
def joint_rows(model, ws, c, t, d, R_A, omega_A, v_A, R_B, omega_B, v_B):
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


@called
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


@called
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
