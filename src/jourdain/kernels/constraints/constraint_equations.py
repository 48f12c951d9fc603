"""What rows between two frames are made of: places along an axis, directions, rotations, a thread.

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

from ..compiler import kernel
from ..spatial import add, cross, dot, matmul, matrix_quaternion, put3, rotate, scale, sub, transpose
from ..tree.motions import profile
from .constraint_layout import (
    AXES,
    CONSTRAINT_FLOATS,
    CONSTRAINT_MOTION,
    DRIFT,
    MOTION_FLOATS,
    MOVES,
    ON_FIRST,
    ON_SECOND,
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


@kernel
def seen(model, c, t, d, v_A, R_B, omega_B, v_B):
    """The second frame of constraint c as it is moved now: how (`moved_frame`), from the first frame to it, and the
    velocity of that seen from the first."""
    moved = moved_frame(model, c, t, R_B, omega_B)
    return moved, add(d, moved[0]), sub(add(v_B, add(cross(omega_B, moved[0]), moved[1])), v_A)


@kernel
def joint_axes(model, c, R_A, R_B):
    """A joint's own axes on both frames of constraint c; its axis is z."""
    C = floats9(model.constraint_floats, model.constraint_index[c, CONSTRAINT_FLOATS] + AXES)
    return matmul(R_A, C), matmul(R_B, C)
