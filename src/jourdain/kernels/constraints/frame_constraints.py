"""Rows between two frames: what each kind of constraint asks of them. `constraint_equations` has what a row is."""

from __future__ import annotations

from ..algebra import Wrench, cross
from ..compiler import kernel, outlined_kernel
from ..flat_arrays import vector_at
from ..joints.plugin_joints import MODULES
from ..kind_dispatch import chain
from ..kind_registry import (
    CYLINDRICAL,
    NO_SLIP,
    PLANAR,
    PRISMATIC,
    REVOLUTE,
    ROD,
    ROLLING,
    SCREW,
    SPHERICAL,
    UNIVERSAL,
    WELD,
)
from ..tree.markers import marker_kinematics
from ..tree.motions import profile
from .constraint_equations import (
    along_row,
    locked_rows,
    product_parts,
    product_row,
    put_row,
    screw_row,
    second_frame,
    turning_row,
)
from .constraint_layout import MOVES, joint_numbers, rolling_numbers, screw_numbers, universal_numbers


@outlined_kernel
def known_rows(model, ws, c, t, d, R_A, V_A, R_B, V_B):
    """Rows of a joint that closes a loop: places first, then directions.

    Revolute, spherical, universal and weld: d in the first frame's axes (3). Prismatic, cylindrical and screw: x_A . d,
    y_A . d; planar: z_A . d; z is the axis. Then x_A . z_B and y_A . z_B where the axis stays; for weld and prismatic
    all three rotations (`locked_rows`); for universal a . b less what it is; for the screw `screw_row`.
    """
    rows, data, at = ws.constraint_rows, model.constraint_floats, model.constraints[c].floats
    kind, r = model.constraints[c].kind, model.constraints[c].row
    omega_A, omega_B = V_A.angular, V_B.angular
    # the second frame as it is moved or deformed now, and its velocity seen from the first
    moved, d, u = second_frame(model, c, t, d, V_A, R_B, V_B)
    # the joint's own axes on both sides; its axis is z
    axes_A, axes_B = R_A, R_B
    if kind != UNIVERSAL and kind != SPHERICAL:
        axes = joint_numbers(data, at)[0].axes
        axes_A, axes_B = R_A @ axes, R_B @ axes
    x_A, y_A, z_A, z_B = axes_A.x_axis, axes_A.y_axis, axes_A.z_axis, axes_B.z_axis
    # places: all three held, or what is across the axis, or what is along it
    if kind == REVOLUTE or kind == SPHERICAL or kind == UNIVERSAL or kind == WELD:
        along_row(rows[r], moved, x_A, d, omega_A, u)
        along_row(rows[r + 1], moved, y_A, d, omega_A, u)
        along_row(rows[r + 2], moved, z_A, d, omega_A, u)
        r += 3
    elif kind == PLANAR:
        along_row(rows[r], moved, z_A, d, omega_A, u)
        r += 1
    else:
        along_row(rows[r], moved, x_A, d, omega_A, u)
        along_row(rows[r + 1], moved, y_A, d, omega_A, u)
        r += 2
    # directions: the axis stays
    if kind == REVOLUTE or kind == CYLINDRICAL or kind == PLANAR or kind == SCREW:
        product_row(rows[r], moved, x_A, z_B, omega_A, omega_B)
        product_row(rows[r + 1], moved, y_A, z_B, omega_A, omega_B)
        r += 2
    # directions: all of them, or the one row that is the joint's own
    if kind == PRISMATIC or kind == WELD:
        locked_rows(rows, r, moved, axes_A, axes_B, omega_A, omega_B)
    elif kind == SCREW:
        screw_row(rows[r], moved, axes_A, axes_B, d, omega_A, omega_B, u, screw_numbers(data, at)[0].pitch)
    elif kind == UNIVERSAL:
        cross_piece = universal_numbers(data, at)[0]
        a, b = R_A @ cross_piece.axis_A, R_B @ cross_piece.axis_B
        value, n, swing = product_parts(a, b, omega_A, omega_B)
        k = cross_piece.scale
        turning_row(rows[r], moved, k * n, k * (value - cross_piece.product), k * swing)


joint_rows = chain(
    "joint_rows",
    "rows",
    "model, ws, c, t, d, R_A, V_A, R_B, V_B",
    "model.constraints[c].kind",
    MODULES,
    known_rows,
    __name__,
)


@kernel
def rod_row(model, ws, c, t, d, V_A, R_B, V_B):
    """|d| less its length, which may change with time, or d with a displaced frame."""
    data, constraint = model.constraint_floats, model.constraints[c]
    row = ws.constraint_rows[constraint.row]
    length, rate, acceleration = data[constraint.floats], 0.0, 0.0
    if 0 <= constraint.motion < MOVES:
        length, rate, acceleration = profile(constraint.motion, data, constraint.motion_floats, t)
    moved, d, u = second_frame(model, c, t, d, V_A, R_B, V_B)
    far = (d @ d + 1e-300) ** 0.5
    e = 1.0 / far * d
    along = e @ u
    swing = (u @ u - along * along) / far - acceleration
    put_row(row, moved, Wrench(d.zero, -e), Wrench(d.zero, e), far - length, swing)
    row.drift -= rate


@outlined_kernel
def rolling_rows(model, ws, c, d, R_A, V_A, R_B, V_B):
    """A disk or a ball of radius r rolls on the plane z = 0 of the second frame: height first, then two of slip.

    With n the normal, D from the second frame to the first, and rho from the centre to the lowest point: n . D - r s,
    s = |n x a| for a disk of axis a (1 for a ball), and x . w, y . w of the velocity w of the body's matter there
    against the plane's, w = v_A + omega_A x rho - v_B - omega_B x (D + rho). For a disk rho = r h / s with
    h = (n . a) a - n; for a ball rho = -r n.
    """
    rows, first = ws.constraint_rows, model.constraints[c].row
    wheel = rolling_numbers(model.constraint_floats, model.constraints[c].floats)[0]
    radius, omega_A, omega_B = wheel.radius, V_A.angular, V_B.angular
    none = d.zero
    still = (none, none, none)
    # the height of a ball, n . D - r, and what its second derivative has besides accelerations
    D = -d
    u = V_A.linear - V_B.linear
    n = R_B.z_axis
    n_rate = cross(omega_B, n)
    value = n @ D - radius
    swing = 2.0 * (n_rate @ u) + cross(omega_B, n_rate) @ D
    m_A, m_B = none, cross(n, D)
    rho, rho_rate = -radius * n, -radius * n_rate
    # a disk that leans: k = n . a and s = |n x a| change with both bodies
    if wheel.disk:
        a = R_A @ wheel.axis
        a_rate = cross(omega_A, a)
        w = omega_A - omega_B
        k = n @ a
        tilt = cross(a, n)
        k_rate = w @ tilt
        s = (1.0 - k * k) ** 0.5
        s_rate = -k * k_rate / s
        k_swing = w @ (cross(a_rate, n) + cross(a, n_rate))
        value = n @ D - radius * s
        swing += radius * (k_rate * k_rate + k * k_swing + s_rate * s_rate) / s
        m_A = radius * k / s * tilt
        m_B = m_B - m_A
        h = k * a - n
        h_rate = k_rate * a + k * a_rate - n_rate
        rho = radius / s * h
        rho_rate = radius / s * (h_rate - s_rate / s * h)
    # the row of the height, then velocities of the matter that touches, along x and y of the plane
    put_row(rows[first], still, Wrench(m_A, n), Wrench(m_B, -n), value, swing)
    arm = D + rho
    slip = V_A.linear + cross(omega_A, rho) - V_B.linear - cross(omega_B, arm)
    change = cross(omega_A, rho_rate) - cross(omega_B, u + rho_rate)
    for k in range(2):
        e = R_B.x_axis if k == 0 else R_B.y_axis
        swing = cross(omega_B, e) @ slip + e @ change
        F_A, F_B = Wrench(cross(rho, e), e), Wrench(-cross(arm, e), -e)
        put_row(rows[first + 1 + k], still, F_A, F_B, none.x, swing)


@kernel
def slip_row(model, ws, c, d, R_A, V_A, V_B):
    """Velocity of the first frame against the second's matter along a direction of the first frame."""
    e = R_A @ vector_at(model.constraint_floats, model.constraints[c].floats)
    none = d.zero
    u = V_A.linear - V_B.linear
    slip = u + cross(V_B.angular, d)
    swing = cross(V_A.angular, e) @ slip - e @ cross(V_B.angular, u)
    row, still = ws.constraint_rows[model.constraints[c].row], (none, none, none)
    put_row(row, still, Wrench(none, e), Wrench(cross(d, e), -e), none.x, swing)


@outlined_kernel
def lay_pair(model, ws, c, t, d, R_A, V_A, R_B, V_B):
    """Rows of constraint c between two frames A and B, d = p_AoBo_W; not their rate and bias."""
    kind = model.constraints[c].kind
    if kind == ROD:
        rod_row(model, ws, c, t, d, V_A, R_B, V_B)
    elif kind == ROLLING:
        rolling_rows(model, ws, c, d, R_A, V_A, R_B, V_B)
    elif kind == NO_SLIP:
        slip_row(model, ws, c, d, R_A, V_A, V_B)
    else:
        joint_rows(model, ws, c, t, d, R_A, V_A, R_B, V_B)


@kernel
def marker_pair(model, ws, c, q, v):
    """The markers of constraint c: d = p_AoBo_W, rotation and velocity of A, then of B."""
    A, B = model.constraints[c].marker_A, model.constraints[c].marker_B
    r_A, R_A, V_A = marker_kinematics(model, ws, A, q, v)
    r_B, R_B, V_B = marker_kinematics(model, ws, B, q, v)
    d = ws.bodies[model.markers[B].body].p_WB + r_B - (ws.bodies[model.markers[A].body].p_WB + r_A)
    return d, R_A, V_A, R_B, V_B


@outlined_kernel
def pair_rows(model, ws, c, t, q, v):
    """Rows of constraint c between two markers, without `bias`."""
    d, R_A, V_A, R_B, V_B = marker_pair(model, ws, c, q, v)
    lay_pair(model, ws, c, t, d, R_A, V_A, R_B, V_B)
    first = model.constraints[c].row
    for r in range(first, first + model.constraints[c].rows):
        row = ws.constraint_rows[r]
        row.rate = row.on_A @ V_A + row.on_B @ V_B + row.drift
