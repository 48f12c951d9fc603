"""Outward pass: the columns of each entry of v, and the own part of every composite quantity.

With V, A the velocity and acceleration just inboard of an entry, S its motion, and x the cross product of motions, a
displacement of the entry turns all that is outboard by S; relative to that, velocities change by V x S, and
accelerations by A x S + V x (V x S) less the product of the body's own velocity with V x S (Singh, Russo & Wensing
2022; S^a and Pi^a of Pogorelov, whose sums over the path this point of view absorbs). The entries of a joint follow one
another; those of a ball joint and of a free joint are one, and their columns turn with the body.
"""

from __future__ import annotations

from ..columns import ACC, DOFS, JOINT, JW, MASS, MC, OMEGA, PARENT, POS, VEL, N, S, V
from ..compiler import kernel
from ..joints.plugin_joints import turns_with_body
from ..spatial import add, cross, dot, put3, put6, put9, scale, sub, sym, vec
from .body_derivatives import own_partials
from .derivative_layout import (
    C_FIRST,
    C_INERTIA,
    C_MASS,
    C_RATE_F,
    C_RATE_N,
    C_TURN_N,
    COLUMN_S,
    MOTION_RATE,
    PARTIAL_BODY,
    PARTIAL_MIXED,
    PARTIAL_RATE,
    PARTIAL_SECOND,
    PARTIAL_TURN,
    PARTIAL_VELOCITY,
    REF,
)
from .internal_at_markers import carried_columns


@kernel
def motion_cross(a, b, c, d):
    """Cross product of the motions (a, b) and (c, d): angular, linear."""
    return cross(a, c), add(cross(a, d), cross(b, c))


@kernel
def column_partials(sl, row, s, t, w, u, alpha, a, w_after, u_after):
    """Writes the column of an entry with motion (s, t), outboard of velocity (w, u) and acceleration (alpha, a).

    (w_after, u_after) is the velocity of the body in whose axes the column is constant. Returns the rate of the column
    in the axes inboard of it, V x S.
    """
    r, l = motion_cross(w, u, s, t)
    x, y = motion_cross(alpha, a, s, t)
    xx, yy = motion_cross(w, u, r, l)
    m, n = motion_cross(w_after, u_after, s, t)
    put3(sl.columns, row, COLUMN_S, s)
    put3(sl.columns, row, COLUMN_S + 3, t)
    put3(sl.columns, row, PARTIAL_RATE, r)
    put3(sl.columns, row, PARTIAL_SECOND, add(x, xx))
    put3(sl.columns, row, PARTIAL_SECOND + 3, add(y, yy))
    put3(sl.columns, row, PARTIAL_MIXED, add(r, m))
    put3(sl.columns, row, PARTIAL_MIXED + 3, add(l, n))
    put3(sl.columns, row, PARTIAL_TURN, s)
    return r, l


@kernel
def joint_columns(model, ws, sl, i, v, acceleration, w, u, alpha, a):
    """Columns of the joint of body i, from the motion of its carrier; returns that of the body, both at REF."""
    x = sub(vec(sl.bodies, i, REF), vec(ws.work, i, POS))
    first = model.table[i, V]
    # ball and free joints: all entries together, their columns are constant in the body
    if turns_with_body(model.table[i, JOINT]):
        w_after, u_after = w, u
        alpha_after, a_after = alpha, a
        for k in range(first, first + model.table[i, DOFS]):
            s = vec(ws.dof, k, S)
            t = add(vec(ws.dof, k, S + 3), cross(s, x))
            w_after = add(w_after, scale(v[k], s))
            u_after = add(u_after, scale(v[k], t))
            alpha_after = add(alpha_after, scale(acceleration[k], s))
            a_after = add(a_after, scale(acceleration[k], t))
        for k in range(first, first + model.table[i, DOFS]):
            s = vec(ws.dof, k, S)
            t = add(vec(ws.dof, k, S + 3), cross(s, x))
            r, l = column_partials(sl, k, s, t, w, u, alpha, a, w_after, u_after)
            alpha_after = add(alpha_after, scale(v[k], r))
            a_after = add(a_after, scale(v[k], l))
        return w_after, u_after, alpha_after, a_after
    # other joints: entry by entry, each column constant in what is inboard of it
    for k in range(first, first + model.table[i, DOFS]):
        s = vec(ws.dof, k, S)
        t = add(vec(ws.dof, k, S + 3), cross(s, x))
        r, l = column_partials(sl, k, s, t, w, u, alpha, a, w, u)
        alpha = add(alpha, add(scale(v[k], r), scale(acceleration[k], s)))
        a = add(a, add(scale(v[k], l), scale(acceleration[k], t)))
        w = add(w, scale(v[k], s))
        u = add(u, scale(v[k], t))
    return w, u, alpha, a


@kernel
def inertia_about(m, c, J, y):
    """First moment and inertia about a point at -y, of a mass m with c and J about its own point."""
    two = 2.0 * dot(c, y) + m * dot(y, y)
    first = add(c, scale(m, y))
    # c y^T + y c^T + m y y^T, by its six entries
    e, f = add(c, scale(0.5 * m, y)), y
    return first, (
        J[0] + two - 2.0 * e[0] * f[0],
        J[1] + two - 2.0 * e[1] * f[1],
        J[2] + two - 2.0 * e[2] * f[2],
        J[3] - e[0] * f[1] - e[1] * f[0],
        J[4] - e[0] * f[2] - e[2] * f[0],
        J[5] - e[1] * f[2] - e[2] * f[1],
    )


@kernel
def rigid_rates(m, c, J, w, u):
    """Derivatives of the force on a rigid body by its angular velocity: 3x3 of the moment, 3x3 of the force.

    The force is 2 d omega x (m u + omega x c); the moment omega~ (2 J - tr J) d omega + 2 c x (d omega x u), with the
    acceleration changed as in `column_partials`: 2 B of Singh, Russo & Wensing 2022, which takes no linear part.
    """
    p = scale(2.0, add(scale(m, u), cross(w, c)))
    t = J[0] + J[1] + J[2]
    a = (2.0 * J[0] - t, 2.0 * J[3], 2.0 * J[4])
    b = (2.0 * J[3], 2.0 * J[1] - t, 2.0 * J[5])
    d = (2.0 * J[4], 2.0 * J[5], 2.0 * J[2] - t)
    x, y, z = cross(w, a), cross(w, b), cross(w, d)
    cu = 2.0 * dot(c, u)
    g, h = scale(-2.0, u), c
    return (
        x[0] + g[0] * h[0] + cu,
        y[0] + g[0] * h[1],
        z[0] + g[0] * h[2],
        x[1] + g[1] * h[0],
        y[1] + g[1] * h[1] + cu,
        z[1] + g[1] * h[2],
        x[2] + g[2] * h[0],
        y[2] + g[2] * h[1],
        z[2] + g[2] * h[2] + cu,
    ), (0.0, p[2], -p[1], -p[2], 0.0, p[0], p[1], -p[0], 0.0)


@kernel
def columns_outward(model, ws, sl, q, v, acceleration, K, C, M):
    """Columns of all entries and the own part of every composite, after `newton_euler_efforts`."""
    table, work, bodies = model.table, ws.work, sl.bodies
    loaded = model.loads.shape[0] > 0
    for i in range(1, table.shape[0]):
        p = table[i, PARENT]
        here = vec(work, i, POS)
        # motion of the parent as a spatial motion at the reference point; the first body of a tree sets that
        if p == 0:
            ref = here
            x = sub(ref, vec(work, 0, POS))
            w, u = vec(work, 0, OMEGA), vec(work, 0, VEL)
            alpha = vec(work, 0, ACC)
            a = sub(add(vec(work, 0, ACC + 3), cross(alpha, x)), cross(w, u))
            u = add(u, cross(w, x))
        else:
            ref = vec(bodies, p, REF)
            w, u = vec(bodies, p, PARTIAL_VELOCITY), vec(bodies, p, PARTIAL_VELOCITY + 3)
            alpha, a = vec(bodies, p, MOTION_RATE), vec(bodies, p, MOTION_RATE + 3)
        put3(bodies, i, REF, ref)
        if table[p, N] > 0:
            w, u, alpha, a = carried_columns(model, ws, sl, i, q, v, acceleration, K)
        w, u, alpha, a = joint_columns(model, ws, sl, i, v, acceleration, w, u, alpha, a)
        put3(bodies, i, PARTIAL_VELOCITY, w)
        put3(bodies, i, PARTIAL_VELOCITY + 3, u)
        put3(bodies, i, MOTION_RATE, alpha)
        put3(bodies, i, MOTION_RATE + 3, a)
        # mass, first moment and inertia of the body about the reference point, and its rate matrices
        m = model.data[i, MASS]
        c, J = inertia_about(m, vec(work, i, MC), sym(work, i, JW), sub(here, ref))
        bodies[i, C_MASS] = m
        put3(bodies, i, C_FIRST, c)
        put6(bodies, i, C_INERTIA, J)
        if loaded:
            for k in range(C_TURN_N, PARTIAL_BODY):
                bodies[i, k] = 0.0
        if table[i, N] > 0:
            own_partials(model, ws, sl, i, q, v, acceleration, K, C, M)
        else:
            by_moment, by_force = rigid_rates(m, c, J, w, u)
            put9(bodies, i, C_RATE_N, by_moment)
            put9(bodies, i, C_RATE_F, by_force)
