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

from ..algebra import Vec3, Wrench, cross, shift_back
from ..compiler import kernel
from ..rotations import matrix_quaternion
from ..tree.motions import profile
from .constraint_layout import MOVES


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
    data, at = model.constraint_floats, model.constraints[c].motion_floats
    if model.constraints[c].motion != MOVES:
        none = Vec3(0.0, 0.0, 0.0)
        return none, none, none
    x, dx, ddx = motion_along(data, at, t)
    y, dy, ddy = motion_along(data, at + 2, t)
    z, dz, ddz = motion_along(data, at + 4, t)
    return Vec3(x, y, z), Vec3(dx, dy, dz), Vec3(ddx, ddy, ddz)


@kernel
def moved_frame(model, c, t, R_B, omega_B):
    """Displacement of the second frame's origin, its rate, and what it adds to the acceleration there, world axes."""
    s, ds, dds = displaced_frame(model, c, t)
    place, rate = R_B @ s, R_B @ ds
    return place, rate, cross(omega_B, cross(omega_B, place) + 2.0 * rate) + R_B @ dds


@kernel
def second_frame(model, c, t, d, V_A, R_B, V_B):
    """The second frame of constraint c as it is moved now: how (`moved_frame`), from the first frame to it, and the
    velocity of that against the first frame's origin."""
    moved = moved_frame(model, c, t, R_B, V_B.angular)
    return moved, d + moved[0], V_B.linear + (cross(V_B.angular, moved[0]) + moved[1]) - V_A.linear


@kernel
def put_row(row, moved, F_A, F_B, value, swing):
    """Lays a row whose second wrench acts at the displaced origin of the second frame.

    moved    (displacement, its rate, acceleration of the displaced origin besides a + alpha x displacement), world axes
    """
    row.on_A = F_A
    row.on_B = shift_back(F_B, moved[0])
    row.value = value
    row.drift = F_B.force @ moved[1]
    row.swing = swing + F_B.force @ moved[2]


@kernel
def along_row(row, moved, a, d, omega, u):
    """a . d, a fixed in the first frame, which turns with omega; u = d'."""
    turning = cross(omega, a)
    swing = 2.0 * (turning @ u) + cross(omega, turning) @ d
    put_row(row, moved, Wrench(cross(a, d), -a), Wrench(d.zero, a), a @ d, swing)


@kernel
def product_parts(a, b, omega_A, omega_B):
    """a . b of a fixed in the first frame and b in the second: value, what turns it, and its swing.

    (a . b)' = (omega_B - omega_A) . (b x a).
    """
    w = omega_B - omega_A
    swing = w @ (cross(cross(omega_B, b), a) + cross(b, cross(omega_A, a)))
    return a @ b, cross(b, a), swing


@kernel
def turning_row(row, moved, n, value, swing):
    """A row on the rotation alone: value' = n . (omega_B - omega_A)."""
    put_row(row, moved, Wrench(-n, n.zero), Wrench(n, n.zero), value, swing)


@kernel
def product_row(row, moved, a, b, omega_A, omega_B):
    """a . b, as `product_parts` has it."""
    value, n, swing = product_parts(a, b, omega_A, omega_B)
    turning_row(row, moved, n, value, swing)


@kernel
def locked_rows(rows, r, moved, R_A, R_B, omega_A, omega_B):
    """Twice the vector part of the unit quaternion (s, u) of R_A^T R_B, in the first frame's axes: three rows.

    Zero only where the frames are aligned, and regular up to half a turn. With w the relative angular velocity in the
    first frame's axes, (2 u)' = s w - u x w and s' = -u . w / 2.
    """
    p = matrix_quaternion(R_A.T @ R_B)
    s, u = p.w, p.vector
    w = omega_B - omega_A
    local = R_A.T @ w
    u_rate = 0.5 * (s * local - cross(u, local))
    s_rate = -0.5 * (u @ local)
    turning = cross(omega_A, w)
    for k in range(3):
        e = unit_vector(k)
        n = R_A @ (s * e + cross(u, e))
        swing = local @ (s_rate * e + cross(u_rate, e)) - n @ turning
        turning_row(rows[r + k], moved, n, 2.0 * (u @ e), swing)


@kernel
def unit_vector(k):
    """Along axis k."""
    return Vec3(1.0 if k == 0 else 0.0, 1.0 if k == 1 else 0.0, 1.0 if k == 2 else 0.0)


@kernel
def screw_row(row, moved, R_A, R_B, d, omega_A, omega_B, u, pitch):
    """z_A . d less pitch times the angle of the second frame about z; any whole number of turns is the same thread.

    The angle is that of the twist: its sine and cosine are as y_A . x_B - x_A . y_B and x_A . x_B + y_A . y_B.
    """
    x_A, y_A, z_A, x_B, y_B = R_A.x_axis, R_A.y_axis, R_A.z_axis, R_B.x_axis, R_B.y_axis
    s1, n1, b1 = product_parts(y_A, x_B, omega_A, omega_B)
    s2, n2, b2 = product_parts(x_A, y_B, omega_A, omega_B)
    c1, n3, b3 = product_parts(x_A, x_B, omega_A, omega_B)
    c2, n4, b4 = product_parts(y_A, y_B, omega_A, omega_B)
    s, c = s1 - s2, c1 + c2
    w = omega_B - omega_A
    n_s, n_c = n1 - n2, n3 + n4
    rho = 1.0 / (s * s + c * c)
    n = rho * (c * n_s - s * n_c)
    s_rate, c_rate = n_s @ w, n_c @ w
    bias = rho * (c * (b1 - b2) - s * (b3 + b4)) - 2.0 * rho * (n @ w) * (c * c_rate + s * s_rate)
    angle = math.atan2(s.real, c.real)
    cos, sin = math.cos(angle), math.sin(angle)
    angle = angle + (s * cos - c * sin) / (c * cos + s * sin)  # a complex step's part; rounding otherwise
    value = z_A @ d - pitch * angle
    turn = 2.0 * math.pi * pitch
    value -= turn * math.floor(value.real / turn + 0.5)
    turning = cross(omega_A, z_A)
    swing = 2.0 * (turning @ u) + cross(omega_A, turning) @ d - pitch * bias
    put_row(row, moved, Wrench(cross(z_A, d) + pitch * n, -z_A), Wrench(-pitch * n, z_A), value, swing)
